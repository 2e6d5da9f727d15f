package revise

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

const file = `# a head
version: "1"
methods:
  # > words of the first
  "a": {use: x, pin: "w:1 r:2"}   # kept

  # > words of the second
  'b':
    # inner
    use: 'x'
    pin: w:1 r:2
    # trailing
  "c": {use: x} # c's own
  # > words of the last
  "d":
    use: x
    pin: 'w:1 r:2'
# foot of methods
review: {by: me}
`

func read(t *testing.T, text string) *source.File {
	t.Helper()
	f, err := source.ReadOwn("a.yaml", []byte(text), source.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestRevise(t *testing.T) {
	methods := func(f *source.File) *source.Node { return f.Root.Get("methods") }
	set := func(name, text string) func(*Revision, *source.File) error {
		return func(r *Revision, f *source.File) error { return r.Set(methods(f).Get(name).Get("pin"), text) }
	}
	insert := func(name string) func(*Revision, *source.File) error {
		return func(r *Revision, f *source.File) error { return r.Insert(methods(f).Get(name), "pin", "w:3 r:4") }
	}
	remove := func(name string) func(*Revision, *source.File) error {
		return func(r *Revision, f *source.File) error { return r.Remove(methods(f), name) }
	}
	for _, c := range []struct {
		name     string
		do       func(*Revision, *source.File) error
		old, new string // what of the file is another
	}{
		{"double quotes", set("a", "w:3 r:4"), `pin: "w:1 r:2"}   # kept`, `pin: "w:3 r:4"}   # kept`},
		{"no quotes", set("b", "w:3 r:4"), "    pin: w:1 r:2\n", "    pin: \"w:3 r:4\"\n"},
		{"single quotes", set("d", "w:3 r:4"), `'w:1 r:2'`, `'w:3 r:4'`},
		{"insert in braces", insert("c"), `{use: x} # c's`, `{pin: "w:3 r:4", use: x} # c's`},
		{"insert in a block", insert("b"), "    use: 'x'\n", "    pin: \"w:3 r:4\"\n    use: 'x'\n"},
		{"remove a line", remove("a"), "  \"a\": {use: x, pin: \"w:1 r:2\"}   # kept\n", ""},
		{"remove a block", remove("b"), "  'b':\n    # inner\n    use: 'x'\n    pin: w:1 r:2\n", ""},
		{"remove the last", remove("d"), "  \"d\":\n    use: x\n    pin: 'w:1 r:2'\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, ends := range []string{"\n", "\r\n"} {
				text := strings.ReplaceAll(file, "\n", ends)
				f := read(t, text)
				r := New(f)
				if err := c.do(r, f); err != nil {
					t.Fatal(err)
				}
				got, err := r.Bytes()
				if err != nil {
					t.Fatal(err)
				}
				old, now := strings.ReplaceAll(c.old, "\n", ends), strings.ReplaceAll(c.new, "\n", ends)
				if want := strings.Replace(text, old, now, 1); string(got) != want {
					t.Errorf("got\n%s\nwant\n%s", got, want)
				}
			}
		})
	}
}

func TestReviseRefuses(t *testing.T) {
	for _, c := range []struct {
		name, text string
		do         func(*Revision, *source.Node) error
		line       int
	}{
		{"a folded text", "methods:\n  a:\n    pin: >-\n      w:1\n      r:2\n", func(r *Revision, n *source.Node) error { return r.Set(n.Get("a").Get("pin"), "w:3 r:4") }, 3},
		{"an escaped text", "methods:\n  a: {pin: \"w:\\x31 r:2\"}\n", func(r *Revision, n *source.Node) error { return r.Set(n.Get("a").Get("pin"), "w:3 r:4") }, 2},
		{"an entry in braces with a comment", "methods: {a: {pin: x}, # why\n b: {pin: x}}\n", func(r *Revision, n *source.Node) error { return r.Remove(n, "a") }, 1},
		{"all that a file says", "{\"methods\": {\"a\": {\"pin\": \"x\"}}}\n", func(r *Revision, n *source.Node) error { return r.Remove(n, "a") }, 1},
		{"an entry beside its block", "methods:\n  ? a\n  : {pin: x}\n  b: {pin: x}\n", func(r *Revision, n *source.Node) error { return r.Remove(n, "a") }, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := read(t, c.text)
			r := New(f)
			err := c.do(r, f.Root.Get("methods"))
			var byHand *ByHand
			if !errors.As(err, &byHand) || byHand.Position.Line != c.line || !r.Empty() {
				t.Errorf("got %v, want a change by hand in line %d", err, c.line)
			}
		})
	}
}

func TestReplace(t *testing.T) {
	dir := t.TempDir()
	path, link := filepath.Join(dir, "a.yaml"), filepath.Join(dir, "link.yaml")
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("a.yaml", link); err != nil {
		t.Skipf("no links here: %v", err)
	}
	if err := Replace(link, []byte("old"), []byte("new")); err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat(path)
	if b, _ := os.ReadFile(path); err != nil || string(b) != "new" || info.Mode() != 0o600 {
		t.Errorf("%q, %v, %v", b, info.Mode(), err)
	}
	if err := Replace(path, []byte("old"), []byte("newer")); !errors.Is(err, ErrChanged) {
		t.Errorf("got %v, want ErrChanged", err)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 2 {
		t.Errorf("%d files are left", len(entries))
	}
}

// FuzzSet: whatever the file, a text that is set is there when it is read
// again, and nothing else has changed.
func FuzzSet(f *testing.F) {
	f.Add(file)
	f.Add(`{"methods": {"a": {"pin": "w:1 r:2"}}}`)
	f.Fuzz(func(t *testing.T, text string) {
		file, err := source.ReadOwn("a", []byte(text), source.Limits{})
		if err != nil {
			return
		}
		r := New(file)
		var nodes []*source.Node
		var walk func(n *source.Node)
		walk = func(n *source.Node) {
			for _, m := range n.Members {
				walk(m.Value)
			}
			for _, item := range n.Items {
				walk(item)
			}
			if n.Kind == source.String && r.Set(n, "w:3 r:4") == nil {
				nodes = append(nodes, n)
			}
		}
		walk(file.Root)
		out, err := r.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		again, err := source.ReadOwn("a", out, source.Limits{})
		if err != nil {
			t.Fatalf("%q became %q: %v", text, out, err)
		}
		for _, n := range nodes {
			if at, err := again.Root.At(n.Pointer()); err != nil || at.Text != "w:3 r:4" {
				t.Fatalf("%q became %q, in which %s is not set", text, out, n.Pointer())
			}
		}
	})
}

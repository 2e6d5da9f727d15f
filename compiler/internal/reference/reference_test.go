package reference_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/reference"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// folder writes files and opens the folder they are in.
func folder(t testing.TB, files map[string]string) *os.Root {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	return root
}

func read(t testing.TB, name, text string) *source.File {
	t.Helper()
	f, err := source.Read(name, []byte(text), source.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// document returns a file whose /use holds the reference.
func document(t testing.TB, name, ref string) *source.File {
	return read(t, name, fmt.Sprintf(`{
  "use": {"$ref": %q},
  "a/b": {"m~n": {"": 1, " ": 2, "%%": 3, "é": 4}},
  "list": ["x", {"y": 5}],
  "users/{id}": 6,
  "$top": 7,
  "loop": {"$ref": "#/loop2"}, "loop2": {"$ref": "#/loop"},
  "hop": {"$ref": "#/hop2"}, "hop2": {"$ref": "#/$top"},
  "half": {"$ref": "#/$top", "description": "words"},
  "self": {"$ref": "#/use"},
  "components": {"schemas": {"Account": 8, "Balance": 9}}
}`, ref))
}

func TestResolveInDocument(t *testing.T) {
	for _, c := range []struct {
		ref  string
		want string // pointer of the target, or the code of the fault
		says string
	}{
		{"#", "", ""},
		{"", "", ""},
		{"#/a~1b/m~0n/", "/a~1b/m~0n/", ""},
		{"#/a~1b/m~0n/%20", "/a~1b/m~0n/ ", ""},
		{"#/a~1b/m~0n/%25", "/a~1b/m~0n/%", ""},
		{"#/a~1b/m~0n/%C3%A9", "/a~1b/m~0n/é", ""},
		{"#/a~1b/m~0n/é", "/a~1b/m~0n/é", ""},
		{"#/a%2Fb", reference.CodeDangling, `no member "a"`}, // decoded before it is split
		{"#/a%7E1b", "/a~1b", ""},
		{"#/users~1%7Bid%7D", "/users~1{id}", ""},
		{"#/%24top", "/$top", ""},
		{"#/list/0", "/list/0", ""},
		{"#/list/1/y", "/list/1/y", ""},
		{"#/list/01", reference.CodeDangling, "is an array of 2"},
		{"#/list/-", reference.CodeDangling, "is an array of 2"},
		{"#/list/2", reference.CodeDangling, "is an array of 2"},
		{"#/list/+1", reference.CodeDangling, "is an array of 2"},
		{"#/list/99999999999999999999", reference.CodeDangling, "is an array of 2"},
		{"#/list/0/x", reference.CodeDangling, "not an object or array"},
		{"#/a~2b", reference.CodeSyntax, "~"},
		{"#/a%zz", reference.CodeSyntax, "hexadecimal"},
		{"#/components/schemas/Acount", reference.CodeDangling, `did you mean "Account"?`},
		{"#/components/schema/Account", reference.CodeDangling, `did you mean "schemas"?`},
		{"#/components/schemas/Zebra", reference.CodeDangling, `"/components/schemas" has no member "Zebra"`},
		{"#Account", reference.CodeDangling, "no anchor"},
		{"#/hop", "/$top", ""},
		{"#/half", "/half", ""},
		{"#/loop", reference.CodeCycle, ""},
		{"#/use", reference.CodeCycle, ""},
		{"#/self", reference.CodeCycle, ""},
		{"https://example.com/schema.json#/a", reference.CodeRemote, "never fetched"},
		{"//example.com/x", reference.CodeRemote, "another host"},
		{"urn:example:x", reference.CodeRemote, ""},
		{"file:///etc/passwd", reference.CodeOutside, "file URL"},
		{"rpcgen-file:///doc.json", reference.CodeSyntax, ""},
		{"/etc/passwd", reference.CodeOutside, "absolute"},
		{"..", reference.CodeOutside, ""},
		{"../x.json", reference.CodeOutside, "root:"},
		{"a/../../x.json", reference.CodeOutside, ""},
		{"%2e%2e/x.json", reference.CodeOutside, ""},
		{`..\x.json`, reference.CodeSyntax, ""},
		{"x.json?y", reference.CodeSyntax, "query"},
		{"http://[::1", reference.CodeSyntax, ""},
		{"other.json", reference.CodeOutside, "no folder is open"},
		{"doc.json#/list/0", "/list/0", ""},
		{"./doc.json", "", ""},
	} {
		f := document(t, "doc.json", c.ref)
		use := f.Root.Get("use")
		n, fault := reference.New(f, reference.Options{}).Resolve(use, c.ref)
		if fault != nil {
			if fault.Code != c.want || !strings.Contains(fault.Message+fault.Advice, c.says) {
				t.Errorf("%s: %s: %s [%s], want %s saying %q", c.ref, fault.Code, fault.Message, fault.Advice, c.want, c.says)
			}
			if fault.Position != use.Get("$ref").Position() || fault.Pointer != "/use/$ref" {
				t.Errorf("%s: the fault is at %v %s, want the reference", c.ref, fault.Position, fault.Pointer)
			}
		} else if string(n.Pointer()) != c.want {
			t.Errorf("%s: %s, want %s", c.ref, n.Pointer(), c.want)
		}
	}
}

func TestStep(t *testing.T) {
	f := document(t, "doc.json", "#/half")
	s := reference.New(f, reference.Options{})
	if n, fault := s.Step(f.Root.Get("use"), "#/hop"); fault != nil || n.Pointer() != "/hop" {
		t.Errorf("Step = %v, %v", n, fault)
	}
	if n, fault := s.Step(f.Root.Get("loop"), "#/loop2"); fault != nil || n.Pointer() != "/loop2" {
		t.Errorf("Step = %v, %v", n, fault)
	}
}

func TestLongChain(t *testing.T) {
	var b strings.Builder
	for i := range 100 {
		fmt.Fprintf(&b, `"n%d": {"$ref": "#/n%d"}, `, i, i+1)
	}
	f := read(t, "doc.json", `{`+b.String()+`"n100": 1}`)
	s := reference.New(f, reference.Options{})
	if n, fault := s.Resolve(f.Root.Get("n80"), "#/n81"); fault != nil || n.Text != "1" {
		t.Errorf("20 references: %v, %v", n, fault)
	}
	if _, fault := s.Resolve(f.Root.Get("n0"), "#/n1"); fault == nil || fault.Code != reference.CodeChain {
		t.Errorf("100 references: %v", fault)
	}
}

func TestResolveFiles(t *testing.T) {
	files := map[string]string{
		"api/doc.json":        `{}`,
		"api/near.json":       `{"here": "api", "up": {"$ref": "../shared/types.yaml#/Name"}}`,
		"near.json":           `{"here": "top"}`,
		"shared/types.yaml":   "Name: {type: string}\nBack: {$ref: '../api/doc.json#/list/0'}\nBelow: {$ref: 'api/near.json#/here'}\n",
		"with space.json":     `[1]`,
		"broken.json":         "{\n  \"a\": 1,\n}",
		"deep/er/bottom.json": `{"top": {"$ref": "../../near.json"}}`,
	}
	root := folder(t, files)
	for _, c := range []struct {
		ref, want, says string
	}{
		{"near.json#/here", "api", ""},                 // beside the document first
		{"./near.json#/here", "api", ""},               //
		{"../near.json#/here", "top", ""},              //
		{"shared/types.yaml#/Name/type", "string", ""}, // then below Root
		{"../shared/types.yaml#/Name/type", "string", ""},
		{"near.json#/up/type", reference.CodeDangling, `no member "type"`}, // a pointer does not follow references
		{"../shared/types.yaml#/Back", "x", ""},                            // the document itself again
		{"../shared/types.yaml#/Below", "api", ""},
		{"../with%20space.json#/0", "1", ""},
		{"../with space.json#/0", "1", ""},
		{"api/doc.json#/list/0", "x", ""},
		{"../deep/er/bottom.json#/top", reference.CodeDangling, ""},
		{"../../outside.json", reference.CodeOutside, "root:"},
		{"nera.json", reference.CodeDangling, `a file "near.json"`},
		{"./api/lost.json", reference.CodeDangling, "declare it as root:"},
		{"../broken.json", reference.CodeUnreadable, "json-syntax"},
		{"../shared", reference.CodeUnreadable, "not-a-regular-file"},
		{"https://example.com/x", reference.CodeRemote, ""},
	} {
		f := document(t, "api/doc.json", c.ref)
		n, fault := reference.New(f, reference.Options{Root: root, Dir: "api"}).Resolve(f.Root.Get("use"), c.ref)
		switch {
		case fault != nil && (fault.Code != c.want || !strings.Contains(fault.Message+fault.Advice, c.says)):
			t.Errorf("%s: %s: %s [%s], want %s saying %q", c.ref, fault.Code, fault.Message, fault.Advice, c.want, c.says)
		case fault == nil && n.Kind != source.Object && n.Text != c.want:
			t.Errorf("%s: %q, want %q", c.ref, n.Text, c.want)
		case fault == nil && n.Kind == source.Object && n.Get("here") == nil:
			t.Errorf("%s: %s", c.ref, n.JSON())
		}
	}
}

// The place of a fault in another file is told, and the reference is where to
// click.
func TestFaultInOtherFile(t *testing.T) {
	root := folder(t, map[string]string{"broken.json": "{\n  \"a\": 1,\n}", "lost.json": `{"a": {"$ref": "#/b"}}`})
	for ref, want := range map[string]string{"broken.json": "broken.json:2:9", "lost.json#/a": "lost.json:1:16"} {
		f := document(t, "doc.json", ref)
		_, fault := reference.New(f, reference.Options{Root: root}).Resolve(f.Root.Get("use"), ref)
		if fault == nil || len(fault.Related) == 0 || fault.Related[0].Position.String() != want || fault.Position.File != f {
			t.Errorf("%s: %+v, want related %s", ref, fault, want)
		}
	}
}

// identify is a small stand-in for a dialect: every object may state $id and
// $anchor.
func identify(f *source.File) (found []reference.Identifier) {
	var walk func(n *source.Node)
	walk = func(n *source.Node) {
		id := reference.Identifier{Node: n}
		if v := n.Get("$id"); v != nil {
			id.URI = v.Text
		}
		if v := n.Get("$anchor"); v != nil {
			id.Anchor = v.Text
		}
		if id.URI != "" || id.Anchor != "" {
			found = append(found, id)
		}
		for _, item := range n.Items {
			walk(item)
		}
		for _, m := range n.Members {
			walk(m.Value)
		}
	}
	walk(f.Root)
	return found
}

func TestIdentifiers(t *testing.T) {
	root := folder(t, map[string]string{
		"schemas/types.json": `{"$id": "https://example.com/types", "S": {"$anchor": "name", "v": "types"}}`,
		"schemas/one.json":   `{"$id": "https://example.com/twice"}`,
		"schemas/two.json":   `{"$id": "https://example.com/twice"}`,
		".hidden/types.json": `{"$id": "https://example.com/hidden"}`,
		"schemas/bad.json":   `{"$id": "https://example.com/bad"`,
	})
	f := read(t, "doc.json", `{
		"in": {"$id": "https://example.com/a/b", "v": "in", "deep": {"$id": "c", "v": "deep", "use": {}}, "$anchor": "top"},
		"rel": {"$id": "other.json", "v": "rel"},
		"same": {"x": {"$id": "https://example.com/same"}, "y": {"$id": "https://example.com/same"}},
		"use": {}
	}`)
	s := reference.New(f, reference.Options{Root: root})
	s.Use(identify, map[string][]byte{"https://example.com/known": []byte(`{"v": "library"}`)})
	deep := f.Root.Get("in").Get("deep").Get("use")
	for _, c := range []struct {
		at        *source.Node
		ref, want string
	}{
		{f.Root.Get("use"), "https://example.com/a/b#/v", "in"},
		{f.Root.Get("use"), "https://example.com/a/c#/v", "deep"},
		{f.Root.Get("use"), "https://example.com/a/b#top", "/in"},
		{f.Root.Get("use"), "#top", reference.CodeDangling},
		{f.Root.Get("use"), "other.json#/v", "rel"},
		{deep, "b#/v", "in"},
		{deep, "#/v", "deep"},
		{deep, "#/in", reference.CodeDangling},
		{deep, "../types#name", "/S"},
		{f.Root.Get("use"), "https://example.com/types#/S/v", "types"},
		{f.Root.Get("use"), "schemas/types.json#/S/v", "types"},
		{f.Root.Get("use"), "https://example.com/known#/v", "library"},
		{f.Root.Get("use"), "https://example.com/same", reference.CodeAmbiguous},
		{f.Root.Get("use"), "https://example.com/twice", reference.CodeAmbiguous},
		{f.Root.Get("use"), "https://example.com/hidden", reference.CodeRemote},
		{f.Root.Get("use"), "https://example.com/bad", reference.CodeRemote},
	} {
		n, fault := s.Resolve(c.at, c.ref)
		got := ""
		switch {
		case fault != nil:
			got = fault.Code
		case strings.HasPrefix(c.want, "/"):
			got = string(n.Pointer())
		default:
			got = n.Text
		}
		if got != c.want {
			t.Errorf("%s at %s: %q, want %q (%v)", c.ref, c.at.Pointer(), got, c.want, fault)
		}
	}
	var names []string
	for _, f := range s.Files() {
		names = append(names, f.Name)
	}
	if got := strings.Join(names, " "); got != "doc.json schemas/types.json" {
		t.Errorf("files %q", got)
	}
}

// A million references to nothing cost no million searches for a suggestion.
func TestDanglingIsBounded(t *testing.T) {
	var b bytes.Buffer
	b.WriteString(`{"use": {}, "all": {`)
	for i := range 20_000 {
		fmt.Fprintf(&b, `"Component%d": 1, `, i)
	}
	b.WriteString(`"z": 1}}`)
	f := read(t, "doc.json", b.String())
	s := reference.New(f, reference.Options{})
	started := time.Now()
	for i := range 20_000 {
		if _, fault := s.Resolve(f.Root.Get("use"), fmt.Sprintf("#/all/Compnoent%d", i)); fault == nil {
			t.Fatal("no fault")
		}
	}
	if took := time.Since(started); took > time.Minute { // a search for each takes several
		t.Errorf("took %v", took)
	}
}

func FuzzResolve(f *testing.F) {
	for _, ref := range []string{"#/a~1b/m~0n/", "#/list/0", "near.json#/x", "../..", "https://a/b#c", "#/%7E", "a%2fb", "?#", "//", "C:\\x"} {
		f.Add(ref)
	}
	root := folder(f, map[string]string{"near.json": `{"x": 1}`})
	f.Fuzz(func(t *testing.T, ref string) {
		doc := document(t, "doc.json", "#")
		use := doc.Root.Get("list")
		n, fault := reference.New(doc, reference.Options{Root: root}).Resolve(use, ref)
		if (n == nil) == (fault == nil) {
			t.Fatalf("%q: %v, %v", ref, n, fault)
		}
		if fault != nil && (fault.Severity != diag.Error || fault.Position.IsZero()) {
			t.Fatalf("%q: a fault without a place: %+v", ref, fault)
		}
	})
}

// TestRelativeBelowID: a relative reference below a $id is relative to that URI;
// where no schema states the URI that this gives, to the file it stands in.
func TestRelativeBelowID(t *testing.T) {
	files := map[string]string{
		"schemas/order.json":  `{"$id":"https://example.com/schemas/order","line":{"$ref":"line.json#/x"},"stated":{"$ref":"stated.json"},"gone":{"$ref":"gone.json"},"up":{"$ref":"../../up.json"}}`,
		"schemas/line.json":   `{"x":1}`,
		"other/s.json":        `{"$id":"https://example.com/schemas/stated.json"}`,
		"schemas/stated.json": `{"not":"this"}`,
	}
	f := document(t, "doc.json", "schemas/order.json")
	set := reference.New(f, reference.Options{Root: folder(t, files)})
	set.Use(func(f *source.File) []reference.Identifier {
		if id := f.Root.Get("$id"); id != nil {
			return []reference.Identifier{{Node: f.Root, URI: id.Text}}
		}
		return nil
	}, nil)
	order, fault := set.Resolve(f.Root.Get("use"), "schemas/order.json")
	if fault != nil {
		t.Fatal(fault)
	}
	for name, want := range map[string]string{"line": "1", "stated": `{"$id":"https://example.com/schemas/stated.json"}`, "gone": reference.CodeRemote, "up": reference.CodeRemote} {
		at := order.Get(name)
		n, fault := set.Resolve(at, at.Get("$ref").Text)
		switch {
		case fault != nil && fault.Code != want:
			t.Errorf("%s: %v", name, fault)
		case fault == nil && string(n.JSON()) != want:
			t.Errorf("%s: %s, want %s", name, n.JSON(), want)
		}
	}
}

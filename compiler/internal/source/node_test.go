package source_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

func read(t testing.TB, text string) *source.File {
	t.Helper()
	f, err := source.Read("doc", []byte(text), source.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestPositions says where each value stands: "pointer line:column" in order.
func TestPositions(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"json", "{\n \"ä\": [1,\n\t\"é\", {}]\r\n}", "1:1, /ä 2:7, /ä/0 2:8, /ä/1 3:2, /ä/2 3:7"},
		{"json on one line", `[1,"ä",2]`, "1:1, /0 1:2, /1 1:4, /2 1:8"},
		{"json old line ends", "[1,\r2,\r\n3]", "1:1, /0 1:2, /1 2:1, /2 3:1"},
		{"yaml", "# é\na: 1\nb:\n  - x\n  - ä: y\n    z: 'q'\n", "2:1, /a 2:4, /b 4:3, /b/0 4:5, /b/1 5:5, /b/1/ä 5:8, /b/1/z 6:8"},
		{"yaml crlf", "a: 1\r\nb: |\r\n  x\r\nc: 2\r\n", "1:1, /a 1:4, /b 2:4, /c 4:4"},
		{"yaml old line ends", "a: 1\rb: 2\r", "1:1, /a 1:4, /b 2:4"},
		{"yaml line separators", "a: \"x\u2028 y\"\nb: \"\u2028\"\nc: 3\n", "1:1, /a 1:4, /b 2:4, /c 3:4"},
		{"yaml next line", "a: x\u0085b: 2\nc: 3\n", "1:1, /a 1:4, /b 1:9, /c 2:4"},
		{"yaml flow", "{\"a\": 1}\n", "1:1, /a 1:7"},
		{"yaml aliases", "a: &x [1]\nb: *x\n", "1:1, /a 1:4, /a/0 1:8, /b 1:4, /b/0 1:8"},
		{"yaml tag", "a: !!str 1\n", "1:1, /a 1:4"},
		{"yaml directive", "%YAML 1.2\n---\na: 1\n", "3:1, /a 3:4"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			walk(read(t, tt.in).Root, func(n *source.Node) {
				p := n.Position()
				got = append(got, strings.TrimSpace(fmt.Sprintf("%s %d:%d", n.Pointer(), p.Line, p.Column)))
			})
			if s := strings.Join(got, ", "); s != tt.want {
				t.Errorf("got  %s\nwant %s", s, tt.want)
			}
		})
	}
}

// TestPositionEverywhere compares with counting from the start, across the
// blocks in which columns are counted.
func TestPositionEverywhere(t *testing.T) {
	var b strings.Builder
	b.WriteString(`["`)
	for i := range 6000 {
		b.WriteString([]string{"a", "ä", "日", "😀", "bc"}[i%5])
		if i%1500 == 1499 {
			b.WriteString("\",\r\n\"")
		}
	}
	b.WriteString(`"]`)
	text := b.String()
	f := read(t, text)
	line, column := 1, 1
	for offset, r := range text {
		if p := f.Position(offset); p.Line != line || p.Column != column || p.Offset != offset {
			t.Fatalf("offset %d: got %v, want %d:%d", offset, p, line, column)
		}
		if column++; r == '\n' {
			line, column = line+1, 1
		}
	}
	if p := f.Position(len(text) + 5); p.Line != line || p.Column != column {
		t.Errorf("beyond the end: got %v, want %d:%d", p, line, column)
	}
	if p := f.Position(-1); p.Line != 1 || p.Column != 1 {
		t.Errorf("before the start: got %v", p)
	}
}

func TestPositionAtBlockBorders(t *testing.T) {
	for _, size := range []int{4095, 4096, 4097, 8192} {
		f := read(t, "["+strings.Repeat(" ", size-2)+"]")
		if p := f.Position(size); p.Line != 1 || p.Column != size+1 {
			t.Errorf("%d bytes: the end is at %v", size, p)
		}
	}
}

func TestPositionZero(t *testing.T) {
	var n *source.Node
	if p := n.Position(); !p.IsZero() || p.String() != "" {
		t.Errorf("nil node stands at %q", p)
	}
	if p := n.Pointer(); p != "" {
		t.Errorf("nil node has pointer %q", p)
	}
	var f *source.File
	if !f.Position(3).IsZero() {
		t.Error("nil file has a place")
	}
	if got := (source.Position{File: &source.File{Name: "x"}}).String(); got != "x" {
		t.Errorf("file alone prints %q", got)
	}
}

func TestPositionConcurrently(t *testing.T) {
	f := read(t, "[1,\n2]")
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if p := f.Root.Items[1].Position(); p.Line != 2 {
				t.Errorf("got %v", p)
			}
		})
	}
	wg.Wait()
}

func TestGet(t *testing.T) {
	for _, size := range []int{0, 1, 16, 17, 10_000} {
		var b strings.Builder
		b.WriteString("{")
		for i := range size {
			fmt.Fprintf(&b, "%q: %d,\n", fmt.Sprint("n", i), i)
		}
		b.WriteString("\"last\": 0}")
		root := read(t, b.String()).Root
		for i := range size {
			if got := root.Get(fmt.Sprint("n", i)); got == nil || got.Text != fmt.Sprint(i) {
				t.Fatalf("%d members: n%d is %v", size, i, got)
			}
		}
		if m, ok := root.Member("last"); !ok || m.Name != "last" || root.File.Position(m.Offset).Line != size+1 {
			t.Errorf("%d members: last is %v, %v", size, m, ok)
		}
		if _, ok := root.Member("absent"); ok || root.Get("absent") != nil {
			t.Errorf("%d members: absent is there", size)
		}
	}
	var none *source.Node
	if _, ok := none.Member("x"); ok || none.Get("x").Get("y") != nil {
		t.Error("nil has members")
	}
}

// TestBuiltNodes covers trees that corrections make: copies with other
// members, values from other files.
func TestBuiltNodes(t *testing.T) {
	var b strings.Builder
	for i := range 20 {
		fmt.Fprintf(&b, "n%d: [a, b]\n", i)
	}
	old := read(t, b.String()).Root
	patch := read(t, "x: {y: 1}\n").Root

	built := *old
	built.Members = append([]source.Member(nil), old.Members...)
	grafted := *patch.Get("x")
	grafted.Parent = &built
	built.Members[3] = source.Member{Name: "new/name", Offset: old.Members[3].Offset, Value: &grafted}

	if built.Get("n3") != nil || built.Get("new/name") != &grafted || built.Get("n4") == nil {
		t.Error("the copy finds members of the original")
	}
	if old.Get("n3") == nil || old.Get("new/name") != nil {
		t.Error("the original has changed")
	}
	if p := grafted.Pointer(); p != "/new~1name" {
		t.Errorf("grafted node has pointer %q", p)
	}
	if p := grafted.Position(); p.File != patch.File || p.Line != 1 || p.Column != 4 {
		t.Errorf("grafted node stands at %v", p)
	}
	items := *old.Get("n0")
	items.Items = []*source.Node{old.Get("n1"), old.Get("n0").Items[0]}
	items.Items[1].Parent = &items
	items.Parent, built.Members[0].Value = &built, &items
	if p := items.Items[1].Pointer(); p != "/n0/1" {
		t.Errorf("moved element has pointer %q", p)
	}
}

func TestAt(t *testing.T) {
	root := read(t, `{"a": [10, {"b/c": {"~": 1, "": 2}}], "0": "zero"}`).Root
	for pointer, want := range map[source.Pointer]string{
		"":             string(root.JSON()),
		"/0":           `"zero"`,
		"/a/0":         "10",
		"/a/1/b~1c/~0": "1",
		"/a/1/b~1c/":   "2",
		"/a/1/b~1c":    `{"~":1,"":2}`,
	} {
		n, err := root.At(pointer)
		if err != nil || string(n.JSON()) != want || n.Pointer() != pointer {
			t.Errorf("At(%q) = %s, %v, want %s", pointer, n.JSON(), err, want)
		}
	}
	tests := []struct{ pointer, want string }{
		{"a", "1:1 pointer-not-found"},
		{"/x", "1:1 pointer-not-found"},
		{"/a/-", "1:7 pointer-not-found /a"},
		{"/a/00", "1:7 pointer-not-found /a"},
		{"/a/+1", "1:7 pointer-not-found /a"},
		{"/a/2", "1:7 pointer-not-found /a"},
		{"/a/99999999999999999999", "1:7 pointer-not-found /a"},
		{"/a/", "1:7 pointer-not-found /a"},
		{"/a/0/x", "1:8 pointer-not-found /a/0"},
		{"/a/1/b~2c", "1:1 pointer-not-found"},
		{"/a~", "1:1 pointer-not-found"},
	}
	for _, tt := range tests {
		if _, err := root.At(source.Pointer(tt.pointer)); fault(err) != tt.want {
			t.Errorf("At(%q) = %s, want %s", tt.pointer, fault(err), tt.want)
		}
	}
	var none *source.Node
	if n, err := none.At(""); err == nil {
		t.Errorf("nil node has %v", n)
	}
}

func TestPointer(t *testing.T) {
	p := source.Pointer("").Append("a/b").Append("~1").Append("").Append("ä")
	if p != "/a~1b/~01//ä" {
		t.Errorf("got %q", p)
	}
	tokens, err := p.Tokens()
	if err != nil || fmt.Sprintf("%q", tokens) != `["a/b" "~1" "" "ä"]` {
		t.Errorf("got %q, %v", tokens, err)
	}
	for _, bad := range []string{"a", "#/a", "/~", "/~2", "/a~"} {
		if _, err := source.ParsePointer(bad); err == nil {
			t.Errorf("ParsePointer(%q) is accepted", bad)
		}
	}
}

func TestKindString(t *testing.T) {
	for kind, want := range map[source.Kind]string{
		source.Null: "null", source.Bool: "boolean", source.Number: "number",
		source.String: "string", source.Array: "array", source.Object: "object", 0: "Kind(0)",
	} {
		if got := kind.String(); got != want {
			t.Errorf("%d prints %q, want %q", kind, got, want)
		}
	}
}

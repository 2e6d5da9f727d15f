package diag_test

import (
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"testing"

	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

func read(t testing.TB, name, text string) *source.File {
	t.Helper()
	f, err := source.Read(name, []byte(text), source.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestAt(t *testing.T) {
	root := read(t, "doc.json", `{"a": {"b": 1}}`).Root
	n := root.Get("a").Get("b")
	d := diag.At(n, "bad-thing", "%q is bad", "x").WithAdvice("do better").WithRelated(root, "seen from here")
	want := diag.Diagnostic{
		Code: "bad-thing", Severity: diag.Error, Position: n.Position(), Pointer: "/a/b",
		Message: `"x" is bad`, Advice: "do better",
		Related: []diag.Related{{Position: root.Position(), Message: "seen from here"}},
	}
	if !reflect.DeepEqual(d, want) {
		t.Errorf("got %+v, want %+v", d, want)
	}
	if d.WithRelated(n, "again"); len(d.Related) != 1 {
		t.Error("WithRelated changed its receiver")
	}
	if d := diag.Warn(n, "c", "m"); d.Severity != diag.Warning {
		t.Errorf("Warn has severity %v", d.Severity)
	}
	if d := diag.Noted(n, "c", "m"); d.Severity != diag.Note {
		t.Errorf("Noted has severity %v", d.Severity)
	}
	if d := diag.At(nil, "c", "m"); !d.Position.IsZero() || d.Pointer != "" {
		t.Errorf("a nil node stands at %v", d.Position)
	}
}

func TestAtName(t *testing.T) {
	root := read(t, "doc.json", "{\"a\":\n 1}").Root
	m, _ := root.Member("a")
	if d := diag.AtName(m, "c", "m"); d.Position.Line != 1 || d.Position.Column != 2 || d.Pointer != "/a" {
		t.Errorf("got %v %s", d.Position, d.Pointer)
	}
	grafted := *read(t, "patch.yaml", "\n\nb: 2\n").Root.Get("b")
	grafted.Parent = root
	m.Value = &grafted
	if d := diag.AtName(m, "c", "m"); d.Position.String() != "patch.yaml:3:4" {
		t.Errorf("grafted value is reported at %v", d.Position)
	}
}

func TestFrom(t *testing.T) {
	_, err := source.Read("doc.json", []byte("{\"a\": 1,\n\"a\": 2}"), source.Limits{})
	d, ok := diag.From(fmt.Errorf("reading: %w", err))
	if !ok || d.Code != source.CodeDuplicateKey || d.Severity != diag.Error || d.Position.Line != 2 || d.Pointer != "/a" ||
		len(d.Related) != 1 || d.Related[0].Position.Line != 1 || d.Related[0].Message == "" {
		t.Errorf("got %+v, %v", d, ok)
	}
	for _, err := range []error{nil, fs.ErrNotExist, errors.New("x")} {
		if d, ok := diag.From(err); ok {
			t.Errorf("From(%v) = %+v", err, d)
		}
	}
	var l diag.List
	if !l.AddError(err) || l.AddError(fs.ErrNotExist) || len(l) != 1 {
		t.Errorf("list holds %v", l)
	}
}

func TestSort(t *testing.T) {
	a, b := read(t, "a", "[1,\n2, 3]").Root, read(t, "b", "[1]").Root
	again := read(t, "a", "[1,\n2, 3]").Root // equal by what is printed
	l := diag.List{
		diag.At(b.Items[0], "x", "b"),
		diag.At(a.Items[2], "x", "third"),
		diag.At(a.Items[1], "z", "later code"),
		diag.At(a.Items[1], "y", "first"),
		diag.At(a.Items[1], "y", "second"),
		diag.At(again.Items[1], "y", "first"),
		diag.Warn(a.Items[1], "y", "first"),
		diag.At(a.Items[1], "y", "first").WithAdvice("a"),
		diag.At(a.Items[1], "y", "first").WithRelated(a, "r"),
		diag.At(again.Items[1], "y", "first").WithRelated(a, "r"),
		diag.At(nil, "q", "nowhere"),
		{Code: "file", Severity: diag.Error, Position: source.Position{File: a.File}, Message: "alone"},
	}
	sorted := l.Sort()
	var got []string
	for _, d := range sorted {
		got = append(got, fmt.Sprintf("%v %s %s %s %s %d", d.Position, d.Severity, d.Code, d.Message, d.Advice, len(d.Related)))
	}
	want := []string{
		" error q nowhere  0",
		"a error file alone  0",
		"a:2:1 error y first  0",
		"a:2:1 error y second  0",
		"a:2:1 warning y first  0",
		"a:2:1 error y first a 0",
		"a:2:1 error y first  1",
		"a:2:1 error z later code  0",
		"a:2:4 error x third  0",
		"b:1:2 error x b  0",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if len(l) != len(sorted) {
		t.Errorf("the list itself has %d, its return value %d", len(l), len(sorted))
	}
}

func TestCounts(t *testing.T) {
	var none diag.List
	if none.HasErrors() || none.Counts() != (diag.Counts{}) || none.Errors() != nil || len(none.Sort()) != 0 {
		t.Error("the empty list has something")
	}
	l := diag.List{{Severity: diag.Warning}, {Severity: diag.Note}, {Severity: diag.Warning}}
	if l.HasErrors() {
		t.Error("warnings are errors")
	}
	l.Add(diag.Diagnostic{Severity: diag.Error, Code: "e"})
	if got, want := l.Counts(), (diag.Counts{Errors: 1, Warnings: 2, Notes: 1}); got != want || !l.HasErrors() {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if e := l.Errors(); len(e) != 1 || e[0].Code != "e" {
		t.Errorf("errors are %v", e)
	}
}

func TestSeverityString(t *testing.T) {
	for s, want := range map[diag.Severity]string{diag.Error: "error", diag.Warning: "warning", diag.Note: "note", 0: "Severity(0)"} {
		if s.String() != want {
			t.Errorf("got %s, want %s", s, want)
		}
	}
}

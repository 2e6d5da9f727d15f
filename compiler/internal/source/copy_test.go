package source_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// TestCopyIsChangedAlone: what is done to a copy shows there, with parents,
// pointers and names as if it had been read so, and nowhere else.
func TestCopyIsChangedAlone(t *testing.T) {
	var members []string
	for i := range 40 { // an object that has a table of names
		members = append(members, fmt.Sprintf(`"m%d": {"at": [%d]}`, i, i))
	}
	text := "{" + strings.Join(members, ", ") + "}"
	f, err := source.Read("a.json", []byte(text), source.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	other, err := source.Read("b.json", []byte(`{"new": {"x": 1}}`), source.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	before := string(f.Root.JSON())
	c := f.Copy()
	c.Root.Members = append(c.Root.Members[1:], source.Member{Name: "added", Value: other.Root.Get("new").Copy()})
	c.Settle()

	if got := string(f.Root.JSON()); got != before {
		t.Errorf("the original is now %s", got)
	}
	if c.Root.Get("m0") != nil || c.Root.Get("m39") == nil {
		t.Error("the copy finds members that are gone, or not those it has")
	}
	added := c.Root.Get("added").Get("x")
	if got := added.Pointer(); got != "/added/x" || added.File != other {
		t.Errorf("the added value stands at %q of %q", got, added.File.Name)
	}
	old := c.Root.Get("m7").Get("at").Items[0]
	if got := old.Pointer(); got != "/m7/at/0" || old.File != c || old.Position() != (source.Position{File: c, Offset: old.Offset, Line: 1, Column: old.Offset + 1}) {
		t.Errorf("the kept value stands at %q, %v", got, old.Position())
	}
	if c.Digest != f.Digest || other.Root.Get("new").Parent != other.Root {
		t.Error("the copy has another digest, or took a node away")
	}
}

// TestReadOwnNulls: null is a value where the caller says so, and only as that
// word.
func TestReadOwnNulls(t *testing.T) {
	tests := []struct {
		text string
		ok   bool
	}{
		{"fixes:\n  - {now: null}\n", true},
		{"fixes:\n  - {now: {a: [null, 1]}}\n", true},
		{`{"fixes": [{"now": null}]}`, true},
		{"fixes:\n  - {now: ~}\n", false},
		{"fixes:\n  - {now: }\n", false},
		{"fixes:\n  - {now: Null}\n", false},
		{"fixes: null\n", false},
		{"other: null\n", false},
		{`{"other": [null]}`, false},
		{"fixesx:\n  a: null\n", false},
	}
	for _, tt := range tests {
		if _, err := source.ReadOwn("own", []byte(tt.text), source.Limits{}, "/fixes"); (err == nil) != tt.ok {
			t.Errorf("%q: %v", tt.text, err)
		}
		if _, err := source.ReadOwn("own", []byte(tt.text), source.Limits{}); err == nil {
			t.Errorf("%q: null was read although nobody allowed it", tt.text)
		}
	}
}

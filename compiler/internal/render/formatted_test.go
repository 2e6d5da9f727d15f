package render

import (
	"bytes"
	"go/format"
	"strings"
	"testing"

	"github.com/openrpc-go/rpcgen/compiler/internal/plan"
)

// shaped is a package that has a declaration of every kind, with words as its
// comments.
func shaped(words string) *plan.Package {
	doc := plan.Text{{Words: words}}
	long := strings.Repeat("Long", 22)
	holder := &plan.Decl{Go: "Holder", Kind: plan.Struct, Doc: doc, Fields: []plan.Field{
		{Go: "A", Wire: "a", Type: plan.String, Doc: doc},
		{Go: "LongName", Wire: "a,b", Type: plan.Slice{Elem: plan.Nullable{Elem: plan.Raw}}, Doc: plan.Text{{Words: "short"}}},
		{Go: "Größe", Wire: "größe", Type: plan.Int64, Optional: true, Doc: plan.Text{{Words: "short too"}}},
		{Go: "B", Wire: "b", Type: plan.Pointer{Elem: plan.Float64}},
		{Go: "Extra", Type: plan.Map{Elem: plan.Raw}, Extra: true, Doc: plan.Text{{Words: strings.Repeat("long ", 30)}}},
	}}
	value := &plan.Decl{Go: "State", Kind: plan.Enum, Type: plan.String, Doc: doc, Consts: []plan.Const{
		{Go: "StateOn", Text: "on"}, {Go: "StateOffForLong", Text: "off\n"},
	}, Implements: []string{"isUnion", "is" + long}}
	return &plan.Package{
		Name: "shaped", Contract: "shaped", Header: plan.Header{Version: "1", Document: "sha256:0"},
		Files: []plan.File{{
			Name: "client.go", Kind: plan.ClientFile, Methods: []int{0, 1},
			Imports: []plan.Import{{Path: "context"}, {Path: "embed", Blank: true}, {Path: "github.com/openrpc-go/rpcgen/runtime"}},
			Types: []*plan.Decl{
				holder, value,
				{Go: "One", Kind: plan.Struct, Doc: doc, Fields: holder.Fields[:1]},
				{Go: "None", Kind: plan.Struct, Doc: doc},
				{Go: "Number", Kind: plan.Enum, Type: plan.Int64, Consts: []plan.Const{{Go: "Number1", Number: -1}}},
				{Go: "Same", Kind: plan.Alias, Type: plan.String},
				{Go: "Union", Kind: plan.UnionInterface, Marker: "isUnion", Doc: doc},
			},
		}, {Name: "errors.go", Kind: plan.ErrorsFile}},
		Methods: []plan.Method{
			{Go: "Do", Wire: "do", Var: "methodDo", Doc: doc, Result: plan.Named{Decl: holder}, Params: holder},
			{Go: "Tell", Wire: "tell\u202e", Var: "methodTellEverybody", Notification: true},
		},
		Errors: []plan.Error{{Go: "ErrA", Code: 1}, {Go: "ErrLong", Code: -32000, Doc: doc}, {Go: "ErrB", Code: 2}},
		Unions: []plan.Union{{Go: "Union", Variants: []plan.Variant{{Go: "State", Zero: plan.ZeroText}, {Go: "None"}}}},
	}
}

// checkFormatted holds that what is printed is what gofmt would make of it.
func checkFormatted(t *testing.T, words string) {
	t.Helper()
	files, err := Files(shaped(words), Contract{Digest: "sha256:0"})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files[:2] {
		want, err := format.Source(f.Data)
		if err != nil {
			t.Fatalf("%s with %q: %v\n%s", f.Name, words, err, f.Data)
		}
		if !bytes.Equal(f.Data, want) {
			t.Errorf("%s with %q is\n%s\nand formatted\n%s", f.Name, words, f.Data, want)
		}
	}
}

// texts are words that gofmt lays out in its own way, and some that it leaves.
var texts = []string{
	"", "plain words", "one\n\ntwo", "Heading\n\ntext below", "text\n\nOld Heading\n\ntext below", "# Heading\ntext",
	"a list:\n- one\n- two\n\n1. first\n2) second", "- one\n\n- two", "text\n- one\n\ntext",
	"see [plan.File] and [other]\n\n[other]: https://example.com", "``quoted'' and `code`", "    code\n\n\tcode",
	"go:embed x", "line 1", "//line x:1", "+build x", "*/", "Deprecated: x", "\u2028x", "Größe\n\nÄnderung Zwei\n\nende",
}

func TestFormatted(t *testing.T) {
	for _, words := range texts {
		checkFormatted(t, words)
	}
}

func FuzzFormatted(f *testing.F) {
	for _, words := range texts {
		f.Add(words)
	}
	f.Fuzz(checkFormatted)
}

package verify

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/openrpc-go/rpcgen/compiler/internal/output"
	"github.com/openrpc-go/rpcgen/compiler/internal/plan"
	"github.com/openrpc-go/rpcgen/compiler/internal/render"
)

// small is a plan written by hand: a client with one method, a struct, an enum
// and a union.
func small() *plan.Package {
	card := &plan.Decl{Go: "Card", Kind: plan.Struct, Fields: []plan.Field{{Go: "Number", Wire: "number", Type: plan.String}}, Implements: []string{"isPayment"}}
	state := &plan.Decl{Go: "State", Kind: plan.Enum, Type: plan.String, Consts: []plan.Const{{Go: "StateOn", Text: "on"}}}
	payment := &plan.Decl{Go: "Payment", Kind: plan.UnionInterface, Marker: "isPayment", Variants: []plan.Variant{{Go: "Card", Zero: plan.ZeroStruct}}}
	params := &plan.Decl{Go: "PayParams", Kind: plan.Struct, Fields: []plan.Field{
		{Go: "With", Wire: "with", Type: plan.Named{Decl: payment}}, {Go: "State", Wire: "state", Type: plan.Pointer{Elem: plan.Named{Decl: state}}, Optional: true},
	}}
	return &plan.Package{
		Name: "shop", Contract: "shop",
		Methods: []plan.Method{{Wire: "pay", Go: "Pay", Var: "methodPay", Params: params, Result: plan.Named{Decl: card}, Doc: plan.Text{{Words: "Pay pays."}}}},
		Unions:  []plan.Union{{Go: "Payment", Variants: payment.Variants}},
		Errors:  []plan.Error{{Go: "ErrBroke", Code: -1, Doc: plan.Text{{Words: "ErrBroke says it."}}}},
		Files: []plan.File{
			{Name: "client.go", Kind: plan.ClientFile, Methods: []int{0}, Imports: []plan.Import{
				{Path: "context"}, {Path: "embed", Blank: true}, {Path: "github.com/openrpc-go/rpcgen/runtime"}, {Path: "github.com/openrpc-go/rpcgen/runtime/schema"},
			}},
			{Name: "types.go", Kind: plan.TypesFile, Types: []*plan.Decl{card, payment, state}},
			{Name: "errors.go", Kind: plan.ErrorsFile},
		},
	}
}

// tested is small with its tests.
func tested() *plan.Package {
	return small().WithTests(plan.Tests{Left: 2, Examples: []plan.Example{
		{Name: "`, \"), \x00", Params: `{"with":{"number":"1"}}`, Wire: `{"with":{"number":"1"}}`, Result: "{\"number\":\"`\"}"},
	}})
}

// TestCheckTests holds the file of the tests to the plan like any other.
func TestCheckTests(t *testing.T) {
	p := tested()
	if err := Check(p, printed(t, p), Options{}); err != nil {
		t.Fatal(err)
	}
	for _, change := range [][2]string{
		{"defer server.Close()", "panic(0); defer server.Close()"}, {"var examples", "func init() {}\n\nvar examples"},
		{"\"testing\"", "\"testing\"\n\t\"os/exec\""}, {"(*Client).Pay)", "(*Client).Refund)"}, {"func TestExamples", "//go:linkname x y\nfunc TestExamples"},
	} {
		files := printed(t, p)
		i := len(p.Files) - 1
		changed := strings.Replace(string(files[i].Data), change[0], change[1], 1)
		if files[i].Name != plan.TestsName || changed == string(files[i].Data) {
			t.Fatalf("%s holds no %q", files[i].Name, change[0])
		}
		files[i].Data = []byte(changed)
		if err := Check(p, files, Options{}); err == nil {
			t.Errorf("Check found nothing of %q", change[1])
		}
	}
}

func printed(t *testing.T, p *plan.Package) []output.File {
	t.Helper()
	files, err := render.Files(p, render.Contract{Data: []byte("{}"), Digest: "sha256:0"})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestCheck(t *testing.T) {
	p := small()
	files := printed(t, p)
	if err := Check(p, files, Options{}); err != nil {
		t.Fatal(err)
	}
	for i := range p.Files {
		files[i].Data = []byte(squeeze(string(files[i].Data)))
	}
	if err := Check(p, files, Options{}); err != nil {
		t.Fatalf("without alignment: %v", err)
	}
}

// TestCheckFindsTampering changes what was printed in every way that document
// text could if a door leaked.
func TestCheckFindsTampering(t *testing.T) {
	tests := []struct{ name, file, old, new string }{
		{"a function", "types.go", "type State string", "func init() {}\n\ntype State string"},
		{"a variable", "errors.go", "package shop", "package shop\n\nvar _ = 1"},
		{"a constant", "types.go", "StateOn State", "StateOff State = \"off\"\n\tStateOn State"},
		{"a field", "types.go", "Number string", "Number string\n\tMore string"},
		{"an embedded field", "types.go", "Number string", "State\n\tNumber string"},
		{"another field name", "types.go", "Number string", "Nummer string"},
		{"a method of the interface", "types.go", "isPayment()\n}", "isPayment()\nMore()\n}"},
		{"a missing marker", "types.go", "func (Card) isPayment() {}", ""},
		{"a marker with a body", "types.go", "func (Card) isPayment() {}", "func (Card) isPayment() { panic(0) }"},
		{"a pointer receiver", "types.go", "func (Card) isPayment() {}", "func (*Card) isPayment() {}"},
		{"a statement", "client.go", "return contract.Load()", "panic(0); return contract.Load()"},
		{"an alias", "types.go", "type State string", "type State = string"},
		{"type parameters", "types.go", "type Card struct", "type Card[T any] struct"},
		{"an order", "types.go", "type State string", "type Z string\n\ntype State string"},
		{"an import", "client.go", "import (", "import (\n\t\"os/exec\""},
		{"cgo", "errors.go", "package shop", "package shop\n\nimport \"C\""},
		{"a renamed import", "client.go", "\n\"context\"", "\ncontext \"context\""},
		{"a package clause", "errors.go", "package shop", "package evil"},
		{"linkname", "types.go", "type State string", "//go:linkname x y\ntype State string"},
		{"line", "types.go", "type State string", "//line x.go:1\ntype State string"},
		{"a block comment", "types.go", "type State string", "/* hm */ type State string"},
		{"a second embed", "client.go", "var compiled string", "var compiled string\n\n//go:embed contract.json"},
		{"another embed", "client.go", "//go:embed contract.json", "//go:embed ../secret"},
		{"no embed", "client.go", "//go:embed contract.json\n", ""},
		{"a build constraint", "errors.go", "package shop", "//go:build ignore\n\npackage shop"},
		{"an old constraint", "errors.go", "package shop", "// +build ignore\n\npackage shop"},
		{"a line above the clause", "errors.go", "package shop", "// hello\npackage shop"},
		{"an error value", "errors.go", "ErrBroke = contract", "ErrBroke, ErrX = 1, contract"},
		{"bad syntax", "errors.go", "package shop", "package shop {"},
		{"a missing type", "types.go", "Number string", "Number strings"},
		{"a wrong call", "client.go", "runtime.Call[Card]", "runtime.Call[Payment]"},
		{"an unused import", "types.go", "package shop", "package shop\n\nimport \"context\""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := small()
			files := printed(t, p)
			i := slices.IndexFunc(files, func(f output.File) bool { return f.Name == test.file })
			text := squeeze(string(files[i].Data))
			changed := strings.Replace(text, test.old, test.new, 1)
			if changed == text {
				t.Fatalf("%s holds no %q", test.file, test.old)
			}
			files[i].Data = []byte(changed)
			err := Check(p, files, Options{})
			var found *Error
			if !errors.As(err, &found) {
				t.Errorf("Check = %v, want an Error", err)
			}
		})
	}
}

// squeeze undoes the alignment of fields, so that tests can name them.
func squeeze(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if !strings.HasPrefix(line, "//") {
			lines[i] = strings.Join(strings.Fields(line), " ")
		}
	}
	return strings.Join(lines, "\n")
}

func TestCheckFindsFiles(t *testing.T) {
	p := small()
	files := printed(t, p)
	tests := map[string][]output.File{
		"one less":      files[1:],
		"one more":      append(slices.Clone(files), output.File{Name: "x.go"}),
		"another order": {files[1], files[0], files[2], files[3]},
		"another name":  {{Name: "client_test.go", Data: files[0].Data}, files[1], files[2], files[3]},
		"no contract":   {files[0], files[1], files[2], {Name: "contract.yaml"}},
	}
	for name, set := range tests {
		if err := Check(p, set, Options{}); err == nil {
			t.Errorf("%s: Check found nothing", name)
		}
	}
}

func TestCheckSkipsTypes(t *testing.T) {
	p := small()
	files := printed(t, p)
	files[1].Data = []byte(strings.Replace(squeeze(string(files[1].Data)), "Number string", "Number strings", 1))
	if err := Check(p, files, Options{SkipTypes: true}); err != nil {
		t.Errorf("Check without types = %v", err)
	}
	if err := Check(p, files, Options{}); err == nil {
		t.Error("Check with types found nothing")
	}
}

package verify

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/openrpc-go/rpcgen/compiler/internal/plan"
)

// sound is a package in parts: types, the client, two groups of calls and the
// errors.
var sound = map[string]string{
	"a_types.go": `package shop

import "github.com/openrpc-go/rpcgen/runtime/schema"

type Card struct{ Number string }

type Note struct {
	Text string
	Card *Card
	More map[string]schema.Raw
}

type Payment interface{ isPayment() }

func (Card) isPayment() {}`,
	"b_types.go": `package shop

type State string

const StateOn State = "on"`,
	"client.go": `package shop

import "github.com/openrpc-go/rpcgen/runtime"

const _ = runtime.Generation1

type Client struct{ caller *runtime.Caller }

func NewClient(caller *runtime.Caller) (*Client, error) {
	return &Client{caller}, nil
}

var contract = runtime.Embedded("", "")`,
	"c_calls.go": `package shop

import (
	"context"

	"github.com/openrpc-go/rpcgen/runtime"
)

type PayParams struct{ With Payment }

func (c *Client) Pay(ctx context.Context, p PayParams, opts ...runtime.CallOption) (Card, error) {
	return runtime.Call[Card](ctx, c.caller, methodPay, p, opts...)
}

var methodPay = contract.Method("pay")`,
	"d_calls.go": `package shop

import (
	"context"

	"github.com/openrpc-go/rpcgen/runtime"
)

func (c *Client) Look(ctx context.Context, opts ...runtime.CallOption) (*Note, error) {
	return runtime.Call[*Note](ctx, c.caller, methodLook, runtime.NoParams{}, opts...)
}

var (
	methodLook = contract.Method("look")
)`,
	"errors.go": `package shop

var ErrBroke = contract.Error(-1)`,
}

// inParts parses files and cuts them up by their names.
func inParts(t *testing.T, texts map[string]string) (s *parts, all []*ast.File) {
	t.Helper()
	w, err := stubWorld()
	if err != nil {
		t.Fatal(err)
	}
	s = &parts{name: "shop", world: w, set: token.NewFileSet()}
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		f, err := parser.ParseFile(s.set, name, texts[name], parser.SkipObjectResolution)
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, texts[name])
		}
		all = append(all, f)
		switch {
		case strings.HasSuffix(name, "types.go"):
			s.types = append(s.types, f)
		case name == "client.go":
			s.client = f
		default:
			s.groups = append(s.groups, []*ast.File{f})
		}
	}
	return s, all
}

// TestPartsAgree changes a package in every way that a part by itself could
// take for right, and in some that it sees: what the parts say yes to is right
// as a whole.
func TestPartsAgree(t *testing.T) {
	tests := []struct {
		name, file, old, new string
		wrong                bool // as a whole
	}{
		{name: "nothing"},
		{"a wrong field type", "b_types.go", "State string", "State Strings", true},
		{"a wrong field type far away", "a_types.go", "*Card", "*Cart", true},
		{"a wrong result in the first group", "c_calls.go", "runtime.Call[Card]", "runtime.Call[Note]", true},
		{"a wrong result in the last group", "d_calls.go", "runtime.Call[*Note]", "runtime.Call[Note]", true},
		{"a wrong param", "c_calls.go", "With Payment", "With Payments", true},
		{"a missing statement", "d_calls.go", "return runtime.Call[*Note](ctx, c.caller, methodLook, runtime.NoParams{}, opts...)", "", true},
		{"an unknown variable", "c_calls.go", "methodPay, p", "methodPaid, p", true},
		{"an unused import", "errors.go", "package shop", "package shop\n\nimport \"context\"", true},
		{"a wrong error", "errors.go", "contract.Error(-1)", "contract.Error(\"x\")", true},
		{"a wrong client", "client.go", "caller *runtime.Caller }", "caller runtime.Nothing }", true},

		{"a type in two parts", "c_calls.go", "type PayParams", "type Note int\n\ntype PayParams", true},
		{"a type in two groups", "d_calls.go", "var (", "type PayParams int\n\nvar (", true},
		{"a variable in two groups", "errors.go", "ErrBroke", "methodPay", true},
		{"a variable in two groups, a list", "d_calls.go", "methodLook = contract", "methodPay, methodLook = 1, contract", true},
		{"a function in two groups", "d_calls.go", "var (", "func ErrBroke() {}\n\nvar (", true},
		{"a call in two groups", "d_calls.go", "var (", "func (c *Client) Pay() {}\n\nvar (", true},
		{"a call named as the field", "d_calls.go", ") Look(", ") caller(", true},
		{"a call of the client by value", "d_calls.go", "(c *Client) Look", "(c Client) Pay", true},
		{"a call in parentheses", "d_calls.go", "(c *Client) Look", "(c *(Client)) Pay", true},
		{"a call of the client's file", "client.go", "var contract", "func (c *Client) Pay() {}\n\nvar contract", true},
		{"a method of a type of another part", "c_calls.go", "type PayParams", "func (Card) isPayment() {}\n\ntype PayParams", true},
		{"a new method of a type of another part", "c_calls.go", "type PayParams", "func (Card) Twice() {}\n\ntype PayParams", false},
		{"the name of an import in another group", "d_calls.go", "var (", "var context = 1\n\nvar (", true},
		{"the name of an import among the types", "d_calls.go", "var (", "var schema = 1\n\nvar (", true},
		{"a renamed import", "errors.go", "package shop", "package shop\n\nimport ErrX \"context\"\n\nvar _ ErrX.Context\n\nfunc methodPay() {}", true},
		{"a dot import", "errors.go", "package shop", "package shop\n\nimport . \"context\"\n\nvar _ Context", false},
		{"a name of Go", "d_calls.go", "var (", "type error int\n\nvar (", true},
		{"a value of Go", "d_calls.go", "var (", "const nil = 0\n\nvar (", true},
		{"a type of Go among the types", "b_types.go", "type State", "type string int\n\ntype State", true},
		{"a call across groups", "d_calls.go", "return runtime", "c.Pay(ctx, PayParams{})\n\treturn runtime", false},
		{"an assertion that another group makes possible", "d_calls.go", "return runtime", "_ = interface{ Pay() }(nil).(*Client)\n\treturn runtime", true},
		{"an embedded client", "d_calls.go", "var (", "type both struct {\n\t*Client\n\tother\n}\n\ntype other struct{}\n\nfunc (other) Pay() {}\n\nfunc f(b both) { b.Pay() }\n\nvar (", true},
		{"an alias of the client", "d_calls.go", "var (", "type Other = Client\n\nfunc (c *Other) Pay() {}\n\nvar (", true},
		{"two functions init", "d_calls.go", "var (", "func init() {}\n\nfunc init() {}\n\nvar (", false},
		{"a cycle of values", "client.go", `Embedded("", "")`, `Embedded("", methodPay.Name())`, true},
		{"a type that holds itself", "a_types.go", "Card *Card", "Note Note", true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			texts := maps.Clone(sound)
			if test.file != "" {
				texts[test.file] = strings.Replace(texts[test.file], test.old, test.new, 1)
				if texts[test.file] == sound[test.file] {
					t.Fatalf("%s holds no %q", test.file, test.old)
				}
			}
			s, all := inParts(t, texts)
			whole := s.world.check(types.NewPackage("shop", "shop"), s.set, all)
			if test.wrong != (whole != nil) {
				t.Fatalf("as a whole: %v", whole)
			}
			right := s.check(func() *types.Package { return s.world.types(s.name, s.set, s.types) })
			if right && whole != nil {
				t.Errorf("the parts find nothing of %v", whole)
			}
			if test.file == "" && !right {
				t.Error("the parts do not say yes to what is right")
			}
		})
	}
}

// large is a plan of several groups of calls.
func large() *plan.Package {
	p := small()
	client, rest := p.Files[0], p.Files[1:]
	client.Methods = nil
	client.Imports = slices.DeleteFunc(client.Imports, func(i plan.Import) bool { return i.Path == "context" })
	p.Files = []plan.File{client}
	card := p.Methods[0].Result
	p.Methods = nil
	for i := range 3 {
		file := plan.File{Name: "calls_0" + string(rune('0'+i)) + ".go", Kind: plan.CallsFile, Imports: []plan.Import{
			{Path: "context"}, {Path: "github.com/openrpc-go/rpcgen/runtime"},
		}}
		for k := range groupSize {
			name := "Call" + string(rune('A'+i)) + strings.Repeat("X", k/26) + string(rune('A'+k%26))
			file.Methods = append(file.Methods, len(p.Methods))
			p.Methods = append(p.Methods, plan.Method{Index: len(p.Methods), Wire: name, Go: name, Var: "method" + name, Result: card})
		}
		p.Files = append(p.Files, file)
	}
	p.Files = append(p.Files, rest...)
	return p
}

// TestCheckInParts finds a wrong type in each file of a package that is checked
// in parts, and lets the right one pass, whose parts all say yes.
func TestCheckInParts(t *testing.T) {
	p := large()
	if err := Check(p, printed(t, p), Options{}); err != nil {
		t.Fatal(err)
	}
	checkSplit(t, p)
	changes := map[string][2]string{
		"calls_00.go": {"runtime.Call[Card]", "runtime.Call[State]"},
		"calls_01.go": {"(Card, error)", "(State, error)"},
		"calls_02.go": {"= contract.Method(", "= contract.Methods("},
		"types.go":    {"Number string", "Number strings"},
		"errors.go":   {"contract.Error(-1)", "contract.Error(nil)"},
		"client.go":   {"return &Client{caller}, nil", "return Client{caller}, nil"},
	}
	for file, change := range changes {
		files := printed(t, p)
		i := slices.IndexFunc(p.Files, func(f plan.File) bool { return f.Name == file })
		text := string(files[i].Data)
		at := strings.LastIndex(text, change[0])
		if at < 0 {
			t.Fatalf("%s holds no %q", file, change[0])
		}
		files[i].Data = []byte(text[:at] + change[1] + text[at+len(change[0]):])
		if err := Check(p, files, Options{}); err == nil || !strings.Contains(err.Error(), "type-check") {
			t.Errorf("%s: Check = %v", file, err)
		}
	}
}

// checkSplit makes sure that the plan is one that is checked in parts.
func checkSplit(t *testing.T, p *plan.Package) {
	t.Helper()
	files := printed(t, p)
	r := Begin(p, Options{})
	for i := range p.Files {
		r.File(i, files[i].Data)
	}
	w, err := stubWorld()
	if err != nil {
		t.Fatal(err)
	}
	if r.cut == nil || !r.cut.of(p.Name, w, r.set, r.parsed).check(r.types) {
		t.Error("the package is not checked in parts")
	}
}

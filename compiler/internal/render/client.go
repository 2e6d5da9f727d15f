package render

import (
	"strings"

	"github.com/openrpc-go/rpcgen/compiler/internal/plan"
)

func ours(words string) plan.Text { return plan.Text{{Words: words, Ours: true}} }

// client prints the client, the embedded contract and the methods of client.go.
func (p *printer) client(f *plan.File) {
	name := p.pkg.Contract
	p.print("const _ = runtime.Generation1 // regenerate if this name is gone")
	p.end()
	p.doc(ours("Client calls the methods of the " + name + " contract."))
	p.print("type Client struct{ caller *runtime.Caller }")
	p.end()
	p.doc(ours("NewClient returns a Client whose calls all pass through caller, or an error when caller is bound to another contract."))
	p.print(`func NewClient(caller *runtime.Caller) (*Client, error) {
	if err := contract.Fits(caller); err != nil {
		return nil, err
	}
	return &Client{caller}, nil
}`)
	p.end()
	p.methods(f)
	p.embedded(name)
	p.methodValues(f)
}

// embedded prints the compiled contract and the access to it.
func (p *printer) embedded(name string) {
	p.print("//go:embed ", ContractName, "\nvar compiled string")
	p.end()
	if len(p.pkg.Unions) == 0 {
		p.print("var contract = runtime.Embedded(compiled, ", quoted(p.digest), ") // read and checked at first use")
	} else {
		p.doc(ours("contract is read and checked at first use."))
		p.print("var contract = runtime.Embedded(\n\tcompiled,\n\t", quoted(p.digest), ",\n")
		for _, u := range p.pkg.Unions {
			p.print("\t", p.unionValue(u), ",\n")
		}
		p.print(")")
	}
	p.end()
	p.doc(ours("Contract returns the compiled " + name + " contract: methods, effects, schemas, digests."))
	p.print("func Contract() (*runtime.Contract, error) { return contract.Load() }")
	p.end()
}

func (p *printer) unionValue(u plan.Union) string {
	variants := make([]string, len(u.Variants))
	for i, v := range u.Variants {
		variants[i] = p.zero(v)
	}
	return "schema.UnionOf[" + p.id(u.Go) + "](" + strings.Join(variants, ", ") + ")"
}

func (p *printer) zero(v plan.Variant) string {
	switch v.Zero {
	case plan.ZeroText:
		return p.id(v.Go) + `("")`
	case plan.ZeroNumber:
		return p.id(v.Go) + "(0)"
	case plan.ZeroFalse:
		return p.id(v.Go) + "(false)"
	case plan.ZeroNil:
		return p.id(v.Go) + "(nil)"
	default:
		return p.id(v.Go) + "{}"
	}
}

// calls prints a file of nothing but methods.
func (p *printer) calls(f *plan.File) {
	p.methods(f)
	p.methodValues(f)
}

func (p *printer) methods(f *plan.File) {
	for _, i := range f.Methods {
		m := &p.pkg.Methods[i]
		if m.Params != nil {
			p.decl(m.Params)
		}
		p.method(m)
	}
}

// method prints one call.
func (p *printer) method(m *plan.Method) {
	p.doc(m.Doc)
	p.print("func (c *Client) ", p.id(m.Go), "(ctx context.Context, ")
	value := "runtime.NoParams{}"
	if m.Params != nil {
		p.print("p ", p.id(m.Params.Go), ", ")
		value = "p"
	}
	call, results := "runtime.Notify", "error"
	if !m.Notification {
		result := p.typ(m.Result)
		call, results = "runtime.Call["+result+"]", "("+result+", error)"
	}
	p.print("opts ...runtime.CallOption) ", results, " {\n")
	p.print("\treturn ", call, "(ctx, c.caller, ", p.id(m.Var), ", ", value, ", opts...)\n}")
	p.end()
}

// methodValues prints the runtime's values of the methods of a file.
func (p *printer) methodValues(f *plan.File) {
	rows := make([]row, len(f.Methods))
	for i, at := range f.Methods {
		m := &p.pkg.Methods[at]
		rows[i].cells = []string{p.id(m.Var), "= contract.Method(" + quoted(m.Wire) + ")"}
	}
	switch len(rows) {
	case 0:
		return
	case 1:
		p.print("var ", strings.Join(rows[0].cells, " "))
	default:
		p.print("var (\n")
		p.table(rows)
		p.print(")")
	}
	p.end()
}

// errors prints the declared errors.
func (p *printer) errors() {
	p.doc(ours("Errors that the document declares: for errors.Is against what a call returns."))
	rows := make([]row, len(p.pkg.Errors))
	for i, e := range p.pkg.Errors {
		rows[i] = row{above: docText(e.Doc), cells: []string{p.id(e.Go), "= contract.Error(" + number(e.Code) + ")"}}
	}
	p.print("var (\n")
	p.table(rows)
	p.print(")")
	p.end()
	for _, e := range p.pkg.Errors {
		for _, d := range e.Data {
			p.doc(d.Doc)
			data := p.typ(d.Type)
			p.print("func ", p.id(d.Go), "(err error) (", data, ", error) {\n")
			p.print("\treturn runtime.ErrorData[", data, "](err, ", p.id(e.Go), ")\n}")
			p.end()
		}
	}
}

package render

import (
	"github.com/dave/jennifer/jen"

	"github.com/openrpc-go/rpcgen/compiler/internal/plan"
)

func ours(words string) plan.Text { return plan.Text{{Words: words, Ours: true}} }

// client prints the client, the embedded contract and the methods of client.go.
func (p *printer) client(f *plan.File) {
	name := p.pkg.Contract
	p.out.Line()
	p.out.Const().Id("_").Op("=").Id("runtime").Dot("Generation1").Comment("// regenerate if this name is gone")
	p.doc(ours("Client calls the methods of the " + name + " contract."))
	p.out.Type().Id("Client").Op("struct").Custom(jen.Options{Open: "{", Close: "}"},
		jen.Id("caller").Op("*").Id("runtime").Dot("Caller"))
	p.doc(ours("NewClient returns a Client whose calls all pass through caller, or an error when caller is bound to another contract."))
	p.out.Func().Id("NewClient").Params(jen.Id("caller").Op("*").Id("runtime").Dot("Caller")).
		Params(jen.Op("*").Id("Client"), jen.Error()).Block(
		jen.If(jen.Err().Op(":=").Id("contract").Dot("Fits").Call(jen.Id("caller")), jen.Err().Op("!=").Nil()).
			Block(jen.Return(jen.Nil(), jen.Err())),
		jen.Return(jen.Op("&").Id("Client").Values(jen.Id("caller")), jen.Nil()),
	)
	p.methods(f)
	p.embedded(name)
	p.methodValues(f)
}

// embedded prints the compiled contract and the access to it.
func (p *printer) embedded(name string) {
	p.out.Line()
	p.out.Comment("//go:embed " + ContractName)
	p.out.Var().Id("compiled").String()
	p.out.Line()
	args := []jen.Code{jen.Id("compiled"), quoted(p.digest)}
	if len(p.pkg.Unions) == 0 {
		p.out.Var().Id("contract").Op("=").Id("runtime").Dot("Embedded").Call(args...).
			Comment("// read and checked at first use")
	} else {
		for _, u := range p.pkg.Unions {
			args = append(args, p.unionValue(u))
		}
		p.doc(ours("contract is read and checked at first use."))
		p.out.Var().Id("contract").Op("=").Id("runtime").Dot("Embedded").
			Custom(jen.Options{Open: "(", Close: ")", Separator: ",", Multi: true}, args...)
	}
	p.doc(ours("Contract returns the compiled " + name + " contract: methods, effects, schemas, digests."))
	p.out.Func().Id("Contract").Params().Params(jen.Op("*").Id("runtime").Dot("Contract"), jen.Error()).
		Custom(jen.Options{Open: "{", Close: "}"}, jen.Return(jen.Id("contract").Dot("Load").Call()))
}

func (p *printer) unionValue(u plan.Union) jen.Code {
	variants := make([]jen.Code, len(u.Variants))
	for i, v := range u.Variants {
		variants[i] = p.zero(v)
	}
	return jen.Id("schema").Dot("UnionOf").Index(p.id(u.Go)).Call(variants...)
}

func (p *printer) zero(v plan.Variant) jen.Code {
	switch v.Zero {
	case plan.ZeroText:
		return p.id(v.Go).Call(quoted(""))
	case plan.ZeroNumber:
		return p.id(v.Go).Call(jen.Lit(0))
	case plan.ZeroFalse:
		return p.id(v.Go).Call(jen.False())
	case plan.ZeroNil:
		return p.id(v.Go).Call(jen.Nil())
	default:
		return p.id(v.Go).Values()
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
	params := []jen.Code{jen.Id("ctx").Id("context").Dot("Context")}
	value := jen.Id("runtime").Dot("NoParams").Values()
	if m.Params != nil {
		params = append(params, jen.Id("p").Add(p.id(m.Params.Go)))
		value = jen.Id("p")
	}
	params = append(params, jen.Id("opts").Op("...").Id("runtime").Dot("CallOption"))
	call := jen.Id("runtime").Dot("Notify")
	results := jen.Error()
	if !m.Notification {
		result := p.typ(m.Result)
		call = jen.Id("runtime").Dot("Call").Index(result)
		results = jen.Params(p.typ(m.Result), jen.Error())
	}
	p.out.Func().Params(jen.Id("c").Op("*").Id("Client")).Add(p.id(m.Go)).Params(params...).Add(results).Block(
		jen.Return(call.Call(jen.Id("ctx"), jen.Id("c").Dot("caller"), p.id(m.Var), value, jen.Id("opts").Op("..."))),
	)
}

// methodValues prints the runtime's values of the methods of a file.
func (p *printer) methodValues(f *plan.File) {
	var specs []jen.Code
	for _, i := range f.Methods {
		m := &p.pkg.Methods[i]
		specs = append(specs, p.id(m.Var).Op("=").Id("contract").Dot("Method").Call(quoted(m.Wire)))
	}
	p.out.Line()
	switch len(specs) {
	case 0:
	case 1:
		p.out.Var().Add(specs[0])
	default:
		p.out.Var().Defs(specs...)
	}
}

// errors prints the declared errors.
func (p *printer) errors() {
	p.doc(ours("Errors that the document declares: for errors.Is against what a call returns."))
	var specs []jen.Code
	for _, e := range p.pkg.Errors {
		specs = append(specs, comment(e.Doc)...)
		specs = append(specs, p.id(e.Go).Op("=").Id("contract").Dot("Error").Call(jen.Op(number(e.Code))))
	}
	p.out.Var().Defs(specs...)
}

package render

import (
	"fmt"
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/openrpc-go/rpcgen/compiler/internal/plan"
)

func number(n int64) string { return strconv.FormatInt(n, 10) }

// trailing is how long a field's comment may be to stand behind the field.
const trailing = 60

// decl prints one type with its constants and the markers of its unions.
func (p *printer) decl(d *plan.Decl) {
	p.doc(d.Doc)
	switch d.Kind {
	case plan.Struct:
		p.out.Type().Add(p.id(d.Go)).Struct(p.fields(d)...)
	case plan.Defined:
		p.out.Type().Add(p.id(d.Go)).Add(p.typ(d.Type))
	case plan.Alias:
		p.out.Type().Add(p.id(d.Go)).Op("=").Add(p.typ(d.Type))
	case plan.Enum:
		p.out.Type().Add(p.id(d.Go)).Add(p.typ(d.Type))
		p.constants(d)
	case plan.UnionInterface:
		p.out.Type().Add(p.id(d.Go)).Interface(p.id(d.Marker).Params())
	default:
		p.fail(fmt.Errorf("render: type %s is of no known kind", d.Go))
	}
	for _, marker := range d.Implements {
		p.out.Line()
		p.out.Func().Params(p.id(d.Go)).Add(p.id(marker)).Params().Block()
	}
}

func (p *printer) fields(d *plan.Decl) []jen.Code {
	var out []jen.Code
	for _, f := range d.Fields {
		field := p.id(f.Go).Add(p.typ(f.Type)).Add(fieldTag(f))
		if c, ok := oneLine(f.Doc, trailing); ok {
			field = field.Comment(c)
		} else {
			out = append(out, comment(f.Doc)...)
		}
		out = append(out, field)
	}
	return out
}

func fieldTag(f plan.Field) *jen.Statement {
	switch {
	case f.Extra:
		return inlineTag()
	case f.Optional:
		return tag(f.Wire, ",omitzero")
	default:
		return tag(f.Wire, "")
	}
}

func (p *printer) constants(d *plan.Decl) {
	specs := make([]jen.Code, len(d.Consts))
	for i, c := range d.Consts {
		value := quoted(c.Text)
		if d.Type != plan.String {
			value = jen.Op(number(c.Number))
		}
		specs[i] = p.id(c.Go).Add(p.id(d.Go)).Op("=").Add(value)
	}
	p.out.Line()
	p.out.Const().Defs(specs...)
}

// typ prints a type.
func (p *printer) typ(t plan.Type) jen.Code {
	switch t := t.(type) {
	case plan.Basic:
		return p.id(string(t))
	case plan.Named:
		return p.id(t.Decl.Go)
	case plan.Runtime:
		return jen.Id("schema").Dot(string(t))
	case plan.Empty:
		return jen.Struct()
	case plan.Slice:
		return jen.Index().Add(p.typ(t.Elem))
	case plan.Map:
		return jen.Map(jen.String()).Add(p.typ(t.Elem))
	case plan.Pointer:
		return jen.Op("*").Add(p.typ(t.Elem))
	case plan.Nullable:
		return jen.Id("schema").Dot("Nullable").Index(p.typ(t.Elem))
	default:
		p.fail(fmt.Errorf("render: type %T is of no known kind", t))
		return jen.Id("_")
	}
}

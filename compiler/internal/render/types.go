package render

import (
	"fmt"
	"strconv"

	"github.com/openrpc-go/rpcgen/compiler/internal/plan"
)

func number(n int64) string { return strconv.FormatInt(n, 10) }

// trailing is how long a field's comment may be to stand behind the field.
const trailing = 60

// decl prints one type with its constants and the markers of its unions.
func (p *printer) decl(d *plan.Decl) {
	p.doc(d.Doc)
	p.print("type ", p.id(d.Go), " ")
	switch d.Kind {
	case plan.Struct:
		p.fields(d)
	case plan.Defined, plan.Enum:
		p.print(p.typ(d.Type))
	case plan.Alias:
		p.print("= ", p.typ(d.Type))
	case plan.UnionInterface:
		p.print("interface {\n\t", p.id(d.Marker), "()\n}")
	default:
		p.fail(fmt.Errorf("render: type %s is of no known kind", d.Go))
	}
	p.end()
	if d.Kind == plan.Enum {
		p.constants(d)
	}
	for _, marker := range d.Implements {
		p.marker("func (" + p.id(d.Go) + ") " + p.id(marker) + "()")
	}
}

// marker prints a function that does nothing; gofmt breaks the line of one
// whose name is long.
func (p *printer) marker(header string) {
	if len(header) > 100 {
		p.print(header, " {\n}")
	} else {
		p.print(header, " {}")
	}
	p.end()
}

func (p *printer) fields(d *plan.Decl) {
	if len(d.Fields) == 0 {
		p.print("struct{}")
		return
	}
	rows := make([]row, len(d.Fields))
	for i, f := range d.Fields {
		rows[i].cells = []string{p.id(f.Go), p.typ(f.Type), fieldTag(f)}
		if c, ok := oneLine(f.Doc, trailing); ok {
			rows[i].cells = append(rows[i].cells, c)
		} else {
			rows[i].above = docText(f.Doc)
		}
	}
	p.print("struct {\n")
	p.table(rows)
	p.print("}")
}

func fieldTag(f plan.Field) string {
	switch {
	case f.Extra:
		return inlineTag
	case f.Optional:
		return tag(f.Wire, ",omitzero")
	default:
		return tag(f.Wire, "")
	}
}

func (p *printer) constants(d *plan.Decl) {
	rows := make([]row, len(d.Consts))
	for i, c := range d.Consts {
		value := quoted(c.Text)
		if d.Type != plan.String {
			value = number(c.Number)
		}
		rows[i].cells = []string{p.id(c.Go), p.id(d.Go), "= " + value}
	}
	p.print("const (\n")
	p.table(rows)
	p.print(")")
	p.end()
}

// typ returns a type as it is written.
func (p *printer) typ(t plan.Type) string {
	switch t := t.(type) {
	case plan.Basic:
		return p.id(string(t))
	case plan.Named:
		return p.id(t.Decl.Go)
	case plan.Runtime:
		return "schema." + string(t)
	case plan.Empty:
		return "struct{}"
	case plan.Slice:
		return "[]" + p.typ(t.Elem)
	case plan.Map:
		return "map[string]" + p.typ(t.Elem)
	case plan.Pointer:
		return "*" + p.typ(t.Elem)
	case plan.Nullable:
		return "schema.Nullable[" + p.typ(t.Elem) + "]"
	default:
		p.fail(fmt.Errorf("render: type %T is of no known kind", t))
		return "_"
	}
}

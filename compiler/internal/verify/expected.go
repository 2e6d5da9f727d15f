package verify

import (
	"strings"

	"github.com/openrpc-go/rpcgen/compiler/internal/plan"
)

// expected describes what the plan declares in a file, the way declared does.
func expected(p *plan.Package, f *plan.File) []string {
	var out []string
	switch f.Kind {
	case plan.ClientFile:
		out = append(out, "const _", "type Client struct {caller}", "func NewClient {2}")
		out = append(out, expectedCalls(p, f)...)
		out = append(out, "var compiled", "var contract", "func Contract {1}")
		out = append(out, expectedValues(p, f)...)
	case plan.CallsFile:
		out = append(out, expectedCalls(p, f)...)
		out = append(out, expectedValues(p, f)...)
	case plan.ErrorsFile:
		for _, e := range p.Errors {
			out = append(out, "var "+e.Go)
		}
		for _, e := range p.Errors {
			for _, d := range e.Data {
				out = append(out, "func "+d.Go+" {1}")
			}
		}
	case plan.TestsFile:
		out = append(out, "func TestExamples {4}", "var examples")
	}
	for _, d := range f.Types {
		out = append(out, expectedType(d)...)
	}
	return out
}

func expectedCalls(p *plan.Package, f *plan.File) []string {
	var out []string
	for _, i := range f.Methods {
		m := &p.Methods[i]
		if m.Params != nil {
			out = append(out, expectedType(m.Params)...)
		}
		out = append(out, "func (*Client) "+m.Go+" {1}")
	}
	return out
}

func expectedValues(p *plan.Package, f *plan.File) []string {
	var out []string
	for _, i := range f.Methods {
		out = append(out, "var "+p.Methods[i].Var)
	}
	return out
}

func expectedType(d *plan.Decl) []string {
	line := "type " + d.Go
	switch d.Kind {
	case plan.Struct:
		names := make([]string, len(d.Fields))
		for i, f := range d.Fields {
			names[i] = f.Go
		}
		line += " struct {" + strings.Join(names, " ") + "}"
	case plan.Alias:
		line += " ="
	case plan.UnionInterface:
		line += " interface {" + d.Marker + "}"
	}
	out := []string{line}
	for _, c := range d.Consts {
		out = append(out, "const "+c.Go)
	}
	for _, m := range d.Implements {
		out = append(out, "func ("+d.Go+") "+m+" {0}")
	}
	return out
}

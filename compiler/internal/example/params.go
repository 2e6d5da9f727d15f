package example

import (
	"github.com/openrpc-go/rpcgen/compiler/internal/contract"
	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// place puts the params of an example where the method declares them. The
// specification does not say whether the names in an example are those of the
// params or only labels. They are when all of them are names of params, and
// where the method takes its params by name alone; otherwise the order counts,
// and a name that belongs to another place is a finding. It reports false when
// the call could not be made with these params.
func (k *checking) place(m *contract.Method, e *contract.Example, what string) ([]*source.Node, bool) {
	declared := make(map[string]int, len(m.Params))
	for i := range m.Params {
		declared[m.Params[i].Name] = i
	}
	p := placing{checking: k, method: m, declared: declared, values: make([]*source.Node, len(m.Params)), what: what, ok: true}
	named := m.Structure == contract.ByName || allDeclared(e, declared)
	for i, given := range e.Params {
		if named {
			p.byName(given)
		} else {
			p.byPosition(i, given)
		}
	}
	p.required(e)
	return p.values, p.ok
}

func allDeclared(e *contract.Example, declared map[string]int) bool {
	for _, p := range e.Params {
		if _, ok := declared[p.Name]; !ok {
			return false
		}
	}
	return true
}

// placing is the placing of one example's params.
type placing struct {
	*checking
	method   *contract.Method
	declared map[string]int
	values   []*source.Node
	what     string
	ok       bool
}

func (p *placing) wrong(at *source.Node, format string, args ...any) {
	p.ok = false
	p.found.Add(diag.Warn(at, CodeParams, format, args...))
}

func (p *placing) byName(given contract.ExampleParam) {
	i, ok := p.declared[given.Name]
	switch {
	case !ok:
		p.wrong(holder(given), "param %q %s is none that the method declares", clip(given.Name), p.what)
	case p.values[i] != nil:
		p.wrong(holder(given), "param %q %s is given twice", clip(given.Name), p.what)
	default:
		p.values[i] = given.Value
	}
}

func (p *placing) byPosition(i int, given contract.ExampleParam) {
	other, named := p.declared[given.Name]
	switch {
	case i >= len(p.values):
		p.wrong(holder(given), "param %d %s, %q, is one too many: the method declares %d", i+1, p.what, clip(given.Name), len(p.values))
	case named && other != i:
		p.wrong(holder(given), "param %d %s has the name of param %d, %q", i+1, p.what, other+1, clip(given.Name))
	default:
		p.values[i] = given.Value
	}
}

// required reports params that are missing, and gaps that no array can have.
func (p *placing) required(e *contract.Example) {
	if !p.ok {
		return // one mistake about names would be told twice
	}
	gap := -1
	for i := range p.method.Params {
		name := clip(p.method.Params[i].Name)
		switch given := p.values[i] != nil; {
		case !given && p.method.Params[i].Required:
			p.wrong(e.Node, "param %q %s is required and missing", name, p.what)
		case !given:
			gap = i
		case gap >= 0 && p.method.Structure == contract.ByPosition:
			p.wrong(e.Node, "param %q %s is given without the earlier %q, and the method takes its params by position", name, p.what, clip(p.method.Params[gap].Name))
			return
		}
	}
}

// holder is the example object of a value.
func holder(p contract.ExampleParam) *source.Node {
	if p.Value.Parent != nil {
		return p.Value.Parent
	}
	return p.Value
}

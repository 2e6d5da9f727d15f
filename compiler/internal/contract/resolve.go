package contract

import (
	"fmt"

	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
	"github.com/openrpc-go/rpcgen/compiler/schema"
)

// Select returns c with only the methods that keep admits, in their order.
func Select(c *Contract, keep func(name string) bool) *Contract {
	selected := *c
	selected.Methods, selected.LeftOut = nil, map[string]bool{}
	for _, m := range c.Methods {
		if keep(m.Name) {
			selected.Methods = append(selected.Methods, m)
		} else {
			selected.LeftOut[m.Name] = true
		}
	}
	return &selected
}

// Resolve translates every schema that a method of c uses into g, under the id
// of the place that uses it, and returns c with each method's faults joined by
// those of the schemas it reaches. A schema with an error refuses every method
// that reaches it.
func Resolve(c *Contract, g *schema.Graph) *Contract {
	resolved := *c
	resolved.Methods = make([]*Method, len(c.Methods))
	for i, m := range c.Methods {
		resolved.Methods[i] = m.resolve(g)
	}
	return &resolved
}

func (m *Method) resolve(g *schema.Graph) *Method {
	resolved := *m
	resolved.Faults = append(diag.List(nil), m.Faults...)
	use := func(n *source.Node, id string) {
		if n != nil {
			resolved.Faults = append(resolved.Faults, g.Faults(g.Node(n, id))...)
		}
	}
	for _, p := range m.Params {
		use(p.Schema, m.Name+"/params/"+p.Name)
	}
	if m.Result != nil {
		use(m.Result.Schema, m.Name+"/result")
	}
	for _, e := range m.Errors {
		if e.Data != nil {
			use(e.Data, fmt.Sprintf("%s/errors/%d/data", m.Name, e.Code))
		}
	}
	return &resolved
}

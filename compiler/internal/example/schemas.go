package example

import (
	"fmt"

	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
	"github.com/openrpc-go/rpcgen/compiler/schema"
	rt "github.com/openrpc-go/rpcgen/runtime/schema"
)

// CheckSchemas holds the defaults and examples that schemas give of themselves
// against them: of every schema that a method leads to, wherever it stands. What
// does not fit is a warning; a default is never sent.
func CheckSchemas(g *schema.Graph, b Bounds) diag.List {
	k := newChecking(g, b)
	k.broken = g.Broken()
	for _, n := range g.Samples() {
		info := g.Info(n)
		if info.Default != nil {
			k.sample(n, info.Default, CodeDefault, fmt.Sprintf("the default of %q", clip(n.ID)))
		}
		for i, v := range info.Examples {
			what := fmt.Sprintf("the example of %q", clip(n.ID))
			if len(info.Examples) > 1 {
				what = fmt.Sprintf("example %d of %q", i+1, clip(n.ID))
			}
			k.sample(n, v, CodeMismatch, what)
		}
	}
	if k.unchecked > 0 {
		k.found.Add(diag.Noted(k.first, CodeUnchecked, "%d values that schemas give of themselves, of which this is the first, were not checked: together they are too much", k.unchecked))
	}
	return k.found.Sort()
}

// sample checks one value that a schema gives of itself.
func (k *checking) sample(n *rt.Node, value *source.Node, code, what string) {
	k.code = code
	if k.value(n, value, what) != unchecked {
		return
	}
	if k.unchecked == 0 {
		k.first = value
	}
	k.unchecked++
}

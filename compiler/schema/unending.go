package schema

import (
	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	rt "github.com/openrpc-go/rpcgen/runtime/schema"
)

// unending warns of schemas that require themselves without end: an object
// whose required member requires such an object again has no finite value.
func (g *Graph) unending() {
	fresh := g.entries[g.settled:]
	finite := make([]bool, len(fresh))
	isFinite := func(n *rt.Node) bool {
		i := g.index[n].index - g.settled
		return i < 0 || finite[i]
	}
	users := make([][]int, len(fresh))
	var todo []int
	for i, e := range fresh {
		todo = append(todo, i)
		for _, c := range needed(e.node) {
			if j := g.index[c].index - g.settled; j >= 0 {
				users[j] = append(users[j], i)
			}
		}
	}
	for len(todo) > 0 {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !finite[i] && hasFinite(fresh[i].node, isFinite) {
			finite[i] = true
			todo = append(todo, users[i]...)
		}
	}
	g.reportUnending(fresh, isFinite)
}

// reportUnending follows what is missing from each schema without a finite
// value until it comes round, and warns once for each ring.
func (g *Graph) reportUnending(fresh []*entry, isFinite func(*rt.Node) bool) {
	walk := make([]int, len(fresh)) // the number of the walk that came by first
	for i, e := range fresh {
		number := i + 1
		for at := i; at >= 0 && !isFinite(fresh[at].node); {
			if walk[at] == number {
				last := fresh[at]
				last.own.Add(diag.Warn(last.info.Source, CodeUnending,
					"this schema requires itself without end, so no value satisfies it").
					WithAdvice("make a member on the way optional or nullable").
					WithRelated(e.info.Source, "needed from here"))
				break
			}
			if walk[at] != 0 {
				break
			}
			walk[at] = number
			at = g.missing(fresh[at].node, isFinite)
		}
	}
}

// missing returns the first schema that keeps n from having a finite value,
// as an index among the unsettled, or -1.
func (g *Graph) missing(n *rt.Node, isFinite func(*rt.Node) bool) int {
	for _, c := range needed(n) {
		if !isFinite(c) {
			return g.index[c].index - g.settled
		}
	}
	return -1
}

// needed lists the schemas whose values a value of n may have to hold.
func needed(n *rt.Node) []*rt.Node {
	out := append(append(append([]*rt.Node{}, n.AllOf...), n.AnyOf...), n.OneOf...)
	if n.Object != nil {
		for _, p := range n.Object.Properties {
			if p.Required {
				out = append(out, p.Node)
			}
		}
	}
	if n.Array != nil && n.Array.MinItems != nil && *n.Array.MinItems > 0 {
		out = appendSet(append(out, n.Array.Prefix...), n.Array.Items)
	}
	return out
}

// hasFinite reports whether some value of n is finite, as far as required
// members and elements decide it. A schema that admits nothing for another
// reason counts as finite: that is not this warning's business.
func hasFinite(n *rt.Node, finite func(*rt.Node) bool) bool {
	for _, c := range n.AllOf {
		if !finite(c) {
			return false
		}
	}
	if !anyFinite(n.AnyOf, finite) || !anyFinite(n.OneOf, finite) {
		return false
	}
	return n.Never || n.Enum != nil || n.Types == 0 || n.Types&^(rt.TypeObject|rt.TypeArray) != 0 ||
		n.Types&rt.TypeObject != 0 && objectIsFinite(n.Object, finite) ||
		n.Types&rt.TypeArray != 0 && arrayIsFinite(n.Array, finite)
}

func anyFinite(nodes []*rt.Node, finite func(*rt.Node) bool) bool {
	for _, n := range nodes {
		if finite(n) {
			return true
		}
	}
	return len(nodes) == 0
}

func objectIsFinite(o *rt.ObjectRules, finite func(*rt.Node) bool) bool {
	if o == nil {
		return true
	}
	for _, p := range o.Properties {
		if p.Required && !finite(p.Node) {
			return false
		}
	}
	return true
}

func arrayIsFinite(a *rt.ArrayRules, finite func(*rt.Node) bool) bool {
	if a == nil || a.MinItems == nil {
		return true
	}
	for i := uint64(0); i < min(*a.MinItems, uint64(len(a.Prefix))); i++ {
		if !finite(a.Prefix[i]) {
			return false
		}
	}
	return *a.MinItems <= uint64(len(a.Prefix)) || a.Items == nil || finite(a.Items)
}

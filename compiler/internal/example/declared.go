package example

import (
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
	rt "github.com/openrpc-go/rpcgen/runtime/schema"
)

// declared reports whether the schema surely names every member of every
// object in v, so that a client which reads v and writes it again writes the
// same. Where branches leave it open, it is not sure.
func declared(n *rt.Node, v *source.Node) bool { return surely([]*rt.Node{n}, v) }

func surely(nodes []*rt.Node, v *source.Node) bool {
	if v.Kind != source.Object && v.Kind != source.Array {
		return true
	}
	var all []*rt.Node
	for _, n := range nodes {
		all = applying(all, n, v)
	}
	if v.Kind == source.Array {
		for i, item := range v.Items {
			if !surely(elements(all, i), item) {
				return false
			}
		}
		return true
	}
	for _, m := range v.Members {
		below, named := members(all, m.Name)
		if !named || !surely(below, m.Value) {
			return false
		}
	}
	return true
}

// applying adds n and the nodes within it that hold for v whatever v is: all
// of allOf, and the only branch that admits values of its kind.
func applying(all []*rt.Node, n *rt.Node, v *source.Node) []*rt.Node {
	const most = 64
	if len(all) > most {
		return all
	}
	all = append(all, n)
	for _, sub := range n.AllOf {
		all = applying(all, sub, v)
	}
	for _, branches := range [][]*rt.Node{n.OneOf, n.AnyOf} {
		var fit []*rt.Node
		for _, b := range branches {
			if admits(b, v.Kind) {
				fit = append(fit, b)
			}
		}
		if len(fit) == 1 {
			all = applying(all, fit[0], v)
		}
	}
	return all
}

// admits reports whether n may admit an object or an array.
func admits(n *rt.Node, kind source.Kind) bool {
	want := rt.TypeObject
	if kind == source.Array {
		want = rt.TypeArray
	}
	return !n.Never && (n.Types == 0 || n.Types&want != 0)
}

func elements(nodes []*rt.Node, i int) []*rt.Node {
	var below []*rt.Node
	for _, n := range nodes {
		switch a := n.Array; {
		case a == nil:
		case i < len(a.Prefix):
			below = append(below, a.Prefix[i])
		case a.Items != nil:
			below = append(below, a.Items)
		}
	}
	return below
}

// members returns the schemas of a member and whether any of them is sure to
// name it.
func members(nodes []*rt.Node, name string) (below []*rt.Node, named bool) {
	for _, n := range nodes {
		if n.Object == nil {
			continue
		}
		found := false
		for _, p := range n.Object.Properties {
			if p.Name == name {
				below, found = append(below, p.Node), true
			}
		}
		if !found && n.Object.AdditionalDeclared && len(n.Object.Patterns) == 0 {
			found = true
			if n.Object.Additional != nil {
				below = append(below, n.Object.Additional)
			}
		}
		named = named || found
	}
	return below, named
}

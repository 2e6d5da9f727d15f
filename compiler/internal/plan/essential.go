package plan

import (
	"reflect"
	"slices"

	rt "github.com/openrpc-go/rpcgen/runtime/schema"
)

// essential leaves out nodes that say nothing beside the others: those without
// a rule, those said twice, and those that another one includes by allOf.
func essential(nodes []*rt.Node) []*rt.Node {
	if len(nodes) == 1 {
		return nodes
	}
	var kept []*rt.Node
	for i, n := range nodes {
		if !silent(n) && !slices.Contains(nodes[:i], n) && !included(n, nodes) {
			kept = append(kept, n)
		}
	}
	if len(kept) == 0 {
		return nodes[:1]
	}
	return kept
}

// silent reports whether n has no rule at all.
func silent(n *rt.Node) bool {
	bare := rt.Node{ID: n.ID, Sensitive: n.Sensitive}
	return reflect.DeepEqual(*n, bare)
}

// included reports whether another node has n below its allOf.
func included(n *rt.Node, nodes []*rt.Node) bool {
	for _, other := range nodes {
		if other != n && below(n, other.AllOf, map[*rt.Node]bool{other: true}) {
			return true
		}
	}
	return false
}

func below(n *rt.Node, parts []*rt.Node, seen map[*rt.Node]bool) bool {
	for _, p := range parts {
		if p == n {
			return true
		}
		if !seen[p] {
			seen[p] = true
			if below(n, p.AllOf, seen) {
				return true
			}
		}
	}
	return false
}

package plan

import (
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
func silent(n *rt.Node) bool { return onlyBranches(n) && !branches(n) }

// onlyType reports whether n has no rule but a type.
func onlyType(n *rt.Node) bool {
	if n.Types == 0 || n.Enum != nil || n.Number != nil || n.String != nil || n.Array != nil || n.Object != nil {
		return false // most of all others
	}
	bare := *n
	bare.Types = 0
	return silent(&bare)
}

// branches reports whether n has oneOf, anyOf or allOf.
func branches(n *rt.Node) bool {
	return n.AllOf != nil || n.AnyOf != nil || n.OneOf != nil || n.Discriminator != nil
}

// onlyBranches reports whether n has no rule beside oneOf, anyOf and allOf.
func onlyBranches(n *rt.Node) bool {
	return !n.Never && n.Types == 0 && !n.StrictInteger && n.Enum == nil &&
		n.Number == nil && n.String == nil && n.Array == nil && n.Object == nil &&
		n.Not == nil && n.If == nil && n.Then == nil && n.Else == nil
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

package schema

import (
	"slices"

	rt "github.com/openrpc-go/rpcgen/runtime/schema"
)

// Nullable reports whether n is "null, or else inner" in a way that a Go type
// can follow. For a oneOf or anyOf of null and another schema, inner is that
// other schema. For a list of types with null in it, inner is n itself: its
// other types say what the value is.
func Nullable(n *rt.Node) (inner *rt.Node, ok bool) {
	if n.Types&rt.TypeNull != 0 {
		return n, n.Types != rt.TypeNull
	}
	branches := n.OneOf
	if branches == nil {
		branches = n.AnyOf
	}
	if len(branches) != 2 || !onlyBranches(n) {
		return nil, false
	}
	for i, b := range branches {
		other := branches[1-i]
		if isNull(b) && !isNull(other) && (n.OneOf == nil || refusesNull(other, nil)) {
			return other, true
		}
	}
	return nil, false
}

// onlyBranches reports whether n says nothing beside one oneOf or anyOf.
func onlyBranches(n *rt.Node) bool {
	return !n.Never && n.Types == 0 && n.Enum == nil && n.Number == nil && n.String == nil && n.Array == nil &&
		n.Object == nil && n.AllOf == nil && n.Not == nil && n.If == nil && n.Discriminator == nil && (n.OneOf == nil || n.AnyOf == nil)
}

func isNull(n *rt.Node) bool {
	onlyType := n.Types == rt.TypeNull && n.Enum == nil
	onlyValue := len(n.Enum) == 1 && n.Enum[0] == "null" && n.Types&^rt.TypeNull == 0
	return !n.Never && (onlyType || onlyValue) && n.AllOf == nil && n.AnyOf == nil && n.OneOf == nil && n.Not == nil && n.If == nil
}

// refusesNull reports whether n surely does not admit null.
func refusesNull(n *rt.Node, seen []*rt.Node) bool {
	for _, s := range seen {
		if s == n {
			return false
		}
	}
	seen = append(seen, n)
	if n.Never || n.Types != 0 && n.Types&rt.TypeNull == 0 {
		return true
	}
	if n.Enum != nil && !slices.Contains(n.Enum, "null") {
		return true
	}
	for _, b := range n.AllOf {
		if refusesNull(b, seen) {
			return true
		}
	}
	return allRefuse(n.AnyOf, seen) || allRefuse(n.OneOf, seen)
}

func allRefuse(branches []*rt.Node, seen []*rt.Node) bool {
	for _, b := range branches {
		if !refusesNull(b, seen) {
			return false
		}
	}
	return len(branches) > 0
}

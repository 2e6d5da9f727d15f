package schema

import "strconv"

// typeUnion is the union of a node that lists several JSON types and says
// nothing by branches: {"type": ["string", "integer"]} is one of the two. Each
// branch has the rules that speak of its type; the node itself is still held
// against every value.
func typeUnion(n *Node) *union {
	if n.Never || n.Enum != nil || len(n.AllOf)+len(n.OneOf)+len(n.AnyOf) > 0 {
		return nil
	}
	at := &Node{ID: n.ID, Sensitive: n.Sensitive}
	for _, kind := range [...]Types{TypeBoolean, TypeInteger, TypeNumber, TypeString, TypeArray, TypeObject} {
		if n.Types&kind != 0 && (kind != TypeInteger || n.Types&TypeNumber == 0) {
			at.AnyOf = append(at.AnyOf, n.only(kind))
		}
	}
	if len(at.AnyOf) < 2 {
		return nil
	}
	return &union{at: at, branches: at.AnyOf, looked: len(at.AnyOf)}
}

// only is n as far as it speaks of one type.
func (n *Node) only(kind Types) *Node {
	one := &Node{ID: "type " + kind.String() + " of " + strconv.Quote(n.ID), Types: kind, Sensitive: n.Sensitive}
	switch kind {
	case TypeInteger, TypeNumber:
		one.Number, one.StrictInteger = n.Number, n.StrictInteger
		if n.String != nil { // a format may say which numbers
			one.String = &StringRules{Format: n.String.Format}
		}
	case TypeString:
		one.String = n.String
	case TypeArray:
		one.Array = n.Array
	case TypeObject:
		one.Object = n.Object
	}
	return one
}

package schema

import (
	"fmt"
	"reflect"
)

// Union names the Go types that may stand in a sealed interface, in the order
// of the branches of oneOf or anyOf (branches that only admit null left out).
type Union struct {
	face     reflect.Type
	variants []reflect.Type
}

// UnionOf returns the Union of interface I; variants are zero values.
func UnionOf[I any](variants ...I) Union {
	u := Union{face: reflect.TypeFor[I]()}
	for _, v := range variants {
		u.variants = append(u.variants, reflect.TypeOf(v))
	}
	return u
}

// Unions is what Bind knows about interfaces, and the memory that calls of
// Bind share: what one has prepared of a graph of nodes, the next need not.
// Make one for each generated package. It may be used by any number of
// goroutines. Nil knows no interface and shares nothing.
type Unions struct {
	byFace map[reflect.Type]Union
	shop   workshop
}

// NewUnions collects unions. It refuses one that is no interface, has a nil
// variant or is there twice.
func NewUnions(list ...Union) (*Unions, error) {
	u := &Unions{byFace: make(map[reflect.Type]Union, len(list))}
	for _, one := range list {
		if one.face == nil || one.face.Kind() != reflect.Interface {
			return nil, fmt.Errorf("schema: union of %v: not an interface", one.face)
		}
		if _, twice := u.byFace[one.face]; twice {
			return nil, fmt.Errorf("schema: union %v is given twice", one.face)
		}
		for _, v := range one.variants {
			if v == nil {
				return nil, fmt.Errorf("schema: union %v has a nil variant", one.face)
			}
		}
		u.byFace[one.face] = one
	}
	return u, nil
}

func (u *Unions) of(face reflect.Type) (Union, bool) {
	if u == nil {
		return Union{}, false
	}
	found, ok := u.byFace[face]
	return found, ok
}

// union binds an interface to the branches of oneOf or anyOf.
func (b *binder) union(n, node *Node, r *rule, t reflect.Type) *plan {
	known, ok := b.unions.of(t)
	if !ok {
		return b.refuse(n, t, "the interface is no union that was given")
	}
	u := &unionPlan{branches: r.oneOf, one: true, types: known.variants}
	nodes := node.OneOf
	if r.oneOf == nil {
		u.branches, u.one, nodes = r.anyOf, false, node.AnyOf
	}
	if u.branches == nil {
		return b.refuse(n, t, "it has no variants")
	}
	for _, q := range nodes {
		if nullOnly(q) {
			u.variants = append(u.variants, -1)
			continue
		}
		k := len(u.plans)
		u.variants = append(u.variants, k)
		if k >= len(u.types) {
			return b.refuse(n, t, "it has more variants than the union's %d", len(u.types))
		}
		u.plans = append(u.plans, b.plan(q, u.types[k], false))
	}
	if len(u.plans) < len(u.types) {
		return b.refuse(n, t, "it has %d variants, the union %d", len(u.plans), len(u.types))
	}
	for _, variant := range u.types {
		u.boxes = append(u.boxes, boxOf(t, variant))
	}
	u.pure = r.blank() &&
		(r.oneOf == nil) != (r.anyOf == nil) && len(r.all) == 0 && r.not == nil && r.ifRule == nil &&
		r.unevaluatedElements == nil && r.unevaluatedMembers == nil
	return &plan{kind: planUnion, wraps: true, typ: t, rule: r, union: u, nilIsNull: r.mask()&TypeNull != 0}
}

package plan

import (
	"slices"

	rt "github.com/openrpc-go/rpcgen/runtime/schema"
)

// united classifies a value with one union.
func (f *forms) united(v *view, n *rt.Node) *form {
	if len(v.properties) > 0 || len(v.arrays) > 0 {
		return f.constrained(v, n)
	}
	u := v.unions[0]
	live := u.live()
	switch len(live) {
	case 0:
		return &form{class: nullClass, view: v, base: Null}
	case 1:
		return f.sole(v, n, live[0])
	}
	if scalar := f.scalars(v, live); scalar != nil {
		return scalar
	}
	return f.sealed(v, n, ReasonUnion)
}

// sealed classifies a union as a sealed interface, where that can be; why says
// what is in the way when it has no variants.
func (f *forms) sealed(v *view, n *rt.Node, why Reason) *form {
	if f.made[n].Branch != nil {
		return raw(v, ReasonUnion) // what is made of a variant is no union again
	}
	all := f.variantsOf(n)
	if len(all.nodes) == 0 {
		return raw(v, why)
	}
	if why := f.obstacle(v, all.nodes); why != "" {
		return raw(v, why)
	}
	return &form{class: unionClass, view: v, live: all.nodes, homes: all.homes}
}

// variants are the nodes of a union's variants, and the innermost unions that
// they are branches of.
type variants struct{ nodes, homes []*rt.Node }

// variantsOf are the nodes of a union's variants, as the engine binds them:
// branches, or nodes made of a branch and of what the union says beside it.
func (f *forms) variantsOf(n *rt.Node) variants {
	if known, done := f.variants[n]; done {
		return known
	}
	var all variants
	for _, v := range rt.Variants(n) {
		node := v.Branch
		if len(v.Beside) > 0 {
			node = &rt.Node{AllOf: append(slices.Clone(v.Beside), v.Branch)}
			node.ID = joint(node.AllOf)
			f.made[node] = v
		}
		all.nodes = append(all.nodes, node)
		all.homes = append(all.homes, v.Decided[len(v.Decided)-1])
	}
	f.variants[n] = all
	return all
}

// said is the node whose words describe n: of a variant, its branch.
func (f *forms) said(n *rt.Node) *rt.Node {
	if v := f.made[n]; v.Branch != nil {
		return v.Branch
	}
	return n
}

// live are the branches that admit more than null.
func (u union) live() []*rt.Node {
	var out []*rt.Node
	for _, b := range u.branches {
		if !onlyNull(b) {
			out = append(out, b)
		}
	}
	return out
}

// onlyNull reports whether n says that a value is null, and nothing else.
func onlyNull(n *rt.Node) bool {
	named := n.Types == rt.TypeNull && n.Enum == nil
	listed := len(n.Enum) == 1 && n.Enum[0] == "null" && (n.Types == 0 || n.Types&rt.TypeNull != 0)
	rest := *n
	rest.Types, rest.Enum = 0, nil
	return (named || listed) && silent(&rest)
}

// sole classifies a union with one branch beside null: it is that branch, with
// null. The engine looks through "X or null" and through one branch alone, and
// through nothing else, so in any other form only scalars are; the rest is an
// interface, which takes more variants without breaking its users.
func (f *forms) sole(v *view, n, b *rt.Node) *form {
	sub := f.of(b)
	u := v.unions[0]
	nulls := len(u.branches) - 1
	through := u.alone && (nulls == 0 && !u.picked || nulls > 0 && (!u.one || nulls == 1 && !sub.null))
	scalar := sub.class >= nullClass && sub.class <= enumClass && comparable(sub.base)
	switch {
	case sub.class == rawClass:
		return raw(v, sub.reason)
	case !through && !scalar:
		return f.sealed(v, n, ReasonUnion)
	}
	same := *sub
	same.view = withNull(sub.view, v.null)
	same.same = b
	return &same
}

// target is the node whose Go type n shares: itself, or the one live branch.
func (f *forms) target(n *rt.Node) *rt.Node {
	for form := f.of(n); form.same != nil; form = f.of(n) {
		n = form.same
	}
	return n
}

// withNull is v with its null decided by an outer schema.
func withNull(v *view, null bool) *view {
	out := *v
	out.null = null
	return &out
}

// scalars classifies a union whose branches are all one Go scalar: no
// interface is needed, the engine checks which branches hold.
func (f *forms) scalars(v *view, branches []*rt.Node) *form {
	first := f.of(branches[0])
	var values []string
	enum := true
	for _, b := range branches {
		sub := f.of(b)
		if sub.class < boolClass || sub.class > enumClass || sub.base != first.base || !comparable(sub.base) {
			return nil
		}
		enum = enum && sub.class == enumClass
		for _, l := range sub.values {
			if !slices.Contains(values, l) {
				values = append(values, l)
			}
		}
	}
	if enum {
		return &form{class: enumClass, view: v, base: first.base, values: values}
	}
	c := map[Type]class{String: stringClass, Bool: boolClass, Float64: numberClass}[first.base]
	if c == rawClass {
		c = integerClass
	}
	if first.base == Time {
		c = stringClass
	}
	return &form{class: c, view: v, base: first.base}
}

// comparable reports whether two types of t's kind may be compared with ==.
func comparable(t Type) bool {
	_, slice := t.(Slice)
	return !slice
}

// obstacle says why the nodes cannot be the variants of a sealed interface, ""
// when they can.
func (f *forms) obstacle(v *view, variants []*rt.Node) Reason {
	if v.types != 0 && !f.within(v.types, variants) {
		return ReasonKinds
	}
	seen := map[string]bool{}
	for _, b := range variants {
		sub, target := f.of(b), f.target(b).ID
		if seen[target] {
			return ReasonUnion
		}
		seen[target] = true
		switch {
		case sub.class == rawClass:
			return sub.reason
		case sub.class == unionClass, sub.null:
			return ReasonUnion
		}
		if _, runtime := sub.base.(Runtime); runtime && sub.base != Time {
			return ReasonUnion
		}
	}
	return ""
}

// within reports whether every branch admits only the given types.
func (f *forms) within(types rt.Types, branches []*rt.Node) bool {
	for _, b := range branches {
		if kind := f.of(b).kind(); kind == 0 || meet(types, kind)&kind != kind { // a meeting with number is integer too
			return false
		}
	}
	return true
}

// constrained classifies a value whose unions stand beside members, elements or
// each other: they only narrow what is said beside them, or one adds to it.
func (f *forms) constrained(v *view, n *rt.Node) *form {
	if len(v.properties) == 0 && len(v.arrays) == 0 && v.types == 0 {
		return f.sealed(v, n, ReasonAllOf)
	}
	c := cover{view: v, left: maxParts}
	for _, u := range v.unions {
		if !c.all(u.branches) {
			return f.sealed(v, n, ReasonBothSides)
		}
	}
	return plainForm(v)
}

// cover asks whether branches add no member and no element rules to a view. It
// gives up, and says no, after a number of schemas.
type cover struct {
	*view
	left int
}

func (c *cover) all(branches []*rt.Node) bool {
	for _, b := range branches {
		if c.left--; c.left < 0 || !c.one(viewOf(b)) {
			return false
		}
	}
	return true
}

func (c *cover) one(b *view) bool {
	for _, p := range b.properties {
		if c.named(p.name) < 0 {
			return false
		}
	}
	if b.elements() != nil && c.elements() == nil {
		return false
	}
	for _, u := range b.unions {
		if !c.all(u.branches) {
			return false
		}
	}
	return true
}

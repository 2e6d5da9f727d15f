package schema

import "reflect"

// union binds an interface to the variants of a node.
func (b *binder) union(n *Node, r *rule, t reflect.Type) *plan {
	known, ok := b.unions.of(t)
	if !ok {
		return b.refuse(n, t, "the interface is no union that was given")
	}
	inner := b.throughNull(n)
	variants := Variants(inner)
	if len(variants) == 0 {
		return b.refuse(n, t, "it has no variants")
	}
	if len(variants) != len(known.variants) {
		return b.refuse(n, t, "it has %d variants, the union %d", len(variants), len(known.variants))
	}
	u := &unionPlan{types: known.variants}
	beside := false
	for k, v := range variants {
		node := v.node()
		beside = beside || node != v.Branch
		u.plans = append(u.plans, b.plan(node, u.types[k], false))
		u.rules = append(u.rules, b.program.rule(node))
		u.boxes = append(u.boxes, boxOf(t, u.types[k]))
	}
	numbered := 0
	if u.choice = b.choice(unionOf(inner), &numbered); u.choice == nil {
		return b.refuse(n, t, "its variants cannot be told apart")
	}
	if own := u.choice.of(r); own != nil && !beside && len(own.rules) == len(u.choice.variants) {
		u.choice.rule, u.choice.branches = r, own
		u.pure = u.choice.flat() && r.blank() && (r.oneOf == nil) != (r.anyOf == nil) && len(r.all) == 0 && r.not == nil &&
			r.ifRule == nil && r.unevaluatedElements == nil && r.unevaluatedMembers == nil
	}
	return &plan{kind: planUnion, wraps: true, typ: t, rule: r, union: u, nilIsNull: r.mask()&TypeNull != 0}
}

// throughNull looks through "X or null".
func (b *binder) throughNull(n *Node) *Node {
	for {
		inner, ok := b.program.flat.nullable(b.program.flat.node(n))
		if !ok {
			return n
		}
		n = inner
	}
}

// node is what holds for the values of a variant.
func (v Variant) node() *Node {
	if len(v.Beside) == 0 {
		return v.Branch
	}
	return &Node{ID: v.Branch.ID, AllOf: append(v.Beside[:len(v.Beside):len(v.Beside)], v.Branch)}
}

// choice says how to find the variant of a value that fits.
type choice struct {
	rule     *rule
	branches *branches
	one      bool
	variants []int     // by branch: index of the variant, -1 for null
	inner    []*choice // by branch: how to go on, nil for a variant or null
}

// choice numbers the variants the way Variants lists them; nil when the rule
// has no such branches.
func (b *binder) choice(u *union, numbered *int) *choice {
	c := &choice{rule: b.program.rule(u.at), one: u.one}
	b.program.fillAll()
	if c.branches = c.of(c.rule); c.branches == nil || len(c.branches.rules) != len(u.branches) {
		return nil
	}
	for _, q := range u.branches {
		variant, inner := -1, (*choice)(nil)
		switch below := nested(q); {
		case nullOnly(q):
		case below != nil:
			if inner = b.choice(below, numbered); inner == nil {
				return nil
			}
		default:
			variant = *numbered
			*numbered++
		}
		c.variants, c.inner = append(c.variants, variant), append(c.inner, inner)
	}
	return c
}

// of returns the branches of a rule that the choice is between.
func (c *choice) of(r *rule) *branches {
	if c.one {
		return r.oneOf
	}
	return r.anyOf
}

// flat reports whether one choice leads to every variant.
func (c *choice) flat() bool {
	for _, inner := range c.inner {
		if inner != nil {
			return false
		}
	}
	return true
}

// find returns the variant of the value at i, -1 for none, or where the value
// is null.
func (c *choice) find(m *machine, i, depth int) int {
	for {
		k := m.variant(c.rule, c.branches, c.one, i, depth)
		switch {
		case k < 0:
			return -1
		case c.inner[k] == nil:
			return c.variants[k]
		}
		c = c.inner[k]
	}
}

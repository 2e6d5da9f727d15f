package schema

import (
	"slices"

	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	rt "github.com/openrpc-go/rpcgen/runtime/schema"
)

// settle looks at the schemas that are new since the last time, now that all
// they lead to is known: rings that would never end, rings that no finite
// value satisfies, and which schemas have a diagnostic below them. Settled
// schemas lead to settled ones only.
func (g *Graph) settle() {
	g.contradictions()
	g.overlaps()
	if g.straight() {
		return
	}
	g.endless()
	g.unending()
	for _, group := range g.rings((*entry).below) {
		faulty := slices.ContainsFunc(group, func(e *entry) bool {
			return len(e.own) > 0 || slices.ContainsFunc(e.below(), func(n *rt.Node) bool { return g.entry(n).faulty })
		})
		for _, e := range group {
			e.faulty = faulty
		}
	}
	g.settled = len(g.entries)
}

func (g *Graph) entry(n *rt.Node) *entry { return g.index[n] }

// straight settles the new schemas if none leads back to one that was met
// before it, so that there are no rings at all, and reports whether that is so:
// it is but for schemas that are shared or recursive.
func (g *Graph) straight() bool {
	for i := len(g.entries) - 1; i >= g.settled; i-- {
		e := g.entries[i]
		e.faulty = len(e.own) > 0
		back := false
		each := func(n *rt.Node) {
			below := g.index[n]
			back = back || below.index >= g.settled && below.index <= i
			e.faulty = e.faulty || below.faulty
		}
		if e.lost != nil {
			for _, n := range e.lost {
				each(n)
			}
		} else {
			eachChild(e.node, each)
		}
		if back {
			for _, e := range g.entries[i:] {
				e.faulty = false // that is to be seen
			}
			return false
		}
	}
	g.settled = len(g.entries)
	return true
}

// endless deals with schemas that apply themselves to the same value: checking
// one would never end (core 9.4.1). Alternatives that lead only to each other
// have one clear meaning, which they are given; the rest is refused.
func (g *Graph) endless() {
	edges := func(e *entry) []*rt.Node { return inPlace(e.node) }
	for _, ring := range g.rings(edges) {
		first := ring[0]
		if len(ring) == 1 && !slices.Contains(edges(first), first.node) {
			continue
		}
		for _, e := range ring {
			first = g.entries[min(first.index, e.index)]
		}
		if flatten(ring) {
			first.own.Add(diag.Warn(first.info.Source, CodeEndless, "this schema offers itself as an alternative for the same value, which adds nothing"))
			continue
		}
		first.own.Add(diag.At(first.info.Source, CodeEndless, "this schema applies itself to the same value, so that a check would never end").
			WithAdvice("let the reference stand under properties or items, or remove it"))
		first.refuse()
	}
}

// flatten gives a ring of nothing but anyOf its meaning. Each of the schemas
// admits what any other admits, so all of them are the alternatives that lead
// out of the ring.
func flatten(ring []*entry) bool {
	const most = 200 // each of the schemas gets the alternatives of all
	if len(ring) > most {
		return false
	}
	within := map[*rt.Node]bool{}
	for _, e := range ring {
		if e.node.AnyOf == nil || !onlyBranches(e.node) {
			return false
		}
		within[e.node] = true
	}
	flat := make([][]*rt.Node, len(ring))
	for i, e := range ring {
		flat[i] = alternatives(e.node, within)
		if len(flat[i]) == 0 {
			return false
		}
	}
	for i, e := range ring {
		e.node.AnyOf = flat[i]
	}
	return true
}

// alternatives lists, in document order, the branches that lead out.
func alternatives(n *rt.Node, within map[*rt.Node]bool) (out []*rt.Node) {
	seen := map[*rt.Node]bool{n: true}
	todo := slices.Clone(n.AnyOf)
	for len(todo) > 0 {
		b := todo[0]
		todo = todo[1:]
		switch {
		case seen[b]:
		case within[b]:
			todo = append(slices.Clone(b.AnyOf), todo...)
		default:
			out = append(out, b)
		}
		seen[b] = true
	}
	return out
}

// inPlace lists the schemas that a schema applies to the same value.
func inPlace(n *rt.Node) []*rt.Node {
	out := make([]*rt.Node, 0, len(n.AllOf)+len(n.AnyOf)+len(n.OneOf))
	out = append(append(append(out, n.AllOf...), n.AnyOf...), n.OneOf...)
	out = appendSet(out, n.Not, n.If, n.Then, n.Else)
	if n.Object != nil {
		for _, p := range n.Object.DependentSchemas {
			out = append(out, p.Node)
		}
	}
	return out
}

// children lists every schema that a schema leads to.
func children(n *rt.Node) []*rt.Node {
	var out []*rt.Node
	eachChild(n, func(c *rt.Node) { out = append(out, c) })
	return out
}

// eachChild calls f with every schema that a schema leads to.
func eachChild(n *rt.Node, f func(*rt.Node)) {
	each := func(nodes ...*rt.Node) {
		for _, c := range nodes {
			if c != nil {
				f(c)
			}
		}
	}
	each(n.AllOf...)
	each(n.AnyOf...)
	each(n.OneOf...)
	each(n.Not, n.If, n.Then, n.Else)
	o := n.Object
	if o != nil {
		for i := range o.DependentSchemas {
			f(o.DependentSchemas[i].Node)
		}
	}
	if a := n.Array; a != nil {
		each(a.Prefix...)
		each(a.Items, a.Contains, a.Unevaluated)
	}
	if o != nil {
		for i := range o.Properties {
			f(o.Properties[i].Node)
		}
		for i := range o.Patterns {
			f(o.Patterns[i].Node)
		}
		each(o.Additional, o.Names, o.Unevaluated)
	}
}

func appendSet(out []*rt.Node, nodes ...*rt.Node) []*rt.Node {
	for _, n := range nodes {
		if n != nil {
			out = append(out, n)
		}
	}
	return out
}

// Faults returns the diagnostics of a node and of everything it leads to, in
// the order of the files. The node is compiled cleanly when none is an error.
func (g *Graph) Faults(n *rt.Node) diag.List {
	g.mutex.RLock()
	defer g.mutex.RUnlock()
	first := g.index[n]
	if first == nil {
		return nil
	}
	list := slices.Clone(g.notes[n])
	if !first.faulty {
		return list.Sort()
	}
	seen := map[*entry]bool{}
	todo := []*entry{first}
	for len(todo) > 0 {
		e := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !e.faulty || seen[e] {
			continue
		}
		seen[e] = true
		list.Add(e.own...)
		for _, c := range e.below() {
			todo = append(todo, g.entry(c))
		}
	}
	list.Sort()
	return list
}

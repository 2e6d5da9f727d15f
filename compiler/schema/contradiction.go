package schema

import (
	"slices"

	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
	rt "github.com/openrpc-go/rpcgen/runtime/schema"
)

// maxJoined bounds how many schemas of one allOf are compared.
const maxJoined = 256

// contradictions warns of new schemas with an allOf whose parts admit no value
// together, or no value of a member. Such a schema is legal and admits nothing.
// It sees types and enums, since parts of one allOf are written by different
// hands; a finer contradiction is met by the first value.
func (g *Graph) contradictions() {
	for _, e := range g.entries[g.settled:] {
		if len(e.node.AllOf) == 0 || e.lost != nil {
			continue
		}
		parts := joined(e.node)
		if d := g.apart(parts, "no value fits"); d != nil {
			e.own.Add(*d)
		} else {
			g.members(e, parts)
		}
	}
}

// joined are n and all that holds with it by allOf.
func joined(n *rt.Node) []*rt.Node {
	parts := []*rt.Node{n}
	for i := 0; i < len(parts) && len(parts) < maxJoined; i++ {
		for _, p := range parts[i].AllOf {
			if !slices.Contains(parts, p) {
				parts = append(parts, p)
			}
		}
	}
	return parts
}

// members compares what the parts say about each member.
func (g *Graph) members(e *entry, parts []*rt.Node) {
	said := map[string][]*rt.Node{}
	var names []string
	required := map[string]bool{}
	for _, p := range parts {
		if p.Object == nil {
			continue
		}
		for _, name := range p.Object.Required {
			required[name] = true
		}
		for _, q := range p.Object.Properties {
			if said[q.Name] == nil {
				names = append(names, q.Name)
			}
			said[q.Name] = append(said[q.Name], q.Node)
			required[q.Name] = required[q.Name] || q.Required
		}
	}
	for _, name := range names {
		if len(said[name]) < 2 {
			continue
		}
		what := "no value fits: member " + quote(name) + " is required"
		if !required[name] {
			what = "member " + quote(name) + " can never be there"
		}
		if d := g.apart(said[name], what); d != nil {
			e.own.Add(*d)
		}
	}
}

// apart reports the first of the schemas that admits nothing of what those
// before it leave.
func (g *Graph) apart(nodes []*rt.Node, what string) *diag.Diagnostic {
	left := everyType | rt.TypeInteger
	for i, n := range nodes {
		kinds := kindsOf(n)
		if n.Never || kinds == 0 {
			return nil // it says so itself, or has a fault of its own
		}
		if left = common(left, kinds); left != 0 {
			continue
		}
		for _, other := range nodes[:i] {
			if common(kindsOf(other), kinds) == 0 || other == nodes[i-1] {
				return g.contradicts(n, other, what)
			}
		}
	}
	return nil
}

func (g *Graph) contradicts(n, other *rt.Node, what string) *diag.Diagnostic {
	at, against := g.typed(n), g.typed(other)
	if at == nil || against == nil {
		return nil
	}
	d := diag.Warn(at, CodeContradiction, "%s, and is %s here and %s in another part of the same allOf", what, kindWords(n), kindWords(other)).
		WithRelated(against, "the other part").
		WithAdvice("let the two agree; a correction can mend either for a document that is not yours")
	return &d
}

// typed is where a schema says what its values are.
func (g *Graph) typed(n *rt.Node) *source.Node {
	e := g.index[n]
	if e == nil || e.info.Source == nil {
		return nil
	}
	for _, name := range []string{"type", "const", "enum"} {
		if v := e.info.Source.Get(name); v != nil {
			return v
		}
	}
	return e.info.Source
}

// kindsOf are the types of a schema's values as far as it says so itself.
func kindsOf(n *rt.Node) rt.Types {
	kinds := everyType | rt.TypeInteger
	if n.Types != 0 {
		kinds = n.Types
	}
	if n.Enum == nil {
		return kinds
	}
	var listed rt.Types
	for _, literal := range n.Enum {
		listed |= rt.TypeOf(literal)
	}
	return common(kinds, listed)
}

// common intersects two sets of types; number includes integer.
func common(a, b rt.Types) rt.Types {
	if a&rt.TypeNumber != 0 {
		a |= rt.TypeInteger
	}
	if b&rt.TypeNumber != 0 {
		b |= rt.TypeInteger
	}
	return a & b
}

func kindWords(n *rt.Node) string { return kindsOf(n).String() }

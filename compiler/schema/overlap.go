package schema

import (
	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
	rt "github.com/openrpc-go/rpcgen/runtime/schema"
)

// maxCompared bounds how many branches of one oneOf are held against each other.
const maxCompared = 64

// overlaps warns of a oneOf with two branches that plain values fit both: what
// was meant to be a choice then refuses them.
func (g *Graph) overlaps() {
	for _, e := range g.entries[g.settled:] {
		branches := e.node.OneOf
		for i := range branches[:min(len(branches), maxCompared)] {
			if g.overlap(e, branches, i) {
				break // one example is enough
			}
		}
	}
}

// overlap looks for a branch before branch i that values of i fit too.
func (g *Graph) overlap(e *entry, branches []*rt.Node, i int) bool {
	for j := range i {
		what, earlier := commonValue(essence(branches[j]), essence(branches[i]))
		if what == "" {
			continue
		}
		at := e.info.Source
		if list := at.Get("oneOf"); list != nil && list.Kind == source.Array && len(list.Items) == len(branches) {
			at = list.Items[i]
			if earlier {
				at = list.Items[j]
			}
		}
		e.own.Add(diag.Warn(at, CodeOverlap, "%s fits branch %d of this oneOf and branch %d, and what fits two is refused", what, j+1, i+1).
			WithAdvice("require in each branch what tells it apart, or write anyOf"))
		return true
	}
	return false
}

// essence looks through schemas that only refer to one other.
func essence(n *rt.Node) *rt.Node {
	for range 16 {
		rest := *n
		rest.ID, rest.Annotations, rest.AllOf, rest.Sensitive = "", nil, nil, false
		if len(n.AllOf) != 1 || !plainly(&rest, 0) {
			break
		}
		n = n.AllOf[0]
	}
	return n
}

// plainly reports whether n says no more than which types it admits.
func plainly(n *rt.Node, types rt.Types) bool {
	return !n.Never && n.Types == types && n.Enum == nil && n.Number == nil && n.String == nil && n.Array == nil && n.Object == nil && unbranched(n)
}

func unbranched(n *rt.Node) bool {
	return len(n.AllOf)+len(n.AnyOf)+len(n.OneOf) == 0 && n.Not == nil && n.If == nil
}

// commonValue names values that surely fit both schemas, "" when none is seen;
// ofA says that the first one describes them.
func commonValue(a, b *rt.Node) (what string, ofA bool) {
	switch {
	case plainly(a, rt.TypeNumber) && plainly(b, rt.TypeInteger):
		return `every "integer"`, false
	case plainly(a, rt.TypeInteger) && plainly(b, rt.TypeNumber):
		return `every "integer"`, true
	case !open(a) || !open(b):
		return "", false
	}
	if name := ownMember(b, a); name != "" {
		return "an object that has only " + name, false
	}
	if name := ownMember(a, b); name != "" {
		return "an object that has only " + name, true
	}
	return "", false
}

// ownMember is a member, quoted, that n describes and other does not.
func ownMember(n, other *rt.Node) string {
	for _, p := range n.Object.Properties {
		if !p.Node.Never && !describes(other, p.Name) {
			return quote(clip(p.Name))
		}
	}
	return ""
}

// open reports whether n describes members, requires none and admits others.
func open(n *rt.Node) bool {
	o := n.Object
	if n.Types != rt.TypeObject || n.Never || n.Enum != nil || !unbranched(n) || o == nil || len(o.Properties) == 0 {
		return false
	}
	for _, p := range o.Properties {
		if p.Required {
			return false
		}
	}
	return len(o.Required)+len(o.Patterns)+len(o.DependentRequired)+len(o.DependentSchemas) == 0 &&
		o.Additional == nil && o.Names == nil && o.Unevaluated == nil && o.MinProperties == nil && o.MaxProperties == nil
}

func describes(n *rt.Node, member string) bool {
	for _, p := range n.Object.Properties {
		if p.Name == member {
			return true
		}
	}
	return false
}

package plan

import (
	"slices"

	rt "github.com/openrpc-go/rpcgen/runtime/schema"
)

// view is what a node and everything under its allOf say together about one
// value: the intersection, as far as Go types care. Rules that only narrow
// (not, if, bounds) are left to the engine.
type view struct {
	types  rt.Types // without null; 0 admits every type
	null   bool     // null is admitted
	never  bool
	deep   bool     // more parts than anybody writes by hand
	enum   []string // admitted literals, null left out; nil is any
	listed bool     // enum counts

	properties []property     // document order
	byName     map[string]int // of large objects only
	objects    []*rt.ObjectRules
	arrays     []*rt.ArrayRules
	numbers    []*rt.NumberRules
	strings    []*rt.StringRules
	unions     []union
}

// property is a member and all nodes that speak about it.
type property struct {
	name     string
	required bool
	nodes    []*rt.Node
}

// union is one oneOf or anyOf.
type union struct {
	branches []*rt.Node
	one      bool // oneOf
	alone    bool // the node says nothing else
	picked   bool // by a discriminator
}

const allTypes = rt.TypeNull | rt.TypeBoolean | rt.TypeInteger | rt.TypeNumber | rt.TypeString | rt.TypeArray | rt.TypeObject

// viewOf merges the nodes, which all hold for one value.
func viewOf(nodes ...*rt.Node) *view { return viewWithout(nil, nodes...) }

// viewWithout is viewOf without the unions of the nodes in decided.
func viewWithout(decided []*rt.Node, nodes ...*rt.Node) *view {
	var first [8]*rt.Node
	m := merger{view: &view{}, types: allTypes, decided: decided, seen: first[:0]}
	null := true
	for _, n := range nodes {
		m.add(n, len(nodes) == 1)
		null = null && nullable(n)
	}
	v := m.view
	v.null = null
	v.never = v.never || m.types == 0
	if v.types = m.types &^ rt.TypeNull; v.types == allTypes&^rt.TypeNull {
		v.types = 0
	} else if v.types == 0 && !v.null {
		v.never = true
	} else if v.types == 0 {
		v.types = rt.TypeNull
	}
	return v
}

// Bounds of what decides one Go type; a schema beyond them stays raw JSON. They
// keep the work on hostile documents linear.
const (
	maxParts  = 256 // schemas under one allOf
	maxLevels = 64  // unions within unions
)

// merger builds a view. A node reached twice counts once, which also ends an
// allOf that leads back to itself.
type merger struct {
	view  *view
	types rt.Types
	seen  []*rt.Node // at most maxParts
	// decided are nodes whose unions do not count.
	decided []*rt.Node
}

func (m *merger) add(n *rt.Node, direct bool) {
	if slices.Contains(m.seen, n) {
		return
	}
	if len(m.seen) == maxParts {
		m.view.deep = true
		return
	}
	m.seen = append(m.seen, n)
	v := m.view
	v.never = v.never || n.Never
	if n.Types != 0 {
		m.types = meet(m.types, n.Types)
	}
	if n.Enum != nil {
		v.narrow(n.Enum)
	}
	v.addRules(n)
	m.addUnions(n, direct)
	for _, part := range n.AllOf {
		m.add(part, direct && len(n.AllOf) == 1 && onlyBranches(n) && len(n.OneOf)+len(n.AnyOf) == 0)
	}
}

// addUnions notes the unions of n. One branch alone holds like a part of allOf,
// unless n says nothing else: then n is that branch.
func (m *merger) addUnions(n *rt.Node, direct bool) {
	if slices.Contains(m.decided, n) {
		return
	}
	alone := direct && len(n.AllOf) == 0 && (len(n.OneOf) == 0 || len(n.AnyOf) == 0) && onlyBranches(n)
	m.addUnion(n, union{n.OneOf, true, alone, n.Discriminator != nil})
	m.addUnion(n, union{n.AnyOf, false, alone, n.Discriminator != nil})
}

func (m *merger) addUnion(n *rt.Node, u union) {
	lone := len(u.branches) == 1 && !u.picked
	switch {
	case len(u.branches) == 0:
	case lone && !u.alone:
		m.add(u.branches[0], false)
	default:
		m.view.unions = append(m.view.unions, u)
	}
}

func (v *view) addRules(n *rt.Node) {
	if n.Object != nil {
		v.objects = append(v.objects, n.Object)
		v.addProperties(n.Object)
	}
	if n.Array != nil {
		v.arrays = append(v.arrays, n.Array)
	}
	if n.Number != nil {
		v.numbers = append(v.numbers, n.Number)
	}
	if n.String != nil {
		v.strings = append(v.strings, n.String)
	}
}

func (v *view) addProperties(o *rt.ObjectRules) {
	alone := len(v.properties) == 0 // names are unique within o
	v.properties = slices.Grow(v.properties, len(o.Properties))
	space := make([]*rt.Node, len(o.Properties))
	for k, p := range o.Properties {
		i := -1
		if !alone {
			i = v.named(p.Name)
		}
		if i < 0 {
			space[k] = p.Node
			v.addProperty(property{p.Name, p.Required, space[k : k+1 : k+1]})
			continue
		}
		v.properties[i].required = v.properties[i].required || p.Required
		v.properties[i].nodes = append(v.properties[i].nodes, p.Node)
	}
}

// largeObject is the number of properties from which a table of names pays.
const largeObject = 16

func (v *view) addProperty(p property) {
	v.properties = append(v.properties, p)
	switch n := len(v.properties); {
	case n == largeObject:
		v.byName = make(map[string]int, 2*largeObject)
		for i := range v.properties {
			v.byName[v.properties[i].name] = i
		}
	case n > largeObject:
		v.byName[p.name] = n - 1
	}
}

// named returns the place of a property, -1 when there is none.
func (v *view) named(name string) int {
	if v.byName != nil {
		if i, known := v.byName[name]; known {
			return i
		}
		return -1
	}
	return slices.IndexFunc(v.properties, func(p property) bool { return p.name == name })
}

// demand marks the properties required that some part demands without
// declaring them itself.
func (v *view) demand() {
	for _, o := range v.objects {
		for _, name := range o.Required {
			if i := v.named(name); i >= 0 {
				v.properties[i].required = true
			}
		}
	}
}

// meet intersects two sets of types; number includes integer.
func meet(a, b rt.Types) rt.Types {
	both := a & b
	if a&rt.TypeNumber != 0 && b&rt.TypeInteger != 0 || b&rt.TypeNumber != 0 && a&rt.TypeInteger != 0 {
		both |= rt.TypeInteger
	}
	return both
}

// narrow intersects the admitted literals. Canonical JSON compares as text.
func (v *view) narrow(literals []string) {
	var kept []string
	for _, l := range literals {
		if l != "null" && (!v.listed || slices.Contains(v.enum, l)) {
			kept = append(kept, l)
		}
	}
	v.enum, v.listed = kept, true
}

// nullable reports whether null may be valid: it errs on the side of yes, since
// the engine checks every value anyway.
func nullable(n *rt.Node) bool {
	if len(n.AllOf)+len(n.AnyOf)+len(n.OneOf) == 0 {
		return nullByItself(n)
	}
	q := nullQuestion{known: map[*rt.Node]bool{}}
	return q.ask(n, maxLevels)
}

func nullByItself(n *rt.Node) bool {
	return !n.Never && (n.Types == 0 || n.Types&rt.TypeNull != 0) && (n.Enum == nil || slices.Contains(n.Enum, "null"))
}

// nullQuestion keeps the answers so far; a cycle of references adds nothing of
// its own.
type nullQuestion struct{ known map[*rt.Node]bool }

func (q *nullQuestion) ask(n *rt.Node, levels int) bool {
	if answer, asked := q.known[n]; asked {
		return answer
	}
	if !nullByItself(n) {
		return false
	}
	if levels == 0 {
		return true
	}
	q.known[n] = true
	q.known[n] = q.all(n.AllOf, levels-1) && q.some(n.AnyOf, levels-1) && q.some(n.OneOf, levels-1)
	return q.known[n]
}

func (q *nullQuestion) all(parts []*rt.Node, levels int) bool {
	for _, p := range parts {
		if !q.ask(p, levels) {
			return false
		}
	}
	return true
}

func (q *nullQuestion) some(branches []*rt.Node, levels int) bool {
	for _, b := range branches {
		if q.ask(b, levels) {
			return true
		}
	}
	return len(branches) == 0
}

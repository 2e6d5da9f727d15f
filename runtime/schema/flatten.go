package schema

import (
	"fmt"
	"slices"
	"strings"
)

// flattener rewrites nodes into equal ones that are quicker to run and to
// bind: branches of allOf that are plain are merged into their node. What
// cannot be merged stays an allOf. Nodes are rewritten once and on demand, so
// recursion through allOf stays finite: an intersection is known by the set
// of its parts.
type flattener struct {
	flat    map[*Node]*Node
	numbers map[*Node]int
	parts   map[*Node][]*Node // of a node made here: the nodes it intersects
	bySet   map[string]*Node
	busy    map[*Node]bool
	nulls   map[*Node]bool // what mayBeNull found, true while it looks
}

// Bounds on merging. Documents come from strangers: without them a few
// cycles of different length under one allOf would be multiplied out. What is
// beyond stays an allOf, which says the same.
const (
	maxMerged        = 100    // branches of one allOf
	maxIntersections = 20_000 // nodes made
)

func newFlattener() *flattener {
	return &flattener{map[*Node]*Node{}, map[*Node]int{}, map[*Node][]*Node{}, map[string]*Node{}, map[*Node]bool{}, map[*Node]bool{}}
}

// node returns a node that admits exactly what n admits.
func (f *flattener) node(n *Node) *Node {
	if len(n.AllOf) == 0 && !lone(n) {
		return n
	}
	if done, ok := f.flat[n]; ok {
		return done
	}
	if f.busy[n] { // a loop through allOf alone; checkLoops reports it
		return n
	}
	f.busy[n] = true
	done := f.merge(n)
	delete(f.busy, n)
	f.flat[n] = done
	return done
}

// lone reports whether n has a oneOf or anyOf of one branch, which says what an
// allOf of it says.
func lone(n *Node) bool {
	return n.Discriminator == nil && (len(n.OneOf) == 1 || len(n.AnyOf) == 1)
}

// together returns n with its lone branches below allOf.
func together(n *Node) *Node {
	out := *n
	out.AllOf = slices.Clone(n.AllOf)
	if len(n.OneOf) == 1 {
		out.AllOf, out.OneOf = append(out.AllOf, n.OneOf[0]), nil
	}
	if len(n.AnyOf) == 1 {
		out.AllOf, out.AnyOf = append(out.AllOf, n.AnyOf[0]), nil
	}
	return &out
}

func (f *flattener) merge(n *Node) *Node {
	if lone(n) {
		n = together(n)
	}
	own := *n
	own.AllOf = nil
	if len(n.AllOf) == 1 && blank(&own) {
		return f.node(n.AllOf[0])
	}
	if !plain(&own) || len(n.AllOf) > maxMerged || len(f.bySet) > maxIntersections {
		return n
	}
	merged := &Node{ID: n.ID, Sensitive: n.Sensitive, Types: everyType}
	var rest []*Node
	for _, branch := range n.AllOf {
		flat := f.node(branch)
		if flat == branch && len(branch.AllOf) > 0 || !plain(flat) || !f.intersectInto(merged, flat) {
			rest = append(rest, branch)
		}
	}
	if !f.intersectInto(merged, &own) {
		return n
	}
	if len(rest) == len(n.AllOf) {
		return n
	}
	if merged.Types == everyType {
		merged.Types = 0
	}
	merged.AllOf = rest
	return merged
}

// blank reports whether n constrains nothing.
func blank(n *Node) bool {
	return n.Types == 0 && !n.Sensitive && n.Object == nil && n.Array == nil &&
		n.Number == nil && n.String == nil && plain(n)
}

// plain reports whether n has none of the keywords that must run on their own.
func plain(n *Node) bool {
	if n.Never || n.Enum != nil || len(n.AllOf)+len(n.AnyOf)+len(n.OneOf) > 0 || n.Not != nil || n.If != nil ||
		n.Discriminator != nil || n.StrictInteger {
		return false
	}
	if o := n.Object; o != nil && (len(o.Patterns) > 0 || o.Unevaluated != nil || o.Names != nil) {
		return false
	}
	return n.Array == nil || n.Array.Unevaluated == nil
}

// intersectInto narrows dst by n, or reports false and leaves dst as it was.
func (f *flattener) intersectInto(dst, n *Node) bool {
	if dst.Number != nil && n.Number != nil || dst.String != nil && n.String != nil || dst.Array != nil && n.Array != nil {
		return false
	}
	types := intersectTypes(dst.Types, n.Types)
	if types == 0 {
		return false
	}
	dst.Types = types
	dst.Sensitive = dst.Sensitive || n.Sensitive
	if n.Number != nil {
		dst.Number = n.Number
	}
	if n.String != nil {
		dst.String = n.String
	}
	if n.Array != nil {
		dst.Array = n.Array
	}
	switch {
	case n.Object == nil:
	case dst.Object == nil:
		dst.Object = n.Object
	default:
		dst.Object = f.intersectObjects(dst.Object, n.Object)
	}
	return true
}

func intersectTypes(a, b Types) Types {
	widen := func(t Types) Types {
		if t == 0 {
			return everyType
		}
		if t&TypeNumber != 0 {
			t |= TypeInteger
		}
		return t
	}
	return widen(a) & widen(b)
}

func (f *flattener) intersectObjects(a, b *ObjectRules) *ObjectRules {
	merged := &ObjectRules{
		Additional:         f.both(a.Additional, b.Additional),
		MinProperties:      greater(a.MinProperties, b.MinProperties),
		MaxProperties:      lesser(a.MaxProperties, b.MaxProperties),
		AdditionalDeclared: a.AdditionalDeclared || b.AdditionalDeclared,
		DependentRequired:  slices.Concat(a.DependentRequired, b.DependentRequired),
		DependentSchemas:   slices.Concat(a.DependentSchemas, b.DependentSchemas),
		Required:           slices.Concat(a.Required, b.Required),
	}
	if n := merged.Additional; n != nil && n.Never {
		merged.AdditionalDeclared = false
	}
	inB := propertyIndex(b)
	inA := propertyIndex(a)
	for _, p := range a.Properties {
		other, required := b.Additional, false
		if k, ok := inB[p.Name]; ok {
			other, required = b.Properties[k].Node, b.Properties[k].Required
		}
		merged.Properties = append(merged.Properties, Property{p.Name, p.Required || required, f.both(p.Node, other)})
	}
	for _, p := range b.Properties {
		if _, ok := inA[p.Name]; !ok {
			merged.Properties = append(merged.Properties, Property{p.Name, p.Required, f.both(p.Node, a.Additional)})
		}
	}
	return requireDeclared(merged)
}

// requireDeclared moves required names that have a property of their own.
func requireDeclared(o *ObjectRules) *ObjectRules {
	index := propertyIndex(o)
	var rest []string
	for _, name := range o.Required {
		if k, ok := index[name]; ok {
			o.Properties[k].Required = true
		} else if !slices.Contains(rest, name) {
			rest = append(rest, name)
		}
	}
	o.Required = rest
	return o
}

func propertyIndex(o *ObjectRules) map[string]int {
	index := make(map[string]int, len(o.Properties))
	for k, p := range o.Properties {
		index[p.Name] = k
	}
	return index
}

// both returns the intersection of two nodes; nil admits any.
func (f *flattener) both(a, b *Node) *Node {
	switch {
	case a == nil || a == b:
		return b
	case b == nil || blank(b) && len(b.AllOf) == 0:
		return a
	case blank(a) && len(a.AllOf) == 0:
		return b
	}
	parts := slices.Clone(f.partsOf(a))
	for _, n := range f.partsOf(b) {
		if !slices.Contains(parts, n) {
			parts = append(parts, n)
		}
	}
	if len(parts) == 1 {
		return parts[0]
	}
	key := f.key(parts)
	if n, ok := f.bySet[key]; ok {
		return n
	}
	n := &Node{ID: parts[0].ID, AllOf: parts}
	f.bySet[key], f.parts[n] = n, parts
	return n
}

func (f *flattener) partsOf(n *Node) []*Node {
	if parts, ok := f.parts[n]; ok {
		return parts
	}
	return []*Node{n}
}

func (f *flattener) key(parts []*Node) string {
	numbers := make([]int, len(parts))
	for k, n := range parts {
		if _, ok := f.numbers[n]; !ok {
			f.numbers[n] = len(f.numbers) + 1
		}
		numbers[k] = f.numbers[n]
	}
	slices.Sort(numbers)
	return strings.Trim(fmt.Sprint(numbers), "[]")
}

// nullable recognises "X or null" and returns X.
func (f *flattener) nullable(n *Node) (inner *Node, ok bool) {
	rest := *n
	rest.AnyOf, rest.OneOf = nil, nil
	if !blank(&rest) || len(n.AnyOf) > 0 && len(n.OneOf) > 0 {
		return nil, false
	}
	nulls := 0
	for _, branch := range slices.Concat(n.AnyOf, n.OneOf) {
		switch {
		case nullOnly(branch):
			nulls++
		case inner != nil:
			return nil, false
		default:
			inner = branch
		}
	}
	if inner == nil || nulls == 0 || len(n.OneOf) > 0 && (nulls > 1 || f.mayBeNull(inner)) {
		return nil, false
	}
	return inner, true
}

func nullOnly(n *Node) bool {
	if n.Types == TypeNull && n.Enum == nil || len(n.Enum) == 1 && n.Enum[0] == "null" && (n.Types == 0 || n.Types&TypeNull != 0) {
		rest := *n
		rest.Types, rest.Enum, rest.Sensitive = 0, nil, false
		return blank(&rest)
	}
	return false
}

// mayBeNull reports whether n may admit null; when in doubt, it may.
func (f *flattener) mayBeNull(n *Node) bool {
	if found, ok := f.nulls[n]; ok {
		return found
	}
	f.nulls[n] = true
	f.nulls[n] = f.lookForNull(n)
	return f.nulls[n]
}

func (f *flattener) lookForNull(n *Node) bool {
	if n.Never || n.Types != 0 && n.Types&TypeNull == 0 || n.Enum != nil && !slices.Contains(n.Enum, "null") {
		return false
	}
	for _, q := range n.AllOf {
		if !f.mayBeNull(q) {
			return false
		}
	}
	return (len(n.AnyOf) == 0 || slices.ContainsFunc(n.AnyOf, f.mayBeNull)) &&
		(len(n.OneOf) == 0 || slices.ContainsFunc(n.OneOf, f.mayBeNull))
}

func greater(a, b *uint64) *uint64 {
	if a == nil || b != nil && *b > *a {
		return b
	}
	return a
}

func lesser(a, b *uint64) *uint64 {
	if a == nil || b != nil && *b < *a {
		return b
	}
	return a
}

package plan

import (
	"strconv"
	"strings"

	rt "github.com/openrpc-go/rpcgen/runtime/schema"
)

func (v *view) array() *form {
	a := v.elements()
	switch {
	case a == nil:
	case len(v.arrays) > 1:
		return raw(v, ReasonAllOf)
	case len(a.Prefix) > 0 && uniform(a) == nil:
		return &form{class: tupleClass, view: v}
	}
	return &form{class: arrayClass, view: v}
}

// uniform is the one node of all elements of a tuple, nil when they differ.
// Elements that nobody describes may follow; the engine reports those that do
// not fit the Go type as unrepresentable.
func uniform(a *rt.ArrayRules) *rt.Node {
	first := a.Prefix[0]
	for _, n := range a.Prefix[1:] {
		if !alike(n, first) {
			return nil
		}
	}
	if a.Items != nil && !a.Items.Never && !alike(a.Items, first) {
		return nil
	}
	return first
}

// tuple makes the struct of an array whose elements differ by position.
func (s *shaper) tuple(f *form, o origin) Type {
	d := s.declare(Struct, o)
	s.enter(o, d)
	s.later = append(s.later, func() { s.positions(d, f) })
	return Named{d}
}

// positions adds a field for every element of a tuple, and one for those
// behind.
func (s *shaper) positions(d *Decl, f *form) {
	rules := f.elements()
	d.Doc = append(d.Doc, ours("It is an array, its fields in order."))
	members := make([]member, len(rules.Prefix))
	for i, n := range rules.Prefix {
		required := rules.MinItems != nil && uint64(i) < *rules.MinItems
		members[i] = member{wire: strconv.Itoa(i), wants: s.positionNames(n, i), required: required, nodes: []*rt.Node{n}}
		if info := s.graph.Info(n); info != nil && info.Name == "" {
			members[i].doc = fieldWords("", info.Title, info.Description, info.Deprecated)
		}
	}
	names := s.fields(d, members)
	if rules.MaxItems != nil && *rules.MaxItems <= uint64(len(members)) || rules.Items != nil && rules.Items.Never {
		return
	}
	field := Field{Extra: true, Type: Slice{Raw}}
	names.grantAll([]wish{{"\x00extra", "", []string{"Extra", "ExtraItems", "ExtraItemsByPosition"}, func(name string) { field.Go = name }}})
	if rules.Items != nil && !silent(rules.Items) {
		field.Type = Slice{s.element(rules.Items, s.inside(d, field.Go+"Item"))}
	}
	d.Fields = append(d.Fields, field)
}

// positionNames are the names of a tuple's element: what the document calls it,
// else its position.
func (s *shaper) positionNames(n *rt.Node, i int) []string {
	position := "Item" + strconv.Itoa(i)
	said := s.component(n)
	if said == "" {
		said = s.title(n)
	}
	if name := exported(said, plain); name != "" && len(name) <= titleLimit {
		return []string{name, position}
	}
	return []string{position}
}

// alike reports whether two elements surely have one Go type.
func alike(a, b *rt.Node) bool {
	if a == b {
		return true
	}
	x, y := plainScalar(a), plainScalar(b)
	return x != nil && x == y && nullable(a) == nullable(b)
}

// plainScalar is the Go type of an inline scalar without enum, nil of others.
func plainScalar(n *rt.Node) Type {
	v := viewOf(n)
	if v.never || v.listed || len(v.unions) > 0 || !strings.Contains(n.ID, "/") {
		return nil
	}
	switch f := plainForm(v); f.class {
	case boolClass, integerClass, numberClass, stringClass:
		return f.base
	default:
		return nil
	}
}

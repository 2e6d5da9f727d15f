package schema

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"

	"github.com/openrpc-go/rpcgen/runtime/internal/scan"
)

// A tuple is an array whose elements have a meaning by position. A struct
// holds one: the field with the json tag "0" the first element, and so on; an
// inline slice holds the elements behind those.

// isTuple reports whether a struct for node's values holds a tuple.
func (b *binder) isTuple(node *Node, r *rule) bool {
	if r.mask()&TypeArray == 0 {
		return false
	}
	if rules := b.arrayRules(node); rules == nil || len(rules.Prefix) == 0 {
		return false
	}
	shape, _ := b.objectShape(node)
	return shape == nil || r.mask()&TypeObject == 0
}

func (b *binder) arrayRules(node *Node) *ArrayRules {
	if node.Array != nil {
		return node.Array
	}
	return b.arrayBelow(node)
}

// tuple binds a struct to the elements of an array.
func (b *binder) tuple(n, node *Node, r *rule, t reflect.Type) *plan {
	rules := b.arrayRules(node)
	p := &plan{kind: planTuple, wraps: true, typ: t, sendExtra: rules.Items != nil}
	members, extra, err := fieldsOf(t)
	if err != nil {
		return b.refuse(n, t, "%v", err)
	}
	for k, q := range rules.Prefix {
		name := strconv.Itoa(k)
		f, ok := members[name]
		delete(members, name)
		property := Property{Name: name, Required: rules.MinItems != nil && uint64(k) < *rules.MinItems, Node: q}
		p.fields = append(p.fields, b.field(n, t, property, f, ok))
		p.parts = append(p.parts, b.program.rule(q))
	}
	if len(members) > 0 {
		return b.refuse(n, t, "the node has no element %q", slices.Sorted(maps.Keys(members))[0])
	}
	if extra != nil {
		p.extra = b.restField(n, rules, t, *extra)
	}
	b.program.fillAll()
	return p
}

// restField binds the inline slice of the elements behind the last position.
func (b *binder) restField(n *Node, rules *ArrayRules, t reflect.Type, f reflect.StructField) *field {
	if f.Type.Kind() != reflect.Slice {
		b.refuse(n, t, "field %s must be a slice", f.Name)
		return nil
	}
	items := rules.Items
	if items == nil || items.Never {
		items = anyNode
	}
	p := &plan{kind: planSlice, typ: f.Type, rule: b.program.rule(items), elem: b.plan(items, f.Type.Elem(), false)}
	return &field{plan: p, name: f.Name, offset: f.Offset, index: f.Index[0]}
}

// applyTuple checks the value at i as a whole and then stores its elements.
func (m *machine) applyTuple(r *rule, i, depth int, ev *evaluated, p *plan, at place) int {
	end := m.apply(r, i, depth, ev, nil, place{})
	if end < 0 {
		return -1
	}
	if m.Text[i] != '[' {
		m.unfit(p, i, end)
		return -1
	}
	if !m.spend(1) {
		return -1
	}
	var rest elements
	count := 0
	for i, more := first(m.Text, i); more; count++ {
		next := m.applyPart(p, count, i, depth+1, at, &rest)
		if next < 0 {
			return -1
		}
		i, more = after(m.Text, next)
	}
	if p.extra != nil && count > len(p.fields) {
		rest.close()
	}
	return end
}

// applyPart stores element k, which starts at i and was checked before.
func (m *machine) applyPart(p *plan, k, i, depth int, at place, rest *elements) int {
	switch {
	case k < len(p.fields) && p.fields[k].plan != nil:
		f := &p.fields[k]
		return m.apply(p.parts[k], i, depth, nil, f.plan, at.field(f))
	case k < len(p.fields) || p.extra == nil:
		end, err := scan.Skip(m.Text, i)
		if err != nil {
			return m.stop(err)
		}
		return end
	case k == len(p.fields):
		rest.open(p.extra.plan, at.field(p.extra), i)
	}
	return m.apply(p.extra.plan.rule, i, depth, nil, p.extra.plan.elem, rest.next(m, i))
}

// tuple writes the fields of a struct as an array. Trailing absent ones are
// left off.
func (e *encoder) tuple(dst []byte, p *plan, at place) ([]byte, error) {
	dst, gap, err := e.inOrder(append(dst, '['), p, at)
	if err != nil || p.extra == nil || !p.sendExtra {
		return append(dst, ']'), err
	}
	rest := at.field(p.extra).value(p.extra.plan.typ)
	if rest.Len() > 0 && gap != "" {
		return dst, fmt.Errorf("schema: element %s of a %v is absent before others: a position cannot be left out", gap, p.typ)
	}
	for k := range rest.Len() {
		dst = append(dst, ',')
		if dst, err = e.value(dst, p.extra.plan.elem, placeOfValue(rest.Index(k).Addr())); err != nil {
			return dst, err
		}
	}
	return append(dst, ']'), nil
}

// shaped reports whether values of t have an inner form that only their own
// rule tells, unlike scalars.
func shaped(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer:
		return shaped(t.Elem())
	case reflect.Struct, reflect.Interface, reflect.Map:
		return true
	case reflect.Slice:
		return t.Elem().Kind() != reflect.Uint8
	default:
		return false
	}
}

// loose binds the elements behind a prefix that the node says nothing about to
// the type of those that it describes: one that does not fit it is no fault,
// and does not fit the Go type.
func (b *binder) loose(n *Node, t reflect.Type) *plan {
	return &plan{kind: planLoose, wraps: true, typ: t, rule: b.program.rule(n), elem: b.plan(n, t, false)}
}

func (m *machine) applyLoose(r *rule, i, depth int, ev *evaluated, p *plan, at place) int {
	end := m.apply(r, i, depth, ev, nil, place{})
	if end < 0 || !m.spend(1) {
		return -1
	}
	if m.apply(p.rule, i, depth, nil, p.elem, at) < 0 && m.fault == nil {
		m.unfit(p, i, end)
	}
	if m.fault != nil {
		return -1
	}
	return end
}

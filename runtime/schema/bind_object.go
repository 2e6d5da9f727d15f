package schema

import (
	"maps"
	"reflect"
	"slices"

	"github.com/openrpc-go/rpcgen/runtime/internal/scan"
)

func (b *binder) mapping(n, node *Node, r *rule, t reflect.Type) *plan {
	if t.Key().Kind() != reflect.String {
		return b.refuse(n, t, "member names are strings")
	}
	if r.mask()&TypeObject == 0 {
		return b.refuse(n, t, "its values are %s", r.mask())
	}
	shape, own := b.objectShape(node)
	p := &plan{kind: planMap, typ: t, nilIsNull: takesNull(r)}
	p.rule = b.shapeRule(node, r, &Node{Object: shape}, own)
	elem, ok := foreign(shape, t.Elem())
	if !ok || shape != nil && len(shape.Properties) > 0 && t.Elem() != rawType {
		return b.refuse(n, t, "its members have several schemas: use map[string]schema.Raw")
	}
	p.elem = b.plan(elem, t.Elem(), false)
	return p
}

// foreign returns the node of members that are no properties.
func foreign(o *ObjectRules, elem reflect.Type) (*Node, bool) {
	switch {
	case o == nil:
		return anyNode, true
	case len(o.Patterns) == 1 && o.Additional != nil && o.Additional.Never:
		return o.Patterns[0].Node, true
	case len(o.Patterns) > 0:
		return anyNode, elem == rawType
	case o.Additional != nil:
		return o.Additional, true
	default:
		return anyNode, true
	}
}

// objectShape returns the object rules of node, joined with those of the
// branches of allOf that could not be merged; own says that there are none.
func (b *binder) objectShape(node *Node) (shape *ObjectRules, own bool) {
	shape, own = node.Object, true
	if len(node.AllOf) > maxMerged {
		b.refuse(node, rawType, "allOf has more than %d branches", maxMerged)
		return shape, own
	}
	for _, branch := range node.AllOf {
		flat, _ := b.resolved(branch)
		below, _ := b.objectShape(flat)
		switch {
		case below == nil:
		case shape == nil:
			shape, own = below, false
		default:
			joined := b.program.flat.intersectObjects(loose(shape), loose(below))
			joined.Patterns = append(joined.Patterns, below.Patterns...)
			shape, own = joined, false
		}
	}
	return shape, own || node.Object != nil && shape == node.Object
}

// loose returns o as far as it says where members go: what it forbids was
// checked before.
func loose(o *ObjectRules) *ObjectRules {
	other := *o
	if other.Additional != nil && other.Additional.Never {
		other.Additional = nil
	}
	return &other
}

func (b *binder) structure(n, node *Node, r *rule, t reflect.Type) *plan {
	if r.mask()&TypeObject == 0 {
		return b.refuse(n, t, "its values are %s", r.mask())
	}
	shape, own := b.objectShape(node)
	if shape == nil {
		shape = &ObjectRules{}
	}
	p := &plan{kind: planStruct, typ: t, rule: b.shapeRule(node, r, &Node{Object: shape}, own), sendExtra: shape.AdditionalDeclared}
	members, extra, err := fieldsOf(t)
	if err != nil {
		return b.refuse(n, t, "%v", err)
	}
	for _, q := range shape.Properties {
		f, ok := members[q.Name]
		delete(members, q.Name)
		p.fields = append(p.fields, b.field(n, t, q, f, ok))
	}
	if len(members) > 0 {
		return b.refuse(n, t, "the node has no property %q", slices.Sorted(maps.Keys(members))[0])
	}
	if extra != nil {
		p.extra = b.extraField(n, shape, t, *extra)
	}
	return p
}

func (b *binder) field(n *Node, t reflect.Type, q Property, f reflect.StructField, exists bool) field {
	bound := field{name: q.Name, quoted: string(scan.AppendQuote(nil, q.Name)), optional: !q.Required}
	_, r := b.resolved(q.Node)
	constant, fixed := Constant(q.Node)
	switch {
	case !exists && q.Required && fixed:
		bound.constant = constant
	case !exists && (r.mask() == 0 && !q.Required):
	case !exists:
		b.refuse(n, t, "it has no field for property %q", q.Name)
	default:
		bound.offset, bound.index = f.Offset, f.Index[0]
		if !q.Required && !mayBeAbsent(f.Type) {
			b.refuse(n, t, "property %q is optional: field %s must be a pointer, slice, map, interface or schema.Nullable", q.Name, f.Name)
		}
		bound.plan = b.plan(q.Node, f.Type, !q.Required)
	}
	return bound
}

func mayBeAbsent(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Interface:
		return true
	default:
		return t.Implements(nullable)
	}
}

func (b *binder) extraField(n *Node, shape *ObjectRules, t reflect.Type, f reflect.StructField) *field {
	if f.Type.Kind() != reflect.Map || f.Type.Key().Kind() != reflect.String {
		b.refuse(n, t, "field %s must be a map of strings", f.Name)
		return nil
	}
	elem, ok := foreign(shape, f.Type.Elem())
	if !ok {
		b.refuse(n, t, "field %s: foreign members have several schemas: use map[string]schema.Raw", f.Name)
		return nil
	}
	if elem.Never {
		elem = anyNode
	}
	p := &plan{kind: planMap, typ: f.Type, elem: b.plan(elem, f.Type.Elem(), false)}
	return &field{plan: p, name: f.Name, offset: f.Offset, index: f.Index[0]}
}

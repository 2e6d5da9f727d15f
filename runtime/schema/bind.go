package schema

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/openrpc-go/rpcgen/runtime/internal/scan"
)

// binder makes plans. It keeps the first error and goes on with harmless
// plans, so that recursion needs no care.
type binder struct {
	program *program
	unions  *Unions
	plans   map[planKey]*plan
	err     error
}

type planKey struct {
	node *Node
	typ  reflect.Type
	opt  bool // an absent member is a nil pointer
	bare bool // inside something that takes care of null
}

var (
	rawType     = reflect.TypeFor[Raw]()
	nullType    = reflect.TypeFor[Null]()
	integerType = reflect.TypeFor[Integer]()
	decimalType = reflect.TypeFor[Decimal]()
	nullable    = reflect.TypeFor[interface{ nullable() }]()
)

func (b *binder) refuse(n *Node, t reflect.Type, format string, args ...any) *plan {
	if b.err == nil {
		b.err = fmt.Errorf("schema: Go type %v does not fit node %q: %s", t, n.ID, fmt.Sprintf(format, args...))
	}
	return &plan{kind: planRaw, wraps: true, typ: rawType}
}

// resolved returns the node that says what n's values are, and its rule.
func (b *binder) resolved(n *Node) (*Node, *rule) {
	r := b.program.rule(n)
	b.program.fillAll()
	flat := b.program.flat.node(n)
	if inner, ok := b.program.flat.nullable(flat); ok {
		flat = b.program.flat.node(inner)
	}
	return flat, r
}

// takesNull reports whether the node names null among its types.
func takesNull(r *rule) bool {
	mask := r.mask()
	return mask&TypeNull != 0 && mask != everyType
}

// plan binds t to n. optional says that a nil pointer is an absent member.
func (b *binder) plan(n *Node, t reflect.Type, optional bool) *plan {
	key := planKey{node: n, typ: t, opt: optional}
	if p, ok := b.plans[key]; ok {
		return p
	}
	p := &plan{typ: t}
	b.plans[key] = p
	*p = *b.build(p, n, t, optional)
	return p
}

// build returns what p is to hold; p itself is what recursion refers to.
func (b *binder) build(p *plan, n *Node, t reflect.Type, optional bool) *plan {
	node, r := b.resolved(n)
	switch {
	case t == rawType:
		return &plan{kind: planRaw, wraps: true, typ: t}
	case t == nullType:
		if r.mask()&TypeNull == 0 {
			return b.refuse(n, t, "null is not admitted")
		}
		return &plan{kind: planNull, typ: t}
	case t.Kind() == reflect.Pointer:
		return b.pointer(n, r, t, optional)
	case t.Implements(nullable) && t.Kind() == reflect.Struct:
		value, _ := t.FieldByName("Value")
		return &plan{kind: planNullable, wraps: true, typ: t, elem: b.bare(n, value.Type),
			value: field{offset: value.Offset, index: value.Index[0]}}
	case t.Kind() == reflect.Interface:
		return b.union(n, node, r, t)
	case optional && takesNull(r) && t.Kind() != reflect.Struct:
		return b.refuse(n, t, "an optional value that may be null needs schema.Nullable")
	case takesNull(r) && t.Kind() != reflect.Map:
		return b.refuse(n, t, "null is admitted: use a pointer or schema.Nullable")
	}
	return b.holding(n, node, r, t)
}

// bare is plan for the type inside a pointer or Nullable, which takes care of null.
func (b *binder) bare(n *Node, t reflect.Type) *plan {
	node, r := b.resolved(n)
	key := planKey{node: n, typ: t, bare: true}
	if p, ok := b.plans[key]; ok {
		return p
	}
	if t.Kind() == reflect.Interface || t == rawType || t == nullType {
		return b.plan(n, t, false)
	}
	p := &plan{typ: t}
	b.plans[key] = p
	*p = *b.holding(n, node, r, t)
	return p
}

func (b *binder) pointer(n *Node, r *rule, t reflect.Type, optional bool) *plan {
	switch {
	case optional && takesNull(r):
		return b.refuse(n, t, "an optional value that may be null needs schema.Nullable")
	case !optional && r.mask()&TypeNull == 0:
		return b.refuse(n, t, "the value is required and never null: use %v", t.Elem())
	}
	return &plan{kind: planPointer, wraps: true, typ: t, elem: b.bare(n, t.Elem())}
}

// holding binds types that hold a value and not its absence.
func (b *binder) holding(n, node *Node, r *rule, t reflect.Type) *plan {
	needs := func(kinds Types, kind planKind, bits int) *plan {
		if r.mask()&kinds == 0 {
			return b.refuse(n, t, "its values are %s", r.mask())
		}
		return &plan{kind: kind, typ: t, bits: bits}
	}
	switch t.Kind() {
	case reflect.String:
		if t == integerType || t == decimalType {
			return needs(TypeNumber|TypeInteger, planNumber, 0)
		}
		return needs(TypeString, planString, 0)
	case reflect.Bool:
		return needs(TypeBoolean, planBool, 0)
	case reflect.Int, reflect.Int64, reflect.Int32, reflect.Int16, reflect.Int8:
		return needs(TypeInteger, planInt, t.Bits())
	case reflect.Uint, reflect.Uint64, reflect.Uint32, reflect.Uint16, reflect.Uint8:
		return needs(TypeInteger, planUint, t.Bits())
	case reflect.Float64:
		return needs(TypeNumber|TypeInteger, planFloat, 0)
	case reflect.Slice:
		return b.slice(n, node, r, t)
	case reflect.Map:
		return b.mapping(n, node, r, t)
	case reflect.Struct:
		if b.isTuple(node, r) {
			return b.tuple(n, node, r, t)
		}
		return b.structure(n, node, r, t)
	default:
		return b.refuse(n, t, "no JSON value is decoded into a %v", t.Kind())
	}
}

func (b *binder) slice(n, node *Node, r *rule, t reflect.Type) *plan {
	if t.Elem().Kind() == reflect.Uint8 {
		if node.String != nil && node.String.ContentEncoding == "base64" {
			return &plan{kind: planBytes, typ: t}
		}
		if t.Name() != "" {
			return &plan{kind: planRaw, wraps: true, typ: t}
		}
	}
	if r.mask()&TypeArray == 0 {
		return b.refuse(n, t, "its values are %s", r.mask())
	}
	rules := node.Array
	if rules == nil {
		rules = b.arrayBelow(node)
	}
	p := &plan{kind: planSlice, typ: t, rule: b.shapeRule(node, r, &Node{Array: rules}, node.Array != nil)}
	items := anyNode
	if rules != nil {
		for _, q := range rules.Prefix {
			p.prefix = append(p.prefix, b.plan(q, t.Elem(), false))
		}
		if rules.Items != nil {
			items = rules.Items
		}
	}
	if items.Never && len(p.prefix) > 0 {
		p.elem = p.prefix[len(p.prefix)-1] // no element gets that far
		return p
	}
	if items == anyNode && len(p.prefix) > 0 && shaped(t.Elem()) {
		p.elem = b.loose(rules.Prefix[len(p.prefix)-1], t.Elem())
		return p
	}
	p.elem = b.plan(items, t.Elem(), false)
	return p
}

var anyNode = &Node{}

// arrayBelow finds array rules in the branches of allOf.
func (b *binder) arrayBelow(node *Node) *ArrayRules {
	for _, branch := range node.AllOf {
		flat, _ := b.resolved(branch)
		if flat.Array != nil {
			return flat.Array
		}
		if found := b.arrayBelow(flat); found != nil {
			return found
		}
	}
	return nil
}

// shapeRule returns the rule by which values are decoded: r itself where it
// has the shape, else one made of the shape alone, applied after r.
func (b *binder) shapeRule(node *Node, r *rule, shape *Node, own bool) *rule {
	if own || shape.Array == nil && shape.Object == nil {
		return r
	}
	shape.ID = node.ID
	made := b.program.rule(shape)
	b.program.fillAll()
	return made
}

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
	node, r := b.resolved(q.Node)
	switch {
	case !exists && q.Required && len(node.Enum) == 1 && !r.nullable:
		bound.constant = node.Enum[0]
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

func (b *binder) union(n, node *Node, r *rule, t reflect.Type) *plan {
	known, ok := b.unions.of(t)
	if !ok {
		return b.refuse(n, t, "the interface is no union that was given")
	}
	u := &unionPlan{branches: r.oneOf, one: true, types: known.variants}
	nodes := node.OneOf
	if r.oneOf == nil {
		u.branches, u.one, nodes = r.anyOf, false, node.AnyOf
	}
	if u.branches == nil {
		return b.refuse(n, t, "it has no variants")
	}
	for _, q := range nodes {
		if nullOnly(q) {
			u.variants = append(u.variants, -1)
			continue
		}
		k := len(u.plans)
		u.variants = append(u.variants, k)
		if k >= len(u.types) {
			return b.refuse(n, t, "it has more variants than the union's %d", len(u.types))
		}
		u.plans = append(u.plans, b.plan(q, u.types[k], false))
	}
	if len(u.plans) < len(u.types) {
		return b.refuse(n, t, "it has %d variants, the union %d", len(u.plans), len(u.types))
	}
	for _, variant := range u.types {
		u.boxes = append(u.boxes, boxOf(t, variant))
	}
	u.pure = r.blank() &&
		(r.oneOf == nil) != (r.anyOf == nil) && len(r.all) == 0 && r.not == nil && r.ifRule == nil &&
		r.unevaluatedElements == nil && r.unevaluatedMembers == nil
	return &plan{kind: planUnion, wraps: true, typ: t, rule: r, union: u, nilIsNull: r.mask()&TypeNull != 0}
}

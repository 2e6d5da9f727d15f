package schema

import (
	"fmt"
	"reflect"
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
		return &plan{kind: planNullable, wraps: true, typ: t, elem: b.held(n, value.Type),
			value: field{offset: value.Offset, index: value.Index[0]}}
	case t.Kind() == reflect.Interface:
		return b.union(n, r, t)
	case optional && takesNull(r) && t.Kind() != reflect.Struct:
		return b.refuse(n, t, "an optional value that may be null needs schema.Nullable")
	case takesNull(r) && t.Kind() != reflect.Map:
		return b.refuse(n, t, "null is admitted: use a pointer or schema.Nullable")
	}
	return b.holding(n, node, r, t)
}

// held is plan for the type inside a Nullable. A struct that may hold itself
// stands there behind a pointer, since Go has no type that holds its own value.
func (b *binder) held(n *Node, t reflect.Type) *plan {
	if t.Kind() == reflect.Pointer {
		return &plan{kind: planPointer, wraps: true, typ: t, elem: b.bare(n, t.Elem())}
	}
	return b.bare(n, t)
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

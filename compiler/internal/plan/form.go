package plan

import (
	"slices"

	rt "github.com/openrpc-go/rpcgen/runtime/schema"
)

// class is what kind of Go type a schema gets. It is decided without looking
// below properties, elements and members, so recursion is no concern.
type class uint8

const (
	rawClass class = iota // the form's reason says why
	nullClass
	boolClass
	integerClass
	numberClass
	stringClass
	enumClass // named strings or integers
	arrayClass
	tupleClass // an array whose elements differ by position
	structClass
	mapClass
	unionClass
)

// form is a schema's class and what it was decided from.
type form struct {
	class
	*view
	reason Reason     // why it is raw
	base   Type       // the scalar: of boolClass to enumClass
	live   []*rt.Node // of unionClass: what the variants are made of
	homes  []*rt.Node // beside live: the innermost union that a branch stands in
	values []string   // of enumClass: the literals, document order
	same   *rt.Node   // the form is the one of this node, which is a branch
}

// forms classifies nodes and remembers the answers.
type forms struct {
	known map[*rt.Node]*form
	bare  map[rt.Types]*form // of nodes that say nothing but their type, as most do
	open  []*rt.Node         // being classified, each below the one before
	exact map[*rt.Node]bool  // numbers that the amendment wants as exact decimals
	// Variants of unions that say something beside their branches are nodes
	// made here: made says what of.
	variants map[*rt.Node]variants
	made     map[*rt.Node]rt.Variant
}

// newForms expects to classify about so many nodes.
func newForms(nodes int) *forms {
	return &forms{
		known:    make(map[*rt.Node]*form, nodes/2),
		bare:     map[rt.Types]*form{},
		variants: map[*rt.Node]variants{}, made: map[*rt.Node]rt.Variant{},
	}
}

// exactly is the form of a number that stays an exact decimal.
func (f *forms) exactly(n *rt.Node, known *form) *form {
	if !f.exact[n] || known.class != numberClass || known.base != Float64 {
		return known
	}
	exact := *known
	exact.base = Decimal
	return &exact
}

func (f *forms) of(n *rt.Node) *form {
	if onlyType(n) && !f.exact[n] {
		return f.typed(n.Types)
	}
	if known := f.known[n]; known != nil {
		return known
	}
	if slices.Contains(f.open, n) {
		return raw(viewOf(n), ReasonAny) // references that lead back to themselves say nothing
	}
	if len(f.open) > maxLevels {
		return raw(viewOf(n), ReasonDeep)
	}
	f.open = append(f.open, n)
	known := f.exactly(n, f.classify(f.view(n), n))
	f.open = f.open[:len(f.open)-1]
	f.known[n] = known
	return known
}

// typed is the form of every node that says nothing but its type.
func (f *forms) typed(types rt.Types) *form {
	known := f.bare[types]
	if known == nil {
		n := &rt.Node{Types: types}
		known = f.classify(viewOf(n), n)
		f.bare[types] = known
	}
	return known
}

// together classifies a value that several nodes speak about.
func (f *forms) together(nodes []*rt.Node) *form {
	if nodes = essential(nodes); len(nodes) == 1 {
		return f.of(nodes[0])
	}
	return f.classify(viewOf(nodes...), &rt.Node{ID: joint(nodes), AllOf: nodes})
}

func raw(v *view, why Reason) *form { return &form{class: rawClass, view: v, reason: why} }

// view is what n says; the unions that led to a variant are settled.
func (f *forms) view(n *rt.Node) *view {
	return viewWithout(f.made[n].Decided, n)
}

// classify decides the form of a view of n.
func (f *forms) classify(v *view, n *rt.Node) *form {
	v.demand()
	switch {
	case v.never:
		return raw(v, ReasonNever)
	case v.deep:
		return raw(v, ReasonDeep)
	case v.listed:
		return enumerated(v)
	case v.types == rt.TypeNull:
		return &form{class: nullClass, view: v, base: Null}
	case len(v.unions) == 0:
		return f.plain(v, n)
	case len(v.unions) > 1:
		return f.constrained(v, n)
	default:
		return f.united(v, n)
	}
}

// plain classifies what has no branches: by its type, or as a union of its types.
func (f *forms) plain(v *view, n *rt.Node) *form {
	known := plainForm(v)
	if known.class == rawClass && known.reason == ReasonKinds {
		return f.sealed(v, n, ReasonKinds)
	}
	return known
}

// plainForm classifies by type alone. What is an object or array because it
// has members or elements is no null.
func plainForm(v *view) *form {
	kind := v.kind()
	if v.types == 0 && kind != 0 {
		v.null = false
	}
	switch kind {
	case rt.TypeBoolean:
		return &form{class: boolClass, view: v, base: Bool}
	case rt.TypeInteger:
		return &form{class: integerClass, view: v, base: v.integer()}
	case rt.TypeNumber:
		return &form{class: numberClass, view: v, base: Float64}
	case rt.TypeString:
		return &form{class: stringClass, view: v, base: v.text()}
	case rt.TypeArray:
		return v.array()
	case rt.TypeObject:
		return v.object()
	case 0:
		return raw(v, ReasonAny)
	default:
		return raw(v, ReasonKinds)
	}
}

// kind is the one type of the value, 0 when nothing says it, or several. A
// schema that names properties, describes members or elements, or bounds a text,
// and has no type, means objects, arrays or strings; the engine reports other
// legal values as unrepresentable.
func (v *view) kind() rt.Types {
	switch {
	case v.types == rt.TypeInteger|rt.TypeNumber:
		return rt.TypeNumber
	case v.types != 0:
		return v.types
	case len(v.properties) > 0 && len(v.arrays) == 0:
		return rt.TypeObject
	case v.elements() != nil && len(v.objects) == 0:
		return rt.TypeArray
	case v.described() && len(v.arrays)+len(v.strings) == 0:
		return rt.TypeObject
	case v.bounded() && len(v.arrays)+len(v.objects)+len(v.numbers) == 0:
		return rt.TypeString
	default:
		return 0
	}
}

// described reports whether a schema of members that no property names is told.
func (v *view) described() bool {
	extra := v.extra()
	return extra != nil && !extra.Never && !silent(extra)
}

// bounded reports whether only a text can break what is said.
func (v *view) bounded() bool {
	for _, s := range v.strings {
		if s.Pattern != nil || s.MinLength != nil || s.MaxLength != nil {
			return true
		}
	}
	return false
}

// elements is the one rule that says what an array holds, nil without.
func (v *view) elements() *rt.ArrayRules {
	for _, a := range v.arrays {
		if a.Items != nil || len(a.Prefix) > 0 {
			return a
		}
	}
	return nil
}

func (v *view) object() *form {
	if len(v.properties) > 0 || v.closed() {
		return &form{class: structClass, view: v}
	}
	return &form{class: mapClass, view: v}
}

// empty reports whether no member at all is admitted.
func (v *view) empty() bool { return len(v.properties) == 0 && v.closed() }

// closed reports whether no member beside the properties is admitted.
func (v *view) closed() bool {
	for _, o := range v.objects {
		if o.Additional != nil && o.Additional.Never && len(o.Patterns) == 0 {
			return true
		}
		if o.Unevaluated != nil && o.Unevaluated.Never && len(o.Patterns) == 0 && len(v.unions) == 0 {
			return true
		}
	}
	return false
}

// extra is the one schema of the members beside the properties, nil when any
// value, or not one schema, is admitted.
func (v *view) extra() *rt.Node {
	var found *rt.Node
	for _, o := range v.objects {
		if len(o.Patterns) > 1 || len(o.Patterns) == 1 && (o.Additional == nil || !o.Additional.Never) {
			return nil
		}
		node := o.Additional
		if len(o.Patterns) == 1 {
			node = o.Patterns[0].Node
		}
		if node == nil {
			continue
		}
		if found != nil && found != node {
			return nil
		}
		found = node
	}
	return found
}

// text is the Go type of a string.
func (v *view) text() Type {
	for _, s := range v.strings {
		switch {
		case s.Format == "date-time":
			return Time
		case s.ContentEncoding == "base64" && len(v.strings) == 1 && len(v.unions) == 0:
			return Slice{Byte}
		}
	}
	return String
}

package plan

import (
	"reflect"
	"slices"
	"strings"

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
	structClass
	mapClass
	unionClass
)

// form is a schema's class and what it was decided from.
type form struct {
	class
	*view
	reason Reason   // why it is raw; of an array: why its elements are
	base   Type     // the scalar: of boolClass to enumClass
	live   union    // of unionClass: the branches that admit more than null
	values []string // of enumClass: the literals, document order
	same   *rt.Node // the form is the one of this node, which is a branch
}

// forms classifies nodes and remembers the answers.
type forms struct {
	known map[*rt.Node]*form
	open  map[*rt.Node]bool // being classified
}

func newForms() *forms {
	return &forms{known: map[*rt.Node]*form{}, open: map[*rt.Node]bool{}}
}

func (f *forms) of(n *rt.Node) *form {
	if known := f.known[n]; known != nil {
		return known
	}
	if f.open[n] {
		return raw(viewOf(n), ReasonAny) // references that lead back to themselves say nothing
	}
	if len(f.open) > maxLevels {
		return raw(viewOf(n), ReasonDeep)
	}
	f.open[n] = true
	known := f.classify(viewOf(n))
	delete(f.open, n)
	f.known[n] = known
	return known
}

// together classifies a value that several nodes speak about.
func (f *forms) together(nodes []*rt.Node) *form {
	if nodes = essential(nodes); len(nodes) == 1 {
		return f.of(nodes[0])
	}
	return f.classify(viewOf(nodes...))
}

// essential leaves out nodes that say nothing beside the others: those without
// a rule, those said twice, and those that another one includes by allOf.
func essential(nodes []*rt.Node) []*rt.Node {
	if len(nodes) == 1 {
		return nodes
	}
	var kept []*rt.Node
	for i, n := range nodes {
		if !silent(n) && !slices.Contains(nodes[:i], n) && !included(n, nodes) {
			kept = append(kept, n)
		}
	}
	if len(kept) == 0 {
		return nodes[:1]
	}
	return kept
}

// silent reports whether n has no rule at all.
func silent(n *rt.Node) bool {
	bare := rt.Node{ID: n.ID, Resource: n.Resource, Sensitive: n.Sensitive, DynamicAnchor: n.DynamicAnchor}
	return reflect.DeepEqual(*n, bare)
}

// included reports whether another node has n below its allOf.
func included(n *rt.Node, nodes []*rt.Node) bool {
	for _, other := range nodes {
		if other != n && below(n, other.AllOf, map[*rt.Node]bool{other: true}) {
			return true
		}
	}
	return false
}

func below(n *rt.Node, parts []*rt.Node, seen map[*rt.Node]bool) bool {
	for _, p := range parts {
		if p == n {
			return true
		}
		if !seen[p] {
			seen[p] = true
			if below(n, p.AllOf, seen) {
				return true
			}
		}
	}
	return false
}

func raw(v *view, why Reason) *form { return &form{class: rawClass, view: v, reason: why} }

func (f *forms) classify(v *view) *form {
	v.demand()
	switch {
	case v.never:
		return raw(v, ReasonNever)
	case v.dynamic:
		return raw(v, ReasonDynamic)
	case v.deep:
		return raw(v, ReasonDeep)
	case v.listed:
		return enumerated(v)
	case v.types == rt.TypeNull:
		return &form{class: nullClass, view: v, base: Null}
	case len(v.unions) == 0:
		return plainForm(v)
	case len(v.unions) > 1:
		return f.constrained(v)
	default:
		return f.united(v)
	}
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
// schema that names properties or elements and no type means objects or
// arrays; the engine reports other legal values as unrepresentable.
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
	default:
		return 0
	}
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

func (v *view) array() *form {
	a := v.elements()
	switch {
	case a == nil:
	case len(v.arrays) > 1:
		return raw(v, ReasonAllOf)
	case len(a.Prefix) > 0 && uniform(a) == nil:
		return &form{class: arrayClass, view: v, reason: ReasonTuple}
	}
	return &form{class: arrayClass, view: v}
}

// uniform is the one node of all elements of a tuple, nil when they differ, or
// when more may follow that nobody describes.
func uniform(a *rt.ArrayRules) *rt.Node {
	first := a.Prefix[0]
	for _, n := range a.Prefix[1:] {
		if !alike(n, first) {
			return nil
		}
	}
	switch {
	case a.Items == nil && plainScalar(first) == nil, a.Items != nil && !a.Items.Never && !alike(a.Items, first):
		return nil
	default:
		return first
	}
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
	if v.never || v.listed || v.dynamic || len(v.unions) > 0 || !strings.Contains(n.ID, "/") {
		return nil
	}
	switch f := plainForm(v); f.class {
	case boolClass, integerClass, numberClass, stringClass:
		return f.base
	default:
		return nil
	}
}

func (v *view) object() *form {
	if len(v.properties) > 0 || v.closed() {
		return &form{class: structClass, view: v}
	}
	return &form{class: mapClass, view: v}
}

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

// enumerated classifies a closed list of literals.
func enumerated(v *view) *form {
	if len(v.enum) == 0 {
		if v.null {
			return &form{class: nullClass, view: v, base: Null}
		}
		return raw(v, ReasonNever)
	}
	switch literalKind(v.enum) {
	case rt.TypeString:
		if v.text() != String {
			return &form{class: stringClass, view: v, base: v.text()}
		}
		return &form{class: enumClass, view: v, base: String, values: v.enum}
	case rt.TypeInteger:
		return &form{class: enumClass, view: v, base: Int64, values: v.enum}
	case rt.TypeNumber:
		return &form{class: numberClass, view: v, base: Float64}
	case rt.TypeBoolean:
		return &form{class: boolClass, view: v, base: Bool}
	default:
		return raw(v, ReasonEnum)
	}
}

// literalKind is the one scalar type of all literals, 0 when they differ.
func literalKind(literals []string) rt.Types {
	var all rt.Types
	for _, l := range literals {
		all |= kindOfLiteral(l)
	}
	switch {
	case all == rt.TypeInteger|rt.TypeNumber:
		return rt.TypeNumber
	case all == rt.TypeString, all == rt.TypeInteger, all == rt.TypeNumber, all == rt.TypeBoolean:
		return all
	default:
		return 0
	}
}

func kindOfLiteral(l string) rt.Types {
	switch c := l[0]; {
	case c == '"':
		return rt.TypeString
	case c == 't', c == 'f':
		return rt.TypeBoolean
	case c == '{':
		return rt.TypeObject
	case c == '[':
		return rt.TypeArray
	case c == 'n':
		return rt.TypeNull
	}
	if _, ok := smallInteger(l); ok {
		return rt.TypeInteger
	}
	return rt.TypeNumber
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

// united classifies a value with one union.
func (f *forms) united(v *view) *form {
	if len(v.properties) > 0 || len(v.arrays) > 0 {
		return f.constrained(v)
	}
	u := v.unions[0]
	live := u.live()
	switch len(live) {
	case 0:
		return &form{class: nullClass, view: v, base: Null}
	case 1:
		return f.sole(v, live[0])
	}
	if scalar := f.scalars(v, live); scalar != nil {
		return scalar
	}
	if why := f.obstacle(v, live); why != "" {
		return raw(v, why)
	}
	u.branches = live
	return &form{class: unionClass, view: v, live: u}
}

// live are the branches that admit more than null.
func (u union) live() []*rt.Node {
	var out []*rt.Node
	for _, b := range u.branches {
		if !onlyNull(b) {
			out = append(out, b)
		}
	}
	return out
}

// onlyNull reports whether n says that a value is null, and nothing else.
func onlyNull(n *rt.Node) bool {
	named := n.Types == rt.TypeNull && n.Enum == nil
	listed := len(n.Enum) == 1 && n.Enum[0] == "null" && (n.Types == 0 || n.Types&rt.TypeNull != 0)
	rest := *n
	rest.Types, rest.Enum = 0, nil
	return (named || listed) && silent(&rest)
}

// sole classifies a union with one branch beside null: it is that branch, with
// null. The engine looks through "X or null" and through nothing else, so any
// other form of it is only good for scalars.
func (f *forms) sole(v *view, b *rt.Node) *form {
	sub := f.of(b)
	u := v.unions[0]
	nulls := len(u.branches) - 1
	through := u.alone && nulls > 0 && (!u.one || nulls == 1 && !sub.null)
	scalar := sub.class >= nullClass && sub.class <= enumClass && comparable(sub.base)
	switch {
	case sub.class == rawClass:
		return raw(v, sub.reason)
	case !through && !scalar:
		return raw(v, ReasonUnion)
	}
	same := *sub
	same.view = withNull(sub.view, v.null)
	same.same = b
	return &same
}

// target is the node whose Go type n shares: itself, or the one live branch.
func (f *forms) target(n *rt.Node) *rt.Node {
	for form := f.of(n); form.same != nil; form = f.of(n) {
		n = form.same
	}
	return n
}

// withNull is v with its null decided by an outer schema.
func withNull(v *view, null bool) *view {
	out := *v
	out.null = null
	return &out
}

// scalars classifies a union whose branches are all one Go scalar: no
// interface is needed, the engine checks which branches hold.
func (f *forms) scalars(v *view, branches []*rt.Node) *form {
	first := f.of(branches[0])
	var values []string
	enum := true
	for _, b := range branches {
		sub := f.of(b)
		if sub.class < boolClass || sub.class > enumClass || sub.base != first.base || !comparable(sub.base) {
			return nil
		}
		enum = enum && sub.class == enumClass
		for _, l := range sub.values {
			if !slices.Contains(values, l) {
				values = append(values, l)
			}
		}
	}
	if enum {
		return &form{class: enumClass, view: v, base: first.base, values: values}
	}
	c := map[Type]class{String: stringClass, Bool: boolClass, Float64: numberClass}[first.base]
	if c == rawClass {
		c = integerClass
	}
	if first.base == Time {
		c = stringClass
	}
	return &form{class: c, view: v, base: first.base}
}

// comparable reports whether two types of t's kind may be compared with ==.
func comparable(t Type) bool {
	_, slice := t.(Slice)
	return !slice
}

// obstacle says why the branches cannot be the variants of a sealed interface,
// "" when they can.
func (f *forms) obstacle(v *view, branches []*rt.Node) Reason {
	if v.types != 0 && !f.within(v.types, branches) {
		return ReasonKinds
	}
	if !v.unions[0].direct {
		return ReasonAllOf
	}
	seen := map[*rt.Node]bool{}
	for _, b := range branches {
		sub := f.of(b)
		if seen[f.target(b)] {
			return ReasonUnion
		}
		seen[f.target(b)] = true
		switch {
		case sub.class == rawClass:
			return sub.reason
		case sub.class == unionClass, sub.null:
			return ReasonUnion
		}
		if _, runtime := sub.base.(Runtime); runtime {
			return ReasonUnion
		}
	}
	return ""
}

// within reports whether every branch admits only the given types.
func (f *forms) within(types rt.Types, branches []*rt.Node) bool {
	for _, b := range branches {
		if kind := f.of(b).kind(); kind == 0 || meet(types, kind) != kind {
			return false
		}
	}
	return true
}

// constrained classifies a value whose unions only narrow what stands beside
// them. Unions that add members, elements or types have no Go type yet.
func (f *forms) constrained(v *view) *form {
	if len(v.properties) == 0 && len(v.arrays) == 0 && v.types == 0 {
		return raw(v, ReasonAllOf)
	}
	c := cover{view: v, left: maxParts}
	for _, u := range v.unions {
		if !c.all(u.branches) {
			return raw(v, ReasonBothSides)
		}
	}
	return plainForm(v)
}

// cover asks whether branches add no member and no element rules to a view. It
// gives up, and says no, after a number of schemas.
type cover struct {
	*view
	left int
}

func (c *cover) all(branches []*rt.Node) bool {
	for _, b := range branches {
		if c.left--; c.left < 0 || !c.one(viewOf(b)) {
			return false
		}
	}
	return true
}

func (c *cover) one(b *view) bool {
	for _, p := range b.properties {
		if _, known := c.byName[p.name]; !known {
			return false
		}
	}
	if b.elements() != nil && c.elements() == nil {
		return false
	}
	for _, u := range b.unions {
		if !c.all(u.branches) {
			return false
		}
	}
	return true
}

package plan

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	rt "github.com/openrpc-go/rpcgen/runtime/schema"
)

// structure makes the struct of an object with named members.
func (s *shaper) structure(f *form, o origin) Type {
	if o.component == "" && f.empty() {
		return Empty{}
	}
	d := s.declare(Struct, o)
	s.enter(o, d)
	s.later = append(s.later, func() { s.fill(d, f, o) })
	s.basesFirst(o.node)
	return Named{d}
}

// basesFirst makes the components that a schema includes by allOf before the
// schema is filled, whoever is met first: what lies inline in a base is named
// after the base and not after one of those that include it.
func (s *shaper) basesFirst(n *rt.Node) {
	for _, base := range n.AllOf {
		if s.component(base) != "" {
			s.later = append(s.later, func() {
				var nobody Sites
				s.typeOf([]*rt.Node{base}, place{sites: &nobody})
			})
		}
	}
}

// fill adds the fields of an object's struct.
func (s *shaper) fill(d *Decl, f *form, o origin) {
	members := make([]member, len(f.properties))
	for i, p := range f.properties {
		members[i] = member{wire: p.name, required: p.required, nodes: p.nodes, doc: s.useDoc(o, p)}
	}
	names := s.fields(d, members)
	if !f.closed() {
		d.Fields = append(d.Fields, s.extraField(f, d, names))
	}
}

// member is one member of an object on its way to a field.
type member struct {
	wire     string
	wants    []string // Go names, best first; nil for the one made of wire
	required bool
	top      bool // the schema stands at the top of a param
	nodes    []*rt.Node
	doc      Text
}

// fields adds the fields of d and returns the scope of their names. A required
// member that admits one value only has no field: the engine writes and checks
// it, and the doc comment says so.
func (s *shaper) fields(d *Decl, members []member) *scope {
	names := newScope()
	chosen := make([]string, len(members))
	wishes := make([]wish, 0, len(members))
	for i := range members {
		m := &members[i]
		if _, fixed := m.constant(); !fixed {
			wishes = append(wishes, wish{m.wire, m.wire, s.memberNames(m), func(name string) { chosen[i] = name }})
		}
	}
	names.grantAll(wishes)
	d.Fields = slices.Grow(d.Fields, len(wishes)+1) // and one for the rest
	for i := range members {
		m := &members[i]
		if literal, fixed := m.constant(); fixed {
			d.Doc = append(d.Doc, ours(fmt.Sprintf("Member %s is always %s.", strconv.QuoteToASCII(m.wire), literal)))
			continue
		}
		at := s.inside(d, chosen[i])
		at.top = m.top
		t := s.member(m.nodes, m.required, at)
		d.Fields = append(d.Fields, Field{Go: chosen[i], Wire: m.wire, Type: t, Optional: !m.required, Doc: m.doc})
	}
	return names
}

func (s *shaper) memberNames(m *member) []string {
	if m.wants != nil {
		return m.wants
	}
	return []string{s.named(m.wire)}
}

// named is named for names that a document repeats, as it does those of members.
func (s *shaper) named(text string) string {
	name, known := s.goNames[text]
	if !known {
		name = named(text)
		s.goNames[text] = name
	}
	return name
}

// constant is the only value that a required member may have.
func (m *member) constant() (literal string, fixed bool) {
	if !m.required {
		return "", false
	}
	return rt.Constant(m.nodes...)
}

// extraField keeps the members that no other field names.
func (s *shaper) extraField(f *form, d *Decl, names *scope) Field {
	field := Field{Extra: true, Type: Map{Raw}}
	names.grantAll([]wish{{"\x00extra", "", []string{"Extra", "ExtraMembers", "ExtraMembersByName"}, func(name string) { field.Go = name }}})
	if extra := f.extra(); extra != nil && !silent(extra) {
		field.Type = Map{s.element(extra, s.inside(d, field.Go+"Value"))}
	}
	return field
}

// union makes the sealed interface of a union.
func (s *shaper) union(f *form, o origin) Type {
	d := s.declare(UnionInterface, o)
	s.enter(o, d)
	s.unfilled[d] = f
	s.later = append(s.later, func() { s.variants(d) })
	return Named{d}
}

// variants gives a union its variants, once.
func (s *shaper) variants(d *Decl) {
	f := s.unfilled[d]
	if f == nil {
		return
	}
	delete(s.unfilled, d)
	names, members := newScope(), s.members(f.live)
	for i, b := range f.live {
		at := s.inside(d, s.variantName(d, names, members, b, i))
		inner := s.home(d, f.homes[i], at)
		t := s.base([]*rt.Node{b}, at)
		if v := s.wraps[b]; inner && v != nil {
			s.join(d, v)
			continue
		}
		s.join(d, s.variant(t, b, at))
	}
}

// home makes the union that a branch really stands in, where that is a component
// of its own among the branches of d: what it holds is named after it.
func (s *shaper) home(d *Decl, n *rt.Node, at place) bool {
	if n == s.origins[d].node || s.component(n) == "" || s.forms.made[s.origins[d].node].Branch != nil {
		return false
	}
	var uncounted Sites
	at.sites = &uncounted
	if inner, ok := s.typeOf([]*rt.Node{n}, at).(Named); ok {
		s.variants(inner.Decl)
	}
	return true
}

// join makes v a variant of the union d.
func (s *shaper) join(d, v *Decl) {
	o := s.origins[d]
	o.variants = append(o.variants, v)
	s.origins[v].unions = append(s.origins[v].unions, d)
}

// variant is the declared type of a branch: its own, or one that wraps it so
// that it can carry the interface's method.
func (s *shaper) variant(t Type, b *rt.Node, at place) *Decl {
	if named, ok := t.(Named); ok && named.Decl.Kind != Alias {
		return named.Decl
	}
	o := origin{key: at.owner.Of + " | " + b.ID, node: b, place: at}
	if t == (Empty{}) {
		return s.declare(Struct, o)
	}
	d := s.declare(Defined, o)
	if d.Type = t; s.underlying(t) == Time {
		d.Type = String // a type defined by schema.Time would lose its methods
	}
	s.wraps[b] = d
	return d
}

// members counts in how many of the variants a member is named.
func (s *shaper) members(variants []*rt.Node) map[string]int {
	named := map[string]int{}
	for _, b := range variants {
		for _, p := range s.forms.of(b).properties {
			named[p.name]++
		}
	}
	return named
}

// variantName names an inline branch below its union: by its title, by the
// constant or the member that tells it apart, or by its type.
func (s *shaper) variantName(d *Decl, names *scope, members map[string]int, b *rt.Node, i int) string {
	f := s.forms.of(b)
	made := s.forms.made[b]
	var wants []string
	if made.Branch != nil {
		wants = append(wants, exported(s.component(made.Branch), plain))
	}
	wants = append(wants, titleName(s.title(s.forms.said(b))), tellingConstant(f), tellingMember(f, members), f.word(), f.word()+strconv.Itoa(i+1))
	wants = slices.DeleteFunc(wants, func(name string) bool { return name == "" })
	for _, beside := range made.Beside {
		if beside != s.origins[d].node { // a union between the two
			for i, name := range wants {
				wants[i] = exported(s.component(beside), plain) + name
			}
		}
	}
	var chosen string
	names.grantAll([]wish{{fmt.Sprintf("\x00%d", i), "", wants, func(name string) { chosen = name }}})
	names.renamed = nil
	return chosen
}

// tellingConstant is the name made of the one text that is admitted, or of the
// first required string constant.
func tellingConstant(f *form) string {
	if f.class == enumClass && f.base == String && len(f.values) == 1 {
		return exported(unquote(f.values[0]), plain)
	}
	for _, p := range f.properties {
		m := member{required: p.required, nodes: p.nodes}
		literal, fixed := m.constant()
		if fixed && strings.HasPrefix(literal, `"`) {
			return exported(unquote(literal), plain)
		}
	}
	return ""
}

// tellingMember is the name of the one member that must be there, or of the only
// one, where no other variant has it: {"Ok": ...} beside {"Err": ...}.
func tellingMember(f *form, members map[string]int) string {
	if f.class != structClass {
		return ""
	}
	found, required := "", 0
	for _, p := range f.properties {
		m := member{required: p.required, nodes: p.nodes}
		if _, fixed := m.constant(); fixed {
			continue // it has no field
		}
		if p.required || len(f.properties) == 1 {
			found = p.name
			required++
		}
	}
	if required != 1 || members[found] != 1 {
		return ""
	}
	return exported(found, plain)
}

// word says in Go words what the form holds.
func (f *form) word() string {
	switch f.class {
	case boolClass:
		return "Boolean"
	case integerClass:
		return "Integer"
	case numberClass:
		return "Number"
	case stringClass:
		return "String"
	case enumClass:
		return "Choice"
	case arrayClass:
		return "List"
	case tupleClass:
		return "Tuple"
	case mapClass:
		return "Map"
	default:
		return "Object"
	}
}

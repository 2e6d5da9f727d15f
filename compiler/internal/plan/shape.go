package plan

import (
	"strconv"
	"strings"

	"github.com/openrpc-go/rpcgen/compiler/schema"
	rt "github.com/openrpc-go/rpcgen/runtime/schema"
)

// shaper turns nodes into Go types. Names come later: a declaration is made
// with its origin, and the namer gives names to those that are in use.
type shaper struct {
	graph    *schema.Graph
	goNames  map[string]string // of members, by what the document calls them
	forms    *forms
	types    map[string]Type  // by key; without null
	byTitle  map[string]*Decl // by title and likeness
	open     map[string]*Decl // inline arrays and maps being built
	origins  map[*Decl]*origin
	likeness *likeness
	later    []func()           // fills declarations that were made and are empty yet
	unfilled map[*Decl]*form    // unions without their variants yet
	wraps    map[*rt.Node]*Decl // what wraps a branch, in the union it stands in
}

// settle fills declarations until none is empty. It is a loop, not a
// recursion: a chain of components may be as long as the document.
func (s *shaper) settle() {
	for len(s.later) > 0 {
		fill := s.later[len(s.later)-1]
		s.later = s.later[:len(s.later)-1]
		fill()
	}
}

// origin is where a declaration comes from.
type origin struct {
	key       string // unique
	node      *rt.Node
	component string // "" for an inline schema
	title     string // the name that the title of an inline schema makes, "" for none
	shared    bool   // schemas of one title in several places have the type
	prefix    string // stands in names of inline types instead of the type's own name
	place     place
	unions    []*Decl  // interfaces that the type is a variant of
	sites     Sites    // of the types written in this declaration
	values    []string // of an enum
	variants  []*Decl  // of a union
	held      bool     // an inline array or map that holds itself
}

// place is where a type is used: under a declaration, or at the top of a
// method with the name that says so.
type place struct {
	owner *Decl
	name  string // Go words below the owner; the whole name without owner
	top   bool
	sites *Sites
}

// under is the place one step deeper.
func (p place) under(name string) place {
	p.name += name
	p.top = false
	return p
}

func newShaper(g *schema.Graph) *shaper {
	s := &shaper{
		graph: g, forms: newForms(g.Len()), goNames: map[string]string{},
		types: make(map[string]Type, g.Len()/4), byTitle: map[string]*Decl{}, open: map[string]*Decl{}, origins: map[*Decl]*origin{},
		unfilled: map[*Decl]*form{}, wraps: map[*rt.Node]*Decl{},
	}
	s.likeness = newLikeness(s.component)
	return s
}

func (s *shaper) component(n *rt.Node) string {
	if info := s.graph.Info(n); info != nil {
		return info.Name
	}
	return ""
}

// member is the Go type of a value that is present or absent as a member.
func (s *shaper) member(nodes []*rt.Node, required bool, at place) Type {
	base, null := s.base(nodes, at), s.null(nodes)
	switch under := s.underlying(base); {
	case under == Raw:
		return base
	case required && !null, !required && !null && bare(under):
		return base
	case !required && !null:
		return Pointer{base}
	case !required:
		return Nullable{base}
	default:
		return orNull(base, under)
	}
}

// element is the Go type of a value that is always there: an array's element,
// a map's value, a result.
func (s *shaper) element(n *rt.Node, at place) Type {
	return s.member([]*rt.Node{n}, true, at)
}

// orNull adds null to a type that is always there.
func orNull(base, under Type) Type {
	switch under := under.(type) {
	case Slice, Map:
		return Nullable{base}
	case Named:
		if under.Decl.Kind == UnionInterface {
			return base
		}
	}
	if under == Null {
		return base
	}
	return Pointer{base}
}

// bare reports whether nil of the type can stand for absence.
func bare(under Type) bool {
	switch t := under.(type) {
	case Slice, Map:
		return true
	case Named:
		return t.Decl.Kind == UnionInterface
	default:
		return false
	}
}

// underlying looks through names of scalars, slices and maps.
func (s *shaper) underlying(t Type) Type {
	for {
		named, ok := t.(Named)
		if !ok || named.Decl.Type == nil {
			return t
		}
		t = named.Decl.Type
	}
}

func (s *shaper) null(nodes []*rt.Node) bool { return s.forms.together(nodes).null }

// base is the Go type of the nodes' common value without null. It counts the
// place as one site.
func (s *shaper) base(nodes []*rt.Node, at place) Type {
	t := s.typeOf(nodes, at)
	at.sites.Types++
	if s.underlying(t) == Raw {
		why := s.forms.together(nodes).reason
		at.sites.Raw = append(at.sites.Raw, RawSite{Schema: nodes[0].ID, Reason: why})
	}
	return t
}

func (s *shaper) typeOf(nodes []*rt.Node, at place) Type {
	nodes = essential(nodes)
	if t := s.basic(nodes); t != nil {
		return t
	}
	key := joint(nodes)
	if t, ok := s.types[key]; ok {
		return t
	}
	if d := s.open[key]; d != nil {
		s.origins[d].held = true
		return Named{d}
	}
	t := s.make(nodes, key, at)
	s.types[key] = t
	return t
}

// basic is the type of an inline scalar, which nothing else has to know of: nil
// for all others.
func (s *shaper) basic(nodes []*rt.Node) Type {
	if len(nodes) > 1 {
		return nil
	}
	switch f := s.forms.of(nodes[0]); f.class {
	case boolClass, integerClass, numberClass, stringClass:
		if f.same == nil && s.component(nodes[0]) == "" {
			return f.base
		}
	}
	return nil
}

// joint is the key of the type that nodes make together; one node's id is
// unique within a contract. Document text is in the ids, so those of several
// are quoted, behind a mark that no id begins with.
func joint(nodes []*rt.Node) string {
	if len(nodes) == 1 && !strings.HasPrefix(nodes[0].ID, together) {
		return nodes[0].ID
	}
	key := together
	for _, n := range nodes {
		key += " " + strconv.Quote(n.ID)
	}
	return key
}

const together = "all of"

func (s *shaper) make(nodes []*rt.Node, key string, at place) Type {
	f := s.forms.together(nodes)
	o := origin{key: key, node: nodes[0], place: at}
	if len(nodes) > 1 {
		return s.build(f, o)
	}
	o.component = s.component(nodes[0])
	if f.same != nil && (o.component == "" || s.component(f.same) != "") {
		return s.typeOf([]*rt.Node{f.same}, at)
	}
	if o.component == "" {
		o.title = s.titleOf(nodes[0])
	}
	shared := s.titled(f, &o)
	if shared == "" {
		return s.build(f, o)
	}
	if d := s.byTitle[shared]; d != nil {
		s.origins[d].shared = true
		return Named{d}
	}
	t := s.build(f, o)
	s.byTitle[shared] = t.(Named).Decl
	return t
}

func (s *shaper) title(n *rt.Node) string {
	if info := s.graph.Info(n); info != nil {
		return info.Title
	}
	return ""
}

// declare makes a declaration and remembers where it comes from.
func (s *shaper) declare(kind Kind, o origin) *Decl {
	d := &Decl{Kind: kind, Of: o.key}
	s.origins[d] = &o
	return d
}

// inside is the place of what a declaration holds.
func (s *shaper) inside(d *Decl, name string) place {
	return place{owner: d, name: name, sites: &s.origins[d].sites}
}

// build makes the type of a form.
func (s *shaper) build(f *form, o origin) Type {
	switch f.class {
	case rawClass:
		return s.alias(Raw, o)
	case nullClass:
		return Null
	case boolClass, integerClass, numberClass, stringClass:
		return s.scalar(f.base, o)
	case enumClass:
		return s.enum(f, o)
	case arrayClass:
		return s.array(f, o)
	case tupleClass:
		return s.tuple(f, o)
	case mapClass:
		return s.mapping(f, o)
	case structClass:
		return s.structure(f, o)
	case unionClass:
		return s.union(f, o)
	default:
		panic("plan: unknown class")
	}
}

// scalar names the scalars of components, so that signatures stay readable.
func (s *shaper) scalar(base Type, o origin) Type {
	if _, basic := base.(Basic); !basic {
		return s.alias(base, o)
	}
	if o.component == "" {
		return base
	}
	d := s.declare(Defined, o)
	d.Type = base
	return Named{d}
}

// alias names a type that has methods or an identity of its own: a defined
// type would lose them.
func (s *shaper) alias(base Type, o origin) Type {
	if o.component == "" {
		return base
	}
	d := s.declare(Alias, o)
	d.Type = base
	return Named{d}
}

func (s *shaper) enum(f *form, o origin) Type {
	o.values = f.values
	d := s.declare(Enum, o)
	d.Type = f.base
	return Named{d}
}

func (s *shaper) array(f *form, o origin) Type {
	return s.container(o, "Item", Slice{}, func(at place) Type {
		rules := f.elements()
		switch {
		case rules == nil:
			return Slice{Raw} // elements that nobody describes
		case len(rules.Prefix) > 0:
			return Slice{s.element(uniform(rules), at)}
		default:
			return Slice{s.element(rules.Items, at)}
		}
	})
}

func (s *shaper) mapping(f *form, o origin) Type {
	return s.container(o, "Value", Map{}, func(at place) Type {
		extra := f.extra()
		if extra != nil {
			return Map{s.element(extra, at)}
		}
		return Map{Raw} // members that nobody describes
	})
}

// container makes an array or map. A component gets a name; an inline one only
// when it holds itself. Hollow tells those who meet it on the way what it is.
func (s *shaper) container(o origin, part string, hollow Type, content func(place) Type) Type {
	d := s.declare(Defined, o)
	d.Type = hollow
	s.enter(o, d)
	if o.component != "" {
		s.later = append(s.later, func() { d.Type = content(s.inside(d, part)) })
		return Named{d}
	}
	inner := o.place.under(part)
	inner.sites = &s.origins[d].sites
	d.Type = content(inner)
	delete(s.open, o.key)
	if s.origins[d].held {
		return Named{d}
	}
	o.place.sites.add(s.origins[d].sites)
	delete(s.origins, d)
	return d.Type
}

// enter makes a declaration known while what it holds is being built.
func (s *shaper) enter(o origin, d *Decl) {
	if o.component != "" || d.Kind != Defined {
		s.types[o.key] = Named{d}
	} else {
		s.open[o.key] = d
	}
}

func (s *Sites) add(more Sites) {
	s.Types += more.Types
	s.Raw = append(s.Raw, more.Raw...)
}

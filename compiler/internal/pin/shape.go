package pin

import (
	"fmt"
	"slices"

	"github.com/openrpc-go/rpcgen/compiler/schema"
	"github.com/openrpc-go/rpcgen/runtime/canonical"
	rt "github.com/openrpc-go/rpcgen/runtime/schema"
)

// shapes finds the digests of schemas of one side. Two schemas have one digest
// when they are the same but for
//
//   - key order, white space, number spelling, and JSON or YAML;
//   - where a part stands: inline, behind references, in a component of any name,
//     shared or copied, a recursion folded or unrolled;
//   - words, tags and x- members, and in a result the default;
//   - the order of type, enum, required, allOf and oneOf, and repeats in them
//     (oneOf apart, where a repeat refuses);
//   - const or an enum of one; integer or number beside number;
//   - the spelling of "null as well": a list of types, an enum, a oneOf or anyOf
//     with null among its branches, nullable;
//   - branches that say nothing: an allOf or anyOf of one, true in an allOf, an
//     allOf within an allOf, a branch of allOf or anyOf that is there already;
//   - the border of an integer: above 3, from 4, from 3.5;
//   - additionalProperties true or {}, and readOnly or writeOnly false.
//
// Whatever else differs has another digest, though it may admit the same values.
type shapes struct {
	graph  *schema.Graph
	side   side
	index  map[*rt.Node]int
	leaves leaves
	forms  []*form
	sums   []canonical.Sum // of the forms, once settled
	reader reader
}

// form is a schema as far as it is the schema's own: a wrapper, that says how
// a value is used and whether it may be null as well, around the rules or
// around another form.
type form struct {
	node  *rt.Node
	usage []string // default, readOnly, keywords that nobody knows; in order

	nullable bool
	rules    []string
	links    []link
	// union and all are the branches of anyOf or oneOf, and of allOf.
	anyOf, oneOf, all []int

	// instead is the form that this one is but another spelling of, apart from
	// usage and nullable; -1 when it has rules of its own.
	instead int
	settled bool
}

// link leads to a schema below.
type link struct {
	label string
	to    int
}

func newShapes(g *schema.Graph, s side) *shapes {
	made := &shapes{graph: g, side: s, index: map[*rt.Node]int{}}
	made.reader.shapes = made
	made.leaves = leaves{reader: reader{shapes: made}, known: map[*rt.Node]int{}, saying: map[string]int{}}
	return made
}

// add adds a schema and all that it reaches, and returns its form's number.
func (s *shapes) add(n *rt.Node) int {
	first := s.number(n)
	for i := first; i < len(s.forms); i++ { // numbering a child adds it at the end
		if s.forms[i].instead == unread {
			s.read(s.forms[i])
		}
	}
	return first
}

const (
	own    = -1
	unread = -2
)

func (s *shapes) number(n *rt.Node) int {
	i, ok := s.index[n]
	if !ok {
		i = len(s.forms)
		s.index[n] = i
		s.forms = append(s.forms, &form{node: n, instead: unread})
	}
	return i
}

// sum returns the digest of a schema that was added before settle.
func (s *shapes) sum(n *rt.Node) string {
	return s.sums[s.index[n]].String()
}

// maxRounds bounds how often equal branches are looked for. Each round finds
// those that the last one made equal, so only branches that are equal in more
// than this many steps, one within the other, are taken for different.
const maxRounds = 8

// settle fixes the digests of everything that was added.
func (s *shapes) settle() {
	for range maxRounds {
		s.simplify()
		s.sums = s.digests()
		if !s.dropRepeats() {
			return
		}
	}
	s.simplify()
	s.sums = s.digests()
}

// dropRepeats takes branches out of allOf and anyOf that have the digest of an
// earlier one, and reports whether there were any.
func (s *shapes) dropRepeats() bool {
	dropped := false
	for _, f := range s.forms {
		for _, branches := range []*[]int{&f.all, &f.anyOf} {
			seen := make(map[canonical.Sum]bool, len(*branches))
			kept := slices.DeleteFunc(slices.Clone(*branches), func(b int) bool {
				again := seen[s.sums[b]]
				seen[s.sums[b]] = true
				return again
			})
			if len(kept) < len(*branches) {
				*branches, dropped = kept, true
			}
		}
	}
	return dropped
}

// simplify decides for every form whether it is another spelling of one of its
// branches.
func (s *shapes) simplify() {
	for _, f := range s.forms {
		f.settled = false
	}
	for i := range s.forms {
		s.settleForm(i)
	}
}

// settleForm settles the branches of a form and then the form. Branches apply
// to the same value, and a schema that leads back to itself that way has been
// refused, so this ends; should one slip through, it is left as it is.
func (s *shapes) settleForm(i int) {
	f := s.forms[i]
	if f.settled {
		return
	}
	f.settled = true
	for _, branches := range [][]int{f.all, f.anyOf, f.oneOf} {
		for _, b := range branches {
			s.settleForm(b)
		}
	}
	s.intersect(f)
	s.pullNull(f)
	s.replace(f)
}

// plain reports whether f says nothing but its branches.
func (f *form) plain() bool {
	return f.instead == own && len(f.rules) == 0 && len(f.links) == 0
}

// anything reports whether a form admits every value and says no more.
func (s *shapes) anything(i int) bool {
	f := s.forms[s.through(i)]
	return f.plain() && len(f.usage) == 0 && !f.nullable && len(f.all)+len(f.anyOf)+len(f.oneOf) == 0
}

// through follows forms that are nothing but another spelling.
func (s *shapes) through(i int) int {
	for {
		f := s.forms[i]
		if f.instead < 0 || f.nullable || len(f.usage) > 0 {
			return i
		}
		i = f.instead
	}
}

// maxFlat is how many branches a flattened allOf may have; a longer one stays
// nested as it is written.
const maxFlat = 32

// intersect flattens allOf: true says nothing, an allOf within it says what
// its own branches say, and the same branch twice says what it says once.
func (s *shapes) intersect(f *form) {
	if flat := s.distinct(f.all, true); len(flat) <= maxFlat {
		f.all = flat
	} else {
		f.all = s.distinct(f.all, false)
	}
}

// distinct returns the branches of an allOf without those that say nothing and
// without repeats, with the branches of inner ones in their place if asked to.
func (s *shapes) distinct(branches []int, flatten bool) []int {
	var out []int
	seen := map[int]bool{}
	keep := func(b int) {
		if !seen[b] && !s.anything(b) {
			out = append(out, b)
		}
		seen[b] = true
	}
	for _, b := range branches {
		b = s.through(b)
		if !flatten || !s.onlyIntersects(b) {
			keep(b)
			continue
		}
		for _, inner := range s.forms[b].all { // flat already
			keep(s.through(inner))
		}
		if len(out) > maxFlat {
			return out
		}
	}
	return out
}

// onlyIntersects reports whether a form says nothing but its allOf.
func (s *shapes) onlyIntersects(i int) bool {
	f := s.forms[i]
	return f.plain() && !f.nullable && len(f.usage) == 0 && len(f.all) > 0 && len(f.anyOf)+len(f.oneOf) == 0
}

// pullNull takes null out of a union that says nothing else: "X or null" is
// what the type list [X, null] says. Under oneOf that holds only if just one
// branch admits null: two that do refuse it.
func (s *shapes) pullNull(f *form) {
	branches := &f.anyOf
	if len(f.oneOf) > 0 {
		branches = &f.oneOf
	}
	if !f.plain() || len(f.all) > 0 || len(f.anyOf) > 0 && len(f.oneOf) > 0 || len(*branches) == 0 {
		return
	}
	var rest []int
	nulls := 0
	for _, b := range *branches {
		b = s.through(b)
		switch {
		case s.isNull(b):
			nulls++
		case s.onlyNullable(b):
			nulls++
			rest = append(rest, s.withoutNull(b))
		case len(f.oneOf) > 0 && !s.refusesNull(b):
			return
		default:
			rest = append(rest, b)
		}
	}
	if nulls == 0 || len(f.oneOf) > 0 && nulls > 1 {
		return
	}
	if len(rest) == 0 { // null or null
		f.anyOf, f.oneOf = nil, nil
		f.rules = []string{nullRule}
		return
	}
	*branches = rest
	f.nullable = true
}

const nullRule = `type ["null"]`

func (s *shapes) isNull(i int) bool {
	f := s.forms[i]
	return f.instead == own && !f.nullable && len(f.usage) == 0 && slices.Equal(f.rules, []string{nullRule}) &&
		len(f.links)+len(f.all)+len(f.anyOf)+len(f.oneOf) == 0
}

// onlyNullable reports whether a form is "null as well" around something.
func (s *shapes) onlyNullable(i int) bool {
	f := s.forms[i]
	return f.nullable && len(f.usage) == 0
}

// withoutNull returns the form that a nullable one is around.
func (s *shapes) withoutNull(i int) int {
	f := s.forms[i]
	if f.instead >= 0 {
		return f.instead
	}
	bare := *f
	bare.nullable, bare.settled = false, true
	s.forms = append(s.forms, &bare)
	return len(s.forms) - 1
}

// replace notes that a form of one branch and nothing else is that branch.
func (s *shapes) replace(f *form) {
	if !f.plain() || len(f.all)+len(f.anyOf)+len(f.oneOf) != 1 {
		return
	}
	only := slices.Concat(f.all, f.anyOf, f.oneOf)[0]
	f.instead = s.through(only)
	f.all, f.anyOf, f.oneOf = nil, nil, nil
	if inner := s.forms[f.instead]; inner.nullable {
		f.nullable = false // it says so already
	}
}

// refusesNull reports whether a form surely refuses null.
func (s *shapes) refusesNull(i int) bool {
	f := s.forms[i]
	if f.nullable {
		return false
	}
	if f.instead >= 0 {
		return s.refusesNull(f.instead)
	}
	if refusesNull(f.node) || slices.ContainsFunc(f.all, s.refusesNull) {
		return true
	}
	return s.allRefuseNull(f.anyOf) || s.allRefuseNull(f.oneOf)
}

func (s *shapes) allRefuseNull(branches []int) bool {
	return len(branches) > 0 && !slices.ContainsFunc(branches, func(b int) bool { return !s.refusesNull(b) })
}

// digests returns the digest of every form.
func (s *shapes) digests() []canonical.Sum {
	var g canonical.Graph
	nodes := make([]int, len(s.forms)) // of the form with its wrapper
	bodies := make([]int, len(s.forms))
	for i, f := range s.forms {
		nodes[i], bodies[i] = unread, unread
		if f.instead == own {
			bodies[i] = g.Add(listed(f.rules))
			nodes[i] = bodies[i]
		}
		if f.nullable || len(f.usage) > 0 {
			nodes[i] = g.Add([]byte(fmt.Sprintf("usage %v %s", f.nullable, list(f.usage...))))
		}
	}
	at := func(i int) int { return nodes[s.through(i)] }
	for i, f := range s.forms {
		if nodes[i] != bodies[i] {
			around := bodies[i]
			if f.instead >= 0 {
				around = at(f.instead)
			}
			g.Link(nodes[i], "of", around)
		}
		if f.instead == own {
			s.link(&g, bodies[i], f, at)
		}
	}
	sums := g.Digests("schema")
	out := make([]canonical.Sum, len(s.forms))
	for i := range s.forms {
		out[i] = sums[at(i)]
	}
	return out
}

// link adds the edges of a form: those of allOf and oneOf in no order, those of
// anyOf in the order in which they are tried.
func (s *shapes) link(g *canonical.Graph, from int, f *form, at func(int) int) {
	for _, l := range f.links {
		if l.label == additional && s.anything(l.to) {
			continue // true says what leaving it out says
		}
		g.Link(from, l.label, at(l.to))
	}
	for _, b := range f.all {
		g.Link(from, "allOf", at(b))
	}
	for i, b := range f.anyOf {
		g.Link(from, fmt.Sprintf("anyOf %d", i), at(b))
	}
	for _, b := range f.oneOf {
		g.Link(from, "oneOf", at(b))
	}
}

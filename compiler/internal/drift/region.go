package drift

import (
	"slices"
	"strings"

	"github.com/openrpc-go/rpcgen/runtime/schema"
)

// region is what belongs together in a report: a type, or the request or the
// response of a method, down to the types below it.
type region struct {
	changes []Change
	inner   []*unit // types below it that differ
	seen    map[[2]*schema.Node]bool
}

func newRegion() *region { return &region{seen: map[[2]*schema.Node]bool{}} }

func (r *region) add(c Change) { r.changes = append(r.changes, c) }

// unit is a pair of types that differ.
type unit struct {
	region
	was, now *schema.Node
	found    *Part
}

// unit returns the comparison of two types, made once.
func (c *comparer) unit(was, now *schema.Node) *unit {
	key := [2]sum{c.sums[was], c.sums[now]}
	if u := c.units[key]; u != nil {
		return u
	}
	u := &unit{region: *newRegion(), was: was, now: now}
	c.units[key] = u // before its parts: a recursive type leads back here
	c.node(&u.region, was, now, "")
	return u
}

// part returns the part that the unit's changes belong to. Types that are
// spelled alike and changed alike, wherever they stand, are one part.
func (u *unit) part(c *comparer) *Part {
	if u.found != nil {
		return u.found
	}
	key := u.key()
	u.found = c.byKey[key]
	if u.found == nil {
		u.found = &Part{Type: u.now.ID, Changes: slices.Clone(u.changes)}
		c.byKey[key] = u.found
		c.parts = append(c.parts, u.found)
	}
	u.found.Copies = append(u.found.Copies, u.now.ID)
	return u.found
}

func (u *unit) key() string {
	var b strings.Builder
	b.WriteString("type ")
	if named(u.now) {
		b.WriteString(u.now.ID)
	} else if u.was.Object != nil {
		b.WriteString(names(memberNames(u.was)))
	}
	for _, change := range u.changes {
		b.WriteString("\n" + change.fingerprint())
	}
	return b.String()
}

// fingerprint tells changes apart that are not the same.
func (c Change) fingerprint() string {
	what := c.changed
	if what == "" {
		what = c.Was.Text + "\x00" + c.Now.Text
	}
	return strings.Join([]string{string(c.Kind), c.Path, c.Name, what, c.order}, "\x00")
}

// isType reports whether a node is told as a type of its own.
func isType(n *schema.Node) bool {
	return named(n) || n.Object != nil && len(n.Object.Properties) > 0
}

// below compares two schemas at path, which may be types of their own.
func (c *comparer) below(r *region, was, now *schema.Node, path string) {
	switch {
	case c.sums[was] == c.sums[now]:
	case isType(was) && isType(now):
		r.inner = append(r.inner, c.unit(was, now))
	default:
		c.node(r, was, now, path)
	}
}

// node compares two schemas rule by rule.
func (c *comparer) node(r *region, was, now *schema.Node, path string) {
	pair := [2]*schema.Node{was, now}
	if c.sums[was] == c.sums[now] || r.seen[pair] {
		return
	}
	r.seen[pair] = true
	for _, k := range keywords {
		if k.name == "enum" && len(was.Enum) > 0 && len(now.Enum) > 0 {
			r.enum(path, was, now)
			continue
		}
		r.value(k.name, path, End{was.ID, k.value(was)}, End{now.ID, k.value(now)})
	}
	r.annotations(path, was.ID, now.ID, was.Annotations, now.Annotations)
	c.members(r, "properties", path, was, now)
	c.nested(r, path, was, now)
	for _, b := range []struct {
		keyword  string
		was, now []*schema.Node
	}{{"allOf", was.AllOf, now.AllOf}, {"anyOf", was.AnyOf, now.AnyOf}, {"oneOf", was.OneOf, now.OneOf}} {
		c.branches(r, b.keyword, path, b.was, b.now)
	}
}

// value records what became of a rule.
func (r *region) value(name, path string, was, now End) {
	switch {
	case was.Text == now.Text:
	case was.Text == "":
		r.add(Change{Kind: KeywordAdded, Path: path, Name: name, Was: End{Node: was.Node}, Now: now})
	case now.Text == "":
		r.add(Change{Kind: KeywordRemoved, Path: path, Name: name, Was: was, Now: End{Node: now.Node}})
	default:
		r.add(Change{Kind: KeywordChanged, Path: path, Name: name, Was: was, Now: now})
	}
}

// annotations records what became of keywords that change no verdict.
func (r *region) annotations(path, was, now string, before, after []schema.Annotation) {
	value := func(list []schema.Annotation, name string) string {
		if i := slices.IndexFunc(list, func(a schema.Annotation) bool { return a.Name == name }); i >= 0 {
			return list[i].Value
		}
		return ""
	}
	for _, a := range after {
		r.value(a.Name, path, End{was, value(before, a.Name)}, End{now, a.Value})
	}
	for _, a := range before {
		if value(after, a.Name) == "" {
			r.value(a.Name, path, End{was, a.Value}, End{Node: now})
		}
	}
}

// enum records the values that came and went.
func (r *region) enum(path string, was, now *schema.Node) {
	if added := without(now.Enum, was.Enum); len(added) > 0 {
		r.add(Change{Kind: KeywordAdded, Path: path, Name: "enum value", Was: End{Node: was.ID}, Now: End{now.ID, list(added)}})
	}
	if removed := without(was.Enum, now.Enum); len(removed) > 0 {
		r.add(Change{Kind: KeywordRemoved, Path: path, Name: "enum value", Was: End{was.ID, list(removed)}, Now: End{Node: now.ID}})
	}
}

// without returns the values that are not among others.
func without(values, others []string) []string {
	known := make(map[string]bool, len(others))
	for _, v := range others {
		known[v] = true
	}
	return slices.DeleteFunc(slices.Clone(values), func(v string) bool { return known[v] })
}

// members compares the properties of two objects by name.
func (c *comparer) members(r *region, keyword, path string, was, now *schema.Node) {
	before, after := properties(was), properties(now)
	old := make(map[string]schema.Property, len(before))
	for _, p := range before {
		old[p.Name] = p
	}
	for _, p := range after {
		at := join(path, keyword, p.Name)
		q, ok := old[p.Name]
		delete(old, p.Name)
		if !ok {
			r.add(c.member(MemberAdded, at, p, End{Node: was.ID}, end(p.Node)))
			continue
		}
		if p.Required != q.Required {
			r.add(flip(p.Required, at, p.Name, q.Node, p.Node))
		}
		c.below(r, q.Node, p.Node, at)
	}
	for _, p := range before {
		if _, gone := old[p.Name]; gone {
			r.add(c.member(MemberRemoved, join(path, keyword, p.Name), p, end(p.Node), End{Node: now.ID}))
		}
	}
}

func properties(n *schema.Node) []schema.Property {
	if n.Object == nil {
		return nil
	}
	return n.Object.Properties
}

func (c *comparer) member(kind Kind, at string, p schema.Property, was, now End) Change {
	for _, e := range []*End{&was, &now} {
		if e.Text != "" {
			e.Text = requirement(p.Required) + " " + e.Text
		}
	}
	sum := c.sums[p.Node]
	return Change{Kind: kind, Path: at, Name: p.Name, Was: was, Now: now, changed: requirement(p.Required) + string(sum[:])}
}

func flip(required bool, at, name string, was, now *schema.Node) Change {
	kind := BecameOptional
	if required {
		kind = BecameRequired
	}
	return Change{
		Kind: kind, Path: at, Name: name,
		Was: End{was.ID, requirement(!required)}, Now: End{now.ID, requirement(required)},
	}
}

func requirement(required bool) string {
	if required {
		return "required"
	}
	return "optional"
}

// nested compares the schemas below a node that a keyword and a name find,
// properties and branches apart.
func (c *comparer) nested(r *region, path string, was, now *schema.Node) {
	old := map[string]edge{}
	for _, e := range edges(was) {
		if e.other() {
			old[e.keyword+" "+e.name] = e
		}
	}
	for _, e := range edges(now) {
		if !e.other() {
			continue
		}
		key, at := e.keyword+" "+e.name, join(path, e.keyword, e.name)
		before, ok := old[key]
		delete(old, key)
		if ok {
			c.below(r, before.to, e.to, at)
			continue
		}
		r.add(c.part(KeywordAdded, e, at, End{Node: was.ID}, end(e.to)))
	}
	for _, e := range edges(was) {
		if _, gone := old[e.keyword+" "+e.name]; e.other() && gone {
			r.add(c.part(KeywordRemoved, e, join(path, e.keyword, e.name), end(e.to), End{Node: now.ID}))
		}
	}
}

func (e edge) other() bool {
	return !slices.Contains([]string{"properties", "allOf", "anyOf", "oneOf"}, e.keyword)
}

func (c *comparer) part(kind Kind, e edge, at string, was, now End) Change {
	name := e.keyword
	if e.name != "" {
		name += " " + e.name
	}
	sum := c.sums[e.to]
	return Change{Kind: kind, Path: at, Name: name, Was: was, Now: now, changed: string(sum[:])}
}

// join appends steps to a JSON pointer; an empty name is no step.
func join(path, keyword, name string) string {
	path += "/" + keyword
	if name != "" {
		path += "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
	}
	return path
}

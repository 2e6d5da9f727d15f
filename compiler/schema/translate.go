package schema

import (
	"slices"
	"sort"
	"strings"

	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
	rt "github.com/openrpc-go/rpcgen/runtime/schema"
)

// translation fills one node from one schema.
type translation struct {
	graph  *Graph
	entry  *entry
	node   *rt.Node
	source *source.Node
	scope  *scope
	rules  *rules
}

func (t *translation) run() {
	switch {
	case t.rules.fault != nil:
		t.add(*t.rules.fault)
	case t.source.Kind == source.Object:
		t.object()
	case t.source.Kind == source.Bool:
		t.boolean()
	default:
		t.add(diag.At(t.source, CodeNoSchema, "found %s where a schema is expected", kindName(t.source)).
			WithAdvice("a schema is an object"))
	}
	if t.entry.own.HasErrors() {
		t.entry.refuse()
	}
}

// boolean is the schema true or false. The dialects without it have it under
// additionalProperties and additionalItems, where the parent allows it.
func (t *translation) boolean() {
	t.node.Never = t.source.Text == "false"
	if t.rules.booleans() {
		return
	}
	up := t.source.Parent
	if up != nil && (up.Get("additionalProperties") == t.source || up.Get("additionalItems") == t.source) {
		return
	}
	d := diag.At(t.source, CodeNoSchema, "%s has no schema %s here", t.rules, t.source.Text)
	if t.node.Never {
		t.add(d.WithAdvice("write {not: {}}"))
		return
	}
	t.add(d.WithAdvice("write {}"))
}

func (t *translation) object() {
	groups := t.survey()
	for _, s := range [...]struct {
		group group
		read  func()
	}{
		{groupCore, t.core},
		{groupType, t.types},
		{groupNumber, t.numbers},
		{groupString, t.strings},
		{groupArray, t.arrays},
		{groupObject, t.members},
		{groupBranch, t.branches},
		{groupNote, t.words},
	} {
		if groups&s.group != 0 {
			s.read()
		}
	}
}

// survey sorts the members into known keywords, whose groups it returns, and
// the rest, which it reports.
func (t *translation) survey() (groups group) {
	for _, m := range t.source.Members {
		k, ok := keywords[m.Name]
		switch {
		case ok && t.rules.knows(k):
			groups |= k.group
			if k.kept {
				t.keep(m)
			}
		case ok && k.in.has(t.rules.Dialect):
			t.unknown(m, "the metaschema of this schema switches %q off", m.Name)
		case ok:
			t.foreign(m)
		case strings.HasPrefix(m.Name, "x-"):
			t.entry.info.Extensions = append(t.entry.info.Extensions, m)
		default:
			t.unknown(m, "%q is not a keyword of %s and says nothing", clip(m.Name), t.rules)
		}
	}
	return groups
}

func (t *translation) unknown(m source.Member, format string, args ...any) {
	t.entry.info.Unknown = append(t.entry.info.Unknown, m)
	t.keep(m)
	d := diag.AtName(m, CodeUnknown, format, args...)
	d.Severity = diag.Warning
	if m.Name == "schema" && isDescriptor(t.source) {
		d.Advice = "this has the form of a content descriptor, and admits anything as a schema; refer to the schema in it"
	} else if near := nearestKeyword(m.Name, t.rules); near != "" {
		d.Advice = "did you mean " + quote(near) + "?"
	} else if t.looksLikeMember(m) {
		d.Advice = "this looks like a member of an object: members are described under \"properties\""
	}
	t.add(d)
}

// looksLikeMember reports whether an unknown keyword holds a schema, in a schema
// that describes no members where it should.
func (t *translation) looksLikeMember(m source.Member) bool {
	if m.Value.Kind != source.Object || t.source.Get("properties") != nil {
		return false
	}
	kind, ref := m.Value.Get("type"), m.Value.Get("$ref")
	return kind != nil && kind.Kind == source.String || ref != nil && ref.Kind == source.String
}

// foreign warns of a keyword that only other dialects know. It is not applied:
// the document means what its own dialect says until somebody corrects it.
func (t *translation) foreign(m source.Member) {
	t.entry.info.Unknown = append(t.entry.info.Unknown, m)
	t.keep(m)
	d := diag.AtName(m, CodeForeign, "%s does not know %q and ignores it", t.rules, m.Name)
	d.Severity = diag.Warning
	d.Advice = foreignAdvice(m.Name, t.rules.Dialect)
	t.add(d)
}

// get returns the value of a keyword that the rules know, or nil.
func (t *translation) get(name string) *source.Node {
	v := t.source.Get(name) // most are not there, which is cheaper to see
	if v == nil || !t.rules.knows(keywords[name]) {
		return nil
	}
	return v
}

func (t *translation) add(d ...diag.Diagnostic) { t.entry.own.Add(d...) }

// fault reports a keyword with a value it cannot have.
func (t *translation) fault(v *source.Node, advice, format string, args ...any) {
	t.add(diag.At(v, CodeKeyword, format, args...).WithAdvice(advice))
}

// child compiles the schema v that stands under a keyword.
func (t *translation) child(v *source.Node, name, token string) *rt.Node {
	e, warnings := t.graph.enqueue(v, t.scope, t.rules, spot{t.node.ID, name, token})
	t.add(warnings...)
	return e.node
}

// one compiles the schema under a keyword, or returns nil without it.
func (t *translation) one(name string) *rt.Node {
	v := t.get(name)
	if v == nil {
		return nil
	}
	return t.child(v, name, "")
}

// list compiles the schemas of a keyword that needs one at least.
func (t *translation) list(name string) []*rt.Node {
	v := t.get(name)
	if v == nil {
		return nil
	}
	if v.Kind != source.Array || len(v.Items) == 0 {
		t.fault(v, "list one schema at least, or remove it", "%q must be an array of schemas, not %s", name, kindName(v))
		return nil
	}
	return t.elements(v, name)
}

func (t *translation) elements(v *source.Node, name string) []*rt.Node {
	nodes := make([]*rt.Node, len(v.Items))
	for i, item := range v.Items {
		nodes[i] = t.child(item, name, itoa(i))
	}
	return nodes
}

// table returns the members of a keyword whose value is an object.
func (t *translation) table(name string) []source.Member {
	v := t.get(name)
	if v == nil {
		return nil
	}
	if v.Kind != source.Object {
		t.fault(v, "", "%q must be an object, not %s", name, kindName(v))
		return nil
	}
	return v.Members
}

// names reads a list of member names; said twice is said once.
func (t *translation) names(v *source.Node, name string) []string {
	if v.Kind != source.Array {
		advice := `list the names: ["a", "b"]`
		if v.Kind == source.Bool {
			advice = "that is draft 3: list the names of required members in the schema around this one"
		}
		t.fault(v, advice, "%q must be an array of names, not %s", name, kindName(v))
		return nil
	}
	names := make([]string, 0, len(v.Items))
	seen := make(map[string]bool, len(v.Items))
	for _, item := range v.Items {
		switch {
		case item.Kind != source.String:
			t.fault(item, "", "%q must hold names, not %s", name, kindName(item))
		case seen[item.Text]:
			t.add(diag.Warn(item, CodeRepeated, "%q is already listed", clip(item.Text)))
		default:
			seen[item.Text] = true
			names = append(names, item.Text)
		}
	}
	return names
}

// flag reads a keyword that is true or false.
func (t *translation) flag(name string) bool {
	v := t.get(name)
	if v == nil {
		return false
	}
	if v.Kind != source.Bool {
		t.fault(v, "", "%q must be true or false, not %s", name, kindName(v))
		return false
	}
	return v.Text == "true"
}

// word reads a keyword that is a string.
func (t *translation) word(name string) string {
	v := t.get(name)
	if v == nil {
		return ""
	}
	if v.Kind != source.String {
		t.fault(v, "", "%q must be a string, not %s", name, kindName(v))
		return ""
	}
	return v.Text
}

// sortedProperties puts into an order what has none that matters.
func sortedProperties(p []rt.Property) []rt.Property {
	sort.Slice(p, func(i, j int) bool { return p[i].Name < p[j].Name })
	return p
}

func sortedDependencies(d []rt.Dependency) []rt.Dependency {
	slices.SortFunc(d, func(a, b rt.Dependency) int { return strings.Compare(a.Name, b.Name) })
	return d
}

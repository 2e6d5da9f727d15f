package pin

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/openrpc-go/rpcgen/compiler/internal/source"
	"github.com/openrpc-go/rpcgen/compiler/schema"
	"github.com/openrpc-go/rpcgen/runtime/canonical"
	rt "github.com/openrpc-go/rpcgen/runtime/schema"
)

// additional is the label of the edge to additionalProperties.
const additional = "additionalProperties"

// read fills a form from its node.
func (s *shapes) read(f *form) {
	r := &s.reader
	r.begin(f)
	r.all(f.node)
	f.rules = r.texts()
}

// reader reads one node into a form. What the node has of its own becomes a
// rule: a keyword, a space and a spelling that is the same for equal values. A
// reader is used for one node after another.
type reader struct {
	shapes *shapes
	form   *form
	text   []byte // the rules, one behind the other
	ends   []int  // of the rules in text
	sorted [][]byte
}

func (r *reader) begin(f *form) {
	r.form, r.text, r.ends = f, r.text[:0], r.ends[:0]
	f.instead = own
	f.usage = r.shapes.usage(r.shapes.graph.Info(f.node))
}

// all reads the node.
func (r *reader) all(n *rt.Node) {
	if n.Never || n.Enum != nil && len(n.Enum) == 0 {
		r.only("never")
		return
	}
	r.types(n)
	r.number(n)
	r.string(n)
	r.array(n)
	r.object(n)
	r.branches(n)
}

// usage lists what a schema says about the use of its values, and what nobody
// knows, as written.
func (s *shapes) usage(i *schema.Info) []string {
	if i == nil || i.Source == nil {
		return nil
	}
	foreign := func(name string) bool { // known, but not in this dialect or place
		return slices.ContainsFunc(i.Unknown, func(m source.Member) bool { return m.Name == name })
	}
	var out []string
	for _, m := range i.Source.Members {
		switch h := homeOf(m.Name, s.side); {
		case h == unknown, h == usage, h != text && h != doc && foreign(m.Name):
			if h == usage && m.Value.Kind == source.Bool && m.Value.Text == "false" && m.Name != "default" {
				continue // readOnly: false is what leaving it out says
			}
			out = append(out, list(m.Name, value(m.Value)))
		}
	}
	slices.Sort(out)
	return out
}

// rule adds a rule, whose spelling the caller appends to the text it gets.
func (r *reader) rule(keyword string, spell func(dst []byte) []byte) {
	r.text = spell(append(append(r.text, keyword...), ' '))
	r.ends = append(r.ends, len(r.text))
}

// only makes a text the one rule of the form.
func (r *reader) only(rule string) {
	r.text = append(r.text[:0], rule...)
	r.ends = append(r.ends[:0], len(r.text))
}

// inOrder returns the rules in order; they are the reader's.
func (r *reader) inOrder() [][]byte {
	r.sorted = r.sorted[:0]
	start := 0
	for _, end := range r.ends {
		r.sorted = append(r.sorted, r.text[start:end])
		start = end
	}
	slices.SortFunc(r.sorted, bytes.Compare)
	return r.sorted
}

// texts returns the rules in order.
func (r *reader) texts() []string {
	rules := make([]string, len(r.ends))
	for i, rule := range r.inOrder() {
		rules[i] = string(rule)
	}
	return rules
}

func (r *reader) word(keyword, s string) {
	if s != "" {
		r.quoted(keyword, s)
	}
}

func (r *reader) quoted(keyword, s string) {
	r.rule(keyword, func(dst []byte) []byte { return canonical.AppendQuote(dst, s) })
}

// plain adds a rule that is spelled as s.
func (r *reader) plain(keyword, s string) {
	r.rule(keyword, func(dst []byte) []byte { return append(dst, s...) })
}

func (r *reader) flag(keyword string, set bool) {
	if set {
		r.plain(keyword, "true")
	}
}

func (r *reader) count(keyword string, u *uint64) {
	if u != nil {
		r.rule(keyword, func(dst []byte) []byte { return strconv.AppendUint(dst, *u, 10) })
	}
}

func (r *reader) literal(keyword, s string) {
	if s != "" {
		r.plain(keyword, number(s))
	}
}

// number spells a literal. One that is over the limits of canonical numbers is
// spelled as it is written.
func number(literal string) string {
	if s, err := canonical.Number(literal); err == nil {
		return s
	}
	return "raw " + literal
}

func (r *reader) node(label string, n *rt.Node) {
	if n != nil {
		r.form.links = append(r.form.links, link{label, r.shapes.below(n)})
	}
}

func (r *reader) numbers(nodes []*rt.Node) []int {
	var out []int
	for _, n := range nodes {
		out = append(out, r.shapes.number(n))
	}
	return out
}

// types reads type and enum, and takes null out of them: a schema that says
// what it admits and has null among it admits null as well. Where branches may
// refuse null it stays.
func (r *reader) types(n *rt.Node) {
	types, enum := n.Types, values(n.Enum)
	if types&rt.TypeNumber != 0 {
		types &^= rt.TypeInteger // every integer is a number
	}
	admits := (types == 0 || types&rt.TypeNull != 0) && (n.Enum == nil || slices.Contains(enum, "null"))
	switch {
	case !admits && n.Enum != nil:
		enum = slices.DeleteFunc(enum, func(v string) bool { return v == "null" }) // not of the type
	case admits && (types != 0 || n.Enum != nil) && !applies(n):
		enum = slices.DeleteFunc(enum, func(v string) bool { return v == "null" })
		types &^= rt.TypeNull
		if n.Types != 0 && types == 0 || n.Enum != nil && len(enum) == 0 {
			r.only(nullRule)
			return
		}
		r.form.nullable = true
	}
	if types != 0 {
		r.plain("type", typeNames(types))
	}
	r.flag("strictInteger", n.StrictInteger)
	if n.Enum != nil {
		r.plain("enum", "["+strings.Join(enum, ",")+"]")
	}
}

// applies reports whether other schemas apply to the same value.
func applies(n *rt.Node) bool {
	return n.AllOf != nil || n.AnyOf != nil || n.OneOf != nil || n.Not != nil || n.If != nil ||
		n.Object != nil && n.Object.DependentSchemas != nil
}

// refusesNull reports whether the rules of a node alone refuse null.
func refusesNull(n *rt.Node) bool {
	return n.Never || n.Types != 0 && n.Types&rt.TypeNull == 0 || n.Enum != nil && !slices.Contains(values(n.Enum), "null")
}

// values returns an enum as a sorted set of canonical values.
func values(enum []string) []string {
	out := make([]string, len(enum))
	for i, v := range enum {
		out[i] = v
		if b, err := canonical.JSON(nil, []byte(v)); err == nil {
			out[i] = string(b)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func typeNames(t rt.Types) string { return typeLists[t&127] }

// typeLists spells every set of types.
var typeLists = func() (lists [128]string) {
	for t := range lists {
		var names []string
		for i, name := range []string{"null", "boolean", "integer", "number", "string", "array", "object"} {
			if t&(1<<i) != 0 {
				names = append(names, name)
			}
		}
		lists[t] = list(names...)
	}
	return lists
}()

// number reads the bounds of numbers. Those of integers are integers: above 3
// is from 4 on.
func (r *reader) number(n *rt.Node) {
	b := n.Number
	if b == nil {
		return
	}
	r.literal("multipleOf", b.MultipleOf)
	if n.Types&^rt.TypeNull == rt.TypeInteger {
		if low, high, ok := integerBounds(b); ok {
			r.word("minimum", low)
			r.word("maximum", high)
			return
		}
	}
	r.literal("minimum", b.Minimum)
	r.literal("maximum", b.Maximum)
	r.literal("exclusiveMinimum", b.ExclusiveMinimum)
	r.literal("exclusiveMaximum", b.ExclusiveMaximum)
}

func (r *reader) string(n *rt.Node) {
	s := n.String
	if s == nil {
		return
	}
	r.count("minLength", s.MinLength)
	r.count("maxLength", s.MaxLength)
	if s.Pattern != nil {
		r.quoted("pattern", s.Pattern.Source) // "" too
	}
	r.word("format", s.Format)
	r.flag("assertFormat", s.AssertFormat)
	r.word("contentEncoding", s.ContentEncoding)
	r.word("contentMediaType", s.ContentMediaType)
}

func (r *reader) array(n *rt.Node) {
	a := n.Array
	if a == nil {
		return
	}
	for i, p := range a.Prefix {
		r.node(fmt.Sprintf("prefixItems %d", i), p)
	}
	r.node("items", a.Items)
	r.count("minItems", a.MinItems)
	r.count("maxItems", a.MaxItems)
	r.flag("uniqueItems", a.Unique)
	r.node("contains", a.Contains)
	r.count("minContains", a.MinContains)
	r.count("maxContains", a.MaxContains)
	r.node("unevaluatedItems", a.Unevaluated)
}

func (r *reader) object(n *rt.Node) {
	o := n.Object
	if o == nil {
		return
	}
	required := slices.Clone(o.Required)
	for _, p := range o.Properties {
		r.node("property "+p.Name, p.Node)
		if p.Required {
			required = append(required, p.Name)
		}
	}
	r.set("required", required)
	for _, p := range o.Patterns {
		r.node("pattern "+p.Pattern.Source, p.Node)
	}
	r.node(additional, o.Additional)
	r.flag("additionalDeclared", o.AdditionalDeclared)
	r.node("propertyNames", o.Names)
	r.count("minProperties", o.MinProperties)
	r.count("maxProperties", o.MaxProperties)
	for _, d := range o.DependentRequired {
		r.set("dependentRequired "+canonical.Quote(d.Name), d.Needs)
	}
	for _, p := range o.DependentSchemas {
		r.node("dependentSchema "+p.Name, p.Node)
	}
	r.node("unevaluatedProperties", o.Unevaluated)
}

// set reads names whose order and repetition say nothing. An empty set says
// nothing at all.
func (r *reader) set(keyword string, names []string) {
	if names = slices.Compact(slices.Sorted(slices.Values(names))); len(names) > 0 {
		r.plain(keyword, list(names...))
	}
}

func (r *reader) branches(n *rt.Node) {
	r.form.all = r.numbers(n.AllOf)
	r.form.anyOf = r.numbers(n.AnyOf)
	r.form.oneOf = r.numbers(n.OneOf)
	r.node("not", n.Not)
	r.node("if", n.If)
	r.node("then", n.Then)
	r.node("else", n.Else)
	if d := n.Discriminator; d != nil {
		r.quoted("discriminator", d.Property)
		for _, c := range d.Mapping {
			r.node("mapping "+c.Value, c.Node)
		}
	}
}

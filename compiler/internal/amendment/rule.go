package amendment

import (
	"fmt"
	"slices"

	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
	"github.com/openrpc-go/rpcgen/compiler/schema"
	rt "github.com/openrpc-go/rpcgen/runtime/schema"
)

// A rule over params lets an agent call without anybody being asked, so what
// it does not look at, it lets through. JSON Schema is generous there: a
// maximum says nothing about a text, properties nothing about what is left
// out. ruler refuses a rule that looks at less than its author must think.
type ruler struct {
	graph  *schema.Graph
	method string
	faults diag.List
}

// duty is what a part of a rule must see to. Below not and if, a part that
// lets more through makes the whole rule stricter.
type duty struct {
	presence bool // a value that may be left out must be required
	coverage bool // every type that the value can have must be looked at
}

// rule compiles the schema of a rule and holds it against the params, an object.
func (r *ruler) rule(n *source.Node, id string, params *rt.Node) *rt.Node {
	compiled := r.graph.Node(n, id)
	for _, d := range r.graph.Faults(compiled) {
		d.Severity = diag.Error
		r.faults.Add(d)
	}
	if len(r.faults) == 0 {
		r.check(compiled, []*rt.Node{params}, duty{presence: true, coverage: true})
	}
	return compiled
}

func (r *ruler) report(at *rt.Node, advice, format string, args ...any) {
	var n *source.Node
	if info := r.graph.Info(at); info != nil {
		n = info.Source
	}
	r.faults.Add(diag.At(n, BadRule, format, args...).WithAdvice(advice))
}

// check holds the part n of the rule against the schemas of the place it
// judges.
func (r *ruler) check(n *rt.Node, sites []*rt.Node, d duty) {
	if contents(n) == 0 {
		r.report(n, "say what must hold, or remove it", "this part of the rule says nothing")
		return
	}
	possible := kindsOf(sites)
	if n.Types != 0 && kinds(n)&possible == 0 {
		r.report(n, "", "this can never hold: the rule wants %s, %q has %s", spellTypes(kinds(n)), r.method, spellTypes(possible))
		return
	}
	r.literals(n, sites)
	r.keywords(n, possible, d)
	if n.Object != nil {
		r.object(n, sites, d)
	}
	if n.Array != nil {
		r.array(n.Array, sites, d)
	}
	for _, part := range n.AllOf {
		r.check(part, sites, d)
	}
	for _, part := range slices.Concat(n.AnyOf, n.OneOf) {
		r.check(part, sites, d)
	}
	for _, part := range []*rt.Node{n.Not, n.If} {
		if part != nil {
			r.check(part, sites, duty{})
		}
	}
	for _, part := range []*rt.Node{n.Then, n.Else} {
		if part != nil && !part.Never {
			r.check(part, sites, duty{coverage: d.coverage})
		}
	}
}

// contents counts what a part of a rule says about its place.
func contents(n *rt.Node) int {
	count := len(n.AllOf) + len(n.AnyOf) + len(n.OneOf)
	for _, stated := range []bool{
		n.Never, n.Types != 0, n.Enum != nil, n.Number != nil, n.String != nil, n.Array != nil, n.Object != nil,
		n.Not != nil, n.If != nil,
	} {
		if stated {
			count++
		}
	}
	return count
}

// literals refuses values that the params cannot have.
func (r *ruler) literals(n *rt.Node, sites []*rt.Node) {
	for _, literal := range n.Enum {
		if !slices.ContainsFunc(sites, func(site *rt.Node) bool { return admits(site, literal) }) {
			r.report(n, "", "%s can never be given: %q does not admit it there", clip(literal), r.method)
		}
	}
}

func admits(site *rt.Node, literal string) bool {
	checker, err := rt.NewChecker(site)
	return err == nil && checker.Check([]byte(literal)) == nil
}

// keywords holds the groups of keywords that look at one type each against the
// types that are possible.
func (r *ruler) keywords(n *rt.Node, possible rt.Types, d duty) {
	if n.Enum != nil {
		return // whatever is not listed fails
	}
	left := possible
	if n.Types != 0 {
		left &= kinds(n)
	}
	for _, group := range []struct {
		stated bool
		about  rt.Types
		word   string
	}{
		{n.Number != nil, numbers, "numbers"},
		{n.String != nil, rt.TypeString, "texts"},
		{n.Array != nil, rt.TypeArray, "lists"},
		{n.Object != nil, rt.TypeObject, "objects"},
	} {
		switch rest := left &^ group.about; {
		case !group.stated:
		case left&group.about == 0:
			r.report(n, "", "the rule is about %s, %q has %s there", group.word, r.method, spellTypes(possible))
		case rest != 0 && d.coverage:
			r.report(n, fmt.Sprintf("say the type as well, for example type: %s", spellTypes(left&group.about)),
				"the rule is about %s, but %q admits %s there as well, of which it says nothing", group.word, r.method, spellTypes(rest))
		}
	}
	if s := n.String; s != nil && !s.AssertFormat && (s.Format != "" || s.ContentEncoding != "" || s.ContentMediaType != "") {
		r.report(n, "use pattern, enum or maxLength", "format and content keywords check nothing, so they cannot be part of a rule")
	}
}

func (r *ruler) object(n *rt.Node, sites []*rt.Node, d duty) {
	o := n.Object
	if len(o.Patterns) > 0 || o.Names != nil || o.Unevaluated != nil || o.Additional != nil && !o.Additional.Never {
		r.report(n, "beside properties only additionalProperties: false can stand", "a rule names the members that it looks at")
	}
	for _, p := range o.Properties {
		below := step(sites, p.Name)
		if len(below) == 0 {
			r.report(p.Node, nearby(p.Name, sites), "%q has no %q there", r.method, clip(p.Name))
			continue
		}
		if d.presence && !p.Required && !p.Node.Never && !always(sites, p.Name) {
			r.report(p.Node, fmt.Sprintf("add required: [%s]", p.Name),
				"%q may be left out, and then the rule would let it pass", clip(p.Name))
		}
		if contents(p.Node) > 0 || !p.Required {
			r.check(p.Node, below, d)
		}
	}
	names := slices.Clone(o.Required)
	for _, dependency := range o.DependentRequired {
		names = append(append(names, dependency.Name), dependency.Needs...)
	}
	for _, dependency := range o.DependentSchemas {
		names = append(names, dependency.Name)
		r.check(dependency.Node, sites, duty{coverage: d.coverage})
	}
	for _, name := range names {
		if len(step(sites, name)) == 0 {
			r.report(n, nearby(name, sites), "%q has no %q there", r.method, clip(name))
		}
	}
}

func (r *ruler) array(a *rt.ArrayRules, sites []*rt.Node, d duty) {
	below := step(sites, every)
	if len(below) == 0 {
		below = []*rt.Node{anything}
	}
	for _, part := range append(slices.Clone(a.Prefix), a.Items, a.Contains) {
		if part != nil && !part.Never {
			r.check(part, below, duty{presence: d.presence, coverage: d.coverage})
		}
	}
}

// always reports whether the schemas require the member themselves.
func always(sites []*rt.Node, name string) bool {
	return len(sites) > 0 && !slices.ContainsFunc(sites, func(n *rt.Node) bool { return !requires(n, name, 32) })
}

func requires(n *rt.Node, name string, depth int) bool {
	if depth == 0 {
		return false
	}
	if o := n.Object; o != nil && slices.Contains(o.Required, name) {
		return true
	}
	if o := n.Object; o != nil && slices.ContainsFunc(o.Properties, func(p rt.Property) bool { return p.Name == name && p.Required }) {
		return true
	}
	if slices.ContainsFunc(n.AllOf, func(part *rt.Node) bool { return requires(part, name, depth-1) }) {
		return true
	}
	for _, union := range [][]*rt.Node{n.AnyOf, n.OneOf} {
		if len(union) > 0 && !slices.ContainsFunc(union, func(part *rt.Node) bool { return !requires(part, name, depth-1) }) {
			return true
		}
	}
	return false
}

// nearby is advice that names the member that was probably meant.
func nearby(name string, sites []*rt.Node) string {
	var names []string
	seen := map[*rt.Node]bool{}
	var visit func(n *rt.Node)
	visit = func(n *rt.Node) {
		if n == nil || seen[n] {
			return
		}
		seen[n] = true
		if n.Object != nil {
			for _, p := range n.Object.Properties {
				names = append(names, p.Name)
			}
		}
		for _, branch := range applied(n) {
			visit(branch)
		}
	}
	for _, n := range sites {
		visit(n)
	}
	if near := diag.Nearest(name, names); near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	return ""
}

// clip bounds foreign text inside a message.
func clip(s string) string {
	const most = 80
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}

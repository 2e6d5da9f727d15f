package amendment

import (
	"fmt"
	"slices"
	"strings"

	"github.com/openrpc-go/rpcgen/compiler/internal/contract"
	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/runtime/compiled"
	"github.com/openrpc-go/rpcgen/runtime/effect"
	rt "github.com/openrpc-go/rpcgen/runtime/schema"
)

// binder holds what one entry says about params and results against the
// schemas of its method. The wire pin of the entry fits, so what it says about
// params was written for exactly these; fits says the same of its result.
type binder struct {
	*joiner
	entry  *Entry
	method *contract.Method
	fits   bool
}

// terms completes the authority of an entry with what depends on schemas.
func (b *binder) terms(a *compiled.Authority) {
	e := b.entry
	if e.rule != nil {
		r := &ruler{graph: b.graph, method: e.Method}
		a.AllowIf = r.rule(e.rule, e.ruleID(), b.params(b.method))
		b.faults.Add(r.faults...)
	}
	if e.key != nil && b.key() {
		a.IdempotencyKey = e.key.text
	}
	if e.back != nil {
		a.ReadBack = b.readBack()
	}
	for _, p := range e.exact {
		b.exact(p)
	}
	if n := e.noParams.node; n != nil && n.Parent == e.Node && slices.ContainsFunc(b.method.Params, required) {
		b.faults.Add(diag.At(n, BadPlace, "%q has a required param, so there is no question how to send none", e.Method).WithAdvice("remove it"))
	}
	b.textRead(a)
	if open := a.Unenforced(); len(open) > 0 {
		words := make([]string, len(open))
		for i, f := range open {
			words[i] = string(f)
		}
		b.warn(e, NotEnforced, "every call is refused until then; remove it to open the method without it",
			"%q asks for %s, which no runtime of this release enforces", e.Method, strings.Join(words, ", "))
	}
}

func required(p contract.Descriptor) bool { return p.Required }

// params returns the object of a method's params by name.
func (j *joiner) params(m *contract.Method) *rt.Node {
	if n := j.objects[m]; n != nil {
		return n
	}
	o := &rt.ObjectRules{Additional: &rt.Node{Never: true}}
	for _, p := range m.Params {
		o.Properties = append(o.Properties, rt.Property{
			Name: p.Name, Required: p.Required, Node: j.graph.Node(p.Schema, m.Name+"/params/"+p.Name),
		})
	}
	n := &rt.Node{ID: m.Name + "/params", Types: rt.TypeObject, Object: o}
	j.objects[m] = n
	return n
}

// place returns the schemas that a pointer into /params or /result leads to.
func (b *binder) place(tokens []string) []*rt.Node {
	m := b.method
	if tokens[0] == "params" {
		return reach(b.params(m), tokens[1:])
	}
	if m.Result == nil {
		return nil
	}
	return reach(b.graph.Node(m.Result.Schema, m.Name+"/result"), tokens[1:])
}

// key checks idempotency.key, which points into the params.
func (b *binder) key() bool {
	p := b.entry.key
	sites := reach(b.params(b.method), p.tokens)
	switch {
	case len(sites) == 0:
		d := diag.At(p.at, BadPlace, "%q leads to no param of %q", p.text, b.method.Name)
		b.faults.Add(d.WithAdvice(b.paramNames(b.method)))
		return false
	case kindsOf(sites)&rt.TypeString == 0:
		b.faults.Add(diag.At(p.at, BadPlace, "%q is %s, and a key is a text", p.text, spellTypes(kindsOf(sites))))
		return false
	}
	return true
}

func (b *binder) paramNames(m *contract.Method) string {
	if len(m.Params) == 0 {
		return fmt.Sprintf("%q has no params", m.Name)
	}
	var names []string
	for i, p := range m.Params {
		if i == 10 {
			names = append(names, "…")
			break
		}
		names = append(names, clip(p.Name))
	}
	return fmt.Sprintf("params of %q: %s", m.Name, strings.Join(names, ", "))
}

// exact notes the numbers that stay decimals in Go.
func (b *binder) exact(p pointing) {
	sites := b.place(p.tokens)
	plain := len(sites) > 0 && !slices.ContainsFunc(sites, func(n *rt.Node) bool { return kinds(n)&^(numbers|rt.TypeNull) != 0 })
	switch moved := p.tokens[0] == "result" && !b.fits; {
	case plain && kindsOf(sites)&rt.TypeNumber != 0:
		for _, n := range sites {
			b.markExact(n)
		}
	case moved:
		b.review(b.method, b.entry, LostPlace, "%q of %q leads to no number any more", p.text, b.method.Name)
	case len(sites) == 0:
		b.faults.Add(diag.At(p.at, BadPlace, "%q leads to nothing that %q declares", p.text, b.method.Name).
			WithAdvice(`the steps are names of members, numbers of elements, or "*" for all of them`))
	case plain && kindsOf(sites)&rt.TypeInteger != 0:
		b.faults.Add(diag.At(p.at, BadPlace, "%q is an integer, which is exact already", p.text).WithAdvice("remove it"))
	default:
		b.faults.Add(diag.At(p.at, BadPlace, "%q is %s, and only a number can be an exact decimal", p.text, spellTypes(kindsOf(sites))))
	}
}

// markExact marks a number, and the branches by which it may be null instead.
func (b *binder) markExact(n *rt.Node) {
	if b.joined.Exact[n] || kinds(n)&rt.TypeNumber == 0 {
		return
	}
	b.joined.Exact[n] = true
	for _, part := range slices.Concat(n.AllOf, n.AnyOf, n.OneOf) {
		b.markExact(part)
	}
}

// textRead compares the words that were read with those of today.
func (b *binder) textRead(a *compiled.Authority) {
	i := b.index[b.method.Name]
	if a.TextRead == "" || a.TextRead == b.digests[i].Text {
		return
	}
	a.TextRead = ""
	after := "models are not shown them"
	if a.Text != "" {
		after = "models are shown the description of the entry, as before"
	}
	b.review(b.method, b.entry, TextMoved, "the document's words about %q have changed since they were read; %s", b.method.Name, after)
}

// readBack checks a read-back and returns it, or nil where it cannot be used.
// What moved under a sound entry is a warning, what was never right an error.
func (b *binder) readBack() *compiled.ReadBack {
	back := b.entry.back
	target, known := b.index[back.method]
	entry := b.entries[back.method]
	switch {
	case !known && entry == nil:
		b.faults.Add(diag.At(back.at, BadReadBack, "contract %q has no method %q", b.contract.ID, clip(back.method)).
			WithAdvice(b.nearMethod(back.method)))
		return nil
	case entry == nil || entry.Refused != "" || entry.Granted.Effect != effect.Read:
		b.faults.Add(diag.At(back.at, BadReadBack, "%q is not classified as a read", clip(back.method)).
			WithAdvice("give it an entry with effect read, or name another method"))
		return nil
	case !known || !b.wireFits(entry, target):
		b.lost("%q, the read-back of %q, is not there as it was reviewed", back.method)
		return nil
	}
	read := b.contract.Methods[target]
	faults := b.mapping(read)
	if len(faults) > 0 && !b.fits {
		b.lost("%q, the read-back of %q, does not fit its result any more", back.method)
		return nil
	}
	b.faults.Add(faults...)
	out := &compiled.ReadBack{Method: back.method}
	for _, c := range back.params {
		out.Params = append(out.Params, compiled.Carried{Name: c.name.Name, From: c.from.text})
	}
	slices.SortFunc(out.Params, func(x, y compiled.Carried) int { return strings.Compare(x.Name, y.Name) })
	return out
}

func (b *binder) lost(format, method string) {
	b.review(b.method, b.entry, LostReadBack, format+"; outcomes come without it", clip(method), b.entry.Method)
}

func (j *joiner) wireFits(e *Entry, method int) bool {
	return e.Pinned && e.Pin.Wire == j.digests[method].Wire && !j.contract.Methods[method].Faults.HasErrors()
}

// mapping checks that the read can be called with what the write knows.
func (b *binder) mapping(read *contract.Method) diag.List {
	var faults diag.List
	back := b.entry.back
	params := b.params(read)
	given := map[string]bool{}
	for _, c := range back.params {
		given[c.name.Name] = true
		faults = append(faults, b.carry(c, read, params)...)
	}
	for _, p := range read.Params {
		if p.Required && !given[p.Name] {
			faults = append(faults, diag.At(back.node, BadReadBack, "%q requires the param %q, and nothing is mapped to it", read.Name, clip(p.Name)))
		}
	}
	return faults
}

// carry checks one param of the read against the place its value comes from.
func (b *binder) carry(c carried, read *contract.Method, params *rt.Node) diag.List {
	to, from := step([]*rt.Node{params}, c.name.Name), b.place(c.from.tokens)
	switch {
	case len(to) == 0:
		return diag.List{diag.AtName(c.name, BadReadBack, "%q has no param %q", read.Name, clip(c.name.Name)).WithAdvice(b.paramNames(read))}
	case len(from) == 0:
		return diag.List{diag.At(c.from.at, BadPlace, "%q leads to nothing that %q declares", c.from.text, b.method.Name)}
	case kindsOf(to)&kindsOf(from) == 0:
		return diag.List{diag.At(c.from.at, BadReadBack, "%q is %s, and the param %q of %q is %s",
			c.from.text, spellTypes(kindsOf(from)), clip(c.name.Name), read.Name, spellTypes(kindsOf(to)))}
	}
	return nil
}

func (j *joiner) nearMethod(name string) string {
	names := make([]string, len(j.contract.Methods))
	for i, m := range j.contract.Methods {
		names[i] = m.Name
	}
	if near := diag.Nearest(name, names); near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	return ""
}

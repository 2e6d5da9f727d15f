package plan

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	rt "github.com/openrpc-go/rpcgen/runtime/schema"
)

// likeness tells inline schemas apart by what they say: equal texts mean equal
// schemas. Components stand for themselves, by their name.
type likeness struct {
	component func(*rt.Node) string
	known     map[*rt.Node]string
	open      map[*rt.Node]bool
}

func newLikeness(component func(*rt.Node) string) *likeness {
	return &likeness{component, map[*rt.Node]string{}, map[*rt.Node]bool{}}
}

// of is the text of n. A schema that holds itself is like no other.
func (l *likeness) of(n *rt.Node) string {
	switch known, done := l.known[n]; {
	case n == nil:
		return "-"
	case done:
		return known
	case l.component(n) != "" || l.open[n]:
		return fmt.Sprintf("id %q", n.ID)
	}
	l.open[n] = true
	var b strings.Builder
	l.own(&b, n)
	l.below(&b, n)
	delete(l.open, n)
	sum := sha256.Sum256([]byte(b.String()))
	l.known[n] = hex.EncodeToString(sum[:])
	return l.known[n]
}

// own writes what n says itself, its schemas aside.
func (l *likeness) own(b *strings.Builder, n *rt.Node) {
	flat := rt.Node{Never: n.Never, Types: n.Types, StrictInteger: n.StrictInteger, Enum: n.Enum, Number: n.Number, String: n.String, Sensitive: n.Sensitive}
	if a := n.Array; a != nil {
		rules := *a
		rules.Prefix, rules.Items, rules.Contains, rules.Unevaluated = nil, nil, nil, nil
		flat.Array = &rules
	}
	if o := n.Object; o != nil {
		rules := *o
		rules.Properties, rules.Patterns, rules.DependentSchemas = nil, nil, nil
		rules.Additional, rules.Names, rules.Unevaluated = nil, nil, nil
		flat.Object = &rules
	}
	text, err := json.Marshal(flat)
	if err != nil {
		panic("plan: " + err.Error())
	}
	b.Write(text)
}

// below writes the schemas of n, each with its part.
func (l *likeness) below(b *strings.Builder, n *rt.Node) {
	list := func(part string, nodes ...*rt.Node) {
		for _, q := range nodes {
			fmt.Fprintf(b, "\n%s %s", part, l.of(q))
		}
	}
	list("allOf", n.AllOf...)
	list("anyOf", n.AnyOf...)
	list("oneOf", n.OneOf...)
	list("rest", n.Not, n.If, n.Then, n.Else)
	if d := n.Discriminator; d != nil {
		fmt.Fprintf(b, "\ndiscriminator %q", d.Property)
		for _, c := range d.Mapping {
			list(fmt.Sprintf("case %q", c.Value), c.Node)
		}
	}
	if a := n.Array; a != nil {
		list("prefix", a.Prefix...)
		list("elements", a.Items, a.Contains, a.Unevaluated)
	}
	if o := n.Object; o != nil {
		for _, p := range o.Properties {
			list(fmt.Sprintf("property %q %v", p.Name, p.Required), p.Node)
		}
		for _, p := range o.Patterns {
			list(fmt.Sprintf("pattern %q", p.Pattern.Source), p.Node)
		}
		for _, p := range o.DependentSchemas {
			list(fmt.Sprintf("dependent %q", p.Name), p.Node)
		}
		list("members", o.Additional, o.Names, o.Unevaluated)
	}
}

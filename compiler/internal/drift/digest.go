package drift

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/openrpc-go/rpcgen/runtime/canonical"
	"github.com/openrpc-go/rpcgen/runtime/compiled"
	"github.com/openrpc-go/rpcgen/runtime/schema"
)

// sum tells schemas apart by what they say, whatever their ids are and however
// they share their parts.
type sum = canonical.Sum

// digester numbers every node that methods reach.
type digester struct {
	number map[*schema.Node]int
	nodes  []*schema.Node
}

func (d *digester) add(m *compiled.Method) {
	d.node(m.ParamsNode)
	d.node(m.ResultNode)
	for _, e := range m.Errors {
		d.node(e.Data)
	}
}

func (d *digester) node(n *schema.Node) {
	if n == nil {
		return
	}
	if _, ok := d.number[n]; ok {
		return
	}
	next := []*schema.Node{n}
	for len(next) > 0 {
		n := next[len(next)-1]
		next = next[:len(next)-1]
		if _, ok := d.number[n]; ok {
			continue
		}
		d.number[n] = len(d.nodes)
		d.nodes = append(d.nodes, n)
		for _, e := range edges(n) {
			next = append(next, e.to)
		}
	}
}

func (d *digester) digests() map[*schema.Node]sum {
	var g canonical.Graph
	for _, n := range d.nodes {
		g.Add([]byte(label(n)))
	}
	for i, n := range d.nodes {
		for _, e := range edges(n) {
			g.Link(i, e.label(), d.number[e.to])
		}
	}
	sums := make(map[*schema.Node]sum, len(d.nodes))
	for i, s := range g.Digests("drift") {
		sums[d.nodes[i]] = s
	}
	return sums
}

// label spells what a node says itself.
func label(n *schema.Node) string {
	var b strings.Builder
	for _, k := range keywords {
		if value := k.value(n); value != "" {
			b.WriteString(k.name)
			b.WriteString("=")
			b.WriteString(strconv.Quote(value))
			b.WriteString(";")
		}
	}
	for _, a := range n.Annotations {
		b.WriteString(strconv.Quote(a.Name))
		b.WriteString("=")
		b.WriteString(strconv.Quote(a.Value))
		b.WriteString(";")
	}
	return b.String()
}

// edge leads to a schema below.
type edge struct {
	keyword string
	name    string // of the member, the pattern, or the place in a list
	flag    bool   // a member that must be there
	to      *schema.Node
}

// label is the edge's in the graph: branches that stand in no order have no
// place.
func (e edge) label() string {
	if e.keyword == "allOf" || e.keyword == "oneOf" {
		return e.keyword
	}
	return fmt.Sprintf("%s %t %s", e.keyword, e.flag, e.name)
}

// edges lists the schemas below a node, in the order of the node.
func edges(n *schema.Node) []edge {
	var out []edge
	one := func(keyword string, to *schema.Node) {
		if to != nil {
			out = append(out, edge{keyword: keyword, to: to})
		}
	}
	many := func(keyword string, list []*schema.Node) {
		for i, to := range list {
			out = append(out, edge{keyword: keyword, name: strconv.Itoa(i), to: to})
		}
	}
	named := func(keyword string, list []schema.Property) {
		for _, p := range list {
			out = append(out, edge{keyword: keyword, name: p.Name, flag: p.Required, to: p.Node})
		}
	}
	if o := n.Object; o != nil {
		named("properties", o.Properties)
		for _, p := range o.Patterns {
			out = append(out, edge{keyword: "patternProperties", name: p.Pattern.Source, to: p.Node})
		}
		one("additionalProperties", o.Additional)
		one("propertyNames", o.Names)
		named("dependentSchemas", o.DependentSchemas)
		one("unevaluatedProperties", o.Unevaluated)
	}
	if a := n.Array; a != nil {
		many("prefixItems", a.Prefix)
		one("items", a.Items)
		one("contains", a.Contains)
		one("unevaluatedItems", a.Unevaluated)
	}
	many("allOf", n.AllOf)
	many("anyOf", n.AnyOf)
	many("oneOf", n.OneOf)
	one("not", n.Not)
	one("if", n.If)
	one("then", n.Then)
	one("else", n.Else)
	if d := n.Discriminator; d != nil {
		for _, c := range d.Mapping {
			out = append(out, edge{keyword: "discriminator", name: c.Value, to: c.Node})
		}
	}
	return out
}

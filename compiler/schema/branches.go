package schema

import (
	"sort"
	"strings"

	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
	rt "github.com/openrpc-go/rpcgen/runtime/schema"
)

func (t *translation) branches() {
	t.node.AllOf = append(t.node.AllOf, t.list("allOf")...) // after the targets of references
	t.node.AnyOf = t.list("anyOf")
	t.node.OneOf = t.list("oneOf")
	t.node.Not = t.one("not")
	t.node.If, t.node.Then, t.node.Else = t.one("if"), t.one("then"), t.one("else")
	if t.node.If == nil {
		t.withoutIf()
	}
	t.discriminator()
}

func (t *translation) withoutIf() {
	for _, name := range [...]string{"then", "else"} {
		if v := t.get(name); v != nil {
			t.add(diag.Warn(v, CodeNoEffect, `%q says nothing without "if" beside it`, name))
		}
	}
	t.node.Then, t.node.Else = nil, nil
}

// discriminator reads OpenAPI's: a property whose value names the branch.
func (t *translation) discriminator() {
	v := t.get("discriminator")
	if v == nil {
		return
	}
	property := v.Get("propertyName")
	if property == nil || property.Kind != source.String {
		t.fault(v, "write discriminator: {propertyName: ...}", `"discriminator" must be an object with a propertyName`)
		return
	}
	branches, keyword := t.node.OneOf, "oneOf"
	if branches == nil {
		branches, keyword = t.node.AnyOf, "anyOf"
	}
	if branches == nil {
		t.add(diag.Warn(v, CodeNoEffect, `"discriminator" says nothing without oneOf or anyOf beside it`))
		return
	}
	d := &rt.Discriminator{Property: property.Text}
	named := t.mapping(v.Get("mapping"), branches, d)
	for i, item := range t.get(keyword).Items {
		ref := item.Get("$ref")
		switch {
		case named[branches[i]]:
		case ref == nil || ref.Kind != source.String:
			t.add(diag.Warn(item, CodeNoEffect, "this branch is no reference, so the discriminator cannot name it and is not used"))
			return
		default:
			d.Mapping = append(d.Mapping, rt.DiscriminatorCase{Value: ref.Text[strings.LastIndexByte(ref.Text, '/')+1:], Node: branches[i]})
		}
	}
	sort.Slice(d.Mapping, func(i, j int) bool { return d.Mapping[i].Value < d.Mapping[j].Value })
	for i := 1; i < len(d.Mapping); i++ {
		if d.Mapping[i].Value == d.Mapping[i-1].Value {
			t.fault(v, "add a mapping", "the discriminator value %q names two branches", clip(d.Mapping[i].Value))
			return
		}
	}
	t.node.Discriminator = d
}

// mapping reads the values that are stated, and returns the branches they name.
func (t *translation) mapping(v *source.Node, branches []*rt.Node, d *rt.Discriminator) map[*rt.Node]bool {
	if v == nil {
		return nil
	}
	if v.Kind != source.Object {
		t.fault(v, "", `"mapping" must be an object, not %s`, kindName(v))
		return nil
	}
	known, named := map[*rt.Node]bool{}, map[*rt.Node]bool{}
	for _, b := range branches {
		known[b] = true
	}
	for _, m := range v.Members {
		n := t.mapped(m)
		if n == nil {
			continue
		}
		if !known[n] {
			t.fault(m.Value, "add it to the branches", "%q is not one of the branches", clip(m.Value.Text))
			continue
		}
		named[n] = true
		d.Mapping = append(d.Mapping, rt.DiscriminatorCase{Value: m.Name, Node: n})
	}
	return named
}

// mapped resolves one value of a mapping: a component's name or a reference.
func (t *translation) mapped(m source.Member) *rt.Node {
	if m.Value.Kind != source.String {
		t.fault(m.Value, "", "the mapping of %q must be a name or a reference, not %s", clip(m.Name), kindName(m.Value))
		return nil
	}
	ref := m.Value.Text
	if !strings.ContainsAny(ref, "/#.") {
		ref = "#/components/schemas/" + ref
	}
	n, fault := t.graph.refs.Resolve(m.Value.Parent, ref)
	if fault != nil {
		t.add(*fault)
		return nil
	}
	e, warnings := t.graph.enqueue(n, t.scope, t.graph.rulesAt(n), nowhere)
	t.add(warnings...)
	return e.node
}

package schema

import (
	"reflect"

	"github.com/openrpc-go/rpcgen/compiler/internal/source"
	rt "github.com/openrpc-go/rpcgen/runtime/schema"
)

func (t *translation) arrays() {
	r := rt.ArrayRules{
		MinItems:    t.count("minItems"),
		MaxItems:    t.count("maxItems"),
		Unique:      t.flag("uniqueItems"),
		Contains:    t.one("contains"),
		MinContains: t.count("minContains"),
		MaxContains: t.count("maxContains"),
		Unevaluated: t.one("unevaluatedItems"),
	}
	if r.Contains == nil {
		r.MinContains, r.MaxContains = nil, nil
	}
	r.Prefix = t.list("prefixItems")
	t.items(&r)
	if !reflect.ValueOf(r).IsZero() {
		t.node.Array = &r
	}
}

// items reads the two meanings of items: every element, or, before 2020-12,
// the elements by position with additionalItems for the rest.
func (t *translation) items(r *rt.ArrayRules) {
	v := t.get("items")
	if v == nil {
		return
	}
	if v.Kind != source.Array {
		r.Items = t.child(v, "items", "")
		return
	}
	switch {
	case t.rules.Dialect == Draft2020:
		t.fault(v, `name the elements by position in "prefixItems"`, `"items" must be one schema in 2020-12`)
	case t.rules.Dialect == OpenAPI30:
		t.fault(v, "", `"items" must be one schema in OpenAPI 3.0`)
	case len(v.Items) == 0:
		t.fault(v, "list one schema at least, or write one schema for every element", `"items" must not be an empty array`)
	default:
		r.Prefix = t.elements(v, "items")
		r.Items = t.one("additionalItems")
	}
}

func (t *translation) members() {
	r := rt.ObjectRules{
		Names:         t.one("propertyNames"),
		MinProperties: t.count("minProperties"),
		MaxProperties: t.count("maxProperties"),
		Additional:    t.one("additionalProperties"),
		Unevaluated:   t.one("unevaluatedProperties"),
	}
	if v := t.get("additionalProperties"); v != nil {
		r.AdditionalDeclared = v.Kind != source.Bool || v.Text == "true"
	}
	t.properties(&r)
	t.patterns(&r)
	t.dependencies(&r)
	if !reflect.ValueOf(r).IsZero() {
		t.node.Object = &r
	}
}

func (t *translation) properties(r *rt.ObjectRules) {
	var required []string
	if v := t.get("required"); v != nil {
		required = t.names(v, "required")
	}
	open := make(map[string]bool, len(required))
	for _, name := range required {
		open[name] = true
	}
	for _, m := range t.table("properties") {
		r.Properties = append(r.Properties, rt.Property{
			Name: m.Name, Required: open[m.Name], Node: t.child(m.Value, "properties", m.Name),
		})
		delete(open, m.Name)
	}
	for _, name := range required {
		if open[name] {
			r.Required = append(r.Required, name)
		}
	}
}

func (t *translation) patterns(r *rt.ObjectRules) {
	for _, m := range t.table("patternProperties") {
		r.Patterns = append(r.Patterns, rt.PatternProperty{
			Pattern: t.pattern(m.Value, m.Name), Node: t.child(m.Value, "patternProperties", m.Name),
		})
	}
}

// dependencies reads the keyword of drafts 4 to 7 and the two it became.
func (t *translation) dependencies(r *rt.ObjectRules) {
	for _, m := range t.table("dependencies") {
		if m.Value.Kind == source.Array {
			t.need(r, m, "dependencies")
		} else {
			t.depend(r, m, "dependencies")
		}
	}
	for _, m := range t.table("dependentRequired") {
		t.need(r, m, "dependentRequired")
	}
	for _, m := range t.table("dependentSchemas") {
		t.depend(r, m, "dependentSchemas")
	}
	sortedDependencies(r.DependentRequired)
	sortedProperties(r.DependentSchemas)
}

func (t *translation) need(r *rt.ObjectRules, m source.Member, keyword string) {
	if needs := t.names(m.Value, keyword); len(needs) > 0 {
		r.DependentRequired = append(r.DependentRequired, rt.Dependency{Name: m.Name, Needs: needs})
	}
}

func (t *translation) depend(r *rt.ObjectRules, m source.Member, keyword string) {
	r.DependentSchemas = append(r.DependentSchemas, rt.Property{
		Name: m.Name, Node: t.child(m.Value, keyword, m.Name),
	})
}

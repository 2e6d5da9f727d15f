package schema

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
)

// Documents made to be slow are compiled or refused in time that grows with
// their length.
func TestLargeIsLinear(t *testing.T) {
	repeat := func(count int, format string) string {
		var b strings.Builder
		for i := range count {
			if i > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, format, i, i+1)
		}
		return b.String()
	}
	const many = 8_000
	last := fmt.Sprintf(`,"n%d": {"type": "string"}}`, many)
	for _, c := range []struct {
		name, schema string
		refused      bool
	}{
		{"a chain through items", `{"$ref": "#/definitions/n0", "definitions": {` + repeat(many, `"n%d": {"items": {"$ref": "#/definitions/n%d"}}`) + last + `}`, false},
		{"a chain of required members", `{"$ref": "#/definitions/n0", "definitions": {` + repeat(many, `"n%d": {"type": "object", "required": ["a"], "properties": {"a": {"$ref": "#/definitions/n%d"}}}`) + last + `}`, false},
		{"a chain of pure references", `{"items": {"$ref": "#/definitions/n0"}, "definitions": {` + repeat(many, `"n%d": {"$ref": "#/definitions/n%d"}`) + last + `}`, true},
		{"chains of references from everywhere", `{"properties": {` + repeat(many, `"p%d": {"$ref": "#/definitions/n%[1]d"}%[3]s`) + `}, "definitions": {` + repeat(many, `"n%d": {"$ref": "#/definitions/n%d", "type": "string"}`) + last + `}`, true},
		{"in-place chain", `{"$ref": "#/definitions/n0", "definitions": {` + repeat(many, `"n%d": {"allOf": [{"$ref": "#/definitions/n%d"}, {}]}`) + last + `}`, false},
		{"dangling references", `{"properties": {` + repeat(many, `"p%d": {"$ref": "#/definitions/m%d"}`) + `}, "definitions": {` + repeat(many, `"n%d": {}%[3]s`) + `}}`, true},
		{"one name", `{"properties": {` + repeat(many, `"p%d": {"definitions": {"A": {}}, "items": {"$ref": "#/properties/p%[1]d/definitions/A"}}%[3]s`) + `}}`, false},
		{"unknown keywords", `{` + repeat(many, `"propertis%d": %d`) + `}`, false},
		{"required", `{"required": [` + repeat(many, `"a%d"%[3]s`) + `], "properties": {` + repeat(many, `"a%d": true%[3]s`) + `}}`, false},
		{"alternatives in a ring", `{"$ref": "#/definitions/n0", "definitions": {` + repeat(190, `"n%d": {"anyOf": [{"type": "null"}, {"$ref": "#/definitions/n%d"}]}`) + `, "n190": {"anyOf": [{"$ref": "#/definitions/n0"}, {}]}}}`, false},
	} {
		started := time.Now()
		_, err := Compile(Draft7, []byte(strings.ReplaceAll(c.schema, "%!s(BADINDEX)", "")), Options{})
		if (err != nil) != c.refused {
			text := fmt.Sprint(err)
			t.Errorf("%s: %.300s", c.name, text)
		}
		t.Logf("%s: %v", c.name, time.Since(started))
		expectQuick(t, c.name, started, 15*time.Second)
	}
}

// Long names at a great depth do not make every ID below them long.
func TestIDsAreBounded(t *testing.T) {
	deep := strings.Repeat(`{"properties": {"`+strings.Repeat("n", 300)+`": `, 80) + `{"properties": {"a": {}, "b": {}}}` + strings.Repeat("}}", 80)
	g, root := load(t, Draft7, "doc.json", `{"openrpc": "1", "s": `+deep+`}`)
	g.Node(root.Get("s"), "S")
	seen := map[string]bool{}
	for _, e := range g.entries {
		if len(e.node.ID) > 420 || seen[e.node.ID] {
			t.Fatalf("%d bytes, taken %v: %s", len(e.node.ID), seen[e.node.ID], e.node.ID)
		}
		seen[e.node.ID] = true
	}
	inner := root.Get("s")
	for inner.Get("properties").Get("a") == nil {
		inner = inner.Get("properties").Members[0].Value
	}
	again, root2 := load(t, Draft7, "doc.json", `{"openrpc": "1", "s": `+deep+`, "use": {"$ref": "#/s`+strings.Repeat("/properties/"+strings.Repeat("n", 300), 80)+`"}}`)
	again.facts.At(root2.Get("s")).id = "S"
	if a, b := g.Node(inner, "").ID, again.Node(root2.Get("use"), "use").ID; a != b {
		t.Errorf("one schema is %q and %q", a, b)
	}
}

// Anchors can be bound in very many ways; the limit holds.
func TestDynamicScopesAreBounded(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"$ref": "r0", "$defs": {`)
	const resources = 24
	for i := range resources {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `"r%d": {"$id": "r%d", "$defs": {"a": {"$dynamicAnchor": "a%d", "type": "string"}}, "items": {"anyOf": [{"$ref": "r%d"}, {"$ref": "r%d"}, {"$dynamicRef": "#a%d"}]}}`,
			i, i, i, (i*7+1)%resources, (i*11+3)%resources, i)
	}
	b.WriteString(`}}`)
	started := time.Now()
	_, err := Compile(Draft2020, []byte(b.String()), Options{})
	expectQuick(t, fmt.Sprint("the limit: ", err), started, 15*time.Second)
}

// Ten thousand methods that share one type with a fault each learn of it.
func TestFaultsOfManyRoots(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"openrpc": "1", "components": {"schemas": {"Bad": {"type": "no"}, "Good": {"type": "string"}}}, "list": [`)
	for i := range 10_000 {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"properties": {"a%d": {"$ref": "#/components/schemas/Good"}, "b": {"$ref": "#/components/schemas/Bad"}}}`, i)
	}
	b.WriteString(`]}`)
	g, root := load(t, Draft7, "doc.json", b.String())
	started := time.Now()
	for i, n := range root.Get("list").Items {
		if faults := g.Faults(g.Node(n, fmt.Sprint("m", i))); len(faults) != 1 || faults[0].Severity != diag.Error {
			t.Fatalf("%d: %v", i, faults)
		}
	}
	expectQuick(t, "all of them", started, 15*time.Second)
}

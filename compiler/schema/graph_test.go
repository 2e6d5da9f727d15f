package schema

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/openrpc-go/rpcgen/compiler/internal/reference"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
	rt "github.com/openrpc-go/rpcgen/runtime/schema"
)

// load writes files into a folder and returns a graph over the first of them,
// with the document's root.
func load(t *testing.T, d Dialect, files ...string) (*Graph, *source.Node) {
	t.Helper()
	folder := t.TempDir()
	for i := 0; i < len(files); i += 2 {
		path := filepath.Join(folder, filepath.FromSlash(files[i]))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(files[i+1]), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	f, err := source.Read(files[0], []byte(files[1]), source.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return NewGraph(reference.New(f, reference.Options{Root: root, Dir: filepath.ToSlash(filepath.Dir(files[0]))}), d), f.Root
}

func at(t *testing.T, root *source.Node, pointer string) *source.Node {
	t.Helper()
	n, err := root.At(source.Pointer(pointer))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

const petDocument = `{
  "openrpc": "1.2.6",
  "components": {"schemas": {
    "Pet": {
      "title": "A pet", "description": "Words.", "type": "object", "required": ["name"],
      "properties": {
        "name": {"type": "string"},
        "owner": {"$ref": "#/components/schemas/Person", "description": "who feeds it"},
        "toys": {"type": "array", "items": {"oneOf": [{"type": "string"}, {"type": "null"}]}},
        "a/b": {"type": "integer"},
        "pair": {"items": [{"type": "string"}, {"type": "number"}], "additionalItems": false}
      },
      "additionalProperties": {"type": "boolean"},
      "patternProperties": {"^x": {"type": "null"}}
    },
    "Person": {"properties": {"pets": {"type": "array", "items": {"$ref": "#/components/schemas/Pet"}}}},
    "Alias": {"$ref": "#/components/schemas/Pet"},
    "Worded": {"description": "the same", "allOf": [{"$ref": "#/components/schemas/Pet"}]},
    "Titled": {"title": "Titled", "allOf": [{"$ref": "#/components/schemas/Pet"}]}
  }},
  "methods": [{"result": {"schema": {"type": "object", "properties": {"pet": {"$ref": "#/components/schemas/Pet"}}}}}]
}`

func TestIDs(t *testing.T) {
	g, root := load(t, Draft7, "doc.json", petDocument)
	result := g.Node(at(t, root, "/methods/0/result/schema"), "pet.get/result")
	if faults := g.Faults(result); len(faults) > 0 {
		t.Fatal(faults)
	}
	pet := result.Object.Properties[0].Node
	named := map[string]*rt.Node{
		"pet.get/result":      result,
		"Pet":                 pet,
		"Pet/name":            pet.Object.Properties[0].Node,
		"Person":              pet.Object.Properties[1].Node,
		"Person/pets":         pet.Object.Properties[1].Node.Object.Properties[0].Node,
		"Pet/toys":            pet.Object.Properties[2].Node,
		"Pet/toys[]":          pet.Object.Properties[2].Node.Array.Items,
		"Pet/toys[]/oneOf[1]": pet.Object.Properties[2].Node.Array.Items.OneOf[1],
		"Pet/a~1b":            pet.Object.Properties[3].Node,
		"Pet/pair[0]":         pet.Object.Properties[4].Node.Array.Prefix[0],
		"Pet/pair[*]":         pet.Object.Properties[4].Node.Array.Items,
		"Pet/*":               pet.Object.Additional,
		"Pet/{^x}":            pet.Object.Patterns[0].Node,
	}
	for id, n := range named {
		if n.ID != id {
			t.Errorf("ID %q, want %q", n.ID, id)
		}
	}
	if back := pet.Object.Properties[1].Node.Object.Properties[0].Node.Array.Items; back != pet {
		t.Error("recursion does not come back to the same node")
	}
}

// A schema is called the same, whoever asks for it first.
func TestIDsDoNotDependOnOrder(t *testing.T) {
	for _, first := range []string{
		"/components/schemas/Pet/properties/toys/items", "/components/schemas/Person", "/methods/0/result/schema",
	} {
		g, root := load(t, Draft7, "doc.json", petDocument)
		g.Node(at(t, root, first), "")
		pet := g.Node(at(t, root, "/components/schemas/Pet"), "other name")
		if id := pet.Object.Properties[2].Node.Array.Items.ID; pet.ID != "Pet" || id != "Pet/toys[]" {
			t.Errorf("after %s: %q and %q", first, pet.ID, id)
		}
	}
}

func TestAliases(t *testing.T) {
	g, root := load(t, Draft7, "doc.json", petDocument)
	node := func(name string) *rt.Node { return g.Node(at(t, root, "/components/schemas/"+name), "") }
	if node("Alias") != node("Pet") || node("Worded") != node("Pet") {
		t.Error("a pure reference is not its target")
	}
	if titled := node("Titled"); titled == node("Pet") || len(titled.AllOf) != 1 || titled.AllOf[0] != node("Pet") {
		t.Error("an allOf with a title of its own is not a schema of its own")
	}
	use := at(t, root, "/components/schemas/Pet/properties/owner")
	if title, description := g.Doc(use); title != "" || description != "who feeds it" {
		t.Errorf("Doc = %q, %q", title, description)
	}
	info := g.Info(node("Pet"))
	if info.Name != "Pet" || info.Title != "A pet" || info.Description != "Words." || info.Source != at(t, root, "/components/schemas/Pet") {
		t.Errorf("Info = %+v", info)
	}
	if g.Info(&rt.Node{}) != nil {
		t.Error("info about a node of another graph")
	}
}

func TestInfo(t *testing.T) {
	g, root := load(t, Draft7, "doc.json", `{"components": {"schemas": {"A": {
		"summary": "s", "deprecated": true, "readOnly": true, "default": 1, "example": 2, "examples": [3, 4],
		"x-vendor": {}, "nullable": true, "what": 5, "type": "integer"}}}}`)
	i := g.Info(g.Node(at(t, root, "/components/schemas/A"), ""))
	if i.Description != "s" || !i.Deprecated || !i.ReadOnly || i.WriteOnly || i.Default.Text != "1" || len(i.Examples) != 3 {
		t.Errorf("info %+v", i)
	}
	if len(i.Unknown) != 2 || i.Unknown[0].Name != "nullable" || i.Unknown[1].Name != "what" || len(i.Extensions) != 1 {
		t.Errorf("unknown %v, extensions %v", i.Unknown, i.Extensions)
	}
}

func TestFiles(t *testing.T) {
	g, root := load(t, Draft7,
		"api/doc.json", `{"openrpc": "1.2.6", "components": {"schemas": {
			"Error": {"type": "string"},
			"All": {"properties": {
				"own": {"$ref": "#/components/schemas/Error"},
				"theirs": {"$ref": "../shared/common.json#/components/schemas/Error"},
				"plain": {"$ref": "../shared/common.json#/components/schemas/Plain"},
				"whole": {"$ref": "../shared/AccountId.json"},
				"again": {"$ref": "../api/doc.json#/components/schemas/Error"},
				"inline": {"$ref": "../shared/common.json#/x-shared/Size"}
			}}}}}`,
		"shared/common.json", `{"components": {"schemas": {"Error": {"type": "integer"}, "Plain": {"$ref": "AccountId.json"}}},
			"x-shared": {"Size": {"type": "number"}}}`,
		"shared/AccountId.json", `{"type": "string", "minLength": 2}`,
	)
	all := g.Node(at(t, root, "/components/schemas/All"), "")
	if faults := g.Faults(all); len(faults) > 0 {
		t.Fatal(faults)
	}
	for i, want := range []struct{ id, name string }{
		{"Error", "Error"}, {"Error@common", "Error"}, {"AccountId", "AccountId"}, {"AccountId", "AccountId"},
		{"Error", "Error"}, {"common.json#/x-shared/Size", "Size"},
	} {
		n := all.Object.Properties[i].Node
		if n.ID != want.id || g.Info(n).Name != want.name {
			t.Errorf("%s: %q named %q, want %+v", all.Object.Properties[i].Name, n.ID, g.Info(n).Name, want)
		}
	}
	var names []string
	for _, f := range g.refs.Files() {
		names = append(names, f.Name)
	}
	if got := strings.Join(names, " "); got != "api/doc.json shared/common.json shared/AccountId.json" {
		t.Errorf("files %s", got)
	}
}

func TestFaultsAreTransitive(t *testing.T) {
	g, root := load(t, Draft7, "doc.json", `{"openrpc": "1", "components": {"schemas": {
		"Good": {"type": "string"},
		"Bad": {"type": "strnig"},
		"Ring": {"properties": {"next": {"$ref": "#/components/schemas/Ring2"}}},
		"Ring2": {"properties": {"next": {"$ref": "#/components/schemas/Ring"}, "bad": {"$ref": "#/components/schemas/Bad"}, "good": {"$ref": "#/components/schemas/Good"}}},
		"Sibling": {"$ref": "#/components/schemas/Good", "type": "string"}
	}}}`)
	codes := func(name string) string {
		var out []string
		for _, d := range g.Faults(g.Node(at(t, root, "/components/schemas/"+name), "")) {
			out = append(out, d.Severity.String()+" "+d.Code)
		}
		return strings.Join(out, ", ")
	}
	for _, c := range []struct{ name, want string }{
		{"Good", ""}, {"Ring", "error bad-keyword"}, {"Ring2", "error bad-keyword"}, {"Bad", "error bad-keyword"},
		{"Good", ""}, {"Sibling", "warning ref-siblings-ignored"},
	} {
		if got := codes(c.name); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	if g.Faults(&rt.Node{}) != nil {
		t.Error("faults of a node of another graph")
	}
}

func TestFlattenedAlternatives(t *testing.T) {
	g, root := load(t, Draft7, "doc.json", `{"openrpc": "1", "components": {"schemas": {
		"Value": {"anyOf": [{"type": "string"}, {"$ref": "#/components/schemas/Option"}, {"type": "boolean"}]},
		"Option": {"anyOf": [{"$ref": "#/components/schemas/Value"}, {"type": "null"}]}}}}`)
	value, option := g.Node(at(t, root, "/components/schemas/Value"), ""), g.Node(at(t, root, "/components/schemas/Option"), "")
	types := func(n *rt.Node) (all []rt.Types) {
		for _, b := range n.AnyOf {
			all = append(all, b.Types)
		}
		return all
	}
	want := []rt.Types{rt.TypeString, rt.TypeNull, rt.TypeBoolean}
	if got := types(value); len(got) != 3 || got[0] != want[0] || got[1] != want[1] || got[2] != want[2] {
		t.Errorf("value %v, want %v", got, want)
	}
	if got := types(option); len(got) != 3 || got[0] != rt.TypeString || got[2] != rt.TypeNull {
		t.Errorf("option %v", got)
	}
	if faults := g.Faults(value); faults.HasErrors() || len(faults) != 1 {
		t.Errorf("faults %v", faults)
	}
}

func TestNullable(t *testing.T) {
	for _, c := range []struct {
		schema string
		want   string // ID of inner, "" for none
	}{
		{`{"type": ["string", "null"]}`, "S"},
		{`{"type": "null"}`, ""},
		{`{"type": "string"}`, ""},
		{`{}`, ""},
		{`{"oneOf": [{"type": "string"}, {"type": "null"}]}`, "S/oneOf[0]"},
		{`{"anyOf": [{"const": null}, {"type": "string"}]}`, "S/anyOf[1]"},
		{`{"oneOf": [{"type": ["string", "null"]}, {"type": "null"}]}`, ""},
		{`{"anyOf": [{"type": ["string", "null"]}, {"type": "null"}]}`, "S/anyOf[0]"},
		{`{"oneOf": [{"oneOf": [{"type": "string"}, {"enum": [1]}]}, {"type": "null"}]}`, "S/oneOf[0]"},
		{`{"oneOf": [{}, {"type": "null"}]}`, ""},
		{`{"oneOf": [{"type": "string"}, {"type": "null"}], "minLength": 1}`, ""},
		{`{"oneOf": [{"type": "string"}, {"type": "integer"}, {"type": "null"}]}`, ""},
		{`{"oneOf": [{"type": "null"}, {"type": "null"}]}`, ""},
	} {
		g, root := load(t, Draft7, "doc.json", `{"openrpc": "1", "s": `+c.schema+`}`)
		inner, ok := Nullable(g.Node(at(t, root, "/s"), "S"))
		if ok != (c.want != "") || ok && inner.ID != c.want {
			t.Errorf("%s: %v, %v, want %q", c.schema, inner, ok, c.want)
		}
	}
}

func TestDiscriminator(t *testing.T) {
	document := func(discriminator string) string {
		return `{"openapi": "3.0.3", "components": {"schemas": {
			"Cat": {"type": "object"}, "Dog": {"type": "object"}, "Fox": {"type": "object"},
			"Pet": {"oneOf": [{"$ref": "#/components/schemas/Cat"}, {"$ref": "#/components/schemas/Dog"}], "discriminator": ` + discriminator + `}}}}`
	}
	for _, c := range []struct{ discriminator, want string }{
		{`{"propertyName": "kind"}`, "kind Cat=Cat Dog=Dog"},
		{`{"propertyName": "kind", "mapping": {"meow": "Cat", "purr": "#/components/schemas/Cat"}}`, "kind Dog=Dog meow=Cat purr=Cat"},
		{`{"propertyName": "kind", "mapping": {"fox": "Fox"}}`, "bad-keyword"},
		{`{"propertyName": "kind", "mapping": {"fox": "Foxes"}}`, reference.CodeDangling},
		{`{"propertyName": "kind", "mapping": {"Dog": "Cat"}}`, "bad-keyword"},
		{`{"propertyName": "kind", "mapping": 3}`, "bad-keyword"},
	} {
		g, root := load(t, OpenAPI30, "doc.json", document(c.discriminator))
		n := g.Node(at(t, root, "/components/schemas/Pet"), "")
		var got []string
		if d := n.Discriminator; d != nil {
			got = append(got, d.Property)
			for _, m := range d.Mapping {
				got = append(got, m.Value+"="+m.Node.ID)
			}
		}
		for _, d := range g.Faults(n).Errors() {
			got = append(got, d.Code)
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s: %q, want %q", c.discriminator, s, c.want)
		}
	}
}

func TestTranslation(t *testing.T) {
	for _, c := range []struct {
		dialect Dialect
		schema  string
		holds   func(n *rt.Node) bool
	}{
		{Draft4, `{"type": "integer"}`, func(n *rt.Node) bool { return n.StrictInteger }},
		{Draft7, `{"type": "integer"}`, func(n *rt.Node) bool { return !n.StrictInteger && n.Types == rt.TypeInteger }},
		{Draft7, `{"type": ["integer", "number"]}`, func(n *rt.Node) bool { return n.Types == rt.TypeNumber }},
		{Draft7, `{"type": ["null", "boolean", "number", "string", "array", "object"]}`, func(n *rt.Node) bool { return n.Types == 0 }},
		{Draft7, `{"const": {"b": 1.0, "a": "x"}}`, func(n *rt.Node) bool { return len(n.Enum) == 1 && n.Enum[0] == `{"a":"x","b":1}` }},
		{Draft7, `{"const": 1, "enum": [1, 2]}`, func(n *rt.Node) bool { return len(n.Enum) == 1 && !n.Never }},
		{Draft7, `{"const": 3, "enum": [1, 2]}`, func(n *rt.Node) bool { return n.Never }},
		{Draft7, `{"enum": []}`, func(n *rt.Node) bool { return n.Never }},
		{Draft7, `false`, func(n *rt.Node) bool { return n.Never }},
		{Draft7, `{"minimum": 1e2, "maximum": 100.50}`, func(n *rt.Node) bool { return *n.Number == rt.NumberRules{Minimum: "100", Maximum: "100.5"} }},
		{Draft4, `{"minimum": 1, "exclusiveMinimum": true}`, func(n *rt.Node) bool { return *n.Number == rt.NumberRules{ExclusiveMinimum: "1"} }},
		{OpenAPI30, `{"maximum": 1, "exclusiveMaximum": false}`, func(n *rt.Node) bool { return *n.Number == rt.NumberRules{Maximum: "1"} }},
		{OpenAPI30, `{"type": "string", "nullable": true}`, func(n *rt.Node) bool { return n.Types == rt.TypeString|rt.TypeNull }},
		{Draft7, `{"type": "string", "nullable": true}`, func(n *rt.Node) bool { return n.Types == rt.TypeString }},
		{Draft7, `{"format": "date-time"}`, func(n *rt.Node) bool { return n.String.Format == "date-time" && !n.String.AssertFormat }},
		{Draft7, `{"items": {}, "additionalItems": false}`, func(n *rt.Node) bool { return n.Array.Items != nil && !n.Array.Items.Never }},
		{Draft7, `{"additionalItems": false, "uniqueItems": false}`, func(n *rt.Node) bool { return n.Array == nil }},
		{Draft7, `{"additionalProperties": true}`, func(n *rt.Node) bool { return n.Object.AdditionalDeclared && n.Object.Additional != nil }},
		{Draft7, `{"additionalProperties": false}`, func(n *rt.Node) bool { return !n.Object.AdditionalDeclared && n.Object.Additional.Never }},
		{Draft7, `{"properties": {}, "required": []}`, func(n *rt.Node) bool { return n.Object == nil }},
		{Draft7, `{"properties": {"a": {}, "b": {}}, "required": ["b", "c"]}`, func(n *rt.Node) bool {
			return !n.Object.Properties[0].Required && n.Object.Properties[1].Required && len(n.Object.Required) == 1 && n.Object.Required[0] == "c"
		}},
		{Draft7, `{"dependencies": {"b": ["c"], "a": ["d"], "e": {}}}`, func(n *rt.Node) bool {
			return n.Object.DependentRequired[0].Name == "a" && n.Object.DependentSchemas[0].Name == "e"
		}},
		{Draft7, `{"properties": {"$ref": {"type": "string"}}}`, func(n *rt.Node) bool { return n.Object.Properties[0].Name == "$ref" }},
	} {
		g, root := load(t, c.dialect, "doc.json", `{"openrpc": "1", "s": `+c.schema+`}`)
		n := g.Node(at(t, root, "/s"), "S")
		if faults := g.Faults(n); faults.HasErrors() || !c.holds(n) {
			t.Errorf("%v %s: %+v %v", c.dialect, c.schema, n, faults)
		}
	}
}

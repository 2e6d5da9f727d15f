package schema

import (
	"slices"
	"strings"

	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
	"github.com/openrpc-go/rpcgen/runtime/canonical"
	rt "github.com/openrpc-go/rpcgen/runtime/schema"
)

var typeNames = []struct {
	name string
	bit  rt.Types
}{
	{"null", rt.TypeNull}, {"boolean", rt.TypeBoolean}, {"integer", rt.TypeInteger}, {"number", rt.TypeNumber},
	{"string", rt.TypeString}, {"array", rt.TypeArray}, {"object", rt.TypeObject},
}

const everyType = rt.TypeNull | rt.TypeBoolean | rt.TypeNumber | rt.TypeString | rt.TypeArray | rt.TypeObject

func (t *translation) types() {
	if v := t.get("type"); v != nil {
		t.node.Types = t.typeSet(v)
	}
	t.nullable()
	if t.node.Types&rt.TypeNumber != 0 {
		t.node.Types &^= rt.TypeInteger // implied
	}
	if t.node.Types == everyType {
		t.node.Types = 0
	}
	t.node.StrictInteger = t.rules.Dialect == Draft4 && t.node.Types&rt.TypeInteger != 0
	t.values()
}

func (t *translation) typeSet(v *source.Node) rt.Types {
	switch {
	case v.Kind == source.String || v.Kind == source.Null:
		return t.typeBit(v)
	case v.Kind == source.Array && t.rules.Dialect == OpenAPI30:
		t.fault(v, "name one type; nullable: true adds null, oneOf states others", `"type" must be one type in OpenAPI 3.0`)
		return 0
	case v.Kind != source.Array || len(v.Items) == 0:
		t.fault(v, "", `"type" must be the name of a type or an array of names, not %s`, kindName(v))
		return 0
	}
	var set rt.Types
	for _, item := range v.Items {
		bit := t.typeBit(item)
		if bit != 0 && set&bit != 0 {
			t.add(diag.Warn(item, CodeRepeated, "%q is already listed", item.Text))
		}
		set |= bit
	}
	return set
}

func (t *translation) typeBit(v *source.Node) rt.Types {
	if v.Kind != source.String {
		advice := ""
		if v.Kind == source.Null {
			advice = `write the type as text: "null"`
		}
		t.fault(v, advice, `"type" must be the name of a type, not %s`, kindName(v))
		return 0
	}
	for _, known := range typeNames {
		if known.name == v.Text && (v.Text != "null" || t.rules.Dialect != OpenAPI30) {
			return known.bit
		}
	}
	var names []string
	for _, known := range typeNames {
		names = append(names, known.name)
	}
	advice := "the types are null, boolean, integer, number, string, array and object"
	if v.Text == "null" {
		advice = "OpenAPI 3.0 says nullable: true beside another type"
	} else if v.Text == "any" || v.Text == "mixed" {
		advice = `a value of any kind has no "type"`
	} else if meant := otherNames[strings.ToLower(v.Text)]; meant != "" {
		advice = "did you mean " + quote(meant) + "?"
	} else if near := diag.Nearest(v.Text, names); near != "" {
		advice = "did you mean " + quote(near) + "?"
	}
	t.fault(v, advice, "%q is not a type", clip(v.Text))
	return 0
}

// otherNames are names that other languages have for the types.
var otherNames = map[string]string{
	"int": "integer", "int32": "integer", "int64": "integer", "uint": "integer", "uint64": "integer", "long": "integer", "bigint": "integer",
	"float": "number", "double": "number", "decimal": "number",
	"str": "string", "text": "string", "bool": "boolean", "list": "array", "tuple": "array",
	"dict": "object", "map": "object", "struct": "object", "nil": "null", "none": "null", "void": "null",
}

// nullable adds null to the types beside it, as OpenAPI 3.0.3 clarified it:
// without a type there is nothing to add to, and an enum lists null itself.
func (t *translation) nullable() {
	v := t.get("nullable")
	if v == nil || !t.flag("nullable") {
		return
	}
	if t.node.Types == 0 {
		t.add(diag.Warn(v, CodeNoEffect, `"nullable" says nothing without a type beside it`).
			WithAdvice("a correction can state what the service really sends"))
		return
	}
	t.node.Types |= rt.TypeNull
	if e := t.get("enum"); e != nil && !slices.ContainsFunc(e.Items, func(n *source.Node) bool { return n.Kind == source.Null }) {
		t.add(diag.Warn(v, CodeNoEffect, `"nullable" says nothing beside an enum that does not list null`).
			WithAdvice("add null to the enum"))
	}
}

// values reads enum and const; together they are what both admit.
func (t *translation) values() {
	t.enum()
	v := t.get("const")
	if v == nil {
		return
	}
	value, ok := t.canonical(v)
	if !ok {
		return
	}
	if t.node.Enum != nil && !slices.Contains(t.node.Enum, value) {
		t.node.Never = true
	}
	t.node.Enum = []string{value}
}

func (t *translation) enum() {
	v := t.get("enum")
	if v == nil {
		return
	}
	if v.Kind != source.Array {
		t.fault(v, "list the values", `"enum" must be an array, not %s`, kindName(v))
		return
	}
	seen := make(map[string]bool, len(v.Items))
	for _, item := range v.Items {
		value, ok := t.canonical(item)
		if ok && seen[value] {
			t.add(diag.Warn(item, CodeRepeated, "this value is already listed"))
		} else if ok {
			seen[value] = true
			t.node.Enum = append(t.node.Enum, value)
		}
	}
	if len(v.Items) == 0 {
		t.add(diag.Warn(v, CodeNoEffect, "an empty enum admits nothing"))
		t.node.Never = true
	}
}

func (t *translation) canonical(v *source.Node) (string, bool) {
	out, err := canonical.JSON(nil, v.JSON())
	if err != nil {
		t.add(diag.At(v, CodeNumber, "this value has no canonical form: %v", err))
		return "", false
	}
	return string(out), true
}

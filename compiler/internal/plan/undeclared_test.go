package plan_test

import (
	"strings"
	"testing"
)

// TestVariantsOfUndeclaredUnions: a type is a variant of the unions that the
// package declares, and of no others. "Any or null" over something that may be
// null already has no Go type of its own, so the union in it is not declared.
func TestVariantsOfUndeclaredUnions(t *testing.T) {
	const components = `
		"Text":{"type":"string"},"List":{"type":"array"},"None":{"type":"null"},
		"Any":{"oneOf":[{"$ref":"#/components/schemas/Text"},{"$ref":"#/components/schemas/List"},{"$ref":"#/components/schemas/None"}]},
		"Other":{"oneOf":[{"$ref":"#/components/schemas/Text"},{"$ref":"#/components/schemas/List"},{"$ref":"#/components/schemas/None"}]},
		"Pointer":{"oneOf":[{"$ref":"#/components/schemas/Any"},{"$ref":"#/components/schemas/None"}]},
		"Twice":{"oneOf":[{"$ref":"#/components/schemas/Other"},{"$ref":"#/components/schemas/None"}]}`
	for schema, want := range map[string]string{
		`{"type":"object","properties":{"p":{"$ref":"#/components/schemas/Pointer"},"q":{"$ref":"#/components/schemas/Twice"},"t":{"$ref":"#/components/schemas/Text"}}}`: "",
		`{"type":"object","properties":{"p":{"$ref":"#/components/schemas/Pointer"},"a":{"$ref":"#/components/schemas/Any"}}}`:                                            "isAny",
		`{"type":"object","properties":{"o":{"$ref":"#/components/schemas/Other"},"a":{"$ref":"#/components/schemas/Any"}}}`:                                              "isAny isOther",
	} {
		if d := declared(t, built(t, "t", one(schema, components)), "Text"); strings.Join(d.Implements, " ") != want {
			t.Errorf("%s: Text implements %q, want %q", schema, d.Implements, want)
		}
	}
}

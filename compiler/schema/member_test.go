package schema_test

import (
	"testing"

	"github.com/openrpc-go/rpcgen/compiler/schema"
)

// TestMembersWithoutProperties: who writes the members of an object beside its
// keywords is told where they belong.
func TestMembersWithoutProperties(t *testing.T) {
	const advice = `this looks like a member of an object: members are described under "properties"`
	for text, want := range map[string]string{
		`{"Rollup": {"type": "integer"}}`:                                   advice,
		`{"type": "object", "Proof": {"$ref": "#"}}`:                        advice,
		`{"type": "object", "properties": {}, "Proof": {"type": "string"}}`: "",
		`{"Remark": {"words": "type"}}`:                                     "",
		`{"Remark": "type"}`:                                                "",
		`{"Remark": {"type": 1}}`:                                           "",
		`{"propertees": {"type": {"type": "string"}}}`:                      `did you mean "properties"?`,
	} {
		var found []schema.Finding
		_, err := schema.Compile(schema.Draft7, []byte(text), schema.Options{Warn: func(f schema.Finding) { found = append(found, f) }})
		if err != nil || len(found) != 1 || found[0].Code != schema.CodeUnknown || found[0].Advice != want {
			t.Errorf("%s: %v, %v, want the advice %q", text, found, err, want)
		}
	}
}

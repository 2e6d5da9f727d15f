package plan_test

import (
	"testing"

	"github.com/openrpc-go/rpcgen/compiler/internal/plan"
)

// TestSeveralTypesWithNumbers: a number is one of several types like any other,
// although it takes integers in.
func TestSeveralTypesWithNumbers(t *testing.T) {
	for schema, want := range map[string]string{
		`{"type":["string","number"]}`:                                                                  "MResult",
		`{"type":["number","string","null"]}`:                                                           "MResult",
		`{"type":["string","number","integer"]}`:                                                        "MResult",
		`{"type":["string","number","object"]}`:                                                         "MResult",
		`{"type":["number","boolean","array"]}`:                                                         "MResult",
		`{"type":["number","null"]}`:                                                                    "*float64",
		`{"type":["integer","number"]}`:                                                                 "float64",
		`{"type":"integer","anyOf":[{"type":"string"},{"type":"number"}]}`:                              "schema.Raw",
		`{"type":["string","number"],"anyOf":[{"type":"string"},{"type":"integer"}]}`:                   "MResult",
		`{"type":["string","number"],"oneOf":[{"maxLength":3},{"properties":{"a":{}}}]}`:                "schema.Raw",
		`{"type":["string","number"],"anyOf":[{"type":"string"},{"type":"number"},{"type":"boolean"}]}`: "schema.Raw",
	} {
		p := built(t, "t", one(schema, `"A":{"type":"string"}`))
		if got := show(p.Methods[0].Result); got != want {
			var reason plan.Reason
			if len(p.Sites.Raw) > 0 {
				reason = p.Sites.Raw[0].Reason
			}
			t.Errorf("%s becomes %s (%s), want %s", schema, got, reason, want)
		}
	}
}

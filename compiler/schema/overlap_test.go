package schema_test

import (
	"strings"
	"testing"

	"github.com/openrpc-go/rpcgen/compiler/schema"
	rt "github.com/openrpc-go/rpcgen/runtime/schema"
)

// TestOverlappingBranches: who writes a oneOf that refuses plain values is told
// so, with a value that the engine does refuse; who does not is left alone.
func TestOverlappingBranches(t *testing.T) {
	for _, c := range []struct{ branches, says, value string }{
		{`{"type":"object","properties":{"ip":{"type":"string"}}},{"type":"object","properties":{"key":{"type":"string","minLength":4}}}`, `only "key" fits branch 1 of this oneOf and branch 2`, `{"key":"abcd"}`},
		{`{"type":"string"},{"type":"number"},{"type":"integer"}`, `every "integer" fits branch 2 of this oneOf and branch 3`, `7`},
		{`{"$ref":"#/definitions/Whole"},{"type":"number"}`, `every "integer"`, `7`},
		{`{"type":"object","properties":{"a":{}}},{"type":"object","properties":{"a":{},"b":{}}}`, `only "b"`, `{"b":1}`},
		{`{"type":"object","required":["ip"],"properties":{"ip":{"type":"string"}}},{"type":"object","properties":{"key":{"type":"string"}}}`, "", ""},
		{`{"type":"object","additionalProperties":false,"properties":{"ip":{}}},{"type":"object","properties":{"key":{}}}`, "", ""},
		{`{"type":"object","properties":{"kind":{"const":"a"}}},{"type":"object","properties":{"kind":{"const":"b"}}}`, "", ""},
		{`{"type":"integer","maximum":5},{"type":"number","minimum":6}`, "", ""},
		{`{"type":"string"},{"type":"integer"}`, "", ""},
		{`{"type":"object","properties":{"a":false}},{"type":"object","properties":{"a":{}}}`, "", ""},
	} {
		var found []string
		node, err := schema.Compile(schema.Draft7, []byte(`{"oneOf":[`+c.branches+`],"definitions":{"Whole":{"type":"integer"}}}`),
			schema.Options{Warn: func(f schema.Finding) { found = append(found, f.String()) }})
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case c.says == "":
			if len(found) != 0 {
				t.Errorf("%s: %q", c.branches, found)
			}
		case len(found) != 1 || !strings.Contains(found[0], schema.CodeOverlap) || !strings.Contains(found[0], c.says):
			t.Errorf("%s: %q, want %q", c.branches, found, c.says)
		default:
			checker, err := rt.NewChecker(node)
			if err != nil {
				t.Fatal(err)
			}
			if checker.Check([]byte(c.value)) == nil {
				t.Errorf("%s: the engine takes %s", c.branches, c.value)
			}
		}
	}
}

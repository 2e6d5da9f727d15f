package schema_test

import (
	"testing"
	"time"

	"github.com/openrpc-go/rpcgen/compiler/schema"
	rt "github.com/openrpc-go/rpcgen/runtime/schema"
)

// FuzzCompile holds the compiler against schemas that nobody would write: no
// panic, bounded time, and what compiles is a graph that the engine takes and
// can check a value by.
func FuzzCompile(f *testing.F) {
	for _, s := range []string{
		`true`, `{"type": "object", "properties": {"a": {"$ref": "#"}}, "required": ["a"]}`,
		`{"$ref": "#/definitions/a", "definitions": {"a": {"anyOf": [{"$ref": "#/definitions/b"}]}, "b": {"anyOf": [{"$ref": "#/definitions/a"}, {"type": "null"}]}}}`,
		`{"$id": "http://a/b", "$defs": {"x": {"$dynamicAnchor": "t", "items": {"$dynamicRef": "#t"}}}, "$ref": "#t"}`,
		`{"allOf": [{"$ref": "#"}]}`, `{"items": [{}, false], "additionalItems": {"not": {}}}`,
		`{"oneOf": [{"$ref": "#/x"}], "discriminator": {"propertyName": "k", "mapping": {"a": "#/x"}}, "x": {}}`,
		`{"minimum": 1e400, "enum": [1e-400, {"a": [null]}]}`, `{"patternProperties": {"^\\p{L}": {"pattern": "(a*)*$"}}}`,
		`{"dependencies": {"a": ["b"], "c": {"minProperties": 2}}, "unevaluatedProperties": false}`,
		`{"$schema": "http://json-schema.org/draft-04/schema#", "exclusiveMinimum": true, "minimum": 0}`,
		"type: [string, 'null']\nnullable: yes\n", `{"if": {"const": 1}, "then": false, "else": {"$ref": "#/if"}}`,
		`{"$id": "", "$anchor": "", "$ref": ""}`, `{"contains": {}, "minContains": 0, "maxContains": 0}`,
	} {
		for d := schema.Draft4; d <= schema.OpenAPI30; d++ {
			f.Add(byte(d), []byte(s), []byte(`{"a": [1, "x", null], "k": "a"}`))
		}
	}
	f.Fuzz(func(t *testing.T, d byte, s, value []byte) {
		started := time.Now()
		o := schema.Options{Bytes: 1 << 16, Depth: 60, Warn: func(f schema.Finding) { _ = f.String() }}
		n, err := schema.Compile(schema.Draft4+schema.Dialect(d%4), s, o)
		if took := time.Since(started); took > 10*time.Second {
			t.Fatalf("took %v", took)
		}
		if err != nil {
			if _, ok := err.(*schema.Error); !ok {
				t.Fatalf("the schema is at fault, but the error is %T: %v", err, err)
			}
			return
		}
		checker, err := rt.NewChecker(n)
		if err != nil {
			t.Fatalf("the engine does not take a compiled schema: %v", err)
		}
		_ = checker.Check(value)
	})
}

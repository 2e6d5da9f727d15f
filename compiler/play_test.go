package compiler_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestShapesPlay sends values of many shapes through generated clients and back:
// what a schema admits comes through its Go type as it was.
func TestShapesPlay(t *testing.T) {
	const components = `{
		"Tree":{"type":"object","required":["name"],"properties":{"name":{"type":"string"},"above":{"oneOf":[{"type":"null"},{"$ref":"#/components/schemas/Tree"}]}}},
		"Even":{"type":"object","properties":{"odd":{"anyOf":[{"$ref":"#/components/schemas/Odd"},{"type":"null"}]}}},
		"Odd":{"type":"object","required":["even"],"properties":{"even":{"$ref":"#/components/schemas/Even"}}},
		"Base":{"type":"object","required":["method","amount"],"properties":{"method":{"type":"string"},"amount":{"type":"integer"}}},
		"Sepa":{"allOf":[{"$ref":"#/components/schemas/Base"},{"properties":{"method":{"const":"sepa"}}}]},
		"Card":{"allOf":[{"$ref":"#/components/schemas/Base"},{"required":["pan"],"properties":{"method":{"enum":["card"]},"pan":{"type":"string"}}}]},
		"Marked":{"oneOf":[{"type":"string"},{"type":"object","required":["value"],"properties":{"value":{"type":"string"}}}]},
		"Contents":{"anyOf":[{"$ref":"#/components/schemas/Marked"},{"type":"array","items":{"$ref":"#/components/schemas/Marked"}}]}}`
	shapes := []struct {
		schema string
		values []string
	}{
		{`{"$ref":"#/components/schemas/Tree"}`, []string{`{"name":"a"}`, `{"name":"a","above":null}`, `{"name":"a","above":{"name":"b","above":{"name":"c"}}}`}},
		{`{"$ref":"#/components/schemas/Even"}`, []string{`{}`, `{"odd":null}`, `{"odd":{"even":{"odd":null}}}`}},
		{`{"oneOf":[{"$ref":"#/components/schemas/Sepa"},{"$ref":"#/components/schemas/Card"}]}`, []string{`{"method":"sepa","amount":1}`, `{"method":"card","amount":2,"pan":"x"}`}},
		{`{"$ref":"#/components/schemas/Contents"}`, []string{`"a"`, `{"value":"b"}`, `["a",{"value":"b"}]`}},
		{`{"type":["string","integer","null"]}`, []string{`"5"`, `5`, `null`}},
		{`{"type":["object","array","boolean"],"properties":{"a":{"type":"string"}},"items":{"type":"number"}}`, []string{`{"a":"x"}`, `[1.5]`, `[]`, `false`}},
		{`{"oneOf":[{"type":["string","number"]},{"type":"object","required":["x"],"properties":{"x":{"type":"string"}}}]}`, []string{`"a"`, `1.25`, `{"x":"y"}`}},
		{`{"oneOf":[{"type":"string","format":"date-time"},{"type":"integer"}]}`, []string{`"2024-01-02T03:04:05Z"`, `7`}},
		{`{"additionalProperties":{"type":"integer"}}`, []string{`{"a":1}`, `{}`}},
		{`{"pattern":"^0x"}`, []string{`"0x1"`}},
		{`{"type":"integer","format":"uint64"}`, []string{`18446744073709551615`}},
	}
	var methods []string
	plays := 0
	for i, s := range shapes {
		var examples []string
		for n, v := range s.values {
			examples = append(examples, fmt.Sprintf(`{"name":"v%d","params":[{"name":"v","value":%s}],"result":{"name":"r","value":%[2]s}}`, n, v))
		}
		plays += len(s.values)
		methods = append(methods, method(fmt.Sprintf("m%d", i), param("v", s.schema, `,"required":true`), s.schema, `,"examples":[`+strings.Join(examples, ",")+`]`))
	}
	module := hostModule(t)
	testFile(t, module, rpcWith(components, methods...))
	goTool(t, module, "vet", "./...")
	if out := goTool(t, module, "test", "-count=1", "-v", "./played"); strings.Count(out, "    --- PASS: ") != plays {
		t.Errorf("want %d values through, go test says\n%s", plays, out)
	}
}

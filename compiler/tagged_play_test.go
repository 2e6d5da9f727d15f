package compiler_test

import (
	"strings"
	"testing"
)

// TestTaggedValuesPlay sends values of the forms that generated documents have
// through a generated client and back: tags around values, beside a lone text,
// and values of several types, one of them a number.
func TestTaggedValuesPlay(t *testing.T) {
	const components = `{"schemas":{"Tagged":{"oneOf":[
		{"type":"string","enum":["None"]},
		{"type":"object","required":["Some"],"properties":{"Some":{"type":"integer"}},"additionalProperties":false},
		{"type":"object","required":["Pair"],"properties":{"Pair":{"type":"object","required":["a"],"properties":{"a":{"type":"string"}}}},"additionalProperties":false}]}}}`
	const tagged = `{"$ref":"#/components/schemas/Tagged"}`
	values := []struct{ mixed, tagged string }{{`1.5`, `"None"`}, {`7`, `{"Some":3}`}, {`{"x":[1]}`, `{"Pair":{"a":"x"}}`}, {`"s"`, `"None"`}}
	var examples []string
	for _, v := range values {
		examples = append(examples, `{"name":"x","params":[{"name":"v","value":`+v.mixed+`},{"name":"c","value":`+v.tagged+`}],"result":{"name":"r","value":`+v.tagged+`}}`)
	}
	params := param("v", `{"type":["string","number","object"]}`, `,"required":true`) + `,` + param("c", tagged, `,"required":true`)
	module := hostModule(t)
	testFile(t, module, versioned("1.2.6", components, method("m", params, tagged, `,"examples":[`+strings.Join(examples, ",")+`]`)))
	goTool(t, module, "vet", "./...")
	if out := goTool(t, module, "test", "-count=1", "-v", "./played"); strings.Count(out, "    --- PASS: ") != len(values) {
		t.Errorf("want %d values through, go test says\n%s", len(values), out)
	}
}

package compiler_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestSchemaSamples: what schemas give as default or example of themselves is
// held against them, wherever they stand, and refuses nothing.
func TestSchemaSamples(t *testing.T) {
	c := compileText(t, rpcWith(`{
		"Page":{"type":"object","properties":{"limit":{"type":"integer","maximum":100,"default":1000}}},
		"Deep":{"type":"array","items":{"$ref":"#/components/schemas/Leaf"},"examples":[["x"],[5]]},
		"Leaf":{"type":"string","enum":["x","y"],"example":"z"},
		"Fine":{"type":["string","null"],"default":null,"examples":["a"]},
		"Broken":{"type":"text","default":5}}`,
		method("m", param("page", `{"$ref":"#/components/schemas/Page"}`, ``)+`,`+param("deep", `{"$ref":"#/components/schemas/Deep"}`, ``), `{"$ref":"#/components/schemas/Fine"}`, ``),
		method("bad", ``, `{"type":"object","properties":{"b":{"$ref":"#/components/schemas/Broken"}},"default":{"b":5}}`, ``)))
	c.refused("bad")
	for pointer, want := range map[string]string{
		"/components/schemas/Page/properties/limit/default": `default-mismatch: the default of "Page/limit" does not fit its schema: expected a number ≤ 100, found 1000`,
		"/components/schemas/Deep/examples/1/0":             `example-mismatch: example 2 of "Deep" does not fit its schema: expected a string, found 5`,
		"/components/schemas/Leaf/example":                  `example-mismatch: the example of "Leaf" does not fit its schema: expected one of "x", "y", found "z"`,
	} {
		code, message, _ := strings.Cut(want, ": ")
		if got := c.reports(code, pointer); !strings.HasPrefix(got, message) {
			t.Errorf("%s: %s, want %s", pointer, got, message)
		}
	}
	if found := c.Report().Examples; len(found) != 3 {
		t.Errorf("the report lists %+v, want the three: a schema with a fault has no examples", found)
	}
}

// TestManySamples: a hundred wrong values are counted, not printed, and listed in
// the report.
func TestManySamples(t *testing.T) {
	var wrong []string
	for i := range 100 {
		wrong = append(wrong, fmt.Sprintf(`"p%d":{"type":"integer","default":"x","example":"y"}`, i))
	}
	c := compileText(t, rpc(method("m", ``, `{"type":"object","properties":{`+strings.Join(wrong, ",")+`}}`, ``)))
	c.refused()
	printed := c.findings()
	if n := strings.Count(printed, "does not fit its schema"); n != 40 {
		t.Errorf("%d findings are printed, want 20 of each kind", n)
	}
	if !strings.HasSuffix(printed, "and 160 more examples and defaults that do not fit; --report FILE lists them all\n") {
		t.Errorf("the rest is not counted:\n%s", printed[max(0, len(printed)-300):])
	}
	if n := len(c.Report().Examples); n != 200 {
		t.Errorf("the report lists %d, want all 200", n)
	}
}

package schema_test

import (
	"strings"
	"testing"

	"github.com/openrpc-go/rpcgen/compiler/schema"
	rt "github.com/openrpc-go/rpcgen/runtime/schema"
)

// TestDraft6: a schema that says it is draft 6 is read by the rules of draft 7,
// and conditions, which draft 6 does not know, are told and not applied.
func TestDraft6(t *testing.T) {
	const text = `{"$schema":"http://json-schema.org/draft-06/schema#","type":"object","properties":{
		"n":{"type":"number","exclusiveMinimum":0},"c":{"const":"x"},"l":{"items":[{"type":"string"}],"additionalItems":false}},
		"propertyNames":{"maxLength":3},"if":{"required":["n"]},"then":{"required":["c"]}}`
	var said []string
	node, err := schema.Compile(schema.Draft2020, []byte(text), schema.Options{Warn: func(d schema.Finding) { said = append(said, d.Message) }})
	if err != nil {
		t.Fatal(err)
	}
	checker, err := rt.NewChecker(node)
	if err != nil {
		t.Fatal(err)
	}
	for value, want := range map[string]bool{
		`{"n":1}`: true, `{"n":0}`: false, `{"c":"x"}`: true, `{"c":"y"}`: false, `{"l":["a"]}`: true, `{"l":["a",1]}`: false, `{"long":1}`: false,
	} {
		if err := checker.Check([]byte(value)); (err == nil) != want {
			t.Errorf("%s: %v", value, err)
		}
	}
	if all := strings.Join(said, "\n"); !strings.Contains(all, `"if"`) || !strings.Contains(all, `"then"`) {
		t.Errorf("conditions are passed over in silence: %q", said)
	}
}

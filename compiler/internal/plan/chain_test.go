package plan_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestLongChains plans chains of components that no one writes by hand: the
// work stays linear and no recursion is as deep as the document is long.
func TestLongChains(t *testing.T) {
	const n = 4000
	links := map[string]string{
		"property": `{"type":"object","properties":{"next":{"$ref":"#/components/schemas/C%d"}}}`,
		"required": `{"type":"object","required":["next"],"properties":{"next":{"$ref":"#/components/schemas/C%d"}}}`,
		"items":    `{"type":"array","items":{"$ref":"#/components/schemas/C%d"}}`,
		"values":   `{"type":"object","additionalProperties":{"$ref":"#/components/schemas/C%d"}}`,
		"oneOf":    `{"oneOf":[{"$ref":"#/components/schemas/C%d"},{"type":"null"}]}`,
		"variants": `{"oneOf":[{"$ref":"#/components/schemas/C%d"},{"type":"integer"}]}`,
		"allOf":    `{"allOf":[{"$ref":"#/components/schemas/C%d"},{"type":"object","properties":{"a":{"type":"string"}}}]}`,
	}
	for name, link := range links {
		t.Run(name, func(t *testing.T) {
			var components []string
			for i := range n {
				components = append(components, fmt.Sprintf(`"C%d":`, i)+fmt.Sprintf(link, i+1))
			}
			components = append(components, fmt.Sprintf(`"C%d":{"type":"object","properties":{"z":{"type":"string"}}}`, n))
			p := built(t, "t", one(`{"$ref":"#/components/schemas/C0"}`, strings.Join(components, ",")))
			if len(p.Methods) != 1 {
				t.Errorf("the method is not planned: %v", p.Unplanned)
			}
		})
	}
}

// TestWideAllOf plans schemas that reach each other in exponentially many ways.
func TestWideAllOf(t *testing.T) {
	var components []string
	for i := range 60 {
		next := fmt.Sprintf(`{"$ref":"#/components/schemas/C%d"}`, i+1)
		for _, keyword := range []string{"allOf", "anyOf", "oneOf"}[i%3 : i%3+1] {
			components = append(components, fmt.Sprintf(`"C%d":{"%s":[%s,%s,{"type":"object","properties":{"p%d":%s}}]}`, i, keyword, next, next, i, next))
		}
	}
	components = append(components, `"C60":{"type":"object","properties":{"z":{"type":"string"}}}`)
	p := built(t, "t", one(`{"$ref":"#/components/schemas/C0"}`, strings.Join(components, ",")))
	if len(p.Methods) != 1 {
		t.Errorf("the method is not planned: %v", p.Unplanned)
	}
}

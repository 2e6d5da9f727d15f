package pin

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestLarge pins documents whose shape makes a careless method quadratic or
// recursive without end.
func TestLarge(t *testing.T) {
	const n = 5_000
	for _, tt := range []struct {
		name string
		one  func(i int) string // component i
	}{
		{"chain of properties", func(i int) string {
			return fmt.Sprintf(`{"properties":{"n":{"$ref":"#/components/schemas/C%d"}}}`, i+1)
		}},
		{"chain of allOf", func(i int) string {
			return fmt.Sprintf(`{"allOf":[{"$ref":"#/components/schemas/C%d"},{"required":["r%d"]}]}`, i+1, i)
		}},
		{"chain of anyOf with null", func(i int) string {
			return fmt.Sprintf(`{"anyOf":[{"$ref":"#/components/schemas/C%d"},{"type":"null"}]}`, i+1)
		}},
		{"ring", func(i int) string {
			return fmt.Sprintf(`{"properties":{"n":{"$ref":"#/components/schemas/C%d"}},"description":"d%d"}`, (i+1)%n, i%7)
		}},
	} {
		var components []string
		for i := range n {
			components = append(components, fmt.Sprintf(`"C%d":%s`, i, tt.one(i)))
		}
		components = append(components, fmt.Sprintf(`"C%d":{"type":"string"}`, n))
		c, g := read(t, asParam(`{"$ref":"#/components/schemas/C0"}`, strings.Join(components, ",")))
		start := time.Now()
		Digests(c, g)
		if d := time.Since(start); d > time.Minute {
			t.Errorf("%s: %v for %d components", tt.name, d, n)
		} else {
			t.Logf("%s: %v for %d components", tt.name, d, n)
		}
	}
}

package schema

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestGrowth holds time against the size of the value and of the schema: four
// times as much may take at most twelve times as long on a busy machine.
func TestGrowth(t *testing.T) {
	if testing.Short() {
		t.Skip("timing needs the long mode")
	}
	_, records := benchNodes()
	for _, c := range []struct {
		name string
		make func(n int) (*Node, []byte)
		n    int
	}{
		{"records", func(n int) (*Node, []byte) { return records, benchResultText(n) }, 2000},
		{"properties", manyProperties, 2500},
		{"foreign members", func(n int) (*Node, []byte) { _, text := manyProperties(n); return object(ObjectRules{}), text }, 10000},
		{"variants", manyVariants, 2500},
		{"distinct elements", func(n int) (*Node, []byte) { return array(ArrayRules{Unique: true}), manyElements(n) }, 5000},
		{"enum", func(n int) (*Node, []byte) { return manyValues(n) }, 2500},
	} {
		t.Run(c.name, func(t *testing.T) {
			small, large := timeOf(t, c.make, c.n), timeOf(t, c.make, 4*c.n)
			if large > 12*small && large > 300*time.Millisecond {
				t.Errorf("%d take %v, %d take %v", c.n, small, 4*c.n, large)
			}
		})
	}
}

func timeOf(t *testing.T, build func(int) (*Node, []byte), n int) time.Duration {
	node, text := build(n)
	checker, err := NewChecker(node)
	if err != nil {
		t.Fatal(err)
	}
	best := time.Hour
	for range 5 {
		start := time.Now()
		if err := checker.Check(text); err != nil {
			t.Fatal(err)
		}
		best = min(best, time.Since(start))
	}
	return best
}

func manyProperties(n int) (*Node, []byte) {
	var o ObjectRules
	var b bytes.Buffer
	for k := range n {
		o.Properties = append(o.Properties, Property{fmt.Sprintf("property_%d", k), true, typed(TypeInteger)})
		fmt.Fprintf(&b, `,"property_%d":%d`, n-1-k, k)
	}
	return object(o), []byte("{" + b.String()[1:] + "}")
}

func manyVariants(n int) (*Node, []byte) {
	union := &Node{ID: "union", Discriminator: &Discriminator{Property: "kind"}}
	var b bytes.Buffer
	for k := range n {
		variant := object(ObjectRules{Properties: []Property{{"kind", true, typed(TypeString)}, {"value", true, typed(TypeInteger)}}})
		union.OneOf = append(union.OneOf, variant)
		union.Discriminator.Mapping = append(union.Discriminator.Mapping, DiscriminatorCase{fmt.Sprintf("kind%d", k), variant})
		fmt.Fprintf(&b, `,{"value":1,"kind":"kind%d"}`, k)
	}
	return array(ArrayRules{Items: union}), []byte("[" + b.String()[1:] + "]")
}

func manyElements(n int) []byte {
	var b strings.Builder
	for k := range n {
		fmt.Fprintf(&b, `,{"a":%d,"b":["x"]}`, k)
	}
	return []byte("[" + b.String()[1:] + "]")
}

func manyValues(n int) (*Node, []byte) {
	var values []string
	for k := range n {
		values = append(values, fmt.Sprintf(`"value%d"`, k))
	}
	return array(ArrayRules{Items: constant(values...)}), []byte("[" + strings.Join(values, ",") + "]")
}

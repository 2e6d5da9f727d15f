package schema

import (
	"bytes"
	"fmt"
	"runtime"
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
			small, large := timeOf(t, c.make, c.n, 4)/4, timeOf(t, c.make, 4*c.n, 1)
			t.Logf("%d: %v, %d: %v", c.n, small, 4*c.n, large)
			if large > 12*small && large > 300*time.Millisecond {
				t.Errorf("%d take %v, %d take %v", c.n, small, 4*c.n, large)
			}
		})
	}
}

// TestGrowthOfText checks arrays of 1, 10 and 100 MB: the time for a byte stays,
// and so does the memory that checking takes, which is none.
func TestGrowthOfText(t *testing.T) {
	if testing.Short() {
		t.Skip("100 MB need the long mode")
	}
	record := records()
	checker, err := NewChecker(array(ArrayRules{Items: record}))
	if err != nil {
		t.Fatal(err)
	}
	checker = checker.WithLimits(Limits{Members: 1 << 30, StringBytes: 1 << 30})
	piece := benchResultText(5060) // a million bytes
	piece = append(piece[len(`{"items":[`):len(piece)-len(`]}`)], ',')
	most, sizes := 100, []int{1, 10, 100}
	if raceDetector { // ten times as slow
		most, sizes = 10, []int{1, 10}
	}
	best := map[int]time.Duration{}
	for range 2 { // in turn, and each as long as the others
		for _, n := range sizes {
			text := append([]byte{'['}, bytes.Repeat(piece, n)...)
			text[len(text)-1] = ']'
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			each := timeReading(t, checker, text, most/n) / time.Duration(most)
			runtime.ReadMemStats(&after)
			if best[n] == 0 || each < best[n] {
				best[n] = each
			}
			if grown := after.TotalAlloc - before.TotalAlloc; grown > 1<<20 {
				t.Errorf("checking %d bytes %d times allocates %d", len(text), most/n, grown)
			}
		}
	}
	for _, n := range sizes {
		t.Logf("%d MB: %v for each", n, best[n])
		if best[n] > 8*best[1] { // a busy machine; a square would show a hundred
			t.Errorf("a megabyte of %d takes %v, alone %v", n, best[n], best[1])
		}
	}
}

// records returns the node of one record of benchNodes.
func records() *Node {
	_, result := benchNodes()
	return result.Object.Properties[0].Node.Array.Items
}

// timeOf returns the shortest time of some readings one after the other: as many
// as make what is compared equally long, or a busy machine would find room for
// the shorter one only.
func timeOf(t *testing.T, build func(int) (*Node, []byte), n, readings int) time.Duration {
	node, text := build(n)
	checker, err := NewChecker(node)
	if err != nil {
		t.Fatal(err)
	}
	best := time.Hour
	for range 5 {
		best = min(best, timeReading(t, checker, text, readings))
	}
	return best
}

func timeReading(t *testing.T, c *Checker, text []byte, readings int) time.Duration {
	start := time.Now()
	for range readings {
		if err := c.Check(text); err != nil {
			t.Fatal(err)
		}
	}
	return time.Since(start)
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

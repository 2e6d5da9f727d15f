package schema

import (
	"fmt"
	"testing"
	"time"
)

// TestHostileNodes: preparing a graph that a stranger wrote ends soon.
func TestHostileNodes(t *testing.T) {
	cycle := func(name string, length int) *Node {
		nodes := make([]*Node, length)
		for k := range nodes {
			nodes[k] = object(ObjectRules{})
			nodes[k].ID = fmt.Sprintf("%s%d", name, k)
		}
		for k, n := range nodes {
			n.Object.Properties = []Property{{"next", false, nodes[(k+1)%length]}}
		}
		return nodes[0]
	}
	for name, c := range map[string]struct {
		node func() *Node
		good string
	}{
		"cycles multiplied out": {func() *Node {
			n := &Node{ID: "product"}
			for _, length := range []int{2, 3, 5, 7, 11, 13, 17, 19} {
				n.AllOf = append(n.AllOf, cycle(fmt.Sprint("c", length, "-"), length))
			}
			return n
		}, `{"next":{"next":{}}}`},
		"long chain": {func() *Node {
			n := typed(TypeInteger)
			for range 100_000 {
				n = object(ObjectRules{Properties: []Property{{"a", false, n}}})
			}
			return n
		}, `{"a":{}}`},
		"chain of allOf": {func() *Node {
			n := typed(TypeInteger)
			for range 20_000 {
				n = &Node{ID: "link", AllOf: []*Node{n, number(NumberRules{Minimum: "0"})}}
			}
			return n
		}, ``},
		"unions of unions": {func() *Node {
			level := []*Node{typed(TypeInteger), typed(TypeString)}
			for range 12 {
				next := make([]*Node, 10)
				for k := range next {
					next[k] = &Node{ID: "union", OneOf: append([]*Node{typed(TypeNull)}, level...)}
				}
				level = next
			}
			return level[0]
		}, ``},
		"many patterns": {func() *Node {
			var o ObjectRules
			for k := range 400 {
				re2 := fmt.Sprintf(`\A(?:[ab]{0,%d}a[ab]{9}){2}\z`, 80+k)
				o.Properties = append(o.Properties, Property{fmt.Sprint(k), false, text(StringRules{Pattern: &Pattern{re2, re2}})})
			}
			return object(o)
		}, `{"1":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}`},
		"wide allOf": {func() *Node {
			n := &Node{ID: "wide"}
			for range 5000 {
				n.AllOf = append(n.AllOf, object(ObjectRules{Properties: []Property{{"a", false, number(NumberRules{Minimum: "0"})}}}))
			}
			return n
		}, `{"a":1}`},
	} {
		t.Run(name, func(t *testing.T) {
			node := c.node()
			start := time.Now()
			checker, err := NewChecker(node)
			if err != nil {
				t.Fatal(err)
			}
			if c.good != "" {
				if err := checker.Check([]byte(c.good)); err != nil {
					t.Error(err)
				}
			}
			_ = checker.Check([]byte(`[[[["no"]]]]`))
			if spent := time.Since(start); spent > 30*time.Second {
				t.Errorf("took %v", spent)
			}
		})
	}
}

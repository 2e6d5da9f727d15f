package source_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// TestTable holds a table against a map, over the nodes of several files, of a
// copy, and over those that were never read.
func TestTable(t *testing.T) {
	var nodes []*source.Node
	for i, count := range []int{3, 2000, 40} {
		text := "[" + strings.TrimSuffix(strings.Repeat(`{"a": [1]},`, count), ",") + "]"
		f, err := source.Read(fmt.Sprint(i), []byte(text), source.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		nodes = below(below(nodes, f.Root), f.Copy().Root)
	}
	for range 20 {
		nodes = append(nodes, &source.Node{Kind: source.Null})
	}
	var table source.Table[int]
	want := map[*source.Node]*int{}
	for step := range 4 * len(nodes) {
		n := nodes[step*7919%len(nodes)]
		if table.Find(n) != want[n] {
			t.Fatalf("step %d: %v, want %v", step, table.Find(n), want[n])
		}
		if step%3 == 0 {
			continue
		}
		at := table.At(n)
		if want[n] == nil {
			if *at != 0 {
				t.Fatalf("step %d: a value that is new is %d", step, *at)
			}
			*at, want[n] = step+1, at
		}
		if at != want[n] || *at == 0 {
			t.Fatalf("step %d: %d at %v, want %v", step, *at, at, want[n])
		}
	}
	if len(want) != len(nodes) {
		t.Errorf("%d of %d nodes have a value", len(want), len(nodes))
	}
}

func below(list []*source.Node, n *source.Node) []*source.Node {
	list = append(list, n)
	for _, item := range n.Items {
		list = below(list, item)
	}
	for _, m := range n.Members {
		list = below(list, m.Value)
	}
	return list
}

package schema

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	rt "github.com/openrpc-go/rpcgen/runtime/schema"
)

// TestConcurrentUse asks one graph for its schemas, and about them, from several
// goroutines: all get the same nodes, and the race detector has something to see.
func TestConcurrentUse(t *testing.T) {
	var b strings.Builder
	const n = 50
	for i := range n {
		fmt.Fprintf(&b, `, "S%d": {"properties": {"next": {"$ref": "#/components/schemas/S%d"}, "own": {"type": "string", "x-a": 1, "zz": 2}}}`, i, (i+1)%n)
	}
	g, root := load(t, Draft7, "doc.json", `{"openrpc": "1", "components": {"schemas": {`+b.String()[2:]+`}}}`)
	schemas := root.Get("components").Get("schemas")
	nodes := make([][]*rt.Node, 4)
	var wait sync.WaitGroup
	for k := range nodes {
		wait.Go(func() {
			for i := range n {
				m := schemas.Members[(i*7+k*11)%n]
				node := g.Node(m.Value, "x")
				nodes[k] = append(nodes[k], node)
				if info := g.Info(node); info == nil || info.Name != m.Name || g.Len() == 0 || len(g.Faults(node)) == 0 {
					t.Errorf("%s: %+v", m.Name, info)
				}
			}
		})
	}
	wait.Wait()
	for k := range nodes {
		for i := range n {
			if m := schemas.Members[(i*7+k*11)%n]; nodes[k][i] != g.Node(m.Value, "") {
				t.Errorf("%s is two nodes", m.Name)
			}
		}
	}
}

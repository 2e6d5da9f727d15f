package schema

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/openrpc-go/rpcgen/compiler/internal/reference"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// TestCompileStripe prints how long 22 schemas of a large document take that
// lead back to themselves, with all that they reach.
func TestCompileStripe(t *testing.T) {
	const file, count = "openapi/stripe/spec3.json", 22
	f, err := source.ReadFile(filepath.Join(corpus(t, filepath.Dir(file)), filepath.Base(file)), file, source.Limits{})
	if err != nil {
		t.Skip(err)
	}
	schemas := f.Root.Get("components").Get("schemas")
	var roots []*source.Node
	for _, m := range schemas.Members {
		if len(roots) < count && leadsBack(schemas, m.Name) {
			roots = append(roots, m.Value)
		}
	}
	if len(roots) < count {
		t.Fatalf("%d schemas lead back to themselves", len(roots))
	}
	best, entries := time.Hour, 0
	for range 10 {
		started := time.Now()
		g := NewGraph(reference.New(f, reference.Options{}), OpenAPI30)
		for _, s := range roots {
			if g.Node(s, string(s.Pointer())).Never {
				t.Fatalf("%s admits nothing", s.Pointer())
			}
		}
		best, entries = min(best, time.Since(started)), len(g.entries)
	}
	fmt.Printf("compile: %d recursive schemas of stripe with the %d schemas they reach: %v\n", count, entries, best)
}

// leadsBack reports whether a component refers to itself over others.
func leadsBack(schemas *source.Node, name string) bool {
	seen, queue := map[string]bool{}, []string{name}
	for len(queue) > 0 {
		at := schemas.Get(queue[0])
		queue = queue[1:]
		for _, to := range namesIn(at, nil) {
			if to == name {
				return true
			}
			if !seen[to] {
				seen[to] = true
				queue = append(queue, to)
			}
		}
	}
	return false
}

// namesIn lists the components that n refers to.
func namesIn(n *source.Node, found []string) []string {
	if n == nil {
		return found
	}
	for _, item := range n.Items {
		found = namesIn(item, found)
	}
	for _, m := range n.Members {
		if name, ok := strings.CutPrefix(m.Value.Text, "#/components/schemas/"); ok && m.Name == "$ref" && !slices.Contains(found, name) {
			found = append(found, name)
		} else if !strings.HasPrefix(m.Name, "x-") {
			found = namesIn(m.Value, found)
		}
	}
	return found
}

package schema_test

import (
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/openrpc-go/rpcgen/compiler/internal/reference"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
	"github.com/openrpc-go/rpcgen/compiler/schema"
	rt "github.com/openrpc-go/rpcgen/runtime/schema"
)

// TestCorpusValues holds the engine against the plain evaluator on the
// components of real documents, with their own examples and with strangers.
func TestCorpusValues(t *testing.T) {
	root := filepath.Join("..", "..", "..", "shared", "corpus", "openrpc")
	if _, err := os.Stat(root); err != nil {
		t.Skip("no corpus at " + root)
	}
	compared, fit := 0, 0
	gen := &generator{Rand: rand.New(rand.NewPCG(3, 4)), dialect: schema.Draft7}
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, ".json") {
			return err
		}
		f, err := source.ReadFile(path, path, source.Limits{})
		if err != nil {
			return nil // the reader's business
		}
		g := schema.NewGraph(reference.New(f, reference.Options{}), schema.Draft7)
		components := f.Root.Get("components").Get("schemas")
		if components == nil {
			return nil
		}
		for _, m := range components.Members {
			n := g.Node(m.Value, m.Name)
			if g.Faults(n).HasErrors() {
				continue
			}
			checker, err := rt.NewChecker(n)
			if err != nil {
				t.Errorf("%s: %s: %v", path, m.Name, err)
				continue
			}
			values := gen.values(4)
			for _, example := range g.Info(n).Examples {
				values = append(values, example.JSON())
			}
			for _, v := range values {
				compared++
				got := checker.Check(v)
				if (got == nil) != plainCheck(n, v) {
					t.Errorf("%s: %s: %s: %v", path, m.Name, v, got)
				}
				if got == nil {
					fit++
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d values compared, %d fit", compared, fit)
}

package schema

import (
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/reference"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// corpus returns a folder of the corpus of real documents, which lies beside
// the repository, or skips the test.
func corpus(t testing.TB, folder string) string {
	t.Helper()
	path := filepath.Join("..", "..", "..", "shared", "corpus", filepath.FromSlash(folder))
	if _, err := os.Stat(path); err != nil {
		t.Skipf("no corpus at %s", path)
	}
	return path
}

// schemasOf lists what stands under "schema" or in a container of schemas.
func schemasOf(n *source.Node) (found []*source.Node) {
	for _, item := range n.Items {
		found = append(found, schemasOf(item)...)
	}
	for _, m := range n.Members {
		switch m.Name {
		case "schema":
			found = append(found, m.Value)
		case "schemas", "definitions":
			for _, s := range m.Value.Members {
				found = append(found, s.Value)
			}
		case "example", "examples", "value", "default":
		default:
			found = append(found, schemasOf(m.Value)...)
		}
	}
	return found
}

// TestCorpus compiles every schema of every real OpenRPC document. A fault is
// no failure: what a fault must have is a place.
func TestCorpus(t *testing.T) {
	root := corpus(t, "openrpc")
	total, counts := 0, map[string]int{}
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		f, err := source.ReadFile(path, path, source.Limits{})
		if err != nil {
			return nil // the reader's business
		}
		producer, _, _ := strings.Cut(strings.TrimPrefix(path, root+string(filepath.Separator)), string(filepath.Separator))
		folder, err := os.OpenRoot(filepath.Join(root, producer))
		if err != nil {
			return err
		}
		defer folder.Close()
		dir, _ := filepath.Rel(filepath.Join(root, producer), filepath.Dir(path))
		started := time.Now()
		g := NewGraph(reference.New(f, reference.Options{Root: folder, Dir: filepath.ToSlash(dir)}), Draft7)
		var all diag.List
		for _, s := range schemasOf(f.Root) {
			n := g.Node(s, string(s.Pointer()))
			if g.Info(n) == nil {
				t.Errorf("%s: no info for %q", path, n.ID)
			}
			all.Add(g.Faults(n)...)
			total++
		}
		expectQuick(t, path, started, 2*time.Second)
		all.Sort()
		for _, d := range all {
			counts[d.Severity.String()+" "+d.Code]++
			if d.Position.Line == 0 {
				t.Errorf("%s: no place for %s: %s", path, d.Code, d.Message)
			}
			if testing.Verbose() {
				t.Logf("%v: %s: %s [%s]", d.Position, d.Code, d.Message, d.Advice)
			}
		}
		seen := map[string]bool{}
		for _, e := range g.entries {
			if seen[e.node.ID] {
				t.Errorf("%s: two nodes are called %q", path, e.node.ID)
			}
			seen[e.node.ID] = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	codes := make([]string, 0, len(counts))
	for code := range counts {
		codes = append(codes, code)
	}
	sort.Strings(codes)
	t.Logf("%d schemas", total)
	for _, code := range codes {
		t.Logf("%6d %s", counts[code], code)
	}
}

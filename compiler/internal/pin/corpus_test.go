package pin

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/openrpc-go/rpcgen/compiler/internal/contract"
	"github.com/openrpc-go/rpcgen/compiler/schema"
	"github.com/openrpc-go/rpcgen/runtime/compiled"
)

// corpus reads a published document, or skips.
func corpus(t testing.TB, name string) (*contract.Contract, *schema.Graph) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "shared", "corpus", "openrpc", name))
	if err != nil {
		t.Skipf("no corpus of published documents: %v", err)
	}
	return read(t, string(b))
}

// TestVersions pins consecutive versions of published documents. The numbers
// are for reading; what must hold is that a method whose every member is
// spelled as before, inline, keeps its wire and result.
func TestVersions(t *testing.T) {
	root := filepath.Join("..", "..", "..", "..", "shared", "corpus", "versions")
	if _, err := os.Stat(root); err != nil {
		t.Skipf("no corpus of versions: %v", err)
	}
	for _, project := range []string{"massa", "near", "celestia", "metamask-api-specs", "hiero-relay"} {
		files, _ := filepath.Glob(filepath.Join(root, project, "*", "openrpc.json"))
		var last map[string]pinned
		for _, file := range files {
			b, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			now := pinMethods(t, string(b))
			counts := map[string]int{}
			for name, m := range now {
				before, ok := last[name]
				if !ok {
					counts["new"]++
					continue
				}
				counts[moved(before.digests, m.digests)]++
				if before.spelled == m.spelled && (before.digests.Wire != m.digests.Wire || before.digests.Result != m.digests.Result) {
					t.Errorf("%s: %s is spelled as before and moved %s", file, name, moved(before.digests, m.digests))
				}
			}
			t.Logf("%s: %d methods: %v", filepath.Base(filepath.Dir(file)), len(now), counts)
			last = now
		}
	}
}

type pinned struct {
	digests compiled.Digests
	spelled string // "" when parts of it stand elsewhere
}

func pinMethods(t *testing.T, document string) map[string]pinned {
	c, g := read(t, document)
	out := map[string]pinned{}
	for i, d := range Digests(c, g) {
		m := c.Methods[i]
		spelled := string(m.Node.JSON())
		if strings.Contains(spelled, "$ref") {
			spelled = m.Name + strconv.Itoa(len(out)) + document // equal to no other
		}
		out[m.Name] = pinned{d, spelled}
	}
	return out
}

func BenchmarkDigests(b *testing.B) {
	c, g := corpus(b, "ethereum-execution-apis/openrpc.json")
	for b.Loop() {
		Digests(c, g)
	}
}

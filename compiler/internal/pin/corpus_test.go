package pin

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/openrpc-go/rpcgen/compiler/internal/contract"
	"github.com/openrpc-go/rpcgen/compiler/schema"
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

func BenchmarkDigests(b *testing.B) {
	c, g := corpus(b, "ethereum-execution-apis/openrpc.json")
	for b.Loop() {
		Digests(c, g)
	}
}

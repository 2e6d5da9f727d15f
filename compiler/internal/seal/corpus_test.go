package seal

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/openrpc-go/rpcgen/compiler/internal/amendment"
	"github.com/openrpc-go/rpcgen/compiler/internal/contract"
	"github.com/openrpc-go/rpcgen/compiler/internal/openrpc"
	"github.com/openrpc-go/rpcgen/compiler/internal/pin"
	"github.com/openrpc-go/rpcgen/compiler/internal/reference"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
	"github.com/openrpc-go/rpcgen/compiler/schema"
	"github.com/openrpc-go/rpcgen/runtime/compiled"
)

// TestCorpus seals every published OpenRPC document, writes it and reads it
// back: all methods, whole.
func TestCorpus(t *testing.T) {
	root := filepath.Join("..", "..", "..", "..", "shared", "corpus", "openrpc")
	if _, err := os.Stat(root); err != nil {
		t.Skipf("no corpus of published documents: %v", err)
	}
	documents, methods := 0, 0
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.Contains(path, "meta-schema") || filepath.Ext(path) != ".json" && filepath.Ext(path) != ".yaml" {
			return err
		}
		name, _ := filepath.Rel(root, path)
		f, err := source.ReadFile(path, name, source.Limits{})
		if err != nil || f.Root.Get("openrpc") == nil {
			return nil
		}
		documents++
		methods += sealDocument(t, f)
		return nil
	})
	if err != nil || documents == 0 {
		t.Fatalf("%d documents: %v", documents, err)
	}
	t.Logf("%d documents, %d methods", documents, methods)
}

func sealDocument(t *testing.T, f *source.File) int {
	refs := reference.New(f, reference.Options{})
	c, _ := openrpc.Read("test", f, refs)
	if c == nil {
		return 0
	}
	g := schema.NewGraph(refs, c.Dialect)
	c = contract.Resolve(c, g)
	start := time.Now()
	digests := pin.Digests(c, g)
	pinned := time.Now()
	joined, _ := amendment.Join(c, nil, digests, nil)
	b, err := compiled.Marshal(Contract(c, g, digests, joined, Options{}))
	if err != nil {
		t.Errorf("%s: %v", f.Name, err)
		return 0
	}
	written := time.Now()
	opened, err := compiled.Read(b)
	if err != nil {
		t.Errorf("%s: %v", f.Name, err)
		return 0
	}
	indexed := time.Now()
	back, err := opened.Contract()
	if err != nil {
		t.Errorf("%s: %v", f.Name, err)
		return 0
	}
	read := time.Now()
	if again, err := compiled.Marshal(back); err != nil || string(again) != string(b) {
		t.Errorf("%s: what was read is written differently: %v", f.Name, err)
	}
	if len(back.Methods) != len(c.Methods) {
		t.Errorf("%s: %d methods of %d", f.Name, len(back.Methods), len(c.Methods))
	}
	if len(f.Bytes) > 1<<20 {
		t.Logf("%s: %d bytes, pin %v, seal and write %v (%d bytes), index %v, read all %v", f.Name, len(f.Bytes),
			pinned.Sub(start), written.Sub(pinned), len(b), indexed.Sub(written), read.Sub(indexed))
	}
	return len(c.Methods)
}

package pin

import (
	"slices"
	"testing"

	"github.com/openrpc-go/rpcgen/compiler/internal/contract"
	"github.com/openrpc-go/rpcgen/compiler/internal/openrpc"
	"github.com/openrpc-go/rpcgen/compiler/internal/reference"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
	"github.com/openrpc-go/rpcgen/compiler/schema"
	"github.com/openrpc-go/rpcgen/runtime/compiled"
)

// FuzzDigests reads any document: no panic, and the same digests twice.
func FuzzDigests(f *testing.F) {
	f.Add([]byte(asParam(`{"oneOf":[{"$ref":"#/components/schemas/A"},{"type":"null"}],"default":1e3}`, `"A":{"allOf":[{"$ref":"#/components/schemas/A"},true]}`)))
	f.Add([]byte(asResult(`{"type":["integer","null"],"exclusiveMinimum":1e400,"enum":[null,1.0]}`, ``)))
	f.Add([]byte(asParam(`{"$ref":"#/components/schemas/A","description":"x"}`, `"A":{"$ref":"#/components/schemas/B"},"B":{"$ref":"#/components/schemas/A"}`)))
	f.Fuzz(func(t *testing.T, b []byte) {
		first := fuzzed(b)
		if !slices.Equal(first, fuzzed(b)) {
			t.Fatalf("%q has other digests the second time", b)
		}
	})
}

func fuzzed(b []byte) []compiled.Digests {
	f, err := source.Read("doc", b, source.Limits{Bytes: 1 << 16, Depth: 60, Nodes: 5000})
	if err != nil {
		return nil
	}
	refs := reference.New(f, reference.Options{})
	c, _ := openrpc.Read("test", f, refs)
	if c == nil {
		return nil
	}
	g := schema.NewGraph(refs, c.Dialect)
	return Digests(contract.Resolve(c, g), g)
}

package schema

import (
	"path/filepath"
	"testing"

	"github.com/openrpc-go/rpcgen/compiler/internal/reference"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// BenchmarkCompile compiles every component of a large real document: its
// schemas are nearly all reachable from each other.
func BenchmarkCompile(b *testing.B) {
	for _, c := range []struct {
		name, file string
		dialect    Dialect
	}{
		{"stripe", "openapi/stripe/spec3.json", OpenAPI30},
		{"execution-apis", "openrpc/ethereum-execution-apis/openrpc.json", Draft7},
	} {
		b.Run(c.name, func(b *testing.B) {
			path := filepath.Join(corpus(b, filepath.Dir(c.file)), filepath.Base(c.file))
			f, err := source.ReadFile(path, c.file, source.Limits{})
			if err != nil {
				b.Skip(err)
			}
			b.ReportAllocs()
			entries := 0
			for b.Loop() {
				g := NewGraph(reference.New(f, reference.Options{}), c.dialect)
				for _, s := range schemasOf(f.Root) {
					g.Node(s, string(s.Pointer()))
				}
				entries = len(g.entries)
			}
			b.ReportMetric(float64(entries), "schemas")
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*entries), "ns/schema")
		})
	}
}

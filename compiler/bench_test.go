package compiler_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/openrpc-go/rpcgen/compiler"
)

// synthetic is a document of n methods, each with a request of six and a
// response of eight members of its own.
func synthetic(n int) []byte {
	var b strings.Builder
	b.WriteString(`{"openrpc": "1.2.6", "info": {"title": "synthetic", "version": "1"}, "methods": [`)
	for i := range n {
		if i > 0 {
			b.WriteString(",\n")
		}
		fmt.Fprintf(&b, `{"name": "callOperation%d", "summary": "Operation %[1]d", "params": [
			{"name": "id", "required": true, "schema": {"type": "string"}},
			{"name": "body", "required": true, "schema": {"$ref": "#/components/schemas/Req%[1]d"}},
			{"name": "limit", "schema": {"type": "integer", "minimum": 1, "maximum": 100}}],
			"result": {"name": "result", "schema": {"$ref": "#/components/schemas/Res%[1]d"}},
			"errors": [{"code": 1, "message": "failed"}]}`, i)
	}
	b.WriteString(`], "components": {"schemas": {
		"Money": {"type": "object", "required": ["amount"], "properties": {"amount": {"type": "integer"}, "currency": {"type": "string", "pattern": "^[A-Z]{3}$"}}},
		"Status": {"type": "string", "enum": ["open", "closed", "pending"]}`)
	for i := range n {
		fmt.Fprintf(&b, `,
		"Req%d": {"type": "object", "description": "Request number %[1]d.", "required": ["name", "count"], "properties": {
			"name": {"type": "string", "minLength": 1, "maxLength": 64}, "count": {"type": "integer", "minimum": 0, "maximum": 1000000},
			"tags": {"type": "array", "maxItems": 16, "items": {"type": "string"}}, "price": {"$ref": "#/components/schemas/Money"},
			"note": {"type": "string"}, "dryRun": {"type": "boolean"}}},
		"Res%[1]d": {"type": "object", "description": "Response number %[1]d.", "required": ["id", "name", "status"], "properties": {
			"id": {"type": "string", "minLength": 1}, "name": {"type": "string"}, "count": {"type": "integer"}, "ratio": {"type": "number"},
			"active": {"type": "boolean"}, "status": {"$ref": "#/components/schemas/Status"}, "total": {"$ref": "#/components/schemas/Money"},
			"items": {"type": "array", "items": {"$ref": "#/components/schemas/Money"}}}}`, i)
	}
	b.WriteString("}}}")
	return []byte(b.String())
}

// BenchmarkGenerate runs the whole line, up to files on disk, and reports the
// time a method takes: it should not grow with their number. RPCGEN_LONG=1 adds
// 10,000 methods.
func BenchmarkGenerate(b *testing.B) {
	sizes := []int{100, 1_000}
	if os.Getenv("RPCGEN_LONG") != "" {
		sizes = append(sizes, 10_000)
	}
	for _, n := range sizes {
		b.Run(fmt.Sprint(n), func(b *testing.B) { benchmarkGenerate(b, n) })
	}
}

func benchmarkGenerate(b *testing.B, n int) {
	folder := b.TempDir()
	document := filepath.Join(folder, "synthetic.json")
	if err := os.WriteFile(document, synthetic(n), 0o644); err != nil {
		b.Fatal(err)
	}
	stages := map[string]time.Duration{}
	runs := 0
	b.ReportAllocs()
	for b.Loop() {
		runs++
		out := filepath.Join(folder, fmt.Sprint("out", runs))
		g, err := only(folder, compiler.Target{ID: "synthetic", Document: document, Output: out, Package: "synthetic"}).
			Generate(compiler.GenerateOptions{Now: time.Now, Tool: "bench"})
		if err != nil || !g.Written {
			b.Fatalf("nothing was written: %v", err)
		}
		for _, s := range g.Contracts[0].Stages {
			stages[s.Name] += s.Took
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(runs)/float64(n), "µs/method")
	for name, took := range stages {
		b.ReportMetric(float64(took.Microseconds())/1e3/float64(runs), name+"-ms")
	}
}

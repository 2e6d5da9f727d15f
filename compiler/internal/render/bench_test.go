package render_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/openrpc-go/rpcgen/compiler/internal/contract"
	"github.com/openrpc-go/rpcgen/compiler/internal/openrpc"
	"github.com/openrpc-go/rpcgen/compiler/internal/plan"
	"github.com/openrpc-go/rpcgen/compiler/internal/reference"
	"github.com/openrpc-go/rpcgen/compiler/internal/render"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
	"github.com/openrpc-go/rpcgen/compiler/internal/verify"
	"github.com/openrpc-go/rpcgen/compiler/schema"
)

// synthetic is a contract of n methods, each with a request of six properties
// and a response of eight.
func synthetic(n int) []byte {
	var b bytes.Buffer
	b.WriteString(`{"openrpc":"1.3.2","info":{"title":"s","version":"1"},"methods":[`)
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"name":"item%d.update","summary":"Updates item %d.","params":[`, i, i)
		for j := range 6 {
			fmt.Fprintf(&b, `%s{"name":"field_%d","description":"the field %d","required":%v,"schema":{"type":"string"}}`, []string{"", ","}[min(j, 1)], j, j, j < 3)
		}
		fmt.Fprintf(&b, `],"result":{"name":"r","schema":{"$ref":"#/components/schemas/Item%d"}}}`, i)
	}
	b.WriteString(`],"components":{"schemas":{`)
	for i := range n {
		fmt.Fprintf(&b, `%s"Item%d":{"type":"object","description":"Item %d of all.","required":["field_0"],"properties":{`, []string{"", ","}[min(i, 1)], i, i)
		for j := range 8 {
			fmt.Fprintf(&b, `%s"field_%d":{"type":"%s","description":"the field %d"}`, []string{"", ","}[min(j, 1)], j, []string{"string", "integer", "number", "boolean"}[j%4], j)
		}
		b.WriteString("}}")
	}
	b.WriteString("}}}")
	return b.Bytes()
}

// read runs the stages before the plan.
func read(t testing.TB, id string, text []byte) (*contract.Contract, *schema.Graph) {
	t.Helper()
	file, err := source.Read(id+".json", text, source.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	set := reference.New(file, reference.Options{})
	c, faults := openrpc.Read(id, file, set)
	if c == nil {
		t.Fatal(faults)
	}
	graph := schema.NewGraph(set, c.Dialect)
	return contract.Resolve(c, graph), graph
}

// bodies is a contract of n methods that take a component of six properties as
// one param and give one of eight: the form that documents converted from HTTP
// have.
func bodies(n int) []byte {
	const money, status = `{"$ref":"#/components/schemas/Money"}`, `{"$ref":"#/components/schemas/Status"}`
	var methods, schemas strings.Builder
	schemas.WriteString(`"Money":{"type":"object","required":["amount"],"properties":{"amount":{"type":"integer"}}},"Status":{"enum":["open","closed"]}`)
	for i := range n {
		if i > 0 {
			methods.WriteByte(',')
		}
		fmt.Fprintf(&methods, `{"name":"callOperation%d","summary":"Operation %d","params":[{"name":"id","required":true,"schema":{"type":"string"}},
			{"name":"body","required":true,"schema":{"$ref":"#/components/schemas/Req%d"}},{"name":"limit","schema":{"type":"integer"}}],
			"result":{"name":"r","schema":{"$ref":"#/components/schemas/Res%d"}},"errors":[{"code":-32000,"message":"failed"}]}`, i, i, i, i)
		fmt.Fprintf(&schemas, `,"Req%d":{"type":"object","description":"Request number %d.","required":["name","count"],"properties":{"name":{"type":"string"},
			"count":{"type":"integer"},"tags":{"type":"array","items":{"type":"string"}},"price":%s,"note":{"type":"string"},"dryRun":{"type":"boolean"}}}`, i, i, money)
		fmt.Fprintf(&schemas, `,"Res%d":{"type":"object","description":"Response number %d.","required":["id","name","status"],"properties":{"id":{"type":"string"},"name":{"type":"string"},
			"count":{"type":"integer"},"ratio":{"type":"number"},"active":{"type":"boolean"},"status":%s,"total":%s,"items":{"type":"array","items":%s}}}`, i, i, status, money, money)
	}
	return []byte(`{"openrpc":"1.3.2","info":{"title":"s","version":"1"},"methods":[` + methods.String() + `],"components":{"schemas":{` + schemas.String() + `}}}`)
}

// TestLinesPerMethod holds the size of generated code, while no method is
// classified: lines are what users feel.
func TestLinesPerMethod(t *testing.T) {
	const n = 100
	for name, text := range map[string][]byte{"params": synthetic(n), "bodies": bodies(n)} {
		_, files := rendered(t, "synthetic", text)
		lines := 0
		for _, f := range files {
			if strings.HasSuffix(f.Name, ".go") {
				lines += bytes.Count(f.Data, []byte("\n"))
			}
		}
		t.Logf("%s: %d lines for %d methods", name, lines, n)
		if lines > 40*n {
			t.Errorf("%s: %d lines for %d methods, want at most 40 a method", name, lines, n)
		}
	}
}

// BenchmarkStages times plan, render and verify on a document named by
// RPCGEN_BENCH, or on synthetic contracts.
func BenchmarkStages(b *testing.B) {
	documents := map[string][]byte{"100": synthetic(100), "1000": synthetic(1000)}
	if name := os.Getenv("RPCGEN_BENCH"); name != "" {
		text, err := os.ReadFile(name)
		if err != nil {
			b.Fatal(err)
		}
		documents = map[string][]byte{filepath.Base(name): text}
	}
	for name, text := range documents {
		b.Run(name, func(b *testing.B) { stages(b, text) })
	}
}

func stages(b *testing.B, text []byte) {
	var planned, printed, verified time.Duration
	for b.Loop() {
		c, g := read(b, "bench", text)
		runtime.GC()
		start := time.Now()
		p, faults := plan.Build(c, g, nil, plan.Options{})
		if p == nil {
			b.Fatal(faults)
		}
		planned += time.Since(start)
		start = time.Now()
		files, err := render.Files(p, sealed)
		if err != nil {
			b.Fatal(err)
		}
		printed += time.Since(start)
		start = time.Now()
		if err := verify.Check(p, files, verify.Options{}); err != nil {
			b.Fatal(err)
		}
		verified += time.Since(start)
	}
	n := float64(b.N)
	b.ReportMetric(planned.Seconds()*1e3/n, "plan-ms")
	b.ReportMetric(printed.Seconds()*1e3/n, "render-ms")
	b.ReportMetric(verified.Seconds()*1e3/n, "verify-ms")
}

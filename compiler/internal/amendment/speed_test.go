package amendment_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/kaptinlin/jsonschema"
	"go.yaml.in/yaml/v4"

	"github.com/openrpc-go/rpcgen/compiler/internal/amendment"
	"github.com/openrpc-go/rpcgen/compiler/internal/contract"
	"github.com/openrpc-go/rpcgen/compiler/internal/correct"
	"github.com/openrpc-go/rpcgen/compiler/internal/metaschema"
	"github.com/openrpc-go/rpcgen/compiler/internal/pin"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
	"github.com/openrpc-go/rpcgen/compiler/schema"
	"github.com/openrpc-go/rpcgen/runtime/compiled"
)

// thousand is a contract of 1,000 methods and an amendment for all of them: half
// of its entries have a rule, a key and a read-back that are held against the
// schemas.
func thousand(t testing.TB) (*contract.Contract, *schema.Graph, []compiled.Digests, []byte) {
	t.Helper()
	var methods []string
	for i := range 500 {
		methods = append(methods,
			fmt.Sprintf(`{"name": "g%d.get", "params": [{"name": "id", "required": true, "schema": {"type": "string"}}], "result": {"name": "r", "schema": {"type": "object"}}}`, i),
			fmt.Sprintf(`{"name": "g%d.pay", "params": [{"name": "key", "required": true, "schema": {"type": "string"}}, {"name": "amount", "required": true, "schema": {"type": "number"}}],
				"result": {"name": "r", "schema": {"type": "object", "properties": {"id": {"type": "string"}}}}}`, i))
	}
	c, g, digests := stages(t, `{"openrpc": "1.3.2", "info": {"title": "t", "version": "1"}, "methods": [`+strings.Join(methods, ",")+`]}`, nil)
	var text strings.Builder
	text.WriteString("version: \"1\"\ncontract: payments\nmethods:\n")
	for i := range 500 {
		fmt.Fprintf(&text, "  \"g%d.get\": {effect: read, pin: %q}\n", i, pin.Of(digests[2*i]))
		fmt.Fprintf(&text, "  \"g%d.pay\":\n    pin: %q\n    effect: write\n    agents: {allow_if: {properties: {amount: {maximum: 50}}}, otherwise: ask}\n"+
			"    idempotency: {key: /key}\n    read_back: {method: g%d.get, map: {id: /result/id}}\n", i, pin.Of(digests[2*i+1]), i)
	}
	return c, g, digests, []byte(text.String())
}

// TestThousandTypedEntriesAreFast: 1,000 entries are read, joined and checked in
// 100 ms. It takes the best of a few runs.
func TestThousandTypedEntriesAreFast(t *testing.T) {
	const limit = 100 * time.Millisecond
	c, g, digests, text := thousand(t)
	best := time.Hour
	for range 30 {
		start := spent(t)
		f, err := source.ReadOwn("a.yaml", text, source.Limits{}, correct.Nulls)
		if err != nil {
			t.Fatal(err)
		}
		a, faults := amendment.Read(f)
		if a == nil {
			t.Fatal(faults)
		}
		j, faults := amendment.Join(c, g, digests, a)
		best = min(best, spent(t)-start)
		if faults.HasErrors() || j.Counts.Open() != 1000 || j.Authorities[1].AllowIf == nil {
			t.Fatalf("joined %s: %v", j.Counts, faults)
		}
		if best < limit {
			t.Logf("1,000 typed entries take %v", best)
			return
		}
	}
	t.Errorf("1,000 typed entries take %v, the limit is %v", best, limit)
}

// BenchmarkThousandTypedEntries reads, joins and checks 1,000 entries.
func BenchmarkThousandTypedEntries(b *testing.B) {
	c, g, digests, text := thousand(b)
	defer processor(b, spent(b))
	for b.Loop() {
		f, err := source.ReadOwn("a.yaml", text, source.Limits{}, correct.Nulls)
		if err != nil {
			b.Fatal(err)
		}
		a, faults := amendment.Read(f)
		if a == nil {
			b.Fatal(faults)
		}
		if j, _ := amendment.Join(c, g, digests, a); j.Counts.Open() != 1000 {
			b.Fatal(j.Counts)
		}
	}
}

// BenchmarkThousandTypedEntriesOtherwise does the part of it that a YAML reader and a
// JSON Schema do: no positions, no contract, nothing held against schemas.
func BenchmarkThousandTypedEntriesOtherwise(b *testing.B) {
	_, _, _, text := thousand(b)
	s, err := jsonschema.NewCompiler().Compile(metaschema.AmendmentSchema())
	if err != nil {
		b.Fatal(err)
	}
	defer processor(b, spent(b))
	for b.Loop() {
		var value map[string]any
		if err := yaml.Unmarshal(text, &value); err != nil {
			b.Fatal(err)
		}
		if !s.Validate(value).IsValid() {
			b.Fatal("the schema refuses it")
		}
	}
}

// processor reports the time of the processor, which other work on the machine
// does not lengthen.
func processor(b *testing.B, began time.Duration) {
	b.ReportMetric(float64((spent(b)-began).Microseconds())/1000/float64(b.N), "cpu-ms/op")
}

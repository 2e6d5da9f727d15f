package amendment_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/openrpc-go/rpcgen/compiler/internal/amendment"
	"github.com/openrpc-go/rpcgen/compiler/internal/correct"
	"github.com/openrpc-go/rpcgen/compiler/internal/pin"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// TestThousandTypedEntriesAreFast: 1,000 entries, half of them with a rule, a
// key and a read-back that are held against the schemas, are read, joined and
// checked in 100 ms. It takes the best of a few runs.
func TestThousandTypedEntriesAreFast(t *testing.T) {
	const limit = 100 * time.Millisecond
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
	best := time.Hour
	for range 30 {
		start := spent(t)
		f, err := source.ReadOwn("a.yaml", []byte(text.String()), source.Limits{}, correct.Nulls)
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

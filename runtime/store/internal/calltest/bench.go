package calltest

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/openrpc-go/rpcgen/runtime"
	"github.com/openrpc-go/rpcgen/runtime/store"
)

// Bench measures governed calls with a store: a read that the store does not
// get to know, a write, and a write under a budget.
func Bench(b *testing.B, s store.Store) {
	server := httptest.NewServer(http.HandlerFunc((&Server{paid: map[string]int{}}).answer))
	defer server.Close()
	for _, row := range []struct {
		name, method string
		budgets      []runtime.Budget
	}{
		{"read", "ping", nil},
		{"write", "pay", nil},
		{"budgeted", "pay", []runtime.Budget{{Name: "b", Window: time.Hour, Calls: 1 << 40}}},
	} {
		b.Run(row.name, func(b *testing.B) {
			r := runtime.NewRegistry(runtime.Options{Store: s})
			defer r.Close()
			c, err := Contract()
			if err != nil {
				b.Fatal(err)
			}
			if err := r.Register("bench_"+row.name, c, runtime.Binding{URL: server.URL, Development: true, Connections: runtime.Reuse, Budgets: row.budgets}); err != nil {
				b.Fatal(err)
			}
			p := runtime.Principal{Name: "bench", Kind: runtime.Code, Grants: runtime.Full("bench_" + row.name)}
			caller, err := r.Caller("bench_"+row.name, p)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				var params []byte
				if row.method == "pay" {
					params = Params(fmt.Sprint(i))
				}
				if _, err := caller.Do(context.Background(), row.method, params); err != nil {
					b.Fatal(err)
				}
			}
			_ = r.Unregister("bench_" + row.name)
		})
	}
}

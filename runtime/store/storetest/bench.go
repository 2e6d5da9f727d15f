package storetest

import (
	"fmt"
	"testing"

	"github.com/openrpc-go/rpcgen/runtime/outcome"
	"github.com/openrpc-go/rpcgen/runtime/store"
)

// Bench measures what a store adds to a write: an intent with a budget, and its
// outcome.
func Bench(b *testing.B, s store.Store) {
	end := outcome.Outcome{Status: outcome.OK, Delivery: outcome.Completed}
	for i := 0; b.Loop(); i++ {
		c := store.Consumption{RequestID: fmt.Sprint("b", i), Tuple: tuple(), Charges: []store.Charge{charge("k", store.Use{Calls: 1 << 40}, store.Use{Calls: 1})}}
		if err := s.Consume(b.Context(), raceNow, c); err != nil {
			b.Fatal(err)
		}
		if err := s.Outcome(b.Context(), raceNow, c.RequestID, end); err != nil {
			b.Fatal(err)
		}
	}
}

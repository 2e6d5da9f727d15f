package store_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/openrpc-go/rpcgen/runtime/outcome"
	"github.com/openrpc-go/rpcgen/runtime/store"
	"github.com/openrpc-go/rpcgen/runtime/store/internal/calltest"
	"github.com/openrpc-go/rpcgen/runtime/store/storetest"
)

func TestMemory(t *testing.T) {
	storetest.Run(t, func(*testing.T) store.Store { return store.NewMemory() })
}

// An approval of one life of a store is worth nothing in another.
func TestEpochs(t *testing.T) {
	a, _ := store.NewMemory().Epoch(t.Context())
	b, _ := store.NewMemory().Epoch(t.Context())
	if a == b {
		t.Error("two stores share an epoch")
	}
}

// What is over is forgotten: a process that runs for months keeps its size.
func TestMemoryForgets(t *testing.T) {
	m := store.NewMemory()
	now := time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
	for i := range 1000 {
		tuple := store.Tuple{Principal: "bot", Params: fmt.Sprint(i)}
		a, err := m.Request(t.Context(), now, store.Question{Tuple: tuple, Expires: now.Add(time.Minute), ViewDigest: "v"})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := m.Decide(t.Context(), now, store.Decision{ID: a.ID, By: "alice", Approve: true, ViewDigest: "v"}); err != nil {
			t.Fatal(err)
		}
		id := fmt.Sprint(i)
		if err := m.Consume(t.Context(), now, store.Consumption{RequestID: id, ApprovalID: a.ID, Tuple: tuple}); err != nil {
			t.Fatal(err)
		}
		if err := m.Outcome(t.Context(), now, id, outcome.Outcome{Delivery: outcome.Completed}); err != nil {
			t.Fatal(err)
		}
		now = now.Add(time.Hour)
	}
	if approvals, intents := m.Size(); approvals > 3 || intents > 0 {
		t.Errorf("%d approvals and %d intents are kept", approvals, intents)
	}
}

func BenchmarkCall(b *testing.B) { calltest.Bench(b, store.NewMemory()) }

func BenchmarkMemory(b *testing.B) { storetest.Bench(b, store.NewMemory()) }

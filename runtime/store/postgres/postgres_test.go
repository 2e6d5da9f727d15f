//go:build unix

package postgres

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/openrpc-go/rpcgen/runtime/store"
	"github.com/openrpc-go/rpcgen/runtime/store/internal/calltest"
	"github.com/openrpc-go/rpcgen/runtime/store/storetest"
)

func TestMain(m *testing.M) {
	storetest.Child(func(dsn string) (store.Store, error) { return Open(context.Background(), dsn, Options{Now: start}) })
	if os.Getenv(replicaStore) != "" {
		replicate()
	}
	var err error
	if shared, err = startCluster(); err != nil {
		fmt.Fprintln(os.Stderr, "the server of the tests does not start:", err)
		os.Exit(1)
	}
	code := m.Run()
	shared.stop()
	os.Exit(code)
}

func start() time.Time { return time.Date(2026, 12, 1, 11, 0, 0, 0, time.UTC) }

func openAt(t *testing.T, dsn string) *Store {
	t.Helper()
	s, err := Open(t.Context(), dsn, Options{Now: start})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func TestPostgreSQL(t *testing.T) {
	storetest.Run(t, func(t *testing.T) store.Store { return openAt(t, database(t)) })
}

func TestProcesses(t *testing.T) {
	dsn := database(t)
	storetest.RunProcesses(t, openAt(t, dsn), dsn)
}

func BenchmarkCall(b *testing.B) {
	s, err := Open(b.Context(), database(b), Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	calltest.Bench(b, s)
}

func BenchmarkPostgreSQL(b *testing.B) {
	s, err := Open(b.Context(), database(b), Options{Now: start})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	storetest.Bench(b, s)
}

func TestOpenTogether(t *testing.T) {
	dsn := database(t)
	storetest.OpenTogether(t, func() (store.Store, error) {
		s, err := Open(t.Context(), dsn, Options{Now: start})
		if err == nil {
			t.Cleanup(func() { s.Close() })
		}
		return s, err
	})
}

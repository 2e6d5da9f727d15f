package sqlite

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/openrpc-go/rpcgen/runtime/store"
	"github.com/openrpc-go/rpcgen/runtime/store/internal/calltest"
	"github.com/openrpc-go/rpcgen/runtime/store/storetest"
)

func TestMain(m *testing.M) {
	// SQLite lets waiters in as it likes: on a slow machine a racer may starve for long.
	patient := Options{Now: start, Wait: 5 * time.Minute}
	storetest.Child(func(name string) (store.Store, error) { return Open(context.Background(), name, patient) })
	beChild()
	os.Exit(m.Run())
}

func start() time.Time { return time.Date(2026, 12, 1, 11, 0, 0, 0, time.UTC) }

func openAt(t *testing.T, name string) *Store {
	t.Helper()
	s, err := Open(t.Context(), name, Options{Now: start})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func TestSQLite(t *testing.T) {
	storetest.Run(t, func(t *testing.T) store.Store { return openAt(t, filepath.Join(t.TempDir(), "store.db")) })
}

func testProcesses(t *testing.T) {
	name := filepath.Join(t.TempDir(), "store.db")
	storetest.RunProcesses(t, openAt(t, name), name)
}

func BenchmarkCall(b *testing.B) {
	s, err := Open(b.Context(), filepath.Join(b.TempDir(), "store.db"), Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	calltest.Bench(b, s)
}

func BenchmarkSQLite(b *testing.B) {
	s, err := Open(b.Context(), filepath.Join(b.TempDir(), "store.db"), Options{Now: start})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	storetest.Bench(b, s)
}

func TestOpenTogether(t *testing.T) {
	name := filepath.Join(t.TempDir(), "store.db")
	storetest.OpenTogether(t, func() (store.Store, error) {
		s, err := Open(t.Context(), name, Options{Now: start})
		if err == nil {
			t.Cleanup(func() { s.Close() })
		}
		return s, err
	})
}

//go:build unix

package postgres

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/openrpc-go/rpcgen/runtime/audit"
	"github.com/openrpc-go/rpcgen/runtime/store"
	"github.com/openrpc-go/rpcgen/runtime/store/storetest"
)

var tuple = store.Tuple{Kind: "agent", Principal: "bot", Endpoint: "billing", Method: "pay", Params: "p", Authority: "a", Generation: 1}

// approve returns the id of an approval that is good.
func approve(t *testing.T, s store.Store, params string) (string, store.Tuple) {
	t.Helper()
	call := tuple
	call.Params = params
	if _, err := s.Generation(t.Context(), start(), call.Endpoint, call.Authority, false); err != nil {
		t.Fatal(err)
	}
	a, err := s.Request(t.Context(), start(), store.Question{Tuple: call, View: "v", ViewDigest: "v", Expires: start().Add(time.Hour)})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Decide(t.Context(), start(), store.Decision{ID: a.ID, By: "alice", Approve: true, ViewDigest: "v"}); err != nil {
		t.Fatal(err)
	}
	return a.ID, call
}

func consume(s store.Store, request, approval string, call store.Tuple) error {
	return s.Consume(context.Background(), start(), store.Consumption{RequestID: request, ApprovalID: approval, Tuple: call})
}

// P11: a backup that was restored revives nothing.
func TestRestore(t *testing.T) {
	dsn := database(t)
	schema := dsn[strings.LastIndex(dsn, "=")+1:]
	s := openAt(t, dsn)
	id, call := approve(t, s, "one")
	before, _ := s.Epoch(t.Context())
	again, err := openAt(t, dsn).Epoch(t.Context())
	if err != nil || again != before {
		t.Fatalf("a second process starts another life: %q, %v", again, err)
	}
	backup, err := exec.Command(filepath.Join(binaries(), "pg_dump"), "-n", schema, shared.dsn("postgres")).Output()
	if err != nil {
		t.Fatal(err)
	}
	if err := consume(s, "r1", id, call); err != nil {
		t.Fatal(err)
	}
	s.Close()
	execute(t, shared.dsn("postgres"), "drop schema "+schema+" cascade")
	cmd := exec.Command(filepath.Join(binaries(), "psql"), "-q", "-v", "ON_ERROR_STOP=1", shared.dsn("postgres"))
	cmd.Stdin = bytes.NewReader(backup)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	s = openAt(t, dsn)
	if epoch, _ := s.Epoch(t.Context()); epoch == before {
		t.Error("the backup goes on with the old epoch")
	}
	if err := consume(s, "r2", id, call); !errors.Is(err, store.ErrEpoch) {
		t.Errorf("the approval is spent twice: %v", err)
	}
}

// Connections to a server that took over are refused until the store is opened
// anew.
func TestTakeover(t *testing.T) {
	c, err := pgx.Connect(t.Context(), database(t))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(t.Context())
	var server atomic.Pointer[string]
	if err := sameServer(t.Context(), c, &server); err != nil || !strings.Contains(*server.Load(), "/00000001/") {
		t.Errorf("the first connection: %v, %s", err, *server.Load())
	}
	if err := sameServer(t.Context(), c, &server); err != nil {
		t.Errorf("the second: %v", err)
	}
	other := strings.Replace(*server.Load(), "/00000001/", "/00000002/", 1)
	server.Store(&other)
	if err := sameServer(t.Context(), c, &server); err == nil {
		t.Error("another time line is taken for the same")
	}
}

var errLost = errors.New("the answer was lost")

// When the connection is lost during a commit the store looks, over another one,
// whether it was done.
func TestLostConnection(t *testing.T) {
	var do func(*sql.Tx) error
	dsn := database(t)
	s, err := open(t.Context(), dsn, Options{Now: start}, func(tx *sql.Tx) error {
		if do != nil {
			return do(tx)
		}
		return tx.Commit()
	})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	first, one := approve(t, s, "one")
	second, two := approve(t, s, "two")
	do = func(tx *sql.Tx) error { return errors.Join(tx.Commit(), errLost) }
	if err := consume(s, "r1", first, one); err != nil {
		t.Errorf("done, and the answer lost: %v", err)
	}
	do = func(tx *sql.Tx) error {
		if _, err := tx.Exec(`select pg_terminate_backend(pg_backend_pid())`); err == nil {
			t.Error("the connection lives on")
		}
		return tx.Commit()
	}
	if err := consume(s, "r2", second, two); err == nil {
		t.Error("not done, and the connection lost: no error")
	}
	do = nil
	if err := consume(s, "r3", first, one); !errors.Is(err, store.ErrConsumed) {
		t.Errorf("what was done: %v", err)
	}
	if err := consume(s, "r4", second, two); err != nil {
		t.Errorf("what was not done: %v", err)
	}
}

// The audit has a chain for every process, and cannot be written over.
func TestAudit(t *testing.T) {
	dsn := database(t)
	a, b := openAt(t, dsn), openAt(t, dsn)
	id, call := approve(t, a, "one")
	if err := consume(b, "r1", id, call); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := a.ExportAudit(t.Context(), &out); err != nil {
		t.Fatal(err)
	}
	heads, err := b.Heads(t.Context())
	if err != nil || len(heads) != 2 {
		t.Fatalf("%+v, %v", heads, err)
	}
	report, err := audit.Verify(&out, heads[0].Digest, heads[1].Digest)
	if err != nil || report.Rows != 6 || len(report.Open) != 1 {
		t.Errorf("%+v, %v", report, err)
	}
	db, err := sql.Open("pgx", dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, statement := range []string{`update rpcgen_audit set line = ''`, `delete from rpcgen_audit`, `truncate rpcgen_audit`} {
		if _, err := db.Exec(statement); err == nil {
			t.Errorf("%s is done", statement)
		}
	}
}

// TestVerifyAudit tampers with the audit in every way.
func TestVerifyAudit(t *testing.T) {
	dsn := database(t)
	s := openAt(t, dsn)
	execute(t, dsn, `drop trigger rpcgen_audit_rows on rpcgen_audit`)
	db, err := sql.Open("pgx", dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	storetest.Audit(t, s, db, func(heads ...string) (audit.Report, error) { return VerifyAudit(t.Context(), dsn, Options{}, heads...) })
	for _, bad := range []string{"postgres://u:SECRET@127.0.0.1:1/x", "postgres://u@db.example/x"} {
		if _, err := VerifyAudit(t.Context(), bad, Options{}); err == nil || strings.Contains(err.Error(), "SECRET") || strings.Contains(err.Error(), "127.0.0.1") {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

// A role without privileges but its own schema is enough; errors show nothing of
// the connection string; a lock that another session holds is not waited for
// longer than stated.
func TestOpenRole(t *testing.T) {
	dsn := database(t)
	execute(t, dsn, `drop role if exists plain`)
	execute(t, dsn, `create role plain login`)
	schema := dsn[strings.LastIndex(dsn, "=")+1:]
	execute(t, dsn, `grant create, usage on schema `+schema+` to plain`)
	s := openAt(t, strings.Replace(dsn, "rpcgen@", "plain:SECRET@", 1))
	id, call := approve(t, s, "one")
	if err := consume(s, "r1", id, call); err != nil {
		t.Error(err)
	}
	for _, bad := range []string{"postgres://u:SECRET@127.0.0.1:1/x", "postgres://u:SECRET@127.0.0.1:port/x", strings.Replace(dsn, "rpcgen@", "nobody:SECRET@", 1)} {
		if _, err := Open(t.Context(), bad, Options{}); err == nil || strings.Contains(err.Error(), "SECRET") || strings.Contains(err.Error(), "127.0.0.1") {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

func TestLockTimeout(t *testing.T) {
	dsn := database(t)
	s, err := Open(t.Context(), dsn, Options{Now: start, Statement: 200 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	id, call := approve(t, s, "one")
	db, err := sql.Open("pgx", dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	tx, err := db.Begin()
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	if _, err := tx.Exec(`lock table rpcgen_approvals`); err != nil {
		t.Fatal(err)
	}
	if err := consume(s, "r1", id, call); err == nil {
		t.Error("a table that is locked spends an approval")
	}
	tx.Rollback()
	if err := consume(s, "r2", id, call); err != nil {
		t.Error(err)
	}
}

// A server on another host has to prove who it is.
func TestVerified(t *testing.T) {
	for dsn, want := range map[string]bool{
		"postgres://u@127.0.0.1/x":                                true,
		"postgres://u@[::1]/x":                                    true,
		"postgres://u@localhost/x?sslmode=disable":                true,
		"host=/run/postgresql user=u":                             true,
		"postgres://u@db.example/x":                               false, // prefer
		"postgres://u@db.example/x?sslmode=disable":               false,
		"postgres://u@db.example/x?sslmode=require":               false,
		"postgres://u@db.example/x?sslmode=verify-ca":             true,
		"postgres://u@db.example/x?sslmode=verify-full":           true,
		"postgres://u@localhost,db.example/x?sslmode=disable":     false,
		"postgres://u@127.0.0.1,10.0.0.1/x?sslmode=prefer":        false,
		"postgres://u@127.0.0.1,db.example/x?sslmode=verify-full": true,
		"postgres://u@127.0.0.1.example/x?sslmode=disable":        false,
		"postgres://u@localhost.example/x?sslmode=disable":        false,
	} {
		c, err := pgx.ParseConfig(dsn)
		if err != nil {
			t.Fatal(err)
		}
		if got := verified(c); got != want {
			t.Errorf("%s: %v, want %v", dsn, got, want)
		}
		if want {
			continue
		}
		if _, err := Open(t.Context(), dsn, Options{}); err == nil || !strings.Contains(err.Error(), "verify-full") {
			t.Errorf("%s is opened: %v", dsn, err)
		}
	}
}

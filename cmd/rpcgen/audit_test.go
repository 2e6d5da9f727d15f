package main

import (
	"bytes"
	"database/sql"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/openrpc-go/rpcgen/runtime/store"
	"github.com/openrpc-go/rpcgen/runtime/store/sqlite"
)

// A SQLite store is verified where it lies, while a host has it open.
func TestAuditVerifyStore(t *testing.T) {
	name := filepath.Join(t.TempDir(), "store.db")
	s, err := sqlite.Open(t.Context(), name, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Freeze(t.Context(), store.Freeze{Endpoint: "billing", Reason: "incident", At: time.Now()}); err != nil {
		t.Fatal(err)
	}
	verify := func(args ...string) (int, string) {
		var out, errs bytes.Buffer
		code := run(t.Context(), append([]string{"audit", "verify"}, args...), terminal{out: &out, err: &errs, now: time.Now})
		return code, out.String() + errs.String()
	}
	heads, err := s.Heads(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if code, out := verify(name, "--head", heads[0].Digest); code != 0 || !strings.Contains(out, "intact: 2 rows") || !strings.Contains(out, heads[0].Digest) {
		t.Errorf("exit %d: %s", code, out)
	}
	db, err := sql.Open("sqlite", name)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, statement := range []string{`drop trigger rpcgen_audit_delete`, `delete from rpcgen_audit where sequence = 2`} {
		if _, err := db.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	if code, out := verify(name); code != exitMisfit || !strings.Contains(out, "broken: ") || !strings.Contains(out, "the tail was cut") {
		t.Errorf("exit %d: %s", code, out)
	}
}

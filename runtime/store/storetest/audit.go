package storetest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/openrpc-go/rpcgen/runtime/audit"
	"github.com/openrpc-go/rpcgen/runtime/outcome"
	"github.com/openrpc-go/rpcgen/runtime/store"
)

// Audited is a store that keeps an audit in a database.
type Audited interface {
	store.Store
	Heads(context.Context) ([]audit.Head, error)
}

// auditRow is a row of the audit in a database.
type auditRow struct {
	writer       string
	sequence     int64
	digest, line string
}

// Audit tampers with the audit of s in every
// way and wants verify to find it. db leads to the database, and nothing keeps
// rows of the audit as they are any more.
func Audit(t *testing.T, s Audited, db *sql.DB, verify func(heads ...string) (audit.Report, error)) {
	f := &fixture{T: t, store: s, now: time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)}
	f.register(tuple().Endpoint)
	a := f.request(tuple())
	f.decide(a.ID, true)
	f.want(f.consume("r1", a.ID, tuple()), nil, "Consume")
	f.end("r1", outcome.Outcome{RequestID: "r1", Status: outcome.OK, Delivery: outcome.Completed})
	f.want(f.consume("r2", "", tuple()), nil, "Consume")
	heads, err := s.Heads(t.Context())
	if err != nil || len(heads) != 1 {
		t.Fatalf("%+v, %v", heads, err)
	}
	head := heads[0]
	rows := auditRows(t, db)
	if report, err := verify(head.Digest); err != nil || report.Rows != len(rows) || len(report.Heads) != 1 || report.Heads[0] != head {
		t.Fatalf("intact: %+v, %v", report, err)
	}
	broken := func(name string, rows []auditRow, heads ...string) {
		t.Helper()
		putAudit(t, db, rows)
		var fault *audit.Fault
		if _, err := verify(heads...); !errors.As(err, &fault) {
			t.Errorf("%s is not found: %v", name, err)
		}
	}
	for i := range rows {
		change := func(f func(*auditRow)) []auditRow {
			changed := append([]auditRow(nil), rows...)
			f(&changed[i])
			return changed
		}
		at := fmt.Sprint(" of row ", i+1)
		broken("the changed line"+at, change(func(r *auditRow) { r.line = r.line[:len(r.line)-2] + `x}` }))
		broken("the changed digest"+at, change(func(r *auditRow) { r.digest = "sha256:other" }))
		broken("the changed writer"+at, change(func(r *auditRow) { r.writer = "other" }))
		broken("the removal"+at, append(append([]auditRow(nil), rows[:i]...), rows[i+1:]...)) // the last one too
		if i > 0 {
			broken("the exchange"+at, change(func(r *auditRow) { r.line, r.digest = rows[i-1].line, rows[i-1].digest }))
			swapped := append([]auditRow(nil), rows...)
			swapped[i].line, swapped[i-1].line = rows[i-1].line, rows[i].line
			swapped[i].digest, swapped[i-1].digest = rows[i-1].digest, rows[i].digest
			broken("the swap"+at, swapped)
		}
	}
	// A tail that is cut with care shows against the head that was kept only.
	last := rows[len(rows)-2]
	execute(t, db, `update rpcgen_writers set sequence = $1, digest = $2`, last.sequence, last.digest)
	putAudit(t, db, rows[:len(rows)-1])
	if _, err := verify(); err != nil {
		t.Errorf("cut with care, and no head was kept: %v", err)
	}
	broken("a tail that was cut with care", rows[:len(rows)-1], head.Digest)
	execute(t, db, `update rpcgen_writers set sequence = $1, digest = $2`, int64(head.Sequence), head.Digest)
	putAudit(t, db, rows)
	if _, err := verify(head.Digest); err != nil {
		t.Errorf("put back: %v", err)
	}
}

func auditRows(t *testing.T, db *sql.DB) (list []auditRow) {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), `select writer, sequence, digest, line from rpcgen_audit order by sequence`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var r auditRow
		if err := rows.Scan(&r.writer, &r.sequence, &r.digest, &r.line); err != nil {
			t.Fatal(err)
		}
		list = append(list, r)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return list
}

func putAudit(t *testing.T, db *sql.DB, rows []auditRow) {
	t.Helper()
	execute(t, db, `delete from rpcgen_audit`)
	for _, r := range rows {
		execute(t, db, `insert into rpcgen_audit (writer, sequence, digest, line) values ($1, $2, $3, $4)`, r.writer, r.sequence, r.digest, r.line)
	}
}

func execute(t *testing.T, db *sql.DB, statement string, args ...any) {
	t.Helper()
	if _, err := db.ExecContext(t.Context(), statement, args...); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

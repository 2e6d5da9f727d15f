package sqlstore

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"io"

	"github.com/openrpc-go/rpcgen/runtime/audit"
)

// VerifyAudit holds the audit of a database against its chains, as audit.Verify
// does for a file, and the chains against what the database says of where they
// stand: that finds a tail that was cut without more care than that. It changes
// nothing. A line in a *audit.Fault is that of the export.
func VerifyAudit(ctx context.Context, db *sql.DB, o sql.TxOptions, heads ...string) (audit.Report, error) {
	tx, err := db.BeginTx(ctx, &o)
	if err != nil {
		return audit.Report{}, err
	}
	defer tx.Rollback()
	rows, err := tx.QueryContext(ctx, `select writer, sequence, digest, line from rpcgen_audit order by writer, sequence`)
	if err != nil {
		return audit.Report{}, err
	}
	defer rows.Close()
	report, err := audit.Verify(&lines{rows: rows}, heads...)
	if err != nil {
		return report, err
	}
	if err := rows.Close(); err != nil {
		return report, err
	}
	stand, err := tx.QueryContext(ctx, `select writer, sequence, digest from rpcgen_writers`)
	kept, err := collect(stand, err, scanHead)
	if err != nil {
		return report, err
	}
	return report, compare(report.Heads, kept)
}

// compare reports a chain that does not end where it stood.
func compare(found, kept []audit.Head) error {
	ends := map[string]audit.Head{}
	for _, h := range found {
		ends[h.Writer] = h
	}
	for _, h := range kept {
		if end := ends[h.Writer]; end != h {
			return &audit.Fault{Reason: fmt.Sprintf("writer %s was at row %d, and its rows end at %d: the tail was cut, or the chain was rewritten", h.Writer, h.Sequence, end.Sequence)}
		}
		delete(ends, h.Writer)
	}
	for _, h := range found {
		if _, left := ends[h.Writer]; left {
			return &audit.Fault{Reason: fmt.Sprintf("nothing is known of writer %s, which has %d rows", h.Writer, h.Sequence)}
		}
	}
	return nil
}

// lines reads the rows of the audit as the text of a file.
type lines struct {
	rows *sql.Rows
	text []byte // not read yet
	n    int
}

func (l *lines) Read(p []byte) (int, error) {
	for len(l.text) == 0 {
		if !l.rows.Next() {
			return 0, cmp.Or(l.rows.Err(), io.EOF)
		}
		if err := l.next(); err != nil {
			return 0, err
		}
	}
	n := copy(p, l.text)
	l.text = l.text[n:]
	return n, nil
}

// next takes a row, whose columns must say what its line says.
func (l *lines) next() error {
	var h audit.Head
	var sequence int64
	var line string
	if err := l.rows.Scan(&h.Writer, &sequence, &h.Digest, &line); err != nil {
		return err
	}
	l.n++
	h.Sequence = uint64(sequence)
	at, err := audit.Position([]byte(line))
	switch {
	case err != nil:
		return &audit.Fault{Line: l.n, Reason: err.Error()}
	case at != h:
		return &audit.Fault{Line: l.n, Reason: "the row was put where another one stood"}
	}
	l.text = append(append(l.text[:0], line...), '\n')
	return nil
}

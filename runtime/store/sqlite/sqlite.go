// Package sqlite is the store in one file, shared by the processes of one
// host. What it says was done is on the disk. A copy of the file that was put
// back starts another life of the store, in which no older approval is worth
// anything. Start with Open.
//
// The file must lie on a local disk: the locks of network file systems do not
// hold. A snapshot of a whole machine cannot be seen from inside; after going
// back to one, call NewEpoch.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"time"

	"github.com/openrpc-go/rpcgen/runtime/audit"
	"github.com/openrpc-go/rpcgen/runtime/store/internal/sqlstore"
	"modernc.org/sqlite"
)

// Options of a Store. The zero value is the safest useful setting.
type Options struct {
	// Wait is how long a change waits for those of other processes; zero is 10 s.
	Wait time.Duration
	// Now is the clock; nil is time.Now. Only tests set it.
	Now func() time.Time
}

// Store is a store.Store in a file. It may be used by any number of goroutines,
// and the file by any number of processes of this host.
type Store struct {
	*sqlstore.Store
	mark *mark
}

// Open opens the store in a file, or makes one that only its owner may read.
// Beside the file lie others with its name and a suffix, which belong to it.
func Open(ctx context.Context, name string, o Options) (*Store, error) {
	return open(ctx, name, o, nil)
}

func open(ctx context.Context, name string, o Options, commit func(*sql.Tx) error) (*Store, error) {
	path, err := prepare(name)
	if err != nil {
		return nil, fmt.Errorf("sqlite: %w", err)
	}
	if o.Wait <= 0 {
		o.Wait = 10 * time.Second
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	m, err := openMark(path + "-spent")
	if err != nil {
		return nil, fmt.Errorf("sqlite: %w", err)
	}
	db, err := sql.Open("sqlite", dsn(path, o.Wait))
	if err != nil {
		m.close()
		return nil, err
	}
	db.SetMaxOpenConns(1) // one writer at a time; more would only wait for each other
	if err := connect(ctx, db, o.Wait); err != nil {
		db.Close()
		m.close()
		return nil, fmt.Errorf("sqlite: %w", err)
	}
	d := dialect(path, m)
	d.Commit = commit
	s, err := sqlstore.Open(ctx, db, d, o.Now())
	if err != nil {
		db.Close()
		m.close()
		return nil, err
	}
	return &Store{s, m}, nil
}

// connect makes the first connection. The first one of all turns the log on, and
// while it does SQLite turns others away without letting them wait.
func connect(ctx context.Context, db *sql.DB, wait time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	for {
		err := db.PingContext(ctx)
		if err == nil || code(err) != resultBusy {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// code is the result code of an error of SQLite, without its kind; 0 for others.
func code(err error) int {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return 0
	}
	return e.Code() & 0xff
}

// Close closes the file.
func (s *Store) Close() error { return errors.Join(s.Store.Close(), s.mark.close()) }

// VerifyAudit holds the audit in a file against its chains, and against heads
// that were kept elsewhere; see audit.Verify. It changes nothing, and takes no
// file that Open would not take.
func VerifyAudit(ctx context.Context, name string, heads ...string) (audit.Report, error) {
	path, err := localFile(name)
	if err == nil {
		err = checkFile(path)
	}
	if err != nil {
		return audit.Report{}, fmt.Errorf("sqlite: %w", err)
	}
	db, err := sql.Open("sqlite", fileURL(path, url.Values{"mode": {"ro"}, "_pragma": {"busy_timeout(10000)", "query_only(1)", "trusted_schema(0)"}}))
	if err != nil {
		return audit.Report{}, err
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	return sqlstore.VerifyAudit(ctx, db, sql.TxOptions{}, heads...)
}

// dsn says how every connection is set up: each transaction takes the write
// lock when it begins, and each commit is on the disk when it returns.
func dsn(path string, wait time.Duration) string {
	q := url.Values{"_txlock": {"immediate"}, "_pragma": {
		fmt.Sprintf("busy_timeout(%d)", wait.Milliseconds()),
		"journal_mode(WAL)", "synchronous(FULL)", "fullfsync(1)", "trusted_schema(0)", "cell_size_check(1)",
	}}
	return fileURL(path, q)
}

func fileURL(path string, q url.Values) string {
	u := url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: q.Encode()}
	if u.Path[0] != '/' {
		u.Path = "/" + u.Path // of a volume
	}
	return u.String()
}

// Result codes, the low byte of all their kinds.
const (
	resultBusy       = 5  // SQLITE_BUSY
	resultConstraint = 19 // SQLITE_CONSTRAINT
)

func dialect(path string, m *mark) sqlstore.Dialect {
	return sqlstore.Dialect{
		Lock: func(context.Context, *sql.Tx) error { return nil }, // the transaction has the write lock
		Version: func(ctx context.Context, tx *sql.Tx) (n int, err error) {
			err = tx.QueryRowContext(ctx, "pragma user_version").Scan(&n)
			return n, err
		},
		SetVersion: func(ctx context.Context, tx *sql.Tx, n int) error {
			_, err := tx.ExecContext(ctx, fmt.Sprintf("pragma user_version = %d", n))
			return err
		},
		AppendOnly: []string{
			`create trigger rpcgen_audit_update before update on rpcgen_audit begin select raise(abort, 'the audit is append-only'); end`,
			`create trigger rpcgen_audit_delete before delete on rpcgen_audit begin select raise(abort, 'the audit is append-only'); end`,
		},
		Identity: func(context.Context, *sql.Tx) (string, error) { return identity(path) },
		Mark:     m.write,
		Marked:   m.read,
		Taken:    func(err error) bool { return code(err) == resultConstraint },
	}
}

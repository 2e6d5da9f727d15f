// Package sqlstore is the store over database/sql: the SQL stands here once,
// and a Dialect says what differs. It opens no database and knows no driver.
// Start with Open.
//
// Every change is one transaction and ends with a row of the audit. When the
// answer to a commit is lost, the store looks for that row instead of trying
// again: it is there or it is not.
package sqlstore

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/openrpc-go/rpcgen/runtime/audit"
	"github.com/openrpc-go/rpcgen/runtime/store"
)

// Dialect says what differs between databases.
type Dialect struct {
	// Lock keeps other processes from migrating and beginning until tx ends.
	Lock func(ctx context.Context, tx *sql.Tx) error
	// Version reads and SetVersion writes how far tx's database is migrated.
	Version    func(ctx context.Context, tx *sql.Tx) (int, error)
	SetVersion func(ctx context.Context, tx *sql.Tx, version int) error
	// AppendOnly are the statements that keep rows of the audit as they are.
	AppendOnly []string
	// Identity names this very database: a copy, a restored backup or a server
	// that took over has another one.
	Identity func(ctx context.Context, tx *sql.Tx) (string, error)
	// Share ends a select whose rows must not change before the transaction
	// ends; "" where one transaction writes at a time anyway.
	Share string
	// Mark, where it is set, is told within the transaction of every spent
	// approval how many there were, and must keep the number outside of the
	// database. Marked returns it, -1 when there is none.
	Mark   func(n int64) error
	Marked func() (int64, error)
	// Taken reports whether an error says that a key is taken.
	Taken func(error) bool
	// Prepares says that the driver keeps statements prepared by itself.
	Prepares bool
	// Commit ends tx; nil is its own. Tests lose answers here.
	Commit func(tx *sql.Tx) error
}

// Store is a store.Store over a database. It may be used by any number of
// goroutines.
type Store struct {
	db      *sql.DB
	reads   *prepared // outside of a transaction
	dialect Dialect
	writer  string // of the audit
}

var _ store.Store = (*Store)(nil)

// Open migrates the database where that is needed, starts another life of the
// store where the database is not the one it was, and begins a chain of the
// audit. The Store owns db.
func Open(ctx context.Context, db *sql.DB, d Dialect, now time.Time) (*Store, error) {
	if d.Commit == nil {
		d.Commit = (*sql.Tx).Commit
	}
	s := &Store{db: db, reads: newPrepared(db, d.Prepares), dialect: d, writer: rand.Text()}
	if err := s.migrate(ctx); err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	if err := s.begin(ctx, now); err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	return s, nil
}

// Close closes the database.
func (s *Store) Close() error { return s.db.Close() }

// migrate applies what is missing, and refuses a database that is newer than
// this release.
func (s *Store) migrate(ctx context.Context) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := s.dialect.Lock(ctx, tx); err != nil {
		return err
	}
	version, err := s.dialect.Version(ctx, tx)
	if err != nil {
		return err
	}
	steps := append([][]string{}, migrations...)
	steps[0] = append(append([]string{}, steps[0]...), s.dialect.AppendOnly...)
	switch {
	case version > len(steps):
		return fmt.Errorf("the database is of version %d, and this release knows %d", version, len(steps))
	case version == len(steps):
		return nil
	}
	for _, step := range steps[version:] {
		for _, statement := range step {
			if _, err := tx.ExecContext(ctx, statement); err != nil {
				return fmt.Errorf("migrating from version %d: %w", version, err)
			}
		}
	}
	if err := s.dialect.SetVersion(ctx, tx, len(steps)); err != nil {
		return err
	}
	return s.dialect.Commit(tx)
}

// begin holds the database against what it was when it was used last. It does
// not look at the clock: whoever has to mend it must get in.
func (s *Store) begin(ctx context.Context, now time.Time) error {
	return s.anytime(ctx, now, func(c *change) error {
		if err := s.dialect.Lock(ctx, c.tx.tx); err != nil {
			return err // of several that come first together, one writes the life
		}
		c.row(audit.Opened, struct{}{})
		identity, err := s.dialect.Identity(ctx, c.tx.tx)
		if err != nil {
			return err
		}
		var epoch, was string
		var spent int64
		err = c.tx.QueryRowContext(ctx, `select epoch, identity, spent from rpcgen_life`).Scan(&epoch, &was, &spent)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			_, err = c.tx.ExecContext(ctx, `insert into rpcgen_life (id, epoch, identity, spent) values (1, $1, $2, 0)`, rand.Text(), identity)
			return errors.Join(err, s.mark(0))
		case err != nil:
			return err
		}
		lost, err := s.lost(spent)
		if err != nil || was == identity && !lost {
			return err
		}
		return errors.Join(c.newEpoch(identity), s.mark(spent))
	})
}

// lost reports whether approvals were spent that the database does not know of.
func (s *Store) lost(spent int64) (bool, error) {
	if s.dialect.Marked == nil {
		return false, nil
	}
	marked, err := s.dialect.Marked()
	return marked != spent, err
}

func (s *Store) mark(n int64) error {
	if s.dialect.Mark == nil {
		return nil
	}
	return s.dialect.Mark(n)
}

// Epoch implements store.Store.
func (s *Store) Epoch(ctx context.Context) (epoch string, err error) {
	err = s.reads.QueryRowContext(ctx, `select epoch from rpcgen_life`).Scan(&epoch)
	return epoch, err
}

// NewEpoch implements store.Store.
func (s *Store) NewEpoch(ctx context.Context, now time.Time) (epoch string, err error) {
	err = s.anytime(ctx, now, func(c *change) error {
		identity, err := s.dialect.Identity(ctx, c.tx.tx)
		if err != nil {
			return err
		}
		if _, err := c.tx.ExecContext(ctx, `update rpcgen_clock set latest = $1`, now.UnixNano()); err != nil {
			return err
		}
		if err := c.newEpoch(identity); err != nil {
			return err
		}
		epoch = c.epoch
		return nil
	})
	return epoch, err
}

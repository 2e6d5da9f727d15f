package sqlstore

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"time"

	"github.com/openrpc-go/rpcgen/runtime/audit"
	"github.com/openrpc-go/rpcgen/runtime/store"
)

// reader is a transaction or the database.
type reader interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// change is one transaction. Rows are locked in one order, so that no two wait
// for each other: clock, principal, life, generation, approval, budgets by key,
// intent, audit.
type change struct {
	ctx   context.Context
	tx    session
	store *Store
	now   time.Time // moved forward to what the store was told before
	epoch string    // once it was read
	rows  []row
}

// row is a row for the audit, which is written last.
type row struct {
	kind audit.Kind
	data any
}

func (c *change) row(kind audit.Kind, data any) { c.rows = append(c.rows, row{kind, data}) }

// readBack is how long the store looks for its own row after a lost answer.
const readBack = 5 * time.Second

// change runs f in a transaction.
func (s *Store) change(ctx context.Context, now time.Time, f func(*change) error) error {
	return s.anytime(ctx, now, func(c *change) error {
		if err := c.clock(); err != nil {
			return err
		}
		return f(c)
	})
}

// anytime is change whatever the clock says.
func (s *Store) anytime(ctx context.Context, now time.Time, f func(*change) error) error {
	s.reads.prepare(ctx)
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	c := &change{ctx: ctx, tx: session{tx, s.reads}, store: s, now: now}
	if err := f(c); err != nil {
		return err
	}
	if len(c.rows) == 0 {
		return nil // nothing was changed
	}
	head, err := c.record()
	if err != nil {
		return err
	}
	if err = s.dialect.Commit(tx); err == nil {
		return nil
	}
	tx.Rollback() // gives the connection back, where there still is one
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), readBack)
	defer cancel()
	if s.has(ctx, head) {
		return nil
	}
	return err
}

// has reports whether a row of the audit is there.
func (s *Store) has(ctx context.Context, h audit.Head) bool {
	var digest string
	err := s.reads.QueryRowContext(ctx, `select digest from rpcgen_audit where writer = $1 and sequence = $2`, h.Writer, int64(h.Sequence)).Scan(&digest)
	return err == nil && digest == h.Digest
}

// tick is how precisely the time is kept: writing it every time would make all
// changes wait for each other.
const tick = time.Second

// clock keeps time from going back, for all processes together. Whoever moves
// it also drops what is over.
func (c *change) clock() error {
	told, err := latest(c.ctx, c.tx)
	if now := c.now.UnixNano(); err == nil && told < now-int64(tick) {
		result, err := c.tx.ExecContext(c.ctx, `update rpcgen_clock set latest = $1 where latest < $2`, now, now-int64(tick))
		if err = one(result, err, errNone); !errors.Is(err, errNone) {
			if err == nil {
				err = c.forget()
			}
			return err
		}
		if told, err = latest(c.ctx, c.tx); err != nil { // another one moved it meanwhile
			return err
		}
	}
	if err == nil {
		c.now, err = store.Forward(time.Unix(0, told), c.now)
	}
	return err
}

func forward(ctx context.Context, r reader, now time.Time) (time.Time, error) {
	told, err := latest(ctx, r)
	if err != nil {
		return now, err
	}
	return store.Forward(time.Unix(0, told), now)
}

// latest is the latest time that the store was told.
func latest(ctx context.Context, r reader) (told int64, err error) {
	err = r.QueryRowContext(ctx, `select latest from rpcgen_clock`).Scan(&told)
	return told, err
}

// readEpoch reads the epoch, which stays until the transaction ends.
func (c *change) readEpoch() error {
	return c.tx.QueryRowContext(c.ctx, `select epoch from rpcgen_life`+c.store.dialect.Share).Scan(&c.epoch)
}

// newEpoch starts another life.
func (c *change) newEpoch(identity string) error {
	c.epoch = rand.Text()
	c.row(audit.Epoch, map[string]string{"epoch": c.epoch})
	_, err := c.tx.ExecContext(c.ctx, `update rpcgen_life set epoch = $1, identity = $2`, c.epoch, identity)
	return err
}

// record appends the rows to the writer's chain.
func (c *change) record() (audit.Head, error) {
	head := audit.Head{Writer: c.store.writer}
	var sequence int64
	// The update before the select holds off other changes of this process.
	err := c.tx.QueryRowContext(c.ctx, `insert into rpcgen_writers (writer, sequence, digest) values ($1, 0, '')
		on conflict (writer) do update set sequence = rpcgen_writers.sequence returning sequence, digest`, head.Writer).Scan(&sequence, &head.Digest)
	if err != nil {
		return head, err
	}
	head.Sequence = uint64(sequence)
	for _, r := range c.rows {
		next, line, err := head.Next(c.now, r.kind, r.data)
		if err != nil {
			return head, err
		}
		if _, err := c.tx.ExecContext(c.ctx, `insert into rpcgen_audit (writer, sequence, digest, line) values ($1, $2, $3, $4)`,
			next.Writer, int64(next.Sequence), next.Digest, string(line)); err != nil {
			return head, err
		}
		head = next
	}
	_, err = c.tx.ExecContext(c.ctx, `update rpcgen_writers set sequence = $1, digest = $2 where writer = $3`, int64(head.Sequence), head.Digest, head.Writer)
	return head, err
}

// none reports whether a query had no row.
func none(err error) bool { return errors.Is(err, sql.ErrNoRows) }

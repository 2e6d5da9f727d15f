package sqlstore

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/json"
	"time"

	"github.com/openrpc-go/rpcgen/runtime/audit"
	"github.com/openrpc-go/rpcgen/runtime/canonical"
	"github.com/openrpc-go/rpcgen/runtime/store"
)

// keepIntents is how long an intent that is over is remembered here; the audit
// keeps it for good.
const keepIntents = 24 * time.Hour

// encode returns a tuple as text, and the digest it is found by.
func encode(t store.Tuple) (text, call string) {
	b, err := json.Marshal(t)
	if err != nil {
		panic(err) // strings and a number
	}
	return string(b), canonical.Digest("call", b)
}

const approvalColumns = `id, tuple, view, view_digest, requested, expires, epoch, state, decided_by`

type scanner interface{ Scan(...any) error }

func scanApproval(row scanner) (a store.Approval, err error) {
	var tuple string
	var requested, expires int64
	if err := row.Scan(&a.ID, &tuple, &a.View, &a.ViewDigest, &requested, &expires, &a.Epoch, &a.State, &a.DecidedBy); err != nil {
		return a, err
	}
	a.Requested, a.Expires = time.Unix(0, requested).UTC(), time.Unix(0, expires).UTC()
	return a, json.Unmarshal([]byte(tuple), &a.Tuple)
}

// Request implements store.Store.
func (s *Store) Request(ctx context.Context, now time.Time, q store.Question) (a store.Approval, err error) {
	life := q.Expires.Sub(now)
	err = s.change(ctx, now, func(c *change) error {
		a, err = c.request(q, life)
		return err
	})
	return a, err
}

func (c *change) request(q store.Question, life time.Duration) (store.Approval, error) {
	// One request of a principal at a time, so that what is counted stays so.
	if _, err := c.tx.ExecContext(c.ctx, `insert into rpcgen_principals (name, requests) values ($1, 1)
		on conflict (name) do update set requests = rpcgen_principals.requests + 1`, q.Tuple.Principal); err != nil {
		return store.Approval{}, err
	}
	if err := c.readEpoch(); err != nil {
		return store.Approval{}, err
	}
	if moved, err := c.moved(q.Tuple); err != nil || moved {
		return store.Approval{}, orMoved(err)
	}
	text, call := encode(q.Tuple)
	known, err := scanApproval(c.tx.QueryRowContext(c.ctx, `select `+approvalColumns+` from rpcgen_approvals
		where call = $1 and epoch = $2 and state <> 'consumed' and expires > $3 order by requested desc limit 1`, call, c.epoch, c.now.UnixNano()))
	if err == nil || !none(err) {
		return known, err
	}
	var pending int
	if err := c.tx.QueryRowContext(c.ctx, `select count(*) from rpcgen_approvals where principal = $1 and state = 'requested' and epoch = $2 and expires > $3`,
		q.Tuple.Principal, c.epoch, c.now.UnixNano()).Scan(&pending); err != nil {
		return store.Approval{}, err
	}
	if pending >= store.MaxPending {
		return store.Approval{}, store.ErrTooMany
	}
	a := store.Approval{
		ID: rand.Text(), Tuple: q.Tuple, View: q.View, ViewDigest: q.ViewDigest,
		Requested: c.now.UTC(), Expires: c.now.Add(life).UTC(), Epoch: c.epoch, State: store.Requested, New: true,
	}
	c.row(audit.Request, map[string]any{"approval_id": a.ID, "tuple": a.Tuple, "view_digest": a.ViewDigest, "expires": a.Expires})
	_, err = c.tx.ExecContext(c.ctx, `insert into rpcgen_approvals (id, call, principal, tuple, view, view_digest, requested, expires, epoch, state, decided_by)
		values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'requested', '')`,
		a.ID, call, a.Tuple.Principal, text, a.View, a.ViewDigest, a.Requested.UnixNano(), a.Expires.UnixNano(), a.Epoch)
	return a, err
}

func orMoved(err error) error {
	if err == nil {
		return store.ErrMoved
	}
	return err
}

// moved reports whether the endpoint has another generation than the tuple.
func (c *change) moved(t store.Tuple) (bool, error) {
	number, err := generation(c.ctx, c.tx, t.Endpoint, c.store.dialect.Share)
	return number != t.Generation, err
}

// generation returns 0 for an endpoint that was never registered.
func generation(ctx context.Context, r reader, endpoint, share string) (uint64, error) {
	var number int64
	err := r.QueryRowContext(ctx, `select number from rpcgen_generations where endpoint = $1`+share, endpoint).Scan(&number)
	if none(err) {
		err = nil
	}
	return uint64(number), err
}

// forget drops what is over. The audit keeps it.
func (c *change) forget() error {
	if _, err := c.tx.ExecContext(c.ctx, `delete from rpcgen_approvals where expires < $1`, c.now.Add(-store.Keep).UnixNano()); err != nil {
		return err
	}
	old := c.now.Add(-keepIntents).UnixNano()
	if _, err := c.tx.ExecContext(c.ctx, `delete from rpcgen_charges where request_id in
		(select request_id from rpcgen_intents where at < $1 and is_read = 1)`, old); err != nil {
		return err
	}
	_, err := c.tx.ExecContext(c.ctx, `delete from rpcgen_intents where at < $1 and (state in ('done', 'resolved') or is_read = 1)`, old)
	return err
}

// Decide implements store.Store.
func (s *Store) Decide(ctx context.Context, now time.Time, d store.Decision) (a store.Approval, err error) {
	err = s.change(ctx, now, func(c *change) error {
		if err := c.readEpoch(); err != nil {
			return err
		}
		if a, err = findApproval(ctx, c.tx, d.ID); err != nil {
			return err
		}
		if err := a.Decidable(c.now, c.epoch, d); err != nil {
			return err
		}
		result, err := c.tx.ExecContext(ctx, `update rpcgen_approvals set state = $1, decided_by = $2 where id = $3 and state = 'requested'`, string(d.State()), d.By, d.ID)
		if err := one(result, err, store.ErrDecided); err != nil {
			return err
		}
		a.State, a.DecidedBy = d.State(), d.By
		c.row(audit.Decided, map[string]any{"approval_id": a.ID, "by": d.By, "state": a.State, "view_digest": d.ViewDigest})
		return nil
	})
	return a, err
}

// one wants exactly one row to have changed.
func one(result sql.Result, err, otherwise error) error {
	if err != nil {
		return err
	}
	n, err := result.RowsAffected()
	if err == nil && n != 1 {
		err = otherwise
	}
	return err
}

func findApproval(ctx context.Context, r reader, id string) (store.Approval, error) {
	a, err := scanApproval(r.QueryRowContext(ctx, `select `+approvalColumns+` from rpcgen_approvals where id = $1`, id))
	if none(err) {
		err = store.ErrNotFound
	}
	return a, err
}

// Pending implements store.Store.
func (s *Store) Pending(ctx context.Context, now time.Time) ([]store.Approval, error) {
	now, err := forward(ctx, s.reads, now)
	if err != nil {
		return nil, err
	}
	rows, err := s.reads.QueryContext(ctx, `select `+approvalColumns+` from rpcgen_approvals
		where state = 'requested' and expires > $1 and epoch = (select epoch from rpcgen_life) order by requested, id`, now.UnixNano())
	return collect(rows, err, scanApproval)
}

// collect reads all rows.
func collect[T any](rows *sql.Rows, err error, scan func(scanner) (T, error)) ([]T, error) {
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []T
	for rows.Next() {
		v, err := scan(rows)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return list, rows.Err()
}

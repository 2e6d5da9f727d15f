package sqlstore

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	"github.com/openrpc-go/rpcgen/runtime/audit"
	"github.com/openrpc-go/rpcgen/runtime/outcome"
	"github.com/openrpc-go/rpcgen/runtime/store"
)

// Check implements store.Store. It looks without a transaction: what it says
// may be over by then, and Consume decides.
func (s *Store) Check(ctx context.Context, now time.Time, c store.Consumption) error {
	now, err := forward(ctx, s.reads, now)
	if err != nil {
		return err
	}
	var taken int
	if err := s.reads.QueryRowContext(ctx, `select count(*) from rpcgen_intents where request_id = $1`, c.RequestID).Scan(&taken); err != nil {
		return err
	}
	if taken > 0 {
		return store.ErrExists
	}
	if err := frozen(ctx, s.reads, c.Tuple); err != nil {
		return err
	}
	if c.ApprovalID != "" {
		if err := s.usable(ctx, s.reads, now, c); err != nil {
			return err
		}
	}
	for _, charge := range c.Charges {
		if err := fits(ctx, s.reads, now, charge); err != nil {
			return err
		}
	}
	return nil
}

// usable reports why the approval is not for the call.
func (s *Store) usable(ctx context.Context, r reader, now time.Time, c store.Consumption) error {
	a, err := findApproval(ctx, r, c.ApprovalID)
	if err != nil {
		return err
	}
	var epoch string
	if err := r.QueryRowContext(ctx, `select epoch from rpcgen_life`).Scan(&epoch); err != nil {
		return err
	}
	number, err := generation(ctx, r, c.Tuple.Endpoint, "")
	if err != nil {
		return err
	}
	return a.Usable(now, epoch, number, c.Tuple)
}

// Consume implements store.Store.
func (s *Store) Consume(ctx context.Context, now time.Time, c store.Consumption) error {
	return s.change(ctx, now, func(x *change) error {
		if err := frozen(ctx, x.tx, c.Tuple); err != nil {
			return err
		}
		if err := x.spend(c); err != nil {
			return err
		}
		if err := x.reserve(c); err != nil {
			return err
		}
		if err := x.intend(c); err != nil {
			return err
		}
		x.row(audit.Intent, c.Event)
		return nil
	})
}

func frozen(ctx context.Context, r reader, t store.Tuple) error {
	var n int
	err := r.QueryRowContext(ctx, `select count(*) from rpcgen_freezes where endpoint = $1 and method in ('', $2)`, t.Endpoint, t.Method).Scan(&n)
	if err == nil && n > 0 {
		err = store.ErrFrozen
	}
	return err
}

// spend spends the approval. The guard of the update is the decision: of
// transactions that race, it lets one through.
func (c *change) spend(n store.Consumption) error {
	if n.ApprovalID == "" {
		return nil
	}
	if err := c.readEpoch(); err != nil {
		return err
	}
	moved, err := c.moved(n.Tuple)
	if err != nil {
		return err
	}
	text, call := encode(n.Tuple)
	var id string
	if !moved {
		err = c.tx.QueryRowContext(c.ctx, `update rpcgen_approvals set state = 'consumed'
			where id = $1 and state = 'approved' and epoch = $2 and expires > $3 and call = $4 and tuple = $5 returning id`,
			n.ApprovalID, c.epoch, c.now.UnixNano(), call, text).Scan(&id)
	}
	switch {
	case moved || none(err):
		return c.refusal(n)
	case err != nil:
		return err
	}
	return c.mark()
}

// refusal says why the guard did not let the call through.
func (c *change) refusal(n store.Consumption) error {
	if err := c.store.usable(c.ctx, c.tx, c.now, n); err != nil {
		return err
	}
	return store.ErrConsumed // by one that ended in between
}

// mark keeps the count of spent approvals outside of the database too, so that
// an older copy of it is recognised.
func (c *change) mark() error {
	if c.store.dialect.Mark == nil {
		return nil
	}
	var spent int64
	if err := c.tx.QueryRowContext(c.ctx, `update rpcgen_life set spent = spent + 1 returning spent`).Scan(&spent); err != nil {
		return err
	}
	return c.store.dialect.Mark(spent)
}

func (c *change) intend(n store.Consumption) error {
	text, _ := encode(n.Tuple)
	approval := sql.NullString{String: n.ApprovalID, Valid: n.ApprovalID != ""}
	read := 0
	if n.Read {
		read = 1
	}
	_, err := c.tx.ExecContext(c.ctx, `insert into rpcgen_intents (request_id, approval_id, tuple, at, is_read, state) values ($1, $2, $3, $4, $5, 'open')`,
		n.RequestID, approval, text, c.now.UnixNano(), read)
	switch {
	case err == nil || !c.store.dialect.Taken(err):
		return err
	case n.ApprovalID != "":
		return store.ErrConsumed // a second barrier: an approval has one intent, whatever its state says
	default:
		return store.ErrExists
	}
}

// Outcome implements store.Store. It must be possible to say how a call ended
// whatever the clock says.
func (s *Store) Outcome(ctx context.Context, now time.Time, requestID string, o outcome.Outcome) error {
	b, err := json.Marshal(o)
	if err != nil {
		return err
	}
	state := "done"
	if o.Delivery == outcome.Unknown {
		state = "unknown"
	}
	return s.anytime(ctx, now, func(c *change) error {
		if err := c.settle(requestID, o); err != nil {
			return err
		}
		result, err := c.tx.ExecContext(ctx, `update rpcgen_intents set state = $1, outcome = $2 where request_id = $3 and state = 'open'`, state, string(b), requestID)
		if err := one(result, err, errNone); err != nil {
			return c.why(err, requestID)
		}
		c.row(audit.Outcome, o.Public())
		return nil
	})
}

var errNone = errors.New("no row")

// why tells an intent that is over from none at all.
func (c *change) why(err error, requestID string) error {
	if !errors.Is(err, errNone) {
		return err
	}
	var n int
	if err := c.tx.QueryRowContext(c.ctx, `select count(*) from rpcgen_intents where request_id = $1`, requestID).Scan(&n); err != nil {
		return err
	}
	if n > 0 {
		return store.ErrDecided
	}
	return store.ErrNotFound
}

// Unknown implements store.Store.
func (s *Store) Unknown(ctx context.Context) ([]store.Intent, error) {
	rows, err := s.reads.QueryContext(ctx, `select request_id, approval_id, tuple, at, outcome from rpcgen_intents
		where state in ('open', 'unknown') and is_read = 0 order by at, request_id`)
	return collect(rows, err, func(row scanner) (i store.Intent, err error) {
		var approval, end sql.NullString
		var tuple string
		var at int64
		if err := row.Scan(&i.RequestID, &approval, &tuple, &at, &end); err != nil {
			return i, err
		}
		i.ApprovalID, i.At = approval.String, time.Unix(0, at).UTC()
		if end.Valid {
			i.Outcome = new(outcome.Outcome)
			err = json.Unmarshal([]byte(end.String), i.Outcome)
		}
		return i, errors.Join(err, json.Unmarshal([]byte(tuple), &i.Tuple))
	})
}

// Resolve implements store.Store.
func (s *Store) Resolve(ctx context.Context, now time.Time, requestID, by, note string) error {
	if by == "" {
		return store.ErrNotFound
	}
	return s.anytime(ctx, now, func(c *change) error {
		result, err := c.tx.ExecContext(ctx, `update rpcgen_intents set state = 'resolved' where request_id = $1 and state in ('open', 'unknown') and is_read = 0`, requestID)
		if err := one(result, err, store.ErrNotFound); err != nil {
			return err
		}
		if _, err := c.tx.ExecContext(ctx, `delete from rpcgen_charges where request_id = $1`, requestID); err != nil {
			return err
		}
		c.row(audit.Resolution, map[string]string{"request_id": requestID, "by": by, "note": note})
		return nil
	})
}

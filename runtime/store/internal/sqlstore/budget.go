package sqlstore

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/openrpc-go/rpcgen/runtime/outcome"
	"github.com/openrpc-go/rpcgen/runtime/store"
)

// reserve takes what the call may use. The keys are locked in their order.
func (c *change) reserve(n store.Consumption) error {
	charges := slices.Clone(n.Charges)
	slices.SortFunc(charges, func(a, b store.Charge) int { return strings.Compare(a.Key, b.Key) })
	for _, charge := range charges {
		if err := c.lockBudget(charge.Key); err != nil {
			return err
		}
		slot, oldest := charge.Slot(c.now)
		if _, err := c.tx.ExecContext(c.ctx, `delete from rpcgen_used where name = $1 and slot < $2`, charge.Key, oldest); err != nil {
			return err
		}
		if err := fits(c.ctx, c.tx, c.now, charge); err != nil {
			return err
		}
		u := charge.Use
		if _, err := c.tx.ExecContext(c.ctx, `insert into rpcgen_used (name, slot, calls, sent, received, time_us) values ($1, $2, $3, $4, $5, $6)
			on conflict (name, slot) do update set calls = rpcgen_used.calls + excluded.calls, sent = rpcgen_used.sent + excluded.sent,
			received = rpcgen_used.received + excluded.received, time_us = rpcgen_used.time_us + excluded.time_us`,
			charge.Key, slot, u.Calls, u.Sent, u.Received, u.Time); err != nil {
			return err
		}
		if _, err := c.tx.ExecContext(c.ctx, `insert into rpcgen_charges (request_id, name, slot, calls, sent, received, time_us) values ($1, $2, $3, $4, $5, $6, $7)`,
			n.RequestID, charge.Key, slot, u.Calls, u.Sent, u.Received, u.Time); err != nil {
			return err
		}
	}
	return nil
}

// lockBudget keeps others from the budget until the transaction ends.
func (c *change) lockBudget(key string) error {
	_, err := c.tx.ExecContext(c.ctx, `insert into rpcgen_budgets (name, uses) values ($1, 1)
		on conflict (name) do update set uses = rpcgen_budgets.uses + 1`, key)
	return err
}

// fits reports whether the charge still fits.
func fits(ctx context.Context, r reader, now time.Time, charge store.Charge) error {
	used, err := usage(ctx, r, now, charge)
	if err == nil && !charge.Fits(used) {
		err = &store.BudgetError{Name: charge.Name, Window: charge.Window}
	}
	return err
}

// usage sums what counts now.
func usage(ctx context.Context, r reader, now time.Time, charge store.Charge) (used store.Use, err error) {
	if err := charge.Check(); err != nil {
		return used, err
	}
	_, oldest := charge.Slot(now)
	// cast, because PostgreSQL's sum of bigint is numeric.
	err = r.QueryRowContext(ctx, `select cast(coalesce(sum(calls), 0) as bigint), cast(coalesce(sum(sent), 0) as bigint),
		cast(coalesce(sum(received), 0) as bigint), cast(coalesce(sum(time_us), 0) as bigint)
		from rpcgen_used where name = $1 and slot >= $2`, charge.Key, oldest).Scan(&used.Calls, &used.Sent, &used.Received, &used.Time)
	return used, err
}

// Used implements store.Store.
func (s *Store) Used(ctx context.Context, now time.Time, charges []store.Charge) ([]store.Use, error) {
	now, err := forward(ctx, s.reads, now)
	if err != nil {
		return nil, err
	}
	list := make([]store.Use, len(charges))
	for i, charge := range charges {
		if list[i], err = usage(ctx, s.reads, now, charge); err != nil {
			return nil, err
		}
	}
	return list, nil
}

type reservation struct {
	key  string
	slot int64
	use  store.Use
}

// settle gives back what the call did not take, where that still counts.
func (c *change) settle(requestID string, o outcome.Outcome) error {
	rows, err := c.tx.QueryContext(c.ctx, `select name, slot, calls, sent, received, time_us from rpcgen_charges where request_id = $1 order by name`, requestID)
	list, err := collect(rows, err, func(row scanner) (r reservation, err error) {
		return r, row.Scan(&r.key, &r.slot, &r.use.Calls, &r.use.Sent, &r.use.Received, &r.use.Time)
	})
	if err != nil || len(list) == 0 {
		return err
	}
	slices.SortFunc(list, func(a, b reservation) int { return strings.Compare(a.key, b.key) })
	for _, r := range list {
		if err := c.lockBudget(r.key); err != nil {
			return err
		}
		back := r.use.Minus(store.Settle(r.use, o))
		if _, err := c.tx.ExecContext(c.ctx, `update rpcgen_used set calls = calls - $1, sent = sent - $2, received = received - $3, time_us = time_us - $4
			where name = $5 and slot = $6`, back.Calls, back.Sent, back.Received, back.Time, r.key, r.slot); err != nil {
			return err
		}
	}
	_, err = c.tx.ExecContext(c.ctx, `delete from rpcgen_charges where request_id = $1`, requestID)
	return err
}

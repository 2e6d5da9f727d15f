package sqlstore

import (
	"bufio"
	"cmp"
	"context"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/openrpc-go/rpcgen/runtime/audit"
	"github.com/openrpc-go/rpcgen/runtime/store"
)

// Generation implements store.Store.
func (s *Store) Generation(ctx context.Context, now time.Time, endpoint, digest string, renew bool) (uint64, error) {
	var number int64
	err := s.anytime(ctx, now, func(c *change) error {
		// The guard leaves the row as it is where nothing moved; then there is
		// nothing to return.
		err := c.tx.QueryRowContext(ctx, `insert into rpcgen_generations (endpoint, digest, number) values ($1, $2, 1)
			on conflict (endpoint) do update set digest = excluded.digest, number = rpcgen_generations.number + 1
			where rpcgen_generations.digest <> excluded.digest or $3 = 1 returning number`, endpoint, digest, bit(renew)).Scan(&number)
		if none(err) {
			return c.tx.QueryRowContext(ctx, `select number from rpcgen_generations where endpoint = $1`, endpoint).Scan(&number)
		}
		if err != nil {
			return err
		}
		c.row(audit.Generation, map[string]any{"endpoint_id": endpoint, "authority": digest, "generation": number})
		return nil
	})
	return uint64(number), err
}

func bit(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// Generations implements store.Store.
func (s *Store) Generations(ctx context.Context) ([]store.Generation, error) {
	rows, err := s.reads.QueryContext(ctx, `select endpoint, digest, number from rpcgen_generations`)
	list, err := collect(rows, err, func(row scanner) (g store.Generation, err error) {
		var number int64
		err = row.Scan(&g.Endpoint, &g.Digest, &number)
		g.Number = uint64(number)
		return g, err
	})
	// Sorted here: databases have orders of their own.
	slices.SortFunc(list, func(a, b store.Generation) int { return strings.Compare(a.Endpoint, b.Endpoint) })
	return list, err
}

// Freeze implements store.Store.
func (s *Store) Freeze(ctx context.Context, f store.Freeze) error {
	return s.anytime(ctx, f.At, func(c *change) error {
		c.row(audit.Freeze, f)
		_, err := c.tx.ExecContext(ctx, `insert into rpcgen_freezes (endpoint, method, reason, at) values ($1, $2, $3, $4)
			on conflict (endpoint, method) do update set reason = excluded.reason, at = excluded.at`, f.Endpoint, f.Method, f.Reason, f.At.UnixNano())
		return err
	})
}

// Thaw implements store.Store.
func (s *Store) Thaw(ctx context.Context, now time.Time, endpoint, method string) error {
	return s.anytime(ctx, now, func(c *change) error {
		c.row(audit.Thaw, map[string]string{"endpoint_id": endpoint, "method": method})
		result, err := c.tx.ExecContext(ctx, `delete from rpcgen_freezes where endpoint = $1 and method = $2`, endpoint, method)
		return one(result, err, store.ErrNotFound)
	})
}

// Freezes implements store.Store.
func (s *Store) Freezes(ctx context.Context) ([]store.Freeze, error) {
	rows, err := s.reads.QueryContext(ctx, `select endpoint, method, reason, at from rpcgen_freezes`)
	list, err := collect(rows, err, func(row scanner) (f store.Freeze, err error) {
		var at int64
		err = row.Scan(&f.Endpoint, &f.Method, &f.Reason, &at)
		f.At = time.Unix(0, at).UTC()
		return f, err
	})
	slices.SortFunc(list, func(a, b store.Freeze) int {
		return cmp.Or(strings.Compare(a.Endpoint, b.Endpoint), strings.Compare(a.Method, b.Method))
	})
	return list, err
}

// ExportAudit writes all rows of the audit, of every writer, in the format of
// audit files: what audit.Verify reads.
func (s *Store) ExportAudit(ctx context.Context, w io.Writer) error {
	rows, err := s.reads.QueryContext(ctx, `select line from rpcgen_audit order by writer, sequence`)
	if err != nil {
		return err
	}
	defer rows.Close()
	b := bufio.NewWriter(w)
	for rows.Next() {
		var line string
		if err := rows.Scan(&line); err != nil {
			return err
		}
		b.WriteString(line)
		b.WriteByte('\n')
	}
	if err := rows.Err(); err != nil {
		return err
	}
	return b.Flush()
}

// Heads returns where the chains of the audit stand. Kept outside of the host,
// their digests show later whether a tail was cut.
func (s *Store) Heads(ctx context.Context) ([]audit.Head, error) {
	rows, err := s.reads.QueryContext(ctx, `select writer, sequence, digest from rpcgen_writers order by writer`)
	return collect(rows, err, scanHead)
}

func scanHead(row scanner) (h audit.Head, err error) {
	var sequence int64
	err = row.Scan(&h.Writer, &sequence, &h.Digest)
	h.Sequence = uint64(sequence)
	return h, err
}

package sqlstore

import (
	"context"
	"database/sql"
	"maps"
	"slices"
	"sync"
)

// prepared keeps statements prepared, for a driver that would prepare them at
// every use. A statement is prepared before the transaction that follows its
// first use: within one, the only connection may be taken.
type prepared struct {
	db  *sql.DB
	off bool // the driver does it itself

	mu     sync.Mutex
	kept   map[string]*sql.Stmt
	wanted map[string]bool
}

func newPrepared(db *sql.DB, off bool) *prepared {
	return &prepared{db: db, off: off, kept: map[string]*sql.Stmt{}, wanted: map[string]bool{}}
}

// statement returns the kept statement, or nil and has it prepared later.
func (p *prepared) statement(query string) *sql.Stmt {
	if p.off {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.kept[query]
	if s == nil {
		p.wanted[query] = true
	}
	return s
}

// prepare prepares what was wanted. A statement that cannot be prepared now is
// wanted again when it is used again.
func (p *prepared) prepare(ctx context.Context) {
	p.mu.Lock()
	queries := slices.Sorted(maps.Keys(p.wanted))
	clear(p.wanted)
	p.mu.Unlock()
	for _, query := range queries {
		s, err := p.db.PrepareContext(ctx, query)
		if err != nil {
			continue
		}
		p.mu.Lock()
		if p.kept[query] == nil {
			p.kept[query], s = s, nil
		}
		p.mu.Unlock()
		if s != nil {
			s.Close() // another one was faster
		}
	}
}

// session runs statements in a transaction, prepared where they are kept.
type session struct {
	tx       *sql.Tx
	prepared *prepared
}

func (s session) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	if kept := s.prepared.statement(query); kept != nil {
		return s.tx.StmtContext(ctx, kept).ExecContext(ctx, args...)
	}
	return s.tx.ExecContext(ctx, query, args...)
}

func (s session) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if kept := s.prepared.statement(query); kept != nil {
		return s.tx.StmtContext(ctx, kept).QueryContext(ctx, args...)
	}
	return s.tx.QueryContext(ctx, query, args...)
}

func (s session) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	if kept := s.prepared.statement(query); kept != nil {
		return s.tx.StmtContext(ctx, kept).QueryRowContext(ctx, args...)
	}
	return s.tx.QueryRowContext(ctx, query, args...)
}

// QueryContext runs a query outside of any transaction.
func (p *prepared) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if kept := p.statement(query); kept != nil {
		return kept.QueryContext(ctx, args...)
	}
	return p.db.QueryContext(ctx, query, args...)
}

// QueryRowContext is QueryContext for one row.
func (p *prepared) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	if kept := p.statement(query); kept != nil {
		return kept.QueryRowContext(ctx, args...)
	}
	return p.db.QueryRowContext(ctx, query, args...)
}

// Package postgres is the store in PostgreSQL, shared by any number of hosts.
// What it says was done is on the server's disk. A restored backup, a copy and
// a server that took over start another life of the store, in which no older
// approval is worth anything. Start with Open.
//
// The server should keep a synchronous standby, or none: one that follows
// behind may take over without the last approvals that were spent. Its
// time line then has another number, which is seen, and voids what was
// approved; that something was sent is known to the audit outside only.
package postgres

import (
	"context"
	"crypto/tls"
	"database/sql"
	"errors"
	"fmt"
	"net/netip"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/openrpc-go/rpcgen/runtime/audit"
	"github.com/openrpc-go/rpcgen/runtime/store/internal/sqlstore"
)

// Options of a Store. The zero value is the safest useful setting.
type Options struct {
	// Connections is how many there are at most; zero is 8.
	Connections int
	// Statement is how long the server works on one statement, and waits for a
	// lock, at most; zero is 5 s.
	Statement time.Duration
	// Unverified admits servers on other hosts whose certificate is not verified,
	// or that have none.
	Unverified bool
	// Now is the clock; nil is time.Now. Only tests set it.
	Now func() time.Time
}

// Store is a store.Store in PostgreSQL. It may be used by any number of
// goroutines, and its tables by any number of processes and hosts.
type Store struct{ *sqlstore.Store }

// Open connects, makes the tables where there are none, and starts another life
// of the store where the server is not the one it was. dsn is a URL or a list
// of keywords as psql takes it; it may hold a secret, and no error shows it. The
// tables lie in the first schema of the role's search path. A pooler in between
// must keep a session for at least a transaction.
func Open(ctx context.Context, dsn string, o Options) (*Store, error) {
	return open(ctx, dsn, o, nil)
}

func open(ctx context.Context, dsn string, o Options, commit func(*sql.Tx) error) (*Store, error) {
	config, err := configure(dsn, o)
	if err != nil {
		return nil, err
	}
	o = o.withDefaults()
	server := new(atomic.Pointer[string])
	db := stdlib.OpenDB(*config, stdlib.OptionAfterConnect(func(ctx context.Context, c *pgx.Conn) error { return sameServer(ctx, c, server) }))
	db.SetMaxOpenConns(o.Connections)
	db.SetMaxIdleConns(o.Connections)
	db.SetConnMaxLifetime(time.Hour)
	d := dialect(server)
	d.Commit = commit
	s, err := sqlstore.Open(ctx, db, d, o.Now())
	if err != nil {
		db.Close()
		return nil, fmt.Errorf("postgres: %w", plain(err))
	}
	return &Store{s}, nil
}

// VerifyAudit holds the audit in a database against its chains, and against
// heads that were kept elsewhere; see audit.Verify. It changes nothing, and
// connects as Open does.
func VerifyAudit(ctx context.Context, dsn string, o Options, heads ...string) (audit.Report, error) {
	config, err := configure(dsn, o)
	if err != nil {
		return audit.Report{}, err
	}
	config.RuntimeParams["statement_timeout"] = "0" // it may be large
	db := stdlib.OpenDB(*config)
	defer db.Close()
	report, err := sqlstore.VerifyAudit(ctx, db, sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true}, heads...)
	var fault *audit.Fault
	if err != nil && !errors.As(err, &fault) {
		err = fmt.Errorf("postgres: %w", plain(err))
	}
	return report, err
}

// configure reads a connection string and says what holds for every connection.
func configure(dsn string, o Options) (*pgx.ConnConfig, error) {
	config, err := pgx.ParseConfig(dsn)
	if err != nil {
		return nil, errors.New("postgres: the connection string cannot be read")
	}
	if !o.Unverified && !verified(config) {
		return nil, errors.New("postgres: the connection string admits a server that is not verified: say sslmode=verify-full")
	}
	setup(config, o.withDefaults())
	return config, nil
}

func (o Options) withDefaults() Options {
	if o.Connections <= 0 {
		o.Connections = 8
	}
	if o.Statement <= 0 {
		o.Statement = 5 * time.Second
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

// setup sets what a commit means, and how long anything may take, for every
// connection, whatever the server's configuration says.
func setup(c *pgx.ConnConfig, o Options) {
	limit := strconv.FormatInt(o.Statement.Milliseconds(), 10)
	for name, value := range map[string]string{
		"application_name":                    "rpcgen",
		"synchronous_commit":                  "on",
		"default_transaction_isolation":       "read committed",
		"default_transaction_read_only":       "off",
		"statement_timeout":                   limit,
		"lock_timeout":                        limit,
		"idle_in_transaction_session_timeout": limit,
	} {
		c.RuntimeParams[name] = value
	}
	if c.ConnectTimeout <= 0 {
		c.ConnectTimeout = o.Statement
	}
}

// verified reports whether every server that the connection string leads to is
// on this host or proves by a certificate who it is.
func verified(c *pgx.ConnConfig) bool {
	if !proven(c.Host, c.TLSConfig) {
		return false
	}
	for _, f := range c.Fallbacks {
		if !proven(f.Host, f.TLSConfig) {
			return false
		}
	}
	return true
}

func proven(host string, t *tls.Config) bool {
	if a, err := netip.ParseAddr(host); host == "localhost" || strings.HasPrefix(host, "/") || err == nil && a.IsLoopback() {
		return true
	}
	return t != nil && (!t.InsecureSkipVerify || t.VerifyPeerCertificate != nil || t.VerifyConnection != nil)
}

// plain drops what connection errors tell of addresses and users.
func plain(err error) error {
	var connect *pgconn.ConnectError
	if errors.As(err, &connect) {
		return errors.New("the server cannot be reached, or refuses the connection")
	}
	return err
}

// where names server, time line and database; all of it is open to every role.
const where = `select (select system_identifier from pg_control_system())::text || '/' ||
	case when pg_is_in_recovery() then 'standby' else substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8) end || '/' ||
	(select oid from pg_database where datname = current_database())::text`

// sameServer refuses connections to a server that took over meanwhile: only
// opening the store again starts another life of it.
func sameServer(ctx context.Context, c *pgx.Conn, server *atomic.Pointer[string]) error {
	var now string
	if err := c.QueryRow(ctx, where).Scan(&now); err != nil {
		return err
	}
	if before := server.Load(); before == nil {
		server.CompareAndSwap(nil, &now)
	}
	if *server.Load() != now {
		return errors.New("another server took over; the store must be opened anew")
	}
	return nil
}

// migration is the key of the advisory lock under which tables are made.
const migration = 0x727063_67656e

const taken = "23505" // unique_violation

func dialect(server *atomic.Pointer[string]) sqlstore.Dialect {
	return sqlstore.Dialect{
		Lock: func(ctx context.Context, tx *sql.Tx) error {
			if _, err := tx.ExecContext(ctx, `select pg_advisory_xact_lock($1)`, int64(migration)); err != nil {
				return err
			}
			_, err := tx.ExecContext(ctx, `create table if not exists rpcgen_schema (id bigint primary key check (id = 1), version bigint not null)`)
			return err
		},
		Version: func(ctx context.Context, tx *sql.Tx) (n int, err error) {
			err = tx.QueryRowContext(ctx, `select coalesce(max(version), 0) from rpcgen_schema`).Scan(&n)
			return n, err
		},
		SetVersion: func(ctx context.Context, tx *sql.Tx, n int) error {
			_, err := tx.ExecContext(ctx, `insert into rpcgen_schema (id, version) values (1, $1) on conflict (id) do update set version = excluded.version`, n)
			return err
		},
		AppendOnly: []string{
			`create function rpcgen_audit_append_only() returns trigger language plpgsql as $$ begin raise exception 'the audit is append-only'; end $$`,
			`create trigger rpcgen_audit_rows before update or delete on rpcgen_audit for each row execute function rpcgen_audit_append_only()`,
			`create trigger rpcgen_audit_table before truncate on rpcgen_audit for each statement execute function rpcgen_audit_append_only()`,
		},
		Identity: func(ctx context.Context, tx *sql.Tx) (string, error) {
			var table string
			err := tx.QueryRowContext(ctx, `select 'rpcgen_life'::regclass::oid::text`).Scan(&table)
			return *server.Load() + "/" + table, err
		},
		Share:    " for share",
		Prepares: true,
		Taken: func(err error) bool {
			var e *pgconn.PgError
			return errors.As(err, &e) && e.Code == taken
		},
	}
}

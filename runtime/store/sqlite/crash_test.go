//go:build unix

package sqlite

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/openrpc-go/rpcgen/runtime"
	"github.com/openrpc-go/rpcgen/runtime/effect"
	"github.com/openrpc-go/rpcgen/runtime/outcome"
	"github.com/openrpc-go/rpcgen/runtime/store"
	"github.com/openrpc-go/rpcgen/runtime/store/internal/calltest"
)

// crash is the environment of a child that ends in the middle of a call.
const (
	crashStep     = "RPCGEN_CRASH_STEP"
	crashStore    = "RPCGEN_CRASH_STORE"
	crashURL      = "RPCGEN_CRASH_URL"
	crashApproval = "RPCGEN_CRASH_APPROVAL"
)

// beChild does what a test wants of a child process, and never returns from it.
func beChild() {
	switch {
	case os.Getenv(crashStep) != "":
		crashing()
	case os.Getenv(fullStore) != "":
		filling()
	}
}

func die() {
	syscall.Kill(os.Getpid(), syscall.SIGKILL)
	select {}
}

// dying ends the process at the step it is named for.
type dying struct {
	store.Store
	step  string
	rules int
}

func (d *dying) at(step string) {
	if d.step == step {
		die()
	}
}

func (d *dying) rule(context.Context, runtime.Query) (runtime.Verdict, error) {
	if d.rules++; d.rules == 2 {
		d.at("second look")
	}
	return runtime.Verdict{Decision: effect.Allow}, nil
}

func (d *dying) secret(context.Context) (string, error) { d.at("secret"); return "token", nil }

func (d *dying) Intent(context.Context, outcome.Intent) error { d.at("observed"); return nil }

func (d *dying) Consume(ctx context.Context, now time.Time, c store.Consumption) error {
	err := d.Store.Consume(ctx, now, c)
	d.at("consumed")
	return err
}

func (d *dying) dial(ctx context.Context, a netip.AddrPort) (net.Conn, error) {
	d.at("dialling")
	return new(net.Dialer).DialContext(ctx, "tcp", a.String())
}

// outcomes is the observer; its method has the name of the store's.
type outcomes struct{ *dying }

func (o outcomes) Outcome(context.Context, outcome.Intent, outcome.Outcome) error {
	o.at("recorded")
	return nil
}

func (d *dying) Outcome(ctx context.Context, now time.Time, id string, o outcome.Outcome) error {
	d.at("answered")
	return d.Store.Outcome(ctx, now, id, o)
}

func (d *dying) commits() func(*sql.Tx) error {
	n := 0
	return func(tx *sql.Tx) error {
		// 1 opens the store, 2 spends the approval: that the endpoint is the same
		// changes nothing.
		n++
		if n == 2 {
			d.at("before the commit")
		}
		err := tx.Commit()
		if n == 2 {
			d.at("after the commit")
		}
		return err
	}
}

// host registers the endpoint and returns the bot's caller.
func host(s store.Store, d *dying, url string) (*runtime.Registry, *runtime.Caller, error) {
	r := runtime.NewRegistry(runtime.Options{Store: s, Observers: []runtime.Observer{outcomes{d}}})
	c, err := calltest.Contract()
	if err != nil {
		return nil, nil, err
	}
	err = r.Register("billing", c, runtime.Binding{
		URL: url, Development: true, Dial: d.dial,
		Headers: []runtime.Header{{Name: "Authorization", Value: runtime.FromFunc("t", d.secret)}},
		Rules:   []runtime.Rule{{Name: "r", Version: "1", Decide: d.rule}},
	})
	if err != nil {
		return nil, nil, err
	}
	caller, err := r.Caller("billing", calltest.Bot("billing"))
	return r, caller, err
}

// crashing is what the child does; it never returns.
func crashing() {
	d := &dying{step: os.Getenv(crashStep)}
	s, err := open(context.Background(), os.Getenv(crashStore), Options{}, d.commits())
	if err != nil {
		panic(err)
	}
	d.Store = s
	_, c, err := host(d, d, os.Getenv(crashURL))
	if err != nil {
		panic(err)
	}
	_, err = c.Do(context.Background(), "pay", calltest.Params("one"), runtime.WithApproval(os.Getenv(crashApproval)))
	panic(err) // it should be dead by now
}

// testCrash (P9) kills a process at every step of a call. Afterwards nothing was
// sent twice, whatever is retried, and what was spent without an outcome is
// unknown.
func testCrash(t *testing.T) {
	type after int
	const (
		nothing after = iota // the approval is still good
		void                 // it is not, and nothing is unknown
		unknown              // it is spent, and nobody knows how it ended
		over                 // it is spent, and known
	)
	rows := []struct {
		step  string
		after after
		paid  int // before the retry
	}{
		{"second look", nothing, 0},
		{"secret", nothing, 0},
		{"observed", nothing, 0},
		{"before the commit", void, 0}, // a database that lost a commit looks like this one
		{"after the commit", unknown, 0},
		{"consumed", unknown, 0},
		{"dialling", unknown, 0},
		{"arrived", unknown, 1},
		{"answered", unknown, 1},
		{"recorded", over, 1},
	}
	for _, row := range rows {
		t.Run(row.step, func(t *testing.T) {
			server := calltest.Serve(t)
			name := filepath.Join(t.TempDir(), "store.db")
			id := ask(t, name, server.URL)

			cmd := exec.CommandContext(t.Context(), os.Args[0])
			cmd.Env = append(os.Environ(), crashStep+"="+row.step, crashStore+"="+name, crashURL+"="+server.URL, crashApproval+"="+id)
			var out bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &out
			arrived := make(chan struct{}, 1)
			if row.step == "arrived" {
				server.OnArrival(func() { arrived <- struct{}{}; <-t.Context().Done() })
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			if row.step == "arrived" {
				<-arrived
				cmd.Process.Kill()
			}
			var killed *exec.ExitError
			if err := cmd.Wait(); !errors.As(err, &killed) || killed.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
				t.Fatalf("the child ends with %v: %s", err, out.String())
			}
			server.OnArrival(nil)
			if n := server.Paid("one"); n != row.paid {
				t.Fatalf("paid %d times, want %d", n, row.paid)
			}

			s, err := Open(t.Context(), name, Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			list, err := s.Unknown(t.Context())
			if err != nil || len(list) != map[after]int{unknown: 1}[row.after] {
				t.Errorf("unknown: %+v, %v", list, err)
			}
			r, c, err := host(s, &dying{}, server.URL)
			if err != nil {
				t.Fatal(err)
			}
			_, err = c.Do(t.Context(), "pay", calltest.Params("one"), runtime.WithApproval(id))
			want := map[after]error{void: runtime.ReasonApproval, unknown: runtime.ReasonApprovalSpent, over: runtime.ReasonApprovalSpent}[row.after]
			if want == nil && err != nil || want != nil && !errors.Is(err, want) {
				t.Errorf("retried: %v, want %v", err, want)
			}
			if n := server.Paid("one"); row.after != void && n != max(row.paid, map[after]int{nothing: 1}[row.after]) || n > 1 {
				t.Errorf("paid %d times in the end", n)
			}
			for _, i := range list {
				if err := r.Resolve(t.Context(), i.RequestID, "alice", "looked"); err != nil {
					t.Error(err)
				}
			}
			if list, _ := r.Unknown(t.Context()); len(list) != 0 {
				t.Errorf("unknown after Resolve: %+v", list)
			}
		})
	}
}

// ask returns the id of an approval of a payment, in a store that was closed.
func ask(t *testing.T, name, url string) string {
	t.Helper()
	s, err := Open(t.Context(), name, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	r, c, err := host(s, &dying{}, url)
	if err != nil {
		t.Fatal(err)
	}
	var pending *runtime.PendingError
	if _, err := c.Do(t.Context(), "pay", calltest.Params("one")); !errors.As(err, &pending) {
		t.Fatal(err)
	}
	if _, err := r.Decide(t.Context(), store.Decision{ID: pending.ID, By: "alice", Approve: true, ViewDigest: pending.ViewDigest}); err != nil {
		t.Fatal(err)
	}
	return pending.ID
}

//go:build unix

package runtime

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/openrpc-go/rpcgen/runtime/audit"
	"github.com/openrpc-go/rpcgen/runtime/outcome"
	"github.com/openrpc-go/rpcgen/runtime/store"
	"github.com/openrpc-go/rpcgen/runtime/store/sqlite"
)

// The environment of a child that is killed in the middle of a call.
const (
	crashPlace    = "RPCGEN_CRASH_PLACE"
	crashFile     = "RPCGEN_CRASH_FILE"
	crashServer   = "RPCGEN_CRASH_SERVER"
	crashApproval = "RPCGEN_CRASH_APPROVAL"
)

func TestMain(m *testing.M) {
	if os.Getenv(crashPlace) != "" {
		crash()
	}
	os.Exit(m.Run())
}

// crashPlaces are all places where a call can be killed: before every step of
// the path, whatever steps it has, after the last, and around what follows.
func crashPlaces() []string {
	var places []string
	for i, s := range slices.Concat(preflight, again) {
		places = append(places, crashStep(i, s.name))
	}
	return append(places, pathOver, "dialling", "writing", "written", "answered", "outcome, before", "outcome, after", "told")
}

const pathOver = "after the path"

func crashStep(i int, name string) string { return fmt.Sprintf("%d %s", i, name) }

// dieAt ends the process when it is the place that the child is for.
func dieAt(place string) {
	if place == os.Getenv(crashPlace) {
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {}
	}
}

// crash is what the child does: a call, in which it is killed.
func crash() {
	for i := range preflight {
		dieAround(&preflight[i], i)
	}
	for i := range again {
		dieAround(&again[i], len(preflight)+i)
	}
	_, s, c, err := crashHost(os.Getenv(crashFile), os.Getenv(crashServer), true)
	if err == nil {
		_, err = c.Do(context.Background(), "invoice.pay", []byte(crashParams), WithApproval(os.Getenv(crashApproval)))
		s.Close()
	}
	fmt.Println("it lives:", err)
	os.Exit(1)
}

func dieAround(s *step, i int) {
	name, do := s.name, s.do
	s.do = func(a *attempt, ctx context.Context) error {
		dieAt(crashStep(i, name))
		err := do(a, ctx)
		if i == len(preflight)+len(again)-1 {
			dieAt(pathOver)
		}
		return err
	}
}

const crashParams = `{"id":"a","amount":1}`

// dyingStore, dyingConn and dyingObserver are the places that follow the path.
type dyingStore struct{ store.Store }

func (d dyingStore) Outcome(ctx context.Context, now time.Time, id string, o outcome.Outcome) error {
	dieAt("outcome, before")
	err := d.Store.Outcome(ctx, now, id, o)
	dieAt("outcome, after")
	return err
}

type dyingConn struct{ net.Conn }

func (d dyingConn) Write(b []byte) (int, error) {
	dieAt("writing")
	n, err := d.Conn.Write(b)
	dieAt("written")
	return n, err
}

func (d dyingConn) Read(b []byte) (int, error) {
	n, err := d.Conn.Read(b)
	dieAt("answered")
	return n, err
}

type dyingObserver struct{}

func (dyingObserver) Intent(context.Context, outcome.Intent) error { return nil }

func (dyingObserver) Outcome(context.Context, outcome.Intent, outcome.Outcome) error {
	dieAt("told")
	return nil
}

// crashHost opens the store and registers the endpoint, the same in both
// processes.
func crashHost(file, url string, dying bool) (*Registry, *sqlite.Store, *Caller, error) {
	s, err := sqlite.Open(context.Background(), file, sqlite.Options{})
	if err != nil {
		return nil, nil, nil, err
	}
	o := Options{Store: s}
	b := Binding{URL: url, Development: true}
	if dying {
		o = Options{Store: dyingStore{s}, Observers: []Observer{dyingObserver{}}}
		b.Dial = func(ctx context.Context, a netip.AddrPort) (net.Conn, error) {
			dieAt("dialling")
			c, err := new(net.Dialer).DialContext(ctx, "tcp", a.String())
			return dyingConn{c}, err
		}
	}
	r := NewRegistry(o)
	contract, err := source(nil).Load()
	if err == nil {
		err = r.Register("billing", contract, b)
	}
	if err != nil {
		return nil, nil, nil, err
	}
	c, err := r.Caller("billing", agent("bot"))
	return r, s, c, err
}

// TestCrashAtEveryStep (P9) kills a process at every place of a call. After a
// restart an approval that was spent is spent, what has no outcome is unknown,
// and whatever is tried nothing is sent twice.
func TestCrashAtEveryStep(t *testing.T) {
	ends := map[string]int{}
	for _, place := range crashPlaces() {
		t.Run(place, func(t *testing.T) {
			server, file := serve(t, result(`true`)), filepath.Join(t.TempDir(), "store.db")
			id := crashAsk(t, file, server.URL)

			cmd := exec.CommandContext(t.Context(), os.Args[0])
			cmd.Env = append(os.Environ(), crashPlace+"="+place, crashFile+"="+file, crashServer+"="+server.URL, crashApproval+"="+id)
			out, err := cmd.CombinedOutput()
			var killed *exec.ExitError
			if !errors.As(err, &killed) || killed.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
				t.Fatalf("the child ends with %v: %s", err, out)
			}

			r, s, c, err := crashHost(file, server.URL, false)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			unknown, err := r.Unknown(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			var text bytes.Buffer
			if err := s.ExportAudit(t.Context(), &text); err != nil {
				t.Fatal(err)
			}
			report, err := audit.Verify(&text)
			if err != nil || len(report.Open) != len(unknown) || len(unknown) == 1 && unknown[0].RequestID != report.Open[0] {
				t.Errorf("unknown: %+v, intents without an outcome: %v, %v", unknown, report.Open, err)
			}
			_, err = c.Do(t.Context(), "invoice.pay", []byte(crashParams), WithApproval(id))
			switch {
			case err == nil && len(unknown) == 0 && server.requests.Load() == 1:
				ends["nothing was spent"]++
			case errors.Is(err, ReasonApprovalSpent) && len(unknown) == 1 && server.requests.Load() <= 1:
				ends["unknown"]++
			case errors.Is(err, ReasonApprovalSpent) && len(unknown) == 0 && server.requests.Load() == 1:
				ends["known"]++
			default:
				t.Errorf("retried: %v, unknown: %+v, %d requests in all", err, unknown, server.requests.Load())
			}
		})
	}
	steps := len(preflight) + len(again)
	// The last step of the path is the one that spends: everything before it
	// spends nothing, everything between it and the record of the outcome is unknown.
	want := map[string]int{"nothing was spent": steps, "unknown": 1 + 5, "known": 2}
	if !maps.Equal(ends, want) {
		t.Errorf("places by how they end: %v, want %v", ends, want)
	}
}

// crashAsk returns an approval in a store that was closed.
func crashAsk(t *testing.T, file, url string) string {
	t.Helper()
	r, s, c, err := crashHost(file, url, false)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	return approved(t, r, c, crashParams).ID
}

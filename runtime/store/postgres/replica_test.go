//go:build unix

package postgres

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/openrpc-go/rpcgen/runtime"
	"github.com/openrpc-go/rpcgen/runtime/store"
	"github.com/openrpc-go/rpcgen/runtime/store/internal/calltest"
)

// A replica is a process that serves calls: it takes an order a line and answers
// with a line.
const (
	replicaStore = "RPCGEN_REPLICA_STORE"
	replicaURL   = "RPCGEN_REPLICA_URL"
)

type order struct {
	Do       string // ping, pay, replace, freeze
	Endpoint string
	ID       string // of the payment
	Approval string
}

type answer struct {
	Error    string // "" is done
	Approval store.Approval
}

// carriedOut reports whether a line answers an order that was carried out.
func carriedOut(line []byte) bool {
	var a answer
	return json.Unmarshal(line, &a) == nil && a.Error == ""
}

type replica struct {
	registry *runtime.Registry
	contract *runtime.Contract
	url      string
}

func replicate() {
	s, err := Open(context.Background(), os.Getenv(replicaStore), Options{})
	if err != nil {
		panic(err)
	}
	c, err := calltest.Contract()
	if err != nil {
		panic(err)
	}
	r := &replica{runtime.NewRegistry(runtime.Options{Store: s}), c, os.Getenv(replicaURL)}
	for _, id := range []string{"billing", "other"} {
		if err := r.registry.Register(id, c, runtime.Binding{URL: r.url, Development: true}); err != nil {
			panic(err)
		}
	}
	in, out := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	for {
		var o order
		if err := in.Decode(&o); err == io.EOF {
			os.Exit(0)
		} else if err != nil {
			panic(err)
		}
		out.Encode(r.obey(o))
	}
}

func (r *replica) obey(o order) answer {
	ctx := context.Background()
	caller, err := r.registry.Caller(o.Endpoint, calltest.Bot(o.Endpoint))
	if err != nil {
		return answer{Error: err.Error()}
	}
	switch o.Do {
	case "ping":
		_, err = caller.Do(ctx, "ping", nil)
	case "pay":
		_, err = caller.Do(ctx, "pay", calltest.Params(o.ID), runtime.WithApproval(o.Approval))
	case "replace":
		err = r.registry.Replace(o.Endpoint, r.contract, runtime.Binding{URL: r.url, Development: true})
	case "freeze":
		err = r.registry.Freeze(ctx, o.Endpoint, "", "incident")
	}
	var pending *runtime.PendingError
	var refused *runtime.RefusedError
	switch {
	case errors.As(err, &pending):
		return answer{"pending", pending.Approval}
	case errors.As(err, &refused):
		return answer{Error: string(refused.Reason)}
	case err != nil:
		return answer{Error: err.Error()}
	default:
		return answer{}
	}
}

// process is a replica as the test sees it.
type process struct {
	t   *testing.T
	cmd *exec.Cmd
	in  *json.Encoder
	out *bufio.Reader
}

func startReplica(t *testing.T, dsn, url string) *process {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), replicaStore+"="+dsn, replicaURL+"="+url)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p := &process{t, cmd, json.NewEncoder(in), bufio.NewReader(out)}
	t.Cleanup(p.kill)
	return p
}

func (p *process) kill() { p.cmd.Process.Kill(); p.cmd.Wait() }

// do has the replica do something and wants the error.
func (p *process) do(o order, want string) answer {
	p.t.Helper()
	a := p.try(o)
	if a.Error != want {
		p.t.Fatalf("%+v: got %q, want %q", o, a.Error, want)
	}
	return a
}

func (p *process) try(o order) (a answer) {
	p.t.Helper()
	if err := p.in.Encode(o); err != nil {
		p.t.Fatal(err)
	}
	line, err := p.out.ReadBytes('\n')
	if err != nil {
		p.t.Fatal(err)
	}
	if err := json.Unmarshal(line, &a); err != nil {
		p.t.Fatal(err)
	}
	return a
}

// P10: what is asked on one replica is approved elsewhere and spent on another, once,
// while replicas restart and other endpoints are replaced.
func TestReplicas(t *testing.T) {
	dsn, server := database(t), calltest.Serve(t)
	people := openAt(t, dsn)
	a, b := startReplica(t, dsn, server.URL), startReplica(t, dsn, server.URL)
	asked := func(p *process, id string) string {
		t.Helper()
		return p.do(order{Do: "pay", Endpoint: "billing", ID: id}, "pending").Approval.ID
	}
	decide := func(id string) {
		t.Helper()
		list, err := people.Pending(t.Context(), time.Now())
		if err != nil {
			t.Fatal(err)
		}
		for _, one := range list {
			if one.ID == id {
				if _, err := people.Decide(t.Context(), time.Now(), store.Decision{ID: id, By: "alice", Approve: true, ViewDigest: one.ViewDigest}); err != nil {
					t.Fatal(err)
				}
				return
			}
		}
		t.Fatalf("%s is not pending: %+v", id, list)
	}
	pay := func(id, approval string) order {
		return order{Do: "pay", Endpoint: "billing", ID: id, Approval: approval}
	}

	defer churn(t, startReplica(t, dsn, server.URL))()

	first := asked(a, "one")
	if again := asked(b, "one"); again != first {
		t.Errorf("asked again on another replica: %s and %s", first, again)
	}
	a.kill()
	a = startReplica(t, dsn, server.URL)
	decide(first)
	a.do(order{Do: "ping", Endpoint: "billing"}, "")
	b.kill()
	b = startReplica(t, dsn, server.URL)
	b.do(pay("one", first), "")
	a.do(pay("one", first), string(runtime.ReasonApprovalSpent))
	if n := server.Paid("one"); n != 1 {
		t.Errorf("paid %d times", n)
	}

	// Replacing the endpoint itself voids it everywhere at once.
	second := asked(a, "two")
	decide(second)
	b.do(order{Do: "replace", Endpoint: "billing"}, "")
	if got := a.try(pay("two", second)).Error; got != string(runtime.ReasonMoved) && got != string(runtime.ReasonApproval) {
		t.Errorf("replaced elsewhere: %q", got)
	}
	third := asked(a, "two")
	decide(third)
	b.do(pay("two", third), "")
	if n := server.Paid("two"); n != 1 {
		t.Errorf("paid %d times", n)
	}

	b.do(order{Do: "ping", Endpoint: "billing"}, "")
	a.do(order{Do: "freeze", Endpoint: "billing"}, "")
	frozen := time.Now()
	for closed := false; !closed; {
		sent := time.Now() // when the call begins
		got := b.try(order{Do: "ping", Endpoint: "billing"}).Error
		switch {
		case got == string(runtime.ReasonFrozen):
			closed = true
			t.Logf("a freeze closes the other replica after %s", sent.Sub(frozen).Round(time.Millisecond))
		case got != "" || sent.Sub(frozen) > time.Second:
			t.Fatalf("%s after the freeze elsewhere: %q", sent.Sub(frozen), got)
		}
	}
	if got := b.try(order{Do: "ping", Endpoint: "other"}).Error; got != "" && got != string(runtime.ReasonMoved) {
		t.Errorf("another endpoint: %q", got)
	}
}

// churn has a replica replace the other endpoint again and again until what it
// returns is called.
func churn(t *testing.T, p *process) func() {
	stop, done := make(chan struct{}), make(chan int)
	go func() {
		n := 0
		for {
			select {
			case <-stop:
				done <- n
				return
			case <-time.After(20 * time.Millisecond):
			}
			if p.in.Encode(order{Do: "replace", Endpoint: "other"}) == nil {
				if line, err := p.out.ReadBytes('\n'); err == nil && carriedOut(line) {
					n++
				}
			}
		}
	}()
	return func() {
		close(stop)
		if n := <-done; n == 0 {
			t.Error("the other endpoint was never replaced")
		} else {
			t.Logf("the other endpoint was replaced %d times meanwhile", n)
		}
	}
}

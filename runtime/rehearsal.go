package runtime

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/openrpc-go/rpcgen/runtime/canonical"
	"github.com/openrpc-go/rpcgen/runtime/compiled"
	"github.com/openrpc-go/rpcgen/runtime/effect"
	"github.com/openrpc-go/rpcgen/runtime/envelope"
)

// Example is one example of a document, as a generated test plays it. It is
// for generated code.
type Example[C any] struct {
	Method string // wire name
	Name   string // the document's words
	Call   Play[C]
	Params string // a JSON object by name; "" for none
	Wire   string // the params as they must arrive; "" for none at all
	Result string // JSON; "" for a notification
	// Loose says that the values may hold members that no schema declares.
	// Those are kept when they come, and need not be sent.
	Loose bool
}

// Rehearsal is a server that answers what examples say, and the endpoint at
// which a generated client is tested against it. It sends what any host would
// send: a method that the amendment does not open stays closed. It is for
// generated code.
type Rehearsal[C any] struct {
	source *Source
	client func(*Caller) (C, error)

	mu    sync.Mutex
	scene scene
}

// scene is one example on stage.
type scene struct {
	method, wire, result string
	loose                bool
	requests             int
	fault                error
}

// NewRehearsal returns a Rehearsal of the contract that s embeds. newClient is
// the package's NewClient.
func NewRehearsal[C any](s *Source, newClient func(*Caller) (C, error)) *Rehearsal[C] {
	return &Rehearsal[C]{source: s, client: newClient}
}

// Play plays one example through the client, against the server at url that
// asks this Rehearsal, and says what was not as it should be. A method that is
// open to Go code must send the example's params and return its result; any
// other must be refused before anything is sent.
func (r *Rehearsal[C]) Play(ctx context.Context, url string, x Example[C]) error {
	caller, m, err := r.endpoint(url, x.Method)
	if err != nil {
		return err
	}
	defer caller.registry.Close()
	client, err := r.client(caller)
	if err != nil {
		return err
	}
	r.enter(scene{method: x.Method, wire: x.Wire, result: x.Result, loose: x.Loose})
	got, err := x.Call(ctx, client, r.source, m, []byte(x.Params))
	end := r.leave()
	var refused *RefusedError
	var pending *PendingError
	closed := errors.As(err, &refused) || errors.As(err, &pending)
	switch open := caller.status(x.Method).Decision == effect.Allow; {
	case closed && end.requests > 0:
		return fmt.Errorf("%w, and yet %d requests were sent", err, end.requests)
	case closed && (!open || selective(m)):
		return nil
	case end.fault != nil:
		return end.fault
	case err != nil:
		return err
	case !open:
		return errors.New("the method is closed and was called")
	case end.requests != 1:
		return fmt.Errorf("%d requests were sent, not 1", end.requests)
	default:
		return differs("the result comes back", got, x.Result, x.Loose)
	}
}

// selective reports whether the entry lets only some params through.
func selective(m *compiled.Method) bool {
	return m.Authority.IdempotencyKey != "" || m.Authority.Limits != nil
}

// endpoint registers the contract anew, so that no example spends the budget
// of another, at a time when the entry has not expired: whether a client works
// does not depend on the day.
func (r *Rehearsal[C]) endpoint(url, method string) (*Caller, *compiled.Method, error) {
	contract, err := r.source.Load()
	if err != nil {
		return nil, nil, err
	}
	held := contract.byName[method]
	if held == nil {
		return nil, nil, fmt.Errorf("the contract has no method %q", method)
	}
	m, err := held.load()
	if err != nil {
		return nil, nil, err
	}
	now := time.Now
	if !held.until.IsZero() {
		now = func() time.Time { return held.until.Add(-time.Hour) }
	}
	id := contract.header.ID
	registry := NewRegistry(Options{Now: now})
	if err := registry.Register(id, contract, Binding{URL: url, Development: true, Clearance: effect.Secret}); err != nil {
		return nil, nil, err
	}
	caller, err := registry.Caller(id, Principal{Name: "rehearsal", Kind: Code, Grants: Full(id)})
	return caller, m, err
}

func (r *Rehearsal[C]) enter(s scene) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.scene = s
}

func (r *Rehearsal[C]) leave() scene {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.scene
}

// ServeHTTP holds a request against the example on stage and answers it.
func (r *Rehearsal[C]) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := &r.scene
	s.requests++
	body, err := io.ReadAll(http.MaxBytesReader(w, req.Body, 8<<20))
	if err != nil {
		s.fault = err
		return
	}
	got, err := envelope.ReadRequest(body, envelope.Tolerance{})
	if err == nil {
		err = s.judge(got)
	}
	if s.fault = err; err != nil || s.result == "" {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, got.ID, s.result)
}

// judge compares a request with what the example says.
func (s *scene) judge(got envelope.Request) error {
	switch {
	case got.Method != s.method:
		return fmt.Errorf("the request calls %q, not %q", got.Method, s.method)
	case (got.ID == nil) != (s.result == ""):
		return fmt.Errorf("the request has the id %s", got.ID)
	default:
		return differs("the params arrive", got.Params, s.wire, s.loose)
	}
}

// differs says how got is not want. Loose, got may lack members that want has.
func differs(what string, got []byte, want string, loose bool) error {
	same, err := alike(got, []byte(want), loose)
	if err != nil || !same {
		return fmt.Errorf("%s as %s, not as %s", what, got, want)
	}
	return nil
}

func alike(got, want []byte, loose bool) (bool, error) {
	if len(got) == 0 || len(want) == 0 {
		return len(got) == len(want), nil
	}
	one, err := canonical.JSON(nil, got)
	if err != nil {
		return false, err
	}
	other, err := canonical.JSON(nil, want)
	if err != nil {
		return false, err
	}
	if loose {
		return within(one, other), nil
	}
	return string(one) == string(other), nil
}

// Package runtimetest is for the tests of hosts: a Service that answers calls
// from a table, in the test's process, and holds every one of them to the
// contract. Calls take the whole path that they take outside of tests: what the
// amendment closes stays closed, what it asks about is asked about, and params,
// answers and results are checked against their schemas.
//
// Start with New and Service.Caller; a host that builds its own registry takes
// Service.Binding, or serves the Service with net/http/httptest.
package runtimetest

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"sync"
	"testing"

	"github.com/openrpc-go/rpcgen/runtime"
)

// Row answers calls of a method. The first row that fits a call answers it.
type Row struct {
	Method string // wire name
	// Params are JSON by name: the row is for calls with exactly these. "" is for
	// calls with any.
	Params string
	// Result is JSON; "" for a notification, and beside Error and Raw.
	Result string
	// Error is answered instead of a result.
	Error *runtime.RemoteError
	// Raw answers instead of the Service, however it likes, and is not checked:
	// it is for tests of how a host takes answers that break the rules. id is the
	// JSON of the request's id.
	Raw func(w http.ResponseWriter, r *http.Request, id []byte)
}

// Call is a call that arrived.
type Call struct {
	Method string
	Params string // canonical JSON by name; "" for none
}

// Service is a fake of the service behind a contract. It may be used by any
// number of goroutines, and ends with the test.
type Service struct {
	tb       testing.TB
	contract *runtime.Contract
	methods  map[string]*method
	registry *runtime.Registry
	pipes    *pipes

	mu    sync.Mutex
	calls []Call
}

// New returns a Service that answers what rows say. A row that names no method
// of the contract, or whose params, result or error data break their schemas,
// ends the test at once: nobody is tested against what the service cannot say.
func New(tb testing.TB, c *runtime.Contract, rows ...Row) *Service {
	tb.Helper()
	s := &Service{
		tb: tb, contract: c, methods: map[string]*method{},
		registry: runtime.NewRegistry(runtime.Options{}), pipes: newPipes(),
	}
	for i, row := range rows {
		if err := s.add(row); err != nil {
			tb.Fatalf("runtimetest: row %d, method %q: %v", i+1, row.Method, err)
		}
	}
	server := &http.Server{Handler: s, ErrorLog: log.New(io.Discard, "", 0)} // Raw may abort as it likes
	var done sync.WaitGroup
	done.Go(func() { server.Serve(s.pipes) })
	tb.Cleanup(func() {
		s.registry.Close()
		server.Close()
		done.Wait()
	})
	if err := s.registry.Register(s.endpoint(), c, s.Binding()); err != nil {
		tb.Fatalf("runtimetest: %v", err)
	}
	return s
}

// endpoint is the id of the endpoint of Caller and Registry: the contract's own.
func (s *Service) endpoint() string { return s.contract.Header().ID }

// Caller returns a caller of the kind, with these grants, or with every right
// when there are none. Its endpoint has the contract's id, in a registry that
// belongs to the Service.
func (s *Service) Caller(kind runtime.Kind, grants ...runtime.Grant) *runtime.Caller {
	s.tb.Helper()
	if len(grants) == 0 {
		grants = runtime.Full(s.endpoint())
	}
	c, err := s.registry.Caller(s.endpoint(), runtime.Principal{Name: "test", Kind: kind, Grants: grants})
	if err != nil {
		s.tb.Fatalf("runtimetest: %v", err)
	}
	return c
}

// Registry is the registry of the callers that Caller returns: it decides their
// approvals.
func (s *Service) Registry() *runtime.Registry { return s.registry }

// Binding leads to the Service without a socket, in whatever registry. A host
// adds rules, budgets and headers of its own; URL, Development and Dial stay.
func (s *Service) Binding() runtime.Binding {
	return runtime.Binding{URL: "http://127.0.0.1/", Development: true, Dial: s.pipes.dial, Clearance: "secret"}
}

// Calls returns the calls that arrived so far, in their order.
func (s *Service) Calls() []Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Call(nil), s.calls...)
}

func (s *Service) keep(c Call) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls = append(s.calls, c)
}

// ServeHTTP holds a request against the contract and answers it from the
// table. What breaks the contract, and what no row is for, fails the test and
// is answered with an error.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	q, m, params, err := s.read(w, r)
	if err != nil {
		s.tb.Errorf("runtimetest: %v", err)
		if q.ID == nil {
			q.ID = []byte("null") // nobody knows of which request
		}
		answer(w, q.ID, "error", []byte(`{"code":-32600,"message":"the request breaks the contract"}`))
		return
	}
	s.keep(Call{q.Method, string(params)})
	row := m.rowFor(params)
	switch {
	case row == nil: // never a notification: those need no row
		s.tb.Errorf("runtimetest: no row answers %q with params %s", q.Method, params)
		answer(w, q.ID, "error", []byte(`{"code":-32601,"message":"no row answers it"}`))
	case row.raw != nil:
		row.raw(w, r, q.ID)
	case q.ID == nil:
		w.WriteHeader(http.StatusNoContent)
	default:
		answer(w, q.ID, row.member, row.value)
	}
}

func answer(w http.ResponseWriter, id []byte, member string, value []byte) {
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,%q:%s}`, id, member, value)
}

package runtime

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/openrpc-go/rpcgen/runtime/compiled"
	"github.com/openrpc-go/rpcgen/runtime/outcome"
)

func budgeted(calls int64, method string) *Source {
	return source(func(m map[string]*compiled.Method) {
		m[method].Authority.Budget = &compiled.Budget{Calls: calls, Seconds: 3600}
	})
}

// Of 400 attempts by many callers exactly as many are sent as the amendment
// allows, and the rest is told so before anything is resolved or dialled.
func TestAmendmentBudget(t *testing.T) {
	s := serve(t, result(`true`))
	clock := newClock()
	r, c := setup(t, budgeted(100, "invoice.pay"), s.binding(), code("x"), Options{Now: clock.now})
	var sent, refused atomic.Int64
	var all sync.WaitGroup
	for i := range 8 {
		c := caller(t, r, code(fmt.Sprint("x", i)))
		all.Go(func() {
			for range 50 {
				_, err := c.Do(t.Context(), "invoice.pay", []byte(`{"id":"a","amount":1}`))
				switch {
				case err == nil:
					sent.Add(1)
				case errors.Is(err, ReasonBudget):
					refused.Add(1)
				default:
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if sent.Load() != 100 || refused.Load() != 300 || s.requests.Load() != 100 {
		t.Errorf("%d sent, %d refused, %d arrived; want 100, 300, 100", sent.Load(), refused.Load(), s.requests.Load())
	}
	if _, err := c.Do(t.Context(), "ping", nil); err == nil || errors.Is(err, ReasonBudget) {
		t.Errorf("another method: %v", err) // answers true, which is no text
	}
	clock.advance(time.Hour + 2*time.Minute)
	if _, err := c.Do(t.Context(), "invoice.pay", []byte(`{"id":"a","amount":1}`)); err != nil {
		t.Errorf("after the window: %v", err)
	}
}

func TestHostBudgets(t *testing.T) {
	pay := func(c *Caller) error {
		_, err := c.Do(t.Context(), "invoice.pay", []byte(`{"id":"a","amount":1}`))
		return err
	}
	rows := []struct {
		name              string
		registry, binding []Budget
		pattern           string // of calls by x, x, y: s sent, r refused
	}{
		{"per endpoint", nil, []Budget{{Name: "b", Window: time.Hour, Calls: 1}}, "srr"},
		{"per principal", nil, []Budget{{Name: "b", Window: time.Hour, Calls: 1, Per: []Scope{PerPrincipal}}}, "srs"},
		{"of another method", nil, []Budget{{Name: "b", Window: time.Hour, Calls: 1, Method: "ping"}}, "sss"},
		{"of one principal", nil, []Budget{{Name: "b", Window: time.Hour, Calls: 1, Principal: "y"}}, "sss"},
		{"of the registry", []Budget{{Name: "b", Window: time.Hour, Calls: 2}}, nil, "ssr"},
		{"request bytes", nil, []Budget{{Name: "b", Window: time.Hour, Sent: 300}}, "ssr"},
		{"response bytes, settled", nil, []Budget{{Name: "b", Window: time.Hour, Received: 1<<20 + 100}}, "ssr"},
		{"response bytes, less than one may take", nil, []Budget{{Name: "b", Window: time.Hour, Received: 1<<20 - 1}}, "rrr"},
		{"time", nil, []Budget{{Name: "b", Window: time.Hour, Time: time.Second}}, "rrr"},
		{"all of them", []Budget{{Name: "b", Window: time.Hour, Calls: 2}}, []Budget{{Name: "b", Window: time.Hour, Calls: 1, Per: []Scope{PerMethod}}}, "srr"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			s := serve(t, result(`true`))
			b := s.binding()
			b.Budgets = row.binding
			r, x := setup(t, source(nil), b, code("x"), Options{Budgets: row.registry, Now: newClock().now})
			got := ""
			for _, c := range []*Caller{x, x, caller(t, r, code("y"))} {
				switch err := pay(c); {
				case err == nil:
					got += "s"
				case errors.Is(err, ReasonBudget):
					got += "r"
				default:
					t.Fatal(err)
				}
			}
			if got != row.pattern || int(s.requests.Load()) != strings.Count(row.pattern, "s") {
				t.Errorf("got %s and %d requests, want %s", got, s.requests.Load(), row.pattern)
			}
		})
	}
}

// A budget that is spent asks nobody and resolves nothing; which one it is, is
// told to who may inspect.
func TestBudgetBeforeTheAsk(t *testing.T) {
	b := trap(t)
	b.Budgets = []Budget{{Name: "small", Window: time.Hour, Received: 1}}
	r, c := setup(t, source(nil), b, agent("bot"), Options{})
	_, err := c.Do(t.Context(), "invoice.pay", []byte(`{"id":"a","amount":1}`))
	if !errors.Is(err, ReasonBudget) || !strings.Contains(err.Error(), `"small"`) {
		t.Errorf("got %v", err)
	}
	if list, _ := r.Pending(t.Context()); len(list) != 0 {
		t.Error("somebody was asked")
	}
	blind := caller(t, r, Principal{Name: "bot", Kind: Agent, Grants: Full("billing")[2:]})
	_, err = blind.Do(t.Context(), "invoice.pay", []byte(`{"id":"a","amount":1}`))
	if !errors.Is(err, ReasonBudget) || strings.Contains(err.Error(), "small") {
		t.Errorf("got %v", err)
	}
}

// What surely was not sent takes nothing, and what may have been sent does.
func TestBudgetOfFailures(t *testing.T) {
	for status, want := range map[string]int64{"refused connection": 4, "dropped": 2} {
		s := serve(t, func(w http.ResponseWriter, r request) { panic(http.ErrAbortHandler) })
		b := s.binding()
		if status == "refused connection" {
			s.Close()
		}
		_, c := setup(t, budgeted(2, "invoice.pay"), b, code("x"), Options{})
		var ended int64
		for range 4 {
			var end outcome.Outcome
			_, err := c.Do(t.Context(), "invoice.pay", []byte(`{"id":"a","amount":1}`), Into(&end))
			if !errors.Is(err, ReasonBudget) {
				ended++
			}
		}
		if ended != want {
			t.Errorf("%s: %d of 4 got as far as the connection, want %d", status, ended, want)
		}
	}
}

func TestBudgetedReadsRetry(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r request) { panic(http.ErrAbortHandler) })
	r, c := setup(t, budgeted(2, "ping"), s.binding(), code("x"), Options{})
	_, err := c.Do(t.Context(), "ping", nil, Retry(3))
	if !errors.Is(err, ReasonBudget) || s.requests.Load() != 2 {
		t.Errorf("got %v after %d requests, want the budget to end the retries after 2", err, s.requests.Load())
	}
	if list, _ := r.Unknown(t.Context()); len(list) != 0 {
		t.Errorf("reads are listed as unknown: %+v", list)
	}
}

func TestBadBudgets(t *testing.T) {
	good := Budget{Name: "b", Window: time.Hour, Calls: 1}
	for name, list := range map[string][]Budget{
		"no name":         {{Window: time.Hour, Calls: 1}},
		"same name":       {good, good},
		"no limit":        {{Name: "b", Window: time.Hour}},
		"no window":       {{Name: "b", Calls: 1}},
		"negative":        {{Name: "b", Window: time.Hour, Calls: -1}},
		"negative time":   {{Name: "b", Window: time.Hour, Calls: 1, Time: -1}},
		"endless window":  {{Name: "b", Window: 367 * 24 * time.Hour, Calls: 1}},
		"a strange scope": {{Name: "b", Window: time.Hour, Calls: 1, Per: []Scope{"planet"}}},
	} {
		if NewRegistry(Options{}).Register("billing", load(t, source(nil)), Binding{URL: "https://x.example/", Budgets: list}) == nil {
			t.Errorf("%s: taken in a binding", name)
		}
		if NewRegistry(Options{Budgets: list}).Register("billing", load(t, source(nil)), Binding{URL: "https://x.example/"}) == nil {
			t.Errorf("%s: taken in a registry", name)
		}
	}
	if NewRegistry(Options{Key: []byte("short")}).Register("billing", load(t, source(nil)), Binding{URL: "https://x.example/"}) == nil {
		t.Error("a short key is taken")
	}
}

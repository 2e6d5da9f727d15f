package runtime

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/openrpc-go/rpcgen/runtime/compiled"
	"github.com/openrpc-go/rpcgen/runtime/outcome"
	"github.com/openrpc-go/rpcgen/runtime/store"
)

// sink is an observer that keeps what it is told, and fails when it should.
type sink struct {
	mu                      sync.Mutex
	events                  []string
	all                     []byte
	failIntent, failOutcome bool
	before                  func()
}

func (s *sink) add(event string, v any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	b, _ := json.Marshal(v)
	s.all = append(s.all, b...)
	s.events = append(s.events, event)
}

func (s *sink) Intent(_ context.Context, i outcome.Intent) error {
	if s.before != nil {
		s.before()
	}
	if s.failIntent {
		return errors.New("disk full")
	}
	s.add("intent "+i.Method+" "+i.Decision, i)
	return nil
}

func (s *sink) Outcome(_ context.Context, i outcome.Intent, o outcome.Outcome) error {
	s.add(fmt.Sprintf("outcome %s %s%s %s", i.Method, o.Status, o.Code, o.Delivery), o)
	if s.failOutcome {
		return errors.New("disk full")
	}
	return nil
}

func (s *sink) said() string { return strings.Join(s.events, "; ") }

const payParams = `{"id":"PARAM-canary","amount":77123}`

func TestObservers(t *testing.T) {
	s := serve(t, result(`true`))
	first, second := &sink{}, &sink{}
	src := source(func(m map[string]*compiled.Method) {
		m["invoice.pay"].Authority.ReadBack = &compiled.ReadBack{Method: "invoice.get", Params: []compiled.Carried{{Name: "id", From: "/params/id"}}}
	})
	b := s.binding()
	b.Headers = []Header{{Name: "Authorization", Value: FromFunc("t", func(context.Context) (string, error) { return "SECRET-canary", nil })}}
	first.before = func() {
		if s.requests.Load() != 0 {
			t.Error("the intent came after the request")
		}
	}
	_, c := setup(t, src, b, code("x"), Options{Observers: []Observer{first, second}})
	var end outcome.Outcome
	if _, err := c.Do(t.Context(), "invoice.pay", []byte(payParams), Into(&end)); err != nil || end.ReadBack == nil || end.Unrecorded {
		t.Fatalf("%+v, %v", end, err)
	}
	const want = "intent invoice.pay allow; outcome invoice.pay ok completed"
	if first.said() != want || second.said() != want {
		t.Errorf("told %q and %q, want %q", first.said(), second.said(), want)
	}
	for _, canary := range []string{"PARAM-canary", "77123", "SECRET-canary", s.URL} {
		if strings.Contains(string(first.all), canary) {
			t.Errorf("an event holds %q: %s", canary, first.all)
		}
	}
	if n := len(s.bodies[0]); !strings.Contains(string(first.all), fmt.Sprintf(`"request_bytes":%d`, n)) {
		t.Errorf("the size %d is not told: %s", n, first.all)
	}
}

// An observer that fails before sending refuses the call and burns nothing.
func TestObserverRefuses(t *testing.T) {
	good, bad := &sink{}, &sink{failIntent: true}
	s := serve(t, result(`true`))
	r, c := setup(t, source(nil), s.binding(), agent("bot"), Options{Observers: []Observer{good, bad}})
	a := approved(t, r, c, payParams)
	_, err := c.Do(t.Context(), "invoice.pay", []byte(payParams), WithApproval(a.ID))
	if !errors.Is(err, ReasonAudit) || s.requests.Load() != 0 || strings.Contains(err.Error(), "disk") {
		t.Fatalf("got %v and %d requests", err, s.requests.Load())
	}
	if want := "intent invoice.pay ask; outcome invoice.pay refused not_started"; good.said() != want {
		t.Errorf("told %q, want %q", good.said(), want)
	}
	bad.failIntent, bad.failOutcome = false, true
	var end outcome.Outcome
	if _, err := c.Do(t.Context(), "invoice.pay", []byte(payParams), WithApproval(a.ID), Into(&end)); err != nil || !end.Unrecorded {
		t.Errorf("the approval is still good and the end is unrecorded: %+v, %v", end, err)
	}
}

// Who loses a race after the intent was told is told of as well.
func TestObserverOfALoser(t *testing.T) {
	o := &sink{}
	r, c := setup(t, source(nil), trap(t), agent("bot"), Options{Observers: []Observer{o}})
	r.current.Load().endpoints["billing"].transport = nil
	if _, err := c.Do(t.Context(), "ping", nil); !errors.Is(err, ReasonConfiguration) || o.said() != "" {
		t.Errorf("refused before: %v, told %q", err, o.said())
	}
	s := serve(t, result(`true`))
	r, c = setup(t, source(nil), s.binding(), agent("bot"), Options{Observers: []Observer{o}})
	a := approved(t, r, c, payParams)
	o.before = func() { // another call spends it meanwhile
		r.store.Consume(t.Context(), r.now(), store.Consumption{RequestID: "other", ApprovalID: a.ID, Tuple: a.Tuple})
	}
	_, err := c.Do(t.Context(), "invoice.pay", []byte(payParams), WithApproval(a.ID))
	if want := "intent invoice.pay ask; outcome invoice.pay refused not_started"; !errors.Is(err, ReasonApprovalSpent) || o.said() != want || s.requests.Load() != 0 {
		t.Errorf("got %v, told %q, want %q", err, o.said(), want)
	}
}

// The digest of params is keyed by the installation: the same for all who share
// the key, and nobody else's.
func TestParamsDigests(t *testing.T) {
	digests := func(key string) (event, approval string) {
		o := &sink{}
		s := serve(t, result(`true`))
		r, c := setup(t, source(nil), s.binding(), agent("bot"), Options{Observers: []Observer{o}, Key: []byte(key)})
		a := approved(t, r, c, payParams)
		if _, err := c.Do(t.Context(), "invoice.pay", []byte(payParams), WithApproval(a.ID)); err != nil {
			t.Fatal(err)
		}
		var i outcome.Intent
		json.NewDecoder(strings.NewReader(string(o.all))).Decode(&i)
		return i.Params, a.Tuple.Params
	}
	e1, a1 := digests("0123456789abcdef")
	e2, a2 := digests("0123456789abcdef")
	e3, a3 := digests("fedcba9876543210")
	e4, a4 := digests("")
	e5, a5 := digests("")
	if e1 != e2 || a1 != a2 || e1 != a1 || e1 == e3 || a1 == a3 {
		t.Errorf("keyed: %s %s, %s %s, %s %s", e1, a1, e2, a2, e3, a3)
	}
	if e4 == e5 || a4 != a5 || e4 == a4 || !strings.HasPrefix(e4, "hmac-sha256:") {
		t.Errorf("without a key: %s %s, %s %s", e4, a4, e5, a5)
	}
}

type told []store.Approval

func (l *told) Notify(a store.Approval) { *l = append(*l, a) }

// People are told once of each approval that waits.
func TestNotifier(t *testing.T) {
	var l told
	_, c := setup(t, source(nil), trap(t), agent("bot"), Options{Notifier: &l})
	for _, params := range []string{payParams, payParams, `{"id":"b","amount":1}`} {
		c.Do(t.Context(), "invoice.pay", []byte(params))
	}
	if len(l) != 2 || l[0].ID == l[1].ID || l[0].State != store.Requested {
		t.Errorf("told %+v", l)
	}
}

// A Replace by the very same elsewhere voids approvals, and this registry goes
// on under the new number.
func TestReplacedElsewhere(t *testing.T) {
	shared, clock := store.NewMemory(), newClock()
	s := serve(t, result(`true`))
	a, bot := setup(t, source(nil), s.binding(), agent("bot"), Options{Store: shared, Now: clock.now})
	b, _ := setup(t, source(nil), s.binding(), agent("bot"), Options{Store: shared, Now: clock.now})
	asked := approved(t, a, bot, payParams)
	if err := b.Replace("billing", load(t, source(nil)), s.binding()); err != nil {
		t.Fatal(err)
	}
	pay := func(id string) error {
		_, err := bot.Do(t.Context(), "invoice.pay", []byte(payParams), WithApproval(id))
		return err
	}
	if err := pay(asked.ID); !errors.Is(err, ReasonMoved) || s.requests.Load() != 0 {
		t.Errorf("within the second: %v", err)
	}
	if err := pay(asked.ID); !errors.Is(err, ReasonApproval) || s.requests.Load() != 0 {
		t.Errorf("after it was seen: %v", err)
	}
	if err := pay(approved(t, a, bot, payParams).ID); err != nil {
		t.Errorf("asked again: %v", err)
	}
}

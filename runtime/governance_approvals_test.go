package runtime

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"reflect"
	stdruntime "runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/openrpc-go/rpcgen/runtime/canonical"
	"github.com/openrpc-go/rpcgen/runtime/compiled"
	"github.com/openrpc-go/rpcgen/runtime/effect"
	"github.com/openrpc-go/rpcgen/runtime/internal/governance"
	"github.com/openrpc-go/rpcgen/runtime/outcome"
	"github.com/openrpc-go/rpcgen/runtime/store"
)

// showApprovals shows what an approval is worth.
func showApprovals(show governance.Show) {
	show("P1", "one winner", testOneWinner)
	show("P1 P2 P4 P7 P8", "one approval is for one call", testOneApprovalIsForOneCall)
	show("P2 T20", "every field of what was approved", testApprovalFields)
	show("P3", "what changes before the call", testChangesBeforeTheCall)
	show("P3 T31", "what changes while the call is prepared", testSecondLook)
	show("P4 T21", "spellings of one call", testSpellingsOfParams)
	show("P5 T23", "what was approved is what is sent", testFrozenParams)
	show("P6 T14 T25", "invisible characters, and what the call does", testView)
	show("P6", "nothing is left out", testLongView)
	show("P7 P12", "what callers and decisions can say", testApprovalSurface)
	show("P8 T31", "clocks", testApprovalClocks)
	show("P9", "a process that ends in the middle", testEndInTheMiddle)
	show("P10", "two hosts", testTwoHosts)
	show("P11", "another life of the store", testAnotherLife)
	show("P12", "one approval is for nothing else", testNoStandingApproval)
	show("P13", "pending is no success", testPendingIsNoSuccess)
	show("P14", "floods", testFloods)
}

const onePay = `{"id":"a","amount":1}`

// asking is the contract with a word of ask for everybody and every method.
func asking() *Source {
	return source(func(m map[string]*compiled.Method) {
		for _, name := range []string{"invoice.pay", "invoice.get", "range"} {
			m[name].Authority.Code, m[name].Authority.Agents = effect.Ask, effect.Ask
		}
	})
}

// Whatever differs from what was approved, one thing at a time: it is another
// call, and nothing is sent.
func testApprovalFields(t *testing.T) {
	type place struct {
		r     *Registry
		b     Binding
		clock *clock
	}
	pay := func(t *testing.T, r *Registry, endpoint string, p Principal, method, input, id string) error {
		c, err := r.Caller(endpoint, p)
		if err != nil {
			t.Fatal(err)
		}
		_, err = c.Do(t.Context(), method, []byte(input), WithApproval(id))
		return err
	}
	rows := []struct {
		name string
		call func(t *testing.T, p place, id string) error
		want Reason // "" is sent
	}{
		{"nothing", func(t *testing.T, p place, id string) error {
			return pay(t, p.r, "billing", agent("bot"), "invoice.pay", onePay, id)
		}, ""},
		{"principal", func(t *testing.T, p place, id string) error {
			return pay(t, p.r, "billing", agent("bot2"), "invoice.pay", onePay, id)
		}, ReasonApproval},
		{"kind", func(t *testing.T, p place, id string) error {
			return pay(t, p.r, "billing", code("bot"), "invoice.pay", onePay, id)
		}, ReasonApproval},
		{"endpoint", func(t *testing.T, p place, id string) error {
			return pay(t, p.r, "other", Principal{Name: "bot", Kind: Agent, Grants: Full("other")}, "invoice.pay", onePay, id)
		}, ReasonApproval},
		{"method", func(t *testing.T, p place, id string) error {
			return pay(t, p.r, "billing", agent("bot"), "invoice.get", `{"id":"a"}`, id)
		}, ReasonApproval},
		{"params", func(t *testing.T, p place, id string) error {
			return pay(t, p.r, "billing", agent("bot"), "invoice.pay", `{"id":"a","amount":2}`, id)
		}, ReasonApproval},
		{"id", func(t *testing.T, p place, id string) error {
			return pay(t, p.r, "billing", agent("bot"), "invoice.pay", onePay, id+"0")
		}, ReasonApproval},
		{"generation", func(t *testing.T, p place, id string) error {
			if err := p.r.Replace("billing", load(t, asking()), p.b); err != nil {
				t.Fatal(err)
			}
			return pay(t, p.r, "billing", agent("bot"), "invoice.pay", onePay, id)
		}, ReasonApproval},
		{"authority", func(t *testing.T, p place, id string) error {
			p.b.Limits.Response = 5000
			if err := p.r.Replace("billing", load(t, asking()), p.b); err != nil {
				t.Fatal(err)
			}
			return pay(t, p.r, "billing", agent("bot"), "invoice.pay", onePay, id)
		}, ReasonApproval},
		{"expiry", func(t *testing.T, p place, id string) error {
			p.clock.advance(time.Minute)
			return pay(t, p.r, "billing", agent("bot"), "invoice.pay", onePay, id)
		}, ReasonApprovalLate},
		{"life of the store", func(t *testing.T, p place, id string) error {
			if _, err := p.r.store.NewEpoch(t.Context(), p.clock.now()); err != nil {
				t.Fatal(err)
			}
			return pay(t, p.r, "billing", agent("bot"), "invoice.pay", onePay, id)
		}, ReasonApproval},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			s, clock := serve(t, result(`true`)), newClock()
			r, c := setup(t, asking(), s.binding(), agent("bot"), Options{Now: clock.now, ApprovalLife: time.Minute})
			if err := r.Register("other", load(t, asking()), s.binding()); err != nil {
				t.Fatal(err)
			}
			a := approved(t, r, c, onePay)
			err := row.call(t, place{r, s.binding(), clock}, a.ID)
			if row.want == "" && (err != nil || s.requests.Load() != 1) || row.want != "" && (!errors.Is(err, row.want) || s.requests.Load() != 0) {
				t.Errorf("got %v and %d requests, want %q", err, s.requests.Load(), row.want)
			}
		})
	}
}

// Whatever moves between the person's word and the call voids the word.
func testChangesBeforeTheCall(t *testing.T) {
	deny := Rule{Name: "r", Version: "1", Decide: func(context.Context, Query) (Verdict, error) { return Verdict{Decision: effect.Deny}, nil }}
	rows := []struct {
		name string
		edit func(m map[string]*compiled.Method)
		bind func(b *Binding)
		want Reason
	}{
		{"the same again", nil, nil, ReasonApproval},
		{"the amendment's word", func(m map[string]*compiled.Method) { m["invoice.pay"].Authority.Agents = effect.Deny }, nil, ReasonDenied},
		{"another entry", func(m map[string]*compiled.Method) { m["ping"].Authority.Agents = effect.Deny }, nil, ReasonApproval},
		{"the shape", func(m map[string]*compiled.Method) { m["invoice.pay"].Authority.State = compiled.Stale }, nil, ReasonStale},
		{"the digest", func(m map[string]*compiled.Method) { m["invoice.pay"].Digests.Wire = "sha256:other" }, nil, ReasonApproval},
		{"a rule", nil, func(b *Binding) { b.Rules = []Rule{deny} }, ReasonDenied},
		{"a header", nil, func(b *Binding) { b.Headers = []Header{{Name: "X-Key", Value: FromEnv("HOME")}} }, ReasonApproval},
		{"the address", nil, func(b *Binding) { b.URL += "2" }, ReasonApproval},
		{"the clearance", nil, func(b *Binding) { b.Clearance = effect.Public }, ReasonFlow},
		{"a switch", nil, func(b *Binding) { b.Tolerance.NullError = true }, ReasonApproval},
	}
	for _, row := range rows {
		s := serve(t, result(`true`))
		r, c := setup(t, source(nil), s.binding(), agent("bot"), Options{})
		a := approved(t, r, c, onePay)
		b := s.binding()
		if row.bind != nil {
			row.bind(&b)
		}
		if err := r.Replace("billing", load(t, source(row.edit)), b); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Do(t.Context(), "invoice.pay", []byte(onePay), WithApproval(a.ID)); !errors.Is(err, row.want) || s.requests.Load() != 0 {
			t.Errorf("%s: got %v and %d requests, want %q", row.name, err, s.requests.Load(), row.want)
		}
	}
}

// Two calls are one exactly when their canonical bytes are.
func testSpellingsOfParams(t *testing.T) {
	const approvedAs = `{"id":"\u00e9","amount":9007199254740993}`
	rows := []struct {
		input string
		want  Reason // "" is the same call
	}{
		{`{"amount":9007199254740993,"id":"é"}`, ""},
		{` { "id" : "\u00E9" , "amount" : 9007199254740993.0 } `, ""},
		{`{"\u0069d":"é","amount":9007199254740993e0}`, ""},
		{`{"id":"é","amount":900719925474099300e-2}`, ""},
		{`{"id":"é","amount":9007199254740992}`, ReasonApproval},
		{`{"id":"e\u0301","amount":9007199254740993}`, ReasonApproval},
		{`{"id":"É","amount":9007199254740993}`, ReasonApproval},
		{`{"id":"é ","amount":9007199254740993}`, ReasonApproval},
		{`{"id":"é","amount":1,"amount":9007199254740993}`, ReasonInvalidParams},
		{`{"id":"é","amount":9007199254740993,"\u0069d":"é"}`, ReasonInvalidParams},
		{`{"id":"é","amount":"9007199254740993"}`, ReasonInvalidParams},
		{`{"id":"é","amount":9007199254740993,"more":1}`, ReasonInvalidParams},
		{`{"id":"` + "\xe9" + `","amount":9007199254740993}`, ReasonInvalidParams},
		{`{"id":"é","amount":9007199254740993}x`, ReasonInvalidParams},
	}
	for _, row := range rows {
		s := serve(t, result(`true`))
		r, c := setup(t, source(nil), s.binding(), agent("bot"), Options{})
		a := approved(t, r, c, approvedAs)
		_, err := c.Do(t.Context(), "invoice.pay", []byte(row.input), WithApproval(a.ID))
		if row.want == "" && (err != nil || s.last(t) != `{"amount":9007199254740993,"id":"é"}`) || row.want != "" && (!errors.Is(err, row.want) || s.requests.Load() != 0) {
			t.Errorf("%s: got %v and %d requests, want %q", row.input, err, s.requests.Load(), row.want)
		}
	}
}

// What is approved, by its digest, is what arrives, byte for byte, whatever the
// caller, rules, secrets and signatures do to what they can reach meanwhile.
func testFrozenParams(t *testing.T) {
	s := serve(t, result(`true`))
	input, deep := []byte(`{"amount":1,"id":"aaaa"}`), true
	b := s.binding()
	b.Headers = []Header{{Name: "X-Key", Value: FromFunc("f", func(context.Context) (string, error) {
		copy(input, `{"amount":9,"id":"evil"}`)
		deep = false
		return "value", nil
	})}}
	b.SignName, b.Sign = "s", func(_ context.Context, o Outgoing) ([]Field, error) {
		clear(o.Body)
		return nil, nil
	}
	b.Rules = []Rule{{Name: "r", Decide: func(_ context.Context, q Query) (Verdict, error) {
		clear(q.Params)
		return Verdict{Decision: effect.Allow}, nil
	}}}
	src := source(nil)
	r, c := setup(t, src, b, agent("bot"), Options{})
	const wire = `{"amount":1,"id":"aaaa"}`
	a := approved(t, r, c, wire)
	if want := canonical.Digest("params", []byte(wire)); a.Tuple.Params != want || !strings.Contains(a.View, wire) {
		t.Errorf("approved %s by %q", a.Tuple.Params, a.View)
	}
	if _, err := c.Do(t.Context(), "invoice.pay", input, WithApproval(a.ID)); err != nil || s.last(t) != wire {
		t.Errorf("as JSON: %v, sent %s", err, s.last(t))
	}
	src = asking()
	_, c = setup(t, src, b, agent("bot"), Options{})
	s.answer, deep = result(`{"id":"a","total":1}`), true
	typed := func(id string) error {
		_, err := Call[Invoice](t.Context(), c, src.Method("invoice.get"), GetParams{ID: "a", Deep: &deep}, WithApproval(id))
		return err
	}
	var pending *PendingError
	if !errors.As(typed(""), &pending) {
		t.Fatal("it does not wait")
	}
	if _, err := c.registry.Decide(t.Context(), decision(pending, "alice", true)); err != nil {
		t.Fatal(err)
	}
	if err := typed(pending.ID); err != nil || deep || s.last(t) != `{"deep":true,"id":"a"}` {
		t.Errorf("typed: %v, sent %s", err, s.last(t))
	}

	// By position too: the digest is of the array that is sent.
	s.answer = result(`[]`)
	_, c = setup(t, asking(), s.binding(), agent("bot"), Options{})
	_, err := c.Do(t.Context(), "range", []byte(`{"to":2,"from":1.0}`))
	if !errors.As(err, &pending) || pending.Tuple.Params != canonical.Digest("params", []byte(`[1,2]`)) || !strings.Contains(pending.View, `[1,2]`) {
		t.Errorf("by position: %v, %q", err, pending.View)
	}
}

// A person sees all of it, and how long it is.
func testLongView(t *testing.T) {
	_, c := setup(t, source(nil), trap(t), agent("bot"), Options{})
	text := strings.Repeat("x", 50_000) + "END"
	_, err := c.Do(t.Context(), "invoice.pay", []byte(`{"id":"`+text+`","amount":1}`))
	var pending *PendingError
	if !errors.As(err, &pending) {
		t.Fatal(err)
	}
	wire := `{"amount":1,"id":"` + text + `"}`
	if !strings.Contains(pending.View, "params ("+strconv.Itoa(len(wire))+" bytes): "+wire+"\n") {
		t.Errorf("a part is left out of %d bytes", len(pending.View))
	}
	if pending.ViewDigest != canonical.Digest("view", []byte(pending.View)) {
		t.Error("the digest is of another view")
	}
}

// Nothing that a caller holds decides, and no decision says more than yes or no
// to one approval.
func testApprovalSurface(t *testing.T) {
	kind := reflect.TypeFor[*Caller]()
	for i := range kind.NumMethod() {
		m := kind.Method(i)
		for _, word := range []string{"Decide", "Approve", "Resolve", "Freeze", "Thaw", "Replace", "Register", "Grant"} {
			if strings.Contains(m.Name, word) {
				t.Errorf("a Caller can %s", m.Name)
			}
		}
		for j := range m.Type.NumIn() {
			if in := m.Type.In(j); in == reflect.TypeFor[store.Decision]() || in == reflect.TypeFor[Binding]() {
				t.Errorf("%s takes a %s", m.Name, in)
			}
		}
	}
	var fields []string
	for f := range reflect.TypeFor[store.Decision]().Fields() {
		fields = append(fields, f.Name)
	}
	if want := []string{"ID", "By", "Approve", "ViewDigest"}; !reflect.DeepEqual(fields, want) {
		t.Errorf("a decision says %v, want %v", fields, want)
	}
	r, c := setup(t, source(nil), trap(t), agent("bot"), Options{})
	_, err := c.Do(t.Context(), "invoice.pay", []byte(onePay))
	var pending *PendingError
	if !errors.As(err, &pending) {
		t.Fatal(err)
	}
	for name, d := range map[string]Decision{
		"by the caller": decision(pending, "bot", true), "by nobody": decision(pending, "", true),
		"about another view": {ID: pending.ID, By: "alice", Approve: true, ViewDigest: "sha256:other"},
	} {
		if _, err := r.Decide(t.Context(), d); err == nil {
			t.Errorf("a decision %s counts", name)
		}
	}
}

// Time that goes back, a little or much, revives nothing.
func testApprovalClocks(t *testing.T) {
	clock := newClock()
	r, c := setup(t, source(nil), trap(t), agent("bot"), Options{Now: clock.now, ApprovalLife: 2 * time.Minute})
	a := approved(t, r, c, onePay)
	pay := func() error {
		_, err := c.Do(t.Context(), "invoice.pay", []byte(onePay), WithApproval(a.ID))
		return err
	}
	clock.advance(2 * time.Minute)
	if err := pay(); !errors.Is(err, ReasonApprovalLate) {
		t.Errorf("at its end: %v", err)
	}
	if _, err := c.Do(t.Context(), "invoice.pay", []byte(`{"id":"b","amount":1}`)); err == nil { // tells the store the time
		t.Error("it was sent")
	}
	clock.advance(-90 * time.Second)
	if err := pay(); !errors.Is(err, ReasonApprovalLate) {
		t.Errorf("a little back: %v", err)
	}
	clock.advance(-time.Hour)
	if err := pay(); !errors.Is(err, ReasonStore) {
		t.Errorf("much back: %v", err)
	}
	s := serve(t, result(`true`))
	r, c = setup(t, source(nil), s.binding(), agent("bot"), Options{})
	a = approved(t, r, c, onePay)
	over, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer cancel()
	if _, err := c.Do(over, "invoice.pay", []byte(onePay), WithApproval(a.ID)); !errors.Is(err, ReasonCanceled) || s.requests.Load() != 0 {
		t.Errorf("an approval outlives the deadline of its call: %v", err)
	}
	if err := pay(); err != nil {
		t.Errorf("and is burnt by it: %v", err)
	}
}

// A process that ends before the intent is written has done nothing; one that
// ends after it leaves a call that may have happened, and is never sent again.
func testEndInTheMiddle(t *testing.T) {
	for _, row := range []struct {
		at      string
		unknown int
		want    Reason // of the same call afterwards; "" is sent
		sent    int64
	}{{"secrets", 0, "", 1}, {"connection", 1, ReasonApprovalSpent, 0}, {"answer", 1, ReasonApprovalSpent, 1}} {
		shared := store.NewMemory()
		s := serve(t, result(`true`))
		end := func(at string) {
			if at == row.at {
				stdruntime.Goexit() // nothing of the call goes on
			}
		}
		dying := s.binding()
		key := func(f func()) []Header {
			return []Header{{Name: "X-Key", Value: FromFunc("f", func(context.Context) (string, error) { f(); return "v", nil })}}
		}
		dying.Headers = key(func() { end("secrets") })
		dying.Dial = func(ctx context.Context, a netip.AddrPort) (net.Conn, error) {
			end("connection")
			c, err := new(net.Dialer).DialContext(ctx, "tcp", a.String())
			return &mortal{c, func() { end("answer") }}, err
		}
		r, c := setup(t, source(nil), dying, agent("bot"), Options{Store: shared})
		a := approved(t, r, c, onePay)
		var ended sync.WaitGroup
		ended.Go(func() {
			c.Do(context.Background(), "invoice.pay", []byte(onePay), WithApproval(a.ID))
			t.Errorf("%s: the call went on", row.at)
		})
		ended.Wait()

		// Another process, with the same configuration.
		alive := s.binding()
		alive.Headers = key(func() {})
		r, c = setup(t, source(nil), alive, agent("bot"), Options{Store: shared})
		if unknown, err := r.Unknown(t.Context()); err != nil || len(unknown) != row.unknown {
			t.Errorf("%s: unknown %v, %v, want %d", row.at, unknown, err, row.unknown)
		}
		_, err := c.Do(t.Context(), "invoice.pay", []byte(onePay), WithApproval(a.ID))
		if row.want == "" && err != nil || row.want != "" && !errors.Is(err, row.want) || s.requests.Load() != row.sent {
			t.Errorf("%s: the same call again: %v and %d requests, want %q and %d", row.at, err, s.requests.Load(), row.want, row.sent)
		}
	}
}

// mortal is a connection whose reader may end.
type mortal struct {
	net.Conn
	end func()
}

func (m *mortal) Read(b []byte) (int, error) {
	n, err := m.Conn.Read(b)
	m.end()
	return n, err
}

// Of any number of calls on two hosts that share a store one spends an approval.
func testTwoHosts(t *testing.T) {
	shared := store.NewMemory()
	s := serve(t, result(`true`))
	r, a := setup(t, source(nil), s.binding(), agent("bot"), Options{Store: shared})
	_, b := setup(t, source(nil), s.binding(), agent("bot"), Options{Store: shared})
	id := approved(t, r, a, onePay).ID
	var won, lost atomic.Int64
	var all sync.WaitGroup
	for i := range 32 {
		all.Go(func() {
			_, err := []*Caller{a, b}[i%2].Do(context.Background(), "invoice.pay", []byte(onePay), WithApproval(id))
			switch {
			case err == nil:
				won.Add(1)
			case errors.Is(err, ReasonApprovalSpent):
				lost.Add(1)
			default:
				t.Error(err)
			}
		})
	}
	all.Wait()
	if won.Load() != 1 || lost.Load() != 31 || s.requests.Load() != 1 {
		t.Errorf("%d won, %d lost, %d requests", won.Load(), lost.Load(), s.requests.Load())
	}
}

// Another life of a store revives nothing of the one before, spent or not.
func testAnotherLife(t *testing.T) {
	s := serve(t, result(`true`))
	r, c := setup(t, source(nil), s.binding(), agent("bot"), Options{})
	unspent, spent := approved(t, r, c, `{"id":"b","amount":1}`), approved(t, r, c, onePay)
	pay := func(input, id string) error {
		_, err := c.Do(t.Context(), "invoice.pay", []byte(input), WithApproval(id))
		return err
	}
	if err := pay(onePay, spent.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := r.store.NewEpoch(t.Context(), time.Now()); err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{pay(onePay, spent.ID), pay(`{"id":"b","amount":1}`, unspent.ID)} {
		if !errors.Is(err, ReasonApproval) || s.requests.Load() != 1 {
			t.Errorf("an approval of another life: %v and %d requests", err, s.requests.Load())
		}
	}
	if err := pay(onePay, approved(t, r, c, onePay).ID); err != nil {
		t.Errorf("asked again: %v", err)
	}
}

// A yes to one call is no yes to the next, however alike.
func testNoStandingApproval(t *testing.T) {
	s := serve(t, result(`true`))
	r, c := setup(t, source(nil), s.binding(), agent("bot"), Options{})
	for n := range int64(3) {
		a := approved(t, r, c, onePay) // fails when the call needs no approval
		if _, err := c.Do(t.Context(), "invoice.pay", []byte(onePay), WithApproval(a.ID)); err != nil || s.requests.Load() != n+1 {
			t.Fatalf("%v after %d requests", err, s.requests.Load())
		}
	}
}

// A call that waits has no result, no status, and an error that says so.
func testPendingIsNoSuccess(t *testing.T) {
	src := asking()
	_, c := setup(t, src, trap(t), agent("bot"), Options{})
	end := outcome.Outcome{Status: outcome.OK, Delivery: outcome.Completed}
	v, err := Call[Invoice](t.Context(), c, src.Method("invoice.get"), GetParams{ID: "a"}, Into(&end))
	var pending *PendingError
	if !errors.As(err, &pending) || v != (Invoice{}) || end.Status != "" || end.Delivery != outcome.NotStarted || Delivery(err) != outcome.NotStarted {
		t.Errorf("got %+v, %+v, %v", v, end, err)
	}
	got, err := c.Do(t.Context(), "invoice.get", []byte(`{"id":"a"}`))
	if got != nil || !errors.As(err, &pending) {
		t.Errorf("got %s, %v", got, err)
	}
	for _, zero := range []any{outcome.Status(""), outcome.Delivery(""), store.State(""), effect.Decision("")} {
		for _, good := range []any{outcome.OK, outcome.Sent, outcome.Completed, store.Approved, effect.Allow} {
			if zero == good {
				t.Errorf("the zero %T is %v", zero, good)
			}
		}
	}
}

// Identical asks are one; what one principal may have pending is bounded, and
// takes nothing from another; and what waits for nobody goes away.
func testFloods(t *testing.T) {
	clock := newClock()
	r, c := setup(t, source(nil), trap(t), agent("bot"), Options{Now: clock.now})
	ask := func(c *Caller, amount int) error {
		_, err := c.Do(t.Context(), "invoice.pay", []byte(`{"id":"a","amount":`+strconv.Itoa(amount)+`}`))
		return err
	}
	var pending *PendingError
	for range 3 {
		for n := range store.MaxPending {
			if err := ask(c, n+1); !errors.As(err, &pending) {
				t.Fatalf("ask %d: %v", n, err)
			}
		}
	}
	if list, err := r.Pending(t.Context()); err != nil || len(list) != store.MaxPending {
		t.Errorf("%d are pending, %v", len(list), err)
	}
	if err := ask(c, 1000); !errors.Is(err, ReasonBudget) {
		t.Errorf("one more: %v", err)
	}
	if err := ask(caller(t, r, agent("other")), 1000); !errors.As(err, &pending) {
		t.Errorf("of another principal: %v", err)
	}
	if life := pending.Expires.Sub(clock.now()); life != 15*time.Minute {
		t.Errorf("an approval lives for %v when nobody says how long", life)
	}
	clock.advance(15 * time.Minute)
	if list, err := r.Pending(t.Context()); err != nil || len(list) != 0 {
		t.Errorf("%d are pending after their time, %v", len(list), err)
	}
	if err := ask(c, 1000); !errors.As(err, &pending) {
		t.Errorf("after their time: %v", err)
	}
}

package runtime

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/openrpc-go/rpcgen/runtime/compiled"
	"github.com/openrpc-go/rpcgen/runtime/effect"
	"github.com/openrpc-go/rpcgen/runtime/outcome"
	"github.com/openrpc-go/rpcgen/runtime/schema"
	"github.com/openrpc-go/rpcgen/runtime/store"
)

// Two registries that share a store and a configuration are two replicas: what
// one asks the other may send, and a freeze closes both.
func TestReplicas(t *testing.T) {
	clock := newClock()
	shared := store.NewMemory()
	s := serve(t, result(`true`))
	a, askA := setup(t, source(nil), s.binding(), agent("bot"), Options{Store: shared, Now: clock.now})
	b, askB := setup(t, source(nil), s.binding(), agent("bot"), Options{Store: shared, Now: clock.now})
	const input = `{"id":"a","amount":1}`
	approval := approved(t, a, askA, input)
	if err := a.Register("other", load(t, source(nil)), s.binding()); err != nil {
		t.Fatal(err) // another endpoint moves nothing of this one
	}
	if err := a.Replace("other", load(t, source(nil)), s.binding()); err != nil {
		t.Fatal(err)
	}
	if _, err := askB.Do(t.Context(), "invoice.pay", []byte(input), WithApproval(approval.ID)); err != nil {
		t.Errorf("asked on A, sent on B: %v", err)
	}
	if _, err := askA.Do(t.Context(), "invoice.pay", []byte(input), WithApproval(approval.ID)); !errors.Is(err, ReasonApprovalSpent) {
		t.Errorf("sent again on A: %v", err)
	}
	reader := caller(t, b, code("x"))
	s.answer = result(`"pong"`)
	if _, err := reader.Do(t.Context(), "ping", nil); err != nil {
		t.Fatal(err)
	}
	if err := a.Freeze(t.Context(), "billing", "", "incident"); err != nil {
		t.Fatal(err)
	}
	clock.advance(freezeAge)
	if _, err := reader.Do(t.Context(), "ping", nil); !errors.Is(err, ReasonFrozen) {
		t.Errorf("a freeze on A does not close B: %v", err)
	}
	if err := a.Thaw(t.Context(), "billing", ""); err != nil {
		t.Fatal(err)
	}
	clock.advance(freezeAge)
	if _, err := reader.Do(t.Context(), "ping", nil); err != nil {
		t.Errorf("thawed: %v", err)
	}
}

func TestGenerationsAndDigests(t *testing.T) {
	r, _ := setup(t, source(nil), trap(t), code("x"), Options{})
	at := func() (string, uint64) { e := r.current.Load().endpoints["billing"]; return e.authority, e.generation }
	digest, generation := at()
	moves := []struct {
		name string
		edit func(*Binding, **Source)
	}{
		{"url", func(b *Binding, _ **Source) { b.URL = "https://trap.example/v2" }},
		{"header", func(b *Binding, _ **Source) { b.Headers = []Header{{Name: "X-Key", Value: FromEnv("A")}} }},
		{"secret source", func(b *Binding, _ **Source) { b.Headers = []Header{{Name: "X-Key", Value: FromEnv("B")}} }},
		{"rule", func(b *Binding, _ **Source) {
			b.Rules = []Rule{{Name: "r", Version: "1", Decide: func(context.Context, Query) (Verdict, error) { return Verdict{}, nil }}}
		}},
		{"rule version", func(b *Binding, _ **Source) {
			b.Rules = []Rule{{Name: "r", Version: "2", Decide: func(context.Context, Query) (Verdict, error) { return Verdict{}, nil }}}
		}},
		{"clearance", func(b *Binding, _ **Source) { b.Clearance = effect.Public }},
		{"connections", func(b *Binding, _ **Source) { b.Connections = Reuse }},
		{"tolerance", func(b *Binding, _ **Source) { b.Tolerance.NoVersion = true }},
		{"limit", func(b *Binding, _ **Source) { b.Limits.Response = 1 }},
		{"amendment", func(_ *Binding, s **Source) {
			*s = source(func(m map[string]*compiled.Method) { m["ping"].Authority.Code = effect.Ask })
		}},
	}
	seen := map[string]string{digest: "the first"}
	for _, move := range moves {
		b, src := trap(t), source(nil)
		move.edit(&b, &src)
		if err := r.Replace("billing", load(t, src), b); err != nil {
			t.Fatal(err)
		}
		d, g := at()
		if seen[d] != "" {
			t.Errorf("%s has the digest of %s", move.name, seen[d])
		}
		if g == generation {
			t.Errorf("%s does not move the generation", move.name)
		}
		seen[d], generation = move.name, g
	}
	if err := r.Replace("billing", load(t, source(nil)), trap(t)); err != nil {
		t.Fatal(err)
	}
	if d, g := at(); d != digest || g == generation || g == 1 {
		t.Errorf("back again: digest %s, generation %d", d, g)
	}
	if err := r.Unregister("billing"); err != nil {
		t.Fatal(err)
	}
	if err := r.Register("billing", load(t, source(nil)), trap(t)); err != nil {
		t.Fatal(err)
	}
	if _, g := at(); g <= generation+1 {
		t.Errorf("generation %d after a registration that must revive nothing", g)
	}
}

func TestBindingRefuses(t *testing.T) {
	c := load(t, source(nil))
	for name, b := range map[string]Binding{
		"url":         {URL: "http://billing.example.com/"},
		"connections": {Connections: "often"},
		"clearance":   {Clearance: "top"},
		"rule":        {Rules: []Rule{{Name: "r"}}},
		"limit":       {Limits: Limits{Timeout: time.Hour}},
	} {
		if err := NewRegistry(Options{}).Register("billing", c, b); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
	for _, id := range []string{"", "Billing", "9a", "a-b", "a:b", "*"} {
		if err := NewRegistry(Options{}).Register(id, c, Binding{}); err == nil {
			t.Errorf("the id %q is accepted", id)
		}
	}
	if err := NewRegistry(Options{}).Register("billing", nil, Binding{}); err == nil {
		t.Error("no contract is accepted")
	}
	r := NewRegistry(Options{})
	for _, p := range []Principal{{}, {Name: "x"}, {Kind: Code}, {Name: "x", Kind: "human"}, {Name: "x", Kind: Code, Grants: []Grant{{Resource: "*"}}}} {
		if _, err := r.Caller("billing", p); err == nil {
			t.Errorf("the principal %+v is accepted", p)
		}
	}
}

func TestDefaultServer(t *testing.T) {
	s := serve(t, result(`"pong"`))
	b := contractData(nil)
	c, err := compiled.Read(b)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := c.Contract()
	if err != nil {
		t.Fatal(err)
	}
	whole.DefaultURL = s.URL + "/rpc"
	if b, err = compiled.Marshal(whole); err != nil {
		t.Fatal(err)
	}
	_, x := setup(t, Embedded(string(b), compiled.Digest(b)), Binding{Development: true}, code("x"), Options{})
	if _, err := x.Do(t.Context(), "ping", nil); err != nil {
		t.Error(err)
	}
}

// failing is a store that cannot be reached for some of its methods.
type failing struct {
	store.Store
	consume, outcome, freezes bool
}

var errDown = errors.New("SECRET connection string")

func (f *failing) Consume(ctx context.Context, now time.Time, c store.Consumption) error {
	if f.consume {
		return errDown
	}
	return f.Store.Consume(ctx, now, c)
}

func (f *failing) Outcome(ctx context.Context, now time.Time, id string, o outcome.Outcome) error {
	if f.outcome {
		return errDown
	}
	return f.Store.Outcome(ctx, now, id, o)
}

func (f *failing) Freezes(ctx context.Context) ([]store.Freeze, error) {
	if f.freezes {
		return nil, errDown
	}
	return f.Store.Freezes(ctx)
}

// A store that cannot answer closes, and never opens.
func TestStoreFailures(t *testing.T) {
	f := &failing{Store: store.NewMemory()}
	clock := newClock()
	s := serve(t, result(`true`))
	r, c := setup(t, source(nil), s.binding(), code("x"), Options{Store: f, Now: clock.now})
	pay := func() (outcome.Outcome, error) {
		var end outcome.Outcome
		_, err := c.Do(t.Context(), "invoice.pay", []byte(`{"id":"a","amount":1}`), Into(&end))
		return end, err
	}
	f.consume = true
	if _, err := pay(); !errors.Is(err, ReasonStore) || s.requests.Load() != 0 {
		t.Errorf("Consume: %v, %d requests", err, s.requests.Load())
	}
	f.consume, f.outcome = false, true
	if end, err := pay(); err != nil || !end.Unrecorded || end.Status != outcome.OK {
		t.Errorf("Outcome: %+v, %v", end, err)
	}
	if unknown, err := r.Unknown(t.Context()); err != nil || len(unknown) != 1 {
		t.Errorf("an unrecorded end is not unknown: %v, %v", unknown, err)
	}
	f.outcome, f.freezes = false, true
	clock.advance(freezeAge)
	for range 2 {
		if _, err := pay(); !errors.Is(err, ReasonStore) {
			t.Errorf("Freezes: %v", err)
		}
	}
	f.freezes = false
	if _, err := pay(); err != nil {
		t.Errorf("back: %v", err)
	}
}

// After any mixture of calls and replacements no connection is left open.
func TestNothingIsLeftOpen(t *testing.T) {
	var open atomic.Int64
	s := serve(t, func(w http.ResponseWriter, r request) {
		switch r.Params[len(r.Params)-2] {
		case '1':
			result(`true`)(w, r)
		case '2':
			panic(http.ErrAbortHandler)
		case '3':
			<-r.http.Context().Done()
		case '4':
			result(`"`+strings.Repeat("x", 9000)+`"`)(w, r)
		default:
			w.WriteHeader(500)
		}
	})
	b := s.binding()
	b.Limits = Limits{Response: 4096, Timeout: 100 * time.Millisecond}
	b.Dial = func(ctx context.Context, a netip.AddrPort) (net.Conn, error) {
		c, err := new(net.Dialer).DialContext(ctx, "tcp", a.String())
		if err != nil {
			return nil, err
		}
		open.Add(1)
		return &counted{TCPConn: c.(*net.TCPConn), open: &open}, nil
	}
	src := source(func(m map[string]*compiled.Method) {
		m["range"].ResultNode = &schema.Node{ID: "range/result", Types: schema.TypeBoolean}
	})
	r, c := setup(t, src, b, code("x"), Options{})
	var all sync.WaitGroup
	for n := range 8 {
		all.Go(func() {
			for i := range 15 {
				k := int64((n+i)%5 + 1)
				if i%2 == 0 {
					Call[bool](context.Background(), c, src.Method("range"), RangeParams{From: k})
				} else {
					Call[bool](context.Background(), c, src.Method("invoice.pay"), PayParams{ID: "x", Amount: k})
				}
				if i == 7 {
					r.Replace("billing", load(t, src), b)
				}
			}
		})
	}
	all.Wait()
	if err := r.Unregister("billing"); err != nil {
		t.Fatal(err)
	}
	if n := open.Load(); n != 0 {
		t.Errorf("%d connections are open", n)
	}
}

// counted is a connection that says when it is closed. It stays one that can be
// asked whether it is quiet.
type counted struct {
	*net.TCPConn
	open *atomic.Int64
	once sync.Once
}

func (c *counted) Close() error {
	c.once.Do(func() { c.open.Add(-1) })
	return c.TCPConn.Close()
}

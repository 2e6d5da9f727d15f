package runtime

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/openrpc-go/rpcgen/runtime/compiled"
	"github.com/openrpc-go/rpcgen/runtime/effect"
	"github.com/openrpc-go/rpcgen/runtime/outcome"
	"github.com/openrpc-go/rpcgen/runtime/store"
)

// closings are the ways in which a method is not open to anybody.
var closings = []func(m *compiled.Method){
	func(m *compiled.Method) { m.Authority = compiled.Authority{State: compiled.Undecided} },
	func(m *compiled.Method) { m.Authority = compiled.Authority{} },
	func(m *compiled.Method) { m.Authority.State = compiled.Stale },
	func(m *compiled.Method) { m.Authority.State = compiled.Refused },
	func(m *compiled.Method) { m.Authority.State = compiled.Uncompiled },
	func(m *compiled.Method) { m.Authority.State = "OPEN" },
	func(m *compiled.Method) { m.Authority.Effect = "" },
	func(m *compiled.Method) { m.Authority.Right = "all" },
	func(m *compiled.Method) { m.Authority.Code, m.Authority.Agents = effect.Deny, effect.Deny },
	func(m *compiled.Method) { m.Authority.Code, m.Authority.Agents = effect.Ask, effect.Ask },
	func(m *compiled.Method) { m.Authority.Code, m.Authority.Agents = "", "yes" },
	func(m *compiled.Method) { m.Authority.Until = "2026-11-30" },
	func(m *compiled.Method) { m.Authority.Until = "soon" },
	func(m *compiled.Method) { m.Authority.Flow = effect.Flow{} },
	func(m *compiled.Method) { m.Authority.Flow.Sends = effect.Secret },
	func(m *compiled.Method) { m.Authority.ClosedTo = []string{"agent", "code"} },
}

// rules of hosts that open nothing, whatever the amendment says.
var closedRules = []Rule{
	{Name: "deny", Decide: func(context.Context, Query) (Verdict, error) { return Verdict{Decision: effect.Deny}, nil }},
	{Name: "ask", Decide: func(context.Context, Query) (Verdict, error) { return Verdict{Decision: effect.Ask}, nil }},
	{Name: "nothing", Decide: func(context.Context, Query) (Verdict, error) { return Verdict{}, nil }},
	{Name: "fails", Decide: func(context.Context, Query) (Verdict, error) {
		return Verdict{Decision: effect.Allow}, errors.New("no")
	}},
}

// walker makes calls, and whatever else people do, in a world where nothing is
// open. Every place that a call would touch on its way out is a trap.
type walker struct {
	t      *testing.T
	random *rand.Rand
	clock  *clock
	store  store.Store
	r      *Registry
	source *Source
	open   bool // by the amendment; the rules close it
	ids    []string
}

// closedWorld is one in which no sequence of operations may send anything.
func closedWorld(t *testing.T, seed uint64) *walker {
	w := &walker{t: t, random: rand.New(rand.NewPCG(seed, 1)), clock: newClock(), store: store.NewMemory(), ids: []string{"", "x"}}
	w.open = w.random.IntN(4) == 0
	w.source = source(func(all map[string]*compiled.Method) {
		for _, name := range slices.Sorted(maps.Keys(all)) {
			if !w.open {
				closings[w.random.IntN(len(closings))](all[name])
			}
		}
	})
	w.start()
	return w
}

// start is a process that begins, with the store of those before it.
func (w *walker) start() {
	if w.r != nil {
		w.r.Close()
	}
	w.r = NewRegistry(Options{Now: w.clock.now, Store: w.store, ApprovalLife: time.Minute})
	w.t.Cleanup(w.r.Close)
	if err := w.r.Register("billing", load(w.t, w.source), w.binding()); err != nil {
		w.t.Fatal(err)
	}
}

func (w *walker) binding() Binding {
	b := trap(w.t)
	b.Headers = []Header{{Name: "X-Key", Value: FromFunc("f", func(context.Context) (string, error) { w.t.Error("a secret was read"); return "v", nil })}}
	b.SignName, b.Sign = "s", func(context.Context, Outgoing) ([]Field, error) {
		w.t.Error("a signature was made")
		return nil, nil
	}
	if w.open {
		b.Rules = []Rule{closedRules[w.random.IntN(len(closedRules))]}
	}
	return b
}

// step does one thing, and returns the error of a call.
func (w *walker) step() error {
	ctx := w.t.Context()
	c := caller(w.t, w.r, Principal{Name: fmt.Sprint(w.random.IntN(2)), Kind: []Kind{Agent, Code}[w.random.IntN(2)], Grants: Full("billing")[w.random.IntN(4):]})
	var opts []CallOption
	if w.random.IntN(2) == 0 {
		opts = append(opts, WithApproval(w.ids[w.random.IntN(len(w.ids))]))
	}
	if w.random.IntN(4) == 0 {
		opts = append(opts, Retry(w.random.IntN(3)))
	}
	var err error
	switch w.random.IntN(16) {
	case 0, 1:
		_, err = c.Do(ctx, "invoice.pay", []byte(onePay), opts...)
	case 2:
		_, err = c.Do(ctx, "ping", nil, opts...)
	case 3:
		_, err = c.Do(ctx, "range", []byte(`{"from":1}`), opts...)
	case 4:
		_, err = Call[Invoice](ctx, c, w.source.Method("invoice.get"), GetParams{ID: "a"}, opts...)
	case 5:
		err = Notify(ctx, c, w.source.Method("note"), struct {
			Text string `json:"text"`
		}{"x"}, opts...)
	case 6:
		_, err = c.Do(ctx, "note", []byte(`{"text":"x"}`), opts...)
	case 7:
		w.decide(false, "alice", true)
	case 8:
		w.decide(true, fmt.Sprint(w.random.IntN(2)), w.random.IntN(2) == 0) // the callers themselves, or another view
	case 9:
		w.decide(true, "alice", false) // about another view
	case 10:
		w.decide(true, "alice", true) // and then what was approved is not there any more
		w.void()
	case 11:
		w.r.Freeze(ctx, "billing", []string{"", "ping"}[w.random.IntN(2)], "x")
	case 12:
		w.r.Thaw(ctx, "billing", []string{"", "ping"}[w.random.IntN(2)])
	case 13:
		w.clock.advance(time.Duration(w.random.IntN(120)-30) * time.Second)
	case 14:
		w.start()
	default:
		c.Methods()
		c.Inspect()
		c.Explain(ctx, "invoice.pay", []byte(onePay))
	}
	return err
}

// decide answers one approval that waits. Nobody may decide about their own.
func (w *walker) decide(approve bool, by string, sameView bool) {
	pending, _ := w.r.Pending(w.t.Context())
	for _, a := range pending {
		if approve && by != "alice" && by != a.Tuple.Principal {
			continue // that would be a person's yes
		}
		d := Decision{ID: a.ID, By: by, Approve: approve, ViewDigest: a.ViewDigest}
		if !sameView {
			d.ViewDigest = "sha256:another"
		}
		w.r.Decide(w.t.Context(), d)
	}
}

// void ends what every approval was for.
func (w *walker) void() {
	ctx := w.t.Context()
	switch w.random.IntN(4) {
	case 0:
		w.r.Replace("billing", load(w.t, w.source), w.binding())
	case 1:
		w.r.Unregister("billing")
		w.r.Register("billing", load(w.t, w.source), w.binding())
	case 2:
		w.store.NewEpoch(ctx, w.clock.now())
	default:
		w.clock.advance(2 * time.Minute)
	}
}

// From any state in which nothing is allowed no sequence of operations looks up
// a name, opens a socket, reads a secret or makes a signature.
func TestNothingIsSentFromClosedStates(t *testing.T) {
	const sequences, length = 400, 30
	asked := 0
	for seed := range uint64(sequences) {
		w := closedWorld(t, seed)
		for range length {
			err := w.step()
			var pending *PendingError
			var refused *RefusedError
			if errors.As(err, &pending) {
				w.ids = append(w.ids, pending.ID)
				asked++
			} else if err != nil && !errors.As(err, &refused) {
				t.Fatalf("seed %d: %T %v", seed, err, err)
			}
			if err != nil && Delivery(err) != outcome.NotStarted {
				t.Fatalf("seed %d: delivery %s of %v", seed, Delivery(err), err)
			}
			if t.Failed() {
				t.Fatalf("seed %d", seed)
			}
		}
		if unknown, err := w.store.Unknown(t.Context()); err != nil || len(unknown) != 0 {
			t.Fatalf("seed %d: the store holds intents: %v, %v", seed, unknown, err)
		}
	}
	if asked < 100 {
		t.Errorf("only %d calls waited for a person: the walk is too narrow", asked)
	}
}

package runtime

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"testing"

	"github.com/openrpc-go/rpcgen/runtime/compiled"
	"github.com/openrpc-go/rpcgen/runtime/effect"
	"github.com/openrpc-go/rpcgen/runtime/outcome"
	"github.com/openrpc-go/rpcgen/runtime/store"
)

// world is two registries that share a store, and what must be true of them.
type world struct {
	t         *testing.T
	random    *rand.Rand
	clock     *clock
	store     *store.Memory
	server    *server
	registry  [2]*Registry
	held      [2]map[string]held // by endpoint, what a registry has
	shared    map[string]held    // by endpoint, what the store has
	frozen    map[string]bool
	asked     []binding
	meanwhile func() // runs once, in the middle of a call
	early     bool   // before the second look
	lastSent  string // path and header of the last request
	intent    outcome.Intent
	authority map[string]int // digest to variant, as observers are told
}

// held is an endpoint's configuration and the number of its authority.
type held struct {
	variant, number int
}

// binding is an approval and what it is bound to.
type binding struct {
	id, endpoint string
	held         held
	spent        bool
}

var endpointNames = []string{"billing", "other"}

const variants = 3

func newWorld(t *testing.T, s *server, seed uint64) *world {
	w := &world{
		t: t, random: rand.New(rand.NewPCG(seed, 7)), clock: newClock(), store: store.NewMemory(), server: s,
		shared: map[string]held{}, frozen: map[string]bool{}, authority: map[string]int{},
	}
	for i := range w.registry {
		w.registry[i] = NewRegistry(Options{Store: w.store, Now: w.clock.now, Observers: []Observer{w}})
		w.held[i] = map[string]held{}
		for _, endpoint := range endpointNames {
			w.put(i, endpoint, 0, false)
		}
	}
	return w
}

// binding of a variant: another URL, header and rule each, all of which tell
// which one it is.
func (w *world) binding(variant int) Binding {
	name := fmt.Sprint(variant)
	b := w.server.binding()
	b.URL = w.server.URL + "/" + name
	b.Headers = []Header{{Name: "X-Variant", Value: FromFunc(name, func(context.Context) (string, error) { w.interrupt(1); return name, nil })}}
	b.Rules = []Rule{{Name: "r", Version: name, Decide: func(context.Context, Query) (Verdict, error) {
		w.interrupt(2)
		return Verdict{Decision: effect.Allow}, nil
	}}}
	return b
}

// put registers or replaces, and keeps what that means.
func (w *world) put(i int, endpoint string, variant int, replace bool) {
	put := w.registry[i].Register
	if replace {
		put = w.registry[i].Replace
	}
	if err := put(endpoint, load(w.t, source(nil)), w.binding(variant)); err != nil {
		w.t.Fatal(err)
	}
	s := w.shared[endpoint]
	if s.number == 0 || s.variant != variant || replace {
		s = held{variant, s.number + 1}
	}
	w.shared[endpoint], w.held[i][endpoint] = s, s
}

func (w *world) drop(i int, endpoint string) {
	if err := w.registry[i].Unregister(endpoint); err != nil {
		w.t.Fatal(err)
	}
	delete(w.held[i], endpoint)
	w.shared[endpoint] = held{-1, w.shared[endpoint].number + 1}
}

// change changes something.
func (w *world) change() {
	i, endpoint := w.random.IntN(2), endpointNames[w.random.IntN(2)]
	_, registered := w.held[i][endpoint]
	switch w.random.IntN(5) {
	case 0, 1:
		w.put(i, endpoint, w.random.IntN(variants), registered)
	case 2:
		if registered {
			w.drop(i, endpoint)
		}
	case 3: // another process, or this one after a restart
		w.registry[i] = NewRegistry(Options{Store: w.store, Now: w.clock.now, Observers: []Observer{w}})
		before := w.held[i]
		w.held[i] = map[string]held{}
		for _, endpoint := range endpointNames {
			if h, ok := before[endpoint]; ok {
				w.put(i, endpoint, h.variant, false)
			}
		}
	default:
		w.freeze(i, endpoint)
	}
}

func (w *world) freeze(i int, endpoint string) {
	do := func() error { return w.registry[i].Freeze(w.t.Context(), endpoint, "", "incident") }
	if w.frozen[endpoint] {
		do = func() error { return w.registry[i].Thaw(w.t.Context(), endpoint, "") }
	}
	if err := do(); err != nil {
		w.t.Fatal(err)
	}
	w.frozen[endpoint] = !w.frozen[endpoint]
	w.see(i)
}

// see lets a registry learn what the others did.
func (w *world) see(i int) {
	for endpoint, h := range w.held[i] {
		if s := w.shared[endpoint]; s.variant == h.variant {
			w.held[i][endpoint] = s
		}
	}
}

// interrupt runs what happens meanwhile, at one of the places where it may.
func (w *world) interrupt(place int) {
	if f := w.meanwhile; f != nil && (!w.early || place == 1) && w.random.IntN(3) < place {
		w.meanwhile = nil
		f()
	}
}

// Intent is the last place before the store decides.
func (w *world) Intent(_ context.Context, i outcome.Intent) error {
	w.interrupt(3)
	w.intent = i
	return nil
}

func (w *world) Outcome(context.Context, outcome.Intent, outcome.Outcome) error { return nil }

// ask asks for an approval, and approves it.
func (w *world) ask() {
	i, endpoint := w.random.IntN(2), endpointNames[w.random.IntN(2)]
	if w.frozen[endpoint] {
		return
	}
	w.clock.advance(freezeAge)
	w.see(i)
	h, registered := w.held[i][endpoint]
	_, err := w.caller(i, endpoint).Do(w.t.Context(), "invoice.pay", w.params())
	var pending *PendingError
	if got := errors.As(err, &pending); got != (registered && h == w.shared[endpoint]) {
		w.t.Fatalf("asked on %d for %s: %v; it has %+v of %+v", i, endpoint, err, h, w.shared[endpoint])
	} else if !got {
		return
	}
	if _, err := w.store.Decide(w.t.Context(), w.clock.now(), store.Decision{ID: pending.ID, By: "alice", Approve: true, ViewDigest: pending.ViewDigest}); err != nil && !errors.Is(err, store.ErrDecided) {
		w.t.Fatal(err)
	}
	if !slices.ContainsFunc(w.asked, func(b binding) bool { return b.id == pending.ID }) {
		w.asked = append(w.asked, binding{pending.ID, endpoint, h, false})
	}
}

func (w *world) params() []byte { return []byte(`{"id":"a","amount":1}`) }

func (w *world) caller(i int, endpoint string) *Caller {
	c, err := w.registry[i].Caller(endpoint, Principal{Name: "bot", Kind: Agent, Grants: Full(endpoint)})
	if err != nil {
		w.t.Fatal(err)
	}
	return c
}

// pay spends an approval, while other things may happen.
func (w *world) pay() {
	if len(w.asked) == 0 {
		return
	}
	i, a := w.random.IntN(2), &w.asked[w.random.IntN(len(w.asked))]
	w.clock.advance(freezeAge)
	w.see(i)
	before, registry := w.held[i][a.endpoint], w.registry[i]
	if w.random.IntN(2) == 0 {
		w.meanwhile = w.change
	}
	sent := w.server.requests.Load()
	_, err := w.caller(i, a.endpoint).Do(w.t.Context(), "invoice.pay", w.params(), WithApproval(a.id))
	w.meanwhile = nil
	// What was taken in is still what there is, and what was approved.
	after := w.held[i][a.endpoint]
	if w.registry[i] != registry {
		after = before // the call goes on in the registry where it began
	}
	good := !a.spent && !w.frozen[a.endpoint] && before == a.held && after == a.held && w.shared[a.endpoint] == a.held
	if good != (err == nil) || w.server.requests.Load()-sent != map[bool]int64{true: 1}[good] {
		w.t.Fatalf("%s by %d: %v after %d requests; the approval %+v, held before %+v, after %+v, shared %+v, frozen %v",
			a.endpoint, i, err, w.server.requests.Load()-sent, *a, before, after, w.shared[a.endpoint], w.frozen)
	}
	if !good {
		w.refusedRightly(err)
		return
	}
	a.spent = true
	w.sentAs(a.held)
}

// call makes a call that nobody is asked about, while other things may happen.
func (w *world) call() {
	i, endpoint := w.random.IntN(2), endpointNames[w.random.IntN(2)]
	w.clock.advance(freezeAge)
	w.see(i)
	before, registry := w.held[i][endpoint], w.registry[i]
	if w.random.IntN(2) == 0 {
		w.meanwhile, w.early = w.change, true // what comes after the second look comes after the call
	}
	c, err := registry.Caller(endpoint, Principal{Name: "x", Kind: Code, Grants: Full(endpoint)})
	if err != nil {
		w.t.Fatal(err)
	}
	sent := w.server.requests.Load()
	_, err = c.Do(w.t.Context(), "invoice.pay", w.params())
	w.meanwhile = nil
	after := w.held[i][endpoint]
	if w.registry[i] != registry {
		after = before
	}
	w.early = false
	good := before.number > 0 && before == after && !w.frozen[endpoint]
	if good != (err == nil) || w.server.requests.Load()-sent != map[bool]int64{true: 1}[good] {
		w.t.Fatalf("%s by %d: %v after %d requests; held before %+v, after %+v", endpoint, i, err, w.server.requests.Load()-sent, before, after)
	}
	if good {
		w.sentAs(before)
	} else {
		w.refusedRightly(err)
	}
}

// sentAs wants all of what was sent and told to be of one configuration.
func (w *world) sentAs(h held) {
	if want := fmt.Sprintf("/%d %d", h.variant, h.variant); w.lastSent != want {
		w.t.Fatalf("sent as %q, want %q", w.lastSent, want)
	}
	if known, ok := w.authority[w.intent.Authority]; ok && known != h.variant || w.intent.Generation != uint64(h.number) {
		w.t.Fatalf("observers are told of %+v for %+v", w.intent, h)
	}
	w.authority[w.intent.Authority] = h.variant
}

func (w *world) refusedRightly(err error) {
	for _, reason := range []Reason{ReasonMoved, ReasonUnknown, ReasonFrozen, ReasonApproval, ReasonApprovalSpent} {
		if errors.Is(err, reason) {
			return
		}
	}
	w.t.Fatalf("refused with %v", err)
}

// TestGenerations interleaves registrations, replacements, restarts, freezes,
// questions and calls of two registries at random, also in the middle of a
// call: an approval is good exactly while nothing moved the endpoint it was
// given for, whatever moves others, and what is sent is of one configuration.
func TestGenerations(t *testing.T) {
	var w *world
	s := serve(t, func(rw http.ResponseWriter, r request) {
		w.lastSent = r.http.URL.Path + " " + r.http.Header.Get("X-Variant")
		result(`true`)(rw, r)
	})
	const sequences, length = 150, 60
	spent := 0
	for seed := range uint64(sequences) {
		w = newWorld(t, s, seed)
		for range length {
			switch w.random.IntN(8) {
			case 0:
				w.change()
			case 1, 2:
				w.ask()
			case 3, 4:
				w.call()
			default:
				w.pay()
			}
		}
		for _, a := range w.asked {
			if a.spent {
				spent++
			}
		}
		for _, r := range w.registry {
			r.Close()
		}
	}
	if spent < sequences {
		t.Errorf("only %d approvals were spent", spent)
	}
}

// The number moves when the digest changes, also back again, and when the same
// is put again; other endpoints keep theirs.
func TestNumbersMove(t *testing.T) {
	shared := store.NewMemory()
	r := NewRegistry(Options{Store: shared})
	number := func(id string) uint64 { return r.current.Load().endpoints[id].generation }
	closed := source(func(m map[string]*compiled.Method) { m["ping"].Authority.Code = effect.Deny })
	for _, id := range []string{"billing", "other"} {
		if err := r.Register(id, load(t, source(nil)), trap(t)); err != nil {
			t.Fatal(err)
		}
	}
	other, seen := number("other"), map[uint64]string{number("billing"): "the first"}
	for _, step := range []struct {
		name string
		src  *Source
	}{{"the same again", source(nil)}, {"another", closed}, {"back again", source(nil)}} {
		if err := r.Replace("billing", load(t, step.src), trap(t)); err != nil {
			t.Fatal(err)
		}
		if n := number("billing"); seen[n] != "" {
			t.Errorf("%s has the number of %s", step.name, seen[n])
		}
		seen[number("billing")] = step.name
	}
	now := number("billing")
	again := NewRegistry(Options{Store: shared})
	if err := again.Register("billing", load(t, source(nil)), trap(t)); err != nil || again.current.Load().endpoints["billing"].generation != now {
		t.Errorf("a restart with the same moves the number: %v", err)
	}
	if number("other") != other {
		t.Error("one endpoint moves another")
	}
}

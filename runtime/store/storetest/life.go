package storetest

import (
	"time"

	"github.com/openrpc-go/rpcgen/runtime/store"
)

// P3: a replaced endpoint voids what was approved for it, wherever it was replaced.
func moved(f *fixture) {
	a := f.request(tuple())
	f.decide(a.ID, true)
	f.register("other")
	f.want(f.store.Check(f.Context(), f.now, store.Consumption{RequestID: "r", ApprovalID: a.ID, Tuple: tuple()}), nil, "another endpoint moved")
	if _, err := f.store.Generation(f.Context(), f.now, tuple().Endpoint, tuple().Authority, true); err != nil {
		f.Fatal(err)
	}
	f.want(f.consume("r", a.ID, tuple()), store.ErrMoved, "Consume")
	_, err := f.store.Request(f.Context(), f.now, f.question(tuple()))
	f.want(err, store.ErrMoved, "Request with an old generation")
	f.want(f.consume("r", "", tuple()), nil, "what needs no approval")
	next := tuple()
	next.Generation++
	if b := f.request(next); b.ID == a.ID {
		f.Error("an approval of another generation")
	}
}

// P8: time never goes back: what has expired stays so.
func clock(f *fixture) {
	a := f.request(tuple())
	f.decide(a.ID, true)
	start := f.now
	f.now = f.now.Add(time.Minute)
	f.want(f.consume("r1", a.ID, tuple()), store.ErrExpired, "at its expiry")
	other := tuple()
	other.Params = "sha256:other"
	f.request(other) // writes, and with it the time
	f.now = start
	f.want(f.consume("r2", a.ID, tuple()), store.ErrExpired, "after the clock went back")
	third := tuple()
	third.Params = "sha256:third"
	b := f.request(third)
	if life := b.Expires.Sub(b.Requested); life != time.Minute {
		f.Errorf("asked after the clock went back: it lives for %s", life)
	}
	f.decide(b.ID, true)
	f.want(f.consume("r3", b.ID, third), nil, "asked after the clock went back")
	f.now = start.Add(-store.MaxRollback)
	f.want(f.consume("r4", "", tuple()), store.ErrClock, "far back")
	_, err := f.store.Request(f.Context(), f.now, f.question(tuple()))
	f.want(err, store.ErrClock, "far back")
}

// A new life of the store revives nothing and begins time anew.
func newEpoch(f *fixture) {
	a, b := f.request(tuple()), f.question(tuple())
	f.decide(a.ID, true)
	b.Tuple.Params = "sha256:pending"
	pending := f.request(b.Tuple)
	before, _ := f.store.Epoch(f.Context())
	f.now = f.now.Add(-time.Hour)
	after, err := f.store.NewEpoch(f.Context(), f.now)
	if err != nil || after == before || after == "" {
		f.Fatalf("NewEpoch = %q, %v, was %q", after, err, before)
	}
	if again, err := f.store.Epoch(f.Context()); err != nil || again != after {
		f.Errorf("Epoch = %q, %v", again, err)
	}
	f.want(f.consume("r1", a.ID, tuple()), store.ErrEpoch, "an approval of another life")
	_, err = f.store.Decide(f.Context(), f.now, store.Decision{ID: pending.ID, By: "alice", Approve: true, ViewDigest: "sha256:v"})
	f.want(err, store.ErrEpoch, "a request of another life")
	if list := f.pending(); len(list) != 0 {
		f.Errorf("pending: %+v", list)
	}
	if c := f.request(tuple()); c.ID == a.ID || c.Epoch != after {
		f.Errorf("asked again: %+v", c)
	}
}

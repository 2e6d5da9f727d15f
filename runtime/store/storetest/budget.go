package storetest

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/openrpc-go/rpcgen/runtime/outcome"
	"github.com/openrpc-go/rpcgen/runtime/store"
)

func charge(key string, limit, use store.Use) store.Charge {
	return store.Charge{Key: key, Name: "of " + key, Window: time.Hour, Limit: limit, Use: use}
}

func (f *fixture) spend(id string, charges ...store.Charge) error {
	return f.store.Consume(f.Context(), f.now, store.Consumption{RequestID: id, Tuple: tuple(), Charges: charges})
}

func (f *fixture) end(id string, o outcome.Outcome) {
	f.Helper()
	f.want(f.store.Outcome(f.Context(), f.now, id, o), nil, "Outcome of "+id)
}

// A call counts for the whole window and at most one slot longer.
func budgetOfCalls(f *fixture) {
	two := charge("k", store.Use{Calls: 2}, store.Use{Calls: 1})
	f.want(f.spend("r1", two), nil, "first")
	f.now = f.now.Add(30 * time.Minute)
	f.want(f.spend("r2", two), nil, "second")
	f.want(f.spend("r3", two), store.ErrBudget, "third")
	f.want(f.store.Check(f.Context(), f.now, store.Consumption{RequestID: "r3", Tuple: tuple(), Charges: []store.Charge{two}}), store.ErrBudget, "Check")
	var spent *store.BudgetError
	if err := f.spend("r3", two); !errors.As(err, &spent) || spent.Name != "of k" || spent.Window != time.Hour {
		f.Errorf("got %v, want the name and window of the budget", err)
	}
	f.want(f.spend("r4", charge("other", store.Use{Calls: 2}, store.Use{Calls: 1})), nil, "another budget")
	f.now = f.now.Add(30 * time.Minute)
	f.want(f.spend("r5", two), store.ErrBudget, "when the first is exactly as old as the window")
	f.now = f.now.Add(time.Hour / store.Slots)
	f.want(f.spend("r6", two), nil, "when the first is over")
	f.want(f.spend("r7", two), store.ErrBudget, "and one more")
}

// Every unit has its own bound, and 0 bounds nothing.
func budgetOfEverything(f *fixture) {
	one := store.Use{Calls: 1, Sent: 10, Received: 100, Time: 1000}
	for i, limit := range []store.Use{{Calls: 1}, {Sent: 19}, {Received: 199}, {Time: 1999}} {
		c := charge(fmt.Sprint("k", i), limit, one)
		f.want(f.spend(fmt.Sprint("a", i), c), nil, "within the bound")
		f.want(f.spend(fmt.Sprint("b", i), c), store.ErrBudget, fmt.Sprintf("over %+v", limit))
	}
	for i, limit := range []store.Use{{Calls: 2}, {Sent: 20}, {Received: 200}, {Time: 2000}, {}} {
		c := charge(fmt.Sprint("l", i), limit, one)
		f.want(f.spend(fmt.Sprint("c", i), c), nil, "within the bound")
		f.want(f.spend(fmt.Sprint("d", i), c), nil, fmt.Sprintf("exactly at %+v", limit))
	}
	bad := charge("m", store.Use{Calls: 1}, store.Use{Calls: -1})
	if f.spend("e", bad) == nil {
		f.Error("a use below zero is taken")
	}
	bad = charge("", store.Use{Calls: 1}, one)
	if f.spend("e", bad) == nil {
		f.Error("a budget without a key is taken")
	}
}

// What a call did not take comes back, but only what is known.
func budgetSettles(f *fixture) {
	limit := store.Use{Calls: 10, Sent: 1000, Received: 1000, Time: 1000}
	reserved := store.Use{Calls: 1, Sent: 100, Received: 600, Time: 600}
	ok := outcome.Outcome{Status: outcome.OK, Delivery: outcome.Completed, Sent: 90, Received: 300, Duration: 200 * time.Microsecond}
	lost := outcome.Outcome{Status: outcome.TransportError, Delivery: outcome.Unknown, Sent: 90, Duration: 200 * time.Microsecond}
	none := outcome.Outcome{Status: outcome.TransportError, Delivery: outcome.NotStarted}
	for i, row := range []struct {
		name string
		end  *outcome.Outcome
		left store.Use
	}{
		{"known", &ok, store.Use{Calls: 9, Sent: 910, Received: 700, Time: 800}},
		{"size unknown", &lost, store.Use{Calls: 9, Sent: 910, Received: 400, Time: 800}},
		{"not started", &none, limit},
		{"no outcome", nil, limit.Minus(reserved)},
	} {
		key, id := fmt.Sprint("k", i), fmt.Sprint("r", i)
		f.want(f.spend(id, charge(key, limit, reserved)), nil, row.name)
		if row.end != nil {
			f.end(id, *row.end)
		}
		rest := charge(key, limit, row.left)
		over := rest
		for n := range 4 {
			over.Use = row.left
			*[]*int64{&over.Use.Calls, &over.Use.Sent, &over.Use.Received, &over.Use.Time}[n]++
			f.want(f.store.Check(f.Context(), f.now, store.Consumption{RequestID: "x", Tuple: tuple(), Charges: []store.Charge{over}}), store.ErrBudget, row.name+": one more than is left")
		}
		f.want(f.spend(id+"/rest", rest), nil, row.name+": all that is left")
	}
}

// Of 400 racing attempts exactly as many win as the budget has calls.
func budgetIsExact(f *fixture) {
	const racers, attempts, calls = 8, 50, 100
	hundred := charge("k", store.Use{Calls: calls}, store.Use{Calls: 1})
	second := charge("j", store.Use{Calls: 1000}, store.Use{Calls: 1})
	var won atomic.Int64
	var all sync.WaitGroup
	for racer := range racers {
		all.Go(func() {
			for i := range attempts {
				charges := []store.Charge{hundred, second}
				if racer%2 == 0 { // the order must not matter
					charges = []store.Charge{second, hundred}
				}
				switch err := f.spend(fmt.Sprint(racer, "/", i), charges...); {
				case err == nil:
					won.Add(1)
				case !errors.Is(err, store.ErrBudget):
					f.Errorf("a loser is told %v", err)
				}
			}
		})
	}
	all.Wait()
	if won.Load() != calls {
		f.Errorf("%d winners for a budget of %d calls", won.Load(), calls)
	}
	f.want(f.spend("rest", charge("j", store.Use{Calls: 1000}, store.Use{Calls: 1000 - calls})), nil, "losers took nothing of the other budget")
}

// Used says what counts now, and takes nothing.
func budgetUsed(f *fixture) {
	limit, use := store.Use{Calls: 5, Sent: 50}, store.Use{Calls: 1, Sent: 10, Received: 100, Time: 1000}
	k, l := charge("k", limit, use), charge("l", limit, use)
	want := func(what string, used ...store.Use) {
		f.Helper()
		got, err := f.store.Used(f.Context(), f.now, []store.Charge{k, l})
		if err != nil || !slices.Equal(got, used) {
			f.Errorf("%s: Used = %+v, %v, want %+v", what, got, err, used)
		}
	}
	want("at first", store.Use{}, store.Use{})
	f.want(f.spend("r1", k), nil, "one call")
	f.want(f.spend("r2", k, l), nil, "another")
	twice := store.Use{Calls: 2, Sent: 20, Received: 200, Time: 2000}
	for range 3 {
		want("reserved", twice, use)
	}
	f.end("r2", outcome.Outcome{Status: outcome.TransportError, Delivery: outcome.NotStarted})
	want("one of them did not start", use, store.Use{})
	f.now = f.now.Add(time.Hour + time.Hour/store.Slots)
	want("over", store.Use{}, store.Use{})
	f.want(f.spend("r3", k), nil, "later")
	k.Key = ""
	if _, err := f.store.Used(f.Context(), f.now, []store.Charge{k}); err == nil {
		f.Error("a charge that makes no sense has a use")
	}
	f.now = f.now.Add(-time.Hour)
	_, err := f.store.Used(f.Context(), f.now, []store.Charge{l})
	f.want(err, store.ErrClock, "far back")
}

// Approval and budget are spent together or not at all.
func budgetAndApproval(f *fixture) {
	a := f.request(tuple())
	f.decide(a.ID, true)
	one := charge("k", store.Use{Calls: 1}, store.Use{Calls: 1})
	f.want(f.spend("r0", one), nil, "the budget is gone")
	c := store.Consumption{RequestID: "r1", ApprovalID: a.ID, Tuple: tuple(), Charges: []store.Charge{one}}
	f.want(f.store.Consume(f.Context(), f.now, c), store.ErrBudget, "without budget")
	f.end("r0", outcome.Outcome{Status: outcome.TransportError, Delivery: outcome.NotStarted})
	f.want(f.store.Consume(f.Context(), f.now, c), nil, "the approval was not spent")
	b := f.request(tuple())
	f.decide(b.ID, true)
	free := charge("l", store.Use{Calls: 1}, store.Use{Calls: 1})
	c = store.Consumption{RequestID: "r2", ApprovalID: a.ID, Tuple: tuple(), Charges: []store.Charge{free}}
	f.want(f.store.Consume(f.Context(), f.now, c), store.ErrConsumed, "spent")
	c.ApprovalID = b.ID
	f.want(f.store.Consume(f.Context(), f.now, c), nil, "the budget was not spent")
}

// Nobody has to look after a read whose end is not known.
func reads(f *fixture) {
	c := store.Consumption{RequestID: "r1", Tuple: tuple(), Read: true}
	f.want(f.store.Consume(f.Context(), f.now, c), nil, "Consume")
	if list, err := f.store.Unknown(f.Context()); err != nil || len(list) != 0 {
		f.Errorf("unknown: %+v, %v", list, err)
	}
	f.end("r1", outcome.Outcome{Status: outcome.TransportError, Delivery: outcome.Unknown})
	if list, err := f.store.Unknown(f.Context()); err != nil || len(list) != 0 {
		f.Errorf("unknown: %+v, %v", list, err)
	}
}

package storetest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/openrpc-go/rpcgen/runtime/outcome"
	"github.com/openrpc-go/rpcgen/runtime/store"
)

// spender is what is really spent under one budget.
type spender struct {
	key   string
	limit store.Use
	calls map[string]spent
}

type spent struct {
	at  time.Time
	use store.Use // reserved, or what it took when it ended
}

// within sums what was begun in a span of time that ends now.
func (s *spender) within(now time.Time, span time.Duration) (sum store.Use) {
	for _, c := range s.calls {
		if c.at.After(now.Add(-span)) {
			sum = plus(sum, c.use)
		}
	}
	return sum
}

// over reports whether a use is beyond a limit, of which 0 bounds nothing.
func over(limit, use store.Use) bool {
	beyond := func(limit, use int64) bool { return limit > 0 && use > limit }
	return beyond(limit.Calls, use.Calls) || beyond(limit.Sent, use.Sent) || beyond(limit.Received, use.Received) || beyond(limit.Time, use.Time)
}

func plus(a, b store.Use) store.Use { return a.Minus(store.Use{}.Minus(b)) }

// someUse is what a call may take, someEnd how it may end.
func someUse(random *rand.Rand, most int64) store.Use {
	return store.Use{Calls: 1, Sent: random.Int64N(most), Received: random.Int64N(most), Time: random.Int64N(most)}
}

func someEnd(random *rand.Rand, reserved store.Use) outcome.Outcome {
	part := func(n int64) int64 { return random.Int64N(2*n + 1) } // servers and clocks may exceed what was reserved
	o := outcome.Outcome{
		Status: outcome.OK, Delivery: outcome.Completed, Sent: part(reserved.Sent), Received: part(reserved.Received),
		Duration: time.Duration(part(reserved.Time)) * time.Microsecond,
	}
	switch random.IntN(4) {
	case 0:
		o.Status, o.Delivery = outcome.TransportError, outcome.NotStarted
	case 1:
		o.Status, o.Delivery = outcome.TransportError, outcome.Unknown
	}
	return o
}

// budgetNeverOverspends interleaves reservations, ends, resolutions and time at
// random. After each of them no window of a budget holds more than its limit,
// and nothing was refused for which there was room.
func budgetNeverOverspends(f *fixture) {
	const steps, window = 250, time.Hour
	for seed := range uint64(2) {
		random := rand.New(rand.NewPCG(seed, 11))
		var budgets []*spender
		for i := range 3 {
			limit := store.Use{Calls: 8 + random.Int64N(8), Sent: random.Int64N(2) * 300, Received: random.Int64N(2) * 300, Time: random.Int64N(2) * 300}
			budgets = append(budgets, &spender{fmt.Sprint(seed, "/", i), limit, map[string]spent{}})
		}
		var open []string
		for step := range steps {
			switch random.IntN(8) {
			case 0:
				f.now = f.now.Add(time.Duration(random.Int64N(int64(window / 4))))
			case 1, 2, 3:
				if len(open) > 0 {
					i := random.IntN(len(open))
					f.endSpent(random, budgets, open[i])
					open = append(open[:i], open[i+1:]...)
				}
			default:
				id := fmt.Sprint(seed, "/", step)
				if f.beginSpent(random, budgets, id, window) {
					open = append(open, id)
				}
			}
			for _, b := range budgets {
				if sum := b.within(f.now, window); over(b.limit, sum) {
					f.Fatalf("seed %d, step %d: %+v is spent of %+v", seed, step, sum, b.limit)
				}
			}
		}
		f.now = f.now.Add(2 * window)
	}
}

// beginSpent reserves under some of the budgets.
func (f *fixture) beginSpent(random *rand.Rand, budgets []*spender, id string, window time.Duration) bool {
	f.Helper()
	var charges []store.Charge
	room := true
	var under []*spender
	for _, b := range budgets {
		if random.IntN(3) == 0 {
			continue
		}
		c := charge(b.key, b.limit, someUse(random, 120))
		charges, under = append(charges, c), append(under, b)
		room = room && !over(b.limit, plus(b.within(f.now, window+2*window/store.Slots), c.Use))
	}
	err := f.spend(id, charges...)
	if err != nil && !errors.Is(err, store.ErrBudget) {
		f.Fatal(err)
	}
	if err != nil && room {
		f.Fatalf("%s is refused, and there is room: %v", id, err)
	}
	for i, b := range under {
		if err == nil {
			b.calls[id] = spent{at: f.now, use: charges[i].Use}
		}
	}
	return err == nil
}

// endSpent ends a call, or has somebody look after it.
func (f *fixture) endSpent(random *rand.Rand, budgets []*spender, id string) {
	f.Helper()
	if random.IntN(6) == 0 {
		f.want(f.store.Resolve(f.Context(), f.now, id, "alice", "looked"), nil, "Resolve") // gives nothing back
		return
	}
	o := someEnd(random, store.Use{Sent: 60, Received: 60, Time: 60})
	f.end(id, o)
	for _, b := range budgets {
		if c, ok := b.calls[id]; ok {
			b.calls[id] = spent{c.at, store.Settle(c.use, o)}
		}
	}
}

// budgetNeverOverspendsTogether has many spend under one budget at once. What
// is really spent is counted before the store hears of an end, and after it let
// a call begin: at no moment is it more than the limit.
func budgetNeverOverspendsTogether(f *fixture) {
	const racers, each = 8, 25
	limit := store.Use{Calls: 60, Sent: 1500, Received: 1500, Time: 1500}
	var mu sync.Mutex
	var total store.Use
	begun := 0
	var all sync.WaitGroup
	for racer := range racers {
		all.Go(func() {
			random := rand.New(rand.NewPCG(uint64(racer), 5))
			for i := range each {
				id, use := fmt.Sprint(racer, "/", i), someUse(random, 100)
				if err := f.spend(id, charge("k", limit, use)); errors.Is(err, store.ErrBudget) {
					continue
				} else if err != nil {
					f.Error(err)
					return
				}
				o := someEnd(random, use)
				mu.Lock()
				total = plus(total, use)
				if begun++; over(limit, total) {
					f.Errorf("%+v is spent of %+v", total, limit)
				}
				total = total.Minus(use.Minus(store.Settle(use, o)))
				mu.Unlock()
				if err := f.store.Outcome(f.Context(), f.now, id, o); err != nil {
					f.Error(err)
				}
			}
		})
	}
	all.Wait()
	used, err := f.store.Used(f.Context(), f.now, []store.Charge{charge("k", limit, store.Use{Calls: 1})})
	if err != nil || used[0] != total || begun < 20 {
		f.Errorf("the store says that %+v is used, %+v is spent by %d calls, %v", used, total, begun, err)
	}
}

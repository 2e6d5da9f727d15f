package store

import (
	"errors"
	"fmt"
	"time"

	"github.com/openrpc-go/rpcgen/runtime/outcome"
)

// Use is what calls take. Units are whole: calls, bytes, microseconds.
type Use struct {
	Calls    int64 `json:"calls"`
	Sent     int64 `json:"sent"`     // request bytes
	Received int64 `json:"received"` // response bytes
	Time     int64 `json:"time_us"`  // of whole calls
}

func (u Use) plus(v Use) Use {
	return Use{u.Calls + v.Calls, u.Sent + v.Sent, u.Received + v.Received, u.Time + v.Time}
}

// Minus returns what is left of u without v.
func (u Use) Minus(v Use) Use {
	return u.plus(Use{-v.Calls, -v.Sent, -v.Received, -v.Time})
}

// Charge is the use of one call under one budget, reserved before it is sent.
type Charge struct {
	Key    string        // of the budget and whom it counts
	Name   string        // what a refused caller may be told
	Window time.Duration // the span of time that Limit is for
	Limit  Use           // of all calls within any such span; 0 bounds nothing
	Use    Use           // at most what this call takes
}

// Slots is how many parts a window has. A use counts for the window and at
// most the time of one slot longer, never shorter: that bounds what is kept.
const Slots = 60

// Slot returns the slot that a use at the time now falls into, and the oldest
// one that still counts then. Slots are numbered from the Unix epoch.
func (c Charge) Slot(now time.Time) (current, oldest int64) {
	width := int64(max(c.Window/Slots, time.Millisecond))
	current = now.UnixNano() / width
	return current, (now.UnixNano() - int64(c.Window)) / width
}

// Fits reports whether the use still fits after what was used before. It does
// not overflow.
func (c Charge) Fits(used Use) bool {
	fits := func(limit, used, use int64) bool { return limit == 0 || use <= limit && used <= limit-use }
	return fits(c.Limit.Calls, used.Calls, c.Use.Calls) && fits(c.Limit.Sent, used.Sent, c.Use.Sent) &&
		fits(c.Limit.Received, used.Received, c.Use.Received) && fits(c.Limit.Time, used.Time, c.Use.Time)
}

// Check reports whether the charge makes sense.
func (c Charge) Check() error {
	for _, n := range []int64{c.Use.Calls, c.Use.Sent, c.Use.Received, c.Use.Time, c.Limit.Calls, c.Limit.Sent, c.Limit.Received, c.Limit.Time} {
		if n < 0 || n > MaxUse {
			return fmt.Errorf("store: budget %q: %d is not within 0 and %d", c.Name, n, MaxUse)
		}
	}
	if c.Key == "" || c.Window < time.Second || c.Window > MaxWindow {
		return fmt.Errorf("store: budget %q: the window %s is not within 1s and %s", c.Name, c.Window, MaxWindow)
	}
	return nil
}

// Bounds of a budget.
const (
	MaxUse    = 1 << 50
	MaxWindow = 366 * 24 * time.Hour
)

// Settle returns what a call took of what was reserved for it. Nothing is
// given back unless it is known: a call that surely did not start took
// nothing; the size of an answer counts as reserved unless all of it was read.
func Settle(reserved Use, o outcome.Outcome) Use {
	if o.Delivery == outcome.NotStarted {
		return Use{}
	}
	used := reserved
	used.Sent = min(reserved.Sent, o.Sent)
	used.Time = min(reserved.Time, max(0, o.Duration.Microseconds()))
	if readWhole(o) {
		used.Received = min(reserved.Received, o.Received)
	}
	return used
}

// readWhole reports whether the answer was read to its end.
func readWhole(o outcome.Outcome) bool {
	switch o.Status {
	case outcome.OK, outcome.ContractViolation, outcome.JSONRPCError, outcome.Sent:
		return true
	case outcome.InvalidResponse:
		return o.Code != "content_encoding" // such a body is not read at all
	default:
		return false
	}
}

// ErrBudget says that a budget is spent. The error itself is a *BudgetError.
var ErrBudget = errors.New("store: a budget is spent")

// BudgetError names the budget that is spent.
type BudgetError struct {
	Name   string
	Window time.Duration
}

// Error names the budget.
func (e *BudgetError) Error() string {
	return fmt.Sprintf("store: the budget %q for %s is spent", e.Name, e.Window)
}

// Is reports whether target is ErrBudget.
func (e *BudgetError) Is(target error) bool { return target == ErrBudget }

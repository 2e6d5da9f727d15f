// Package store keeps what must outlive a call: who approved which digest,
// what was consumed, how it ended, what was spent, and what is frozen. It never
// asks a person and never sends anything. Start with Store and NewMemory; the
// durable ones are in the folders sqlite and postgres.
package store

import (
	"context"
	"errors"
	"time"

	"github.com/openrpc-go/rpcgen/runtime/outcome"
)

// Tuple is what an approval is bound to. Two calls are the same call when all
// of its fields are equal.
type Tuple struct {
	Kind       string `json:"kind"` // of the principal: code or agent
	Principal  string `json:"principal"`
	Endpoint   string `json:"endpoint_id"`
	Method     string `json:"method"`    // wire name
	Params     string `json:"params"`    // digest of the canonical params
	Authority  string `json:"authority"` // digest of contract, amendment, binding and rules
	Generation uint64 `json:"generation"`
}

// State is where an approval stands. It only moves forward.
type State string

const (
	Requested State = "requested"
	Approved  State = "approved"
	Denied    State = "denied"
	Consumed  State = "consumed"
)

// Approval is one question to a person and its answer. It answers one call.
type Approval struct {
	ID         string    `json:"approval_id"`
	Tuple      Tuple     `json:"tuple"`
	View       string    `json:"view"`        // what the person reads, escaped
	ViewDigest string    `json:"view_digest"` // of View; a decision repeats it
	Requested  time.Time `json:"requested"`
	Expires    time.Time `json:"expires"`
	Epoch      string    `json:"epoch"`
	State      State     `json:"state"`
	DecidedBy  string    `json:"decided_by,omitzero"`
	New        bool      `json:"-"` // the Request that returned it made it
}

// Question asks for an approval.
type Question struct {
	Tuple      Tuple
	View       string
	ViewDigest string
	Expires    time.Time
}

// Decision is a person's answer. By comes from the person's own
// authentication, never from what is decided about.
type Decision struct {
	ID         string
	By         string
	Approve    bool
	ViewDigest string // of the view that was shown
}

// Consumption is a call that is about to be sent.
type Consumption struct {
	RequestID  string
	ApprovalID string // "" when the call needs no approval
	Tuple      Tuple
	Charges    []Charge       // reserved together with it; their keys differ
	Event      outcome.Intent // for the audit of stores that keep one
	// Read says that the call changes nothing: Unknown does not list it.
	Read bool
}

// Intent is the durable record of a consumption, written before the first
// byte is sent.
type Intent struct {
	RequestID  string           `json:"request_id"`
	ApprovalID string           `json:"approval_id,omitzero"`
	Tuple      Tuple            `json:"tuple"`
	At         time.Time        `json:"at"`
	Outcome    *outcome.Outcome `json:"outcome,omitzero"` // nil: it is not known how it ended
}

// Freeze closes a method, or with an empty Method a whole endpoint.
type Freeze struct {
	Endpoint string    `json:"endpoint_id"`
	Method   string    `json:"method,omitzero"` // wire name
	Reason   string    `json:"reason"`
	At       time.Time `json:"at"`
}

// Generation is the number of the authority of an endpoint.
type Generation struct {
	Endpoint string
	Digest   string // of contract, amendment, binding and rules; "" while unregistered
	Number   uint64
}

// Covers reports whether the freeze closes a method of an endpoint.
func (f Freeze) Covers(endpoint, method string) bool {
	return f.Endpoint == endpoint && (f.Method == "" || f.Method == method)
}

// Store is implemented by every store; storetest.Run holds them to the same
// meaning. Each method is one transaction. An error that is none of the
// variables below means the store cannot be trusted now, and the caller
// refuses. Time never goes back for a store: what is older than what it was
// told before counts as that, and much older is ErrClock.
type Store interface {
	// Request returns the approval of q.Tuple: the one that exists while it is
	// requested, approved or denied and not expired, otherwise a new one.
	Request(ctx context.Context, now time.Time, q Question) (Approval, error)
	// Decide answers a requested approval, once.
	Decide(ctx context.Context, now time.Time, d Decision) (Approval, error)
	// Check reports what Consume would, and changes nothing.
	Check(ctx context.Context, now time.Time, c Consumption) error
	// Consume checks the freezes, the charges and, where an approval is named,
	// that it is approved, unexpired, of this epoch, bound to exactly this tuple,
	// and that the generation of the tuple is the endpoint's. It spends it,
	// reserves the charges and writes the Intent, durably and all or nothing. Of
	// any number of racing calls one wins.
	Consume(ctx context.Context, now time.Time, c Consumption) error
	// Outcome completes an Intent, once, and settles its charges; see Settle.
	Outcome(ctx context.Context, now time.Time, requestID string, o outcome.Outcome) error
	// Used returns what counts now under the budget of each charge, whatever the
	// charge would take of it. It reserves nothing.
	Used(ctx context.Context, now time.Time, charges []Charge) ([]Use, error)

	// Pending lists requested approvals that have not expired, oldest first.
	Pending(ctx context.Context, now time.Time) ([]Approval, error)
	// Unknown lists intents that have no outcome or one of unknown delivery,
	// and no resolution, those of reads excepted; oldest first.
	Unknown(ctx context.Context) ([]Intent, error)
	// Resolve settles an unknown Intent, once. It gives no charge back.
	Resolve(ctx context.Context, now time.Time, requestID, by, note string) error

	// Epoch names this life of the store. Restoring a copy starts another one,
	// in which no older approval is worth anything.
	Epoch(ctx context.Context) (string, error)
	// NewEpoch starts another life: what an operator does after a restore that
	// the store cannot see. Time begins anew with now.
	NewEpoch(ctx context.Context, now time.Time) (string, error)
	// Generation returns the number of an endpoint's authority. It stays while
	// the digest stays, and moves when the digest changes or renew is set.
	Generation(ctx context.Context, now time.Time, endpoint, digest string, renew bool) (uint64, error)
	// Generations lists all of them, sorted by endpoint.
	Generations(ctx context.Context) ([]Generation, error)

	// Freeze closes at once; a second one for the same place replaces the first.
	Freeze(ctx context.Context, f Freeze) error
	// Thaw ends a freeze.
	Thaw(ctx context.Context, now time.Time, endpoint, method string) error
	// Freezes lists all freezes, sorted by endpoint and method.
	Freezes(ctx context.Context) ([]Freeze, error)
}

// What a store refuses. Every one of them means that nothing was changed.
var (
	ErrNotFound     = errors.New("store: no such entry")
	ErrUndecided    = errors.New("store: the approval is not decided")
	ErrDenied       = errors.New("store: the approval was denied")
	ErrConsumed     = errors.New("store: the approval is spent")
	ErrExpired      = errors.New("store: the approval has expired")
	ErrMismatch     = errors.New("store: the approval is for another call")
	ErrEpoch        = errors.New("store: the approval is from another life of the store")
	ErrDecided      = errors.New("store: it is decided already")
	ErrView         = errors.New("store: the decision is about another view")
	ErrSelfApproval = errors.New("store: nobody approves their own call")
	ErrFrozen       = errors.New("store: the method is frozen")
	ErrTooMany      = errors.New("store: too many approvals are pending")
	ErrExists       = errors.New("store: the request id is taken")
	ErrMoved        = errors.New("store: the endpoint has another generation")
	ErrClock        = errors.New("store: the clock is far behind what the store was told before")
)

// MaxPending is how many approvals of one principal may be pending.
const MaxPending = 32

// MaxRollback is how far a clock may go back before nothing is accepted.
const MaxRollback = 5 * time.Minute

// Keep is how long what is over is remembered: an approval after its expiry, so
// that its late use has the right name.
const Keep = time.Hour

// Forward returns the later of now and the latest time a store was told.
func Forward(latest, now time.Time) (time.Time, error) {
	switch {
	case now.Before(latest.Add(-MaxRollback)):
		return now, ErrClock
	case now.Before(latest):
		return latest, nil
	default:
		return now, nil
	}
}

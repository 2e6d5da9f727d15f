// Package store keeps what must outlive a call: who approved which digest,
// what was consumed, how it ended, and what is frozen. It never asks a person
// and never sends anything. Start with Store and NewMemory.
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
}

// Intent is the durable record of a consumption, written before the first
// byte is sent.
type Intent struct {
	RequestID  string           `json:"request_id"`
	ApprovalID string           `json:"approval_id,omitzero"`
	Tuple      Tuple            `json:"tuple"`
	At         time.Time        `json:"at"`
	Outcome    *outcome.Outcome `json:"outcome,omitzero"` // nil: it is not known how it ended
	Resolution *Resolution      `json:"resolution,omitzero"`
}

// Resolution is an operator's word on an outcome that nobody knows.
type Resolution struct {
	By   string    `json:"by"`
	Note string    `json:"note"`
	At   time.Time `json:"at"`
}

// Freeze closes a method, or with an empty Method a whole endpoint.
type Freeze struct {
	Endpoint string    `json:"endpoint_id"`
	Method   string    `json:"method,omitzero"` // wire name
	Reason   string    `json:"reason"`
	At       time.Time `json:"at"`
}

// Covers reports whether the freeze closes a method of an endpoint.
func (f Freeze) Covers(endpoint, method string) bool {
	return f.Endpoint == endpoint && (f.Method == "" || f.Method == method)
}

// Store is implemented by every store; storetest.Run holds them to the same
// meaning. Each method is one transaction. An error that is none of the
// variables below means the store cannot be trusted now, and the caller
// refuses.
type Store interface {
	// Request returns the approval of q.Tuple: the one that exists while it is
	// requested, approved or denied and not expired, otherwise a new one.
	Request(ctx context.Context, now time.Time, q Question) (Approval, error)
	// Decide answers a requested approval, once.
	Decide(ctx context.Context, now time.Time, d Decision) (Approval, error)
	// Check reports what Consume would, and changes nothing.
	Check(ctx context.Context, now time.Time, c Consumption) error
	// Consume checks the freezes and, where an approval is named, that it is
	// approved, unexpired, of this epoch and bound to exactly this tuple. It
	// spends it and writes the Intent. Of any number of racing calls one wins.
	Consume(ctx context.Context, now time.Time, c Consumption) error
	// Outcome completes an Intent, once.
	Outcome(ctx context.Context, requestID string, o outcome.Outcome) error

	// Pending lists requested approvals that have not expired, oldest first.
	Pending(ctx context.Context, now time.Time) ([]Approval, error)
	// Unknown lists intents that have no outcome or one of unknown delivery,
	// and no resolution; oldest first.
	Unknown(ctx context.Context) ([]Intent, error)
	// Resolve settles an unknown Intent, once.
	Resolve(ctx context.Context, now time.Time, requestID, by, note string) error

	// Epoch names this life of the store. Restoring a copy starts another one,
	// in which no older approval is worth anything.
	Epoch(ctx context.Context) (string, error)
	// Generation returns the number of an endpoint's authority. It stays while
	// the digest stays, and moves when the digest changes or renew is set.
	Generation(ctx context.Context, endpoint, digest string, renew bool) (uint64, error)

	// Freeze closes at once; a second one for the same place replaces the first.
	Freeze(ctx context.Context, f Freeze) error
	// Thaw ends a freeze.
	Thaw(ctx context.Context, endpoint, method string) error
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
)

// MaxPending is how many approvals of one principal may be pending.
const MaxPending = 32

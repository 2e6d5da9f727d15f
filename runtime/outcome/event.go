package outcome

import (
	"context"
	"time"
)

// Intent says what is about to be sent, before its first byte. It carries
// digests and never params, secrets or an address, so it may be logged. The
// digest of params is keyed: who does not hold the key cannot try out params.
type Intent struct {
	RequestID  string    `json:"request_id"`
	At         time.Time `json:"at"`
	Kind       string    `json:"kind"` // of the principal: code or agent
	Principal  string    `json:"principal"`
	Endpoint   string    `json:"endpoint_id"`
	Method     string    `json:"method"` // wire name
	Effect     string    `json:"effect"`
	Decision   string    `json:"decision"` // allow, or ask where a person was asked
	ApprovalID string    `json:"approval_id,omitzero"`
	Params     string    `json:"params"`   // keyed digest of the params as sent
	Contract   string    `json:"contract"` // digest of the compiled contract, amendment included
	Amendment  string    `json:"amendment,omitzero"`
	Authority  string    `json:"authority"` // digest of contract, binding and rules
	Generation uint64    `json:"generation"`
	Bytes      int64     `json:"request_bytes"`
}

// Observer is told of every call that is about to be sent, and of how it
// ended. It must not block for long: it stands in the path of the call, and
// the call's deadline runs. It may be used by any number of goroutines.
type Observer interface {
	// Intent is told before the first byte. An error refuses the call.
	Intent(ctx context.Context, i Intent) error
	// Outcome is told once for every Intent that was taken. o carries no
	// read-back, because that has params. An error leaves o unrecorded.
	Outcome(ctx context.Context, i Intent, o Outcome) error
}

// Refused is the Code of an Outcome whose Intent was taken and that was
// refused then: an approval was lost to a race, a budget was spent. It has no
// Status, and its Delivery is NotStarted.
const Refused = "refused"

// Package outcome says how a call ended: Status says what came back, Delivery
// whether the remote side surely did not, did, or may have acted. A caller
// never has to read text to tell them apart. Start with Outcome.
package outcome

import "time"

// Status is how a call ended once it was handed to the transport.
// Local refusals are errors of another kind and have no Status.
type Status string

const (
	OK                Status = "ok"                 // matching JSON-RPC 2.0 result, schema holds
	ContractViolation Status = "contract_violation" // valid envelope, the result breaks its schema
	JSONRPCError      Status = "jsonrpc_error"      // matching error envelope
	HTTPError         Status = "http_error"         // not 2xx, redirects included
	TransportError    Status = "transport_error"    // no usable HTTP answer
	InvalidResponse   Status = "invalid_response"   // bad UTF-8, JSON, envelope, version, id or shape
	ResponseTooLarge  Status = "response_too_large" // over the limit
	Sent              Status = "sent"               // a notification that was written; nobody confirms it
)

// Delivery says whether the remote side acted.
type Delivery string

const (
	NotStarted  Delivery = "not_started" // no request byte left: it surely did not happen
	Unknown     Delivery = "unknown"     // it may have happened
	Answered    Delivery = "answered"    // the remote side answered with an error; a write may have happened
	Completed   Delivery = "completed"   // the remote side answered with a result
	Unconfirmed Delivery = "unconfirmed" // a notification was sent
)

// Outcome is the record of one call. It holds no result and no secret, and no
// params outside of ReadBack: Public may be logged.
type Outcome struct {
	Endpoint   string        `json:"endpoint_id"`
	Method     string        `json:"method"` // wire name
	RequestID  string        `json:"request_id"`
	Status     Status        `json:"status"`
	Code       string        `json:"code,omitzero"` // a stable word for why, when Status is neither ok nor sent
	Delivery   Delivery      `json:"delivery"`
	HTTPStatus int           `json:"http_status"`    // 0: no HTTP answer
	Sent       int64         `json:"request_bytes"`  // of the body, as far as they left
	Received   int64         `json:"response_bytes"` // of the body
	Duration   time.Duration `json:"duration"`
	ReadBack   *ReadBack     `json:"read_back,omitzero"`
	// Reflected says that the answer holds a secret of the request. What the
	// server says of a failure is redacted; a result is handed over as it is.
	Reflected bool `json:"secret_reflected,omitzero"`
	// Unrecorded says that the store, or an observer, did not take the record of
	// this end: it knows the call as unknown.
	Unrecorded bool `json:"unrecorded,omitzero"`
}

// Public is the outcome without what it may hold of params.
func (o Outcome) Public() Outcome {
	o.ReadBack = nil
	return o
}

// ReadBack names the read that shows what a write did, ready to be called.
type ReadBack struct {
	Method string `json:"method"`
	Params string `json:"params"` // canonical JSON
}

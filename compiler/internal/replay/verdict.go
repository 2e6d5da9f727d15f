// Package replay holds recorded exchanges against a compiled contract and says
// whether request and response fit it, by the envelope reader and the schema
// engine that calls go through. It sends nothing, and knows neither files nor
// formats of recordings. Start with New, then Judge and Report.
package replay

import (
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
	"github.com/openrpc-go/rpcgen/compiler/internal/traffic"
)

// State is how one side of an exchange stands to the contract. States are
// stable text.
type State string

const (
	Fit         State = "fit"
	Misfit      State = "misfit"
	Declared    State = "declared_error"   // a response: an error that the method declares
	Undeclared  State = "undeclared_error" // a response: an error that it does not declare, which is no misfit
	None        State = "none"             // a response: none was recorded
	Unjudged    State = "unjudged"         // a response: its method has no compiled result to hold it against
	Unsupported State = "unsupported"      // a batch, which calls never send and never take
)

// Holds reports whether nothing is wrong with the side. A side that cannot be
// judged does not hold.
func (s State) Holds() bool {
	switch s {
	case Fit, Declared, Undeclared, None:
		return true
	case Misfit, Unjudged, Unsupported:
		return false
	default:
		panic("no such state: " + string(s))
	}
}

// Side is request or response.
type Side string

const (
	Request  Side = "request"
	Response Side = "response"
)

// Codes of findings. They are stable.
const (
	CodeEnvelope       = "envelope"          // Keyword is the reason of the envelope's reader
	CodeBatch          = "batch"             // several messages in one
	CodeHTTPStatus     = "http-status"       // no 2xx, and no error to go with it
	CodeUnknownMethod  = "unknown-method"    // the contract has no such method
	CodeUncompiled     = "uncompiled-method" // the contract refused the method
	CodeParamsShape    = "params-shape"      // an array for an object or the other way round
	CodeTooManyParams  = "too-many-params"
	CodeMissingParam   = "missing-param"
	CodeUnknownParam   = "unknown-param"
	CodeSchema         = "schema"             // a value breaks Keyword of Schema
	CodeUndecided      = "undecided"          // the engine could not judge a value
	CodeNotificationID = "id-of-notification" // a method without result was asked for one
	CodeAnswered       = "answered-notification"

	// These say something worth knowing; nothing is wrong by them.
	CodeUndeclaredError = "undeclared-error"
	CodeNoResponse      = "no-response"
	CodeNoID            = "sent-as-notification" // a method with a result was not asked for it
)

// Finding is one thing about one side of an exchange. Everything in it but
// Code and Keyword may be foreign text. No recorded text of more than eight
// bytes is in it; numbers are, and names of members.
type Finding struct {
	Side     Side
	Code     string
	Misfit   bool // false: information
	Place    traffic.Place
	Pointer  source.Pointer // from the root of the message
	Keyword  string
	Schema   string // id of the schema
	Expected string // in words
	Found    string // in words, a number, or the start of a text
	Message  string // for what is no matter of expected and found
}

// Verdict is what there is to say about one exchange.
type Verdict struct {
	Place    traffic.Place // of the request
	Method   string        // "" when the request names none
	Request  State
	Response State
	Findings []Finding // of the request, then of the response
}

// Holds reports whether the exchange fits the contract.
func (v *Verdict) Holds() bool { return v.Request.Holds() && v.Response.Holds() }

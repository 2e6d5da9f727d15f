package runtime

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/openrpc-go/rpcgen/runtime/envelope"
	"github.com/openrpc-go/rpcgen/runtime/outcome"
	"github.com/openrpc-go/rpcgen/runtime/schema"
	"github.com/openrpc-go/rpcgen/runtime/store"
)

// Reason is a stable code for a local refusal. A *RefusedError answers
// errors.Is with its Reason.
type Reason string

const (
	ReasonUnknown        Reason = "unknown"        // no such endpoint or method, or no right that would show it
	ReasonWrongContract  Reason = "wrong_contract" // the endpoint has another contract than the code was generated for
	ReasonUncompiled     Reason = "uncompiled"     // the method could not be compiled
	ReasonUnclassified   Reason = "unclassified"   // the amendment does not decide about it
	ReasonStale          Reason = "stale"          // the amendment was written for another shape
	ReasonRefused        Reason = "refused"        // the owner decided against it
	ReasonExpired        Reason = "expired"        // the amendment's entry is too old
	ReasonFrozen         Reason = "frozen"         // closed by an operator
	ReasonDenied         Reason = "denied"         // no right, or a decision against it
	ReasonInvalidParams  Reason = "invalid_params" // the params break their schema or a limit
	ReasonFlow           Reason = "flow"           // the endpoint is not cleared for the information
	ReasonBudget         Reason = "budget"         // spent
	ReasonApproval       Reason = "approval"       // the approval is for another call, or unknown
	ReasonApprovalDenied Reason = "approval_denied"
	ReasonApprovalSpent  Reason = "approval_spent"
	ReasonApprovalLate   Reason = "approval_expired"
	ReasonConfiguration  Reason = "configuration" // binding, secret, address, or a wrong use of this package
	ReasonMoved          Reason = "moved"         // the endpoint was replaced while the call was prepared
	ReasonStore          Reason = "store"         // the store cannot answer
	ReasonAudit          Reason = "audit"         // an observer did not take the record of what is to be sent
	ReasonCanceled       Reason = "canceled"      // the context ended before anything was sent
)

// Error is the code itself. It makes a Reason a target for errors.Is.
func (r Reason) Error() string { return string(r) }

// RefusedError says that a call was refused here. Nothing was sent.
type RefusedError struct {
	Reason   Reason
	Endpoint string
	Method   string // wire name
	// Detail and Command, the next command for a person, are only given to
	// principals that may inspect the endpoint, or concern their own params.
	Detail  string
	Command string
	cause   error
}

// Error says what was refused and what to do next.
func (e *RefusedError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s: refused: %s", e.Endpoint, quoteName(e.Method), e.Reason)
	if e.Detail != "" {
		b.WriteString(": " + e.Detail)
	}
	if e.Command != "" {
		fmt.Fprintf(&b, " (run %q)", e.Command)
	}
	return b.String()
}

// Is reports whether target is the Reason.
func (e *RefusedError) Is(target error) bool { return target == error(e.Reason) }

// Unwrap returns the cause: a *schema.Error for params, a context error, or nil.
func (e *RefusedError) Unwrap() error { return e.cause }

// PendingError says that a call waits for a person. Nothing was sent. Make the
// identical call again with WithApproval(ID) once it is approved.
type PendingError struct {
	// Approval holds what is asked: id, state, expiry, digests, and View, the
	// escaped text of what will be sent.
	store.Approval
}

// Error names the approval; it holds no params.
func (e *PendingError) Error() string {
	return fmt.Sprintf("%s %s: awaiting approval %s, %s until %s", e.Tuple.Endpoint, quoteName(e.Tuple.Method),
		e.ID, e.State, e.Expires.UTC().Format(time.RFC3339))
}

// RemoteError is the error object of a response: the remote side's words,
// untrusted, bounded, and never part of an error text.
type RemoteError = envelope.Error

// CallError says that a call was handed to the transport and did not end with
// a result for the caller. Outcome tells whether it may have happened.
type CallError struct {
	Outcome outcome.Outcome
	// Remote is what the remote side said: the error of jsonrpc_error, the one
	// in the body of an http_error, or that of a response that answers no
	// request in particular. Nil when there was none.
	Remote *RemoteError
	// MediaType and Excerpt are the untrusted type and beginning of a body that
	// could not be used.
	MediaType string
	Excerpt   []byte
	// Result is an unverified result: of a contract_violation where the
	// amendment says results: report, or a valid one that does not fit its Go type.
	Result []byte

	contract string // digest
	cause    error
}

// Error says how the call ended, in our words only.
func (e *CallError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s: %s", e.Outcome.Endpoint, quoteName(e.Outcome.Method), e.Outcome.Status)
	if e.Outcome.Code != "" {
		fmt.Fprintf(&b, " (%s)", e.Outcome.Code)
	}
	if e.Outcome.HTTPStatus != 0 && e.Outcome.HTTPStatus != 200 {
		fmt.Fprintf(&b, ", http status %d", e.Outcome.HTTPStatus)
	}
	if e.Remote != nil {
		fmt.Fprintf(&b, ", error code %d", e.Remote.Code)
	}
	b.WriteString(causeText("the result", e.cause))
	fmt.Fprintf(&b, "; delivery %s, request %s", e.Outcome.Delivery, e.Outcome.RequestID)
	return b.String()
}

// dataError says that the data of a declared error are not what was declared.
type dataError struct {
	declared *DeclaredError
	cause    error
}

func (e *dataError) Error() string { return e.declared.Error() + dataText(e.cause) }

func dataText(err error) string {
	if text := causeText("its data", err); text != "" {
		return text
	}
	return ": its data cannot be read"
}

func (e *dataError) Unwrap() error { return e.cause }

// causeText says what a value of the remote side breaks without a word of it:
// no value, and no pointer, which may hold member names that the remote side
// chose.
func causeText(what string, err error) string {
	var broken *schema.Error
	var unfit *schema.Unrepresentable
	switch {
	case errors.As(err, &broken) && len(broken.Causes) > 0:
		return fmt.Sprintf(": %s breaks %s of %q", what, broken.Causes[0].Keyword, broken.Causes[0].Schema)
	case errors.As(err, &unfit):
		return fmt.Sprintf(": %s is legal but does not fit Go type %s", what, unfit.Type)
	default:
		return ""
	}
}

// Is reports whether target is the declared error that came back.
func (e *CallError) Is(target error) bool {
	declared, ok := target.(*DeclaredError)
	return ok && declared.matches(e)
}

// Unwrap returns the cause: a *schema.Error, a *schema.Unrepresentable, a
// context error, or nil.
func (e *CallError) Unwrap() error { return e.cause }

// Delivery says of the error of any call whether the remote side acted:
// refusals and pending calls did not start, nil completed, and an error of
// another package is unknown.
func Delivery(err error) outcome.Delivery {
	var call *CallError
	var refused *RefusedError
	var pending *PendingError
	switch {
	case err == nil:
		return outcome.Completed
	case errors.As(err, &call):
		return call.Outcome.Delivery
	case errors.As(err, &refused), errors.As(err, &pending):
		return outcome.NotStarted
	default:
		return outcome.Unknown
	}
}

// quoteName shows a wire name, which is the document's word.
func quoteName(name string) string {
	for i := range len(name) {
		if c := name[i]; c <= ' ' || c > '~' || c == '"' {
			return fmt.Sprintf("%+q", name)
		}
	}
	return name
}

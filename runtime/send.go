package runtime

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/openrpc-go/rpcgen/runtime/effect"
	"github.com/openrpc-go/rpcgen/runtime/envelope"
	"github.com/openrpc-go/rpcgen/runtime/outcome"
	"github.com/openrpc-go/rpcgen/runtime/policy"
	"github.com/openrpc-go/rpcgen/runtime/schema"
	"github.com/openrpc-go/rpcgen/runtime/transport"
)

// rooms are for the bodies of responses, of which nothing is left once the
// result has become a Go value. What an error keeps of a body keeps the body.
var rooms sync.Pool

// maxRoom is the largest room that is kept.
const maxRoom = 2 << 20

func (a *attempt) roomBytes() []byte {
	if a.room == nil {
		return nil
	}
	return *a.room
}

func (a *attempt) giveBack(body []byte) {
	if a.work.keepsBody() || cap(body) > maxRoom || cap(body) == 0 {
		return
	}
	if a.room == nil {
		a.room = new([]byte)
	}
	*a.room = body[:0]
	rooms.Put(a.room)
}

// maxExcerpt bounds what is kept of a body that could not be used.
const maxExcerpt = 512

// stepPrepare resolves secrets and addresses and builds the final bytes.
func (a *attempt) stepPrepare(ctx context.Context) error {
	e := a.endpoint
	if e.transport == nil {
		return a.refuse(ReasonConfiguration, "the endpoint is not bound to a server", nil)
	}
	id := a.requestID
	if a.compiled.Notification {
		id = ""
	}
	body := make([]byte, 0, len(a.method.prefix)+len(a.wire)+frame)
	if !a.work.keepsBody() {
		a.room, _ = rooms.Get().(*[]byte)
	}
	body = envelope.AppendRequest(body, a.method.prefix, a.wire, id)
	prepared, err := e.transport.Prepare(ctx, transport.Request{
		Body:  body,
		Reuse: e.connections == Reuse || a.compiled.Authority.Effect == effect.Read,
		Room:  a.roomBytes(),

		Response: limits(e, a.compiled).Response,
	})
	if err == nil {
		a.prepared, a.size = prepared, int64(len(body))
		return nil
	}
	if ctx.Err() != nil {
		return a.refuse(ReasonCanceled, "", ctx.Err())
	}
	detail := err.Error()
	if a.caller.kind != policy.Code {
		detail = "" // header and secret names are no business of a model
	}
	return a.refuse(ReasonConfiguration, detail, nil)
}

// send sends the request once, and says how that ended.
func (a *attempt) send(ctx context.Context) (outcome.Outcome, error) {
	end := outcome.Outcome{Endpoint: a.endpoint.id, Method: a.compiled.Name, RequestID: a.requestID}
	response, err := a.prepared.Send(ctx)
	failed := a.read(&end, response, err)
	end.Reflected = a.prepared.Reflects(response.Body)
	end.ReadBack = a.readBack(a.result)
	end.Delivery = a.delivery(&end, err)
	end.Duration = max(0, a.caller.registry.now().Sub(a.now).Round(time.Microsecond))
	if a.record(ctx, end) != nil {
		end.Unrecorded = true
	}
	if a.tell(ctx, end) != nil {
		end.Unrecorded = true
	}
	if failed == nil {
		a.giveBack(response.Body)
		return end, nil
	}
	failed.Outcome, failed.contract = end, a.endpoint.contract.digest
	a.redact(failed, response)
	return end, failed
}

// read turns an answer, or the lack of one, into status, code and counts. It
// returns nil when the caller has got what was asked for.
func (a *attempt) read(end *outcome.Outcome, r transport.Response, err error) *CallError {
	end.HTTPStatus, end.Sent, end.Received = r.Status, r.Sent, int64(len(r.Body))
	if failure := failureOf(err); failure != nil {
		end.HTTPStatus, end.Sent, end.Received = failure.Status, failure.Sent, failure.Received
		end.Code = string(failure.Code)
		switch {
		case failure.Code == transport.TooLarge:
			end.Status = outcome.ResponseTooLarge
		case failure.Status != 0 && !success(failure.Status):
			end.Status = outcome.HTTPError
		case failure.Code == transport.ContentEncoding:
			end.Status = outcome.InvalidResponse
		default:
			end.Status = outcome.TransportError
		}
		return &CallError{cause: failure.Unwrap(), MediaType: bounded(r.MediaType)}
	}
	if !success(r.Status) {
		return a.readHTTPError(end, r)
	}
	if a.compiled.Notification {
		end.Status = outcome.Sent
		return nil
	}
	return a.readEnvelope(end, r)
}

// failureOf returns the Failure that err is, or nil.
func failureOf(err error) *transport.Failure {
	if err == nil {
		return nil // before anything is allocated: most calls end well
	}
	var failure *transport.Failure
	errors.As(err, &failure)
	return failure
}

func success(status int) bool { return 200 <= status && status < 300 }

// readHTTPError keeps the error object that a server may have put into the
// body. A result there is none.
func (a *attempt) readHTTPError(end *outcome.Outcome, r transport.Response) *CallError {
	end.Status, end.Code = outcome.HTTPError, "status"
	failed := &CallError{MediaType: bounded(r.MediaType), Excerpt: excerpt(r.Body)}
	answer, err := envelope.Read(r.Body, a.requestID, a.endpoint.tolerance)
	if failed.Remote = answer.Error; err != nil {
		failed.Remote = violationOf(err).Remote
	}
	return failed
}

// ReadResult lets the work read the result where it stands in the body. What
// it reads is the caller's only once the envelope around it has held as well.
func (a *attempt) ReadResult(body []byte, start int) (end int, ok bool) {
	return a.work.read(a.method, body, start)
}

// readEnvelope reads the body of a 2xx answer, whatever its media type says
// unless the binding is strict about that.
func (a *attempt) readEnvelope(end *outcome.Outcome, r transport.Response) *CallError {
	if a.endpoint.jsonOnly && len(r.Body) > 0 && !isJSON(r.MediaType) {
		end.Status, end.Code = outcome.InvalidResponse, "media_type"
		return &CallError{MediaType: bounded(r.MediaType), Excerpt: excerpt(r.Body)}
	}
	answer, read, err := envelope.ReadInto(r.Body, a.requestID, a.endpoint.tolerance, a)
	switch {
	case read:
		end.Status, a.result = outcome.OK, answer.Result
		return nil
	case err != nil:
		violation := violationOf(err)
		end.Status, end.Code = outcome.InvalidResponse, string(violation.Reason)
		if len(r.Body) == 0 {
			end.Code = "empty"
		}
		return &CallError{Remote: violation.Remote, MediaType: bounded(r.MediaType), Excerpt: excerpt(r.Body)}
	case answer.Error != nil:
		end.Status, end.Code = outcome.JSONRPCError, "remote"
		return &CallError{Remote: answer.Error}
	default:
		return a.readResult(end, answer.Result)
	}
}

// violationOf returns the Violation that every error of the envelope's readers
// is.
func violationOf(err error) *envelope.Violation {
	var violation *envelope.Violation
	if !errors.As(err, &violation) {
		panic("rpcgen: the envelope gave another error: " + err.Error())
	}
	return violation
}

// readResult checks a result that could not be read in place, and says why. One
// that is valid and does not fit its Go type is no fault of the server: the call
// completed.
func (a *attempt) readResult(end *outcome.Outcome, result []byte) *CallError {
	err := a.work.result(a.method, result)
	var unfit *schema.Unrepresentable
	if err == nil || errors.As(err, &unfit) {
		a.result = result
	}
	if err == nil {
		end.Status = outcome.OK
		return nil
	}
	if unfit != nil {
		end.Status, end.Code = outcome.OK, "unrepresentable"
		return &CallError{cause: err, Result: result}
	}
	end.Status, end.Code = outcome.ContractViolation, "schema"
	var undecided *schema.BudgetError
	if errors.As(err, &undecided) {
		end.Code = "undecided" // what the engine cannot decide is not handed out
	}
	failed := &CallError{cause: err}
	if a.compiled.Authority.Report {
		failed.Result = result
	}
	return failed
}

// delivery says whether the remote side acted.
func (a *attempt) delivery(end *outcome.Outcome, err error) outcome.Delivery {
	switch end.Status {
	case outcome.OK, outcome.ContractViolation:
		return outcome.Completed
	case outcome.JSONRPCError:
		return outcome.Answered
	case outcome.Sent:
		return outcome.Unconfirmed
	case outcome.HTTPError:
		if a.compiled.Authority.Effect == effect.Read {
			return outcome.Answered
		}
	case outcome.TransportError:
		if failure := failureOf(err); failure != nil && !failure.Started {
			return outcome.NotStarted
		}
	}
	return outcome.Unknown
}

// isJSON reports whether a media type is JSON's; its parameters do not count.
func isJSON(mediaType string) bool {
	name, _, _ := strings.Cut(mediaType, ";")
	name = strings.ToLower(strings.TrimSpace(name))
	return name == "application/json" || strings.HasPrefix(name, "application/") && strings.HasSuffix(name, "+json") ||
		name == "application/json-rpc" || name == "application/jsonrequest"
}

func excerpt(body []byte) []byte {
	return append([]byte(nil), body[:min(len(body), maxExcerpt)]...)
}

func bounded(text string) string { return text[:min(len(text), 128)] }

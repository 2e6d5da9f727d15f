package runtime

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/openrpc-go/rpcgen/runtime/outcome"
	"github.com/openrpc-go/rpcgen/runtime/schema"
	"github.com/openrpc-go/rpcgen/runtime/store"
)

func TestErrorTexts(t *testing.T) {
	end := outcome.Outcome{Endpoint: "billing", Method: "invoice.pay", RequestID: "77", Status: outcome.JSONRPCError, Code: "remote", Delivery: outcome.Answered, HTTPStatus: 200}
	lost := end
	lost.Status, lost.Code, lost.Delivery, lost.HTTPStatus = outcome.TransportError, "timeout", outcome.Unknown, 0
	broken := end
	broken.Status, broken.Code, broken.Delivery = outcome.ContractViolation, "schema", outcome.Completed
	rows := []struct {
		err  error
		want string
	}{
		{&RefusedError{Reason: ReasonDenied, Endpoint: "billing", Method: "invoice.pay"}, `billing invoice.pay: refused: denied`},
		{&RefusedError{Reason: ReasonStale, Endpoint: "billing", Method: "invoice.pay", Detail: "moved", Command: "rpcgen review billing invoice.pay"},
			`billing invoice.pay: refused: stale: moved (run "rpcgen review billing invoice.pay")`},
		{&RefusedError{Reason: ReasonUnknown, Endpoint: "billing", Method: "a\x1b[2Jb\u202e"}, `billing "a\x1b[2Jb\u202e": refused: unknown`},
		{&PendingError{store.Approval{ID: "AB", State: store.Requested, Tuple: store.Tuple{Endpoint: "billing", Method: "invoice.pay"}, View: "secret things",
			Expires: time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)}},
			`billing invoice.pay: awaiting approval AB, requested until 2026-12-01T00:00:00Z`},
		{&CallError{Outcome: end, Remote: &RemoteError{Code: -32001, Message: "evil words"}},
			`billing invoice.pay: jsonrpc_error (remote), error code -32001; delivery answered, request 77`},
		{&CallError{Outcome: lost, cause: context.DeadlineExceeded}, `billing invoice.pay: transport_error (timeout); delivery unknown, request 77`},
		{&CallError{Outcome: broken, cause: &schema.Error{Causes: []schema.Cause{{Pointer: "/evil", Keyword: "type", Schema: "Invoice/total", Found: "evil"}}}},
			`billing invoice.pay: contract_violation (schema): the result breaks type of "Invoice/total"; delivery completed, request 77`},
	}
	for _, row := range rows {
		if got := row.err.Error(); got != row.want {
			t.Errorf("got  %s\nwant %s", got, row.want)
		}
	}
}

func TestDeliveryOfErrors(t *testing.T) {
	for _, row := range []struct {
		err  error
		want outcome.Delivery
	}{
		{nil, outcome.Completed},
		{&RefusedError{}, outcome.NotStarted},
		{fmt.Errorf("wrapped: %w", &PendingError{}), outcome.NotStarted},
		{fmt.Errorf("wrapped: %w", &CallError{Outcome: outcome.Outcome{Delivery: outcome.Answered}}), outcome.Answered},
		{errors.New("another"), outcome.Unknown},
	} {
		if got := Delivery(row.err); got != row.want {
			t.Errorf("Delivery(%v) = %s, want %s", row.err, got, row.want)
		}
	}
}

// Package slog writes what runtime tells observers to a log/slog logger. It
// holds no params and no secrets, and it never refuses a call: whoever wants a
// call refused that is not recorded uses package audit. Start with New.
package slog

import (
	"context"
	"log/slog"

	"github.com/openrpc-go/rpcgen/runtime/outcome"
)

// Observer is an outcome.Observer.
type Observer struct{ log *slog.Logger }

// New returns an Observer that writes to l: an intent at level debug, an end at
// level info, or warn where the caller got no result.
func New(l *slog.Logger) *Observer { return &Observer{l} }

// Intent writes what is about to be sent.
func (o *Observer) Intent(ctx context.Context, i outcome.Intent) error {
	o.log.LogAttrs(ctx, slog.LevelDebug, "call", append(call(i),
		slog.String("effect", i.Effect), slog.String("decision", i.Decision), slog.String("approval_id", i.ApprovalID),
		slog.String("params", i.Params), slog.String("contract", i.Contract), slog.String("authority", i.Authority),
		slog.Uint64("generation", i.Generation), slog.Int64("request_bytes", i.Bytes))...)
	return nil
}

// Outcome writes how it ended.
func (o *Observer) Outcome(ctx context.Context, i outcome.Intent, end outcome.Outcome) error {
	level := slog.LevelInfo
	if end.Status != outcome.OK && end.Status != outcome.Sent {
		level = slog.LevelWarn
	}
	o.log.LogAttrs(ctx, level, "call ended", append(call(i),
		slog.String("status", string(end.Status)), slog.String("code", end.Code), slog.String("delivery", string(end.Delivery)),
		slog.Int("http_status", end.HTTPStatus), slog.Int64("request_bytes", end.Sent), slog.Int64("response_bytes", end.Received),
		slog.Duration("duration", end.Duration), slog.Bool("unrecorded", end.Unrecorded),
		slog.Bool("secret_reflected", end.Reflected))...)
	return nil
}

// call names the call in both.
func call(i outcome.Intent) []slog.Attr {
	return []slog.Attr{
		slog.String("request_id", i.RequestID), slog.String("kind", i.Kind), slog.String("principal", i.Principal),
		slog.String("endpoint_id", i.Endpoint), slog.String("method", i.Method),
	}
}

// Package otel makes a span of OpenTelemetry of every call that runtime tells
// observers about: a client span with digests, no params and no secrets. It
// needs the API only, and never refuses a call. Start with New.
package otel

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"github.com/openrpc-go/rpcgen/runtime/outcome"
)

// Observer is an outcome.Observer.
type Observer struct{ tracer trace.Tracer }

// New returns an Observer whose spans come from p.
func New(p trace.TracerProvider) *Observer {
	return &Observer{p.Tracer("github.com/openrpc-go/rpcgen/runtime")}
}

// Intent does nothing: a span is made when it is known how the call ended.
func (o *Observer) Intent(context.Context, outcome.Intent) error { return nil }

// Outcome makes the span, from the intent on, below the span of ctx.
func (o *Observer) Outcome(ctx context.Context, i outcome.Intent, end outcome.Outcome) error {
	_, span := o.tracer.Start(ctx, i.Endpoint+"/"+i.Method,
		trace.WithSpanKind(trace.SpanKindClient), trace.WithTimestamp(i.At), trace.WithAttributes(attributes(i, end)...))
	if end.Status != outcome.OK && end.Status != outcome.Sent {
		span.SetStatus(codes.Error, string(end.Status))
	}
	span.End(trace.WithTimestamp(i.At.Add(end.Duration)))
	return nil
}

func attributes(i outcome.Intent, end outcome.Outcome) []attribute.KeyValue {
	list := []attribute.KeyValue{
		attribute.String("rpc.system.name", "jsonrpc"),
		attribute.String("rpc.method", i.Method),
		attribute.String("rpcgen.endpoint_id", i.Endpoint),
		attribute.String("rpcgen.request_id", i.RequestID),
		attribute.String("rpcgen.principal", i.Principal),
		attribute.String("rpcgen.principal_kind", i.Kind),
		attribute.String("rpcgen.effect", i.Effect),
		attribute.String("rpcgen.decision", i.Decision),
		attribute.String("rpcgen.params_digest", i.Params),
		attribute.String("rpcgen.authority_digest", i.Authority),
		attribute.Int64("rpcgen.generation", int64(i.Generation)),
		attribute.String("rpcgen.status", string(end.Status)),
		attribute.String("rpcgen.delivery", string(end.Delivery)),
		attribute.Int64("http.request.body.size", end.Sent),
		attribute.Int64("http.response.body.size", end.Received),
	}
	if end.Code != "" {
		list = append(list, attribute.String("error.type", end.Code))
	}
	if end.HTTPStatus != 0 {
		list = append(list, attribute.Int("http.response.status_code", end.HTTPStatus))
	}
	if end.Reflected {
		list = append(list, attribute.Bool("rpcgen.secret_reflected", true))
	}
	if i.ApprovalID != "" {
		list = append(list, attribute.String("rpcgen.approval_id", i.ApprovalID))
	}
	return list
}

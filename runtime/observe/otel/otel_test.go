package otel

import (
	"context"
	"testing"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/embedded"
	"go.opentelemetry.io/otel/trace/noop"

	"github.com/openrpc-go/rpcgen/runtime/outcome"
)

// recorder is the least SDK that keeps what it is told.
type recorder struct {
	embedded.TracerProvider
	spans []*span
}

type span struct {
	noop.Span
	name   string
	start  trace.SpanConfig
	parent context.Context
	status codes.Code
	end    time.Time
}

func (r *recorder) Tracer(string, ...trace.TracerOption) trace.Tracer { return tracer{r: r} }

type tracer struct {
	embedded.Tracer
	r *recorder
}

func (t tracer) Start(ctx context.Context, name string, o ...trace.SpanStartOption) (context.Context, trace.Span) {
	s := &span{name: name, start: trace.NewSpanStartConfig(o...), parent: ctx}
	t.r.spans = append(t.r.spans, s)
	return ctx, s
}

func (s *span) SetStatus(c codes.Code, _ string) { s.status = c }

func (s *span) End(o ...trace.SpanEndOption) {
	c := trace.NewSpanEndConfig(o...)
	s.end = c.Timestamp()
}

func TestObserver(t *testing.T) {
	var r recorder
	o := New(&r)
	at := time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)
	i := outcome.Intent{RequestID: "r", At: at, Endpoint: "billing", Method: "pay", Params: "hmac-sha256:p", ApprovalID: "a"}
	type key struct{}
	ctx := context.WithValue(t.Context(), key{}, "parent")
	if o.Intent(ctx, i) != nil || len(r.spans) != 0 {
		t.Error("an intent alone is no span")
	}
	o.Outcome(ctx, i, outcome.Outcome{Status: outcome.OK, Delivery: outcome.Completed, HTTPStatus: 200, Duration: time.Second})
	o.Outcome(ctx, i, outcome.Outcome{Status: outcome.TransportError, Code: "timeout", Delivery: outcome.Unknown, Reflected: true})
	if len(r.spans) != 2 {
		t.Fatalf("%d spans", len(r.spans))
	}
	ok, lost := r.spans[0], r.spans[1]
	if ok.name != "billing/pay" || ok.start.SpanKind() != trace.SpanKindClient || !ok.start.Timestamp().Equal(at) || !ok.end.Equal(at.Add(time.Second)) ||
		ok.status != codes.Unset || ok.parent.Value(key{}) != "parent" {
		t.Errorf("got %+v", ok)
	}
	if has(ok, "rpcgen.secret_reflected", "") || !has(lost, "rpcgen.secret_reflected", "") {
		t.Error("a secret that came back is not told, or told without one")
	}
	if lost.status != codes.Error || !has(lost, "error.type", "timeout") || has(ok, "error.type", "") || !has(ok, "rpcgen.approval_id", "a") || !has(ok, "rpcgen.params_digest", "hmac-sha256:p") {
		t.Errorf("got %+v and %+v", ok.start.Attributes(), lost)
	}
}

func has(s *span, key, value string) bool {
	for _, a := range s.start.Attributes() {
		if a.Key == attribute.Key(key) {
			return value == "" || a.Value.AsString() == value
		}
	}
	return false
}

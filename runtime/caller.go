package runtime

import (
	"context"
	"errors"
	"reflect"

	"github.com/openrpc-go/rpcgen/runtime/outcome"
	"github.com/openrpc-go/rpcgen/runtime/policy"
)

// Principal is who calls. Its Name comes from the host's authentication.
type Principal struct {
	Name   string
	Kind   Kind // Code or Agent
	Grants []Grant
}

// Caller calls the methods of one endpoint for one principal. It may be used
// by any number of goroutines and lives across Replace.
type Caller struct {
	registry *Registry
	endpoint string
	name     string
	kind     policy.Kind
	grants   policy.Grants
}

// Caller returns a Caller. It does not say whether the endpoint exists: who
// may not know it is told the same as who asks for one that does not.
func (r *Registry) Caller(endpoint string, p Principal) (*Caller, error) {
	if err := policy.CheckEndpoint(endpoint); err != nil {
		return nil, err
	}
	if p.Name == "" || !p.Kind.Valid() {
		return nil, errors.New("a principal needs a name and a kind, code or agent")
	}
	grants, err := policy.NewGrants(p.Grants)
	if err != nil {
		return nil, err
	}
	return &Caller{registry: r, endpoint: endpoint, name: p.Name, kind: p.Kind, grants: grants}, nil
}

// Endpoint returns the id of the endpoint.
func (c *Caller) Endpoint() string { return c.endpoint }

// CallOption adjusts one call.
type CallOption func(*callOptions)

type callOptions struct {
	into     *outcome.Outcome
	approval string
	retries  int
}

// Into stores how the call ended in o, also when the call returns an error. A
// call that was refused here leaves an Outcome with no status and with
// delivery not_started.
func Into(o *outcome.Outcome) CallOption { return func(c *callOptions) { c.into = o } }

// WithApproval spends an approval on the call.
func WithApproval(id string) CallOption { return func(c *callOptions) { c.approval = id } }

// Retry makes up to n more attempts, at most 5, when a read got no answer or one
// that was cut off, and no approval was spent on it. Each attempt has the time
// limit of a call; a deadline of the context bounds all of them together. On
// any other method Retry is refused.
func Retry(n int) CallOption { return func(c *callOptions) { c.retries = n } }

// NoParams is the params type of methods that take none.
type NoParams struct{}

// Call calls a method with typed params and returns its typed result. Every
// error is a *RefusedError, a *PendingError or a *CallError; with an error the
// result is zero, but for a contract_violation of a method whose amendment says
// results: report, where all that is wrong are values that enums do not list.
func Call[R, P any](ctx context.Context, c *Caller, m *Method, p P, opts ...CallOption) (R, error) {
	var result R
	err := c.call(ctx, &typedCall{m: m, in: &p, out: &result}, opts)
	return result, err
}

// call leaves a zero result beside an error, but for a contract violation.
func (c *Caller) call(ctx context.Context, w *typedCall, opts []CallOption) error {
	err := c.run(ctx, w, opts)
	var failed *CallError
	if err != nil && !(errors.As(err, &failed) && failed.Outcome.Status == outcome.ContractViolation) {
		reflect.ValueOf(w.out).Elem().SetZero()
	}
	return err
}

// Notify sends a notification. That it was sent is all there is to know.
func Notify[P any](ctx context.Context, c *Caller, m *Method, p P, opts ...CallOption) error {
	return c.run(ctx, &typedCall{m: m, in: &p}, opts)
}

// Do calls a method by wire name with params as a JSON object by name, or none
// at all, and returns the checked result, of which the receiver is the owner;
// nil for a notification. It takes the same path as Call.
func (c *Caller) Do(ctx context.Context, method string, params []byte, opts ...CallOption) ([]byte, error) {
	w := &untyped{name: method, input: params}
	if err := c.run(ctx, w, opts); err != nil {
		return nil, err
	}
	return w.output, nil
}

package runtime

import (
	"context"
	"time"

	"github.com/openrpc-go/rpcgen/runtime/compiled"
	"github.com/openrpc-go/rpcgen/runtime/outcome"
	"github.com/openrpc-go/rpcgen/runtime/policy"
	"github.com/openrpc-go/rpcgen/runtime/store"
	"github.com/openrpc-go/rpcgen/runtime/transport"
)

// work is what differs between typed and untyped calls: which method, how
// params become JSON and where the result goes. Everything else is one path.
type work interface {
	wireName() string
	// digest is of the contract the method was taken from; "" is any.
	digest() string
	// params binds the Go types to the method's nodes and returns the params as
	// a checked JSON object by name; nil for none.
	params(*method) ([]byte, error)
	// read is result for the result that starts at body[start]. Without ok
	// nothing was kept, and result says why.
	read(m *method, body []byte, start int) (end int, ok bool)
	// result checks and keeps the result.
	result(*method, []byte) error
	// keepsBody says that result keeps a part of what it is given.
	keepsBody() bool
	// notifies says that the caller expects no result.
	notifies(*compiled.Method) bool
}

// attempt is one pass of one call through the path. Its fields are set by the
// steps in their order.
type attempt struct {
	caller  *Caller
	work    work
	options callOptions

	now       time.Time
	snapshot  *snapshot
	endpoint  *endpoint
	method    *method
	compiled  *compiled.Method
	inspector bool   // may be told why
	named     []byte // params as canonical JSON by name
	wire      []byte // params as they are sent
	decision  policy.Decision
	charges   []store.Charge  // what the call will take of its budgets
	event     *outcome.Intent // what observers and the store's audit are told; nil: nothing
	told      int             // how many observers took it
	tuple     store.Tuple
	requestID string
	prepared  *transport.Prepared
	size      int64   // of the request's body
	room      *[]byte // for the body of the response
	result    []byte  // checked, a part of the response's body
	consumed  bool
}

// step is one check of the path.
type step struct {
	name string
	do   func(*attempt, context.Context) error
}

// The path of every call, before anything is sent. The order must not change:
// what a caller is told depends on it, and secrets come after approval so that
// a missing one does not burn it.
var preflight = []step{
	{"known", (*attempt).stepKnown},
	{"classified", (*attempt).stepClassified},
	{"right", (*attempt).stepRight},
	{"params", (*attempt).stepParams},
	{"flow", (*attempt).stepFlow},
	{"decision", (*attempt).stepDecision},
	{"budget", (*attempt).stepBudget},
	{"approval", (*attempt).stepApproval},
	{"prepare", (*attempt).stepPrepare},
}

// again is what is held against the snapshot that is current when everything
// is ready. The params are frozen by then. Observers are told before anything is
// spent, so that one that fails burns no approval.
var again = []step{
	{"known", (*attempt).stepKnown},
	{"same", (*attempt).stepSame},
	{"classified", (*attempt).stepClassified},
	{"right", (*attempt).stepRight},
	{"flow", (*attempt).stepFlow},
	{"decision", (*attempt).stepDecision},
	{"observe", (*attempt).stepObserve},
	{"consume", (*attempt).stepConsume},
}

// run takes a call through the path, again where the caller asked for it.
func (c *Caller) run(ctx context.Context, w work, opts []CallOption) error {
	if c == nil {
		return &RefusedError{Reason: ReasonConfiguration, Method: w.wireName(), Detail: "there is no caller"}
	}
	o := optionsOf(opts)
	for done := 0; ; done++ {
		a := attempt{caller: c, work: w, options: o}
		end, err := a.run(ctx)
		if o.into != nil {
			*o.into = end
		}
		if done >= o.retries || !transient(end) || a.asked() || pause(ctx, done) != nil {
			return err
		}
	}
}

func optionsOf(opts []CallOption) callOptions {
	if len(opts) == 0 {
		return callOptions{} // before o is allocated
	}
	var o callOptions
	for _, option := range opts {
		option(&o)
	}
	return o
}

// run makes the attempt. Its deadline covers all of it, and is set as soon as
// the endpoint and with it the limit is known.
func (a *attempt) run(ctx context.Context) (outcome.Outcome, error) {
	r := a.caller.registry
	local := outcome.Outcome{Endpoint: a.caller.endpoint, Method: a.work.wireName(), Delivery: outcome.NotStarted}
	ctx, cancel := context.WithTimeout(ctx, a.timeout())
	defer cancel()
	if r.refresh(ctx, r.now()) != nil {
		return local, a.refuse(ReasonStore, "the store gave no answer", ctx.Err())
	}
	defer a.release()
	if err := a.pass(ctx, preflight); err != nil {
		return local, err
	}
	if err := a.pass(ctx, again); err != nil {
		a.withdraw(ctx)
		return local, err
	}
	return a.send(ctx)
}

const defaultTimeout = 10 * time.Second

// timeout is the time for the whole of the call.
func (a *attempt) timeout() time.Duration {
	e := a.caller.registry.current.Load().endpoints[a.caller.endpoint]
	if e == nil {
		return defaultTimeout
	}
	if m := e.contract.byName[a.work.wireName()]; m != nil {
		if loaded, err := m.load(); err == nil {
			return limits(e, loaded).Timeout
		}
	}
	return e.limits.Timeout
}

// pass takes the current snapshot and the current time, and then the steps.
func (a *attempt) pass(ctx context.Context, steps []step) error {
	a.snapshot, a.now = a.caller.registry.current.Load(), a.caller.registry.now()
	for _, s := range steps {
		if ctx.Err() != nil {
			return a.refuse(ReasonCanceled, "", ctx.Err())
		}
		if err := s.do(a, ctx); err != nil {
			return err
		}
	}
	return nil
}

func (a *attempt) release() {
	if a.prepared != nil {
		a.prepared.Release()
	}
}

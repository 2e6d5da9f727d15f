package runtime

import (
	"context"
	"errors"
	"time"

	"github.com/openrpc-go/rpcgen/runtime/compiled"
	"github.com/openrpc-go/rpcgen/runtime/effect"
	"github.com/openrpc-go/rpcgen/runtime/policy"
	"github.com/openrpc-go/rpcgen/runtime/store"
)

// MethodStatus is what a principal may know about a method of an endpoint.
type MethodStatus struct {
	Name     string // wire name, the document's word
	ID       string // logical id
	Resource string // what a grant names
	Summary  string // the document's words, untrusted
	Right    effect.Right
	Effect   effect.Effect
	// Decision is allow or ask for a method that the principal may call as far
	// as can be said before its params are known, otherwise deny.
	Decision effect.Decision
	// Reason, Detail and Command say why it is closed and what opens it; only
	// to principals that may inspect.
	Reason  Reason
	Detail  string
	Command string
}

// Methods returns the methods of the endpoint that the principal may know, in
// document order: all for one that may inspect, otherwise those on which it
// holds some right. It contacts nothing, asks no rule, and Explain says more.
func (c *Caller) Methods() []MethodStatus {
	e := c.registry.current.Load().endpoints[c.endpoint]
	if e == nil {
		return nil
	}
	var list []MethodStatus
	for _, name := range e.contract.names {
		if s := c.status(name); s.Reason != ReasonUnknown {
			list = append(list, s)
		}
	}
	return list
}

// beforeParams are the steps that need no params.
var beforeParams = []step{
	{"known", (*attempt).stepKnown},
	{"classified", (*attempt).stepClassified},
	{"right", (*attempt).stepRight},
	{"flow", (*attempt).stepFlow},
}

// status says what Methods says about one method.
func (c *Caller) status(method string) MethodStatus {
	a := c.question(method, nil)
	s := MethodStatus{Name: method, Decision: effect.Deny}
	for _, one := range beforeParams {
		err := one.do(a, context.Background())
		if a.compiled != nil {
			a.describe(&s)
		}
		var refused *RefusedError
		if errors.As(err, &refused) {
			s.Reason, s.Detail, s.Command = refused.Reason, refused.Detail, refused.Command
			return s
		}
	}
	if s.Decision = a.word(); s.Decision != effect.Allow && s.Decision != effect.Ask {
		s.Decision, s.Reason = effect.Deny, ReasonDenied
	}
	return s
}

// question is an attempt that is never made: only steps that send, spend and
// resolve nothing are taken on it.
func (c *Caller) question(method string, params []byte) *attempt {
	r := c.registry
	return &attempt{caller: c, work: &untyped{name: method, input: params}, snapshot: r.current.Load(), now: r.now()}
}

func (a *attempt) describe(s *MethodStatus) {
	m := a.compiled
	s.ID, s.Summary, s.Right, s.Effect = m.ID, m.Summary, m.Authority.Right, m.Authority.Effect
	s.Resource = a.resource()
}

// resource is what a grant of the method names.
func (a *attempt) resource() string {
	return policy.MethodResource(a.endpoint.contract.header.Protocol, a.endpoint.id, a.compiled.ID)
}

// Explanation is the chain of decisions about one call.
type Explanation struct {
	// MethodStatus is where the chain ends. With params its Decision is that of
	// a call with them.
	MethodStatus
	// Steps are those of the path of a call, all of them and in their order; nil
	// for principals that may not inspect.
	Steps []ExplainedStep
}

// ExplainedStep is what one step of the path makes of a call.
type ExplainedStep struct {
	Name    string
	State   StepState
	Reason  Reason // why it refuses
	Detail  string // what was held against what
	Command string // what leads on
	// Voices are those that the decision heard, the amendment's first; the
	// strictest counts.
	Voices []policy.Step
	// Budgets are those that the call comes under.
	Budgets []BudgetState
}

// StepState is what became of a step.
type StepState string

const (
	StepPassed     StepState = "passed"
	StepRefused    StepState = "refused"
	StepAsks       StepState = "asks"        // a person is asked
	StepDepends    StepState = "depends"     // on the params, which were not given
	StepNotReached StepState = "not_reached" // an earlier step refuses, or only a call gets there
)

// BudgetState is what a budget has for a call.
type BudgetState struct {
	Name   string
	Window time.Duration
	Limit  store.Use // 0 bounds nothing
	Used   store.Use // by other calls, reserved or settled
	Takes  store.Use // at most what the call would take
	Spent  bool      // the call does not fit any more
}

// Explain says what would become of a call of the principal, step by step. It
// asks the rules of the host, and sends, spends, asks and resolves nothing. nil
// params are params that are not known yet: what depends on them is said to. A
// principal that may not inspect the endpoint is told where the chain ends and
// nothing else, and the same for a method that does not exist and for one that
// it may not know.
func (c *Caller) Explain(ctx context.Context, method string, params []byte) Explanation {
	e := c.explainer(ctx, method, params)
	switch {
	case e.mayInspect():
		return e.walk(ctx)
	case e.unread != nil:
		return Explanation{MethodStatus: MethodStatus{Name: method, Decision: effect.Deny, Reason: ReasonStore}}
	default:
		return Explanation{MethodStatus: c.status(method)}
	}
}

// Explain is what Caller.Explain says of a principal, with nothing kept back:
// it is the host's view.
func (r *Registry) Explain(ctx context.Context, endpoint string, p Principal, method string, params []byte) (Explanation, error) {
	c, err := r.Caller(endpoint, p)
	if err != nil {
		return Explanation{}, err
	}
	e := c.explainer(ctx, method, params)
	e.host = true
	return e.walk(ctx), nil
}

// explainer walks the path of a call that is not made.
type explainer struct {
	*attempt
	explanation Explanation
	unread      error // why the store's word is not known
	host        bool  // nothing is kept back
	given       bool  // the params are known
	decided     bool  // and so is the decision
}

func (c *Caller) explainer(ctx context.Context, method string, params []byte) *explainer {
	unread := c.registry.refresh(ctx, c.registry.now())
	e := &explainer{attempt: c.question(method, params), unread: unread, given: params != nil}
	e.explanation.MethodStatus = MethodStatus{Name: method, Decision: effect.Deny}
	return e
}

// mayInspect reports whether the principal is told why.
func (e *explainer) mayInspect() bool {
	endpoint := e.snapshot.endpoints[e.caller.endpoint]
	return endpoint != nil && e.caller.grants.Holds(policy.EndpointResource(endpoint.contract.header.Protocol, endpoint.id), effect.RightRead)
}

// walk takes the steps until one refuses.
func (e *explainer) walk(ctx context.Context) Explanation {
	over := false
	for _, name := range pathNames() {
		step := ExplainedStep{Name: name, State: StepNotReached}
		if !over {
			over = e.conclude(&step, explainers[name](e, ctx, &step))
		}
		e.explanation.Steps = append(e.explanation.Steps, step)
	}
	return e.explanation
}

// conclude keeps how a step ended, and reports whether the path ends with it.
func (e *explainer) conclude(step *ExplainedStep, err error) bool {
	status := &e.explanation.MethodStatus
	e.inspector = e.inspector || e.host // steps tell those the reason
	if e.compiled != nil {
		e.describe(status)
		status.Decision = e.standing()
	}
	if err == nil {
		return false
	}
	var refused *RefusedError
	if !errors.As(err, &refused) {
		refused = &RefusedError{Reason: ReasonConfiguration, Detail: "the step ended with an error of another kind"}
	}
	step.State, step.Reason, step.Detail, step.Command = StepRefused, refused.Reason, refused.Detail, refused.Command
	status.Decision, status.Reason, status.Detail, status.Command = effect.Deny, refused.Reason, refused.Detail, refused.Command
	return true
}

// standing is the decision as far as it is known.
func (e *explainer) standing() effect.Decision {
	if e.decided {
		return e.decision.Decision
	}
	if e.compiled.Authority.State != compiled.Open {
		return effect.Deny
	}
	return e.word()
}

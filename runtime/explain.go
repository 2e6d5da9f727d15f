package runtime

import (
	"context"
	"errors"

	"github.com/openrpc-go/rpcgen/runtime/compiled"
	"github.com/openrpc-go/rpcgen/runtime/effect"
	"github.com/openrpc-go/rpcgen/runtime/policy"
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
// holds some right. It contacts nothing.
func (c *Caller) Methods() []MethodStatus {
	e := c.registry.current.Load().endpoints[c.endpoint]
	if e == nil {
		return nil
	}
	var list []MethodStatus
	for _, name := range e.contract.names {
		if s := c.Explain(name); s.Reason != ReasonUnknown {
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

// Explain says what Methods says about one method. It contacts nothing.
func (c *Caller) Explain(method string) MethodStatus {
	a := attempt{caller: c, work: question(method), snapshot: c.registry.current.Load(), now: c.registry.now()}
	s := MethodStatus{Name: method, Decision: effect.Deny}
	for _, one := range beforeParams {
		err := one.do(&a, context.Background())
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

func (a *attempt) describe(s *MethodStatus) {
	m := a.compiled
	s.ID, s.Summary, s.Right, s.Effect = m.ID, m.Summary, m.Authority.Right, m.Authority.Effect
	s.Resource = policy.MethodResource(a.endpoint.contract.header.Protocol, a.endpoint.id, m.ID)
}

// question is the work of a question about a method: it never gets as far as
// params.
type question string

func (q question) wireName() string                      { return string(q) }
func (q question) keepsBody() bool                       { return true }
func (q question) digest() string                        { return "" }
func (q question) notifies(m *compiled.Method) bool      { return m.Notification }
func (q question) params(*method) ([]byte, error)        { return nil, errNoParams }
func (q question) read(*method, []byte, int) (int, bool) { return 0, false }
func (q question) result(*method, []byte) error          { return errNoParams }

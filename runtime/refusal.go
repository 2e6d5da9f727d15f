package runtime

import (
	"errors"

	"github.com/openrpc-go/rpcgen/runtime/policy"
)

// refuse is a refusal that concerns the caller's own call.
func (a *attempt) refuse(r Reason, detail string, cause error) error {
	return &RefusedError{Reason: r, Endpoint: a.caller.endpoint, Method: a.work.wireName(), Detail: detail, cause: cause}
}

// closed is a refusal that concerns the method. Only who may inspect is told
// the reason and the command that leads on; everybody else is denied.
func (a *attempt) closed(r Reason, detail, command string) error {
	if !a.inspector {
		return a.refuse(ReasonDenied, "", nil)
	}
	e := a.refuse(r, detail, nil).(*RefusedError)
	e.Command = "rpcgen " + command + " " + a.endpoint.contract.header.ID + " " + quoteName(a.compiled.Name)
	return e
}

// fits reports why a generated package of a contract cannot use the caller.
func (c *Caller) fits(digest string) error {
	e := c.registry.current.Load().endpoints[c.endpoint]
	refused := &RefusedError{Reason: ReasonUnknown, Endpoint: c.endpoint, Method: "*"}
	if e == nil || !c.holdsAny(e) {
		return refused
	}
	if e.contract.digest != digest {
		refused.Reason = ReasonWrongContract
		return refused
	}
	return nil
}

// holdsAny reports whether the caller holds some right on the endpoint.
func (c *Caller) holdsAny(e *endpoint) bool {
	protocol := e.contract.header.Protocol
	return c.grants.HoldsAny(policy.EndpointResource(protocol, e.id)) ||
		c.grants.HoldsUnder(policy.MethodResource(protocol, e.id, ""))
}

// useError says that Go code uses a method in a way that cannot be meant.
type useError struct{ text string }

func (e *useError) Error() string { return e.text }

var errNoParams = errors.New("the method takes no params")

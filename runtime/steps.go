package runtime

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/openrpc-go/rpcgen/runtime/compiled"
	"github.com/openrpc-go/rpcgen/runtime/effect"
	"github.com/openrpc-go/rpcgen/runtime/policy"
	"github.com/openrpc-go/rpcgen/runtime/store"
)

// stepKnown finds endpoint and method. Whoever holds no right on the method and
// may not inspect is told the same for what does not exist.
func (a *attempt) stepKnown(context.Context) error {
	c, name := a.caller, a.work.wireName()
	unknown := &RefusedError{Reason: ReasonUnknown, Endpoint: c.endpoint, Method: name}
	e := a.snapshot.endpoints[c.endpoint]
	if e == nil {
		return unknown
	}
	protocol := e.contract.header.Protocol
	a.inspector = c.grants.Holds(policy.EndpointResource(protocol, c.endpoint), effect.RightRead)
	m := e.contract.byName[name]
	if m == nil {
		return unknown
	}
	loaded, err := m.load()
	if err != nil {
		if !a.inspector {
			return unknown
		}
		return a.refuse(ReasonConfiguration, err.Error(), nil)
	}
	if !a.inspector && !c.grants.HoldsAny(policy.MethodResource(protocol, c.endpoint, loaded.ID)) {
		return unknown
	}
	if a.endpoint == nil {
		a.endpoint, a.method, a.compiled = e, m, loaded
		return a.checkUse()
	}
	// The second time around, stepSame says whether they are still the same.
	a.endpoint, a.method, a.compiled = e, m, loaded
	return nil
}

// checkUse refuses uses of this package that cannot be meant.
func (a *attempt) checkUse() error {
	if digest := a.work.digest(); digest != "" && digest != a.endpoint.contract.digest {
		return a.refuse(ReasonWrongContract, "the endpoint has another contract than the code was generated for", nil)
	}
	if a.work.notifies(a.compiled) != a.compiled.Notification {
		return a.refuse(ReasonConfiguration, "Notify is for notifications, Call for methods with a result", nil)
	}
	return nil
}

// stepSame refuses a call whose endpoint was replaced since it was taken in.
func (a *attempt) stepSame(context.Context) error {
	if a.endpoint.generation != a.tuple.Generation || a.endpoint.authority != a.tuple.Authority {
		return a.refuse(ReasonMoved, "the endpoint was replaced while the call was prepared", nil)
	}
	return nil
}

// stepClassified wants an open method that nobody closed.
func (a *attempt) stepClassified(context.Context) error {
	authority := &a.compiled.Authority
	switch authority.State {
	case compiled.Open:
	case compiled.Undecided:
		return a.closed(ReasonUnclassified, "the amendment does not decide about it", "review")
	case compiled.Stale:
		return a.closed(ReasonStale, "the contract has moved since it was reviewed", "review")
	case compiled.Refused:
		return a.closed(ReasonRefused, authority.Reason, "explain")
	case compiled.Uncompiled:
		return a.closed(ReasonUncompiled, "the document cannot be compiled here", "explain")
	default:
		return a.closed(ReasonUnclassified, "its state is not known", "review")
	}
	switch {
	case !authority.Effect.Valid() || !authority.Right.Valid():
		return a.closed(ReasonUnclassified, "its effect is not known", "review")
	case slices.Contains(authority.ClosedTo, string(a.caller.kind)):
		return a.closed(ReasonStale, "its result has moved since it was reviewed", "review")
	case len(authority.Unenforced()) > 0:
		return a.closed(ReasonConfiguration, fmt.Sprintf("the amendment asks for %v, which this release does not enforce yet", authority.Unenforced()), "explain")
	case !a.method.until.IsZero() && !a.now.Before(a.method.until):
		return a.closed(ReasonExpired, "the review was valid until "+authority.Until, "review")
	case a.compiled.Notification && !authority.Notify:
		return a.closed(ReasonDenied, "the amendment does not say notification: allow", "review")
	}
	for _, f := range a.snapshot.freezes {
		if f.Covers(a.endpoint.id, a.compiled.Name) {
			return a.closed(ReasonFrozen, f.Reason, "explain")
		}
	}
	return nil
}

// stepRight wants the exact right.
func (a *attempt) stepRight(context.Context) error {
	resource := policy.MethodResource(a.endpoint.contract.header.Protocol, a.endpoint.id, a.compiled.ID)
	if !a.caller.grants.Holds(resource, a.compiled.Authority.Right) {
		return a.closed(ReasonDenied, "the right "+string(a.compiled.Authority.Right)+" on "+resource+" is not granted", "explain")
	}
	retries, reads := a.options.retries, a.compiled.Authority.Effect == effect.Read
	if retries < 0 || retries > 5 || retries > 0 && !reads {
		return a.refuse(ReasonConfiguration, "Retry takes 1 to 5 attempts, and only for reads", nil)
	}
	return nil
}

// stepParams freezes the params as the bytes that will be sent.
func (a *attempt) stepParams(context.Context) error {
	object, err := a.work.params(a.method)
	if err != nil {
		var use *useError
		if errors.As(err, &use) {
			return a.refuse(ReasonConfiguration, use.text, nil)
		}
		return a.refuse(ReasonInvalidParams, err.Error(), err)
	}
	if a.named, a.wire, err = wireParams(a.compiled, object); err != nil {
		return a.refuse(ReasonInvalidParams, err.Error(), err)
	}
	if err := a.keyless(); err != nil {
		return err
	}
	if err := a.tooLarge(); err != nil {
		return err
	}
	a.tuple = store.Tuple{
		Kind: string(a.caller.kind), Principal: a.caller.name, Endpoint: a.endpoint.id, Method: a.compiled.Name,
		Authority: a.endpoint.authority, Generation: a.endpoint.generation,
	}
	return nil
}

// frame is what an envelope needs beside prefix and params.
const frame = len(`,"params":,"id":""}`) + 32

// stepFlow holds the method's labels against the binding's clearance.
func (a *attempt) stepFlow(context.Context) error {
	if err := policy.CheckFlow(a.compiled.Authority.Flow, a.endpoint.clearance); err != nil {
		return a.closed(ReasonFlow, err.Error(), "explain")
	}
	return nil
}

// stepDecision asks the amendment and the rules.
func (a *attempt) stepDecision(ctx context.Context) error {
	authority := &a.compiled.Authority
	a.decision = policy.Decide(ctx, a.amends(), a.endpoint.rules, policy.Query{
		Principal: a.caller.name, Kind: a.caller.kind, Endpoint: a.endpoint.id,
		Method: a.compiled.Name, MethodID: a.compiled.ID,
		Effect: authority.Effect, Right: authority.Right, Flow: authority.Flow, Params: a.wire,
	})
	if a.decision.Decision == effect.Deny {
		return a.closed(ReasonDenied, a.decision.Reason(), "explain")
	}
	return nil
}

// word is the amendment's word for the kind of caller.
func (a *attempt) word() effect.Decision {
	if a.caller.kind == policy.Code {
		return a.compiled.Authority.Code
	}
	return a.compiled.Authority.Agents
}

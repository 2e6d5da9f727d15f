package runtime

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/openrpc-go/rpcgen/runtime/canonical"
	"github.com/openrpc-go/rpcgen/runtime/outcome"
	"github.com/openrpc-go/rpcgen/runtime/store"
)

// Notifier tells people that an approval waits for them. Notify must return at
// once: it stands in the path of the call that asks.
type Notifier interface {
	Notify(a store.Approval)
}

// keys are what digests of params are made with.
type keys struct {
	given []byte // nil: approvals hold plain digests
	used  []byte
}

const minKey = 16

func newKeys(given []byte) keys {
	if len(given) > 0 {
		own := append([]byte(nil), given...)
		return keys{own, own}
	}
	random := make([]byte, sha256.Size)
	rand.Read(random)
	return keys{nil, random}
}

func (k keys) check() error {
	if k.given != nil && len(k.given) < minKey {
		return fmt.Errorf("the key for digests of params is shorter than %d bytes", minKey)
	}
	return nil
}

// digest is the keyed digest of params.
func (k keys) digest(params []byte) string {
	mac := hmac.New(sha256.New, k.used)
	mac.Write([]byte("rpcgen/params/v1\x00"))
	mac.Write(params)
	return "hmac-sha256:" + hex.EncodeToString(mac.Sum(nil))
}

// paramsDigest is what an approval is bound to. Registries that share a store
// must agree about it.
func (r *Registry) paramsDigest(params []byte) string {
	if r.keys.given == nil {
		return canonical.Digest("params", params)
	}
	return r.keys.digest(params)
}

// stepObserve tells every observer what is about to be sent, in their order.
func (a *attempt) stepObserve(ctx context.Context) error {
	r := a.caller.registry
	if len(r.observers) == 0 && !a.records() {
		return nil
	}
	a.event = a.intent()
	for _, o := range r.observers {
		if o.Intent(ctx, *a.event) != nil {
			return a.refuse(ReasonAudit, "an observer did not take the record of the call", ctx.Err())
		}
		a.told++
	}
	return nil
}

func (a *attempt) intent() *outcome.Intent {
	header := &a.endpoint.contract.header
	return &outcome.Intent{
		RequestID: a.requestID, At: a.now, Kind: string(a.caller.kind), Principal: a.caller.name,
		Endpoint: a.endpoint.id, Method: a.compiled.Name, Effect: string(a.compiled.Authority.Effect),
		Decision: string(a.decision.Decision), ApprovalID: a.options.approval,
		Params: a.caller.registry.keys.digest(a.wire), Contract: a.endpoint.contract.digest, Amendment: header.Amendment,
		Authority: a.endpoint.authority, Generation: a.endpoint.generation,
		Bytes: a.size,
	}
}

// tell tells the observers that took the intent how the call ended.
func (a *attempt) tell(ctx context.Context, end outcome.Outcome) error {
	if a.told == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeTime)
	defer cancel()
	var failed error
	for _, o := range a.caller.registry.observers[:a.told] {
		if err := o.Outcome(ctx, *a.event, end.Public()); err != nil {
			failed = err
		}
	}
	return failed
}

// withdraw tells them that nothing will be sent after all.
func (a *attempt) withdraw(ctx context.Context) {
	if a.event == nil {
		return
	}
	a.tell(ctx, outcome.Outcome{
		Endpoint: a.event.Endpoint, Method: a.event.Method, RequestID: a.requestID,
		Code: outcome.Refused, Delivery: outcome.NotStarted,
	})
}

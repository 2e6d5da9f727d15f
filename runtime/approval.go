package runtime

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/openrpc-go/rpcgen/runtime/canonical"
	"github.com/openrpc-go/rpcgen/runtime/effect"
	"github.com/openrpc-go/rpcgen/runtime/envelope"
	"github.com/openrpc-go/rpcgen/runtime/outcome"
	"github.com/openrpc-go/rpcgen/runtime/store"
)

// stepApproval wants, where the decision is to ask, an approval of exactly this
// call, or asks for one. It spends nothing yet.
func (a *attempt) stepApproval(ctx context.Context) error {
	a.requestID = envelope.NewID()
	if a.records() {
		a.tuple.Params = a.caller.registry.paramsDigest(a.wire)
	}
	if !a.asked() {
		a.options.approval = "" // nothing to spend it on
		return nil
	}
	if a.options.approval == "" {
		return a.ask(ctx)
	}
	err := a.caller.registry.store.Check(ctx, a.now, a.consumption())
	if errors.Is(err, store.ErrUndecided) {
		return a.ask(ctx)
	}
	return a.spent(ctx, err)
}

// asked reports whether a person decides about the call.
func (a *attempt) asked() bool { return a.decision.Decision == effect.Ask }

// records reports whether the store gets to know the call: whatever may change
// something, whatever was asked for, and whatever has a budget.
func (a *attempt) records() bool {
	return a.compiled.Authority.Effect != effect.Read || a.asked() || len(a.charges) > 0
}

func (a *attempt) consumption() store.Consumption {
	c := store.Consumption{
		RequestID: a.requestID, ApprovalID: a.options.approval, Tuple: a.tuple, Charges: a.charges,
		Read: a.compiled.Authority.Effect == effect.Read,
	}
	if a.event != nil {
		c.Event = *a.event
	}
	return c
}

// ask asks for an approval, once for any number of identical calls.
func (a *attempt) ask(ctx context.Context) error {
	view, r := a.view(), a.caller.registry
	approval, err := r.store.Request(ctx, a.now, store.Question{
		Tuple: a.tuple, View: view, ViewDigest: canonical.Digest("view", []byte(view)),
		Expires: a.now.Add(r.life),
	})
	if err == nil && approval.New && r.notifier != nil {
		r.notifier.Notify(approval)
	}
	switch {
	case err != nil:
		return a.spent(ctx, err)
	case approval.State == store.Denied:
		return a.refuse(ReasonApprovalDenied, "denied by "+approval.DecidedBy, nil)
	default:
		return &PendingError{approval}
	}
}

// stepConsume spends the approval and writes the intent, in one transaction and
// as the last thing before sending.
func (a *attempt) stepConsume(ctx context.Context) error {
	if a.asked() && a.options.approval == "" {
		return a.ask(ctx) // it was allowed a moment ago
	}
	if !a.records() {
		return nil
	}
	if err := a.caller.registry.store.Consume(ctx, a.now, a.consumption()); err != nil {
		return a.spent(ctx, err)
	}
	a.consumed = true
	return nil
}

// spent maps what a store refuses to what a caller is told.
func (a *attempt) spent(ctx context.Context, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, store.ErrDenied):
		return a.refuse(ReasonApprovalDenied, "", nil)
	case errors.Is(err, store.ErrConsumed):
		return a.refuse(ReasonApprovalSpent, "one approval is for one call", nil)
	case errors.Is(err, store.ErrExpired):
		return a.refuse(ReasonApprovalLate, "ask again", nil)
	case errors.Is(err, store.ErrFrozen):
		return a.closed(ReasonFrozen, "", "explain")
	case errors.Is(err, store.ErrBudget):
		return a.exhausted(err)
	case errors.Is(err, store.ErrMoved):
		a.caller.registry.fresh.Store(0) // look before the next call
		return a.refuse(ReasonMoved, "the endpoint was replaced by another process", nil)
	case errors.Is(err, store.ErrClock):
		return a.refuse(ReasonStore, "the clock is far behind what the store was told before", nil)
	case errors.Is(err, store.ErrTooMany):
		return a.refuse(ReasonBudget, fmt.Sprintf("%d approvals are pending already", store.MaxPending), nil)
	case errors.Is(err, store.ErrNotFound), errors.Is(err, store.ErrMismatch), errors.Is(err, store.ErrEpoch), errors.Is(err, store.ErrUndecided):
		return a.refuse(ReasonApproval, "the approval is not for this call", nil)
	case ctx.Err() != nil:
		return a.refuse(ReasonCanceled, "", ctx.Err())
	default:
		return a.refuse(ReasonStore, "the store gave no answer", nil)
	}
}

// record writes how the call ended. The caller's context may be over by then.
func (a *attempt) record(ctx context.Context, end outcome.Outcome) error {
	if !a.consumed {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeTime)
	defer cancel()
	return a.caller.registry.store.Outcome(ctx, a.caller.registry.now(), end.RequestID, end)
}

// view is the text a person decides about, made from the bytes that will be
// sent, with everything invisible spelled out and nothing left out.
func (a *attempt) view() string {
	authority := &a.compiled.Authority
	var b strings.Builder
	fmt.Fprintf(&b, "principal: %s %s\n", a.caller.kind, quoteName(a.caller.name))
	fmt.Fprintf(&b, "endpoint: %s\n", a.endpoint.id)
	fmt.Fprintf(&b, "method: %s\n", quoteName(a.compiled.Name))
	fmt.Fprintf(&b, "effect: %s, rollback %s\n", authority.Effect, authority.Rollback.Class)
	fmt.Fprintf(&b, "sends: %s, returns: %s\n", authority.Flow.Sends, authority.Flow.Returns)
	if len(a.wire) == 0 {
		b.WriteString("params: none\n")
	} else {
		fmt.Fprintf(&b, "params (%d bytes): %s\n", len(a.wire), visible(string(a.wire)))
	}
	return b.String()
}

// visible spells out every character of canonical JSON that is not plainly
// seen: formatting and bidi marks, private use, unusual spaces. The spelling
// cannot be mistaken for content, because JSON has no \u{.
func visible(text string) string {
	var b strings.Builder
	for _, r := range text {
		if r == ' ' || r != unicode.ReplacementChar && unicode.IsGraphic(r) && !unicode.Is(unicode.Zs, r) && !hidden(r) {
			b.WriteRune(r)
			continue
		}
		fmt.Fprintf(&b, `\u{%04X}`, r)
	}
	return b.String()
}

// hidden reports graphic characters that show nothing of their own.
func hidden(r rune) bool {
	return unicode.Is(unicode.Variation_Selector, r) || unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) ||
		unicode.Is(unicode.Cf, r) || r == 0x2800
}

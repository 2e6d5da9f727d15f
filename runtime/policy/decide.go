package policy

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/openrpc-go/rpcgen/runtime/effect"
)

// Query is a call to be decided about. Params must not be changed.
type Query struct {
	Principal string
	Kind      Kind
	Endpoint  string
	Method    string // wire name
	MethodID  string // logical id
	Effect    effect.Effect
	Right     effect.Right
	Flow      effect.Flow
	Params    []byte // canonical JSON as it will be sent; empty: left out
}

// Verdict is one voice about a call.
type Verdict struct {
	Decision effect.Decision
	Reason   string
}

// Rule is a rule of the host. Its voice can only tighten what the amendment
// says. Name and Version stand for it in authority digests: change Version
// when Decide changes. Decide is asked twice for a call, the second time right
// before sending, and also for calls that are only explained; it must change
// nothing and not need the network.
type Rule struct {
	Name, Version string
	Decide        func(context.Context, Query) (Verdict, error)
}

// Step is one voice that was heard, in order.
type Step struct {
	Source   string // "amendment", "flow", or a rule's name
	Decision effect.Decision
	Reason   string
}

// Decision is the whole of a decision: the strictest voice and all that were
// heard. The zero Decision denies.
type Decision struct {
	Decision effect.Decision
	Steps    []Step
}

// Reason says what made the decision as strict as it is.
func (d Decision) Reason() string {
	for _, s := range d.Steps {
		if s.Decision == d.Decision {
			return s.Source + ": " + s.Reason
		}
	}
	return "nothing was heard"
}

// CheckRules reports a rule that cannot be named or asked.
func CheckRules(rules []Rule) error {
	for i, r := range rules {
		if strings.TrimSpace(r.Name) == "" || r.Decide == nil {
			return fmt.Errorf("rule %d has no name or nothing to decide with", i)
		}
	}
	return nil
}

// Decide asks the amendment's word and then every rule, unless a denial came
// before. An error and an invalid decision deny.
func Decide(ctx context.Context, amendment Verdict, rules []Rule, q Query) Decision {
	d := Decision{Decision: effect.Allow}
	d.hear("amendment", amendment)
	for _, r := range rules {
		if d.Decision == effect.Deny {
			break
		}
		own := q
		own.Params = slices.Clone(q.Params)
		v, err := r.Decide(ctx, own)
		if err != nil {
			v = Verdict{effect.Deny, "the rule failed"}
		}
		d.hear(r.Name, v)
	}
	return d
}

func (d *Decision) hear(source string, v Verdict) {
	if !v.Decision.Valid() {
		v = Verdict{effect.Deny, "no valid decision was given"}
	}
	d.Decision = effect.Stricter(d.Decision, v.Decision)
	d.Steps = append(d.Steps, Step{source, v.Decision, v.Reason})
}

// CheckFlow holds what a method sends and returns against the clearance of a
// binding. An invalid label on either side is refused; an empty clearance is
// confidential.
func CheckFlow(f effect.Flow, clearance effect.Label) error {
	if clearance == "" {
		clearance = effect.Confidential
	}
	if !f.Sends.Valid() || !f.Returns.Valid() || !clearance.Valid() {
		return fmt.Errorf("a flow label is not public, internal, confidential or secret")
	}
	if f.Sends.Rank() > clearance.Rank() {
		return fmt.Errorf("the method sends %s, the endpoint is cleared for %s", f.Sends, clearance)
	}
	if f.Returns.Rank() > clearance.Rank() {
		return fmt.Errorf("the method returns %s, the endpoint is cleared for %s", f.Returns, clearance)
	}
	return nil
}

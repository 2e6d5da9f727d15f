package runtime

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/openrpc-go/rpcgen/runtime/effect"
	"github.com/openrpc-go/rpcgen/runtime/policy"
)

// snapshotStep is what a call does before the first step of its path.
const snapshotStep = "snapshot"

// pathNames are the names of all steps of a call, each where it comes first.
func pathNames() []string {
	names := []string{snapshotStep}
	for _, s := range slices.Concat(preflight, again) {
		if !slices.Contains(names, s.name) {
			names = append(names, s.name)
		}
	}
	return names
}

// explainers say of every step what it makes of the call. They take the step
// itself where it changes nothing.
var explainers = map[string]func(*explainer, context.Context, *ExplainedStep) error{
	snapshotStep: (*explainer).explainSnapshot,
	"known":      (*explainer).explainKnown,
	"classified": (*explainer).explainClassified,
	"right":      (*explainer).explainRight,
	"params":     (*explainer).explainParams,
	"flow":       (*explainer).explainFlow,
	"decision":   (*explainer).explainDecision,
	"budget":     (*explainer).explainBudget,
	"approval":   (*explainer).explainApproval,
	"prepare":    (*explainer).explainPrepare,
	"same":       later("the endpoint must not have been replaced meanwhile; what was decided is decided again"),
	"observe":    later("the observers are told before the first byte"),
	"consume":    later("approval, budgets and intent are written in one transaction"),
}

func later(detail string) func(*explainer, context.Context, *ExplainedStep) error {
	return func(_ *explainer, _ context.Context, step *ExplainedStep) error {
		step.Detail = "only a call gets there: " + detail
		return nil
	}
}

// passed is a step that lets the call on.
func (s *ExplainedStep) passed(format string, values ...any) error {
	s.State, s.Detail = StepPassed, fmt.Sprintf(format, values...)
	return nil
}

// depends is a step that lets some calls on.
func (s *ExplainedStep) depends(format string, values ...any) error {
	s.State, s.Detail = StepDepends, fmt.Sprintf(format, values...)
	return nil
}

func (e *explainer) explainSnapshot(ctx context.Context, step *ExplainedStep) error {
	switch {
	case ctx.Err() != nil:
		return e.refuse(ReasonCanceled, "", ctx.Err())
	case e.unread != nil:
		return e.refuse(ReasonStore, "the store gave no answer", nil)
	}
	return step.passed("freezes and generations are those of the store")
}

// explainKnown tells the host which of the things is not there that a principal
// is told the same about.
func (e *explainer) explainKnown(ctx context.Context, step *ExplainedStep) error {
	err := e.stepKnown(ctx)
	if err == nil {
		how := "the principal may inspect the endpoint"
		if !e.inspector {
			how = "the principal holds a right on " + e.resource()
		}
		return step.passed("%s", how)
	}
	if refused, ok := err.(*RefusedError); ok && e.host && refused.Reason == ReasonUnknown {
		refused.Detail = e.whyUnknown()
	}
	return err
}

func (e *explainer) whyUnknown() string {
	endpoint := e.snapshot.endpoints[e.caller.endpoint]
	if endpoint == nil {
		return "there is no such endpoint"
	}
	m := endpoint.contract.byName[e.work.wireName()]
	if m == nil {
		return "the contract has no such method"
	}
	loaded, err := m.load()
	if err != nil {
		return err.Error()
	}
	protocol := endpoint.contract.header.Protocol
	return fmt.Sprintf("the principal holds neither a right on %s nor read on %s",
		policy.MethodResource(protocol, endpoint.id, loaded.ID), policy.EndpointResource(protocol, endpoint.id))
}

func (e *explainer) explainClassified(ctx context.Context, step *ExplainedStep) error {
	if err := e.stepClassified(ctx); err != nil {
		return err
	}
	until := "without a last day"
	if day := e.compiled.Authority.Until; day != "" {
		until = "reviewed until " + day
	}
	return step.passed("%s, %s, not frozen", e.compiled.Authority.Effect, until)
}

func (e *explainer) explainRight(ctx context.Context, step *ExplainedStep) error {
	if err := e.stepRight(ctx); err != nil {
		return err
	}
	return step.passed("%s on %s is granted", e.compiled.Authority.Right, e.resource())
}

// explainParams takes the step for a method without params too: then they are
// known.
func (e *explainer) explainParams(ctx context.Context, step *ExplainedStep) error {
	e.given = e.given || e.compiled.ParamsNode == nil
	if !e.given {
		return step.depends("they are not known yet")
	}
	if err := e.stepParams(ctx); err != nil {
		return err
	}
	return step.passed("they fit their schema; the request takes at most %d of %d bytes", e.requestSize(), limits(e.endpoint, e.compiled).Request)
}

func (e *explainer) explainFlow(ctx context.Context, step *ExplainedStep) error {
	if err := e.stepFlow(ctx); err != nil {
		return err
	}
	flow := e.compiled.Authority.Flow
	return step.passed("sends %s, returns %s; the endpoint is cleared for %s", flow.Sends, flow.Returns, e.endpoint.clearance)
}

// explainDecision hears who can be heard: with unknown params neither allow_if
// nor the rules, unless the amendment denies whatever they say.
func (e *explainer) explainDecision(ctx context.Context, step *ExplainedStep) error {
	selective := e.compiled.Authority.AllowIf != nil && e.caller.kind == policy.Agent
	denied := !selective && effect.Stricter(e.word(), effect.Allow) == effect.Deny
	if !e.given && !denied && (selective || len(e.endpoint.rules) > 0) {
		return step.depends("%s", e.unheard(selective))
	}
	err := e.stepDecision(ctx)
	e.decided, step.Voices = true, e.decision.Steps
	if err != nil {
		return err
	}
	return step.passed("%s, by %s", e.decision.Decision, e.decision.Reason())
}

// unheard says who has a voice once the params are known.
func (e *explainer) unheard(selective bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "amendment: %s for %s", e.word(), e.caller.kind)
	if selective {
		b.WriteString(", allow with params that allow_if admits")
	}
	for _, r := range e.endpoint.rules {
		fmt.Fprintf(&b, "; then %s", r.Name)
	}
	return b.String()
}

func (e *explainer) explainBudget(ctx context.Context, step *ExplainedStep) error {
	e.charges = e.allCharges()
	if len(e.charges) == 0 {
		return step.passed("no budget bounds it")
	}
	used, err := e.caller.registry.store.Used(ctx, e.now, e.charges)
	if err != nil {
		return e.spent(ctx, err)
	}
	spent, bySize := "", false
	for i, c := range e.charges {
		fits := c.Fits(used[i])
		step.Budgets = append(step.Budgets, BudgetState{c.Name, c.Window, c.Limit, used[i], c.Use, !fits})
		if !fits && spent == "" {
			spent = fmt.Sprintf("the budget %q for %s is spent", c.Name, c.Window)
		}
		bySize = bySize || c.Limit.Sent > 0
	}
	switch {
	case spent != "":
		return e.refuse(ReasonBudget, spent, nil)
	case bySize && !e.given:
		return step.depends("there is room for the smallest call")
	default:
		return step.passed("there is room for the call")
	}
}

func (e *explainer) explainApproval(_ context.Context, step *ExplainedStep) error {
	switch {
	case !e.decided:
		return step.depends("a person is asked where the decision is ask")
	case e.asked():
		step.State, step.Detail = StepAsks, "a person is asked about exactly these params, unless an approval is given"
		return nil
	default:
		return step.passed("nobody is asked")
	}
}

func (e *explainer) explainPrepare(_ context.Context, step *ExplainedStep) error {
	if e.endpoint.transport == nil {
		return e.refuse(ReasonConfiguration, "the endpoint is not bound to a server", nil)
	}
	step.Detail = "only a call gets there: secrets and addresses are looked up"
	return nil
}

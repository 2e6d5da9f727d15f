package runtime

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/openrpc-go/rpcgen/runtime/compiled"
	"github.com/openrpc-go/rpcgen/runtime/effect"
	"github.com/openrpc-go/rpcgen/runtime/schema"
	"github.com/openrpc-go/rpcgen/runtime/store"
)

func TestMethods(t *testing.T) {
	r, c := setup(t, source(nil), trap(t), agent("bot"), Options{})
	want := []struct {
		name     string
		decision effect.Decision
		reason   Reason
	}{
		{"invoice.get", effect.Allow, ""}, {"invoice.pay", effect.Ask, ""}, {"ping", effect.Allow, ""},
		{"range", effect.Allow, ""}, {"note", effect.Allow, ""}, {"undecided", effect.Deny, ReasonUnclassified},
	}
	list := c.Methods()
	if len(list) != len(want) {
		t.Fatalf("Methods() = %+v", list)
	}
	for i, w := range want {
		if m := list[i]; m.Name != w.name || m.Decision != w.decision || m.Reason != w.reason || m.Resource != "jsonrpc:billing:"+m.ID {
			t.Errorf("got %+v, want %+v", m, w)
		}
	}
	other, err := r.Caller("other", agent("bot"))
	if err != nil || other.Methods() != nil {
		t.Errorf("an unknown endpoint has methods, or %v", err)
	}
}

// The chain has every step of the path, in its order, and an explanation of
// each: a step that is added to the path is not left out.
func TestExplainKnowsEveryStep(t *testing.T) {
	want := []string{snapshotStep}
	for _, s := range append(slices.Clone(preflight), again...) {
		if !slices.Contains(want, s.name) {
			want = append(want, s.name)
		}
		if explainers[s.name] == nil {
			t.Errorf("the step %q is not explained", s.name)
		}
	}
	_, c := setup(t, source(nil), trap(t), agent("bot"), Options{})
	var got []string
	for _, s := range c.Explain(t.Context(), "ping", nil).Steps {
		got = append(got, s.Name)
	}
	if !slices.Equal(got, want) {
		t.Errorf("the chain is %v, want %v", got, want)
	}
}

// chainText is the chain as a person reads it.
func chainText(x Explanation) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s %s %s\n", x.Name, x.Decision, x.Reason, x.Detail)
	for _, s := range x.Steps {
		fmt.Fprintln(&b, strings.TrimRight(fmt.Sprintf("%-10s %-11s %s %s", s.Name, s.State, s.Reason, s.Detail), " "))
		for _, v := range s.Voices {
			fmt.Fprintf(&b, "           %s: %s, %s\n", v.Source, v.Decision, v.Reason)
		}
		for _, l := range s.Budgets {
			fmt.Fprintf(&b, "           %s/%s: calls %d of %d, takes %d, spent %v\n", l.Name, l.Window, l.Used.Calls, l.Limit.Calls, l.Takes.Calls, l.Spent)
		}
	}
	return b.String()
}

// rest is the end of a chain that got as far as a call can be explained.
const rest = `prepare    not_reached  only a call gets there: secrets and addresses are looked up
same       not_reached  only a call gets there: the endpoint must not have been replaced meanwhile; what was decided is decided again
observe    not_reached  only a call gets there: the observers are told before the first byte
consume    not_reached  only a call gets there: approval, budgets and intent are written in one transaction
`

// The whole chain, in cases that show one step each.
func TestExplain(t *testing.T) {
	voice := func(name string, d effect.Decision, reason string) Rule {
		return Rule{Name: name, Version: "1", Decide: func(context.Context, Query) (Verdict, error) { return Verdict{Decision: d, Reason: reason}, nil }}
	}
	const start = `snapshot   passed       freezes and generations are those of the store
known      passed       the principal may inspect the endpoint
`
	rows := []struct {
		name, method, params string
		edit                 func(map[string]*compiled.Method)
		bind                 func(*Binding)
		act                  func(*testing.T, *Registry)
		want                 string
	}{
		{"open", "ping", "", nil, nil, nil, `ping allow  ` + "\n" + start +
			`classified passed       read, without a last day, not frozen
right      passed       read on jsonrpc:billing:ping is granted
params     passed       they fit their schema; the request takes at most 83 of 65536 bytes
flow       passed       sends confidential, returns confidential; the endpoint is cleared for confidential
decision   passed       allow, by amendment: for agent
           amendment: allow, for agent
budget     passed       no budget bounds it
approval   passed       nobody is asked
` + rest},
		{"params unknown", "invoice.pay", "", nil, func(b *Binding) {
			b.Rules = []Rule{voice("hours", effect.Deny, "at night")}
			b.Budgets = []Budget{{Name: "small", Window: time.Hour, Calls: 3, Sent: 1000}}
		}, nil, `invoice.pay ask  ` + "\n" + start +
			`classified passed       write, without a last day, not frozen
right      passed       write on jsonrpc:billing:invoice_pay is granted
params     depends      they are not known yet
flow       passed       sends confidential, returns confidential; the endpoint is cleared for confidential
decision   depends      amendment: ask for agent; then hours
budget     depends      there is room for the smallest call
           small/1h0m0s: calls 0 of 3, takes 1, spent false
approval   depends      a person is asked where the decision is ask
` + rest},
		{"the strictest voice", "invoice.pay", `{"id":"a","amount":1}`, nil, func(b *Binding) {
			b.Rules = []Rule{voice("first", effect.Allow, "fine"), voice("hours", effect.Deny, "at night"), voice("third", effect.Deny, "never heard")}
		}, nil, `invoice.pay deny denied hours: at night` + "\n" + start +
			`classified passed       write, without a last day, not frozen
right      passed       write on jsonrpc:billing:invoice_pay is granted
params     passed       they fit their schema; the request takes at most 111 of 65536 bytes
flow       passed       sends confidential, returns confidential; the endpoint is cleared for confidential
decision   refused     denied hours: at night
           amendment: ask, for agent
           first: allow, fine
           hours: deny, at night
budget     not_reached
approval   not_reached
prepare    not_reached
same       not_reached
observe    not_reached
consume    not_reached
`},
		{"a spent budget and an ask", "invoice.pay", `{"id":"a","amount":1}`, nil, func(b *Binding) {
			b.Budgets = []Budget{{Name: "small", Window: time.Hour, Calls: 1}}
		}, func(t *testing.T, r *Registry) {
			c := caller(t, r, code("x"))
			if _, err := c.Do(t.Context(), "invoice.pay", []byte(`{"id":"b","amount":1}`)); Delivery(err) != "unknown" {
				t.Fatal(err) // it is dropped, and counts
			}
		}, `invoice.pay deny budget the budget "small" for 1h0m0s is spent` + "\n" + start +
			`classified passed       write, without a last day, not frozen
right      passed       write on jsonrpc:billing:invoice_pay is granted
params     passed       they fit their schema; the request takes at most 111 of 65536 bytes
flow       passed       sends confidential, returns confidential; the endpoint is cleared for confidential
decision   passed       ask, by amendment: for agent
           amendment: ask, for agent
budget     refused     budget the budget "small" for 1h0m0s is spent
           small/1h0m0s: calls 1 of 1, takes 1, spent true
approval   not_reached
prepare    not_reached
same       not_reached
observe    not_reached
consume    not_reached
`},
		{"asks", "invoice.pay", `{"id":"a","amount":1}`, func(m map[string]*compiled.Method) {
			m["invoice.pay"].Authority.Until = "2026-12-31"
		}, nil, nil, `invoice.pay ask  ` + "\n" + start +
			`classified passed       write, reviewed until 2026-12-31, not frozen
right      passed       write on jsonrpc:billing:invoice_pay is granted
params     passed       they fit their schema; the request takes at most 111 of 65536 bytes
flow       passed       sends confidential, returns confidential; the endpoint is cleared for confidential
decision   passed       ask, by amendment: for agent
           amendment: ask, for agent
budget     passed       no budget bounds it
approval   asks         a person is asked about exactly these params, unless an approval is given
` + rest},
		{"frozen", "ping", "", nil, nil, func(t *testing.T, r *Registry) {
			if err := r.store.Freeze(t.Context(), store.Freeze{Endpoint: "billing", Reason: "incident 7"}); err != nil {
				t.Fatal(err) // by another registry
			}
		}, `ping deny frozen incident 7` + "\n" + start +
			`classified refused     frozen incident 7
right      not_reached
params     not_reached
flow       not_reached
decision   not_reached
budget     not_reached
approval   not_reached
prepare    not_reached
same       not_reached
observe    not_reached
consume    not_reached
`},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			b := trap(t)
			if row.act != nil {
				b = serve(t, result(`broken`)).binding()
				b.Limits.Timeout = 5 * time.Second
			}
			if row.bind != nil {
				row.bind(&b)
			}
			clock := newClock()
			r, c := setup(t, source(row.edit), b, agent("bot"), Options{Now: clock.now})
			if row.act != nil {
				row.act(t, r)
			}
			clock.advance(2 * freezeAge)
			var params []byte
			if row.params != "" {
				params = []byte(row.params)
			}
			if diff := cmp.Diff(row.want, chainText(c.Explain(t.Context(), row.method, params))); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
			if list, err := r.Pending(t.Context()); err != nil || len(list) != 0 {
				t.Errorf("somebody was asked: %+v, %v", list, err)
			}
		})
	}
}

// Who may not inspect is told where it ends and no step, and nothing that tells
// what it may not know from what is not there. The host is told all of it.
func TestExplainIsForInspectors(t *testing.T) {
	asked := 0
	b := trap(t)
	b.Rules = []Rule{{Name: "counts", Version: "1", Decide: func(context.Context, Query) (Verdict, error) { asked++; return Verdict{Decision: effect.Allow}, nil }}}
	r, _ := setup(t, source(nil), b, code("x"), Options{})
	stranger := Principal{Name: "x", Kind: Agent, Grants: []Grant{{Resource: "jsonrpc:other:*", Rights: []effect.Right{effect.RightRead}}}}
	c := caller(t, r, stranger)
	forbidden, unknown := c.Explain(t.Context(), "ping", nil), c.Explain(t.Context(), "nowhere", nil)
	forbidden.Name = unknown.Name
	if !reflect.DeepEqual(forbidden, unknown) || unknown.Reason != ReasonUnknown || unknown.Decision != effect.Deny || unknown.Steps != nil || unknown.ID != "" {
		t.Errorf("forbidden %+v, unknown %+v", forbidden, unknown)
	}
	blind := Principal{Name: "x", Kind: Agent, Grants: Full("billing")[2:]}
	x := caller(t, r, blind).Explain(t.Context(), "undecided", nil)
	if x.Steps != nil || x.Reason != ReasonDenied || x.Detail+x.Command != "" {
		t.Errorf("not inspecting: %+v", x)
	}
	if x := caller(t, r, blind).Explain(t.Context(), "ping", []byte("{}")); x.Steps != nil || x.Decision != effect.Allow || asked != 0 {
		t.Errorf("not inspecting: %+v, the rule was asked %d times", x, asked)
	}
	for method, want := range map[string]string{
		"ping":    "the principal holds neither a right on jsonrpc:billing:ping nor read on jsonrpc_endpoint:billing",
		"nowhere": "the contract has no such method",
	} {
		x, err := r.Explain(t.Context(), "billing", stranger, method, nil)
		if err != nil || x.Reason != ReasonUnknown || x.Steps[1].Detail != want || x.Steps[1].State != StepRefused || x.Steps[2].State != StepNotReached {
			t.Errorf("%s, for the host: %+v, %v", method, x, err)
		}
	}
	if x, err := r.Explain(t.Context(), "other", stranger, "ping", nil); err != nil || x.Steps[1].Detail != "there is no such endpoint" {
		t.Errorf("for the host: %+v, %v", x, err)
	}
	if x, err := r.Explain(t.Context(), "billing", blind, "undecided", nil); err != nil || x.Reason != ReasonUnclassified || x.Command == "" {
		t.Errorf("for the host: %+v, %v", x, err)
	}
	if _, err := r.Explain(t.Context(), "billing", Principal{}, "ping", nil); err == nil {
		t.Error("nobody is a principal")
	}
}

func TestExplainWithoutAStore(t *testing.T) {
	f := &failing{Store: store.NewMemory()}
	clock := newClock()
	r, c := setup(t, source(nil), trap(t), agent("bot"), Options{Store: f, Now: clock.now})
	clock.advance(2 * freezeAge)
	f.freezes = true
	x, err := r.Explain(t.Context(), "billing", agent("bot"), "ping", nil)
	if err != nil || x.Decision != effect.Deny || x.Reason != ReasonStore || x.Steps[0].State != StepRefused || x.Steps[1].State != StepNotReached || strings.Contains(fmt.Sprint(x), "SECRET") {
		t.Errorf("%+v, %v", x, err)
	}
	blind := caller(t, r, Principal{Name: "x", Kind: Agent, Grants: Full("billing")[2:]})
	if x := blind.Explain(t.Context(), "ping", nil); x.Decision != effect.Deny || x.Reason != ReasonStore || x.ID != "" {
		t.Errorf("not inspecting: %+v", x)
	}
	f.freezes = false
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if x := c.Explain(ctx, "ping", nil); x.Decision != effect.Deny || x.Reason != ReasonCanceled {
		t.Errorf("canceled: %+v", x)
	}
}

// What Explain says of params that are known is what becomes of the call, and
// without them it says nothing that the call contradicts.
func TestExplainAgreesWithCalls(t *testing.T) {
	s := serve(t, result(`true`))
	const configurations = 400
	seen := map[string]int{}
	for seed := range uint64(configurations) {
		random := rand.New(rand.NewPCG(seed, 3))
		one := func(n int) bool { return random.IntN(n) == 0 }
		src := source(func(all map[string]*compiled.Method) {
			a := &all["invoice.pay"].Authority
			a.State = pick(random, compiled.Open, compiled.Open, compiled.Open, compiled.Open, compiled.Stale, compiled.Undecided, compiled.Refused)
			a.Code, a.Agents = pick(random, effect.Allow, effect.Ask, effect.Deny, effect.Allow), pick(random, effect.Allow, effect.Ask, effect.Deny, "")
			a.Right = pick(random, effect.RightWrite, effect.RightExecute)
			a.Flow.Returns = pick(random, effect.Public, effect.Confidential, effect.Secret)
			a.Until = pick(random, "", "2026-12-31", "2026-12-31", "2026-11-30")
			if one(4) {
				a.Budget = &compiled.Budget{Calls: 1, Seconds: 60}
			}
			if one(4) {
				a.AllowIf = &schema.Node{ID: "pay/allow_if", Types: schema.TypeObject, Object: &schema.ObjectRules{
					Properties: []schema.Property{may("amount", &schema.Node{ID: "pay/allow_if/amount", Number: &schema.NumberRules{Maximum: "50"}})},
				}}
			}
		})
		b := s.binding()
		if one(12) {
			b.URL = ""
		}
		b.Clearance = pick(random, effect.Confidential, effect.Secret, effect.Public)
		for i := range random.IntN(3) {
			verdict := Verdict{Decision: pick(random, effect.Allow, effect.Allow, effect.Ask, effect.Deny, "perhaps"), Reason: "so it is"}
			b.Rules = append(b.Rules, Rule{Name: fmt.Sprint("r", i), Version: "1", Decide: func(context.Context, Query) (Verdict, error) { return verdict, nil }})
		}
		if one(5) {
			b.Budgets = []Budget{{Name: "bytes", Window: time.Hour, Sent: int64(pick(random, 80, 120, 1000))}}
		}
		r, _ := setup(t, src, b, code("x"), Options{Now: newClock().now})
		if one(8) {
			r.Freeze(t.Context(), "billing", pick(random, "", "invoice.pay", "ping"), "incident")
		}
		p := Principal{Name: "x", Kind: pick(random, Agent, Code), Grants: Full("billing")}
		if one(4) {
			p.Grants = append(p.Grants[:1:1], Grant{Resource: "jsonrpc:billing:*", Rights: []effect.Right{effect.RightRead}})
		}
		c := caller(t, r, p)
		params := []byte(pick(random, `{"id":"a","amount":1}`, `{"id":"a","amount":77}`, `{"id":"a","amount":0}`, `[]`))
		for range 2 {
			blind, known := c.Explain(t.Context(), "invoice.pay", nil), c.Explain(t.Context(), "invoice.pay", params)
			before := s.requests.Load()
			_, err := c.Do(t.Context(), "invoice.pay", params)
			var refused *RefusedError
			var pending *PendingError
			got := "sent"
			switch {
			case errors.As(err, &refused):
				got = string(refused.Reason)
				if known.Reason != refused.Reason || known.Detail != refused.Detail || known.Command != refused.Command || known.Decision != effect.Deny {
					t.Fatalf("seed %d: the call ends with %v, explained:\n%s", seed, err, chainText(known))
				}
			case errors.As(err, &pending):
				got = "pending"
				unbound := known.Reason == ReasonConfiguration && b.URL == "" // which is seen once it is approved
				if !unbound && (known.Decision != effect.Ask || known.Reason != "") || !slices.ContainsFunc(known.Steps, func(s ExplainedStep) bool { return s.State == StepAsks }) {
					t.Fatalf("seed %d: the call ends with %v, explained:\n%s", seed, err, chainText(known))
				}
			case err != nil:
				t.Fatal(err)
			case known.Decision != effect.Allow || known.Reason != "" || s.requests.Load() != before+1:
				t.Fatalf("seed %d: it was sent, explained:\n%s", seed, chainText(known))
			}
			seen[got]++
			for i, step := range blind.Steps {
				closes := step.State == StepRefused && known.Steps[i].State != StepRefused && known.Steps[i].State != StepNotReached
				if closes || step.State == StepPassed && known.Steps[i].State == StepRefused {
					t.Fatalf("seed %d: without params\n%swith\n%s", seed, chainText(blind), chainText(known))
				}
			}
		}
	}
	for _, want := range []Reason{"sent", "pending", ReasonStale, ReasonUnclassified, ReasonRefused, ReasonExpired, ReasonFrozen, ReasonDenied, ReasonInvalidParams, ReasonFlow, ReasonBudget, ReasonConfiguration} {
		if seen[string(want)] == 0 {
			t.Errorf("no configuration ends with %q: %v", want, seen)
		}
	}
}

func pick[T any](random *rand.Rand, list ...T) T { return list[random.IntN(len(list))] }

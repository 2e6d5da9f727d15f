package runtime

import (
	"context"
	"errors"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/openrpc-go/rpcgen/runtime/compiled"
	"github.com/openrpc-go/rpcgen/runtime/effect"
	"github.com/openrpc-go/rpcgen/runtime/outcome"
	"github.com/openrpc-go/rpcgen/runtime/policy"
	"github.com/openrpc-go/rpcgen/runtime/schema"
	"github.com/openrpc-go/rpcgen/runtime/store"
)

// testEveryStepInItsOrder starts with a call in which everything is wrong and
// mends one thing after the other. Each time the next step of the path objects,
// and nothing is sent before the last.
func testEveryStepInItsOrder(t *testing.T) {
	s := serve(t, result(`true`))
	open := source(func(m map[string]*compiled.Method) { m["invoice.pay"].Authority.Flow.Sends = effect.Secret })
	closed := source(func(m map[string]*compiled.Method) {
		m["invoice.pay"].Authority = compiled.Authority{State: compiled.Stale}
	})
	clock := newClock()
	r := NewRegistry(Options{Now: clock.now, ApprovalLife: time.Minute})
	defer r.Close()

	contract, grants, input := closed, Full("billing")[:1], `{"id":"a","amount":0}`
	binding := s.binding()
	binding.Headers = []Header{{Name: "Authorization", Prefix: "Bearer ", Value: FromEnv("RPCGEN_TEST_STEPS")}}
	verdict := policy.Verdict{Decision: effect.Deny, Reason: "not today"}
	binding.Rules = []Rule{{Name: "host", Version: "1", Decide: func(context.Context, policy.Query) (policy.Verdict, error) { return verdict, nil }}}
	binding.Clearance = effect.Internal
	var options []CallOption
	var approval store.Approval

	replace := func() {
		if err := r.Replace("billing", load(t, contract), binding); err != nil {
			t.Fatal(err)
		}
	}
	steps := []struct {
		want Reason // "" is pending, "sent" is success
		mend func()
	}{
		{ReasonUnknown, func() {
			if err := r.Register("billing", load(t, contract), binding); err != nil {
				t.Fatal(err)
			}
		}},
		{ReasonStale, func() { contract = open; replace() }},
		{ReasonDenied, func() { grants = Full("billing") }},
		{ReasonInvalidParams, func() { input = `{"amount": 5e0, "id":"a"}` }},
		{ReasonFlow, func() { binding.Clearance = effect.Secret; replace() }},
		{ReasonDenied, func() { verdict = policy.Verdict{Decision: effect.Allow} }},
		{"", func() {
			pending, err := r.Pending(t.Context())
			if err != nil || len(pending) != 1 {
				t.Fatalf("pending: %v, %v", pending, err)
			}
			approval = pending[0]
			options = []CallOption{WithApproval("another")}
		}},
		{ReasonApproval, func() { options = []CallOption{WithApproval(approval.ID)} }},
		{"", func() {
			if _, err := r.Decide(t.Context(), store.Decision{ID: approval.ID, By: "alice", Approve: true, ViewDigest: approval.ViewDigest}); err != nil {
				t.Fatal(err)
			}
		}},
		{ReasonConfiguration, func() { os.Setenv("RPCGEN_TEST_STEPS", "token") }}, // the approval is not burnt
		{"sent", func() {}},
		{ReasonApprovalSpent, func() {}},
	}
	t.Setenv("RPCGEN_TEST_STEPS", "x")
	os.Unsetenv("RPCGEN_TEST_STEPS")
	for i, step := range steps {
		c := caller(t, r, Principal{Name: "bot", Kind: Agent, Grants: grants})
		got, err := c.Do(t.Context(), "invoice.pay", []byte(input), options...)
		var pending *PendingError
		switch {
		case step.want == "sent":
			if err != nil || string(got) != "true" || s.requests.Load() != 1 || s.last(t) != `{"amount":5,"id":"a"}` {
				t.Fatalf("step %d: got %s, %v after %d requests", i, got, err, s.requests.Load())
			}
		case step.want == "" && !errors.As(err, &pending), step.want != "" && !errors.Is(err, step.want):
			t.Fatalf("step %d: got %v, want %q", i, err, step.want)
		}
		if i < len(steps)-2 && s.requests.Load() > 0 {
			t.Fatalf("step %d: something was sent", i)
		}
		step.mend()
	}
	var names []string
	for _, step := range append(slices.Clone(preflight), again...) {
		names = append(names, step.name)
	}
	const want = "known classified right params flow decision budget approval prepare known same classified right flow decision observe consume"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("the path is\n%s, want\n%s", got, want)
	}
}

// Whatever moves while secrets are resolved is seen before anything is sent,
// and burns no approval.
func testSecondLook(t *testing.T) {
	rows := []struct {
		name string
		move func(t *testing.T, r *Registry, b Binding)
		want Reason
	}{
		{"replaced by the same", func(t *testing.T, r *Registry, b Binding) { r.Replace("billing", load(t, source(nil)), b) }, ReasonMoved},
		{"replaced by a closed one", func(t *testing.T, r *Registry, b Binding) {
			r.Replace("billing", load(t, source(func(m map[string]*compiled.Method) { m["invoice.pay"].Authority.State = compiled.Stale })), b)
		}, ReasonMoved},
		{"unregistered", func(t *testing.T, r *Registry, b Binding) { r.Unregister("billing") }, ReasonUnknown},
		{"unregistered and back", func(t *testing.T, r *Registry, b Binding) {
			r.Unregister("billing")
			r.Register("billing", load(t, source(nil)), b)
		}, ReasonMoved},
		{"method frozen", func(t *testing.T, r *Registry, b Binding) {
			r.Freeze(t.Context(), "billing", "invoice.pay", "incident")
		}, ReasonFrozen},
		{"endpoint frozen", func(t *testing.T, r *Registry, b Binding) { r.Freeze(t.Context(), "billing", "", "incident") }, ReasonFrozen},
		{"frozen elsewhere", func(t *testing.T, r *Registry, b Binding) {
			r.store.Freeze(t.Context(), store.Freeze{Endpoint: "billing", Method: "invoice.pay"})
		}, ReasonFrozen},
		{"rule tightened", func(*testing.T, *Registry, Binding) { closedRule = true }, ReasonDenied},
		{"nothing", func(*testing.T, *Registry, Binding) {}, ""},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			closedRule = false
			s := serve(t, result(`true`))
			b := s.binding()
			var r *Registry
			moved := false
			b.Rules = []Rule{{Name: "host", Decide: func(context.Context, policy.Query) (policy.Verdict, error) {
				if closedRule {
					return policy.Verdict{Decision: effect.Deny}, nil
				}
				return policy.Verdict{Decision: effect.Allow}, nil
			}}}
			b.Headers = []Header{{Name: "X-Key", Value: FromFunc("key", func(context.Context) (string, error) {
				if !moved {
					moved = true
					row.move(t, r, b)
				}
				return "k", nil
			})}}
			r, c := setup(t, source(nil), b, agent("bot"), Options{})
			approval := approved(t, r, c, `{"id":"a","amount":1}`)
			_, err := c.Do(t.Context(), "invoice.pay", []byte(`{"id":"a","amount":1}`), WithApproval(approval.ID))
			if row.want == "" && err != nil || row.want != "" && !errors.Is(err, row.want) {
				t.Errorf("got %v, want %q", err, row.want)
			}
			if n := s.requests.Load(); n != 0 && row.want != "" {
				t.Errorf("%d requests were sent", n)
			}
			if row.want != "" {
				usable := r.store.Check(t.Context(), time.Now(), store.Consumption{RequestID: "x", ApprovalID: approval.ID, Tuple: approval.Tuple})
				if usable != nil && !errors.Is(usable, store.ErrFrozen) && !errors.Is(usable, store.ErrMoved) {
					t.Errorf("the approval was burnt: %v", usable)
				}
			}
		})
	}
}

var closedRule bool

// approved asks for a call of invoice.pay and approves it.
func approved(t testing.TB, r *Registry, c *Caller, input string) store.Approval {
	t.Helper()
	_, err := c.Do(context.Background(), "invoice.pay", []byte(input))
	var pending *PendingError
	if !errors.As(err, &pending) {
		t.Fatalf("got %v, want a pending call", err)
	}
	a, err := r.Decide(context.Background(), store.Decision{ID: pending.ID, By: "alice", Approve: true, ViewDigest: pending.ViewDigest})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestClosedMethods(t *testing.T) {
	rows := []struct {
		name   string
		edit   func(a *compiled.Authority)
		agent  Reason
		code   Reason // "" is open
		review bool   // the command is review
	}{
		{"undecided", func(a *compiled.Authority) { a.State = compiled.Undecided }, ReasonUnclassified, ReasonUnclassified, true},
		{"stale", func(a *compiled.Authority) { a.State = compiled.Stale }, ReasonStale, ReasonStale, true},
		{"refused", func(a *compiled.Authority) { a.State = compiled.Refused }, ReasonRefused, ReasonRefused, false},
		{"uncompiled", func(a *compiled.Authority) { a.State = compiled.Uncompiled }, ReasonUncompiled, ReasonUncompiled, false},
		{"no state", func(a *compiled.Authority) { a.State = "" }, ReasonUnclassified, ReasonUnclassified, true},
		{"other state", func(a *compiled.Authority) { a.State = "OPEN" }, ReasonUnclassified, ReasonUnclassified, true},
		{"no effect", func(a *compiled.Authority) { a.Effect = "" }, ReasonUnclassified, ReasonUnclassified, true},
		{"no right", func(a *compiled.Authority) { a.Right = "all" }, ReasonUnclassified, ReasonUnclassified, true},
		{"result moved", func(a *compiled.Authority) { a.ClosedTo = []string{"agent"} }, ReasonStale, "", true},
		{"last day over", func(a *compiled.Authority) { a.Until = "2026-11-30" }, ReasonExpired, ReasonExpired, true},
		{"last day", func(a *compiled.Authority) { a.Until = "2026-12-01" }, "", "", false},
		{"denied to agents", func(a *compiled.Authority) { a.Agents = effect.Deny }, ReasonDenied, "", false},
		{"denied to code", func(a *compiled.Authority) { a.Code = effect.Deny }, "", ReasonDenied, false},
		{"no word", func(a *compiled.Authority) { a.Code, a.Agents = "", "" }, ReasonDenied, ReasonDenied, false},
		{"invalid flow", func(a *compiled.Authority) { a.Flow.Returns = "" }, ReasonFlow, ReasonFlow, false},
		{"secret", func(a *compiled.Authority) { a.Flow.Returns = effect.Secret }, ReasonFlow, ReasonFlow, false},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			s := serve(t, result(`"pong"`))
			src := source(func(m map[string]*compiled.Method) { row.edit(&m["ping"].Authority) })
			r, _ := setup(t, src, s.binding(), code("x"), Options{Now: newClock().now})
			for kind, want := range map[Kind]Reason{Agent: row.agent, Code: row.code} {
				c := caller(t, r, Principal{Name: "x", Kind: kind, Grants: Full("billing")})
				_, err := c.Do(t.Context(), "ping", nil)
				var refused *RefusedError
				if (want == "") != (err == nil) || want != "" && (!errors.As(err, &refused) || refused.Reason != want) {
					t.Errorf("%s: got %v, want %q", kind, err, want)
				}
				if err == nil {
					continue
				}
				command := "rpcgen explain billing ping"
				if row.review {
					command = "rpcgen review billing ping"
				}
				if refused.Command != command {
					t.Errorf("%s: command %q, want %q", kind, refused.Command, command)
				}
				if status := c.Explain(t.Context(), "ping", nil); status.Decision != effect.Deny || status.Reason != want {
					t.Errorf("%s: Explain = %+v, want %q", kind, status, want)
				}
				// Who may not inspect is told that much less.
				blind := caller(t, r, Principal{Name: "x", Kind: kind, Grants: Full("billing")[2:]})
				if _, err := blind.Do(t.Context(), "ping", nil); !errors.As(err, &refused) || refused.Reason != ReasonDenied || refused.Detail+refused.Command != "" {
					t.Errorf("%s, not inspecting: got %v", kind, err)
				}
			}
		})
	}
}

func TestDamagedDayIsClosed(t *testing.T) {
	_, c := setup(t, source(func(m map[string]*compiled.Method) { m["ping"].Authority.Until = "soon" }), trap(t), code("x"), Options{})
	if _, err := c.Do(t.Context(), "ping", nil); !errors.Is(err, ReasonConfiguration) {
		t.Errorf("got %v", err)
	}
}

// C9: unknown and forbidden cannot be told apart without the right to inspect.
func testUnknownAndForbidden(t *testing.T) {
	r, _ := setup(t, source(nil), trap(t), code("x"), Options{})
	other, err := r.Caller("other", code("x"))
	if err != nil {
		t.Fatal(err)
	}
	_, unknownEndpoint := other.Do(t.Context(), "ping", nil)
	for _, grants := range [][]Grant{nil, {{Resource: "jsonrpc:billing:ping"}}, {{Resource: "jsonrpc:other:*", Rights: []effect.Right{effect.RightRead}}}} {
		blind := caller(t, r, Principal{Name: "x", Kind: Agent, Grants: grants})
		_, unknown := blind.Do(t.Context(), "nowhere", nil)
		for _, name := range []string{"ping", "undecided", "invoice.pay"} {
			_, forbidden := blind.Do(t.Context(), name, nil)
			if a, b := strings.ReplaceAll(unknown.Error(), "nowhere", "M"), strings.ReplaceAll(forbidden.Error(), name, "M"); a != b {
				t.Errorf("%q and %q", a, b)
			}
			if a := strings.ReplaceAll(unknownEndpoint.Error(), "other ping", "billing "+name); a != forbidden.Error() {
				t.Errorf("%q and %q", a, forbidden)
			}
		}
		if list := blind.Methods(); len(list) != 0 {
			t.Errorf("Methods() = %v", list)
		}
		if err := source(nil).Fits(blind); !errors.Is(err, ReasonUnknown) {
			t.Errorf("Fits = %v", err)
		}
	}
	partial := caller(t, r, Principal{Name: "x", Kind: Agent, Grants: []Grant{{Resource: "jsonrpc:billing:ping", Rights: []effect.Right{effect.RightRead}}}})
	if list := partial.Methods(); len(list) != 1 || list[0].Name != "ping" || list[0].Decision != effect.Allow {
		t.Errorf("Methods() = %+v", list)
	}
}

func TestParamsOnTheWire(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r request) {
		switch r.Method {
		case "invoice.get":
			result(`{"id":"a","total":1}`)(w, r)
		case "range":
			result(`[]`)(w, r)
		default:
			result(`"pong"`)(w, r)
		}
	})
	empty := source(func(m map[string]*compiled.Method) { m["ping"].NoParams = "empty" })
	emptyPositional := source(func(m map[string]*compiled.Method) { m["ping"].NoParams, m["ping"].Positional = "empty", true })
	rows := []struct {
		name   string
		source *Source
		method string
		input  string
		want   string // params on the wire; "-" is refused
	}{
		{"by name, sorted", source(nil), "invoice.get", `{"id":"a","deep":true}`, `{"deep":true,"id":"a"}`},
		{"by name, spaced", source(nil), "invoice.get", ` { "id" : "\u0061" } `, `{"id":"a"}`},
		{"none", source(nil), "ping", ``, ``},
		{"null is none", source(nil), "ping", `null`, ``},
		{"empty is none", source(nil), "ping", `{}`, ``},
		{"none as object", empty, "ping", ``, `{}`},
		{"none as array", emptyPositional, "ping", ``, `[]`},
		{"some for none", source(nil), "ping", `{"a":1}`, `-`},
		{"by position", source(nil), "range", `{"limit":3,"from":1,"to":2}`, `[1,2,3]`},
		{"trailing left off", source(nil), "range", `{"from":1}`, `[1]`},
		{"gap", source(nil), "range", `{"from":1,"limit":3}`, `-`},
		{"array for an object", source(nil), "range", `[1]`, `-`},
		{"scalar", source(nil), "invoice.get", `"a"`, `-`},
		{"missing", source(nil), "invoice.get", `{}`, `-`},
		{"undeclared", source(nil), "invoice.get", `{"id":"a","x":1}`, `-`},
		{"twice", source(nil), "invoice.get", `{"id":"a","id":"a"}`, `-`},
		{"wrong type", source(nil), "invoice.get", `{"id":1}`, `-`},
		{"not JSON", source(nil), "invoice.get", `{"id":"a"} x`, `-`},
		{"bad UTF-8", source(nil), "invoice.get", "{\"id\":\"\xff\"}", `-`},
		{"too large", source(nil), "invoice.get", `{"id":"` + strings.Repeat("a", 64<<10) + `"}`, `-`},
		{"integer spelled otherwise", source(nil), "range", `{"from":1.0e1}`, `[10]`},
		{"big integer kept", source(nil), "range", `{"from":9007199254740993}`, `[9007199254740993]`},
	}
	for _, row := range rows {
		_, c := setup(t, row.source, s.binding(), code("x"), Options{})
		before := s.requests.Load()
		_, err := c.Do(t.Context(), row.method, []byte(row.input))
		if row.want == "-" {
			if !errors.Is(err, ReasonInvalidParams) || s.requests.Load() != before {
				t.Errorf("%s: got %v, want invalid params and nothing sent", row.name, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", row.name, err)
		} else if got := s.last(t); got != row.want {
			t.Errorf("%s: sent %s, want %s", row.name, got, row.want)
		}
	}
}

func TestTypedCalls(t *testing.T) {
	src := source(nil)
	s := serve(t, func(w http.ResponseWriter, r request) {
		switch r.Method {
		case "invoice.get":
			result(`{"total":12,"id":"a"}`)(w, r)
		case "range":
			result(`[1,2]`)(w, r)
		case "note":
			if len(r.ID) > 0 {
				t.Errorf("a notification with id %s", r.ID)
			}
			w.WriteHeader(http.StatusAccepted)
		default:
			result(`"pong"`)(w, r)
		}
	})
	_, c := setup(t, src, s.binding(), code("x"), Options{})
	get := src.Method("invoice.get")
	var end outcome.Outcome
	for range 2 { // the second with bound codecs
		v, err := Call[Invoice](t.Context(), c, get, GetParams{ID: "a", Deep: new(true)}, Into(&end))
		if err != nil || v != (Invoice{"a", 12}) || s.last(t) != `{"deep":true,"id":"a"}` {
			t.Fatalf("got %+v, %v, sent %s", v, err, s.last(t))
		}
	}
	if end.Status != outcome.OK || end.Delivery != outcome.Completed || end.HTTPStatus != 200 || len(end.RequestID) != 32 ||
		end.Endpoint != "billing" || end.Method != "invoice.get" || end.Sent == 0 || end.Received == 0 {
		t.Errorf("outcome %+v", end)
	}
	if v, err := Call[string](t.Context(), c, src.Method("ping"), NoParams{}); err != nil || v != "pong" || s.last(t) != `` {
		t.Errorf("got %q, %v", v, err)
	}
	if v, err := Call[[]int64](t.Context(), c, src.Method("range"), RangeParams{From: 1, To: new(int64(2))}); err != nil || len(v) != 2 || s.last(t) != `[1,2]` {
		t.Errorf("got %v, %v, sent %s", v, err, s.last(t))
	}
	if err := Notify(t.Context(), c, src.Method("note"), struct {
		Text string `json:"text"`
	}{"x"}, Into(&end)); err != nil || end.Status != outcome.Sent || end.Delivery != outcome.Unconfirmed {
		t.Errorf("Notify = %v, %+v", err, end)
	}

	before := s.requests.Load()
	var end2 outcome.Outcome
	refusals := []struct {
		name string
		err  error
		want Reason
	}{
		{"gap", callError[[]int64](c, src.Method("range"), RangeParams{From: 1, Limit: new(int64(2))}), ReasonInvalidParams},
		{"schema", callError[bool](c, src.Method("invoice.pay"), PayParams{ID: "a", Amount: 0}, Into(&end2)), ReasonInvalidParams},
		{"params type", callError[Invoice](c, src.Method("invoice.get"), PayParams{}), ReasonConfiguration},
		{"result type", callError[[]string](c, src.Method("invoice.get"), GetParams{}), ReasonConfiguration},
		{"no params for some", callError[Invoice](c, src.Method("invoice.get"), NoParams{}), ReasonConfiguration},
		{"params for none", callError[string](c, src.Method("ping"), GetParams{}), ReasonConfiguration},
		{"call of a notification", callError[string](c, src.Method("note"), NoParams{}), ReasonConfiguration},
		{"notify of a call", Notify(context.Background(), c, src.Method("ping"), NoParams{}), ReasonConfiguration},
		{"no such method", callError[string](c, src.Method("nowhere"), NoParams{}), ReasonUnknown},
		{"other contract", callError[string](c, source(func(m map[string]*compiled.Method) { m["ping"].Summary = "x" }).Method("ping"), NoParams{}), ReasonWrongContract},
		{"retry of a write", callError[bool](c, src.Method("invoice.pay"), PayParams{"a", 1}, Retry(1)), ReasonConfiguration},
		{"many retries", callError[string](c, src.Method("ping"), NoParams{}, Retry(6)), ReasonConfiguration},
	}
	for _, row := range refusals {
		if !errors.Is(row.err, row.want) {
			t.Errorf("%s: got %v, want %q", row.name, row.err, row.want)
		}
	}
	if s.requests.Load() != before {
		t.Error("something was sent")
	}
	var broken *schema.Error
	if !errors.As(refusals[1].err, &broken) || end2.Status != "" || end2.Delivery != outcome.NotStarted {
		t.Errorf("got %v with %+v", refusals[1].err, end2)
	}
}

func callError[R, P any](c *Caller, m *Method, p P, opts ...CallOption) error {
	_, err := Call[R](context.Background(), c, m, p, opts...)
	return err
}

func TestFits(t *testing.T) {
	src := source(nil)
	r, c := setup(t, src, Binding{}, code("x"), Options{})
	if err := src.Fits(c); err != nil {
		t.Error(err)
	}
	if err := source(func(m map[string]*compiled.Method) { m["ping"].Summary = "x" }).Fits(c); !errors.Is(err, ReasonWrongContract) {
		t.Errorf("another contract: %v", err)
	}
	if _, err := c.Do(t.Context(), "ping", nil); !errors.Is(err, ReasonConfiguration) {
		t.Errorf("an unbound endpoint: %v", err)
	}
	if err := src.Fits(nil); err == nil {
		t.Error("no caller fits")
	}
	if err := callError[string](nil, src.Method("ping"), NoParams{}); !errors.Is(err, ReasonConfiguration) {
		t.Errorf("no caller: %v", err)
	}
	b := contractData(nil)
	if err := Embedded(string(b), "sha256:0").Fits(c); err == nil {
		t.Error("a wrong digest fits")
	}
	crlf := strings.ReplaceAll(string(b), "\n", "\r\n")
	if err := Embedded(crlf, compiled.Digest(b)).Fits(c); err != nil {
		t.Errorf("line ends of another checkout: %v", err)
	}
	if err := r.Register("billing", load(t, src), Binding{}); err == nil {
		t.Error("an id is registered twice")
	}
	if err := r.Replace("other", load(t, src), Binding{}); err == nil {
		t.Error("what is not there is replaced")
	}
	if name, ok := load(t, src).WireName("invoice_get"); !ok || name != "invoice.get" {
		t.Errorf("WireName = %q, %v", name, ok)
	}
}

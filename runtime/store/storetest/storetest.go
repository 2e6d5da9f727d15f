// Package storetest holds every implementation of store.Store to one meaning.
// Start with Run.
package storetest

import (
	"errors"
	"fmt"
	"reflect"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/openrpc-go/rpcgen/runtime/outcome"
	"github.com/openrpc-go/rpcgen/runtime/store"
)

// Run runs the suite. open returns an empty store.
func Run(t *testing.T, open func(t *testing.T) store.Store) {
	t.Helper()
	for _, test := range []struct {
		name string
		run  func(*fixture)
	}{
		{"RequestIsIdempotent", requestIsIdempotent},
		{"RequestAgain", requestAgain},
		{"PendingIsBounded", pendingIsBounded},
		{"DecideOnce", decideOnce},
		{"DecideRefuses", decideRefuses},
		{"ConsumeNeedsEveryField", consumeNeedsEveryField},
		{"ConsumeStates", consumeStates},
		{"CheckSpendsNothing", checkSpendsNothing},
		{"OneWinner", oneWinner},
		{"WithoutApproval", withoutApproval},
		{"Outcomes", outcomes},
		{"Reads", reads},
		{"BudgetOfCalls", budgetOfCalls},
		{"BudgetOfEverything", budgetOfEverything},
		{"BudgetSettles", budgetSettles},
		{"BudgetUsed", budgetUsed},
		{"BudgetIsExact", budgetIsExact},
		{"BudgetNeverOverspends", budgetNeverOverspends},
		{"BudgetNeverOverspendsTogether", budgetNeverOverspendsTogether},
		{"BudgetAndApproval", budgetAndApproval},
		{"Moved", moved},
		{"Clock", clock},
		{"NewEpoch", newEpoch},
		{"Generations", generations},
		{"Freezes", freezes},
		{"Epoch", epoch},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := &fixture{T: t, store: open(t), now: time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)}
			f.register(tuple().Endpoint)
			test.run(f)
		})
	}
}

type fixture struct {
	*testing.T
	store store.Store
	now   time.Time
}

func tuple() store.Tuple {
	return store.Tuple{
		Kind: "agent", Principal: "bot", Endpoint: "billing", Method: "invoice.pay",
		Params: "sha256:p", Authority: "sha256:a", Generation: 3,
	}
}

// register gives an endpoint the generation of tuple.
func (f *fixture) register(endpoint string) {
	f.Helper()
	for {
		n, err := f.store.Generation(f.Context(), f.now, endpoint, tuple().Authority, true)
		if err != nil {
			f.Fatalf("Generation: %v", err)
		}
		if n >= tuple().Generation {
			return
		}
	}
}

func (f *fixture) question(t store.Tuple) store.Question {
	return store.Question{Tuple: t, View: "what will be sent", ViewDigest: "sha256:v", Expires: f.now.Add(time.Minute)}
}

func (f *fixture) request(t store.Tuple) store.Approval {
	f.Helper()
	a, err := f.store.Request(f.Context(), f.now, f.question(t))
	if err != nil {
		f.Fatalf("Request: %v", err)
	}
	return a
}

func (f *fixture) decide(id string, approve bool) store.Approval {
	f.Helper()
	a, err := f.store.Decide(f.Context(), f.now, store.Decision{ID: id, By: "alice", Approve: approve, ViewDigest: "sha256:v"})
	if err != nil {
		f.Fatalf("Decide: %v", err)
	}
	return a
}

func (f *fixture) consume(requestID, approvalID string, t store.Tuple) error {
	return f.store.Consume(f.Context(), f.now, store.Consumption{RequestID: requestID, ApprovalID: approvalID, Tuple: t})
}

func (f *fixture) want(got, want error, what string) {
	f.Helper()
	if !errors.Is(got, want) || want == nil && got != nil {
		f.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func (f *fixture) pending() []store.Approval {
	f.Helper()
	list, err := f.store.Pending(f.Context(), f.now)
	if err != nil {
		f.Fatalf("Pending: %v", err)
	}
	return list
}

func requestIsIdempotent(f *fixture) {
	first := f.request(tuple())
	if !first.New {
		f.Error("the first one is not new")
	}
	if first.ID == "" || first.State != store.Requested || first.Tuple != tuple() || first.View != "what will be sent" ||
		first.ViewDigest != "sha256:v" || !first.Requested.Equal(f.now) || !first.Expires.Equal(f.now.Add(time.Minute)) || first.Epoch == "" {
		f.Errorf("got %+v", first)
	}
	if second := f.request(tuple()); second.ID != first.ID || second.New {
		f.Errorf("identical calls have approvals %s and %s", first.ID, second.ID)
	}
	other := tuple()
	other.Params = "sha256:other"
	if second := f.request(other); second.ID == first.ID {
		f.Error("two calls share an approval")
	}
	if list := f.pending(); len(list) != 2 || list[0].ID != first.ID && list[1].ID != first.ID {
		f.Errorf("pending: %+v", list)
	}
}

// A decided approval stays the answer until it is spent or has expired.
func requestAgain(f *fixture) {
	a := f.request(tuple())
	f.decide(a.ID, true)
	if b := f.request(tuple()); b.ID != a.ID || b.State != store.Approved {
		f.Errorf("an approved call: got %+v", b)
	}
	f.want(f.consume("r1", a.ID, tuple()), nil, "Consume")
	b := f.request(tuple())
	if b.ID == a.ID || b.State != store.Requested {
		f.Errorf("a spent one is no answer: got %+v", b)
	}
	f.decide(b.ID, false)
	if c := f.request(tuple()); c.ID != b.ID || c.State != store.Denied {
		f.Errorf("a denied call: got %+v", c)
	}
	f.now = f.now.Add(time.Minute)
	if c := f.request(tuple()); c.ID == b.ID || c.State != store.Requested {
		f.Errorf("an expired one is no answer: got %+v", c)
	}
}

// P14: nobody is flooded with questions.
func pendingIsBounded(f *fixture) {
	t := tuple()
	for i := range store.MaxPending {
		t.Params = fmt.Sprint(i)
		f.request(t)
	}
	t.Params = "more"
	_, err := f.store.Request(f.Context(), f.now, f.question(t))
	f.want(err, store.ErrTooMany, "one more")
	t.Principal = "other"
	f.request(t)
	f.now = f.now.Add(time.Minute)
	t.Principal = "bot"
	f.request(t)
	if n := len(f.pending()); n != 1 {
		f.Errorf("%d pending after the others expired, want 1", n)
	}
}

func decideOnce(f *fixture) {
	a := f.request(tuple())
	if b := f.decide(a.ID, true); b.State != store.Approved || b.DecidedBy != "alice" || b.Tuple != a.Tuple {
		f.Errorf("got %+v", b)
	}
	_, err := f.store.Decide(f.Context(), f.now, store.Decision{ID: a.ID, By: "mallory", Approve: false, ViewDigest: "sha256:v"})
	f.want(err, store.ErrDecided, "a second decision")
	if n := len(f.pending()); n != 0 {
		f.Errorf("%d pending after the decision", n)
	}
	f.want(f.consume("r1", a.ID, tuple()), nil, "the first decision stands")
}

func decideRefuses(f *fixture) {
	a := f.request(tuple())
	for _, row := range []struct {
		d    store.Decision
		want error
	}{
		{store.Decision{ID: "nowhere", By: "alice", Approve: true, ViewDigest: "sha256:v"}, store.ErrNotFound},
		{store.Decision{ID: a.ID, By: "alice", Approve: true, ViewDigest: "sha256:other"}, store.ErrView},
		{store.Decision{ID: a.ID, By: "alice", Approve: true}, store.ErrView},
		{store.Decision{ID: a.ID, By: "bot", Approve: true, ViewDigest: "sha256:v"}, store.ErrSelfApproval},
		{store.Decision{ID: a.ID, By: "", Approve: true, ViewDigest: "sha256:v"}, store.ErrSelfApproval},
	} {
		_, err := f.store.Decide(f.Context(), f.now, row.d)
		f.want(err, row.want, fmt.Sprintf("%+v", row.d))
	}
	f.now = f.now.Add(time.Minute)
	_, err := f.store.Decide(f.Context(), f.now, store.Decision{ID: a.ID, By: "alice", Approve: true, ViewDigest: "sha256:v"})
	f.want(err, store.ErrExpired, "after its time")
}

// P2: every field of the tuple is flipped in turn, whatever fields it has.
func consumeNeedsEveryField(f *fixture) {
	a := f.request(tuple())
	f.decide(a.ID, true)
	for i := range reflect.TypeFor[store.Tuple]().NumField() {
		other := tuple()
		field := reflect.ValueOf(&other).Elem().Field(i)
		if field.CanUint() {
			field.SetUint(field.Uint() + 1)
		} else {
			field.SetString(field.String() + "x")
		}
		f.want(f.consume(fmt.Sprint("r", i), a.ID, other), store.ErrMismatch, reflect.TypeFor[store.Tuple]().Field(i).Name)
	}
	f.want(f.consume("r", a.ID, tuple()), nil, "the right tuple")
}

func consumeStates(f *fixture) {
	a := f.request(tuple())
	f.want(f.consume("r1", "nowhere", tuple()), store.ErrNotFound, "unknown")
	f.want(f.consume("r1", a.ID, tuple()), store.ErrUndecided, "undecided")
	f.decide(a.ID, true)
	f.want(f.consume("r1", a.ID, tuple()), nil, "approved")
	f.want(f.consume("r2", a.ID, tuple()), store.ErrConsumed, "again")
	b := f.request(tuple())
	f.decide(b.ID, false)
	f.want(f.consume("r3", b.ID, tuple()), store.ErrDenied, "denied")
	f.now = f.now.Add(time.Minute)
	c := f.request(tuple())
	f.decide(c.ID, true)
	f.now = f.now.Add(time.Minute)
	f.want(f.consume("r4", c.ID, tuple()), store.ErrExpired, "at its expiry")
	if list, err := f.store.Unknown(f.Context()); err != nil || len(list) != 1 {
		f.Errorf("intents: %+v, %v, want the one that was consumed", list, err)
	}
}

func checkSpendsNothing(f *fixture) {
	a := f.request(tuple())
	c := store.Consumption{RequestID: "r1", ApprovalID: a.ID, Tuple: tuple()}
	f.want(f.store.Check(f.Context(), f.now, c), store.ErrUndecided, "undecided")
	f.decide(a.ID, true)
	for range 3 {
		f.want(f.store.Check(f.Context(), f.now, c), nil, "approved")
	}
	if list, err := f.store.Unknown(f.Context()); err != nil || len(list) != 0 {
		f.Errorf("Check wrote an intent: %+v, %v", list, err)
	}
	f.want(f.store.Consume(f.Context(), f.now, c), nil, "Consume")
	c.RequestID = "r2"
	f.want(f.store.Check(f.Context(), f.now, c), store.ErrConsumed, "spent")
}

// P1: many race for many approvals: each has exactly one winner.
func oneWinner(f *fixture) {
	const approvals, racers = 20, 8
	var ids []string
	t := tuple()
	for i := range approvals {
		t.Params = fmt.Sprint(i)
		a := f.request(t)
		f.decide(a.ID, true)
		ids = append(ids, a.ID)
	}
	var won atomic.Int64
	var all sync.WaitGroup
	for racer := range racers {
		all.Go(func() {
			t := tuple()
			for i, id := range ids {
				t.Params = fmt.Sprint(i)
				switch err := f.consume(fmt.Sprint(racer, "/", i), id, t); {
				case err == nil:
					won.Add(1)
				case !errors.Is(err, store.ErrConsumed):
					f.Errorf("a loser is told %v", err)
				}
			}
		})
	}
	all.Wait()
	if won.Load() != approvals {
		f.Errorf("%d winners for %d approvals", won.Load(), approvals)
	}
}

func withoutApproval(f *fixture) {
	f.want(f.consume("r1", "", tuple()), nil, "no approval named")
	f.want(f.consume("r1", "", tuple()), store.ErrExists, "the same request id")
	f.want(f.consume("r2", "", tuple()), nil, "another request id")
}

func outcomes(f *fixture) {
	end := outcome.Outcome{Endpoint: "billing", Method: "invoice.pay", RequestID: "r1", Status: outcome.OK, Delivery: outcome.Completed}
	if err := f.store.Outcome(f.Context(), f.now, "r1", end); err == nil {
		f.Error("an outcome without an intent")
	}
	for _, id := range []string{"r1", "r2", "r3"} {
		f.want(f.consume(id, "", tuple()), nil, id)
		f.now = f.now.Add(time.Second)
	}
	f.want(f.store.Outcome(f.Context(), f.now, "r1", end), nil, "known")
	if err := f.store.Outcome(f.Context(), f.now, "r1", end); err == nil {
		f.Error("a second outcome")
	}
	end.Status, end.Delivery = outcome.TransportError, outcome.Unknown
	f.want(f.store.Outcome(f.Context(), f.now, "r2", end), nil, "unknown")
	f.want(f.store.Outcome(f.Context(), f.now, "r2", end), store.ErrDecided, "a second outcome")
	list, err := f.store.Unknown(f.Context())
	if err != nil || len(list) != 2 || list[0].RequestID != "r2" || list[0].Outcome == nil || list[1].RequestID != "r3" || list[1].Outcome != nil {
		f.Fatalf("unknown: %+v, %v, want r2 with and r3 without an outcome", list, err)
	}
	if list[1].Tuple != tuple() {
		f.Errorf("tuple %+v", list[1].Tuple)
	}
	if err := f.store.Resolve(f.Context(), f.now, "r2", "", "looked"); err == nil {
		f.Error("resolved by nobody")
	}
	for _, id := range []string{"r2", "r3"} {
		f.want(f.store.Resolve(f.Context(), f.now, id, "alice", "looked"), nil, "Resolve")
		if err := f.store.Resolve(f.Context(), f.now, id, "alice", "looked"); err == nil {
			f.Error("resolved twice")
		}
	}
	if list, err := f.store.Unknown(f.Context()); err != nil || len(list) != 0 {
		f.Errorf("unknown after Resolve: %+v, %v", list, err)
	}
}

func generations(f *fixture) {
	generation := func(endpoint, digest string, renew bool) uint64 {
		f.Helper()
		n, err := f.store.Generation(f.Context(), f.now, endpoint, digest, renew)
		if err != nil || n == 0 {
			f.Fatalf("Generation = %d, %v", n, err)
		}
		return n
	}
	first := generation("a", "d1", false)
	if again := generation("a", "d1", false); again != first {
		f.Error("a restart with the same digest moves the generation")
	}
	other := generation("b", "d1", false)
	second := generation("a", "d2", false)
	back := generation("a", "d1", false)
	renewed := generation("a", "d1", true)
	if seen := map[uint64]bool{first: true, second: true, back: true, renewed: true}; len(seen) != 4 {
		f.Errorf("generations %d, %d, %d, %d are not all different", first, second, back, renewed)
	}
	if generation("b", "d1", false) != other {
		f.Error("one endpoint moves another")
	}
	list, err := f.store.Generations(f.Context())
	want := []store.Generation{{Endpoint: "a", Digest: "d1", Number: renewed}, {Endpoint: "b", Digest: "d1", Number: other}, {Endpoint: "billing", Digest: tuple().Authority, Number: tuple().Generation}}
	if err != nil || !reflect.DeepEqual(list, want) {
		f.Errorf("Generations = %+v, %v, want %+v", list, err, want)
	}
}

func freezes(f *fixture) {
	freeze := func(endpoint, method, reason string) {
		f.Helper()
		f.want(f.store.Freeze(f.Context(), store.Freeze{Endpoint: endpoint, Method: method, Reason: reason, At: f.now}), nil, "Freeze")
	}
	freeze("billing", "invoice.pay", "first")
	freeze("billing", "invoice.pay", "second")
	freeze("a", "", "whole")
	list, err := f.store.Freezes(f.Context())
	if err != nil || len(list) != 2 || list[0].Endpoint != "a" || list[1].Reason != "second" || !list[1].At.Equal(f.now) {
		f.Fatalf("freezes: %+v, %v", list, err)
	}
	a := f.request(tuple())
	f.decide(a.ID, true)
	f.want(f.consume("r1", a.ID, tuple()), store.ErrFrozen, "a frozen method")
	f.want(f.consume("r1", "", tuple()), store.ErrFrozen, "a frozen method")
	whole := tuple()
	whole.Endpoint = "a"
	f.want(f.consume("r2", "", whole), store.ErrFrozen, "a frozen endpoint")
	other := tuple()
	other.Method = "invoice.get"
	f.want(f.consume("r3", "", other), nil, "another method")
	f.want(f.store.Thaw(f.Context(), f.now, "billing", "invoice.pay"), nil, "Thaw")
	f.want(f.store.Thaw(f.Context(), f.now, "billing", "invoice.pay"), store.ErrNotFound, "Thaw again")
	f.want(f.consume("r1", a.ID, tuple()), nil, "thawed: the approval was not spent")
}

func epoch(f *fixture) {
	first, err := f.store.Epoch(f.Context())
	second, again := f.store.Epoch(f.Context())
	if err != nil || again != nil || first == "" || first != second {
		f.Errorf("Epoch = %q, %v, then %q, %v", first, err, second, again)
	}
	if a := f.request(tuple()); a.Epoch != first {
		f.Errorf("an approval of epoch %q in %q", a.Epoch, first)
	}
}

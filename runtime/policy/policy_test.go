package policy

import (
	"context"
	"errors"
	"testing"

	"github.com/openrpc-go/rpcgen/runtime/effect"
)

func TestGrants(t *testing.T) {
	read, write := effect.RightRead, effect.RightWrite
	rows := []struct {
		grant    Grant
		resource string
		right    effect.Right
		want     bool
	}{
		{Grant{"jsonrpc:billing:invoice_get", []effect.Right{read}}, "jsonrpc:billing:invoice_get", read, true},
		{Grant{"jsonrpc:billing:invoice_get", []effect.Right{read}}, "jsonrpc:billing:invoice_get", write, false},
		{Grant{"jsonrpc:billing:invoice_get", []effect.Right{effect.RightExecute}}, "jsonrpc:billing:invoice_get", read, false},
		{Grant{"jsonrpc:billing:invoice_get", []effect.Right{read}}, "jsonrpc:billing:invoice_get2", read, false},
		{Grant{"jsonrpc:billing:invoice_get", nil}, "jsonrpc:billing:invoice_get", read, false},
		{Grant{"jsonrpc:billing:*", []effect.Right{read}}, "jsonrpc:billing:invoice_get", read, true},
		{Grant{"jsonrpc:billing:*", []effect.Right{read}}, "jsonrpc:billing2:invoice_get", read, false},
		{Grant{"jsonrpc:billing:invoice_*", []effect.Right{read}}, "jsonrpc:billing:invoice_get", read, true},
		{Grant{"jsonrpc:billing:invoice_*", []effect.Right{read}}, "jsonrpc:billing:account_get", read, false},
		{Grant{"jsonrpc:*", []effect.Right{read}}, "jsonrpc:billing:invoice_get", read, true},
		{Grant{"jsonrpc:*", []effect.Right{read}}, "jsonrpc_endpoint:billing", read, false},
		{Grant{"jsonrpc:*", []effect.Right{read}}, "http:billing:invoice_get", read, false},
		{Grant{"jsonrpc_endpoint:billing", []effect.Right{read}}, "jsonrpc_endpoint:billing", read, true},
		{Grant{"jsonrpc_endpoint:billing", []effect.Right{read}}, "jsonrpc:billing:invoice_get", read, false},
		{Grant{"jsonrpc_endpoint:*", []effect.Right{read}}, "jsonrpc_endpoint:billing", read, true},
	}
	for _, row := range rows {
		g, err := NewGrants([]Grant{row.grant})
		if err != nil {
			t.Errorf("%+v: %v", row.grant, err)
			continue
		}
		if got := g.Holds(row.resource, row.right); got != row.want {
			t.Errorf("%+v holds %s on %s: %v, want %v", row.grant, row.right, row.resource, got, row.want)
		}
		if row.want && !g.HoldsAny(row.resource) {
			t.Errorf("%+v holds nothing on %s", row.grant, row.resource)
		}
	}
	if (Grants{}).HoldsAny("jsonrpc:billing:invoice_get") || (Grants{}).HoldsUnder("jsonrpc:") {
		t.Error("no grants grant something")
	}
}

func TestGrantsRefuse(t *testing.T) {
	for _, g := range []Grant{
		{"*", nil}, {"", nil}, {"jsonrpc", nil}, {"jsonrpc:", nil}, {"jsonrpc:billing", nil}, {"jsonrpc:billing:", nil},
		{"jsonrpc:*:invoice_get", nil}, {"jsonrpc:bill*", nil}, {"jsonrpc:billing:*_get", nil}, {"jsonrpc:billing:invoice.get", nil},
		{"jsonrpc:billing:**", nil}, {"jsonrpc_endpoint:", nil}, {"jsonrpc_endpoint:bill*", nil}, {"jsonrpc_endpoint:Billing", nil},
		{"grpc:billing:x", nil}, {"jsonrpc:Billing:x", nil}, {"jsonrpc:billing:x:y", nil}, {"jsonrpc:9a:x", nil},
		{"jsonrpc:billing:x", []effect.Right{"all"}}, {"jsonrpc:billing:x", []effect.Right{""}}, {"jsonrpc:billing:x", []effect.Right{"*"}},
	} {
		if _, err := NewGrants([]Grant{g}); err == nil {
			t.Errorf("%+v is accepted", g)
		}
	}
}

func TestHoldsUnder(t *testing.T) {
	for resource, want := range map[string]bool{
		"jsonrpc:billing:x": true, "jsonrpc:billing:*": true, "jsonrpc:billing:x*": true, "jsonrpc:*": true,
		"jsonrpc:other:x": false, "jsonrpc:billing2:*": false, "jsonrpc_endpoint:billing": false,
	} {
		g, err := NewGrants([]Grant{{resource, []effect.Right{effect.RightRead}}})
		if err != nil {
			t.Fatal(err)
		}
		if got := g.HoldsUnder("jsonrpc:billing:"); got != want {
			t.Errorf("%s: %v, want %v", resource, got, want)
		}
	}
}

func TestDecide(t *testing.T) {
	say := func(name string, d effect.Decision, err error) Rule {
		return Rule{Name: name, Decide: func(context.Context, Query) (Verdict, error) { return Verdict{d, "because"}, err }}
	}
	rows := []struct {
		amendment effect.Decision
		rules     []Rule
		want      effect.Decision
		heard     int
	}{
		{effect.Allow, nil, effect.Allow, 1},
		{effect.Allow, []Rule{say("a", effect.Allow, nil), say("b", effect.Ask, nil), say("c", effect.Allow, nil)}, effect.Ask, 4},
		{effect.Ask, []Rule{say("a", effect.Allow, nil)}, effect.Ask, 2},
		{effect.Deny, []Rule{say("a", effect.Allow, nil)}, effect.Deny, 1},
		{effect.Allow, []Rule{say("a", effect.Deny, nil), say("b", effect.Allow, nil)}, effect.Deny, 2},
		{effect.Allow, []Rule{say("a", effect.Allow, errors.New("x"))}, effect.Deny, 2},
		{effect.Allow, []Rule{say("a", "", nil)}, effect.Deny, 2},
		{effect.Allow, []Rule{say("a", "ALLOW", nil)}, effect.Deny, 2},
		{"", nil, effect.Deny, 1},
	}
	for i, row := range rows {
		d := Decide(t.Context(), Verdict{row.amendment, "amended"}, row.rules, Query{})
		if d.Decision != row.want || len(d.Steps) != row.heard || d.Reason() == "" {
			t.Errorf("row %d: got %+v, want %s after %d voices", i, d, row.want, row.heard)
		}
	}
}

func TestRulesCannotChangeParams(t *testing.T) {
	params := []byte(`{"amount":1}`)
	meddle := Rule{Name: "a", Decide: func(_ context.Context, q Query) (Verdict, error) {
		q.Params[10] = '9'
		return Verdict{Decision: effect.Allow}, nil
	}}
	Decide(t.Context(), Verdict{Decision: effect.Allow}, []Rule{meddle}, Query{Params: params})
	if string(params) != `{"amount":1}` {
		t.Errorf("params are now %s", params)
	}
}

func TestCheckFlow(t *testing.T) {
	labels := []effect.Label{effect.Public, effect.Internal, effect.Confidential, effect.Secret, "", "PUBLIC"}
	for _, sends := range labels {
		for _, returns := range labels {
			for _, clearance := range labels {
				cleared := clearance
				if cleared == "" {
					cleared = effect.Confidential
				}
				want := sends.Valid() && returns.Valid() && cleared.Valid() && max(sends.Rank(), returns.Rank()) <= cleared.Rank()
				if err := CheckFlow(effect.Flow{Sends: sends, Returns: returns}, clearance); (err == nil) != want {
					t.Errorf("sends %q, returns %q, clearance %q: %v", sends, returns, clearance, err)
				}
			}
		}
	}
}

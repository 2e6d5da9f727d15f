package runtime

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"testing"

	"github.com/openrpc-go/rpcgen/runtime/compiled"
	"github.com/openrpc-go/rpcgen/runtime/effect"
	"github.com/openrpc-go/rpcgen/runtime/internal/governance"
	"github.com/openrpc-go/rpcgen/runtime/outcome"
)

// showTraps shows the mistakes that belong to no other table.
func showTraps(show governance.Show) {
	show("T10", "no server is no local server", testUnbound)
	show("T24", "an ask before there is an endpoint", testAskBeforeRegistration)
	show("T26 T31", "the strictest word counts, and no other word", testHostRulesOnlyTighten)
	show("T27", "an empty grant grants nothing", testEmptyGrants)
	show("T28 T29", "what is spent, and when", testEveryStepInItsOrder)
	show("T30", "a grant opens nothing", testGrantsOpenNothing)
	show("T49", "no content", testNoContent)
}

// An endpoint without a server is refused, in whatever binding, and nobody
// listens on this machine for it.
func testUnbound(t *testing.T) {
	b := Binding{Development: true, Resolver: trapped{t}, Dial: trapped{t}.dial}
	_, c := setup(t, source(nil), b, code("x"), Options{})
	for _, call := range bothWays {
		if _, err := c.Do(t.Context(), call.method, []byte(call.params)); !errors.Is(err, ReasonConfiguration) || Delivery(err) != outcome.NotStarted {
			t.Errorf("%s: %v", call.method, err)
		}
	}
	if status, err := c.Inspect(); err != nil || status.Bound {
		t.Errorf("Inspect = %+v, %v", status, err)
	}
}

// A call for an endpoint that does not exist leaves nothing that a later one of
// the name could be called by.
func testAskBeforeRegistration(t *testing.T) {
	r := NewRegistry(Options{})
	defer r.Close()
	c := caller(t, r, agent("bot"))
	if _, err := c.Do(t.Context(), "invoice.pay", []byte(onePay)); !errors.Is(err, ReasonUnknown) {
		t.Errorf("got %v", err)
	}
	if list, err := r.Pending(t.Context()); err != nil || len(list) != 0 {
		t.Errorf("pending: %v, %v", list, err)
	}
	if err := r.Register("billing", load(t, source(nil)), trap(t)); err != nil {
		t.Fatal(err)
	}
	a := approved(t, r, c, onePay)
	if err := r.Unregister("billing"); err != nil {
		t.Fatal(err)
	}
	if err := r.Register("billing", load(t, source(nil)), trap(t)); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Do(t.Context(), "invoice.pay", []byte(onePay), WithApproval(a.ID)); !errors.Is(err, ReasonApproval) {
		t.Errorf("an approval of the endpoint before: %v", err)
	}
}

func testEmptyGrants(t *testing.T) {
	r, _ := setup(t, source(nil), trap(t), code("x"), Options{})
	for _, grants := range [][]Grant{nil, {}, {{Resource: "jsonrpc:billing:*"}}, {{Resource: "jsonrpc_endpoint:billing", Rights: []effect.Right{}}}} {
		for _, kind := range []Kind{Code, Agent} {
			c := caller(t, r, Principal{Name: "x", Kind: kind, Grants: grants})
			if _, err := c.Do(t.Context(), "ping", nil); !errors.Is(err, ReasonUnknown) {
				t.Errorf("%v: %v", grants, err)
			}
			if list := c.Methods(); len(list) != 0 {
				t.Errorf("%v: methods %v", grants, list)
			}
			if _, err := c.Inspect(); !errors.Is(err, ReasonUnknown) {
				t.Errorf("%v: Inspect: %v", grants, err)
			}
		}
	}
	for _, bad := range []string{"", "*", "jsonrpc", "jsonrpc:*:ping", "jsonrpc:bill*ing:ping", "jsonrpc:billing", "http:", "JSONRPC:billing:*", "jsonrpc:billing:ping:x", "jsonrpc:billing:p*ng"} {
		if _, err := r.Caller("billing", Principal{Name: "x", Kind: Code, Grants: []Grant{{Resource: bad, Rights: []effect.Right{effect.RightRead}}}}); err == nil {
			t.Errorf("the grant of %q is taken for nothing in silence", bad)
		}
	}
	if _, err := r.Caller("billing", Principal{Name: "x", Kind: Code, Grants: []Grant{{Resource: "jsonrpc:billing:*", Rights: []effect.Right{"all"}}}}); err == nil {
		t.Error("a right that does not exist is granted")
	}
}

// A wildcard lives across a replacement, on purpose: it is the principal's. It
// opens nothing: what the new contract closes, or brings along, is closed.
func testGrantsOpenNothing(t *testing.T) {
	s := serve(t, result(`"pong"`))
	r, c := setup(t, source(nil), s.binding(), code("x"), Options{})
	if _, err := c.Do(t.Context(), "ping", nil); err != nil {
		t.Fatal(err)
	}
	next := source(func(m map[string]*compiled.Method) {
		m["ping"].Authority.State = compiled.Stale
		m["undecided"].Name = "fresh"
	})
	if err := r.Replace("billing", load(t, next), trap(t)); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]Reason{"ping": ReasonStale, "fresh": ReasonUnclassified, "undecided": ReasonUnknown} {
		if _, err := c.Do(t.Context(), name, nil); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
}

// No content is an end for a notification, and no answer for anything else.
func testNoContent(t *testing.T) {
	src := source(nil)
	for status, want := range map[int]outcome.Status{200: outcome.Sent, 202: outcome.Sent, 204: outcome.Sent, 304: outcome.HTTPError, 404: outcome.HTTPError} {
		s := serve(t, func(w http.ResponseWriter, _ request) { w.WriteHeader(status) })
		_, c := setup(t, src, s.binding(), code("x"), Options{})
		var end outcome.Outcome
		_, err := c.Do(t.Context(), "note", []byte(`{"text":"x"}`), Into(&end))
		delivery := outcome.Unconfirmed
		if want != outcome.Sent {
			delivery = outcome.Unknown
		}
		if end.Status != want || end.Delivery != delivery || (err == nil) != (want == outcome.Sent) {
			t.Errorf("a notification, %d: %+v, %v", status, end, err)
		}
		for _, call := range bothWays {
			if _, err := c.Do(t.Context(), call.method, []byte(call.params), Into(&end)); err == nil || end.Status == outcome.OK {
				t.Errorf("%s, %d: %+v, %v", call.method, status, end, err)
			}
		}
	}
	lost := Binding{URL: "http://localhost:1/", Development: true, Dial: func(context.Context, netip.AddrPort) (net.Conn, error) { return nil, io.EOF }}
	_, c := setup(t, src, lost, code("x"), Options{})
	if _, err := c.Do(t.Context(), "note", []byte(`{"text":"x"}`)); Delivery(err) != outcome.NotStarted {
		t.Errorf("a notification that could not start: %v", err)
	}
}

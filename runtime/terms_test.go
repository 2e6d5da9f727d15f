package runtime

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/openrpc-go/rpcgen/runtime/compiled"
	"github.com/openrpc-go/rpcgen/runtime/effect"
	"github.com/openrpc-go/rpcgen/runtime/outcome"
	"github.com/openrpc-go/rpcgen/runtime/schema"
)

// TestUnenforcedTermsClose: what the amendment asks for and this release does
// not hold calls to closes the method, for everybody.
func TestUnenforcedTermsClose(t *testing.T) {
	asks := map[compiled.Feature]func(*compiled.Terms){
		compiled.FeatureAllowIf:     func(t *compiled.Terms) { t.AllowIf = &schema.Node{ID: "ping/allow_if", Types: schema.TypeObject} },
		compiled.FeatureBudget:      func(t *compiled.Terms) { t.Budget = &compiled.Budget{Calls: 1, Seconds: 60} },
		compiled.FeatureLimits:      func(t *compiled.Terms) { t.Limits = &compiled.Limits{ResponseBytes: 1024} },
		compiled.FeatureIdempotency: func(t *compiled.Terms) { t.IdempotencyKey = "/key" },
		compiled.FeatureReadBack:    func(t *compiled.Terms) { t.ReadBack = &compiled.ReadBack{Method: "ping"} },
	}
	for feature, ask := range asks {
		var terms compiled.Terms
		ask(&terms)
		if len(terms.Unenforced()) == 0 {
			continue // this release holds calls to it
		}
		s := serve(t, result(`"pong"`))
		src := source(func(m map[string]*compiled.Method) { ask(&m["ping"].Authority.Terms) })
		r, _ := setup(t, src, s.binding(), code("x"), Options{})
		for _, kind := range []Kind{Agent, Code} {
			_, err := caller(t, r, Principal{Name: "x", Kind: kind, Grants: Full("billing")}).Do(t.Context(), "ping", nil)
			var refused *RefusedError
			if !errors.As(err, &refused) || refused.Reason != ReasonConfiguration || refused.Command == "" {
				t.Errorf("%s, %s: got %v", feature, kind, err)
			}
		}
	}
}

func TestAllowIf(t *testing.T) {
	small := &schema.Node{ID: "pay/allow_if", Types: schema.TypeObject, Object: &schema.ObjectRules{
		Properties: []schema.Property{may("amount", &schema.Node{ID: "pay/allow_if/amount", Number: &schema.NumberRules{Maximum: "50"}})},
	}}
	for _, otherwise := range []effect.Decision{effect.Ask, effect.Deny} {
		src := source(func(m map[string]*compiled.Method) {
			m["invoice.pay"].Authority.AllowIf, m["invoice.pay"].Authority.Agents = small, otherwise
		})
		s := serve(t, result(`true`))
		r, bot := setup(t, src, s.binding(), agent("bot"), Options{})
		decide := func(c *Caller, amount string) effect.Decision {
			_, err := c.Do(t.Context(), "invoice.pay", []byte(`{"id":"a","amount":`+amount+`}`))
			var pending *PendingError
			switch {
			case err == nil:
				return effect.Allow
			case errors.As(err, &pending):
				return effect.Ask
			case errors.Is(err, ReasonDenied):
				return effect.Deny
			default:
				t.Errorf("amount %s: %v", amount, err)
				return ""
			}
		}
		for amount, want := range map[string]effect.Decision{"50": effect.Allow, "5e1": effect.Allow, "51": otherwise, "50.0": effect.Allow} {
			if got := decide(bot, amount); got != want {
				t.Errorf("otherwise %s, amount %s: %s, want %s", otherwise, amount, got, want)
			}
		}
		if got := decide(caller(t, r, code("x")), "51"); got != effect.Allow {
			t.Errorf("allow_if holds Go callers back: %s", got)
		}
		if m := bot.Explain(t.Context(), "invoice.pay", nil); m.Decision != otherwise {
			t.Errorf("Explain says %s before the params are known, want %s", m.Decision, otherwise)
		}
	}
}

// A rule that the engine cannot check denies; and no host rule is loosened by it.
func TestAllowIfFailsClosed(t *testing.T) {
	broken := &schema.Node{ID: "pay/allow_if", String: &schema.StringRules{Pattern: &schema.Pattern{Source: "(", RE2: "("}}}
	src := source(func(m map[string]*compiled.Method) { m["invoice.pay"].Authority.AllowIf = broken })
	_, c := setup(t, src, trap(t), agent("bot"), Options{})
	if _, err := c.Do(t.Context(), "invoice.pay", []byte(`{"id":"a","amount":1}`)); !errors.Is(err, ReasonDenied) {
		t.Errorf("a broken rule: %v", err)
	}
	src = source(func(m map[string]*compiled.Method) {
		m["invoice.pay"].Authority.AllowIf = &schema.Node{ID: "pay/allow_if"}
	})
	b := trap(t)
	b.Rules = []Rule{{Name: "r", Decide: func(context.Context, Query) (Verdict, error) { return Verdict{Decision: effect.Deny}, nil }}}
	_, c = setup(t, src, b, agent("bot"), Options{})
	if _, err := c.Do(t.Context(), "invoice.pay", []byte(`{"id":"a","amount":1}`)); !errors.Is(err, ReasonDenied) {
		t.Errorf("a host rule is loosened: %v", err)
	}
}

func TestMethodLimits(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r request) {
		if r.Method == "invoice.get" {
			<-r.http.Context().Done()
		}
		result(`"`+strings.Repeat("x", 2000)+`"`)(w, r)
	})
	src := source(func(m map[string]*compiled.Method) {
		m["ping"].Authority.Limits = &compiled.Limits{ResponseBytes: 1000}
		m["range"].Authority.Limits = &compiled.Limits{RequestBytes: 87}
		m["invoice.get"].Authority.Limits = &compiled.Limits{Milliseconds: 50, ResponseBytes: 1 << 40}
	})
	_, c := setup(t, src, s.binding(), code("x"), Options{})
	var end outcome.Outcome
	if c.Do(t.Context(), "ping", nil, Into(&end)); end.Status != outcome.ResponseTooLarge {
		t.Errorf("response: %+v", end)
	}
	if _, err := c.Do(t.Context(), "range", []byte(`{"from":10}`)); !errors.Is(err, ReasonInvalidParams) {
		t.Errorf("request: %v", err)
	}
	if c.Do(t.Context(), "range", []byte(`{"from":1}`), Into(&end)); end.Sent != 87 || end.Status != outcome.ContractViolation {
		t.Errorf("a request of exactly the limit: %+v", end)
	}
	if c.Do(t.Context(), "invoice.get", []byte(`{"id":"a"}`), Into(&end)); end.Status != outcome.TransportError || end.Code != "timeout" {
		t.Errorf("time: %+v", end)
	}
}

func TestIdempotencyKey(t *testing.T) {
	for _, pointer := range []string{"/id", "/nowhere", "/amount"} {
		src := source(func(m map[string]*compiled.Method) { m["invoice.pay"].Authority.IdempotencyKey = pointer })
		for id, want := range map[string]bool{"a": pointer == "/id", "": false} {
			s := serve(t, result(`true`))
			_, c := setup(t, src, s.binding(), code("x"), Options{})
			_, err := c.Do(t.Context(), "invoice.pay", []byte(`{"id":"`+id+`","amount":2}`))
			if (err == nil) != want || err != nil && (!errors.Is(err, ReasonInvalidParams) || s.requests.Load() != 0) {
				t.Errorf("key %s, id %q: got %v, want accepted %v", pointer, id, err, want)
			}
		}
	}
}

func TestReadBack(t *testing.T) {
	back := &compiled.ReadBack{Method: "invoice.get", Params: []compiled.Carried{{Name: "deep", From: "/result/a~1b/0"}, {Name: "id", From: "/params/id"}}}
	fromParams := &compiled.ReadBack{Method: "invoice.get", Params: []compiled.Carried{{Name: "id", From: "/params/id"}}}
	good := result(`{"a/b":[true]}`)
	lost := func(http.ResponseWriter, request) { panic(http.ErrAbortHandler) }
	rows := []struct {
		name   string
		back   *compiled.ReadBack
		answer func(http.ResponseWriter, request)
		want   string
	}{
		{"from both", back, good, `{"deep":true,"id":"x"}`},
		{"result lost", back, lost, ``},
		{"from params, result lost", fromParams, lost, `{"id":"x"}`},
		{"from params, http error", fromParams, func(w http.ResponseWriter, _ request) { w.WriteHeader(500) }, `{"id":"x"}`},
		{"not in the result", back, result(`{"a/b":[]}`), ``},
		{"whole params", &compiled.ReadBack{Method: "m", Params: []compiled.Carried{{Name: "all", From: "/params"}}}, good, `{"all":{"amount":2,"id":"x"}}`},
	}
	for _, row := range rows {
		src := source(func(m map[string]*compiled.Method) {
			m["invoice.pay"].Authority.ReadBack = row.back
			m["invoice.pay"].ResultNode = &schema.Node{ID: "pay/result", Types: schema.TypeObject}
		})
		s := serve(t, row.answer)
		_, c := setup(t, src, s.binding(), code("x"), Options{})
		var end outcome.Outcome
		c.Do(t.Context(), "invoice.pay", []byte(`{"id":"x","amount":2}`), Into(&end))
		got := ""
		if end.ReadBack != nil && end.ReadBack.Method == row.back.Method {
			got = end.ReadBack.Params
		}
		if got != row.want {
			t.Errorf("%s: read back with %q, want %q (%+v)", row.name, got, row.want, end)
		}
	}
}

func TestPointersIntoValues(t *testing.T) {
	const value = ` {"a":{"b":[1,{"c":null}]},"":"empty","m~n":1,"x/y":2,"\u0061a":3} `
	for pointer, want := range map[string]string{
		"": value, "/a/b/0": "1", "/a/b/1/c": "null", "/": `"empty"`, "/m~0n": "1", "/x~1y": "2", "/aa": "3",
		"/a/b/2": "-", "/a/b/-": "-", "/a/b/01": "-", "/nowhere": "-", "/a/b/0/x": "-", "a": "-",
	} {
		got, ok := at([]byte(value), pointer)
		if want == "-" && ok || want != "-" && string(got) != want {
			t.Errorf("at(%q) = %s, %v, want %s", pointer, got, ok, want)
		}
	}
}

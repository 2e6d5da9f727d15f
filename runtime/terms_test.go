package runtime

import (
	"errors"
	"testing"

	"github.com/openrpc-go/rpcgen/runtime/compiled"
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

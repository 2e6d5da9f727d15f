package compiler_test

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"testing"

	"github.com/openrpc-go/rpcgen/runtime"
	"github.com/openrpc-go/rpcgen/runtime/compiled"
)

// TestNoAmendmentNoSocket registers every contract of the corpus without an
// amendment and calls each method, as Go code and as an agent with all rights:
// the call is refused, whatever its params, and nothing dials.
func TestNoAmendmentNoSocket(t *testing.T) {
	dir := corpus(t, "openrpc")
	calls := 0
	for _, name := range documents(t, dir) {
		t.Run(name, func(t *testing.T) {
			c := dryRun(t, dir, name)
			if c.Failed() {
				t.Skip("the contract as a whole is refused, so there is no client")
			}
			for _, kind := range []runtime.Kind{runtime.Code, runtime.Agent} {
				caller := trapped(t, c.Sealed, kind)
				for _, m := range c.Sealed.Methods {
					stayedHere(t, caller, m)
					calls++
				}
			}
		})
	}
	t.Logf("%d calls, none reached a dialer", calls)
}

// trapped registers a contract behind a dialer that fails the test.
func trapped(t *testing.T, c *compiled.Contract, kind runtime.Kind) *runtime.Caller {
	t.Helper()
	text, err := compiled.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	contract, err := runtime.Open(text)
	if err != nil {
		t.Fatal(err)
	}
	registry := runtime.NewRegistry(runtime.Options{})
	t.Cleanup(func() { registry.Close() })
	trap := func(context.Context, netip.AddrPort) (net.Conn, error) {
		t.Error("a call reached the dialer")
		return nil, errors.New("trap")
	}
	if err := registry.Register(c.ID, contract, runtime.Binding{URL: "http://127.0.0.1:9/", Development: true, Dial: trap}); err != nil {
		t.Fatal(err)
	}
	caller, err := registry.Caller(c.ID, runtime.Principal{Name: "test", Kind: kind, Grants: runtime.Full(c.ID)})
	if err != nil {
		t.Fatal(err)
	}
	return caller
}

func stayedHere(t *testing.T, caller *runtime.Caller, m *compiled.Method) {
	t.Helper()
	want := runtime.ReasonUnclassified
	if m.Authority.State == compiled.Uncompiled {
		want = runtime.ReasonUncompiled
	}
	for _, params := range []string{"", "{}", `{"a":1}`} {
		_, err := caller.Do(context.Background(), m.Name, []byte(params))
		var refused *runtime.RefusedError
		if !errors.As(err, &refused) || refused.Reason != want {
			t.Errorf("Do(%s, %q): %v, want a refusal as %s", m.Name, params, err, want)
		}
	}
}

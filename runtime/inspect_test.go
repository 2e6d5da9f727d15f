package runtime

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/openrpc-go/rpcgen/runtime/effect"
	"github.com/openrpc-go/rpcgen/runtime/envelope"
)

var inner = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}

// Every setting that is not the strict one is seen by who may inspect, and
// nothing of where the endpoint is.
func TestInspect(t *testing.T) {
	rows := []struct {
		name string
		edit func(*Binding)
		want string // switches
	}{
		{"strict", func(*Binding) {}, ""},
		{"null error", func(b *Binding) { b.Tolerance = envelope.Tolerance{NullError: true} }, "null_error"},
		{"no version", func(b *Binding) { b.Tolerance.NoVersion = true }, "no_version"},
		{"reuse", func(b *Binding) { b.Connections = Reuse }, "reuse"},
		{"development", func(b *Binding) { b.Development = true }, "development"},
		{"private", func(b *Binding) { b.Networks = inner }, "private"},
		{"plaintext", func(b *Binding) { b.PlaintextNetworks = inner }, "plaintext"},
		{"media type", func(b *Binding) { b.JSONOnly = true }, "json_only"},
		{"all", func(b *Binding) {
			*b = Binding{URL: b.URL, Tolerance: envelope.Tolerance{NullError: true, NoVersion: true}, Connections: Reuse, Development: true, Networks: inner, PlaintextNetworks: inner, JSONOnly: true}
		}, "null_error no_version reuse development private plaintext json_only"},
	}
	for _, row := range rows {
		b := Binding{URL: "https://secret-place.example/rpc", Headers: []Header{{Name: "X-Secret-Name", Value: FromEnv("SECRET_ENV")}}, Limits: Limits{Response: 54321}}
		row.edit(&b)
		r, c := setup(t, source(nil), b, agent("bot"), Options{})
		s, err := c.Inspect()
		if err != nil || s.ID != "billing" || s.Contract != "billing" || !s.Bound || s.Generation == 0 || !strings.HasPrefix(s.Authority, "sha256:") || !strings.HasPrefix(s.Digest, "sha256:") {
			t.Errorf("%s: %+v, %v", row.name, s, err)
		}
		if got := strings.Trim(fmt.Sprint(s.Switches), "[]"); got != row.want {
			t.Errorf("%s: switches %q, want %q", row.name, got, row.want)
		}
		for _, hidden := range []string{"secret-place", "X-Secret-Name", "SECRET_ENV", "54321", "10.0.0.0"} {
			if strings.Contains(fmt.Sprintf("%+v", s), hidden) {
				t.Errorf("%s: %+v shows %s", row.name, s, hidden)
			}
		}
		blind := caller(t, r, Principal{Name: "x", Kind: Code, Grants: Full("billing")[2:]})
		if s, err := blind.Inspect(); !errors.Is(err, ReasonUnknown) || !reflect.DeepEqual(s, EndpointStatus{}) {
			t.Errorf("who may not inspect is told %+v, %v", s, err)
		}
	}
	if _, err := caller(t, NewRegistry(Options{}), code("x")).Inspect(); !errors.Is(err, ReasonUnknown) {
		t.Errorf("no endpoint: %v", err)
	}
}

// Every field of a binding belongs to the authority of its endpoint, but for
// those that say how and not what.
func TestEveryFieldOfABindingCounts(t *testing.T) {
	no := func(*Binding) {}
	edits := map[string]func(*Binding){
		"URL":               func(b *Binding) { b.URL = "https://billing.example.com/v2" },
		"Headers":           func(b *Binding) { b.Headers = []Header{{Name: "X-Key", Value: FromEnv("A")}} },
		"SignName":          func(b *Binding) { b.SignName = "s" },
		"Development":       func(b *Binding) { b.Development = true },
		"Networks":          func(b *Binding) { b.Networks = inner },
		"PlaintextNetworks": func(b *Binding) { b.PlaintextNetworks = inner },
		"Addresses":         func(b *Binding) { b.Addresses = []netip.Addr{netip.MustParseAddr("8.8.8.8")} },
		"Proxy":             func(b *Binding) { b.Proxy = &Proxy{Name: "p", URL: "https://8.8.8.8"} },
		"Roots":             func(b *Binding) { b.Roots = x509.NewCertPool() },
		"Certificates":      func(b *Binding) { b.Certificates = []tls.Certificate{{}} },
		"PublicKeys": func(b *Binding) {
			b.PublicKeys = []string{"sha256/" + base64.StdEncoding.EncodeToString(make([]byte, 32))}
		},
		"Limits":      func(b *Binding) { b.Limits.Timeout = time.Second },
		"Connections": func(b *Binding) { b.Connections = Reuse },
		"Clearance":   func(b *Binding) { b.Clearance = effect.Public },
		"Rules": func(b *Binding) {
			b.Rules = []Rule{{Name: "r", Decide: func(context.Context, Query) (Verdict, error) { return Verdict{}, nil }}}
		},
		"Budgets":   func(b *Binding) { b.Budgets = []Budget{{Name: "b", Window: time.Hour, Calls: 1}} },
		"Tolerance": func(b *Binding) { b.Tolerance.NullError = true },
		"JSONOnly":  func(b *Binding) { b.JSONOnly = true },
		"Sign":      no, // a function; SignName stands for it
		"Resolver":  no, // whatever it answers is judged
		"Dial":      no, // it is given addresses that were judged
	}
	digest := func(edit func(*Binding)) string {
		b := Binding{URL: "https://billing.example.com/rpc"}
		edit(&b)
		e, err := newEndpoint("billing", load(t, source(nil)), b, time.Now)
		if err != nil {
			t.Fatal(err)
		}
		return e.authority
	}
	seen := map[string]string{digest(no): "nothing"}
	for f := range reflect.TypeFor[Binding]().Fields() {
		edit := edits[f.Name]
		if edit == nil {
			t.Errorf("nobody says whether %s counts", f.Name)
			continue
		}
		if reflect.ValueOf(edit).Pointer() == reflect.ValueOf(no).Pointer() {
			continue
		}
		d := digest(edit)
		if seen[d] != "" {
			t.Errorf("%s has the digest of %s", f.Name, seen[d])
		}
		seen[d] = f.Name
	}
}

// What a binding says twice, or not at all, is an error when it is registered.
func TestBindingNeedsItsWords(t *testing.T) {
	sign := func(context.Context, Outgoing) ([]Field, error) { return nil, nil }
	wide := []netip.Prefix{netip.MustParsePrefix("0.0.0.0/0")}
	for name, b := range map[string]Binding{
		"sign without a name":  {Sign: sign},
		"all networks":         {Networks: wide},
		"all plaintext":        {PlaintextNetworks: wide},
		"all of IPv6":          {Networks: []netip.Prefix{netip.MustParsePrefix("::/0")}},
		"a proxy without name": {Proxy: &Proxy{URL: "https://8.8.8.8"}},
		"a proxy of no place":  {Proxy: &Proxy{Name: "p"}},
		"a bad key":            {PublicKeys: []string{"sha256/x"}},
		"a reserved header":    {Headers: []Header{{Name: "Host", Value: FromEnv("X")}}},
		"no source":            {Headers: []Header{{Name: "X-Key"}}},
	} {
		b.URL = "https://billing.example.com/"
		if err := NewRegistry(Options{}).Register("billing", load(t, source(nil)), b); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
}

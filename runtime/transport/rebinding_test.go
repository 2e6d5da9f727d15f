package transport

import (
	"context"
	"errors"
	"io"
	"net"
	"net/netip"
	"sync/atomic"
	"testing"
)

// turncoat is a resolver that gives a good address first, and another one to
// whoever asks again.
type turncoat struct {
	asked  atomic.Int64
	first  answers
	second answers
}

func (r *turncoat) LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error) {
	if r.asked.Add(1) == 1 {
		return r.first.LookupNetIP(ctx, network, host)
	}
	return r.second.LookupNetIP(ctx, network, host)
}

// A name is looked up once for each request, and what was judged is what is
// dialled, under the name of the URL.
func testRebinding(t *testing.T) {
	for _, trap := range []string{"127.0.0.1", "169.254.169.254", "10.0.0.1", "::ffff:169.254.169.254", "fd00:ec2::254", "64:ff9b::a9fe:a9fe"} {
		o := startOrigin(t, fine)
		r := &turncoat{first: answers{"8.8.8.8"}, second: answers{trap}}
		dialled := 0
		e, err := New(Config{URL: "https://example.com/", Roots: o.roots, Resolver: r, Dial: func(_ context.Context, a netip.AddrPort) (net.Conn, error) {
			if dialled++; a.String() != "8.8.8.8:443" {
				t.Errorf("the address %s was dialled", a)
				return nil, io.EOF
			}
			return net.Dial("tcp", o.address())
		}})
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		p, err := e.Prepare(t.Context(), Request{Body: []byte(`{}`)})
		if err != nil {
			t.Fatal(err)
		}
		if n := r.asked.Load(); n != 1 {
			t.Errorf("%d lookups before the request", n)
		}
		if _, err := p.Send(t.Context()); err != nil || dialled != 1 || r.asked.Load() != 1 {
			t.Errorf("%v, dialled %d times after %d lookups", err, dialled, r.asked.Load())
		}
		var refused *ConfigError
		if _, err := e.Prepare(t.Context(), Request{Body: []byte(`{}`)}); !errors.As(err, &refused) || dialled != 1 {
			t.Errorf("%s: the second time: %v", trap, err)
		}
		o.mu.Lock()
		if len(o.names) != 1 || o.names[0] != "example.com" {
			t.Errorf("asked for as %v", o.names)
		}
		o.mu.Unlock()
	}
}

package transport

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/netip"
	"testing"
)

// A host that changes its slices afterwards changes nothing of an endpoint:
// neither what was judged, nor what is sent, nor the parts of its digest.
func TestConfigIsKeptAsItWas(t *testing.T) {
	o := startOrigin(t, fine)
	proxy := tunnels(t, o.address(), nil, always(""))
	c := through(t, o, proxy)
	c.Addresses = addresses("8.8.8.8")
	c.Networks = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
	e := open(t, c)
	before := fmt.Sprint(e.Parts())
	c.Addresses[0] = netip.MustParseAddr("169.254.169.254")
	c.Networks[0] = netip.MustParsePrefix("0.0.0.0/0")
	c.Headers[0] = Header{"X-Other", "", Text("other")}
	c.Proxy.URL, c.Proxy.Name, c.Proxy.Credential = "http://127.0.0.1:1", "other", Text("other")
	if _, err := send(t, e, Request{Body: []byte(`{}`)}); err != nil {
		t.Fatal(err)
	}
	if asked := proxy.requests(); len(asked) != 1 || asked[0].Host != "8.8.8.8:443" || asked[0].Header.Get("Proxy-Authorization") != "Basic proxy-token-1234" {
		t.Errorf("asked %+v", asked)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if head := o.heads[0]; head.Get("Authorization") == "" || head.Get("X-Other") != "" {
		t.Errorf("the origin got %v", head)
	}
	if after := fmt.Sprint(e.Parts()); after != before {
		t.Errorf("parts\n%s\nafter\n%s", after, before)
	}

	// Addresses of an answer are the resolver's, and it may change them later too.
	list := addresses("::ffff:8.8.8.8")
	var dialled []string
	d, err := New(Config{URL: "https://a.example/", Resolver: resolverFunc(func(context.Context) ([]netip.Addr, error) { return list, nil }),
		Dial: func(_ context.Context, a netip.AddrPort) (net.Conn, error) {
			dialled = append(dialled, a.String())
			return nil, io.EOF
		}})
	if err != nil {
		t.Fatal(err)
	}
	p, err := d.Prepare(t.Context(), Request{})
	if err != nil {
		t.Fatal(err)
	}
	list[0] = netip.MustParseAddr("127.0.0.1")
	if p.Send(t.Context()); fmt.Sprint(dialled) != "[8.8.8.8:443]" {
		t.Errorf("dialled %v", dialled)
	}
}

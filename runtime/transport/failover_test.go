package transport

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"strings"
	"testing"
)

func testFailover(t *testing.T) {
	s := serve(t, func(c net.Conn, _ int64) bool { return answer(c, ok("x")) })
	var dialled []string
	first, second := netip.MustParseAddr("127.0.0.2"), netip.MustParseAddr("127.0.0.3")
	c := Config{URL: "http://localhost:1/", Addresses: []netip.Addr{first, second}}
	c.Dial = func(ctx context.Context, a netip.AddrPort) (net.Conn, error) {
		dialled = append(dialled, a.Addr().String())
		if a.Addr() == first {
			return nil, errors.New("refused")
		}
		return net.Dial("tcp", strings.TrimPrefix(strings.TrimSuffix(s.url, "/rpc"), "http://"))
	}
	if _, err := send(t, open(t, c), Request{Body: []byte(`{}`)}); err != nil || fmt.Sprint(dialled) != "[127.0.0.2 127.0.0.3]" {
		t.Errorf("B7: dialled %v, %v", dialled, err)
	}

	// Once a byte has left there is no second address.
	dialled = nil
	c.Dial = func(ctx context.Context, a netip.AddrPort) (net.Conn, error) {
		dialled = append(dialled, a.Addr().String())
		near, far := net.Pipe()
		go func() { io.ReadFull(far, make([]byte, 10)); far.Close() }()
		return near, nil
	}
	_, err := send(t, open(t, c), Request{Body: []byte(`{}`)})
	var f *Failure
	if !errors.As(err, &f) || !f.Started || len(dialled) != 1 {
		t.Errorf("B7: dialled %v, %v, want one address and a failure after the start", dialled, err)
	}

	dialled = nil
	c.Dial = func(ctx context.Context, a netip.AddrPort) (net.Conn, error) { return nil, errors.New("no") }
	if _, err = send(t, open(t, c), Request{Body: []byte(`{}`)}); !errors.As(err, &f) || f.Started || f.Code != Dial {
		t.Errorf("got %v, want dial and not started", err)
	}
}

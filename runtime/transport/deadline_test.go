package transport

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"testing"
	"time"
)

func testDeadlineAndCancel(t *testing.T) {
	hold := make(chan struct{})
	silent := serve(t, func(net.Conn, int64) bool { <-hold; return false })
	drip := serve(t, func(c net.Conn, _ int64) bool {
		answer(c, "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
		for answer(c, "x") {
			select {
			case <-hold:
				return false
			case <-time.After(time.Millisecond):
			}
		}
		return false
	})
	for name, s := range map[string]*server{"silent": silent, "drip": drip} {
		outOfTime(t, Config{URL: s.url}, true)
		e := open(t, Config{URL: s.url, Limits: Limits{Timeout: time.Minute}})
		ctx, cancel := context.WithCancel(t.Context())
		p, err := e.Prepare(ctx, Request{Body: []byte(`{}`)})
		if err != nil {
			t.Fatal(err)
		}
		before := s.requests.Load()
		go func() {
			for s.requests.Load() == before {
				time.Sleep(time.Millisecond)
			}
			cancel()
		}()
		_, err = p.Send(ctx)
		var f *Failure
		if !errors.As(err, &f) || f.Code != Canceled || !f.Started || !errors.Is(err, context.Canceled) {
			t.Errorf("%s: got %v, want canceled after the start", name, err)
		}
	}
	close(hold)
}

// outOfTime wants an exchange to end by its deadline, after the start or before
// it. A slow machine may need more time to get as far as a start.
func outOfTime(t *testing.T, c Config, started bool) {
	t.Helper()
	for c.Limits.Timeout = 50 * time.Millisecond; ; c.Limits.Timeout *= 4 {
		_, err := send(t, open(t, c), Request{Body: []byte(`{}`)})
		var f *Failure
		if !errors.As(err, &f) || f.Code != Timeout || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v, want a timeout", err)
			return
		}
		if f.Started == started {
			return
		}
		if !started || c.Limits.Timeout > 30*time.Second {
			t.Errorf("started: %v, want %v", f.Started, started)
			return
		}
	}
}

// One deadline holds for the connection, the handshake, headers that drip and
// a body that drips, and says whether a byte of the request had left.
func testDeadlineAtEveryStage(t *testing.T) {
	stop := make(chan struct{})
	defer close(stop)
	drip := func(c net.Conn, text string) {
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			case <-time.After(time.Millisecond):
				if !answer(c, text[i%len(text):i%len(text)+1]) {
					return
				}
			}
		}
	}
	dripping := func(head, text string) *server {
		return serve(t, func(c net.Conn, _ int64) bool { answer(c, head); drip(c, text); return false })
	}
	silent, err := net.Listen("tcp", "127.0.0.1:0") // accepts in the kernel, and says nothing
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	toSilent := func(context.Context, netip.AddrPort) (net.Conn, error) {
		return net.Dial("tcp", silent.Addr().String())
	}
	rows := []struct {
		name    string
		c       Config
		started bool
	}{
		{"connection", Config{URL: "https://8.8.8.8/", Dial: func(ctx context.Context, _ netip.AddrPort) (net.Conn, error) { <-ctx.Done(); return nil, ctx.Err() }}, false},
		{"handshake", Config{URL: "https://8.8.8.8/", Dial: toSilent}, false},
		{"proxy", Config{URL: "https://8.8.8.8/", Dial: toSilent, Proxy: &Proxy{Name: "p", URL: "http://127.0.0.1:1"}}, false},
		{"proxy's handshake", Config{URL: "https://8.8.8.8/", Dial: toSilent, Proxy: &Proxy{Name: "p", URL: "https://8.8.4.4"}}, false},
		{"status line", Config{URL: dripping("", "HTTP/1.1 200 OK").url}, true},
		{"headers", Config{URL: dripping("HTTP/1.1 200 OK\r\n", "X: x\r\n").url}, true},
		{"chunks", Config{URL: dripping("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\nx\r\n").url}, true},
		{"body", Config{URL: dripping("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n", "x").url}, true},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			outOfTime(t, row.c, row.started)
		})
	}
	blocked := Config{URL: "https://a.example/", Resolver: resolverFunc(func(ctx context.Context) ([]netip.Addr, error) { <-ctx.Done(); return nil, ctx.Err() })}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	var late *ConfigError
	if _, err := open(t, blocked).Prepare(ctx, Request{}); !errors.As(err, &late) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a lookup without end: %v", err)
	}
}

type resolverFunc func(context.Context) ([]netip.Addr, error)

func (f resolverFunc) LookupNetIP(ctx context.Context, _, _ string) ([]netip.Addr, error) {
	return f(ctx)
}

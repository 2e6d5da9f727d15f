package transport

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// server answers every connection with script, once the head and body of a
// request have come, and counts what it saw.
type server struct {
	url         string
	connections atomic.Int64
	requests    atomic.Int64
	last        atomic.Pointer[http.Request]
}

// serve starts a raw server on loopback. script writes to the connection; it is
// called for every request and ends the connection by returning false.
func serve(t *testing.T, script func(c net.Conn, n int64) bool) *server {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &server{url: "http://" + listener.Addr().String() + "/rpc"}
	var open sync.WaitGroup
	t.Cleanup(func() { listener.Close(); open.Wait() })
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			s.connections.Add(1)
			open.Go(func() { s.talk(c, script) })
		}
	}()
	return s
}

func (s *server) talk(c net.Conn, script func(net.Conn, int64) bool) {
	defer c.Close()
	for reader := newReader(c); ; {
		r, err := http.ReadRequest(reader)
		if err != nil {
			return
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		s.last.Store(r)
		if !script(c, s.requests.Add(1)) {
			return
		}
	}
}

func answer(c net.Conn, text string) bool {
	_, err := io.WriteString(c, text)
	return err == nil
}

func ok(body string) string {
	return fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
}

func open(t *testing.T, c Config) *Endpoint {
	t.Helper()
	c.Development = true
	e, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	return e
}

func send(t *testing.T, e *Endpoint, r Request) (Response, error) {
	t.Helper()
	p, err := e.Prepare(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return p.Send(t.Context())
}

func testRequestBytes(t *testing.T) {
	s := serve(t, func(c net.Conn, _ int64) bool { return answer(c, ok(`{}`)) })
	e := open(t, Config{
		URL: s.url + "?x=1", Headers: []Header{{"Authorization", "Bearer ", Text("token")}},
		SignName: "test", Sign: func(_ context.Context, o Outgoing) ([]Field, error) {
			o.Body[0] = 'X' // a copy: what was approved stays what is sent
			return []Field{{"X-Signature", fmt.Sprint(len(o.Body))}}, nil
		},
	})
	r, err := send(t, e, Request{Body: []byte(`{"a":1}`)})
	if err != nil || r.Status != 200 || string(r.Body) != `{}` || r.Sent != 7 {
		t.Fatalf("got %+v, %v", r, err)
	}
	got := s.last.Load()
	body, _ := io.ReadAll(got.Body)
	want := http.Header{
		"Accept": {"application/json"}, "Accept-Encoding": {"identity"}, "Authorization": {"Bearer token"},
		"Connection": {"close"}, "Content-Type": {"application/json"}, "Content-Length": {"7"},
		"User-Agent": {"rpcgen"}, "X-Signature": {"7"},
	}
	if string(body) != `{"a":1}` || got.Method != "POST" || got.RequestURI != "/rpc?x=1" || "http://"+got.Host+"/rpc" != s.url {
		t.Errorf("got %s %s, host %s, body %s", got.Method, got.RequestURI, got.Host, body)
	}
	if fmt.Sprint(got.Header) != fmt.Sprint(want) {
		t.Errorf("headers\n got %v\nwant %v", got.Header, want)
	}
}

func testStatuses(t *testing.T) {
	var trapped atomic.Int64
	trap := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { trapped.Add(1) }))
	defer trap.Close()
	for _, status := range []int{200, 201, 206, 301, 302, 303, 307, 308, 400, 404, 429, 500, 503} {
		s := serve(t, func(c net.Conn, _ int64) bool {
			return answer(c, fmt.Sprintf("HTTP/1.1 %d X\r\nLocation: %s\r\nSet-Cookie: a=b\r\nContent-Length: 1\r\n\r\nx", status, trap.URL))
		})
		e := open(t, Config{URL: s.url, Headers: []Header{{"X-Api-Key", "", Text("k")}}})
		for range 2 {
			r, err := send(t, e, Request{Body: []byte(`{}`)})
			if err != nil || r.Status != status || string(r.Body) != "x" {
				t.Errorf("status %d: got %+v, %v", status, r, err)
			}
			if s.last.Load().Header.Get("Cookie") != "" {
				t.Error("a cookie was kept")
			}
		}
	}
	if trapped.Load() > 0 {
		t.Error("A10: a redirect was followed")
	}
}

// discardLog is for servers whose handlers drop connections.
var discardLog = log.New(io.Discard, "", 0)

func waitFor(t *testing.T, done func() bool) {
	t.Helper()
	for range 500 {
		if done() {
			return
		}
		time.Sleep(2 * time.Millisecond) // the kernel, not a race of ours
	}
	t.Fatal("it does not happen")
}

// A large request to a server that answers without reading it ends with the
// answer, not with a deadlock.
func testEarlyAnswer(t *testing.T) {
	for _, reuse := range []bool{false, true} {
		near, far := net.Pipe() // holds nothing: what is not read is not written
		defer far.Close()
		go func() {
			io.ReadFull(far, make([]byte, 10))
			answer(far, "HTTP/1.1 413 Too Large\r\nContent-Length: 1\r\n\r\nx")
		}()
		e := open(t, Config{
			URL: "http://127.0.0.1:1/", Limits: Limits{Request: 1 << 20, Timeout: 10 * time.Minute},
			Dial: func(context.Context, netip.AddrPort) (net.Conn, error) { return near, nil },
		})
		start := time.Now()
		r, err := send(t, e, Request{Body: bytes.Repeat([]byte("x"), 1<<20), Reuse: reuse})
		if err != nil || r.Status != 413 || time.Since(start) > time.Minute {
			t.Errorf("got %+v, %v after %v", r, err, time.Since(start))
		}
		if len(e.idle.idle) > 0 {
			t.Error("a connection with half a request on it is kept")
		}
	}
}

func testNewRefuses(t *testing.T) {
	nets := func(s string) []netip.Prefix { return []netip.Prefix{netip.MustParsePrefix(s)} }
	rows := []struct {
		name string
		c    Config
		ok   bool
	}{
		{"http to a name", Config{URL: "http://a.example/"}, false},
		{"http to a name, development", Config{URL: "http://a.example/", Development: true}, false},
		{"http to localhost", Config{URL: "http://localhost/"}, false},
		{"http to localhost, development", Config{URL: "http://localhost/", Development: true}, true},
		{"http to loopback, development", Config{URL: "http://127.0.0.2/", Development: true}, true},
		{"http to private, development", Config{URL: "http://10.0.0.1/", Development: true}, false},
		{"http to plaintext network", Config{URL: "http://10.0.0.1/", Plaintext: nets("10.0.0.0/8")}, true},
		{"http beside plaintext network", Config{URL: "http://11.0.0.1/", Plaintext: nets("10.0.0.0/8")}, false},
		{"https to private", Config{URL: "https://10.0.0.1/"}, false},
		{"https to allowed private", Config{URL: "https://10.0.0.1/", Networks: nets("10.0.0.0/8")}, true},
		{"https to loopback", Config{URL: "https://127.0.0.1/"}, false},
		{"pinned private", Config{URL: "https://a.example/", Addresses: []netip.Addr{netip.MustParseAddr("10.0.0.1")}}, false},
		{"pinned with zone", Config{URL: "https://a.example/", Addresses: []netip.Addr{netip.MustParseAddr("fe80::1%eth0")}}, false},
		{"pinned beside address", Config{URL: "https://8.8.8.8/", Addresses: []netip.Addr{netip.MustParseAddr("8.8.4.4")}}, false},
		{"mapped network", Config{URL: "https://a.example/", Networks: nets("::ffff:10.0.0.0/104")}, false},
		{"zero network", Config{URL: "https://a.example/", Networks: []netip.Prefix{{}}}, false},
		{"limit", Config{URL: "https://a.example/", Limits: Limits{Response: 8<<20 + 1}}, false},
		{"limit", Config{URL: "https://a.example/", Limits: Limits{Request: 1<<20 + 1}}, false},
		{"limit", Config{URL: "https://a.example/", Limits: Limits{Timeout: -1}}, false},
		{"largest", Config{URL: "https://a.example/", Limits: Limits{Request: 1 << 20, Response: 8 << 20}}, true},
		{"sign without name", Config{URL: "https://a.example/", Sign: func(context.Context, Outgoing) ([]Field, error) { return nil, nil }}, false},
		{"public key", Config{URL: "https://a.example/", PublicKeys: []string{"sha256/x"}}, false},
	}
	for _, row := range rows {
		if _, err := New(row.c); (err == nil) != row.ok {
			t.Errorf("%s: New = %v, want accepted %v", row.name, err, row.ok)
		}
	}
}

func testErrorsHoldNoURL(t *testing.T) {
	_, err := New(Config{URL: "https://user:hunter2@a.example/?key=hunter2"})
	if err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("New = %v", err)
	}
	e, err := New(Config{URL: "https://a.example/?key=hunter2", Resolver: answers{}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err = e.Prepare(t.Context(), Request{}); err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("Prepare = %v", err)
	}
}

func testInFlight(t *testing.T) {
	hold := make(chan struct{})
	s := serve(t, func(c net.Conn, _ int64) bool { <-hold; return answer(c, ok("x")) })
	e := open(t, Config{URL: s.url, Limits: Limits{InFlight: 1}})
	p, err := e.Prepare(t.Context(), Request{Body: []byte(`{}`)})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	var late *ConfigError
	if _, err := e.Prepare(ctx, Request{}); !errors.As(err, &late) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("B9: a second exchange got a slot: %v", err)
	}
	close(hold)
	if _, err := p.Send(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Send(t.Context()); err == nil || s.requests.Load() != 1 {
		t.Errorf("a prepared request was sent twice: %v, %d requests", err, s.requests.Load())
	}
	p.Release()
	if _, err := send(t, e, Request{Body: []byte(`{}`)}); err != nil {
		t.Errorf("the slot did not come back: %v", err)
	}
}

func testRequestLimit(t *testing.T) {
	e := open(t, Config{URL: "http://127.0.0.1:1/"})
	if _, err := e.Prepare(t.Context(), Request{Body: make([]byte, 64<<10+1)}); err == nil {
		t.Error("B8: a request over the limit is prepared")
	}
}

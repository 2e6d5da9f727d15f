package transport

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"os/exec"
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

func TestSendRequestBytes(t *testing.T) {
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

// The bound matrix: sizes at, just over and far over the limit, in every
// framing.
func TestSendBounds(t *testing.T) {
	const limit = 4096
	var huge bytes.Buffer
	z := gzip.NewWriter(&huge)
	z.Write(make([]byte, 1<<20))
	z.Close()
	chunked := func(n int) string {
		var b strings.Builder
		b.WriteString("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
		for ; n > 1000; n -= 1000 {
			fmt.Fprintf(&b, "3e8\r\n%s\r\n", strings.Repeat("x", 1000))
		}
		fmt.Fprintf(&b, "%x\r\n%s\r\n0\r\nX-Trailer: 1\r\n\r\n", n, strings.Repeat("x", n))
		return b.String()
	}
	rows := []struct {
		name   string
		answer string
		code   Code // "" is a whole body of
		size   int
	}{
		{"plain N", ok(strings.Repeat("x", limit)), "", limit},
		{"plain N+1", ok(strings.Repeat("x", limit+1)), TooLarge, 0},
		{"plain huge", ok(strings.Repeat("x", 1<<20)), TooLarge, 0},
		{"chunked N", chunked(limit), "", limit},
		{"chunked N+1", chunked(limit + 1), TooLarge, 0},
		{"chunked huge", chunked(1 << 20), TooLarge, 0},
		{"to the end N", "HTTP/1.1 200 OK\r\n\r\n" + strings.Repeat("x", limit), "", limit},
		{"to the end N+1", "HTTP/1.1 200 OK\r\n\r\n" + strings.Repeat("x", limit+1), TooLarge, 0},
		{"lying short", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nx", Closed, 0},
		{"lying huge", "HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\nx", TooLarge, 0},
		{"lying long", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nxyz", "", 1},
		{"two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxy", Malformed, 0},
		{"negative length", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nxy", Malformed, 0},
		{"empty", ok(""), "", 0},
		{"204", "HTTP/1.1 204 No Content\r\n\r\n", "", 0},
		{"gzip", "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + huge.String(), ContentEncoding, 0},
		{"br", "HTTP/1.1 200 OK\r\nContent-Encoding: br\r\nContent-Length: 1\r\n\r\nx", ContentEncoding, 0},
		{"stacked", "HTTP/1.1 200 OK\r\nContent-Encoding: identity\r\nContent-Encoding: gzip\r\nContent-Length: 1\r\n\r\nx", ContentEncoding, 0},
		{"identity", "HTTP/1.1 200 OK\r\nContent-Encoding: identity\r\nContent-Length: 1\r\n\r\nx", "", 1},
		{"gzip transfer", "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\nx", Malformed, 0},
		{"headers", "HTTP/1.1 200 OK\r\nX: " + strings.Repeat("x", 60<<10) + "\r\nContent-Length: 1\r\n\r\nx", "", 1},
		{"too many headers", "HTTP/1.1 200 OK\r\nX: " + strings.Repeat("x", 70<<10) + "\r\nContent-Length: 1\r\n\r\nx", HeaderTooLarge, 0},
		{"endless headers", "HTTP/1.1 200 OK\r\n" + strings.Repeat("X: "+strings.Repeat("x", 1000)+"\r\n", 3000), HeaderTooLarge, 0},
		{"interim", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n" + ok("x"), "", 1},
		{"endless interim", strings.Repeat("HTTP/1.1 103 Early Hints\r\n\r\n", 100), HeaderTooLarge, 0},
		{"switching", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n", Malformed, 0},
		{"http/2", "HTTP/2.0 200 OK\r\n\r\nx", Malformed, 0},
		{"http/1.0", "HTTP/1.0 200 OK\r\n\r\nx", "", 1},
		{"not http", "SSH-2.0-OpenSSH\r\n", Malformed, 0},
		{"nothing", "", Closed, 0},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			s := serve(t, func(c net.Conn, _ int64) bool { answer(c, row.answer); return false })
			e := open(t, Config{URL: s.url, Limits: Limits{Response: limit, Timeout: 5 * time.Second}})
			r, err := send(t, e, Request{Body: []byte(`{}`), Reuse: true})
			var f *Failure
			switch errors.As(err, &f); {
			case row.code == "" && (err != nil || len(r.Body) != row.size):
				t.Errorf("got %d bytes, %v, want %d", len(r.Body), err, row.size)
			case row.code != "" && (f == nil || f.Code != row.code || !f.Started):
				t.Errorf("got %v, want %s after the start", err, row.code)
			case f != nil && f.Received > limit+1:
				t.Errorf("%d bytes were read, more than the limit and one", f.Received)
			}
		})
	}
}

func TestSendStatuses(t *testing.T) {
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

// TestNoAmbientProxy runs itself with every proxy variable set to a trap.
func TestNoAmbientProxy(t *testing.T) {
	if url := os.Getenv("RPCGEN_TEST_TARGET"); url != "" {
		e := open(t, Config{URL: url})
		if _, err := send(t, e, Request{Body: []byte(`{}`)}); err != nil {
			t.Fatal(err)
		}
		return
	}
	trap := serve(t, func(c net.Conn, _ int64) bool { return answer(c, ok("x")) })
	target := serve(t, func(c net.Conn, _ int64) bool { return answer(c, ok("x")) })
	cmd := exec.Command(os.Args[0], "-test.run=^TestNoAmbientProxy$")
	cmd.Env = append(os.Environ(), "RPCGEN_TEST_TARGET="+target.url)
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"} {
		cmd.Env = append(cmd.Env, name+"="+strings.TrimSuffix(trap.url, "/rpc"))
	}
	cmd.Env = append(cmd.Env, "NO_PROXY=", "no_proxy=", "REQUEST_METHOD=")
	if out, err := cmd.CombinedOutput(); err != nil || target.requests.Load() != 1 || trap.connections.Load() != 0 {
		t.Errorf("%v, %d requests at the target, %d connections at the proxy\n%s", err, target.requests.Load(), trap.connections.Load(), out)
	}
}

// TestNoReplay is B6: a server that takes a request on a connection that served
// one before, and drops it. net/http repeats a POST with an idempotency key.
func TestNoReplay(t *testing.T) {
	for _, header := range []string{"X-Plain", "Idempotency-Key", "X-Idempotency-Key"} {
		for _, reuse := range []bool{false, true} {
			s := serve(t, func(c net.Conn, n int64) bool { return n == 1 && answer(c, ok("x")) })
			c := Config{URL: s.url}
			if header == "X-Plain" {
				c.Headers = []Header{{header, "", Text("k")}}
			} else {
				// A Sign hook cannot smuggle it in either.
				c.SignName, c.Sign = "x", func(context.Context, Outgoing) ([]Field, error) { return []Field{{header, "k"}}, nil }
			}
			e := open(t, c)
			if c.Sign != nil {
				if _, err := e.Prepare(t.Context(), Request{Reuse: reuse}); err == nil {
					t.Errorf("%s is accepted", header)
				}
				continue
			}
			if _, err := send(t, e, Request{Body: []byte(`{}`), Reuse: reuse}); err != nil {
				t.Fatal(err)
			}
			_, err := send(t, e, Request{Body: []byte(`{}`), Reuse: reuse})
			var f *Failure
			if !errors.As(err, &f) || !f.Started || s.requests.Load() != 2 {
				t.Errorf("reuse %v: got %v and %d requests, want a failure after the start and 2", reuse, err, s.requests.Load())
			}
		}
	}
}

func TestReuse(t *testing.T) {
	s := serve(t, func(c net.Conn, _ int64) bool { return answer(c, ok("x")) })
	e := open(t, Config{URL: s.url})
	for range 3 {
		if _, err := send(t, e, Request{Body: []byte(`{}`), Reuse: true}); err != nil {
			t.Fatal(err)
		}
	}
	if n := s.connections.Load(); n != 1 {
		t.Errorf("%d connections for 3 requests that share one", n)
	}
	for range 2 {
		send(t, e, Request{Body: []byte(`{}`)})
	}
	if n := s.connections.Load(); n != 3 {
		t.Errorf("%d connections, want one more for each request that does not share", n)
	}
	e.Close()
	send(t, e, Request{Body: []byte(`{}`), Reuse: true})
	if n := len(e.idle.idle); n != 0 {
		t.Errorf("%d connections are kept after Close", n)
	}
}

// A connection the server closed, and one on which it speaks unasked, are not
// used again.
func TestReuseOfBadConnections(t *testing.T) {
	for name, after := range map[string]string{"closed": "", "speaks": ok("forged")} {
		hold := make(chan struct{})
		s := serve(t, func(c net.Conn, n int64) bool {
			answer(c, ok("x"))
			if n > 1 {
				return true
			}
			<-hold
			answer(c, after)
			return after != ""
		})
		e := open(t, Config{URL: s.url})
		send(t, e, Request{Body: []byte(`{}`), Reuse: true})
		close(hold)
		waitFor(t, func() bool { return !quiet(e.idle.idle[0].wire.Conn) })
		r, err := send(t, e, Request{Body: []byte(`{}`), Reuse: true})
		if err != nil || string(r.Body) != "x" || s.connections.Load() != 2 {
			t.Errorf("%s: got %s, %v over %d connections", name, r.Body, err, s.connections.Load())
		}
	}
}

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

func TestDeadlineAndCancel(t *testing.T) {
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
		e := open(t, Config{URL: s.url, Limits: Limits{Timeout: 50 * time.Millisecond}})
		_, err := send(t, e, Request{Body: []byte(`{}`)})
		var f *Failure
		if !errors.As(err, &f) || f.Code != Timeout || !f.Started || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: got %v, want a timeout after the start", name, err)
		}
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
		if !errors.As(err, &f) || f.Code != Canceled && f.Code != Timeout || !f.Started {
			t.Errorf("%s: got %v, want canceled after the start", name, err)
		}
	}
	close(hold)
}

// A large request to a server that answers without reading it ends with the
// answer, not with a deadlock.
func TestAnswerBeforeTheRequestIsRead(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	go func() {
		c, err := listener.Accept()
		if err != nil {
			return
		}
		defer c.Close()
		c.(*net.TCPConn).SetReadBuffer(1024)
		answer(c, "HTTP/1.1 413 Too Large\r\nContent-Length: 1\r\n\r\nx")
		time.Sleep(200 * time.Millisecond) // keeps the connection open and unread
	}()
	e := open(t, Config{URL: "http://" + listener.Addr().String() + "/", Limits: Limits{Request: 1 << 20}})
	r, err := send(t, e, Request{Body: bytes.Repeat([]byte("x"), 1<<20)})
	if err != nil || r.Status != 413 {
		t.Errorf("got %+v, %v", r, err)
	}
}

func TestFailover(t *testing.T) {
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

type answers []string

func (a answers) LookupNetIP(context.Context, string, string) (list []netip.Addr, err error) {
	for _, s := range a {
		list = append(list, netip.MustParseAddr(s))
	}
	return list, nil
}

func TestResolve(t *testing.T) {
	rows := []struct {
		row     string
		answers answers
		want    bool
	}{
		{"public", answers{"8.8.8.8", "2606:4700::1"}, true},
		{"A6 one of them private", answers{"8.8.8.8", "10.0.0.1"}, false},
		{"A6 loopback", answers{"127.0.0.1"}, false},
		{"A6 mapped", answers{"::ffff:169.254.169.254"}, false},
		{"none", answers{}, false},
		{"too many", strings.Fields(strings.Repeat("8.8.8.8 ", 33)), false},
	}
	for _, row := range rows {
		touched := false
		e, err := New(Config{
			URL: "https://a.example/", Resolver: row.answers, Headers: []Header{{"X-Key", "", Text("k")}},
			Dial: func(context.Context, netip.AddrPort) (net.Conn, error) { touched = true; return nil, io.EOF },
		})
		if err != nil {
			t.Fatal(err)
		}
		p, err := e.Prepare(t.Context(), Request{})
		if (err == nil) != row.want || touched {
			t.Errorf("%s: Prepare = %v, dialled %v", row.row, err, touched)
		}
		if err == nil {
			p.Release()
		}
	}
}

func TestNewRefuses(t *testing.T) {
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

func TestErrorsHoldNoURL(t *testing.T) {
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

func TestInFlight(t *testing.T) {
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

func TestRequestLimit(t *testing.T) {
	e := open(t, Config{URL: "http://127.0.0.1:1/"})
	if _, err := e.Prepare(t.Context(), Request{Body: make([]byte, 64<<10+1)}); err == nil {
		t.Error("B8: a request over the limit is prepared")
	}
}

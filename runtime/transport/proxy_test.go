package transport

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// proxyServer is a forward proxy on loopback. It notes every CONNECT, and all
// that goes through it.
type proxyServer struct {
	url    string
	mu     sync.Mutex
	asked  []*http.Request
	passed bytes.Buffer // from the client
}

// tunnels starts a proxy that leads every tunnel to origin. answer decides what
// it says to the nth CONNECT; "" opens the tunnel.
func tunnels(t *testing.T, origin string, settings *tls.Config, answer func(n int, r *http.Request) string) *proxyServer {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxyServer{url: "http://" + listener.Addr().String()}
	if settings != nil {
		listener, p.url = tls.NewListener(listener, settings), "https://"+listener.Addr().String()
	}
	var open sync.WaitGroup
	stop := make(chan struct{})
	t.Cleanup(func() { close(stop); listener.Close(); open.Wait() })
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			open.Go(func() {
				defer c.Close()
				gone := context.AfterFunc(t.Context(), func() { c.Close() })
				defer gone()
				p.talk(c, origin, answer, stop)
			})
		}
	}()
	return p
}

func (p *proxyServer) talk(c net.Conn, origin string, answer func(int, *http.Request) string, stop chan struct{}) {
	r, err := http.ReadRequest(newReader(c))
	if err != nil {
		return
	}
	p.mu.Lock()
	p.asked = append(p.asked, r)
	n := len(p.asked)
	p.mu.Unlock()
	switch text := answer(n, r); text {
	case "":
	case "hang":
		<-stop
		return
	default:
		io.WriteString(c, text)
		if strings.HasPrefix(text, "HTTP/1.1 200") {
			io.Copy(io.Discard, c) // what a client sends on it goes nowhere
		}
		return
	}
	far, err := net.Dial("tcp", origin)
	if err != nil {
		return
	}
	defer far.Close()
	io.WriteString(c, "HTTP/1.1 200 Connection established\r\nVia: proxy\r\n\r\n")
	go func() { io.Copy(c, far); c.Close() }()
	io.Copy(far, io.TeeReader(c, p))
}

func (p *proxyServer) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.passed.Write(b)
}

// through is what went through the tunnels.
func (p *proxyServer) through() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.passed.String()
}

func (p *proxyServer) requests() []*http.Request {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.asked)
}

func always(text string) func(int, *http.Request) string {
	return func(int, *http.Request) string { return text }
}

// origin is an https server that answers for example.com and notes what it got.
type origin struct {
	*httptest.Server
	roots *x509.CertPool
	mu    sync.Mutex
	names []string // of servers, as clients asked for them
	heads []http.Header
}

func startOrigin(t *testing.T, handler http.HandlerFunc) *origin {
	t.Helper()
	o := &origin{roots: x509.NewCertPool()}
	o.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		o.mu.Lock()
		o.heads = append(o.heads, r.Header)
		o.mu.Unlock()
		handler(w, r)
	}))
	o.TLS = &tls.Config{GetConfigForClient: func(h *tls.ClientHelloInfo) (*tls.Config, error) {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.names = append(o.names, h.ServerName)
		return nil, nil
	}}
	o.Config.ErrorLog = discardLog
	o.StartTLS()
	t.Cleanup(o.Close)
	o.roots.AddCert(o.Certificate())
	return o
}

func (o *origin) requests() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.heads)
}

func (o *origin) address() string { return o.Listener.Addr().String() }

func fine(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "x") }

// onlyTo dials one host and fails the test for every other.
func onlyTo(t *testing.T, urls ...string) DialFunc {
	return func(ctx context.Context, a netip.AddrPort) (net.Conn, error) {
		if !slices.ContainsFunc(urls, func(u string) bool { return strings.HasSuffix(u, "//"+a.String()) }) {
			t.Errorf("the address %s was dialled, and not the proxy", a)
			return nil, io.EOF
		}
		var d net.Dialer
		return d.DialContext(ctx, "tcp", a.String())
	}
}

// never is a resolver that fails the test.
type never struct{ t *testing.T }

func (n never) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	n.t.Errorf("the name %s was looked up", host)
	return nil, io.EOF
}

func addresses(text ...string) (list []netip.Addr) {
	for _, s := range text {
		list = append(list, netip.MustParseAddr(s))
	}
	return list
}

func through(t *testing.T, o *origin, p *proxyServer) Config {
	return Config{
		URL: "https://example.com/rpc", Roots: o.roots, Resolver: never{t}, Dial: onlyTo(t, p.url),
		Headers: []Header{{"Authorization", "Bearer ", Text("origin-token-1234")}},
		Proxy:   &Proxy{Name: "egress", URL: p.url, Prefix: "Basic ", Credential: Text("proxy-token-1234")},
	}
}

// TLS goes from end to end: the proxy learns the name of the origin and its own
// credential, and nothing else; the origin learns nothing of the proxy.
func testProxyTunnel(t *testing.T) {
	for _, encrypted := range []bool{false, true} {
		o := startOrigin(t, fine)
		var settings *tls.Config
		if encrypted {
			settings = &tls.Config{Certificates: o.TLS.Certificates}
		}
		p := tunnels(t, o.address(), settings, always(""))
		c := through(t, o, p)
		c.Proxy.Roots = o.roots
		e := open(t, c)
		for range 3 {
			if r, err := send(t, e, Request{Body: []byte(`"the body"`), Reuse: true}); err != nil || string(r.Body) != "x" || r.Sent != 10 {
				t.Fatalf("encrypted %v: got %+v, %v", encrypted, r, err)
			}
		}
		asked := p.requests()
		if len(asked) != 1 || asked[0].Method != "CONNECT" || asked[0].Host != "example.com:443" || asked[0].RequestURI != "example.com:443" {
			t.Fatalf("asked %d times: %+v", len(asked), asked)
		}
		want := http.Header{"Proxy-Authorization": {"Basic proxy-token-1234"}, "User-Agent": {"rpcgen"}}
		if got := asked[0].Header; fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("the proxy got %v, want %v", got, want)
		}
		for _, text := range []string{"origin-token", "the body", "/rpc"} {
			if strings.Contains(p.through(), text) {
				t.Errorf("the proxy can read %q", text)
			}
		}
		o.mu.Lock()
		for _, head := range o.heads {
			if head.Get("Authorization") != "Bearer origin-token-1234" || strings.Contains(fmt.Sprint(head), "proxy") {
				t.Errorf("the origin got %v", head)
			}
		}
		if fmt.Sprint(o.names) != "[example.com]" {
			t.Errorf("the origin was asked for as %v", o.names)
		}
		o.mu.Unlock()
	}
}

// Whatever goes wrong before the tunnel stands, no byte of a request has left,
// and nothing of the proxy is taken for the origin's.
func testProxyFailures(t *testing.T) {
	o := startOrigin(t, fine)
	long := strings.Repeat("x", 1000)
	rows := []struct {
		name, answer string
		code         Code
	}{
		{"no right", "HTTP/1.1 407 SECRET\r\nProxy-Authenticate: Basic realm=\"SECRET\"\r\nContent-Length: 6\r\n\r\nSECRET", ProxyRefused},
		{"forbidden", "HTTP/1.1 403 No\r\n\r\n", ProxyRefused},
		{"bad gateway", "HTTP/1.1 502 No\r\n\r\n", ProxyRefused},
		{"redirect", "HTTP/1.1 302 Found\r\nLocation: https://trap.example/\r\n\r\n", ProxyRefused},
		{"garbage", "SECRET SECRET\r\n\r\n", ProxyFailed},
		{"nothing", "\r\n", ProxyFailed},
		{"http/2", "HTTP/2.0 200 OK\r\n\r\n", ProxyFailed},
		{"switching", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n", ProxyFailed},
		{"huge header", "HTTP/1.1 200 OK\r\nX: " + strings.Repeat(long, 70) + "\r\n\r\n", ProxyFailed},
		{"endless headers", "HTTP/1.1 200 OK\r\n" + strings.Repeat("X: "+long+"\r\n", 3000), ProxyFailed},
		{"endless interim", strings.Repeat("HTTP/1.1 103 Early Hints\r\n\r\n", 100), ProxyFailed},
		{"bytes after the answer", "HTTP/1.1 200 OK\r\n\r\n\x16\x03\x01", ProxyFailed},
		{"an answer of its own", "HTTP/1.1 200 OK\r\n\r\n" + ok("SECRET"), ProxyFailed},
		{"slow", "hang", Timeout},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			p := tunnels(t, o.address(), nil, always(row.answer))
			c := through(t, o, p)
			if row.answer == "hang" {
				c.Limits.Timeout = 100 * time.Millisecond
			}
			r, err := send(t, open(t, c), Request{Body: []byte(`{}`)})
			var f *Failure
			if !errors.As(err, &f) || f.Code != row.code || f.Started || f.Status != 0 || r.Status != 0 || len(r.Body) > 0 || f.Sent != 0 {
				t.Errorf("got %+v, %v, want %s, not started, no status", r, err, row.code)
			}
			if strings.Contains(fmt.Sprintf("%v %+v %#v", err, err, err), "SECRET") {
				t.Errorf("the error holds words of the proxy: %v", err)
			}
		})
	}
	if n := o.requests(); n != 0 {
		t.Errorf("the origin got %d requests", n)
	}
}

// What comes through the tunnel is judged as the origin's: its certificate must
// be for the name of the URL, whatever the proxy leads to.
func testProxyLeadsElsewhere(t *testing.T) {
	o := startOrigin(t, fine)
	p := tunnels(t, o.address(), nil, always(""))
	c := through(t, o, p)
	c.URL = "https://other.example/"
	var f *Failure
	if _, err := send(t, open(t, c), Request{Body: []byte(`{}`)}); !errors.As(err, &f) || f.Code != Certificate || f.Started {
		t.Errorf("another server behind the proxy: %v", err)
	}
	c = through(t, o, p)
	c.Roots = x509.NewCertPool()
	if _, err := send(t, open(t, c), Request{Body: []byte(`{}`)}); !errors.As(err, &f) || f.Code != Certificate || f.Started {
		t.Errorf("an unknown root behind the proxy: %v", err)
	}
	s := tunnels(t, o.address(), &tls.Config{Certificates: o.TLS.Certificates}, always(""))
	c = through(t, o, s)
	c.Proxy.Roots = x509.NewCertPool()
	if _, err := send(t, open(t, c), Request{Body: []byte(`{}`)}); !errors.As(err, &f) || f.Code != ProxyFailed || f.Started || len(s.requests()) != 0 {
		t.Errorf("a proxy that cannot show who it is: %v", err)
	}
}

// Fail-over goes on while nothing was sent: over addresses of the proxy, and
// over pinned addresses of the origin.
func testProxyFailover(t *testing.T) {
	o := startOrigin(t, fine)
	p := tunnels(t, o.address(), nil, func(_ int, r *http.Request) string {
		if r.Host == "8.8.8.8:443" {
			return "HTTP/1.1 503 No\r\n\r\n"
		}
		return ""
	})
	c := through(t, o, p)
	c.Addresses = addresses("8.8.8.8", "2606:4700::1111", "1.1.1.1")
	if _, err := send(t, open(t, c), Request{Body: []byte(`{}`)}); err != nil {
		t.Fatal(err)
	}
	var hosts []string
	for _, r := range p.requests() {
		hosts = append(hosts, r.Host)
	}
	if want := "[8.8.8.8:443 [2606:4700::1111]:443]"; fmt.Sprint(hosts) != want {
		t.Errorf("asked for %v, want %s", hosts, want)
	}

	var dialled []string
	c = through(t, o, p)
	c.Proxy.URL, c.Proxy.Addresses = "https://proxy.example:3128", addresses("8.8.4.4", "8.8.8.8")
	c.Addresses = addresses("1.1.1.1", "1.0.0.1")
	c.Dial = func(_ context.Context, a netip.AddrPort) (net.Conn, error) {
		dialled = append(dialled, a.String())
		return nil, io.EOF
	}
	var f *Failure
	if _, err := send(t, open(t, c), Request{}); !errors.As(err, &f) || f.Code != ProxyFailed || f.Started || fmt.Sprint(dialled) != "[8.8.4.4:3128 8.8.8.8:3128]" {
		t.Errorf("got %v, dialled %v", err, dialled)
	}
}

// B6 through a proxy: once a byte of the request has left, there is no other way.
func testProxyNoReplay(t *testing.T) {
	o := startOrigin(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Key") == "drop" {
			panic(http.ErrAbortHandler)
		}
		fine(w, r)
	})
	p := tunnels(t, o.address(), nil, always(""))
	for _, reuse := range []bool{false, true} {
		value := "fine"
		c := through(t, o, p)
		c.Addresses = addresses("8.8.8.8", "8.8.4.4")
		c.Headers = []Header{{"X-Key", "", Func("key", func(context.Context) (string, error) { return value, nil })}}
		e := open(t, c)
		if _, err := send(t, e, Request{Body: []byte(`{}`), Reuse: reuse}); err != nil {
			t.Fatal(err)
		}
		value = "drop"
		before := o.requests()
		var f *Failure
		_, err := send(t, e, Request{Body: []byte(`{}`), Reuse: reuse})
		if got := o.requests() - before; !errors.As(err, &f) || !f.Started || got != 1 {
			t.Errorf("reuse %v: %v after %d requests", reuse, err, got)
		}
	}
}

// The proxy's own address needs the host's word like any other, and is judged
// on every answer.
func testProxyAddress(t *testing.T) {
	one := func(p Proxy) Config { p.Name = "egress"; return Config{URL: "https://example.com/", Proxy: &p} }
	nets := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
	rows := []struct {
		name string
		c    Config
		ok   bool
	}{
		{"public", one(Proxy{URL: "https://8.8.8.8:3128"}), true},
		{"public by http", one(Proxy{URL: "http://8.8.8.8:3128"}), false},
		{"private", one(Proxy{URL: "https://10.0.0.1:3128"}), false},
		{"private, allowed", one(Proxy{URL: "https://10.0.0.1:3128", Networks: nets}), true},
		{"private by http, allowed for https", one(Proxy{URL: "http://10.0.0.1:3128", Networks: nets}), false},
		{"private by http, allowed", one(Proxy{URL: "http://10.0.0.1:3128", Plaintext: nets}), true},
		{"by the networks of the origin", Config{URL: "https://example.com/", Networks: nets, Proxy: &Proxy{Name: "egress", URL: "https://10.0.0.1:3128"}}, false},
		{"loopback", one(Proxy{URL: "http://127.0.0.1:3128"}), false},
		{"metadata", one(Proxy{URL: "https://169.254.169.254", Networks: []netip.Prefix{netip.MustParsePrefix("169.254.0.0/16")}}), false},
		{"any network", one(Proxy{URL: "https://10.0.0.1", Networks: []netip.Prefix{netip.MustParsePrefix("0.0.0.0/0")}}), false},
		{"a name by http", one(Proxy{URL: "http://proxy.example:3128"}), false},
		{"path", one(Proxy{URL: "https://8.8.8.8/x"}), false},
		{"user", one(Proxy{URL: "https://a:SECRET@8.8.8.8"}), false},
		{"socks", one(Proxy{URL: "socks5://8.8.8.8"}), false},
		{"no URL", one(Proxy{}), false},
		{"no name", Config{URL: "https://example.com/", Proxy: &Proxy{URL: "https://8.8.8.8"}}, false},
		{"bad name", Config{URL: "https://example.com/", Proxy: &Proxy{Name: "SECRET\n", URL: "https://8.8.8.8"}}, false},
		{"http origin", Config{URL: "http://127.0.0.1/", Development: true, Proxy: &Proxy{Name: "egress", URL: "https://8.8.8.8"}}, false},
		{"private origin", Config{URL: "https://10.0.0.1/", Proxy: &Proxy{Name: "egress", URL: "https://8.8.8.8"}}, false},
		{"prefix", one(Proxy{URL: "https://8.8.8.8", Prefix: "Basic\r\n"}), false},
	}
	for _, row := range rows {
		_, err := New(row.c)
		if (err == nil) != row.ok || err != nil && strings.Contains(err.Error(), "SECRET") {
			t.Errorf("%s: New = %v, want accepted %v", row.name, err, row.ok)
		}
	}
	c := one(Proxy{URL: "https://proxy.example:3128"})
	c.Resolver = answers{"8.8.8.8", "10.0.0.1"}
	c.Dial = func(context.Context, netip.AddrPort) (net.Conn, error) { t.Error("dialled"); return nil, io.EOF }
	var refused *ConfigError
	if _, err := open(t, c).Prepare(t.Context(), Request{}); !errors.As(err, &refused) || refused.Subject != "proxy address" {
		t.Errorf("a name with a private address: %v", err)
	}
}

// The credential is a secret like any other.
func testProxyCredential(t *testing.T) {
	o := startOrigin(t, fine)
	p := tunnels(t, o.address(), nil, always(""))
	for _, bad := range []Secret{Env("RPCGEN_TEST_NOWHERE"), Text("a\r\nX: y"), Text(strings.Repeat("x", maxValue+1)),
		Func("vault", func(context.Context) (string, error) { return "", errors.New("hunter2") })} {
		c := through(t, o, p)
		c.Proxy.Credential = bad
		var refused *ConfigError
		if _, err := open(t, c).Prepare(t.Context(), Request{}); !errors.As(err, &refused) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("the credential %s: %v", bad.Reference(), err)
		}
	}
	c := through(t, o, p)
	e := open(t, c)
	for range 2 {
		prepared, err := e.Prepare(t.Context(), Request{})
		if err != nil {
			t.Fatal(err)
		}
		if got := string(prepared.Redact([]byte("you are proxy-token-1234 and origin-token-1234"))); got != "you are [redacted] and [redacted]" {
			t.Errorf("redacted: %s", got)
		}
		prepared.Release()
	}
	parts := strings.Join(e.Parts(), "\n")
	if !strings.Contains(parts, "egress") || !strings.Contains(parts, p.url) || strings.Contains(parts, "token") {
		t.Errorf("parts: %q", parts)
	}
	if text := fmt.Sprintf("%v %+v %#v %v %+v", c, c, *c.Proxy, e, *c.Proxy); strings.Contains(text, "token") {
		t.Errorf("it prints %s", text)
	}
	count := 0
	c.Proxy.Credential = Func("count", func(context.Context) (string, error) { count++; return "x", nil })
	if _, err := send(t, open(t, c), Request{Body: []byte(`{}`)}); err != nil || count != 1 {
		t.Errorf("resolved %d times, %v", count, err)
	}
	c.Proxy.Credential = Secret{}
	before := len(p.requests())
	if _, err := send(t, open(t, c), Request{Body: []byte(`{}`)}); err != nil || len(p.requests()[before].Header["Proxy-Authorization"]) != 0 {
		t.Errorf("without a credential: %v, %v", p.requests()[before].Header, err)
	}
}

// Everything about a proxy counts in the digest of an endpoint, and no proxy
// counts as it did before there were any.
func testProxyParts(t *testing.T) {
	seen := map[string]bool{}
	whole := Proxy{Name: "a", URL: "https://8.8.8.8", Prefix: "Basic ", Credential: Env("A"), Addresses: nil}
	edits := []func(*Proxy){
		func(*Proxy) {},
		func(p *Proxy) { p.Name = "b" },
		func(p *Proxy) { p.URL = "https://8.8.4.4" },
		func(p *Proxy) { p.Prefix = "Bearer " },
		func(p *Proxy) { p.Credential = Env("B") },
		func(p *Proxy) { p.Networks = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")} },
		func(p *Proxy) { p.Plaintext = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")} },
		func(p *Proxy) { p.URL, p.Addresses = "https://proxy.example", addresses("8.8.8.8") },
		func(p *Proxy) { p.Roots = x509.NewCertPool() },
	}
	for i, edit := range edits {
		p := whole
		edit(&p)
		e, err := New(Config{URL: "https://example.com/", Proxy: &p})
		if err != nil {
			t.Fatal(err)
		}
		parts := strings.Join(e.Parts(), "\x00")
		if seen[parts] {
			t.Errorf("edit %d moves nothing", i)
		}
		seen[parts] = true
	}
	e, err := New(Config{URL: "https://example.com/"})
	if err != nil {
		t.Fatal(err)
	}
	if slices.Contains(e.Parts(), "proxy") {
		t.Error("a proxy is named where there is none")
	}
}

package runtime

import (
	"bufio"
	"context"
	"crypto/x509"
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

	"github.com/openrpc-go/rpcgen/runtime/compiled"
	"github.com/openrpc-go/rpcgen/runtime/outcome"
	"github.com/openrpc-go/rpcgen/runtime/transport"
)

// trapServer fails the test when anybody comes.
func trapServer(t testing.TB) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var open sync.WaitGroup
	t.Cleanup(func() { listener.Close(); open.Wait() })
	open.Go(func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			t.Errorf("the trap %s was contacted", listener.Addr())
			c.Close()
		}
	})
	return listener.Addr().String()
}

var bothWays = []struct{ method, params string }{{"ping", ``}, {"invoice.pay", `{"id":"a","amount":1}`}}

// A redirect is an answer like any other error status: nobody goes there, with
// or without what was sent.
func testRedirects(t *testing.T) {
	for _, status := range []int{301, 302, 303, 307, 308} {
		for _, place := range []string{"http://" + trapServer(t) + "/rpc", "//" + trapServer(t) + "/", "http://169.254.169.254/latest/meta-data/"} {
			var s *server
			s = serve(t, func(w http.ResponseWriter, r request) {
				w.Header().Set("Location", place)
				w.Header().Set("Refresh", "0; url="+place)
				w.WriteHeader(status)
			})
			b := s.binding()
			b.Headers = []Header{{Name: "Authorization", Prefix: "Bearer ", Value: FromFunc("t", func(context.Context) (string, error) { return "token-12345", nil })}}
			_, c := setup(t, source(nil), b, code("x"), Options{})
			for i, call := range bothWays {
				var end outcome.Outcome
				_, err := c.Do(t.Context(), call.method, []byte(call.params), append(retryReads(i), Into(&end))...)
				if end.Status != outcome.HTTPError || end.HTTPStatus != status || s.requests.Load() != int64(i+1) {
					t.Errorf("%d: %+v after %d requests", status, end, s.requests.Load())
				}
				if strings.Contains(err.Error(), "169.254") || strings.Contains(err.Error(), "127.0.0.1") {
					t.Errorf("the error names the place: %v", err)
				}
			}
		}
	}
}

// retryReads asks for retries where that is allowed.
func retryReads(i int) []CallOption {
	if i == 0 {
		return []CallOption{Retry(2)}
	}
	return nil
}

// turning is a resolver that leads somewhere else from the second lookup on.
type turning struct {
	asked         atomic.Int64
	first, second netip.Addr
}

func (r *turning) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	if r.asked.Add(1) == 1 {
		return []netip.Addr{r.first}, nil
	}
	return []netip.Addr{r.second}, nil
}

// A name that leads to a public address once and to an inner one afterwards
// reaches the first and nothing else: one lookup a call, and what was judged is
// what is dialled. A refused address is a local refusal.
func testRebindingResolver(t *testing.T) {
	for _, inner := range []string{"127.0.0.1", "169.254.169.254", "10.1.2.3", "::1", "fd00:ec2::254"} {
		r := &turning{first: netip.MustParseAddr("8.8.8.8"), second: netip.MustParseAddr(inner)}
		var dialled []string
		b := Binding{URL: "https://billing.example.com/rpc", Resolver: r, Dial: func(_ context.Context, a netip.AddrPort) (net.Conn, error) {
			dialled = append(dialled, a.String())
			return nil, io.EOF
		}}
		_, c := setup(t, source(nil), b, code("x"), Options{})
		var end outcome.Outcome
		c.Do(t.Context(), "invoice.pay", []byte(`{"id":"a","amount":1}`), Into(&end))
		if end.Delivery != outcome.NotStarted || end.Code != "dial" || r.asked.Load() != 1 {
			t.Errorf("the first call: %+v after %d lookups", end, r.asked.Load())
		}
		if _, err := c.Do(t.Context(), "ping", nil); !errors.Is(err, ReasonConfiguration) || Delivery(err) != outcome.NotStarted {
			t.Errorf("the second call: %v", err)
		}
		if fmt.Sprint(dialled) != "[8.8.8.8:443]" {
			t.Errorf("dialled %v", dialled)
		}
	}
	for _, url := range []string{"https://169.254.169.254/", "http://169.254.169.254/", "https://[fd00:ec2::254]/", "https://168.63.129.16/", "https://127.0.0.1/"} {
		if err := NewRegistry(Options{}).Register("billing", load(t, source(nil)), Binding{URL: url}); err == nil {
			t.Errorf("%s is bound", url)
		}
	}
}

// connectProxy is a forward proxy that leads to one place.
func connectProxy(t *testing.T, place string, refuse bool) (url string, asked *atomic.Int64) {
	t.Helper()
	asked = &atomic.Int64{}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var open sync.WaitGroup
	t.Cleanup(func() { listener.Close(); open.Wait() })
	open.Go(func() {
		for {
			near, err := listener.Accept()
			if err != nil {
				return
			}
			open.Go(func() {
				defer near.Close()
				if _, err := http.ReadRequest(bufio.NewReader(near)); err != nil {
					return
				}
				asked.Add(1)
				far, err := net.Dial("tcp", place)
				if err != nil || refuse {
					write(near, "HTTP/1.1 407 SECRET\r\nContent-Length: 6\r\n\r\nSECRET")
					return
				}
				defer far.Close()
				write(near, "HTTP/1.1 200 OK\r\n\r\n")
				go func() { io.Copy(near, far); near.Close() }()
				io.Copy(far, near)
			})
		}
	})
	return "http://" + listener.Addr().String(), asked
}

// A proxy is used where the binding names it, is shown to who may inspect, and
// belongs to the authority; when it opens no tunnel nothing was sent.
func testNamedProxy(t *testing.T) {
	s := serve(t, result(`true`))
	secure := httptest.NewUnstartedServer(s.Config.Handler)
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	t.Cleanup(secure.Close)
	place := secure.Listener.Addr().String()
	b := Binding{URL: "https://example.com/rpc", Development: true, Roots: x509.NewCertPool()}
	b.Roots.AddCert(secure.Certificate())
	url, asked := connectProxy(t, place, false)
	b.Proxy = &Proxy{Name: "egress-1", URL: url, Prefix: "Basic ", Credential: FromFunc("p", func(context.Context) (string, error) { return "token-12345", nil })}
	r, c := setup(t, source(nil), b, code("x"), Options{})
	var end outcome.Outcome
	if got, err := c.Do(t.Context(), "invoice.pay", []byte(`{"id":"a","amount":1}`), Into(&end)); err != nil || string(got) != "true" || asked.Load() != 1 {
		t.Fatalf("got %s, %v, asked %d times", got, err, asked.Load())
	}
	status, err := c.Inspect()
	if err != nil || status.Proxy != "egress-1" {
		t.Errorf("Inspect = %+v, %v", status, err)
	}
	if text := fmt.Sprintf("%+v", status); strings.Contains(text, "127.0.0.1") || strings.Contains(text, "example.com") || strings.Contains(text, "token") {
		t.Errorf("Inspect shows %s", text)
	}
	without := b
	without.Proxy = nil
	if err := r.Replace("billing", load(t, source(nil)), without); err != nil {
		t.Fatal(err)
	}
	if direct, _ := c.Inspect(); direct.Authority == status.Authority || direct.Proxy != "" {
		t.Errorf("a proxy does not count: %+v", direct)
	}

	url, asked = connectProxy(t, place, true)
	b.Proxy.URL = url
	r, c = setup(t, source(nil), b, code("x"), Options{})
	before := s.requests.Load()
	for _, call := range bothWays {
		_, err = c.Do(t.Context(), call.method, []byte(call.params), Into(&end))
		if end.Status != outcome.TransportError || end.Code != string(transport.ProxyRefused) || end.Delivery != outcome.NotStarted || end.HTTPStatus != 0 ||
			strings.Contains(fmt.Sprintf("%v %+v %#v", err, err, err), "SECRET") {
			t.Errorf("%s: %+v, %v", call.method, end, err)
		}
	}
	if unknown, _ := r.Unknown(t.Context()); len(unknown) != 0 || s.requests.Load() != before || asked.Load() != 2 {
		t.Errorf("unknown %v, %d requests, asked %d times", unknown, s.requests.Load()-before, asked.Load())
	}
	var failed *CallError
	if errors.As(err, &failed); failed == nil || failed.Excerpt != nil || failed.Remote != nil || failed.MediaType != "" {
		t.Errorf("the words of a proxy are kept: %+v", failed)
	}
}

// After an endpoint was replaced nothing of the old one is used: not its
// server, not its connections, not its pins.
func testReplacedPins(t *testing.T) {
	pin := func(s *rawServer, a string) Binding {
		b := Binding{URL: "http://localhost:1/rpc", Development: true, Addresses: []netip.Addr{netip.MustParseAddr(a)}, Limits: Limits{Idle: 10 * time.Minute}}
		b.Dial = func(ctx context.Context, got netip.AddrPort) (net.Conn, error) {
			if got.Addr().String() != a {
				t.Errorf("the binding of %s dialled %s", a, got)
			}
			return net.Dial("tcp", strings.TrimSuffix(strings.TrimPrefix(s.url, "http://"), "/rpc"))
		}
		return b
	}
	pong := "HTTP/1.1 200 OK\r\nContent-Length: 73\r\n\r\n" + `{"jsonrpc":"2.0","id":"ID","result":"x"}`
	pong = strings.Replace(pong, "73", fmt.Sprint(len(`{"jsonrpc":"2.0","id":"ID","result":"x"}`)+30), 1)
	closed := make(chan struct{})
	var once sync.Once
	old := serveRaw(t, func(c net.Conn, q request) bool {
		write(c, replaceID(pong, q))
		if _, err := c.Read(make([]byte, 1)); err != nil {
			once.Do(func() { close(closed) })
			return false
		}
		t.Error("the old connection is used again")
		return false
	})
	fresh := serveRaw(t, says(pong))
	r, c := setup(t, source(nil), pin(old, "127.0.0.2"), code("x"), Options{})
	if _, err := c.Do(t.Context(), "ping", nil); err != nil {
		t.Fatal(err)
	}
	if err := r.Replace("billing", load(t, source(nil)), pin(fresh, "127.0.0.3")); err != nil {
		t.Fatal(err)
	}
	select { // the idle connection of the old one is given up, long before its time
	case <-closed:
	case <-time.After(time.Minute):
		t.Fatal("the old connection stays open")
	}
	for range 3 {
		if _, err := c.Do(t.Context(), "ping", nil); err != nil {
			t.Fatal(err)
		}
	}
	if old.effects.Load() != 1 || fresh.effects.Load() != 3 {
		t.Errorf("%d requests at the old one, %d at the new one", old.effects.Load(), fresh.effects.Load())
	}
}

// A write whose server acts and then drops a connection that served before has
// exactly one effect, is said to be unknown, and is never sent again: with an
// idempotency key among its params or none, and no header can say one.
func testExactlyOneEffect(t *testing.T) {
	body := `{"jsonrpc":"2.0","id":"ID","result":true}`
	for _, how := range []Connections{Fresh, Reuse} {
		for _, key := range []string{"", "/id"} {
			src := source(func(m map[string]*compiled.Method) { m["invoice.pay"].Authority.IdempotencyKey = key })
			acted := map[string]int{}
			var mu sync.Mutex
			s := serveRaw(t, func(c net.Conn, q request) bool {
				mu.Lock()
				acted[string(q.Params)]++
				mu.Unlock()
				if strings.Contains(string(q.Params), "drop") {
					return false
				}
				return write(c, fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(replaceID(body, q)), replaceID(body, q)))
			})
			b := s.binding()
			b.Connections = how
			r, c := setup(t, src, b, code("x"), Options{})
			if _, err := c.Do(t.Context(), "invoice.pay", []byte(`{"id":"fine","amount":1}`)); err != nil {
				t.Fatal(err)
			}
			var end outcome.Outcome
			c.Do(t.Context(), "invoice.pay", []byte(`{"id":"drop","amount":1}`), Into(&end))
			if end.Status != outcome.TransportError || end.Delivery != outcome.Unknown {
				t.Errorf("%s, key %q: %+v", how, key, end)
			}
			mu.Lock()
			n := acted[`{"amount":1,"id":"drop"}`]
			mu.Unlock()
			if n != 1 || s.effects.Load() != 2 {
				t.Errorf("%s, key %q: %d effects, want exactly one", how, key, n)
			}
			if unknown, err := r.Unknown(t.Context()); err != nil || len(unknown) != 1 || unknown[0].RequestID != end.RequestID {
				t.Errorf("unknown: %v, %v", unknown, err)
			}
			if (s.connections.Load() == 1) != (how == Reuse) {
				t.Errorf("%s: %d connections", how, s.connections.Load())
			}
		}
	}
	for _, name := range []string{"Idempotency-Key", "x-idempotency-key"} {
		b := Binding{URL: "https://billing.example.com/", Headers: []Header{{Name: name, Value: FromEnv("X")}}}
		if err := NewRegistry(Options{}).Register("billing", load(t, source(nil)), b); err == nil {
			t.Errorf("the header %s is accepted", name)
		}
	}
}

// dying is a connection that fails after some bytes were written.
type dying struct {
	net.Conn
	after int
}

func (d *dying) Write(b []byte) (int, error) {
	if len(b) > d.after {
		n := d.after
		d.after = 0
		return n, io.ErrClosedPipe
	}
	d.after -= len(b)
	return len(b), nil
}

func (d *dying) Read([]byte) (int, error) { return 0, io.ErrClosedPipe }

// Over pinned addresses a call goes on while it could not be dialled, and stops
// with the first byte; delivery says which it was.
func testPinnedFailover(t *testing.T) {
	pins := []netip.Addr{netip.MustParseAddr("127.0.0.2"), netip.MustParseAddr("127.0.0.3"), netip.MustParseAddr("127.0.0.4")}
	rows := []struct {
		name    string
		dial    func(n int) (net.Conn, error)
		dialled int
		want    outcome.Delivery
	}{
		{"none answers", func(int) (net.Conn, error) { return nil, io.EOF }, 3, outcome.NotStarted},
		{"no byte left", func(int) (net.Conn, error) { return &dying{pipe(t), 0}, nil }, 1, outcome.NotStarted},
		{"one byte left", func(int) (net.Conn, error) { return &dying{pipe(t), 1}, nil }, 1, outcome.Unknown},
		{"all left", func(int) (net.Conn, error) { return &dying{pipe(t), 1 << 20}, nil }, 1, outcome.Unknown},
		{"the second fails at once", func(n int) (net.Conn, error) {
			if n == 1 {
				return nil, io.EOF
			}
			return &dying{pipe(t), 1}, nil
		}, 2, outcome.Unknown},
	}
	for _, row := range rows {
		n := 0
		b := Binding{URL: "http://localhost:1/", Development: true, Addresses: pins}
		b.Dial = func(_ context.Context, a netip.AddrPort) (net.Conn, error) {
			if want := pins[n]; a.Addr() != want {
				t.Errorf("%s: dialled %s, want %s", row.name, a, want)
			}
			n++
			return row.dial(n)
		}
		_, c := setup(t, source(nil), b, code("x"), Options{})
		var end outcome.Outcome
		c.Do(t.Context(), "invoice.pay", []byte(`{"id":"a","amount":1}`), Into(&end))
		if n != row.dialled || end.Delivery != row.want || end.Status != outcome.TransportError {
			t.Errorf("%s: dialled %d, %+v, want %d and %s", row.name, n, end, row.dialled, row.want)
		}
	}
}

func pipe(t *testing.T) net.Conn {
	near, far := net.Pipe()
	t.Cleanup(func() { near.Close(); far.Close() })
	return near
}

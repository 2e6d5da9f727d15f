package transport

import (
	"context"
	"errors"
	"net"
	"testing"
)

// testOneEffect is the silent replay: a server takes a request on a connection
// that served one before, acts, and drops it. net/http would send a POST with an
// idempotency key once more, and so act twice.
func testOneEffect(t *testing.T) {
	for _, header := range []string{"X-Plain", "Idempotency-Key", "X-Idempotency-Key"} {
		for _, reuse := range []bool{false, true} {
			s := serve(t, func(c net.Conn, n int64) bool { return n == 1 && answer(c, ok("x")) })
			e := open(t, Config{URL: s.url})
			// No configuration can say such a header; the wire can.
			e.config.Headers = []Header{{header, "", Text("k")}}
			if _, err := send(t, e, Request{Body: []byte(`{}`), Reuse: reuse}); err != nil {
				t.Fatal(err)
			}
			r, err := send(t, e, Request{Body: []byte(`{}`), Reuse: reuse})
			var f *Failure
			if !errors.As(err, &f) || !f.Started || r.Status != 0 {
				t.Errorf("%s, reuse %v: got %+v, %v, want a failure after the start", header, reuse, r, err)
			}
			if effects := s.requests.Load() - 1; effects != 1 || s.last.Load().Header.Get(header) != "k" {
				t.Errorf("%s, reuse %v: %d effects, want exactly one", header, reuse, effects)
			}
		}
	}
}

// An idempotency key is no header that a configuration, or a Sign hook, may send.
func testNoKeyHeaders(t *testing.T) {
	for _, header := range []string{"Idempotency-Key", "X-Idempotency-Key", "idempotency-key"} {
		if _, err := New(Config{URL: "https://a.example/", Headers: []Header{{header, "", Text("k")}}}); err == nil {
			t.Errorf("%s is accepted", header)
		}
		e := open(t, Config{URL: "http://127.0.0.1:1/", SignName: "x", Sign: func(context.Context, Outgoing) ([]Field, error) {
			return []Field{{header, "k"}}, nil
		}})
		if _, err := e.Prepare(t.Context(), Request{}); err == nil {
			t.Errorf("%s is accepted of a Sign hook", header)
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
func testBadConnections(t *testing.T) {
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

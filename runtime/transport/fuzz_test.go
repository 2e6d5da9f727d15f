package transport

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/netip"
	"strings"
	"testing"
	"time"
)

// scripted is a connection whose other side says one text and ends.
type scripted struct {
	io.Reader
	written int
}

func (s *scripted) Write(b []byte) (int, error)      { s.written += len(b); return len(b), nil }
func (*scripted) Close() error                       { return nil }
func (*scripted) LocalAddr() net.Addr                { return nil }
func (*scripted) RemoteAddr() net.Addr               { return nil }
func (*scripted) SetDeadline(time.Time) error        { return nil }
func (*scripted) SetReadDeadline(time.Time) error    { return nil }
func (*scripted) SetWriteDeadline(t time.Time) error { return nil }

// FuzzAnswer: whatever a server says, an exchange ends in an answer within its
// limits or in a failure after the start, and keeps no connection on which
// something is left.
func FuzzAnswer(f *testing.F) {
	for _, row := range boundRows {
		if len(row.answer) < 4096 {
			f.Add([]byte(row.answer))
		}
	}
	f.Add([]byte(ok("x") + ok("y")))
	f.Fuzz(func(t *testing.T, text []byte) {
		s := &scripted{Reader: bytes.NewReader(text)}
		e, err := New(Config{
			URL: "http://127.0.0.1:1/", Development: true, Limits: Limits{Response: 1000, Timeout: time.Minute},
			Dial: func(context.Context, netip.AddrPort) (net.Conn, error) { return s, nil },
		})
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		p, err := e.Prepare(t.Context(), Request{Body: []byte(`{}`), Reuse: true})
		if err != nil {
			t.Fatal(err)
		}
		r, err := p.Send(t.Context())
		var failure *Failure
		switch {
		case err == nil && (r.Status < 200 || r.Status > 999 || len(r.Body) > 1000 || r.Sent != 2):
			t.Errorf("got %d, %d bytes, %d sent", r.Status, len(r.Body), r.Sent)
		case err != nil && (!errors.As(err, &failure) || !failure.Started || failure.Received > 1001 || failure.Code == ""):
			t.Errorf("got %#v", err)
		case len(e.idle.idle) > 0 && (err != nil || e.idle.idle[0].reader.Buffered() > 0):
			t.Error("a connection with something left on it is kept")
		}
		if s.written != len(p.payload) {
			t.Errorf("%d bytes were written, not %d", s.written, len(p.payload))
		}
	})
}

// FuzzTunnel: whatever a proxy says, a tunnel stands only after a whole answer
// of 2xx with nothing behind it.
func FuzzTunnel(f *testing.F) {
	for _, text := range []string{
		"HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.0 200 Connection established\r\nVia: x\r\n\r\n", "HTTP/1.1 103 Early\r\n\r\nHTTP/1.1 200 OK\r\n\r\n",
		"HTTP/1.1 407 No\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\nx", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n", "HTTP/1.1 101 X\r\n\r\n", "SSH\r\n",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if readTunnel(bytes.NewReader(text)) != nil {
			return
		}
		head, rest, whole := strings.Cut(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n\n")
		for strings.HasPrefix(head, "HTTP/1.") && len(head) > 9 && head[9] == '1' {
			head, rest, whole = strings.Cut(rest, "\n\n")
		}
		if !whole || rest != "" || !strings.HasPrefix(head, "HTTP/1.") {
			t.Errorf("a tunnel after %q", text)
		}
		code, _, _ := strings.Cut(strings.TrimLeft(head[8:], " "), " ")
		if !strings.HasPrefix(code, "2") {
			t.Errorf("a tunnel after the status %q of %q", code, text)
		}
	})
}

// BenchmarkExchange is an exchange without a network.
func BenchmarkExchange(b *testing.B) {
	text := []byte(ok(strings.Repeat("x", 100)))
	e, err := New(Config{URL: "http://127.0.0.1:1/", Development: true})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		p, err := e.Prepare(b.Context(), Request{Body: []byte(`{}`), Reuse: true})
		if err != nil {
			b.Fatal(err)
		}
		c := &connection{wire: &countingConn{Conn: &scripted{Reader: bytes.NewReader(text)}}}
		c.Conn, c.limited.from = c.wire, c.wire
		c.reader = bufio.NewReader(&c.limited)
		if _, failure := p.exchange(b.Context(), c); failure != nil {
			b.Fatal(failure)
		}
		p.Release()
	}
}

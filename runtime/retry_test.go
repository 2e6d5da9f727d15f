package runtime

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/openrpc-go/rpcgen/runtime/compiled"
	"github.com/openrpc-go/rpcgen/runtime/effect"
	"github.com/openrpc-go/rpcgen/runtime/outcome"
)

// A read is tried again only when it was asked for and nobody answered;
// whatever an answer says, and however broken it is, it was one.
func TestOnlyLostReadsAreRetried(t *testing.T) {
	ok := "HTTP/1.1 200 OK\r\n\r\n"
	rows := []struct {
		name, answer string
		again        bool
	}{
		{"closed", "", true},
		{"cut off", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{", true},
		{"cut off within the headers", "HTTP/1.1 200 OK\r\nContent-Le", true},
		{"ok", ok + around(`"result":"x"`), false},
		{"broken result", ok + around(`"result":1`), false},
		{"error", ok + around(`"error":{"code":-32000,"message":"try again"}`), false},
		{"parse error", ok + `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":""}}`, false},
		{"busy", "HTTP/1.1 503 Busy\r\nRetry-After: 0\r\n\r\n", false},
		{"too many", "HTTP/1.1 429 Many\r\nRetry-After: 0\r\n\r\n", false},
		{"gateway", "HTTP/1.1 504 Late\r\n\r\n", false},
		{"request timeout", "HTTP/1.1 408 Late\r\n\r\n", false},
		{"redirect", "HTTP/1.1 307 Go\r\nLocation: /rpc\r\n\r\n", false},
		{"empty", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", false},
		{"no JSON", ok + "nonsense", false},
		{"other id", ok + `{"jsonrpc":"2.0","id":"x","result":"x"}`, false},
		{"packed", "HTTP/1.1 200 OK\r\nContent-Encoding: br\r\n\r\nx", false},
		{"too large", "HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n", false},
		{"no HTTP", "SSH-2.0-OpenSSH\r\n\r\n", false},
		{"endless headers", "HTTP/1.1 200 OK\r\n" + strings.Repeat("X: "+strings.Repeat("x", 1000)+"\r\n", 100), false},
	}
	for _, row := range rows {
		for n := range 3 {
			s := serveRaw(t, func(c net.Conn, q request) bool { write(c, replaceID(row.answer, q)); return false })
			_, c := setup(t, source(nil), s.binding(), code("x"), Options{})
			var end outcome.Outcome
			c.Do(t.Context(), "ping", nil, Retry(n), Into(&end))
			want := int64(1)
			if row.again {
				want += int64(n)
			}
			if got := s.effects.Load(); got != want {
				t.Errorf("%s, %d more: %d requests, want %d (%+v)", row.name, n, got, want, end)
			}
			if row.again && n == 2 {
				break
			}
		}
		// A write, and a read that a person was asked about, are sent once.
		s := serveRaw(t, func(c net.Conn, q request) bool { write(c, replaceID(row.answer, q)); return false })
		src := source(func(m map[string]*compiled.Method) { m["ping"].Authority.Code = effect.Ask })
		r, c := setup(t, src, s.binding(), code("x"), Options{})
		c.Do(t.Context(), "invoice.pay", []byte(onePay))
		var pending *PendingError
		if _, err := c.Do(t.Context(), "ping", nil, Retry(2)); !errors.As(err, &pending) {
			t.Fatal(err)
		}
		if _, err := r.Decide(t.Context(), decision(pending, "alice", true)); err != nil {
			t.Fatal(err)
		}
		c.Do(t.Context(), "ping", nil, Retry(2), WithApproval(pending.ID))
		if got := s.effects.Load(); got != 2 {
			t.Errorf("%s: %d requests for a write and an approved read", row.name, got)
		}
	}
}

// A retry that would come after the end of the caller's time is not made.
func TestRetriesEndWithTheContext(t *testing.T) {
	dialled := 0
	b := Binding{URL: "http://localhost:1/", Development: true, Addresses: []netip.Addr{netip.MustParseAddr("127.0.0.1")}}
	ctx, cancel := context.WithCancel(t.Context())
	b.Dial = func(context.Context, netip.AddrPort) (net.Conn, error) { dialled++; cancel(); return nil, io.EOF }
	_, c := setup(t, source(nil), b, code("x"), Options{})
	start := time.Now()
	if _, err := c.Do(ctx, "ping", nil, Retry(5)); err == nil || dialled != 1 || time.Since(start) > time.Minute {
		t.Errorf("%v, dialled %d times in %v", err, dialled, time.Since(start))
	}
}

// The read-back of a write whose end is not known can be called as it stands,
// and shows what the write did.
func TestReadBackIsReadyToCall(t *testing.T) {
	var paid atomic.Int64
	s := serveRaw(t, func(c net.Conn, q request) bool {
		if q.Method == "invoice.pay" {
			paid.Add(1)
			return false // acts, and says nothing
		}
		body := replaceID(fmt.Sprintf(`{"jsonrpc":"2.0","id":"ID","result":{"id":"a","total":%d}}`, paid.Load()), q)
		return write(c, fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(body), body))
	})
	src := source(func(m map[string]*compiled.Method) {
		m["invoice.pay"].Authority.ReadBack = &compiled.ReadBack{Method: "invoice.get", Params: []compiled.Carried{{Name: "id", From: "/params/id"}}}
	})
	_, c := setup(t, src, s.binding(), code("x"), Options{})
	var end outcome.Outcome
	_, err := c.Do(t.Context(), "invoice.pay", []byte(onePay), Into(&end))
	if Delivery(err) != outcome.Unknown || end.ReadBack == nil {
		t.Fatalf("%+v, %v", end, err)
	}
	var failed *CallError
	if !errors.As(err, &failed) || failed.Outcome.ReadBack == nil {
		t.Errorf("the error has no read-back: %+v", failed)
	}
	got, err := c.Do(t.Context(), end.ReadBack.Method, []byte(end.ReadBack.Params))
	if err != nil || string(got) != `{"id":"a","total":1}` {
		t.Errorf("read back: %s, %v", got, err)
	}
}

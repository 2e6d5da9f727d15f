package notify

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/openrpc-go/rpcgen/runtime/store"
	"github.com/openrpc-go/rpcgen/runtime/transport"
)

var now = time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)

func approval() store.Approval {
	return store.Approval{
		ID: "A1", Tuple: store.Tuple{Kind: "agent", Principal: "bot", Endpoint: "billing", Method: "invoice.pay"},
		View: "params: PARAM-canary", ViewDigest: "sha256:v", Requested: now, Expires: now.Add(time.Minute),
	}
}

// hook starts a webhook to a server that answers with one status after the
// other, and returns what it is told and what is given up.
func hook(t *testing.T, edit func(*Config), statuses ...int) (w *Webhook, requests *atomic.Int64, bodies chan *http.Request, lost chan string) {
	t.Helper()
	requests, bodies, lost = new(atomic.Int64), make(chan *http.Request, 100), make(chan string, 100)
	s := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		n := int(requests.Add(1)) - 1
		b, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(strings.NewReader(string(b)))
		status := statuses[min(n, len(statuses)-1)]
		if status == 0 {
			panic(http.ErrAbortHandler)
		}
		rw.Header().Set("Location", "http://elsewhere.example/")
		rw.WriteHeader(status)
		if status < 300 {
			bodies <- r
		}
	}))
	t.Cleanup(s.Close)
	c := Config{URL: s.URL + "/hook", Development: true, Key: transport.Text("KEY-canary"), Pause: time.Millisecond, Now: func() time.Time { return now }, GivenUp: func(id string) { lost <- id }}
	if edit != nil {
		edit(&c)
	}
	w, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Close)
	return w, requests, bodies, lost
}

func TestDelivers(t *testing.T) {
	for _, view := range []bool{false, true} {
		w, requests, bodies, _ := hook(t, func(c *Config) { c.View = view }, 500, 0, 429, 204)
		w.Notify(approval())
		r := <-bodies
		if requests.Load() != 4 {
			t.Errorf("%d attempts, want 4", requests.Load())
		}
		b, _ := io.ReadAll(r.Body)
		want, _ := Signature("KEY-canary", "A1", fmt.Sprint(now.Unix()), b)
		if r.Header.Get("webhook-signature") != want || r.Header.Get("webhook-id") != "A1" || r.Header.Get("webhook-timestamp") != fmt.Sprint(now.Unix()) {
			t.Errorf("headers %v, want the signature %s", r.Header, want)
		}
		var m Message
		if err := json.Unmarshal(b, &m); err != nil || m.Data.ApprovalID != "A1" || m.Data.Method != "invoice.pay" || m.Data.ViewDigest != "sha256:v" || !m.Data.Expires.Equal(now.Add(time.Minute)) {
			t.Errorf("%s: %v", b, err)
		}
		if strings.Contains(string(b), "PARAM-canary") != view || strings.Contains(string(b), "KEY-canary") {
			t.Errorf("view %v: %s", view, b)
		}
	}
}

func TestGivesUp(t *testing.T) {
	for name, row := range map[string]struct {
		edit     func(*Config)
		statuses []int
		attempts int64
	}{
		"refused":             {nil, []int{403}, 1},
		"redirected":          {nil, []int{302}, 1},
		"never answered well": {nil, []int{503}, 5},
		"expired":             {func(c *Config) { c.Now = func() time.Time { return now.Add(time.Hour) } }, []int{204}, 0},
		"no secret": {func(c *Config) {
			c.Key = transport.Func("k", func(context.Context) (string, error) { return "", errors.New("locked") })
		}, []int{204}, 0},
		"a key that is none": {func(c *Config) { c.Key = transport.Text("whsec_%%%") }, []int{204}, 0},
	} {
		w, requests, _, lost := hook(t, row.edit, row.statuses...)
		w.Notify(approval())
		if id := <-lost; id != "A1" || requests.Load() != row.attempts {
			t.Errorf("%s: gave up %q after %d attempts, want %d", name, id, requests.Load(), row.attempts)
		}
	}
}

// A receiver that does not answer holds nobody up, and what waits is bounded.
func TestNeverBlocks(t *testing.T) {
	reached := make(chan bool, 10)
	w, _, _, lost := hook(t, func(c *Config) {
		c.Waiting, c.Attempts = 2, 1
		c.Dial = func(ctx context.Context, _ netip.AddrPort) (net.Conn, error) {
			reached <- true
			<-ctx.Done()
			return nil, ctx.Err()
		}
	}, 204)
	w.Notify(approval())
	<-reached // the first is under way
	for range 2 {
		w.Notify(approval())
	}
	for range 3 {
		w.Notify(approval()) // one too many
		<-lost
	}
	w.Close() // ends what is under way
}

func TestRefusesConfigs(t *testing.T) {
	good := Config{URL: "https://hooks.example/x", Key: transport.Text("k")}
	for name, edit := range map[string]func(*Config){
		"no key":          func(c *Config) { c.Key = transport.Secret{} },
		"plain http":      func(c *Config) { c.URL = "http://hooks.example/x" },
		"a private host":  func(c *Config) { c.URL = "https://10.0.0.1/x" },
		"metadata":        func(c *Config) { c.URL = "https://169.254.169.254/x" },
		"many attempts":   func(c *Config) { c.Attempts = 11 },
		"less than none":  func(c *Config) { c.Waiting = -1 },
		"an endless wait": func(c *Config) { c.Pause = time.Hour },
	} {
		c := good
		edit(&c)
		if w, err := New(c); err == nil {
			t.Errorf("%s is taken", name)
			w.Close()
		}
	}
	w, err := New(good)
	if err != nil {
		t.Fatal(err)
	}
	w.Close()
}

// A key of Standard Webhooks signs as its documentation shows.
func TestSignature(t *testing.T) {
	got, err := Signature("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "msg_p5jXN8AQM9LWM0D4loKWxJek", "1614265330", []byte(`{"test": 2432232314}`))
	if want := "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="; err != nil || got != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
}

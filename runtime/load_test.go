package runtime

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	stdruntime "runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/openrpc-go/rpcgen/runtime/compiled"
	"github.com/openrpc-go/rpcgen/runtime/envelope"
	"github.com/openrpc-go/rpcgen/runtime/outcome"
	"github.com/openrpc-go/rpcgen/runtime/schema"
)

// manner is how the server of the load test treats a call, which is the first
// letter of the call's id.
type manner struct {
	letter byte
	answer func(http.ResponseWriter, *http.Request, envelope.Request)
	status outcome.Status
}

const loadResponse = 4 << 10 // the limit of a response's body

// loadManners are well, badly, slowly, too large, and reset.
func loadManners() []manner {
	say := func(format string) func(http.ResponseWriter, *http.Request, envelope.Request) {
		return func(w http.ResponseWriter, _ *http.Request, q envelope.Request) {
			io.WriteString(w, strings.ReplaceAll(format, "ID", string(q.ID)))
		}
	}
	large := strings.Repeat("x", loadResponse)
	return []manner{
		{'w', say(`{"jsonrpc":"2.0","id":ID,"result":true}`), outcome.OK},
		{'v', say(`{"jsonrpc":"2.0","id":ID,"result":"true"}`), outcome.ContractViolation},
		{'e', say(`{"jsonrpc":"2.0","id":ID,"error":{"code":1,"message":"no"}}`), outcome.JSONRPCError},
		{'h', func(w http.ResponseWriter, _ *http.Request, _ envelope.Request) {
			http.Error(w, "no", http.StatusBadGateway)
		}, outcome.HTTPError},
		{'n', say(`nonsense`), outcome.InvalidResponse},
		{'i', say(`{"jsonrpc":"2.0","id":"other","result":true}`), outcome.InvalidResponse},
		{'l', say(`{"jsonrpc":"2.0","id":ID,"result":"` + large + `"}`), outcome.ResponseTooLarge},
		{'c', func(w http.ResponseWriter, _ *http.Request, q envelope.Request) { // chunked
			for range 4 {
				io.WriteString(w, large[:loadResponse/2])
				w.(http.Flusher).Flush()
			}
		}, outcome.ResponseTooLarge},
		{'s', func(_ http.ResponseWriter, r *http.Request, _ envelope.Request) { <-r.Context().Done() }, outcome.TransportError},
		{'r', func(w http.ResponseWriter, _ *http.Request, _ envelope.Request) { reset(w, "") }, outcome.TransportError},
		{'t', func(w http.ResponseWriter, _ *http.Request, _ envelope.Request) {
			reset(w, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"jsonrpc\":")
		}, outcome.TransportError},
	}
}

// reset writes the beginning of an answer and resets the connection.
func reset(w http.ResponseWriter, beginning string) {
	c, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		panic(err)
	}
	io.WriteString(c, beginning)
	if beginning == "" {
		c.(*net.TCPConn).SetLinger(0)
	}
	c.Close()
}

// loadServer keeps a log of its own: how often each call arrived, and from
// which binding.
type loadServer struct {
	*httptest.Server
	mu      sync.Mutex
	arrived map[string]int
	faults  []string
}

func newLoadServer() *loadServer {
	s := &loadServer{arrived: map[string]int{}}
	manners := loadManners()
	s.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		q, err := envelope.ReadRequest(body, envelope.Tolerance{})
		fields := strings.Split(string(q.Params), `"`)
		id := fields[len(fields)-2]
		s.mu.Lock()
		s.arrived[id]++
		if err != nil || r.URL.Path != "/"+r.Header.Get("X-Binding") {
			s.faults = append(s.faults, fmt.Sprintf("%s at %s with the header of binding %q, %v", id, r.URL.Path, r.Header.Get("X-Binding"), err))
		}
		s.mu.Unlock()
		manners[slices.IndexFunc(manners, func(m manner) bool { return m.letter == id[0] })].answer(w, r, q)
	}))
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.Start()
	return s
}

// bindings are two ways to the server, which must never be mixed.
func (s *loadServer) bindings(open *atomic.Int64) [2]Binding {
	dial := func(ctx context.Context, a netip.AddrPort) (net.Conn, error) {
		c, err := new(net.Dialer).DialContext(ctx, "tcp", a.String())
		if err != nil {
			return nil, err
		}
		open.Add(1)
		return &counted{TCPConn: c.(*net.TCPConn), open: open}, nil
	}
	var both [2]Binding
	for i := range both {
		name := strconv.Itoa(i)
		both[i] = Binding{
			URL: s.URL + "/" + name, Development: true, Dial: dial, Connections: []Connections{Fresh, Reuse}[i],
			Headers: []Header{{Name: "X-Binding", Value: FromFunc(name, func(context.Context) (string, error) { return name, nil })}},
			Limits:  Limits{Response: loadResponse, Timeout: 5 * time.Minute},
		}
	}
	return both
}

// ledger counts what observers are told.
type ledger struct {
	mu               sync.Mutex
	begun, ended     map[string]int // by request id
	refused, unended int
}

func (l *ledger) Intent(_ context.Context, i outcome.Intent) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.begun[i.RequestID]++
	return nil
}

func (l *ledger) Outcome(_ context.Context, i outcome.Intent, o outcome.Outcome) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ended[i.RequestID]++
	if o.Code == outcome.Refused {
		l.refused++
	}
	return nil
}

// TestLoad has 64 goroutines call a server that answers in every manner while
// the registry is replaced every 5 ms: every call ends in exactly one way,
// what the calls say adds up with what the server, the observers and the store
// saw, no two bindings are mixed, and nothing is left open.
func TestLoad(t *testing.T) {
	const callers = 64
	each := 30
	if os.Getenv("RPCGEN_LONG") != "" {
		each = 375
	}
	goroutines := stdruntime.NumGoroutine()
	server := newLoadServer()
	src := source(func(m map[string]*compiled.Method) {
		for _, name := range []string{"invoice.get", "invoice.pay"} {
			m[name].ResultNode = &schema.Node{ID: name + "/result", Types: schema.TypeBoolean}
		}
	})
	var open atomic.Int64
	bindings := server.bindings(&open)
	told := &ledger{begun: map[string]int{}, ended: map[string]int{}}
	r := NewRegistry(Options{Observers: []Observer{told}})
	if err := r.Register("billing", load(t, src), bindings[0]); err != nil {
		t.Fatal(err)
	}
	stop := make(chan struct{})
	var changes sync.WaitGroup
	replaced := 0
	changes.Go(func() {
		for {
			select {
			case <-stop:
				return
			case <-time.After(5 * time.Millisecond):
				replaced++
				if err := r.Replace("billing", load(t, src), bindings[replaced%2]); err != nil {
					t.Error(err)
				}
			}
		}
	})
	ends := make([]map[string]loadEnd, callers)
	var calls sync.WaitGroup
	for n := range callers {
		ends[n] = map[string]loadEnd{}
		c := caller(t, r, code(fmt.Sprint("x", n)))
		calls.Go(func() { callMany(src, c, n, each, ends[n]) })
	}
	calls.Wait()
	close(stop)
	changes.Wait()
	sent := checkEnds(t, server, ends)
	t.Logf("%d calls, %d replacements, %v", callers*each, replaced, sent)

	for id, n := range told.begun {
		if n != 1 || told.ended[id] != 1 {
			t.Errorf("request %s: %d intents and %d outcomes are told", id, n, told.ended[id])
		}
	}
	handed := callers*each - sent["moved"] - sent["canceled"]
	if got := len(told.begun) - told.refused; got != handed || len(told.begun) != len(told.ended) {
		t.Errorf("%d intents that were not refused and %d outcomes are told of %d calls that were handed to the transport", got, len(told.ended), handed)
	}
	if err := r.Unregister("billing"); err != nil {
		t.Fatal(err)
	}
	eventually(t, "connections", func() int { return int(open.Load()) }, 0)
	server.Close()
	eventually(t, "goroutines", stdruntime.NumGoroutine, goroutines)
}

// loadEnd is how a call ended, in the caller's view.
type loadEnd struct {
	err error
	end outcome.Outcome
}

// callMany makes calls of every manner, reads and writes by turns.
func callMany(src *Source, c *Caller, n, each int, ends map[string]loadEnd) {
	manners := loadManners()
	get, pay := src.Method("invoice.get"), src.Method("invoice.pay")
	for i := range each {
		id := fmt.Sprintf("%c/%d/%d", manners[(n+i)%len(manners)].letter, n, i)
		ctx, cancel := context.WithCancel(context.Background())
		if id[0] == 's' {
			ctx, cancel = context.WithTimeout(context.Background(), 100*time.Millisecond)
		}
		var e loadEnd
		if i%2 == 0 {
			_, e.err = Call[bool](ctx, c, get, GetParams{ID: id}, Into(&e.end))
		} else {
			_, e.err = Call[bool](ctx, c, pay, PayParams{ID: id, Amount: 1}, Into(&e.end))
		}
		cancel()
		ends[id] = e
	}
}

// checkEnds holds what every call says against the server's log, and counts how
// they ended.
func checkEnds(t *testing.T, server *loadServer, ends []map[string]loadEnd) map[string]int {
	t.Helper()
	server.mu.Lock()
	defer server.mu.Unlock()
	for _, fault := range server.faults {
		t.Error(fault)
	}
	want := map[byte]outcome.Status{}
	for _, m := range loadManners() {
		want[m.letter] = m.status
	}
	counts, arrivals := map[string]int{}, 0
	for _, mine := range ends {
		for id, e := range mine {
			var refused *RefusedError
			var failed *CallError
			least, most := 1, 1 // arrivals
			switch {
			case errors.As(e.err, &refused):
				least, most = 0, 0
				counts[string(refused.Reason)]++
				if e.end.Status != "" || e.end.Delivery != outcome.NotStarted || refused.Reason != ReasonMoved && !(refused.Reason == ReasonCanceled && id[0] == 's') {
					t.Errorf("%s: %v with %+v", id, e.err, e.end)
				}
			case e.err == nil, errors.As(e.err, &failed) && failed.Outcome == e.end:
				counts[string(e.end.Status)]++
				if e.end.Status != want[id[0]] || (e.err == nil) != (want[id[0]] == outcome.OK) {
					t.Errorf("%s: %v with %+v, want %s", id, e.err, e.end, want[id[0]])
				}
				if id[0] == 's' { // the time may be over before it gets there
					least = 0
				}
				if e.end.Delivery == outcome.NotStarted {
					most = 0
				}
			default:
				t.Errorf("%s: %T %v with %+v", id, e.err, e.err, e.end)
			}
			if n := server.arrived[id]; n < least || n > most {
				t.Errorf("%s: %v, and it arrived %d times", id, e.err, n)
			}
			arrivals += server.arrived[id]
		}
	}
	total := 0
	for _, n := range server.arrived {
		total += n
	}
	if total != arrivals {
		t.Errorf("the server saw %d calls, %d of them are known here", total, arrivals)
	}
	for _, m := range loadManners() {
		if counts[string(m.status)] == 0 {
			t.Errorf("no call ended with %s", m.status)
		}
	}
	return counts
}

// eventually waits until nothing more than what was there before is left.
func eventually(t *testing.T, what string, count func() int, most int) {
	t.Helper()
	n := count()
	for range 1000 {
		if n <= most {
			return
		}
		time.Sleep(10 * time.Millisecond)
		n = count()
	}
	buffer := make([]byte, 1<<16)
	t.Errorf("%d %s are left, want at most %d\n%s", n, what, most, buffer[:stdruntime.Stack(buffer, true)])
}

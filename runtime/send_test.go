package runtime

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/openrpc-go/rpcgen/runtime/compiled"
	"github.com/openrpc-go/rpcgen/runtime/effect"
	"github.com/openrpc-go/rpcgen/runtime/envelope"
	"github.com/openrpc-go/rpcgen/runtime/outcome"
	"github.com/openrpc-go/rpcgen/runtime/schema"
)

// The table of DESIGN section 7: what comes back, and what the caller is told.
func TestStatusAndDelivery(t *testing.T) {
	status := func(code int, then func(http.ResponseWriter, request)) func(http.ResponseWriter, request) {
		return func(w http.ResponseWriter, r request) { w.WriteHeader(code); then(w, r) }
	}
	raw := func(body string) func(http.ResponseWriter, request) {
		return func(w http.ResponseWriter, _ request) { fmt.Fprint(w, body) }
	}
	typed := func(media string, then func(http.ResponseWriter, request)) func(http.ResponseWriter, request) {
		return func(w http.ResponseWriter, r request) { w.Header().Set("Content-Type", media); then(w, r) }
	}
	hang := func(w http.ResponseWriter, r request) { <-r.http.Context().Done() }
	drop := func(w http.ResponseWriter, _ request) { panic(http.ErrAbortHandler) }
	remote := members(`"error":{"code":-32001,"message":"nope","data":{"id":"a"}}`)
	rows := []struct {
		name     string
		answer   func(http.ResponseWriter, request)
		status   outcome.Status
		code     string
		read     outcome.Delivery
		write    outcome.Delivery
		http     int
		hasError bool // a remote error is attached
	}{
		{"ok", result(`true`), outcome.OK, "", outcome.Completed, outcome.Completed, 200, false},
		{"ok as text", typed("text/plain", result(`true`)), outcome.OK, "", outcome.Completed, outcome.Completed, 200, false},
		{"ok with 201", status(201, result(`true`)), outcome.OK, "", outcome.Completed, outcome.Completed, 201, false},
		{"result breaks schema", result(`"x"`), outcome.ContractViolation, "schema", outcome.Completed, outcome.Completed, 200, false},
		{"result null", result(`null`), outcome.ContractViolation, "schema", outcome.Completed, outcome.Completed, 200, false},
		{"error", remote, outcome.JSONRPCError, "remote", outcome.Answered, outcome.Answered, 200, true},
		{"http error", status(502, raw("<html>SECRET</html>")), outcome.HTTPError, "status", outcome.Answered, outcome.Unknown, 502, false},
		{"http error with envelope", status(500, remote), outcome.HTTPError, "status", outcome.Answered, outcome.Unknown, 500, true},
		{"http error with result", status(500, result(`true`)), outcome.HTTPError, "status", outcome.Answered, outcome.Unknown, 500, false},
		{"redirect", status(307, raw("")), outcome.HTTPError, "status", outcome.Answered, outcome.Unknown, 307, false},
		{"not json", raw("SECRET"), outcome.InvalidResponse, "json", outcome.Unknown, outcome.Unknown, 200, false},
		{"empty", raw(""), outcome.InvalidResponse, "empty", outcome.Unknown, outcome.Unknown, 200, false},
		{"no content", status(204, raw("")), outcome.InvalidResponse, "empty", outcome.Unknown, outcome.Unknown, 204, false},
		{"empty object", raw("{}"), outcome.InvalidResponse, "version", outcome.Unknown, outcome.Unknown, 200, false},
		{"batch", raw("[]"), outcome.InvalidResponse, "batch", outcome.Unknown, outcome.Unknown, 200, false},
		{"other id", raw(`{"jsonrpc":"2.0","id":"x","result":true}`), outcome.InvalidResponse, "id_mismatch", outcome.Unknown, outcome.Unknown, 200, false},
		{"null id", raw(`{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"m"}}`), outcome.InvalidResponse, "id_null", outcome.Unknown, outcome.Unknown, 200, true},
		{"not parsed", raw(`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"m"}}`), outcome.InvalidResponse, "rejected_unparsed", outcome.Unknown, outcome.Unknown, 200, true},
		{"error as text", members(`"error":"cursor_invalid"`), outcome.InvalidResponse, "error_shape", outcome.Unknown, outcome.Unknown, 200, false},
		{"null error beside result", members(`"error":null,"result":true`), outcome.InvalidResponse, "both", outcome.Unknown, outcome.Unknown, 200, false},
		{"gzip", func(w http.ResponseWriter, r request) {
			w.Header().Set("Content-Encoding", "gzip")
			result(`true`)(w, r)
		},
			outcome.InvalidResponse, "content_encoding", outcome.Unknown, outcome.Unknown, 200, false},
		{"too large", result(`"` + strings.Repeat("x", 5000) + `"`), outcome.ResponseTooLarge, "too_large", outcome.Unknown, outcome.Unknown, 200, false},
		{"too large error page", status(500, raw(strings.Repeat("x", 5000))), outcome.ResponseTooLarge, "too_large", outcome.Unknown, outcome.Unknown, 500, false},
		{"dropped", drop, outcome.TransportError, "closed", outcome.Unknown, outcome.Unknown, 0, false},
		{"no answer", hang, outcome.TransportError, "timeout", outcome.Unknown, outcome.Unknown, 0, false},
	}
	src := source(func(m map[string]*compiled.Method) {
		m["ping"].ResultNode = &schema.Node{ID: "ping/result", Types: schema.TypeBoolean}
	})
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			s := serve(t, row.answer)
			b := s.binding()
			b.Limits = Limits{Response: 4096, Timeout: 2 * time.Second}
			if row.code == "timeout" {
				b.Limits.Timeout = 300 * time.Millisecond
			}
			r, c := setup(t, src, b, code("x"), Options{})
			for _, call := range []struct {
				method, params string
				want           outcome.Delivery
			}{{"ping", ``, row.read}, {"invoice.pay", `{"id":"SECRET","amount":1}`, row.write}} {
				var end outcome.Outcome
				_, err := c.Do(t.Context(), call.method, []byte(call.params), Into(&end))
				if end.Status != row.status || end.Code != row.code || end.Delivery != call.want || end.HTTPStatus != row.http {
					t.Errorf("%s: %+v, want %s (%s), %s, http %d", call.method, end, row.status, row.code, call.want, row.http)
				}
				if row.status == outcome.OK {
					if err != nil {
						t.Error(err)
					}
					continue
				}
				var failed *CallError
				if !errors.As(err, &failed) || failed.Outcome != end || Delivery(err) != call.want || (failed.Remote != nil) != row.hasError {
					t.Errorf("%s: got %+v, want an error with that outcome, remote error %v", call.method, err, row.hasError)
				}
				for _, foreign := range []string{"SECRET", "nope", "cursor", "127.0.0.1", "html"} {
					if strings.Contains(err.Error(), foreign) {
						t.Errorf("%s: the error text holds %q: %v", call.method, foreign, err)
					}
				}
			}
			if s.requests.Load() != 2 {
				t.Errorf("%d requests for two calls", s.requests.Load())
			}
			unknown, err := r.Unknown(t.Context())
			if want := row.write == outcome.Unknown; err != nil || (len(unknown) == 1) != want || want && unknown[0].Tuple.Method != "invoice.pay" {
				t.Errorf("unknown: %+v, %v, want one: %v", unknown, err, want)
			}
		})
	}
}

func TestNotStarted(t *testing.T) {
	b := Binding{URL: "http://localhost:1/", Development: true}
	b.Dial = func(context.Context, netip.AddrPort) (net.Conn, error) { return nil, errors.New("SECRET 10.0.0.1") }
	r, c := setup(t, source(nil), b, code("x"), Options{})
	var end outcome.Outcome
	_, err := c.Do(t.Context(), "invoice.pay", []byte(`{"id":"a","amount":1}`), Into(&end))
	if end.Status != outcome.TransportError || end.Delivery != outcome.NotStarted || end.Code != "dial" || strings.Contains(err.Error(), "SECRET") {
		t.Errorf("got %+v, %v", end, err)
	}
	if unknown, _ := r.Unknown(t.Context()); len(unknown) != 0 {
		t.Errorf("it is kept as unknown: %v", unknown)
	}
}

func TestCanceled(t *testing.T) {
	_, c := setup(t, source(nil), trap(t), code("x"), Options{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := c.Do(ctx, "ping", nil)
	if !errors.Is(err, ReasonCanceled) || !errors.Is(err, context.Canceled) || Delivery(err) != outcome.NotStarted {
		t.Errorf("before: %v", err)
	}
	arrived := make(chan struct{})
	s := serve(t, func(w http.ResponseWriter, r request) { close(arrived); <-r.http.Context().Done() })
	_, c = setup(t, source(nil), s.binding(), code("x"), Options{})
	ctx, cancel = context.WithCancel(t.Context())
	go func() { <-arrived; cancel() }()
	_, err = c.Do(ctx, "ping", nil)
	if !errors.Is(err, context.Canceled) || Delivery(err) != outcome.Unknown {
		t.Errorf("during: %v, delivery %s", err, Delivery(err))
	}
}

func TestReportedResults(t *testing.T) {
	s := serve(t, result(`"x"`))
	src := source(func(m map[string]*compiled.Method) { m["invoice.get"].Authority.Report = true })
	_, c := setup(t, src, s.binding(), code("x"), Options{})
	for method, want := range map[string]string{"invoice.get": `"x"`, "invoice.pay": ``} {
		_, err := c.Do(t.Context(), method, []byte(map[string]string{"invoice.get": `{"id":"a"}`, "invoice.pay": `{"id":"a","amount":1}`}[method]))
		var failed *CallError
		var broken *schema.Error
		if !errors.As(err, &failed) || !errors.As(err, &broken) || string(failed.Result) != want {
			t.Errorf("%s: got %v with result %s, want %s", method, err, failed.Result, want)
		}
	}
}

// TestReportedEnums hands over a typed result that is wrong by nothing but a
// value of an enum, where the amendment says so.
func TestReportedEnums(t *testing.T) {
	s := serve(t, result(`{"id":"late","total":7}`))
	for report, want := range map[bool]Invoice{true: {ID: "late", Total: 7}, false: {}} {
		src := source(func(m map[string]*compiled.Method) {
			get := m["invoice.get"]
			get.Authority.Report = report
			known := *get.ResultNode
			object := *known.Object
			object.Properties = slices.Clone(object.Properties)
			k := slices.IndexFunc(object.Properties, func(p schema.Property) bool { return p.Name == "id" })
			object.Properties[k].Node = &schema.Node{ID: "Invoice/id/known", Enum: []string{`"early"`, `"paid"`}}
			known.Object = &object
			get.ResultNode = &known
		})
		_, c := setup(t, src, s.binding(), code("x"), Options{})
		var end outcome.Outcome
		v, err := Call[Invoice](t.Context(), c, src.Method("invoice.get"), GetParams{ID: "a"}, Into(&end))
		var broken *schema.Error
		if !errors.As(err, &broken) || v != want || end.Status != outcome.ContractViolation {
			t.Errorf("report %v: got %+v, %v, %s", report, v, err, end.Status)
		}
	}
}

func TestUnrepresentableResult(t *testing.T) {
	s := serve(t, result(`{"id":"a","total":9223372036854775808}`))
	src := source(nil)
	_, c := setup(t, src, s.binding(), code("x"), Options{})
	var end outcome.Outcome
	v, err := Call[Invoice](t.Context(), c, src.Method("invoice.get"), GetParams{ID: "a"}, Into(&end))
	var unfit *schema.Unrepresentable
	if !errors.As(err, &unfit) || v != (Invoice{}) || end.Status != outcome.OK || end.Delivery != outcome.Completed {
		t.Errorf("got %+v, %v, %+v", v, err, end)
	}
}

func testDeclaredErrors(t *testing.T) {
	src := source(nil)
	notFound, other := src.Error(-32001), src.Error(7)
	s := serve(t, members(`"error":{"code":-32001,"message":"nope","data":{"id":"a"}}`))
	_, c := setup(t, src, s.binding(), code("x"), Options{})
	err := callError[Invoice](c, src.Method("invoice.get"), GetParams{ID: "a"})
	if !errors.Is(err, notFound) || errors.Is(err, other) {
		t.Errorf("errors.Is(%v) fails to tell them apart", err)
	}
	if elsewhere := source(func(m map[string]*compiled.Method) { m["ping"].Summary = "x" }).Error(-32001); errors.Is(err, elsewhere) {
		t.Error("the error of another contract matches")
	}
	var failed *CallError
	if !errors.As(err, &failed) || failed.Remote.Code != -32001 || failed.Remote.Message != "nope" || string(failed.Remote.Data) != `{"id":"a"}` {
		t.Errorf("got %+v", failed)
	}
	type data struct {
		ID string `json:"id"`
	}
	if d, err := ErrorData[data](err, notFound); err != nil || d.ID != "a" {
		t.Errorf("ErrorData = %+v, %v", d, err)
	}
	if _, err := ErrorData[data](err, other); err == nil {
		t.Error("data of another error")
	}
	s.answer = members(`"error":{"code":-32001,"message":"nope","data":{"id":1}}`)
	err = callError[Invoice](c, src.Method("invoice.get"), GetParams{ID: "a"})
	var broken *schema.Error
	if _, err := ErrorData[data](err, notFound); !errors.As(err, &broken) {
		t.Errorf("data that break their schema: %v", err)
	}
	s.answer = members(`"error":{"code":-32001,"message":"nope"}`)
	err = callError[Invoice](c, src.Method("invoice.get"), GetParams{ID: "a"})
	if _, err := ErrorData[data](err, notFound); err == nil {
		t.Error("absent data")
	}
}

func testTolerance(t *testing.T) {
	s := serve(t, members(`"result":"pong","error":null`))
	b := s.binding()
	b.Tolerance = envelope.Tolerance{NullError: true}
	_, c := setup(t, source(nil), b, code("x"), Options{})
	if got, err := c.Do(t.Context(), "ping", nil); err != nil || string(got) != `"pong"` {
		t.Errorf("got %s, %v", got, err)
	}
}

func TestJSONOnly(t *testing.T) {
	for media, want := range map[string]bool{
		"application/json": true, "application/json; charset=utf-8": true, "Application/JSON": true, "application/problem+json": true,
		"application/json-rpc": true, "text/plain": false, "text/html": false, "application/jsonx": false, "": false,
	} {
		s := serve(t, func(w http.ResponseWriter, r request) {
			w.Header()["Content-Type"] = []string{media}
			result(`"pong"`)(w, r)
		})
		b := s.binding()
		b.JSONOnly = true
		_, c := setup(t, source(nil), b, code("x"), Options{})
		var end outcome.Outcome
		_, err := c.Do(t.Context(), "ping", nil, Into(&end))
		if (err == nil) != want || !want && (end.Status != outcome.InvalidResponse || end.Code != "media_type") {
			t.Errorf("%q: got %+v, %v, want accepted %v", media, end, err, want)
		}
	}
}

func TestRetry(t *testing.T) {
	var s *server
	flaky := func(good int64) func(http.ResponseWriter, request) {
		return func(w http.ResponseWriter, r request) {
			if s.requests.Load() < good {
				panic(http.ErrAbortHandler)
			}
			result(`"pong"`)(w, r)
		}
	}
	s = serve(t, flaky(3))
	_, c := setup(t, source(nil), s.binding(), code("x"), Options{})
	if _, err := c.Do(t.Context(), "ping", nil); err == nil || s.requests.Load() != 1 {
		t.Errorf("without asking: %v after %d requests", err, s.requests.Load())
	}
	if got, err := c.Do(t.Context(), "ping", nil, Retry(1)); err != nil && s.requests.Load() != 3 {
		t.Errorf("got %s, %v after %d requests", got, err, s.requests.Load())
	}
	if got, err := c.Do(t.Context(), "ping", nil, Retry(1)); err != nil || string(got) != `"pong"` {
		t.Errorf("got %s, %v", got, err)
	}
	ids := map[string]bool{}
	for _, body := range s.bodies {
		ids[body] = true
	}
	if len(ids) != len(s.bodies) {
		t.Error("two attempts share a request id")
	}
	s = serve(t, func(w http.ResponseWriter, r request) { w.WriteHeader(503) })
	_, c = setup(t, source(nil), s.binding(), code("x"), Options{})
	if _, err := c.Do(t.Context(), "ping", nil, Retry(2)); err == nil || s.requests.Load() != 1 {
		t.Errorf("an answer is not asked for again: %v after %d requests", err, s.requests.Load())
	}
}

func testSecretsStayOut(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r request) {
		if r.http.Header.Get("Authorization") != "Bearer hunter2hunter2" {
			t.Errorf("headers %v", r.http.Header)
		}
		members(`"error":{"code":1,"message":"you sent hunter2hunter2","data":["aHVudGVyMmh1bnRlcjI"]}`)(w, r)
	})
	b := s.binding()
	b.Headers = []Header{{Name: "Authorization", Prefix: "Bearer ", Value: FromFunc("token", func(context.Context) (string, error) { return "hunter2hunter2", nil })}}
	r, c := setup(t, source(nil), b, code("x"), Options{})
	_, err := c.Do(t.Context(), "ping", nil)
	for _, verb := range []string{"%v", "%+v", "%#v"} {
		for _, thing := range []any{b, r, c} {
			if strings.Contains(fmt.Sprintf(verb, thing), "hunter2") {
				t.Errorf("%s of %T shows the secret", verb, thing)
			}
		}
	}
	var failed *CallError
	if !errors.As(err, &failed) || failed.Remote.Message != "you sent [redacted]" || string(failed.Remote.Data) != `["[redacted]"]` {
		t.Errorf("C6: a reflected secret is kept: %+v", failed.Remote)
	}
	if strings.Contains(err.Error(), "hunter2") {
		t.Errorf("the error text shows the secret: %v", err)
	}
	b.Headers[0].Value = FromFunc("token", func(context.Context) (string, error) { return "", errors.New("vault said hunter2") })
	_, c = setup(t, source(nil), b, code("x"), Options{})
	if _, err := c.Do(t.Context(), "ping", nil); !errors.Is(err, ReasonConfiguration) || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("got %v", err)
	}
	ai := caller(t, r, agent("bot"))
	b.Headers[0].Value = FromEnv("RPCGEN_TEST_NOWHERE")
	r.Replace("billing", load(t, source(nil)), b)
	var refused *RefusedError
	if _, err := ai.Do(t.Context(), "ping", nil); !errors.As(err, &refused) || refused.Detail != "" {
		t.Errorf("an agent is told about headers: %v", err)
	}
}

func testOneApprovalIsForOneCall(t *testing.T) {
	clock := newClock()
	s := serve(t, result(`true`))
	r, c := setup(t, source(nil), s.binding(), agent("bot"), Options{Now: clock.now, ApprovalLife: time.Minute})
	const input = `{"id":"a","amount":1}`
	pay := func(c *Caller, input, id string) error {
		_, err := c.Do(t.Context(), "invoice.pay", []byte(input), WithApproval(id))
		return err
	}
	a := approved(t, r, c, input)
	flips := map[string]error{
		"P2 params":    pay(c, `{"id":"a","amount":2}`, a.ID),
		"P2 principal": pay(caller(t, r, agent("other")), input, a.ID),
		"P2 id":        pay(c, input, a.ID+"x"),
	}
	for name, err := range flips {
		if !errors.Is(err, ReasonApproval) || s.requests.Load() != 0 {
			t.Errorf("%s: got %v", name, err)
		}
	}
	// P4: the same bytes in another spelling are the same call.
	if err := pay(c, ` {"amount":1.0,"id":"\u0061"}`, a.ID); err != nil {
		t.Error(err)
	}
	if err := pay(c, input, a.ID); !errors.Is(err, ReasonApprovalSpent) || s.requests.Load() != 1 {
		t.Errorf("P1: got %v after %d requests", err, s.requests.Load())
	}

	a = approved(t, r, c, input)
	clock.advance(time.Minute)
	if err := pay(c, input, a.ID); !errors.Is(err, ReasonApprovalLate) {
		t.Errorf("P8: got %v", err)
	}
	a = approved(t, r, c, input)
	if err := r.Replace("billing", load(t, source(nil)), s.binding()); err != nil {
		t.Fatal(err)
	}
	if err := pay(c, input, a.ID); !errors.Is(err, ReasonApproval) {
		t.Errorf("P3: an approval outlives a replacement: %v", err)
	}

	var pending, same *PendingError
	errors.As(pay(c, input, ""), &pending)
	errors.As(pay(c, input, pending.ID), &same)
	if same == nil || same.ID != pending.ID {
		t.Errorf("an undecided approval: got %v", same)
	}
	if _, err := r.Decide(t.Context(), decision(pending, "bot", true)); err == nil {
		t.Error("P7: the agent approved its own call")
	}
	if _, err := r.Decide(t.Context(), decision(pending, "alice", false)); err != nil {
		t.Fatal(err)
	}
	if err := pay(c, input, pending.ID); !errors.Is(err, ReasonApprovalDenied) {
		t.Errorf("denied: got %v", err)
	}
	if err := pay(c, input, ""); !errors.Is(err, ReasonApprovalDenied) {
		t.Errorf("denied, asked again: got %v", err)
	}
	if s.requests.Load() != 1 {
		t.Errorf("%d requests", s.requests.Load())
	}
	// Where nothing is asked, nothing is spent.
	a = approved(t, r, caller(t, r, agent("third")), input)
	if _, err := caller(t, r, code("third")).Do(t.Context(), "invoice.pay", []byte(input), WithApproval(a.ID)); err != nil {
		t.Errorf("an allowed call: %v", err)
	}
	if err := pay(caller(t, r, agent("third")), input, a.ID); err != nil {
		t.Errorf("the approval was spent by another kind of caller: %v", err)
	}
}

func testOneWinner(t *testing.T) {
	s := serve(t, result(`true`))
	r, c := setup(t, source(nil), s.binding(), agent("bot"), Options{})
	const input = `{"id":"a","amount":1}`
	a := approved(t, r, c, input)
	var won, lost atomic.Int64
	var all sync.WaitGroup
	for range 32 {
		all.Go(func() {
			switch _, err := c.Do(context.Background(), "invoice.pay", []byte(input), WithApproval(a.ID)); {
			case err == nil:
				won.Add(1)
			case errors.Is(err, ReasonApprovalSpent):
				lost.Add(1)
			default:
				t.Error(err)
			}
		})
	}
	all.Wait()
	if won.Load() != 1 || lost.Load() != 31 || s.requests.Load() != 1 {
		t.Errorf("%d won, %d lost, %d requests", won.Load(), lost.Load(), s.requests.Load())
	}
}

func testView(t *testing.T) {
	r, c := setup(t, source(nil), trap(t), agent("bot\x1b[2J"), Options{})
	_ = r
	_, err := c.Do(t.Context(), "invoice.pay", []byte(`{"id":"a\u202e\u200b\u00a0\udb40\udc41é\\","amount":1}`))
	var pending *PendingError
	if !errors.As(err, &pending) {
		t.Fatal(err)
	}
	const want = `principal: agent "bot\x1b[2J"
endpoint: billing
method: invoice.pay
effect: write, rollback unknown
sends: confidential, returns: confidential
params (37 bytes): {"amount":1,"id":"a\u{202E}\u{200B}\u{00A0}\u{E0041}é\\"}
`
	if pending.View != want {
		t.Errorf("got\n%s\nwant\n%s", pending.View, want)
	}
	if strings.Contains(err.Error(), "amount") || strings.Contains(err.Error(), "\x1b") {
		t.Errorf("the error text holds params or controls: %q", err)
	}
}

// Calls run while the registry changes under them: every call ends in exactly
// one way, and a write that was sent was sent once.
func TestReplaceWhileCallsRun(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r request) {
		switch r.Params[len(r.Params)-2] {
		case '1':
			result(`true`)(w, r)
		case '2':
			panic(http.ErrAbortHandler)
		case '3':
			w.WriteHeader(500)
		case '4':
			fmt.Fprint(w, "nonsense")
		default:
			members(`"error":{"code":1,"message":""}`)(w, r)
		}
	})
	src := source(nil)
	r, c := setup(t, src, s.binding(), code("x"), Options{})
	stop := make(chan struct{})
	var changes sync.WaitGroup
	changes.Go(func() {
		for {
			select {
			case <-stop:
				return
			case <-time.After(2 * time.Millisecond):
				if err := r.Replace("billing", load(t, src), s.binding()); err != nil {
					t.Error(err)
				}
			}
		}
	})
	var calls sync.WaitGroup
	var sent, moved atomic.Int64
	for n := range 16 {
		calls.Go(func() {
			pay := src.Method("invoice.pay")
			for i := range 25 {
				var end outcome.Outcome
				_, err := Call[bool](context.Background(), c, pay, PayParams{ID: "x", Amount: int64((n+i)%5 + 1)}, Into(&end))
				var refused *RefusedError
				var failed *CallError
				switch {
				case errors.As(err, &refused):
					if refused.Reason != ReasonMoved {
						t.Error(err)
					}
					moved.Add(1)
				case err == nil, errors.As(err, &failed):
					if end.Status == "" || end.Delivery == outcome.NotStarted {
						t.Errorf("%+v, %v", end, err)
					}
					sent.Add(1)
				default:
					t.Errorf("%T %v", err, err)
				}
			}
		})
	}
	calls.Wait()
	close(stop)
	changes.Wait()
	if sent.Load() != s.requests.Load() || sent.Load()+moved.Load() != 400 {
		t.Errorf("%d calls say they were sent, %d moved, the server saw %d", sent.Load(), moved.Load(), s.requests.Load())
	}
}

func testHostRulesOnlyTighten(t *testing.T) {
	words := []effect.Decision{effect.Allow, effect.Ask, effect.Deny, "", "yes"}
	for _, amendment := range words {
		for _, rule := range words {
			src := source(func(m map[string]*compiled.Method) { m["ping"].Authority.Agents = amendment })
			s := serve(t, result(`"pong"`))
			b := s.binding()
			b.Rules = []Rule{{Name: "r", Decide: func(context.Context, Query) (Verdict, error) { return Verdict{Decision: rule}, nil }}}
			_, c := setup(t, src, b, agent("bot"), Options{})
			_, err := c.Do(t.Context(), "ping", nil)
			var pending *PendingError
			got := effect.Deny
			if err == nil {
				got = effect.Allow
			} else if errors.As(err, &pending) {
				got = effect.Ask
			}
			if want := effect.Stricter(amendment, rule); got != want {
				t.Errorf("amendment %q, rule %q: %q, want %q", amendment, rule, got, want)
			}
		}
	}
}

func decision(p *PendingError, by string, approve bool) Decision {
	return Decision{ID: p.ID, By: by, Approve: approve, ViewDigest: p.ViewDigest}
}

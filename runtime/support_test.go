package runtime

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/openrpc-go/rpcgen/runtime/compiled"
	"github.com/openrpc-go/rpcgen/runtime/effect"
	"github.com/openrpc-go/rpcgen/runtime/schema"
)

// The Go types of the test contract, as generated code would have them.
type (
	GetParams struct {
		ID   string `json:"id"`
		Deep *bool  `json:"deep,omitzero"`
	}
	Invoice struct {
		ID    string `json:"id"`
		Total int64  `json:"total"`
	}
	PayParams struct {
		ID     string `json:"id"`
		Amount int64  `json:"amount"`
	}
	RangeParams struct {
		From  int64  `json:"from"`
		To    *int64 `json:"to,omitzero"`
		Limit *int64 `json:"limit,omitzero"`
	}
)

func text(id string) *schema.Node    { return &schema.Node{ID: id, Types: schema.TypeString} }
func integer(id string) *schema.Node { return &schema.Node{ID: id, Types: schema.TypeInteger} }

func object(id string, properties ...schema.Property) *schema.Node {
	return &schema.Node{ID: id, Types: schema.TypeObject, Object: &schema.ObjectRules{
		Properties: properties, Additional: &schema.Node{ID: id + "/more", Never: true},
	}}
}

func need(name string, n *schema.Node) schema.Property {
	return schema.Property{Name: name, Required: true, Node: n}
}

func may(name string, n *schema.Node) schema.Property { return schema.Property{Name: name, Node: n} }

func params(properties ...schema.Property) (list []compiled.Param) {
	for _, p := range properties {
		list = append(list, compiled.Param{Name: p.Name, Required: p.Required})
	}
	return list
}

var confidential = effect.Flow{Sends: effect.Confidential, Returns: effect.Confidential}

func reads() compiled.Authority {
	return compiled.Authority{
		State: compiled.Open, Effect: effect.Read, Right: effect.RightRead, Code: effect.Allow, Agents: effect.Allow,
		Flow: confidential, Rollback: effect.Rollback{Class: effect.RollbackNotRequired},
	}
}

func writes() compiled.Authority {
	return compiled.Authority{
		State: compiled.Open, Effect: effect.Write, Right: effect.RightWrite, Code: effect.Allow, Agents: effect.Ask,
		Flow: confidential, Rollback: effect.Rollback{Class: effect.RollbackUnknown},
	}
}

// newMethod builds a method with an object of params and a result.
func newMethod(name, id string, a compiled.Authority, result *schema.Node, properties ...schema.Property) *compiled.Method {
	m := &compiled.Method{Name: name, ID: id, Authority: a, ResultNode: result, Params: params(properties...)}
	m.Digests = compiled.Digests{Wire: "sha256:w" + id, Result: "sha256:r" + id, Text: "sha256:t" + id, Doc: "sha256:d" + id}
	if len(properties) > 0 {
		m.ParamsNode = object(name+"/params", properties...)
	}
	return m
}

// contractData returns the test contract, with edit applied to it.
func contractData(edit func(map[string]*compiled.Method)) []byte {
	invoice := object("Invoice", need("id", text("Invoice/id")), need("total", integer("Invoice/total")))
	limited := &schema.Node{ID: "Amount", Types: schema.TypeInteger, Number: &schema.NumberRules{Minimum: "1"}}
	get := newMethod("invoice.get", "invoice_get", reads(), invoice, need("id", text("get/id")), may("deep", &schema.Node{ID: "get/deep", Types: schema.TypeBoolean}))
	get.Errors = []compiled.Error{{Code: -32001, Message: "not found", Data: object("NotFound", need("id", text("NotFound/id")))}, {Code: 7}}
	pay := newMethod("invoice.pay", "invoice_pay", writes(), &schema.Node{ID: "pay/result", Types: schema.TypeBoolean}, need("id", text("pay/id")), need("amount", limited))
	ping := newMethod("ping", "ping", reads(), text("ping/result"))
	between := newMethod("range", "range", reads(), &schema.Node{ID: "range/result", Types: schema.TypeArray, Array: &schema.ArrayRules{Items: integer("range/item")}},
		need("from", integer("range/from")), may("to", integer("range/to")), may("limit", integer("range/limit")))
	between.Positional = true
	note := newMethod("note", "note", writes(), nil, need("text", text("note/text")))
	note.Notification, note.Authority.Notify, note.Authority.Agents = true, true, effect.Allow
	undecided := newMethod("undecided", "undecided", compiled.Authority{State: compiled.Undecided}, text("undecided/result"))
	all := []*compiled.Method{get, pay, ping, between, note, undecided}
	byName := map[string]*compiled.Method{}
	for _, m := range all {
		byName[m.Name] = m
	}
	if edit != nil {
		edit(byName)
	}
	b, err := compiled.Marshal(&compiled.Contract{
		Header:  compiled.Header{ID: "billing", Protocol: "jsonrpc", Document: compiled.Source{Kind: "openrpc", Version: "1.3.2"}},
		Methods: all,
	})
	if err != nil {
		panic(err)
	}
	return b
}

// source returns the test contract as a generated package embeds it.
func source(edit func(map[string]*compiled.Method)) *Source {
	b := contractData(edit)
	return Embedded(string(b), compiled.Digest(b))
}

func load(t testing.TB, s *Source) *Contract {
	t.Helper()
	c, err := s.Load()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// server is a JSON-RPC server whose answer is decided by a test.
type server struct {
	*httptest.Server
	requests atomic.Int64
	mu       sync.Mutex
	bodies   []string
	answer   func(w http.ResponseWriter, r request)
}

type request struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params"`
	http    *http.Request
}

// result answers with a result.
func result(json string) func(http.ResponseWriter, request) {
	return func(w http.ResponseWriter, r request) {
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, r.ID, json)
	}
}

// members answers with an envelope of other members.
func members(json string) func(http.ResponseWriter, request) {
	return func(w http.ResponseWriter, r request) { fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,%s}`, r.ID, json) }
}

func serve(t testing.TB, answer func(http.ResponseWriter, request)) *server {
	s := &server{answer: answer}
	s.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.requests.Add(1)
		body, _ := io.ReadAll(r.Body)
		q := request{http: r}
		json.Unmarshal(body, &q)
		s.mu.Lock()
		s.bodies = append(s.bodies, string(body))
		s.mu.Unlock()
		s.answer(w, q)
	}))
	s.Config.ErrorLog = log.New(io.Discard, "", 0) // handlers that panic drop the connection
	s.Start()
	t.Cleanup(s.Close)
	return s
}

// last returns the params of the last request.
func (s *server) last(t testing.TB) string {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.bodies) == 0 {
		t.Fatal("no request came")
	}
	var q request
	if err := json.Unmarshal([]byte(s.bodies[len(s.bodies)-1]), &q); err != nil {
		t.Fatal(err)
	}
	return string(q.Params)
}

func (s *server) binding() Binding { return Binding{URL: s.URL + "/rpc", Development: true} }

// trap is a binding that fails the test when anything is dialled or looked up.
func trap(t testing.TB) Binding {
	return Binding{URL: "https://trap.example/rpc", Resolver: trapped{t}, Dial: trapped{t}.dial}
}

type trapped struct{ t testing.TB }

func (x trapped) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	x.t.Error("a name was looked up")
	return nil, io.EOF
}

func (x trapped) dial(context.Context, netip.AddrPort) (net.Conn, error) {
	x.t.Error("an address was dialled")
	return nil, io.EOF
}

// clock is a clock that tests move.
type clock struct{ nanoseconds atomic.Int64 }

func newClock() *clock {
	c := &clock{}
	c.nanoseconds.Store(time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC).UnixNano())
	return c
}

func (c *clock) now() time.Time          { return time.Unix(0, c.nanoseconds.Load()).UTC() }
func (c *clock) advance(d time.Duration) { c.nanoseconds.Add(int64(d)) }

func agent(name string) Principal { return Principal{Name: name, Kind: Agent, Grants: Full("billing")} }
func code(name string) Principal  { return Principal{Name: name, Kind: Code, Grants: Full("billing")} }

// setup registers the contract as billing and returns a caller.
func setup(t testing.TB, s *Source, b Binding, p Principal, o Options) (*Registry, *Caller) {
	t.Helper()
	r := NewRegistry(o)
	t.Cleanup(r.Close)
	if err := r.Register("billing", load(t, s), b); err != nil {
		t.Fatal(err)
	}
	return r, caller(t, r, p)
}

func caller(t testing.TB, r *Registry, p Principal) *Caller {
	t.Helper()
	c, err := r.Caller("billing", p)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

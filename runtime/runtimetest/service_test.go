package runtimetest_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/openrpc-go/rpcgen/runtime"
	"github.com/openrpc-go/rpcgen/runtime/compiled"
	"github.com/openrpc-go/rpcgen/runtime/effect"
	"github.com/openrpc-go/rpcgen/runtime/outcome"
	"github.com/openrpc-go/rpcgen/runtime/runtimetest"
	"github.com/openrpc-go/rpcgen/runtime/schema"
	"github.com/openrpc-go/rpcgen/runtime/store"
)

func object(id string, properties ...schema.Property) *schema.Node {
	return &schema.Node{ID: id, Types: schema.TypeObject, Object: &schema.ObjectRules{
		Properties: properties, Additional: &schema.Node{ID: id + "/more", Never: true},
	}}
}

func field(name string, required bool, types schema.Types) schema.Property {
	return schema.Property{Name: name, Required: required, Node: &schema.Node{ID: "field/" + name, Types: types}}
}

// contract has a read by name, a read by position, a write that is asked about,
// a notification, and a method that nobody decided about.
func contract(t testing.TB) *runtime.Contract {
	t.Helper()
	flow := effect.Flow{Sends: effect.Internal, Returns: effect.Internal}
	read := compiled.Authority{
		State: compiled.Open, Effect: effect.Read, Right: effect.RightRead, Code: effect.Allow, Agents: effect.Allow,
		Flow: flow, Rollback: effect.Rollback{Class: effect.RollbackNotRequired},
	}
	write := compiled.Authority{
		State: compiled.Open, Effect: effect.Write, Right: effect.RightWrite, Code: effect.Ask, Agents: effect.Ask,
		Flow: flow, Rollback: effect.Rollback{Class: effect.RollbackUnknown}, Notify: true,
	}
	tell := write
	tell.Code = effect.Allow
	id, total := field("id", true, schema.TypeString), field("total", true, schema.TypeInteger)
	method := func(name string, a compiled.Authority, result *schema.Node, params ...schema.Property) *compiled.Method {
		m := &compiled.Method{Name: name, ID: name, Authority: a, ResultNode: result}
		for _, p := range params {
			m.Params = append(m.Params, compiled.Param{Name: p.Name, Required: p.Required})
		}
		if len(params) > 0 {
			m.ParamsNode = object(name+"/params", params...)
		}
		return m
	}
	get := method("get", read, object("Invoice", id, total), id)
	get.Errors = []compiled.Error{{Code: 7, Message: "gone", Data: object("Gone", field("since", true, schema.TypeString))}}
	between := method("range", read, &schema.Node{ID: "range/result", Types: schema.TypeInteger}, field("from", true, schema.TypeInteger), field("to", false, schema.TypeInteger))
	between.Positional = true
	pay := method("pay", write, &schema.Node{ID: "pay/result", Types: schema.TypeBoolean}, id)
	note := method("note", tell, nil, id)
	note.Notification = true
	ping := method("ping", read, &schema.Node{ID: "ping/result", Types: schema.TypeString})
	undecided := method("undecided", compiled.Authority{State: compiled.Undecided}, &schema.Node{ID: "u", Types: schema.TypeString})
	b, err := compiled.Marshal(&compiled.Contract{
		Header:  compiled.Header{ID: "billing", Protocol: "jsonrpc", Document: compiled.Source{Kind: "openrpc", Version: "1.3.2"}},
		Methods: []*compiled.Method{get, between, pay, note, ping, undecided},
	})
	if err != nil {
		t.Fatal(err)
	}
	c, err := runtime.Open(b)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

const invoice = `{"id":"a","total":7}`

func TestCaller(t *testing.T) {
	s := runtimetest.New(t, contract(t),
		runtimetest.Row{Method: "get", Params: `{"id":"b"}`, Error: &runtime.RemoteError{Code: 7, Message: "gone", Data: []byte(`{"since":"May"}`)}},
		runtimetest.Row{Method: "get", Params: ` { "id" : "c" } `, Error: &runtime.RemoteError{Code: 99}},
		runtimetest.Row{Method: "get", Result: invoice},
		runtimetest.Row{Method: "range", Result: `12`},
		runtimetest.Row{Method: "pay", Result: `true`},
		runtimetest.Row{Method: "ping", Result: `"pong"`},
	)
	c := s.Caller(runtime.Code)
	for _, row := range []struct {
		method, params, want string
		fails                string // part of the error
	}{
		{"get", `{"id":"a"}`, invoice, ""},
		{"get", `{"id":"b"}`, "", "error code 7"},
		{"get", `{"id":"c"}`, "", "error code 99"},
		{"range", `{"to":3,"from":1}`, "12", ""},
		{"range", `{"from":1}`, "12", ""},
		{"ping", ``, `"pong"`, ""},
		{"note", `{"id":"n"}`, "", ""},
		{"get", `{"id":7}`, "", "invalid_params"},
		{"undecided", ``, "", "unclassified"},
		{"pay", `{"id":"p"}`, "", "awaiting approval"},
	} {
		got, err := c.Do(t.Context(), row.method, []byte(row.params))
		if string(got) != row.want || (err == nil) != (row.fails == "") || err != nil && !strings.Contains(err.Error(), row.fails) {
			t.Errorf("%s %s: got %s, %v, want %s %s", row.method, row.params, got, err, row.want, row.fails)
		}
	}
	want := `[{get {"id":"a"}} {get {"id":"b"}} {get {"id":"c"}} {range {"from":1,"to":3}} {range {"from":1}} {ping } {note {"id":"n"}}]`
	if got := fmt.Sprint(s.Calls()); got != want {
		t.Errorf("arrived: %s, want %s", got, want)
	}
}

// Decisions are those of the amendment, grants are those that are given.
func TestDecisions(t *testing.T) {
	s := runtimetest.New(t, contract(t), runtimetest.Row{Method: "pay", Result: `true`}, runtimetest.Row{Method: "ping", Result: `"pong"`})
	c := s.Caller(runtime.Agent)
	var pending *runtime.PendingError
	if _, err := c.Do(t.Context(), "pay", []byte(`{"id":"p"}`)); !errors.As(err, &pending) {
		t.Fatal(err)
	}
	if _, err := s.Registry().Decide(t.Context(), store.Decision{ID: pending.ID, By: "alice", Approve: true, ViewDigest: pending.ViewDigest}); err != nil {
		t.Fatal(err)
	}
	for want := range 2 {
		_, err := c.Do(t.Context(), "pay", []byte(`{"id":"p"}`), runtime.WithApproval(pending.ID))
		if (err == nil) != (want == 0) {
			t.Errorf("the approval is spent %d times: %v", want+1, err)
		}
	}
	reader := s.Caller(runtime.Code, runtime.Grant{Resource: "jsonrpc:billing:ping", Rights: []effect.Right{effect.RightRead}})
	if _, err := reader.Do(t.Context(), "ping", nil); err != nil {
		t.Error(err)
	}
	if _, err := reader.Do(t.Context(), "pay", []byte(`{"id":"p"}`)); !errors.Is(err, runtime.ReasonUnknown) {
		t.Errorf("without a grant: %v", err)
	}
	if n := len(s.Calls()); n != 2 {
		t.Errorf("%d calls arrived, want 2", n)
	}
}

// Raw breaks what it likes, and the host sees what it would see.
func TestRaw(t *testing.T) {
	s := runtimetest.New(t, contract(t),
		runtimetest.Row{Method: "ping", Raw: func(w http.ResponseWriter, _ *http.Request, id []byte) {
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":7}`, id)
		}},
		runtimetest.Row{Method: "get", Raw: func(http.ResponseWriter, *http.Request, []byte) { panic(http.ErrAbortHandler) }},
	)
	for method, want := range map[string]outcome.Status{"ping": outcome.ContractViolation, "get": outcome.TransportError} {
		var end outcome.Outcome
		params := map[string]string{"get": `{"id":"a"}`}[method]
		if _, err := s.Caller(runtime.Code).Do(t.Context(), method, []byte(params), runtime.Into(&end)); err == nil || end.Status != want {
			t.Errorf("%s: %+v, %v, want %s", method, end, err, want)
		}
	}
}

// A host that builds its own registry reaches the Service with its own rules.
func TestBinding(t *testing.T) {
	c := contract(t)
	s := runtimetest.New(t, c, runtimetest.Row{Method: "ping", Result: `"pong"`})
	r := runtime.NewRegistry(runtime.Options{})
	defer r.Close()
	b := s.Binding()
	verdict := effect.Allow
	b.Rules = []runtime.Rule{{Name: "r", Version: "1", Decide: func(context.Context, runtime.Query) (runtime.Verdict, error) {
		return runtime.Verdict{Decision: verdict}, nil
	}}}
	if err := r.Register("staging", c, b); err != nil {
		t.Fatal(err)
	}
	caller, err := r.Caller("staging", runtime.Principal{Name: "x", Kind: runtime.Code, Grants: runtime.Full("staging")})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := caller.Do(t.Context(), "ping", nil); err != nil || string(got) != `"pong"` {
		t.Errorf("got %s, %v", got, err)
	}
	verdict = effect.Deny
	if _, err := caller.Do(t.Context(), "ping", nil); !errors.Is(err, runtime.ReasonDenied) {
		t.Errorf("denied: %v", err)
	}
}

// recorder is a testing.TB that keeps what it is told, for tests of what fails.
type recorder struct {
	testing.TB
	mu   sync.Mutex
	said []string
}

func (r *recorder) Helper() {}

func (r *recorder) Errorf(format string, values ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.said = append(r.said, fmt.Sprintf(format, values...))
}

func (r *recorder) Fatalf(format string, values ...any) {
	r.Errorf(format, values...)
	panic(r)
}

func TestTableRefuses(t *testing.T) {
	for name, row := range map[string]runtimetest.Row{
		"no such method":          {Method: "nowhere", Result: `true`},
		"params break the schema": {Method: "get", Params: `{"id":7}`, Result: invoice},
		"params of a bare method": {Method: "ping", Params: `{"id":7}`, Result: `"pong"`},
		"result breaks":           {Method: "get", Result: `{"id":"a"}`},
		"no JSON":                 {Method: "get", Result: `{`},
		"error data break":        {Method: "get", Error: &runtime.RemoteError{Code: 7, Data: []byte(`{"since":7}`)}},
		"no answer":               {Method: "get"},
		"two answers":             {Method: "get", Result: invoice, Error: &runtime.RemoteError{Code: 7}},
		"a result of a note":      {Method: "note", Result: `true`},
	} {
		tb := &recorder{TB: t}
		func() {
			defer func() {
				if recover() != any(tb) || len(tb.said) != 1 || !strings.Contains(tb.said[0], "row 1, method") {
					t.Errorf("%s: %q", name, tb.said)
				}
			}()
			runtimetest.New(tb, contract(t), row)
		}()
	}
}

// As a server of its own it fails the test for what no client of the contract
// sends, and for what no row is for.
func TestServerFinds(t *testing.T) {
	for body, want := range map[string]string{
		`{"jsonrpc":"2.0","id":1,"method":"get","params":{"id":"a"}}`:          "",
		`{"jsonrpc":"2.0","id":1,"method":"range","params":[1,2]}`:             "",
		`{"jsonrpc":"2.0","method":"note","params":{"id":"a"}}`:                "",
		`{"jsonrpc":"2.0","id":1,"method":"get","params":{"id":7}}`:            "the params of",
		`{"jsonrpc":"2.0","id":1,"method":"get","params":["a"]}`:               "the params of",
		`{"jsonrpc":"2.0","id":1,"method":"get"}`:                              "the params of",
		`{"jsonrpc":"2.0","id":1,"method":"get","params":{"id":"a","more":1}}`: "the params of",
		`{"jsonrpc":"2.0","id":1,"method":"range","params":{"from":1}}`:        "by position and came by name",
		`{"jsonrpc":"2.0","id":1,"method":"range","params":[1,2,3]}`:           "3 params came",
		`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":1}}`:            "takes none",
		`{"jsonrpc":"2.0","id":1,"method":"ping"}`:                             "no row answers",
		`{"jsonrpc":"2.0","id":1,"method":"nowhere"}`:                          "nowhere",
		`{"jsonrpc":"2.0","method":"get","params":{"id":"a"}}`:                 "has the id",
		`{"jsonrpc":"2.0","id":1,"method":"note","params":{"id":"a"}}`:         "has the id",
		`{"jsonrpc":"2.0","id":1,"id":2,"method":"get","params":{"id":"a"}}`:   "runtimetest",
		`{"jsonrpc":"1.0","id":1,"method":"get","params":{"id":"a"}}`:          "runtimetest",
		`[{"jsonrpc":"2.0","id":1,"method":"get","params":{"id":"a"}}]`:        "runtimetest",
	} {
		tb := &recorder{TB: t}
		s := runtimetest.New(tb, contract(t), runtimetest.Row{Method: "get", Result: invoice}, runtimetest.Row{Method: "range", Result: `1`})
		server := httptest.NewServer(s)
		response, err := http.Post(server.URL, "application/json", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(response.Body)
		response.Body.Close()
		server.Close()
		if err != nil || (len(tb.said) == 0) != (want == "") || want != "" && !strings.Contains(tb.said[0], want) {
			t.Errorf("%s: said %q, %v, want %q", body, tb.said, err, want)
		}
		if want == "" != (len(got) == 0 || strings.Contains(string(got), `"result"`)) {
			t.Errorf("%s: answered %s", body, got)
		}
	}
}

// ExampleNew tests a host against a table; in a test, tb is its *testing.T.
func ExampleNew() {
	var tb testing.TB = exampleTB{}
	service := runtimetest.New(tb, contract(tb),
		runtimetest.Row{Method: "get", Params: `{"id":"inv_1"}`, Result: `{"id":"inv_1","total":1250}`},
	)
	caller := service.Caller(runtime.Code) // billing.NewClient(caller) makes the typed client
	invoice, err := caller.Do(context.Background(), "get", []byte(`{"id":"inv_1"}`))
	fmt.Println(string(invoice), err)
	_, err = caller.Do(context.Background(), "undecided", nil)
	fmt.Println(err)
	fmt.Println(service.Calls())
	// Output:
	// {"id":"inv_1","total":1250} <nil>
	// billing undecided: refused: unclassified: the amendment does not decide about it (run "rpcgen review billing undecided")
	// [{get {"id":"inv_1"}}]
}

// exampleTB stands for a test in the example.
type exampleTB struct{ testing.TB }

func (exampleTB) Helper()                   {}
func (exampleTB) Cleanup(func())            {}
func (exampleTB) Fatalf(f string, v ...any) { fmt.Fprintf(os.Stdout, f, v...) }
func (exampleTB) Errorf(f string, v ...any) { fmt.Fprintf(os.Stdout, f, v...) }

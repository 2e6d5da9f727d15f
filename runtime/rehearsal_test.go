package runtime_test

import (
	"context"
	"errors"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/openrpc-go/rpcgen/runtime"
	"github.com/openrpc-go/rpcgen/runtime/compiled"
	"github.com/openrpc-go/rpcgen/runtime/effect"
	"github.com/openrpc-go/rpcgen/runtime/schema"
)

// player is a client as it is generated, and what may be wrong with it.
type player struct {
	caller *runtime.Caller
	source *runtime.Source
	twice  bool
}

type playParams struct {
	ID   int64   `json:"id"`
	Note *string `json:"note,omitzero"`
}

type played struct {
	ID    int64                 `json:"id"`
	Extra map[string]schema.Raw `json:",inline"`
}

func (c *player) Get(ctx context.Context, p playParams, opts ...runtime.CallOption) (played, error) {
	if c.twice {
		_, _ = runtime.Call[played](ctx, c.caller, c.source.Method("get"), p, opts...)
	}
	return runtime.Call[played](ctx, c.caller, c.source.Method("get"), p, opts...)
}

func (c *player) Forge(context.Context, playParams, ...runtime.CallOption) (played, error) {
	return played{ID: 1}, nil
}

func (c *player) Lost(ctx context.Context, p playParams, opts ...runtime.CallOption) (played, error) {
	p.Note = nil
	got, err := c.Get(ctx, p, opts...)
	return got, err
}

func (c *player) Other(ctx context.Context, _ playParams, opts ...runtime.CallOption) (played, error) {
	return runtime.Call[played](ctx, c.caller, c.source.Method("ping"), runtime.NoParams{}, opts...)
}

func (c *player) Ping(ctx context.Context, opts ...runtime.CallOption) (played, error) {
	return runtime.Call[played](ctx, c.caller, c.source.Method("ping"), runtime.NoParams{}, opts...)
}

func (c *player) Tell(ctx context.Context, p playParams, opts ...runtime.CallOption) error {
	return runtime.Notify(ctx, c.caller, c.source.Method("tell"), p, opts...)
}

// stage is a contract of three methods: get by position, ping without params,
// and tell without a result.
func stage(t *testing.T, authority func(*compiled.Authority)) *runtime.Source {
	t.Helper()
	text, number := &schema.Node{ID: "T", Types: schema.TypeString}, &schema.Node{ID: "N", Types: schema.TypeInteger}
	params := &schema.Node{ID: "P", Types: schema.TypeObject, Object: &schema.ObjectRules{
		Properties: []schema.Property{{Name: "id", Required: true, Node: number}, {Name: "note", Node: text}},
		Additional: &schema.Node{ID: "P/*", Never: true},
	}}
	result := &schema.Node{ID: "R", Types: schema.TypeObject, Object: &schema.ObjectRules{Properties: []schema.Property{{Name: "id", Required: true, Node: number}}}}
	open := compiled.Authority{
		State: compiled.Open, Effect: effect.Read, Right: effect.RightRead, Code: effect.Allow, Agents: effect.Deny, Until: "2020-01-01",
		Flow: effect.Flow{Sends: effect.Secret, Returns: effect.Secret}, Notify: true,
	}
	authority(&open)
	declared := []compiled.Param{{Name: "id", Required: true}, {Name: "note"}}
	c := &compiled.Contract{Header: compiled.Header{ID: "stage", Protocol: "jsonrpc"}, Methods: []*compiled.Method{
		{Name: "get", ID: "get", Positional: true, Params: declared, ParamsNode: params, ResultNode: result, Authority: open},
		{Name: "ping", ID: "ping", ResultNode: result, Authority: open},
		{Name: "tell", ID: "tell", Params: declared, ParamsNode: params, Notification: true, Authority: open},
	}}
	b, err := compiled.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	return runtime.Embedded(string(b), compiled.Digest(b))
}

// play plays one example; "" is success.
func play(t *testing.T, s *runtime.Source, twice bool, x runtime.Example[*player]) string {
	t.Helper()
	rehearsal := runtime.NewRehearsal(s, func(c *runtime.Caller) (*player, error) { return &player{c, s, twice}, s.Fits(c) })
	server := httptest.NewServer(rehearsal)
	defer server.Close()
	if err := rehearsal.Play(t.Context(), server.URL, x); err != nil {
		return err.Error()
	}
	return ""
}

func TestRehearsal(t *testing.T) {
	asIs := func(*compiled.Authority) {}
	closed := func(a *compiled.Authority) { *a = compiled.Authority{State: compiled.Undecided} }
	get, ping, tell := runtime.Plays((*player).Get), runtime.PlaysBare((*player).Ping), runtime.PlaysNotice((*player).Tell)
	good := runtime.Example[*player]{Method: "get", Call: get, Params: `{"id":1,"note":"x"}`, Wire: `[1,"x"]`, Result: `{"id":1}`}
	with := func(change func(*runtime.Example[*player])) runtime.Example[*player] {
		x := good
		change(&x)
		return x
	}
	rows := []struct {
		name      string
		authority func(*compiled.Authority)
		twice     bool
		x         runtime.Example[*player]
		want      string // part of the fault
	}{
		{"fits, long after the entry expired", asIs, false, good, ""},
		{"spelled otherwise", asIs, false, with(func(x *runtime.Example[*player]) { x.Result = ` {"id": 1.0} ` }), ""},
		{"no params", asIs, false, runtime.Example[*player]{Method: "ping", Call: ping, Result: `{"id":1}`}, ""},
		{"notification", asIs, false, runtime.Example[*player]{Method: "tell", Call: tell, Params: `{"id":1}`, Wire: `{"id":1}`}, ""},
		{"closed", closed, false, good, ""},
		{"asks", func(a *compiled.Authority) { a.Code = effect.Ask }, false, good, ""},
		{"denied", func(a *compiled.Authority) { a.Code = effect.Deny }, false, good, ""},
		{"key missing", func(a *compiled.Authority) { a.IdempotencyKey = "/note" }, false, with(func(x *runtime.Example[*player]) { x.Params, x.Wire = `{"id":1}`, `[1]` }), ""},
		{"members nobody declared", asIs, false, with(func(x *runtime.Example[*player]) { x.Result, x.Loose = `{"id":1,"new":[1]}`, true }), ""},

		{"members nobody declared, and said to be", asIs, false, with(func(x *runtime.Example[*player]) { x.Result = `{"id":1,"new":1}` }), "the result comes back"},
		{"another result", asIs, false, with(func(x *runtime.Example[*player]) { x.Call = runtime.Plays((*player).Forge) }), "0 requests"},
		{"a param lost", asIs, false, with(func(x *runtime.Example[*player]) { x.Call = runtime.Plays((*player).Lost) }), `the params arrive as [1], not as [1,"x"]`},
		{"loose params are no other params", asIs, false, with(func(x *runtime.Example[*player]) { x.Wire, x.Loose = `[2,"x"]`, true }), "the params arrive"},
		{"another method", asIs, false, with(func(x *runtime.Example[*player]) { x.Call = runtime.Plays((*player).Other) }), `calls "ping", not "get"`},
		{"two requests", asIs, true, good, "2 requests"},
		{"result that breaks its schema", asIs, false, with(func(x *runtime.Example[*player]) { x.Result = `{"id":"1"}` }), "contract_violation"},
		{"params that break their schema", asIs, false, with(func(x *runtime.Example[*player]) { x.Params = `{"id":"1"}` }), "integer"},
		{"closed, and the client answers", closed, false, with(func(x *runtime.Example[*player]) { x.Call = runtime.Plays((*player).Forge) }), "closed and was called"},
		{"no such method", asIs, false, with(func(x *runtime.Example[*player]) { x.Method = "none" }), "no method"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			got := play(t, stage(t, row.authority), row.twice, row.x)
			if row.want == "" && got != "" || row.want != "" && !strings.Contains(got, row.want) {
				t.Errorf("Play: %q, want %q", got, row.want)
			}
		})
	}
}

func TestRehearsalOfABrokenClient(t *testing.T) {
	s := stage(t, func(*compiled.Authority) {})
	rehearsal := runtime.NewRehearsal(s, func(*runtime.Caller) (*player, error) { return nil, errors.New("no client") })
	err := rehearsal.Play(t.Context(), "http://127.0.0.1:1/", runtime.Example[*player]{Method: "get"})
	if err == nil || err.Error() != "no client" {
		t.Errorf("Play: %v", err)
	}
}

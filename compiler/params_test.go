package compiler_test

import (
	"context"
	"errors"
	"testing"

	"github.com/openrpc-go/rpcgen/runtime"
	"github.com/openrpc-go/rpcgen/runtime/schema"
)

// three are params of which the first is required and the second may be null.
var three = param("a", `{"type":"integer"}`, `,"required":true`) + "," + param("b", `{"type":["integer","null"]}`, ``) + "," + param("c", `{"type":"string"}`, ``)

// two are optional params.
var two = param("a", `{"type":"integer"}`, ``) + "," + param("b", `{"type":"string"}`, ``)

// TestParamsOnTheWire pins what travels for each way of params, whatever the
// caller gives by name. "refused" sends nothing; "" sends a request without params.
func TestParamsOnTheWire(t *testing.T) {
	const refused = "refused"
	rows := []struct {
		name, params, structure string
		entry                   string // further members of the amendment's entry
		sent                    map[string]string
	}{
		{"none declared", ``, ``, ``, map[string]string{``: ``, `{}`: ``, `null`: ``, `{"a":1}`: refused, `[]`: refused}},
		{"none declared, empty", ``, ``, `, params: empty`, map[string]string{``: `{}`, `{}`: `{}`}},
		{"none declared, by position, empty", ``, `by-position`, `, params: empty`, map[string]string{``: `[]`}},
		{"none declared, omit", ``, `by-position`, `, params: omit`, map[string]string{``: ``}},

		{"by name", three, `by-name`, ``, map[string]string{
			`{"a":1}`: `{"a":1}`, `{"c":"x","a":1}`: `{"a":1,"c":"x"}`, `{"a":1,"b":null}`: `{"a":1,"b":null}`,
			`{"b":1}`: refused, ``: refused, `{"a":null}`: refused, `{"a":1,"c":null}`: refused, `{"a":1,"d":1}`: refused, `[1]`: refused, `{"A":1}`: refused,
		}},
		{"either", three, `either`, ``, map[string]string{`{"a":1}`: `{"a":1}`, `{"a":1,"c":"x"}`: `{"a":1,"c":"x"}`}},
		{"by position", three, `by-position`, ``, map[string]string{
			`{"a":1}`: `[1]`, `{"b":2,"a":1}`: `[1,2]`, `{"a":1,"b":null,"c":"x"}`: `[1,null,"x"]`, `{"a":1,"b":null}`: `[1,null]`,
			`{"a":1,"c":"x"}`: refused, `{"a":1,"c":null}`: refused, `{}`: refused,
		}},
		{"all optional, by name", two, `by-name`, ``, map[string]string{`{}`: ``, ``: ``, `{"b":"x"}`: `{"b":"x"}`}},
		{"all optional, by name, empty", two, `by-name`, `, params: empty`, map[string]string{`{}`: `{}`, ``: `{}`, `{"b":"x"}`: `{"b":"x"}`}},
		{"all optional, by position", two, `by-position`, ``, map[string]string{`{}`: ``, `{"a":1}`: `[1]`, `{"b":"x"}`: refused}},
		{"all optional, by position, empty", two, `by-position`, `, params: empty`, map[string]string{`{}`: `[]`, `{"a":1}`: `[1]`, `{"b":"x"}`: refused}},
		{"structure of the amendment", three, ``, `, param_structure: by-position`, map[string]string{`{"a":1,"b":2}`: `[1,2]`}},
		{"no names", `{"schema":{"type":"integer"},"required":true},{"schema":{"type":"string"}}`, `by-position`, ``, map[string]string{
			`{"param1":1}`: `[1]`, `{"param1":1,"param2":"x"}`: `[1,"x"]`,
		}},
		{"names of any kind", param("x/y", `{"type":"integer"}`, ``) + "," + param("é \\\"", `{"type":"integer"}`, ``), `by-name`, ``, map[string]string{
			`{"x/y":1,"é \"":2}`: `{"x/y":1,"é \"":2}`,
		}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			more := ""
			if row.structure != "" {
				more = `,"paramStructure":"` + row.structure + `"`
			}
			c := openText(t, rpc(method("m", row.params, `true`, more)), map[string]string{"m": row.entry})
			c.refused()
			c.checks()
			e := c.serve(`1`)
			for given, want := range row.sent {
				before := len(e.requests)
				got, err := e.sent("m", given)
				var local *runtime.RefusedError
				switch {
				case want == refused && (!errors.As(err, &local) || len(e.requests) > before):
					t.Errorf("%s: %v and %d requests, want a refusal and none", given, err, len(e.requests)-before)
				case want != refused && (err != nil || len(e.requests) != before+1 || got != want):
					t.Errorf("%s is sent as %q, %v, want %q", given, got, err, want)
				}
			}
		})
	}
}

// TestTypedParamsOnTheWire: what a caller of the generated client leaves nil
// takes the same path.
func TestTypedParamsOnTheWire(t *testing.T) {
	type params struct {
		A int64                  `json:"a"`
		B schema.Nullable[int64] `json:"b,omitzero"`
		C *string                `json:"c,omitzero"`
	}
	c := openText(t, rpc(method("m", three, `true`, `,"paramStructure":"by-position"`)), nil)
	c.prints("A int64 `json:\"a\"`", "B schema.Nullable[int64] `json:\"b,omitzero\"`", "C *string `json:\"c,omitzero\"`")
	e := c.serve(`1`)
	call := func(p params) (string, error) {
		before := len(e.requests)
		_, err := runtime.Call[schema.Raw](context.Background(), e.caller, e.source.Method("m"), p)
		return e.last(before), err
	}
	for want, p := range map[string]params{
		`[0]`:        {},
		`[1,2]`:      {A: 1, B: schema.Value[int64](2)},
		`[1,null]`:   {A: 1, B: schema.NullOf[int64]()},
		`[1,0,"\""]`: {A: 1, B: schema.Value[int64](0), C: new("\"")},
	} {
		if got, err := call(p); err != nil || got != want {
			t.Errorf("%+v is sent as %s, %v, want %s", p, got, err, want)
		}
	}
	if got, err := call(params{A: 1, C: new("x")}); !errors.Is(err, runtime.ReasonInvalidParams) || got != "" {
		t.Errorf("a gap is sent as %s, %v, want a refusal", got, err)
	}
}

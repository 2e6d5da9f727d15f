package example_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/openrpc-go/rpcgen/compiler/internal/contract"
	"github.com/openrpc-go/rpcgen/compiler/internal/example"
	"github.com/openrpc-go/rpcgen/compiler/internal/openrpc"
	"github.com/openrpc-go/rpcgen/compiler/internal/reference"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
	"github.com/openrpc-go/rpcgen/compiler/schema"
)

// plays reads a document and returns what can be played of its examples.
func plays(t *testing.T, document string, empty bool) ([]example.Play, int) {
	t.Helper()
	f, err := source.Read("doc.json", []byte(document), source.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	refs := reference.New(f, reference.Options{})
	c, _ := openrpc.Read("doc", f, refs)
	g := schema.NewGraph(refs, c.Dialect)
	c = contract.Resolve(c, g)
	pairings, _ := example.Check(c, g, none, example.Bounds{})
	return example.Plays(c, g, pairings, func(int) bool { return empty })
}

func TestPlays(t *testing.T) {
	both := `{"name":"a","value":1},{"name":"b","value":"x"}`
	rows := []struct {
		name, document string
		empty          bool
		want           example.Play
	}{
		{"by name", method("by-name", ab, integer, pairing(both, `1`)), false, example.Play{Params: `{"a":1,"b":"x"}`, Wire: `{"a":1,"b":"x"}`, Result: `1`}},
		{"either", method("either", ab, integer, pairing(both, `1`)), false, example.Play{Params: `{"a":1,"b":"x"}`, Wire: `{"a":1,"b":"x"}`, Result: `1`}},
		{"by position", method("by-position", ab, integer, pairing(both, `1`)), false, example.Play{Params: `{"a":1,"b":"x"}`, Wire: `[1,"x"]`, Result: `1`}},
		{"no params", method("by-position", "", integer, pairing("", `1`)), false, example.Play{Result: `1`}},
		{"an empty array", method("by-position", "", integer, pairing("", `1`)), true, example.Play{Params: `{}`, Wire: `[]`, Result: `1`}},
		{"an empty object", method("by-name", "", integer, pairing("", `1`)), true, example.Play{Params: `{}`, Wire: `{}`, Result: `1`}},
		{"numbers as written", method("by-name", "", `{"name":"r","schema":{"type":"number"}}`, pairing("", `1.50e2`)), false, example.Play{Result: `1.50e2`}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			row.want.Name = "x"
			if got, left := plays(t, row.document, row.empty); len(got) != 1 || got[0] != row.want || left != 0 {
				t.Errorf("Plays: %+v and %d left, want %+v", got, left, row.want)
			}
		})
	}
}

func TestPlaysLeavesOut(t *testing.T) {
	rows := map[string]string{
		"does not fit":    pairing(`{"name":"a","value":1}`, `"one"`),
		"says no result":  `{"name":"x","params":[{"name":"a","value":1}]}`,
		"too long params": pairing(`{"name":"a","value":1},{"name":"b","value":"`+strings.Repeat("x", 61<<10)+`"}`, `1`),
	}
	for name, examples := range rows {
		if got, left := plays(t, method("by-name", ab, integer, examples), false); len(got) != 0 || left != 1 {
			t.Errorf("%s: Plays: %d and %d left, want it left out", name, len(got), left)
		}
	}
}

// TestPlaysLoose: only where members may come that no schema names.
func TestPlaysLoose(t *testing.T) {
	const a = `{"type":"object","properties":{"a":{"type":"integer"}}`
	rows := []struct {
		schema, value string
		loose         bool
	}{
		{a + `}`, `{"a":1}`, false},
		{a + `}`, `{"a":1,"b":1}`, true},
		{a + `,"additionalProperties":{"type":"integer"}}`, `{"a":1,"b":1}`, false},
		{a + `,"additionalProperties":true}`, `{"a":1,"b":{"c":1}}`, true},
		{`{"type":"array","items":` + a + `}}`, `[{"a":1},{"b":1}]`, true},
		{`{"type":"array","items":` + a + `}}`, `[{"a":1},{}]`, false},
		{`{"items":[` + a + `},{}]}`, `[{"a":1},{}]`, false},
		{`{"allOf":[` + a + `},{"properties":{"b":{}}}]}`, `{"a":1,"b":2}`, false},
		{`{"oneOf":[{"type":"null"},` + a + `}]}`, `{"a":1}`, false},
		{`{"anyOf":[{"type":"object","properties":{"b":{}},"required":["b"]},` + a + `}]}`, `{"a":1}`, true},
		{`true`, `1`, false},
	}
	for _, row := range rows {
		got, _ := plays(t, method("by-name", "", `{"name":"r","schema":`+row.schema+`}`, pairing("", row.value)), false)
		if len(got) != 1 || got[0].Loose != row.loose {
			t.Errorf("%s of %s: %s, want loose %v", row.value, row.schema, fmt.Sprint(got), row.loose)
		}
	}
}

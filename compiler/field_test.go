package compiler_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/openrpc-go/rpcgen/runtime"
	"github.com/openrpc-go/rpcgen/runtime/schema"
)

// Faults that users of other generators and clients reported in public, one
// test for each row that must be right from the start, named after the row.
// Rows about OpenAPI documents and about tools for agents are not here.

// R001: one name for a schema, a content descriptor, an error and a method.
func TestR001OneNameManyThings(t *testing.T) {
	document := versioned("1.2.6", `{
		"schemas":{"Limit":{"type":"object","properties":{"n":{"type":"integer"}}}},
		"contentDescriptors":{"Limit":`+param("Limit", `{"$ref":"#/components/schemas/Limit"}`, ``)+`},
		"errors":{"Limit":{"code":7,"message":"Limit","data":{"$ref":"#/components/schemas/Limit"}}}}`,
		method("Limit", `{"$ref":"#/components/contentDescriptors/Limit"}`, `{"title":"Limit","type":"object","properties":{"s":{"type":"string"}}}`,
			`,"errors":[{"$ref":"#/components/errors/Limit"}]`))
	c := compileText(t, document)
	c.refused()
	c.prints("type Limit struct { N *int64 `json:\"n,omitzero\"`", "Limit *Limit `json:\"Limit,omitzero\"`", "func (c *Client) Limit(")
	c.checks()
}

// R002: a schema called as the generator would call a type of its own.
func TestR002InventedNamesYield(t *testing.T) {
	c := compileText(t, rpcWith(`{"CreateWidgetParams":{"type":"object","properties":{"doc":{"type":"string"}}},"CreateWidgetResult":{"type":"object","properties":{"doc":{"type":"string"}}}}`,
		method("createWidget", param("of", `{"$ref":"#/components/schemas/CreateWidgetParams"}`, ``), `{"type":"object","properties":{"made":{"$ref":"#/components/schemas/CreateWidgetResult"}}}`, ``)))
	c.refused()
	c.prints("type CreateWidgetParams struct { Doc *string", "type CreateWidgetResult struct { Doc *string")
	c.checks()
	var yielded []string
	for _, r := range c.Package.Renamed {
		yielded = append(yielded, r.Wanted)
	}
	if !slices.Contains(yielded, "CreateWidgetParams") || !slices.Contains(yielded, "CreateWidgetResult") {
		t.Errorf("renamed %+v, want the names that were invented", c.Package.Renamed)
	}
}

// R004: names that fold to one Go identifier.
func TestR004FoldedNames(t *testing.T) {
	const component = `:{"type":"object","properties":{"a":{"type":"string"}}}`
	names := []string{"employee_id", "employeeId", "EmployeeID"}
	var refs []string
	for i, n := range names {
		refs = append(refs, param("p"+string(rune('a'+i)), `{"$ref":"#/components/schemas/`+n+`"}`, ``))
	}
	var types [2]string
	for i := range types {
		slices.Reverse(names)
		c := compileText(t, rpcWith(`{"`+strings.Join(names, `"`+component+`,"`)+`"`+component+`}`, method("m", strings.Join(refs, ","), `true`, ``)))
		c.refused()
		c.checks()
		for _, f := range rendered(t, c.Compilation) {
			if f.Name == "types.go" {
				types[i] = string(f.Data)
			}
		}
	}
	if types[0] != types[1] || strings.Count(types[0], "\ntype ") != 3 {
		t.Errorf("three components in one order give\n%s\nand in the other\n%s", types[0], types[1])
	}
	methods := openText(t, rpc(method("get_user", ``, `true`, ``), method("getUser", ``, `true`, ``)), map[string]string{"get_user": ", go_name: FetchUser"})
	methods.prints("func (c *Client) FetchUser(", "func (c *Client) GetUser(")
	methods.checks()
}

// R005: components called like what a generated package or the runtime exports.
func TestR005SupportNames(t *testing.T) {
	names := []string{"Client", "NewClient", "Contract", "Error", "Transport", "Option", "Caller", "Registry", "Nullable", "Raw", "string", "context", "runtime", "schema"}
	var components, params []string
	for i, n := range names {
		components = append(components, `"`+n+`":{"type":"object","properties":{"a":{"type":"string"}}}`)
		params = append(params, param("p"+string(rune('a'+i)), `{"$ref":"#/components/schemas/`+n+`"}`, ``))
	}
	c := compileText(t, rpcWith("{"+strings.Join(components, ",")+"}", method("m", strings.Join(params, ","), `true`, ``)))
	c.refused()
	c.checks()
}

// R006: params called like keywords and predeclared identifiers of Go.
func TestR006Keywords(t *testing.T) {
	names := []string{"type", "func", "range", "map", "select", "package", "string", "nil", "len", "error", "any"}
	var params, object []string
	for _, n := range names {
		params = append(params, param(n, `{"type":"string"}`, ``))
		object = append(object, `"`+n+`":"x"`)
	}
	c := openText(t, rpc(method("m", strings.Join(params, ","), `true`, ``), method("select", ``, `true`, ``)), nil)
	c.checks()
	for _, n := range names {
		c.prints("`json:\"" + n + ",omitzero\"`")
	}
	slices.Sort(object)
	want := "{" + strings.Join(object, ",") + "}"
	if got, err := c.serve(`1`).sent("m", want); err != nil || got != want {
		t.Errorf("sent %s, %v, want %s", got, err, want)
	}
}

// R007: params called like packages and variables of the generated code.
func TestR007Shadowing(t *testing.T) {
	names := []string{"url", "context", "json", "ctx", "err", "http", "opts", "p", "c", "runtime", "schema", "contract", "compiled", "caller"}
	var params []string
	for _, n := range names {
		params = append(params, param(n, `{"type":"string"}`, ``))
	}
	c := compileText(t, rpc(method("m", strings.Join(params, ","), `true`, ``), method("caller", ``, `true`, ``), method("contract", ``, `true`, ``)))
	c.refused()
	c.checks()
}

// quickly fails a test whose work takes longer than anybody waits.
func quickly(t *testing.T, what func()) {
	t.Helper()
	began := time.Now()
	what()
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("took %v", took)
	}
}

// R012: a tree.
func TestR012Tree(t *testing.T) {
	quickly(t, func() {
		c := compileText(t, rpcWith(`{"Node":{"type":"object","properties":{"children":{"type":"array","items":{"$ref":"#/components/schemas/Node"}}}}}`,
			method("m", ``, `{"$ref":"#/components/schemas/Node"}`, ``)))
		c.prints("type Node struct { Children []Node `json:\"children,omitzero\"`")
		c.checks()
	})
}

// R013: a type that requires itself is named; the process lives.
func TestR013RequiredSelf(t *testing.T) {
	quickly(t, func() {
		c := compileText(t, rpcWith(`{"Foo":{"type":"object","required":["foo"],"properties":{"foo":{"$ref":"#/components/schemas/Bar"}}},
			"Bar":{"type":"object","required":["bar"],"properties":{"bar":{"$ref":"#/components/schemas/Foo"}}}}`,
			method("m", ``, `{"$ref":"#/components/schemas/Foo"}`, ``), method("n", ``, `true`, ``)))
		c.refused("m")
		message := ""
		for _, d := range c.Diagnostics {
			message += d.Message
		}
		if !strings.Contains(message, "Foo") || !strings.Contains(message, "Bar") {
			t.Errorf("the findings do not name the cycle: %s", c.findings())
		}
	})
}

// R014: cycles through items, map values, allOf, oneOf, and over three types,
// from whichever of them one starts.
func TestR014Cycles(t *testing.T) {
	const schemas = `{
		"Items":{"type":"array","items":{"$ref":"#/components/schemas/Items"}},
		"Map":{"type":"object","additionalProperties":{"$ref":"#/components/schemas/Map"}},
		"All":{"allOf":[{"type":"object"},{"properties":{"x":{"$ref":"#/components/schemas/All"}}}]},
		"One":{"oneOf":[{"type":"string"},{"type":"object","properties":{"one":{"$ref":"#/components/schemas/One"}}}]},
		"A":{"type":"object","properties":{"b":{"$ref":"#/components/schemas/B"}}},
		"B":{"type":"object","properties":{"c":{"$ref":"#/components/schemas/C"}}},
		"C":{"type":"object","properties":{"a":{"$ref":"#/components/schemas/A"}}}}`
	methods := []string{}
	for _, name := range []string{"Items", "Map", "All", "One", "A", "B", "C"} {
		methods = append(methods, method("get"+name, ``, `{"$ref":"#/components/schemas/`+name+`"}`, ``))
	}
	var types [2]string
	quickly(t, func() {
		for i := range types {
			c := compileText(t, rpcWith(schemas, methods...))
			c.refused()
			c.checks()
			c.admits("getItems", []string{`[[],[[]]]`}, []string{`[1]`})
			c.admits("getOne", []string{`{"one":{"one":"x"}}`}, []string{`{"one":{"one":1}}`})
			c.admits("getC", []string{`{"a":{"b":{"c":{}}}}`}, []string{`{"a":{"b":{"c":1}}}`})
			for _, f := range rendered(t, c.Compilation) {
				if f.Name == "types.go" {
					types[i] = string(f.Data)
				}
			}
			slices.Reverse(methods)
		}
	})
	if types[0] != types[1] {
		t.Errorf("the types depend on where one starts:\n%s\n%s", types[0], types[1])
	}
}

// cells are the four kinds of member of an object, as they are generated.
type cells struct {
	Rs string                  `json:"rs"`
	Rn *string                 `json:"rn"`
	Os *string                 `json:"os,omitzero"`
	On schema.Nullable[string] `json:"on,omitzero"`
}

const cellsSchema = `{"type":"object","required":["rs","rn"],"additionalProperties":false,"properties":{"rs":{"type":"string"},"rn":{"type":["string","null"]},"os":{"type":"string"},"on":{"type":["string","null"]}}}`

// R016: required or not, nullable or not: four encodings that never change.
func TestR016FourCells(t *testing.T) {
	c := openText(t, rpcWith(`{"Cells":`+cellsSchema+`}`, method("m", param("v", `{"$ref":"#/components/schemas/Cells"}`, `,"required":true`), `true`, ``)), nil)
	c.prints("type Cells struct { Rs string `json:\"rs\"` Rn *string `json:\"rn\"` Os *string `json:\"os,omitzero\"` On schema.Nullable[string] `json:\"on,omitzero\"` }")
	e := c.serve(`1`)
	type params struct {
		V cells `json:"v"`
	}
	for _, row := range []struct {
		v    cells
		want string
	}{
		{cells{}, `{"v":{"rn":null,"rs":""}}`},
		{cells{Rn: new(string), Os: new(string), On: schema.Value("")}, `{"v":{"on":"","os":"","rn":"","rs":""}}`},
		{cells{On: schema.NullOf[string]()}, `{"v":{"on":null,"rn":null,"rs":""}}`},
	} {
		before := len(e.requests)
		_, err := runtime.Call[schema.Raw](context.Background(), e.caller, e.source.Method("m"), params{row.v})
		if got := e.last(before); err != nil || got != row.want {
			t.Errorf("%+v is sent as %s, %v, want %s", row.v, got, err, row.want)
		}
	}
}

// R017: a required member that may be null is null, and that is not absent.
func TestR017RequiredNull(t *testing.T) {
	c := compileText(t, rpcWith(`{"A":{"type":"object","required":["a"],"properties":{"a":{"type":["string","null"]}}}}`, method("m", ``, `{"$ref":"#/components/schemas/A"}`, ``)))
	c.prints("A *string `json:\"a\"`")
	c.admits("m", []string{`{"a":null}`, `{"a":"x"}`}, []string{`{}`})
	type a struct {
		A     *string               `json:"a"`
		Extra map[string]schema.Raw `json:",inline"`
	}
	if v := roundTrip[a](t, c.node("m", ""), `{"a":null}`, `{"a":null}`); v.A != nil {
		t.Errorf("null became %q", *v.A)
	}
}

// R018: an optional member can be false, 0 or empty without anybody's help.
func TestR018OptionalZero(t *testing.T) {
	const schemas = `{"Options":{"type":"object","additionalProperties":false,"properties":{"enabled":{"type":"boolean"},"count":{"type":"integer"},"name":{"type":"string"}}}}`
	c := compileText(t, rpcWith(schemas, method("m", ``, `{"$ref":"#/components/schemas/Options"}`, ``)))
	type options struct {
		Enabled *bool   `json:"enabled,omitzero"`
		Count   *int64  `json:"count,omitzero"`
		Name    *string `json:"name,omitzero"`
	}
	c.prints("type Options struct { Enabled *bool `json:\"enabled,omitzero\"` Count *int64 `json:\"count,omitzero\"` Name *string `json:\"name,omitzero\"` }")
	roundTrip[options](t, c.node("m", ""), `{"enabled":false,"count":0,"name":""}`, `{"enabled":false,"count":0,"name":""}`)
	roundTrip[options](t, c.node("m", ""), `{}`, `{}`)
}

package compiler_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/openrpc-go/rpcgen/runtime"
	"github.com/openrpc-go/rpcgen/runtime/compiled"
	"github.com/openrpc-go/rpcgen/runtime/schema"
)

// The traps that this kind of tool falls into; the numbers are those of the
// list that the project was planned with.

// Trap 1: the default of paramStructure depends on the document's version.
func TestTrap01DefaultParamStructure(t *testing.T) {
	for version, want := range map[string]string{
		"1.0.0": `["x"]`, "1.1.12": `["x"]`, "1.2.1": `["x"]`, "1.2.4": `["x"]`,
		"1.2.5": `{"a":"x"}`, "1.2.6": `{"a":"x"}`, "1.3.0": `{"a":"x"}`, "1.3.2": `{"a":"x"}`,
	} {
		document := versioned(version, `{}`, method("m", param("a", `{"type":"string"}`, `,"required":true`), `true`, ``))
		got, err := openText(t, document, nil).serve(`1`).sent("m", `{"a":"x"}`)
		if got != want || err != nil {
			t.Errorf("OpenRPC %s sends %s, %v, want %s", version, got, err, want)
		}
	}
}

// Trap 2: a method without result is a notification from 1.3 on, before that a
// fault of the document.
func TestTrap02MethodWithoutResult(t *testing.T) {
	const m = `{"name":"m","params":[]}`
	for _, version := range []string{"1.0.0", "1.2.6"} {
		c := compileText(t, versioned(version, `{}`, m))
		c.refused("m")
		c.reports("missing-result", "/methods/0")
	}
	document := versioned("1.3.0", `{}`, m)
	closed := openText(t, document, nil).serve(`1`)
	if _, err := closed.sent("m", ``); len(closed.requests) > 0 || err == nil {
		t.Errorf("a notification that nobody allowed sent %q, %v", closed.requests, err)
	}
	open := openText(t, document, map[string]string{"m": ", notification: allow"}).serve(`1`)
	if _, err := open.sent("m", ``); err != nil || len(open.requests) != 1 || open.requests[0] != `{"jsonrpc":"2.0","method":"m"}` {
		t.Errorf("the notification sent %q, %v, want a request without id", open.requests, err)
	}
}

// Trap 3: a required param after an optional one cannot be sent by position.
func TestTrap03OptionalBeforeRequired(t *testing.T) {
	params := param("a", `{}`, ``) + "," + param("b", `{}`, `,"required":true`)
	c := compileText(t, rpc(
		method("position", params, `true`, `,"paramStructure":"by-position"`),
		method("name", params, `true`, `,"paramStructure":"by-name"`),
		method("either", params, `true`, ``),
	))
	c.refused("position")
	got, err := openText(t, rpc(method("name", params, `true`, `,"paramStructure":"by-name"`)), nil).serve(`1`).sent("name", `{"b":1}`)
	if got != `{"b":1}` || err != nil {
		t.Errorf("by name: sent %s, %v", got, err)
	}
}

// Trap 4: leaving out one bad param would shift all later ones.
func TestTrap04OneBadParam(t *testing.T) {
	c := compileText(t, rpc(
		method("bad", param("a", `{}`, ``)+`,{"$ref":"#/components/contentDescriptors/None"},`+param("c", `{}`, ``), `true`, ``),
		method("worse", param("a", `{"$ref":"#/components/schemas/None"}`, ``)+","+param("c", `{}`, ``), `true`, ``),
		method("good", param("c", `{}`, ``), `true`, ``),
	))
	c.refused("bad", "worse")
	c.reports("dangling-reference", "/methods/0/params/1/$ref")
	c.reports("dangling-reference", "/methods/1/params/0/schema/$ref")
}

// Trap 5: beside $ref everything is ignored, or a required param turns optional.
func TestTrap05SiblingsOfRef(t *testing.T) {
	document := versioned("1.2.6", `{"contentDescriptors":{"A":`+param("a", `{"type":"string"}`, `,"required":true`)+`},"schemas":{"S":{"type":"string"}}}`,
		method("m", `{"$ref":"#/components/contentDescriptors/A","required":false}`, `{"$ref":"#/components/schemas/S","maxLength":1}`, ``))
	c := openText(t, document, nil)
	c.reports("ref-sibling", "/methods/0/params/0/required")
	if m := c.Sealed.Methods[0]; !m.Params[0].Required {
		t.Error("the param is optional")
	}
	c.admits("m", []string{`"longer"`}, []string{`1`})
	c.prints("A string `json:\"a\"`")
}

// Trap 6: references below references are resolved when the document is
// compiled, from the file they stand in.
func TestTrap06NestedReferences(t *testing.T) {
	deep := rpcWith(`{"A":{"properties":{"b":{"$ref":"#/components/schemas/B"}}},"B":{"items":{"$ref":"#/components/schemas/None"}}}`,
		method("m", ``, `{"$ref":"#/components/schemas/A"}`, ``), method("n", ``, `true`, ``))
	c := compileText(t, deep)
	c.refused("m")
	c.reports("dangling-reference", "/components/schemas/B/items/$ref")

	files := map[string]string{
		"doc.json":        rpc(method("m", ``, `{"$ref":"sub/outer.json"}`, ``)),
		"sub/outer.json":  `{"type":"object","properties":{"x":{"$ref":"inner.json#/defs/X"},"y":{"$ref":"#/properties/z"},"z":{"type":"boolean"}}}`,
		"sub/inner.json":  `{"defs":{"X":{"$ref":"#/defs/Y"},"Y":{"type":"integer"}}}`,
		"outer.json":      `{"type":"string"}`,
		"inner.json":      `{"defs":{"X":{"type":"string"}}}`,
		"definitions.txt": `not read`,
	}
	many := compileFiles(t, files, "")
	many.refused()
	many.admits("m", []string{`{"x":1,"y":true}`}, []string{`{"x":"1"}`, `{"y":1}`})
}

// Trap 7: pointers are percent-decoded first, then ~1, then ~0; steps into
// arrays are strict.
func TestTrap07Pointers(t *testing.T) {
	const schemas = `{"a/b":{"const":1},"a~b":{"const":2},"a%b":{"const":3},"":{"const":4},"~1":{"const":5},"a b":{"const":6},"{x}":{"const":7},
		"é":{"const":8},"List":{"allOf":[{"const":9},{}]},"/":{"const":10}}`
	good := map[string]int{
		"a~1b": 1, "a~0b": 2, "a%25b": 3, "": 4, "~01": 5, "a%20b": 6, "%7Bx%7D": 7, "%C3%A9": 8, "é": 8, "List/allOf/0": 9, "~1": 10,
		"a%2Fb": 0, // a slash is a slash, encoded or not
	}
	for token, want := range good {
		c := compileText(t, rpcWith(schemas, method("m", ``, `{"$ref":"#/components/schemas/`+token+`"}`, ``)))
		if want == 0 {
			c.refused("m")
			continue
		}
		c.refused()
		c.admits("m", []string{fmt.Sprint(want)}, []string{`0`})
	}
	for _, token := range []string{"List/allOf/00", "List/allOf/01", "List/allOf/-", "List/allOf/2", "List/allOf/+0", "a~2b", "a~", "%zz", "none"} {
		c := compileText(t, rpcWith(schemas, method("m", ``, `{"$ref":"#/components/schemas/`+token+`"}`, ``), method("n", ``, `true`, ``)))
		c.refused("m")
	}
}

// Trap 8: the schemas of OpenRPC are draft 7, whatever a library defaults to.
func TestTrap08DialectOfTheDocument(t *testing.T) {
	rows := []struct {
		schema    string
		good, bad []string
	}{
		{`{"items":[{"type":"integer"},{"type":"string"}],"additionalItems":false}`, []string{`[1,"a"]`, `[1]`}, []string{`["a"]`, `[1,"a",2]`}},
		{`{"type":"object","dependencies":{"a":["b"],"c":{"required":["d"]}}}`, []string{`{"a":1,"b":1}`, `{"c":1,"d":1}`}, []string{`{"a":1}`, `{"c":1}`}},
		{`{"definitions":{"X":{"type":"integer"}},"$ref":"#/definitions/X"}`, nil, nil},
		{`{"allOf":[{"$ref":"#/components/schemas/Held"}]}`, []string{`1`}, []string{`"x"`}},
		{`{"type":"string","format":"date-time"}`, []string{`"2026-01-01T00:00:00Z"`, `"yesterday"`}, []string{`1`}},
		{`{"type":"array","contains":{"const":1}}`, []string{`[1]`, `[0,1]`}, []string{`[]`, `[0]`}},
		{`{"if":{"const":1},"then":false}`, []string{`2`}, []string{`1`}},
	}
	for _, row := range rows {
		c := compileText(t, rpcWith(`{"Held":{"definitions":{"X":{"type":"integer"}},"allOf":[{"$ref":"#/components/schemas/Held/definitions/X"}]}}`,
			method("m", ``, row.schema, ``)))
		if row.good == nil { // a pointer from the document's root, not from the schema
			c.refused("m")
			continue
		}
		c.refused()
		c.admits("m", row.good, row.bad)
	}
}

// Trap 9: recursive types are legal; one that no finite value fits is reported.
func TestTrap09Recursion(t *testing.T) {
	c := compileText(t, rpcWith(`{
		"Tree":{"type":"object","required":["kids"],"properties":{"kids":{"type":"array","items":{"$ref":"#/components/schemas/Tree"}}}},
		"Chain":{"type":"object","properties":{"next":{"$ref":"#/components/schemas/Chain"}}},
		"Endless":{"type":"object","required":["self"],"properties":{"self":{"$ref":"#/components/schemas/Endless"}}}}`,
		method("tree", ``, `{"$ref":"#/components/schemas/Tree"}`, ``),
		method("chain", ``, `{"$ref":"#/components/schemas/Chain"}`, ``),
		method("endless", ``, `{"$ref":"#/components/schemas/Endless"}`, ``)))
	c.refused("endless")
	c.prints("Kids []Tree `json:\"kids\"`", "Next *Chain `json:\"next,omitzero\"`")
	c.checks()
	c.admits("tree", []string{`{"kids":[{"kids":[]}]}`}, []string{`{"kids":[{}]}`})
}

// optionals are the params of a method as they are generated.
type optionals struct {
	Flag  *bool    `json:"flag,omitzero"`
	Count *int64   `json:"count,omitzero"`
	Name  *string  `json:"name,omitzero"`
	Tags  []string `json:"tags,omitzero"`
}

var optionalParams = param("flag", `{"type":"boolean","default":true}`, ``) + "," + param("count", `{"type":"integer","default":7}`, ``) + "," +
	param("name", `{"type":"string","default":"x"}`, ``) + "," + param("tags", `{"type":"array","items":{"type":"string"}}`, ``)

// Trap 53: false, 0 and "" are values, and an optional param can have them.
func TestTrap53ZeroValuesAreSent(t *testing.T) {
	c := openText(t, rpc(method("m", optionalParams, `true`, ``)), nil)
	c.prints("Flag *bool `json:\"flag,omitzero\"`", "Count *int64 `json:\"count,omitzero\"`", "Name *string `json:\"name,omitzero\"`", "Tags []string `json:\"tags,omitzero\"`")
	e := c.serve(`1`)
	_, err := runtime.Call[schema.Raw](context.Background(), e.caller, e.source.Method("m"), optionals{new(bool), new(int64), new(string), []string{}})
	if got := e.last(0); err != nil || got != `{"count":0,"flag":false,"name":"","tags":[]}` {
		t.Errorf("sent %s, %v", got, err)
	}
}

// Trap 54: a nil slice where the schema wants an array is [], a nil map {}.
func TestTrap54NilIsEmpty(t *testing.T) {
	type params struct {
		List []string         `json:"list"`
		Map  map[string]int64 `json:"map"`
	}
	c := openText(t, rpc(method("m", param("list", `{"type":"array","items":{"type":"string"}}`, `,"required":true`)+","+
		param("map", `{"type":"object","additionalProperties":{"type":"integer"}}`, `,"required":true`), `true`, ``)), nil)
	c.prints("List []string `json:\"list\"`", "Map map[string]int64 `json:\"map\"`")
	e := c.serve(`1`)
	_, err := runtime.Call[schema.Raw](context.Background(), e.caller, e.source.Method("m"), params{})
	if got := e.last(0); err != nil || got != `{"list":[],"map":{}}` {
		t.Errorf("sent %s, %v", got, err)
	}
}

// Trap 55: no character is written in another way for the sake of HTML.
func TestTrap55NoHTMLEscapes(t *testing.T) {
	type params struct {
		S string `json:"s"`
	}
	e := openText(t, rpc(method("m", param("s", `{"type":"string"}`, `,"required":true`), `{"type":"string"}`, ``)), nil).serve(`"<&>"`)
	got, err := runtime.Call[string](context.Background(), e.caller, e.source.Method("m"), params{"<a href='x'>&\u2028"})
	if want := "{\"s\":\"<a href='x'>&\u2028\"}"; err != nil || got != "<&>" || e.last(0) != want {
		t.Errorf("sent %s, want %s; read %q, %v", e.last(0), want, got, err)
	}
}

// Trap 56: members that the schema does not name are kept, and sent back where
// it declares that there may be any.
func TestTrap56AdditionalProperties(t *testing.T) {
	type open struct {
		A     int64                 `json:"a"`
		Extra map[string]schema.Raw `json:",inline"`
	}
	type closed struct {
		A int64 `json:"a"`
	}
	const a = `{"type":"object","required":["a"],"properties":{"a":{"type":"integer"}}`
	c := openText(t, rpcWith(`{"Declared":`+a+`,"additionalProperties":true},"Silent":`+a+`},"Closed":`+a+`,"additionalProperties":false},
		"Typed":`+a+`,"additionalProperties":{"type":"string"}},"Pattern":`+a+`,"patternProperties":{"^x-":{"type":"string"}},"additionalProperties":false}}`,
		method("declared", ``, `{"$ref":"#/components/schemas/Declared"}`, ``), method("silent", ``, `{"$ref":"#/components/schemas/Silent"}`, ``),
		method("closed", ``, `{"$ref":"#/components/schemas/Closed"}`, ``), method("typed", ``, `{"$ref":"#/components/schemas/Typed"}`, ``),
		method("pattern", ``, `{"$ref":"#/components/schemas/Pattern"}`, ``)), nil)
	c.prints("type Declared struct { A int64 `json:\"a\"` Extra map[string]schema.Raw `json:\",inline\"` }",
		"type Closed struct { A int64 `json:\"a\"` }", "type Typed struct { A int64 `json:\"a\"` Extra map[string]string `json:\",inline\"` }")
	c.admits("closed", nil, []string{`{"a":1,"b":2}`})
	c.admits("typed", []string{`{"a":1,"b":"2"}`}, []string{`{"a":1,"b":2}`})
	c.admits("pattern", []string{`{"a":1,"x-b":"2"}`}, []string{`{"a":1,"b":"2"}`, `{"a":1,"x-b":2}`})
	roundTrip[open](t, c.node("declared", ""), `{"a":1,"b":[2]}`, `{"a":1,"b":[2]}`)
	roundTrip[closed](t, c.node("closed", ""), `{"a":1}`, `{"a":1}`)
	if kept := roundTrip[open](t, c.node("silent", ""), `{"a":1,"b":[2]}`, `{"a":1}`); string(kept.Extra["b"]) != `[2]` {
		t.Errorf("a member that nobody declared was lost: %v", kept)
	}
}

// roundTrip decodes a value and encodes what came of it.
func roundTrip[T any](t *testing.T, n *schema.Node, in, want string) T {
	t.Helper()
	codec, err := schema.Bind[T](n, nil)
	if err != nil {
		t.Fatal(err)
	}
	v, err := codec.Decode([]byte(in))
	if err != nil {
		t.Fatalf("Decode(%s): %v", in, err)
	}
	out, err := codec.Encode(nil, &v)
	if err != nil || string(out) != want {
		t.Errorf("Encode of %s: %s, %v, want %s", in, out, err, want)
	}
	return v
}

// Trap 57: a default is the server's, not for the client to send.
func TestTrap57DefaultsAreNotSent(t *testing.T) {
	e := openText(t, rpc(method("m", optionalParams, `true`, ``)), nil).serve(`1`)
	if _, err := runtime.Call[schema.Raw](context.Background(), e.caller, e.source.Method("m"), optionals{}); err != nil {
		t.Fatal(err)
	}
	if got := e.requests[0]; strings.Contains(got, "params") {
		t.Errorf("sent %s, want no params", got)
	}
}

// Trap 58: names that Go, the generated package or each other have taken.
func TestTrap58Names(t *testing.T) {
	c := compileText(t, rpcWith(`{"String":{"type":"object","properties":{"Error":{"type":"string"},"type":{"type":"string"},"9lives":{"type":"string"},"userId":{"type":"string"},"user_id":{"type":"string"}}},
		"error":{"type":"object","properties":{"a":{"$ref":"#/components/schemas/String"}}},"Client":{"type":"object","properties":{"x":{"type":"string"}}}}`,
		method("func", param("range", `{"$ref":"#/components/schemas/error"}`, `,"required":true`)+","+param("context", `{"$ref":"#/components/schemas/Client"}`, ``), `{"$ref":"#/components/schemas/String"}`, ``),
		method("String", ``, `{"type":"string"}`, ``), method("Error", ``, `{"type":"string"}`, ``),
		method("9.to.5", ``, `{"type":"string"}`, ``), method("getURL", ``, `{"type":"string"}`, ``), method("get_url", ``, `{"type":"string"}`, ``)))
	c.refused()
	c.checks()
	seen := map[string]bool{}
	for _, m := range c.Sealed.Methods {
		if seen[m.GoName] || m.GoName == "" {
			t.Errorf("method %q is called %q in Go, as another is", m.Name, m.GoName)
		}
		seen[m.GoName] = true
	}
	if seen["String"] || seen["Error"] {
		t.Errorf("a client is no Stringer and no error: %v", seen)
	}
}

// Trap 59: nothing of the machine, the folder or the time is in the output.
func TestTrap59Deterministic(t *testing.T) {
	document := rpcWith(`{"A":{"type":"object","properties":{"b":{"type":"string"},"a":{"enum":["y","x"]}}},"B":{"oneOf":[{"type":"string"},{"$ref":"#/components/schemas/A"}]}}`,
		method("n", param("p", `{"$ref":"#/components/schemas/B"}`, ``), `{"$ref":"#/components/schemas/A"}`, ``), method("m", ``, `{"$ref":"#/components/schemas/B"}`, ``))
	first := rendered(t, compileText(t, document).Compilation)
	for range 10 {
		again := rendered(t, compileText(t, document).Compilation)
		for i, f := range again {
			if f.Name != first[i].Name || string(f.Data) != string(first[i].Data) {
				t.Fatalf("%s differs from one run to the next", f.Name)
			}
		}
	}
	for _, f := range first {
		if text := string(f.Data); strings.Contains(text, "2026") || strings.Contains(text, "/tmp") || strings.Contains(text, "doc.json") {
			t.Errorf("%s says when or where it was made", f.Name)
		}
	}
	if got := compiled.Digest(first[len(first)-1].Data); !strings.Contains(string(first[0].Data), got) {
		t.Errorf("client.go does not name the digest %s of contract.json", got)
	}
}

package plan_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/openrpc-go/rpcgen/compiler/internal/amendment"
	"github.com/openrpc-go/rpcgen/compiler/internal/contract"
	"github.com/openrpc-go/rpcgen/compiler/internal/openrpc"
	"github.com/openrpc-go/rpcgen/compiler/internal/plan"
	"github.com/openrpc-go/rpcgen/compiler/internal/reference"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
	"github.com/openrpc-go/rpcgen/compiler/schema"
	"github.com/openrpc-go/rpcgen/runtime/compiled"
	"github.com/openrpc-go/rpcgen/runtime/effect"
)

func built(t testing.TB, id, document string, authorities ...compiled.Authority) *plan.Package {
	t.Helper()
	file, err := source.Read(id+".json", []byte(document), source.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	set := reference.New(file, reference.Options{})
	c, faults := openrpc.Read(id, file, set)
	if c == nil {
		t.Fatal(faults)
	}
	g := schema.NewGraph(set, c.Dialect)
	c = contract.Resolve(c, g)
	var j *amendment.Joined
	if authorities != nil {
		j = &amendment.Joined{Authorities: authorities}
	}
	p, list := plan.Build(c, g, j, plan.Options{})
	if p == nil {
		t.Fatal(list)
	}
	return p
}

// one is a document of one method "m" whose result is schema, with components.
func one(schema, components string) string {
	return document(`{"name":"m","params":[],"result":{"name":"r","schema":`+schema+`}}`, components)
}

func document(methods, components string) string {
	return `{"openrpc":"1.3.2","info":{"title":"t","version":"1"},"methods":[` + methods + `],"components":{"schemas":{` + components + `}}}`
}

// show writes a Go type as source.
func show(t plan.Type) string {
	switch t := t.(type) {
	case plan.Basic:
		return string(t)
	case plan.Runtime:
		return "schema." + string(t)
	case plan.Empty:
		return "struct{}"
	case plan.Named:
		return t.Decl.Go
	case plan.Slice:
		return "[]" + show(t.Elem)
	case plan.Map:
		return "map[string]" + show(t.Elem)
	case plan.Pointer:
		return "*" + show(t.Elem)
	case plan.Nullable:
		return "schema.Nullable[" + show(t.Elem) + "]"
	default:
		return fmt.Sprintf("%T", t)
	}
}

// TestResultTypes is the table of type rules: a schema, its Go type where it is
// always there, and why it stays raw.
func TestResultTypes(t *testing.T) {
	const components = `"Hash":{"type":"string"},"Maybe":{"type":["string","null"]},"When":{"type":"string","format":"date-time"},
		"A":{"type":"object","properties":{"a":{"type":"string"}}},"B":{"type":"object","required":["b"],"properties":{"b":{"type":"string"}}},
		"Any":{},"List":{"type":"array","items":{"$ref":"#/components/schemas/A"}},"U":{"oneOf":[{"$ref":"#/components/schemas/A"},{"type":"string"}]},
		"Loop":{"allOf":[{"$ref":"#/components/schemas/Loop2"}]},"Loop2":{"properties":{"x":{"$ref":"#/components/schemas/Loop"}}}`
	ref := func(name string) string { return `{"$ref":"#/components/schemas/` + name + `"}` }
	tests := []struct {
		schema, want string
		raw          plan.Reason
	}{
		{`{"type":"string"}`, "string", ""},
		{`{"type":"boolean"}`, "bool", ""},
		{`{"type":"number"}`, "float64", ""},
		{`{"type":"null"}`, "schema.Null", ""},
		{`{"type":["string","null"]}`, "*string", ""},
		{`{"type":["array","null"],"items":{"type":"string"}}`, "schema.Nullable[[]string]", ""},
		{`{"type":"string","format":"date-time"}`, "schema.Time", ""},
		{`{"type":"string","format":"ipv4"}`, "string", ""},
		{`{"type":"string","contentEncoding":"base64"}`, "[]byte", ""},

		{`{"type":"integer"}`, "int64", ""},
		{`{"type":"integer","minimum":0}`, "int64", ""},
		{`{"type":"integer","minimum":0,"format":"uint64"}`, "uint64", ""},
		{`{"type":"integer","format":"uint64"}`, "uint64", ""},
		{`{"type":"integer","minimum":-1,"format":"uint64"}`, "int64", ""},
		{`{"type":"integer","minimum":0,"maximum":18446744073709551615}`, "uint64", ""},
		{`{"type":"integer","maximum":9223372036854775807}`, "int64", ""},
		{`{"type":"integer","maximum":9223372036854775808}`, "schema.Integer", ""},
		{`{"type":"integer","minimum":0,"maximum":18446744073709551616}`, "schema.Integer", ""},
		{`{"type":"integer","minimum":-9223372036854775809}`, "schema.Integer", ""},
		{`{"type":["integer","number"]}`, "float64", ""},

		{ref("Hash"), "Hash", ""}, {ref("Maybe"), "*Maybe", ""}, {ref("When"), "When", ""}, {ref("Any"), "Any", plan.ReasonAny}, {ref("List"), "List", ""},
		{`{"type":"array","items":` + ref("Hash") + `}`, "[]Hash", ""},
		{`{"type":"array","items":` + ref("Maybe") + `}`, "[]*Maybe", ""},
		{`{"type":"array"}`, "[]schema.Raw", ""},
		{`{"type":"object"}`, "map[string]schema.Raw", ""},
		{`{"type":"object","additionalProperties":{"type":"integer"}}`, "map[string]int64", ""},
		{`{"type":"object","patternProperties":{"^x":{"type":"integer"}},"additionalProperties":false}`, "map[string]int64", ""},
		{`{"type":"object","patternProperties":{"^x":{"type":"integer"}}}`, "map[string]schema.Raw", ""},
		{`{"type":"object","additionalProperties":false}`, "struct{}", ""},
		{`{"type":["object","null"],"additionalProperties":false}`, "*struct{}", ""},
		{`{"properties":{"a":{"type":"string"}}}`, "MResult", ""},
		{`{"items":{"type":"string"}}`, "[]string", ""},

		{`{"enum":["a","b"]}`, "MResult", ""},
		{`{"enum":["a",null]}`, "*MResult", ""},
		{`{"enum":[1,2]}`, "MResult", ""},
		{`{"enum":[1.5,2]}`, "float64", ""},
		{`{"enum":[true]}`, "bool", ""},
		{`{"enum":["a",1]}`, "schema.Raw", plan.ReasonEnum},
		{`{"enum":[{}]}`, "schema.Raw", plan.ReasonEnum},
		{`{"enum":[null]}`, "schema.Null", ""},

		{`{"oneOf":[{"type":"null"},` + ref("A") + `]}`, "*A", ""},
		{`{"anyOf":[` + ref("List") + `,{"type":"null"}]}`, "schema.Nullable[List]", ""},
		{`{"oneOf":[{"type":"string","pattern":"^a"},{"type":"string","pattern":"^b"}]}`, "string", ""},
		{`{"oneOf":[{"const":"x"},{"const":"y"}]}`, "MResult", ""},
		{`{"oneOf":[` + ref("A") + `,` + ref("B") + `]}`, "MResult", ""},
		{`{"oneOf":[` + ref("U") + `,{"type":"null"}]}`, "U", ""},
		{`{"oneOf":[` + ref("U") + `,{"type":"integer"}]}`, "MResult", ""},
		{`{"oneOf":[` + ref("A") + `]}`, "A", ""},
		{`{"anyOf":[` + ref("U") + `]}`, "U", ""},
		{`{"type":"object","properties":{"x":{"type":"string"}},"oneOf":[` + ref("A") + `]}`, "MResult", ""},
		{`{"oneOf":[{"type":"string"}]}`, "string", ""},
		{`{"oneOf":[` + ref("A") + `,` + ref("A") + `]}`, "schema.Raw", plan.ReasonUnion},
		{`{"oneOf":[` + ref("A") + `,{}]}`, "schema.Raw", plan.ReasonAny},
		{`{"type":["string","integer"]}`, "MResult", ""},
		{`{"type":["string","integer","null"]}`, "MResult", ""},
		{`{"type":["string","integer"],"format":"date-time"}`, "MResult", ""},
		{`{"type":["string","integer"],"allOf":[{"minLength":1},{"minimum":1}]}`, "schema.Raw", plan.ReasonKinds},
		{`{"oneOf":[{"type":["string","integer"]},` + ref("A") + `]}`, "MResult", ""},
		{`{"oneOf":[{"type":"string","format":"date-time"},{"type":"boolean"}]}`, "MResult", ""},
		{`{"additionalProperties":{"type":"string"}}`, "map[string]string", ""},
		{`{"additionalProperties":true}`, "schema.Raw", plan.ReasonAny},
		{`{"patternProperties":{"^x":` + ref("A") + `},"additionalProperties":false}`, "map[string]A", ""},
		{`{"pattern":"^0x"}`, "string", ""},
		{`{"format":"int64"}`, "schema.Raw", plan.ReasonAny},
		{`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"oneOf":[{"required":["a"]},{"required":["b"]}]}`, "MResult", ""},
		{`{"type":"object","properties":{"a":{"type":"string"}},"oneOf":[{"properties":{"x":{"type":"string"}}},{"properties":{"y":{"type":"string"}}}]}`, "MResult", ""},
		{`{"oneOf":[` + ref("A") + `,` + ref("B") + `],"anyOf":[` + ref("U") + `,{"properties":{"z":{}}}]}`, "schema.Raw", plan.ReasonAllOf},

		{`{"allOf":[` + ref("Hash") + `]}`, "Hash", ""},
		{`{"allOf":[` + ref("A") + `,` + ref("B") + `]}`, "MResult", ""},
		{`{"allOf":[` + ref("Hash") + `,` + ref("A") + `]}`, "schema.Raw", plan.ReasonNever},
		{ref("Loop"), "Loop2", ""},
		{`{}`, "schema.Raw", plan.ReasonAny},
		{`{"type":"array","items":[{"type":"string"},{"type":"integer"}]}`, "MResult", ""},
		{`{"type":"array","items":[{"type":"string"},{"type":"integer"}],"additionalItems":{"type":"boolean"}}`, "MResult", ""},
		{`{"type":"array","items":[{"type":"string"}],"additionalItems":{"type":"integer"}}`, "MResult", ""},
		{`{"type":"array","items":[{"type":"number"},{"type":"number"}]}`, "[]float64", ""},
		{`{"type":"array","items":[` + ref("A") + `]}`, "[]A", ""},
		{`{"type":"array","items":[` + ref("A") + `,` + ref("A") + `]}`, "[]A", ""},
		{`{"type":"array","items":[` + ref("A") + `,` + ref("B") + `]}`, "MResult", ""},
		{`{"type":"array","items":[` + ref("A") + `],"additionalItems":false}`, "[]A", ""},
	}
	for _, test := range tests {
		p := built(t, "t", one(test.schema, components))
		if len(p.Methods) != 1 {
			t.Errorf("%s: the method is not planned: %v", test.schema, p.Unplanned)
			continue
		}
		if got := show(p.Methods[0].Result); got != test.want {
			t.Errorf("%s becomes %s, want %s", test.schema, got, test.want)
		}
		var reason plan.Reason
		if len(p.Sites.Raw) > 0 {
			reason = p.Sites.Raw[0].Reason
		}
		if reason != test.raw {
			t.Errorf("%s stays raw because %q, want %q", test.schema, reason, test.raw)
		}
	}
}

// TestTupleFields: an array of unlike elements is a struct, a field for each.
func TestTupleFields(t *testing.T) {
	const components = `"A":{"type":"object","properties":{"a":{"type":"string"}}},"Hash":{"type":"string"}`
	tests := []struct{ schema, want string }{
		{`{"type":"array","items":[{"$ref":"#/components/schemas/A"},{"type":"integer"}],"minItems":1,"additionalItems":false}`, "A A 0; Item1 *int64 1"},
		{`{"type":"array","items":[{"title":"the amount","type":"number"},{"type":["string","null"]}],"minItems":2,"maxItems":2}`, "TheAmount float64 0; Item1 *string 1"},
		{`{"type":"array","items":[{"$ref":"#/components/schemas/Hash"},{"$ref":"#/components/schemas/Hash"},{"type":"boolean"}],"minItems":3}`,
			"Hash Hash 0; Item1 Hash 1; Item2 bool 2; Extra []schema.Raw"},
		{`{"type":"array","items":[{"title":"Extra","type":"string"},{"const":7},{"type":["integer","null"]}],"minItems":2,"additionalItems":{"$ref":"#/components/schemas/A"}}`,
			"Extra string 0; Item2 schema.Nullable[int64] 2; ExtraItems []A"},
	}
	for _, test := range tests {
		p := built(t, "t", one(test.schema, components))
		d := p.Methods[0].Result.(plan.Named).Decl
		var fields []string
		for _, f := range d.Fields {
			fields = append(fields, strings.TrimSpace(f.Go+" "+show(f.Type)+" "+f.Wire))
		}
		if got := strings.Join(fields, "; "); got != test.want {
			t.Errorf("%s has the fields %s, want %s", test.schema, got, test.want)
		}
	}
}

// TestVariantFields: the variants of a union are structs of what the document
// says beside it and in the branch; unions among the branches are taken apart.
func TestVariantFields(t *testing.T) {
	const components = `"A":{"type":"object","required":["a"],"properties":{"a":{"type":"string"}}},"B":{"type":"object","required":["b"],"properties":{"b":{"type":"string"}}},
		"U":{"oneOf":[{"$ref":"#/components/schemas/A"},{"$ref":"#/components/schemas/B"}]},
		"X":{"type":"object","required":["x"],"properties":{"x":{"type":"integer"}}},
		"C":{"type":"object","required":["c"],"properties":{"c":{"type":"string"}}}`
	ref := func(name string) string { return `{"$ref":"#/components/schemas/` + name + `"}` }
	tests := []struct{ schema, want string }{
		{`{"allOf":[` + ref("X") + `,` + ref("U") + `]}`, "MResultA: X int64, A string, Extra; MResultB: X int64, B string, Extra"},
		{`{"type":"object","properties":{"x":{"type":"integer"}},"oneOf":[` + ref("A") + `,{"title":"the other","properties":{"z":{"type":"string"}}}]}`,
			"MResultA: X *int64, A string, Extra; MResultTheOther: X *int64, Z *string, Extra"},
		{`{"oneOf":[` + ref("C") + `,` + ref("U") + `]}`, "C: C string, Extra; A: A string, Extra; B: B string, Extra"},
		{`{"allOf":[` + ref("X") + `,{"oneOf":[` + ref("C") + `,` + ref("U") + `]}]}`,
			"MResultC: X int64, C string, Extra; MResultA: X int64, A string, Extra; MResultB: X int64, B string, Extra"},
	}
	for _, test := range tests {
		p := built(t, "t", one(test.schema, components))
		fields := map[string]string{}
		for _, f := range p.Files {
			for _, d := range f.Types {
				var list []string
				for _, field := range d.Fields {
					if field.Extra {
						list = append(list, "Extra")
					} else {
						list = append(list, field.Go+" "+show(field.Type))
					}
				}
				fields[d.Go] = d.Go + ": " + strings.Join(list, ", ")
			}
		}
		var got []string
		for _, u := range p.Unions {
			for _, v := range u.Variants {
				got = append(got, fields[v.Go])
			}
		}
		if got := strings.Join(got, "; "); len(p.Unions) != 1 || got != test.want {
			t.Errorf("%s has the variants %s, want %s", test.schema, got, test.want)
		}
	}
}

// TestVariantNames: a variant is named after its union and its title, once where
// both say the same, and never like another type.
func TestVariantNames(t *testing.T) {
	const components = `"Filter":{"oneOf":[
		{"title":"Filter by hash","type":"object","required":["a"],"properties":{"a":{"type":"string"}},"additionalProperties":false},
		{"title":"Filters","type":"object","required":["b"],"properties":{"b":{"type":"string"}},"additionalProperties":false},
		{"title":"Filter","type":"object","required":["c"],"properties":{"c":{"type":"string"}},"additionalProperties":false},
		{"title":"Filter taken","type":"object","required":["d"],"properties":{"d":{"type":"string"}},"additionalProperties":false}]},
		"FilterTaken":{"type":"object","properties":{"x":{"type":"integer"}}}`
	const use = `{"type":"object","properties":{"f":{"$ref":"#/components/schemas/Filter"},"t":{"$ref":"#/components/schemas/FilterTaken"}}}`
	var got []string
	for _, u := range built(t, "t", one(use, components)).Unions {
		for _, v := range u.Variants {
			got = append(got, v.Go)
		}
	}
	if want := []string{"FilterByHash", "FilterFilters", "FilterFilter", "FilterFilterTaken"}; !slices.Equal(got, want) {
		t.Errorf("the variants are %v, want %v", got, want)
	}
}

// TestTitles: inline schemas that share a title and say the same are one type
// with that name, unless another shape has the title too or it is no name.
func TestTitles(t *testing.T) {
	shape := func(title, member string) string {
		return `{"title":"` + title + `","type":"object","properties":{"` + member + `":{"type":"string"}}}`
	}
	holder := func(a, b string) string {
		return `{"type":"object","properties":{"a":` + a + `,"b":{"type":"array","items":` + b + `}}}`
	}
	tests := []struct{ a, b, want string }{
		{shape("Block header", "x"), shape("Block header", "x"), "*BlockHeader, []BlockHeader"},
		{shape("Block header", "x"), shape("Block Header", "x"), "*BlockHeader, []BlockHeader"},
		{shape("Block header", "x"), shape("Block header", "y"), "*MResultA, []MResultBItem"},
		{shape("Block header", "x"), shape("Other", "x"), "*MResultA, []MResultBItem"},
		{shape("object", "x"), shape("object", "x"), "*MResultA, []MResultBItem"},
		{shape("This is what the block says.", "x"), shape("This is what the block says.", "x"), "*MResultA, []MResultBItem"},
		{`{"title":"Tag","enum":["a","b"]}`, `{"title":"Tag","enum":["a","b"]}`, "*Tag, []Tag"},
	}
	for _, test := range tests {
		p := built(t, "t", one(holder(test.a, test.b), ""))
		d := p.Methods[0].Result.(plan.Named).Decl
		if got := show(d.Fields[0].Type) + ", " + show(d.Fields[1].Type); got != test.want {
			t.Errorf("%s and %s become %s, want %s", test.a, test.b, got, test.want)
		}
	}
}

// TestAllOfOrder holds that the members of allOf may stand in any order.
func TestAllOfOrder(t *testing.T) {
	parts := []string{
		`{"type":"object","properties":{"a":{"type":"string"}}}`, `{"required":["a"]}`,
		`{"properties":{"b":{"type":"integer"},"a":{"maxLength":5}}}`, `{"description":"x"}`,
	}
	want := ""
	for i := range parts {
		turned := slices.Concat(parts[i:], parts[:i])
		p := built(t, "t", one(`{"allOf":[`+strings.Join(turned, ",")+`]}`, ""))
		d := p.Methods[0].Result.(plan.Named).Decl
		var fields []string
		for _, f := range d.Fields {
			fields = append(fields, f.Go+" "+show(f.Type))
		}
		slices.Sort(fields)
		if got := strings.Join(fields, "; "); want == "" {
			want = got
		} else if got != want {
			t.Errorf("allOf turned by %d gives %s, want %s", i, got, want)
		}
	}
	if want != "A string; B *int64; Extra map[string]schema.Raw" {
		t.Errorf("allOf gives %s", want)
	}
}

func TestEndlessType(t *testing.T) {
	const methods = `{"name":"bad","params":[],"result":{"name":"r","schema":{"$ref":"#/components/schemas/Foo"}}},
		{"name":"worse","params":[{"name":"p","schema":{"type":"array","items":{"$ref":"#/components/schemas/A"}}}],"result":{"name":"r","schema":{}}},
		{"name":"good","params":[],"result":{"name":"r","schema":{"$ref":"#/components/schemas/Tree"}}}`
	p := built(t, "t", document(methods, `"Foo":{"type":"object","required":["foo"],"properties":{"foo":{"$ref":"#/components/schemas/Foo"}}},
		"A":{"type":"object","required":["b"],"properties":{"b":{"$ref":"#/components/schemas/B"}}},
		"B":{"type":"object","required":["a"],"properties":{"a":{"$ref":"#/components/schemas/A"}}},
		"Tree":{"type":"object","required":["kids"],"properties":{"kids":{"type":"array","items":{"$ref":"#/components/schemas/Tree"}},"up":{"$ref":"#/components/schemas/Tree"}}}`))
	if len(p.Methods) != 1 || p.Methods[0].Wire != "good" {
		t.Errorf("planned %d methods, want only good", len(p.Methods))
	}
	if got := p.MethodNames(); !slices.Equal(got, []string{"", "", "Good"}) {
		t.Errorf("MethodNames() = %q", got)
	}
	if len(p.Unplanned) != 2 || len(p.Unplanned[0].Diagnostics) != 1 || len(p.Unplanned[1].Diagnostics) != 2 {
		t.Fatalf("unplanned: %v", p.Unplanned)
	}
	for _, d := range p.Unplanned[1].Diagnostics {
		if d.Code != plan.EndlessType || d.Position.Line == 0 || d.Advice == "" {
			t.Errorf("diagnostic %+v", d)
		}
	}
}

func TestMarkers(t *testing.T) {
	const methods = `{"name":"a","params":[]},{"name":"b","params":[]},{"name":"c d","params":[],"deprecated":true},{"name":"e","params":[],"deprecated":true},{"name":"-f","params":[]}`
	p := built(t, "shop", document(methods, ""),
		compiled.Authority{State: compiled.Open, Effect: effect.Destructive}, compiled.Authority{State: compiled.Stale},
		compiled.Authority{State: compiled.Refused}, compiled.Authority{State: compiled.Open, Effect: effect.Read},
		compiled.Authority{State: compiled.Undecided})
	want := []struct{ effect, marker, last string }{
		{"destructive", "", "Notification a, effect destructive."},
		{"", "stale; run rpcgen review shop b", "Deprecated: stale; run rpcgen review shop b"},
		{"", "refused by the amendment; run rpcgen explain 'c d'", "Deprecated: refused by the amendment; run rpcgen explain 'c d'"},
		{"read", "", "Deprecated: the document says so."},
		{"", "unclassified; run rpcgen review shop -- '-f'", "Deprecated: unclassified; run rpcgen review shop -- '-f'"},
	}
	for i, m := range p.Methods {
		last := m.Doc[len(m.Doc)-1].Words
		if m.Effect != want[i].effect || m.Marker != want[i].marker || last != want[i].last {
			t.Errorf("%s: effect %q, marker %q, last paragraph %q; want %+v", m.Wire, m.Effect, m.Marker, last, want[i])
		}
	}
}

func TestErrorNames(t *testing.T) {
	method := func(name, errors string) string {
		return `{"name":"` + name + `","params":[],"errors":[` + errors + `]}`
	}
	p := built(t, "t", document(
		method("a", `{"code":-32001,"message":"Invoice not found"},{"code":5,"message":"a"},{"code":6,"message":"A"}`)+","+
			method("b", `{"code":-32001,"message":"Invoice not found"},{"code":7,"message":"one"},{"code":8,"message":""},{"code":-9,"message":"one two three four five six seven eight nine"}`)+","+
			method("c", `{"code":7,"message":"another"},{"code":-32002,"message":"!!"}`), `"ErrInvoiceNotFound":{"type":"string"}`))
	want := map[int64]string{-32001: "ErrInvoiceNotFound", 5: "ErrA", 7: "ErrCode7", 8: "ErrCode8", -9: "ErrCodeMinus9", -32002: "ErrCodeMinus32002"}
	seen := map[string]bool{}
	for _, e := range p.Errors {
		if name, named := want[e.Code]; named && e.Go != name {
			t.Errorf("error %d is called %s, want %s", e.Code, e.Go, name)
		}
		if seen[strings.ToLower(e.Go)] {
			t.Errorf("two errors are called %s", e.Go)
		}
		seen[strings.ToLower(e.Go)] = true
	}
	if len(p.Errors) != 7 {
		t.Errorf("%d errors, want 7", len(p.Errors))
	}
}

// TestErrorData: the data of an error code have one reader for every shape that
// methods declare, whoever declares it.
func TestErrorData(t *testing.T) {
	method := func(name, errors string) string {
		return `{"name":"` + name + `","params":[],"errors":[` + errors + `]}`
	}
	const inline = `{"type":"object","properties":{"reason":{"type":"string"}}}`
	p := built(t, "t", document(
		method("a", `{"code":1,"message":"not found","data":{"$ref":"#/components/schemas/ID"}},{"code":2,"message":"busy","data":`+inline+`},{"code":3,"message":"odd","data":{"type":"string"}}`)+","+
			method("b", `{"code":1,"message":"not found","data":{"$ref":"#/components/schemas/ID"}},{"code":2,"message":"busy","data":`+inline+`},{"code":3,"message":"odd","data":`+inline+`}`)+","+
			method("c", `{"code":1,"message":"not found"},{"code":4,"message":"bare"}`)+","+
			method("d", `{"code":4,"message":"bare"},{"code":5,"message":"endless","data":{"$ref":"#/components/schemas/Endless"}}`),
		`"ID":{"type":"string"},"Endless":{"type":"object","required":["e"],"properties":{"e":{"$ref":"#/components/schemas/Endless"}}}`))
	want := []string{
		"ErrNotFound: ErrNotFoundData ID [a b]", "ErrBusy: ErrBusyData BusyData [a b]",
		"ErrOdd: ErrOddDataOfA string [a], ErrOddDataOfB BOddData [b]", "ErrBare: ",
	}
	var got []string
	for _, e := range p.Errors {
		var readers []string
		for _, d := range e.Data {
			readers = append(readers, fmt.Sprintf("%s %s %s", d.Go, show(d.Type), d.Methods))
		}
		got = append(got, e.Go+": "+strings.Join(readers, ", "))
	}
	if !slices.Equal(got, want) {
		t.Errorf("errors are read by\n%s, want\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if len(p.Unplanned) != 1 || p.Unplanned[0].Wire != "d" {
		t.Errorf("unplanned: %v, want d, whose error data no value fits", p.Unplanned)
	}
}

func TestPackageNames(t *testing.T) {
	file, err := source.Read("t.json", []byte(one(`{}`, "")), source.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	set := reference.New(file, reference.Options{})
	c, _ := openrpc.Read("t", file, set)
	g := schema.NewGraph(set, c.Dialect)
	for name, good := range map[string]bool{
		"billing": true, "client": true, "runtime": true, "context": true, "api2": true,
		"": true, "main": false, "func": false, "error": false, "Bad": false, "a-b": false, "a/b": false, "../x": false, "x_test": false, "é": false, "_x": false, "1x": false, "internal": false,
	} {
		p, faults := plan.Build(c, g, nil, plan.Options{Package: name})
		if (p != nil) != good || good == faults.HasErrors() {
			t.Errorf("Build for package %q = %v, %v", name, p != nil, faults)
		}
	}
}

// names lists what a package declares: types with their files, and methods.
func names(p *plan.Package) map[string]string {
	out := map[string]string{}
	for _, f := range p.Files {
		for _, d := range f.Types {
			out["type of "+d.Of] = d.Go + " in " + f.Name
			for _, c := range d.Consts {
				out[fmt.Sprintf("const of %s: %q %d", d.Of, c.Text, c.Number)] = c.Go
			}
			for _, field := range d.Fields {
				out["field "+field.Wire+" of "+d.Of] = field.Go + " " + show(field.Type)
			}
		}
		for _, i := range f.Methods {
			out["method "+p.Methods[i].Wire] = p.Methods[i].Go + " in " + f.Name
		}
	}
	return out
}

// shuffled writes a JSON document with the members of every object in another
// order.
func shuffled(t *testing.T, document string, random *rand.Rand) string {
	t.Helper()
	var value any
	if err := json.Unmarshal([]byte(document), &value); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	var write func(v any)
	write = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			var keys []string
			for k := range v {
				keys = append(keys, k)
			}
			slices.Sort(keys)
			random.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
			b.WriteByte('{')
			for i, k := range keys {
				if i > 0 {
					b.WriteByte(',')
				}
				name, _ := json.Marshal(k)
				b.Write(name)
				b.WriteByte(':')
				write(v[k])
			}
			b.WriteByte('}')
		case []any:
			b.WriteByte('[')
			for i, e := range v {
				if i > 0 {
					b.WriteByte(',')
				}
				write(e)
			}
			b.WriteByte(']')
		default:
			leaf, _ := json.Marshal(v)
			b.Write(leaf)
		}
	}
	write(value)
	return b.String()
}

const mixed = `{"name":"t.find","params":[{"name":"q","schema":{"type":"object","properties":{"a":{"enum":["x","y"]},"A":{"type":"object","properties":{"z":{"enum":[1]}}}}}}],"result":{"name":"r","schema":{"type":"array","items":{"$ref":"#/components/schemas/item_id"}}}},
	{"name":"find","params":[],"result":{"name":"r","schema":{"$ref":"#/components/schemas/itemId"}}},
	{"name":"pay","params":[],"result":{"name":"r","schema":{"oneOf":[{"$ref":"#/components/schemas/Item"},{"title":"note","type":"string"},{"type":"array","items":{"type":"string"}}]}}}`

const mixedComponents = `"item_id":{"type":"object","properties":{"status":{"enum":["a","b"]},"x":{"$ref":"#/components/schemas/Item"}}},
	"itemId":{"type":"object","properties":{"status":{"enum":["c"]}}},"Item":{"type":"object","properties":{"ids":{"type":"array","items":{"type":"object","properties":{"n":{"type":"integer"}}}}}},
	"itemIdStatus":{"enum":["q"]}`

// TestOrderOfMembersNamesNothing shuffles the members of every object: names,
// types and files stay.
func TestOrderOfMembersNamesNothing(t *testing.T) {
	text := document(mixed, mixedComponents)
	want := names(built(t, "t", text))
	random := rand.New(rand.NewPCG(3, 4))
	for range 50 {
		for what, name := range names(built(t, "t", shuffled(t, text, random))) {
			if want[what] != name {
				t.Fatalf("%s is %s, and %s when the members stand in another order", what, want[what], name)
			}
		}
	}
}

// TestNewNamesMoveNothing adds a component and a method that collide with
// nothing that is there: no name and no file of the others changes.
func TestNewNamesMoveNothing(t *testing.T) {
	before := names(built(t, "t", document(mixed, mixedComponents)))
	after := names(built(t, "t", document(
		`{"name":"new","params":[],"result":{"name":"r","schema":{"$ref":"#/components/schemas/Aaa"}}},`+mixed,
		`"Aaa":{"type":"object","properties":{"item":{"$ref":"#/components/schemas/Item"},"kind":{"enum":["a"]}}},`+mixedComponents)))
	for what, name := range before {
		if after[what] != name {
			t.Errorf("%s was %s and is %s", what, name, after[what])
		}
	}
}

// large is a contract of n methods with a type each.
func large(n int) string {
	var methods, components []string
	for i := range n {
		methods = append(methods, fmt.Sprintf(`{"name":"m%d","params":[],"result":{"name":"r","schema":{"$ref":"#/components/schemas/T%d"}}}`, i, i))
		components = append(components, fmt.Sprintf(`"T%d":{"type":"object","properties":{"a":{"type":"string"}}}`, i))
	}
	return document(strings.Join(methods, ","), strings.Join(components, ","))
}

// TestLargeContracts spreads over files so that one more method and type leave
// all others where they are.
func TestLargeContracts(t *testing.T) {
	before, after := built(t, "t", large(2000)), built(t, "t", large(2001))
	if len(before.Files) != 1+16+16 {
		t.Errorf("%d files for 2000 methods and types, want a client, 16 of calls, 16 of types", len(before.Files))
	}
	was, is := names(before), names(after)
	for what, name := range was {
		if is[what] != name {
			t.Fatalf("%s was %s and is %s", what, name, is[what])
		}
	}
	for _, f := range before.Files[1:] {
		if n := len(f.Methods) + len(f.Types); n > 2000/16*2 {
			t.Errorf("%s holds %d of 2000", f.Name, n)
		}
	}
}

package compiler_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	dialects "github.com/openrpc-go/rpcgen/compiler/schema"
	"github.com/openrpc-go/rpcgen/runtime"
	"github.com/openrpc-go/rpcgen/runtime/envelope"
	"github.com/openrpc-go/rpcgen/runtime/outcome"
	"github.com/openrpc-go/rpcgen/runtime/schema"
)

// pet and its variants are a union as it is generated.
type pet interface{ isPet() }

type cat struct {
	Kind  string                `json:"kind"`
	Name  *string               `json:"name,omitzero"`
	Extra map[string]schema.Raw `json:",inline"`
}

type dog struct {
	Kind  string                `json:"kind"`
	Name  *string               `json:"name,omitzero"`
	Extra map[string]schema.Raw `json:",inline"`
}

func (cat) isPet() {}
func (dog) isPet() {}

// R026: the discriminator decides, also where more than one variant would fit.
func TestR026Discriminator(t *testing.T) {
	const variant = `:{"type":"object","required":["kind"],"properties":{"kind":{"type":"string"},"name":{"type":"string"}}}`
	n, err := dialects.Compile(dialects.OpenAPI30, []byte(`{"oneOf":[{"$ref":"#/components/schemas/Cat"},{"$ref":"#/components/schemas/Dog"}],
		"discriminator":{"propertyName":"kind","mapping":{"feline":"#/components/schemas/Cat"}},"components":{"schemas":{"Cat"`+variant+`,"Dog"`+variant+`}}}`), dialects.Options{})
	if err != nil {
		t.Fatal(err)
	}
	unions, err := schema.NewUnions(schema.UnionOf[pet](cat{}, dog{}))
	if err != nil {
		t.Fatal(err)
	}
	codec, err := schema.Bind[pet](n, unions)
	if err != nil {
		t.Fatal(err)
	}
	for kind, want := range map[string]pet{"feline": cat{Kind: "feline"}, "Dog": dog{Kind: "Dog"}} {
		got, err := codec.Decode([]byte(`{"kind":"` + kind + `"}`))
		if err != nil || fmt.Sprintf("%T", got) != fmt.Sprintf("%T", want) {
			t.Errorf("kind %q gives %#v, %v, want %T", kind, got, err, want)
		}
	}
	var misfit *schema.Error
	if _, err := codec.Decode([]byte(`{"kind":"bird"}`)); !errors.As(err, &misfit) || misfit.Causes[0].Keyword != "discriminator" || !strings.Contains(misfit.Causes[0].Expected, `"kind"`) {
		t.Errorf("an unknown value gives %v, want an error about kind", err)
	}
}

type sealedA struct {
	A *int64 `json:"a,omitzero"`
}

type sealedB struct {
	B *int64 `json:"b,omitzero"`
}

func (sealedA) isSealed() {}
func (sealedB) isSealed() {}

type sealed interface{ isSealed() }

// R028: only the variant that the schema proves is given out.
func TestR028ProvenVariant(t *testing.T) {
	const closed = `{"oneOf":[{"title":"A","type":"object","properties":{"a":{"type":"integer"}},"additionalProperties":false},{"title":"B","type":"object","properties":{"b":{"type":"integer"}},"additionalProperties":false}]}`
	c := compileText(t, rpc(
		method("closed", ``, closed, ``),
		method("open", ``, strings.ReplaceAll(closed, `,"additionalProperties":false`, ``), ``)))
	c.refused()
	unions, err := schema.NewUnions(schema.UnionOf[sealed](sealedA{}, sealedB{}))
	if err != nil {
		t.Fatal(err)
	}
	codec, err := schema.Bind[sealed](c.node("closed", ""), unions)
	if err != nil {
		t.Fatal(err)
	}
	got, err := codec.Decode([]byte(`{"b":1}`))
	if b, ok := got.(sealedB); err != nil || !ok || b.B == nil || *b.B != 1 {
		t.Errorf("Decode gives %#v, %v, want the second variant", got, err)
	}
	c.admits("closed", nil, []string{`{}`, `{"a":1,"b":1}`})
	c.admits("open", nil, []string{`{"b":1}`}) // both fit, and oneOf wants one
}

// R032: two members of allOf that define one property both apply.
func TestR032Conjunction(t *testing.T) {
	parts := []string{`{"type":"object","properties":{"p":{"type":"string","maxLength":5}}}`, `{"properties":{"p":{"minLength":2,"description":"x"}}}`}
	for range 2 {
		c := compileText(t, rpcWith(`{"P":{"allOf":[`+strings.Join(parts, ",")+`]}}`, method("m", ``, `{"$ref":"#/components/schemas/P"}`, ``)))
		c.refused()
		c.admits("m", []string{`{"p":"abc"}`}, []string{`{"p":"abcdef"}`, `{"p":"a"}`})
		c.prints("type P struct { P *string `json:\"p,omitzero\"`")
		parts[0], parts[1] = parts[1], parts[0]
	}
	contradiction := compileText(t, rpc(method("m", ``, `{"allOf":[{"type":"object","required":["p"],"properties":{"p":{"type":"string"}}},{"properties":{"p":{"type":"integer"}}}]}`, ``)))
	contradiction.refused()
	contradiction.admits("m", nil, []string{`{"p":"x"}`, `{"p":1}`, `{}`})
	contradiction.reports("schema-contradiction", "/methods/0/result/schema/allOf/1/properties/p/type")
	if printed := contradiction.findings(); !strings.Contains(printed, "is an integer here and a string in another part") || !strings.Contains(printed, "the other part") {
		t.Errorf("the contradiction does not name both places:\n%s", printed)
	}
	whole := compileText(t, rpc(method("m", ``, `{"allOf":[{"type":"object"},{"enum":["a",1]}]}`, ``)))
	whole.refused()
	whole.admits("m", nil, []string{`{}`, `"a"`, `1`})
	whole.reports("schema-contradiction", "/methods/0/result/schema/allOf/1/enum")
	optional := compileText(t, rpc(method("m", ``, `{"allOf":[{"type":"object","properties":{"p":{"type":"string"}}},{"properties":{"p":{"type":"integer"}}}]}`, ``)))
	optional.refused()
	optional.reports("schema-contradiction", "/methods/0/result/schema/allOf/1/properties/p/type")
	optional.admits("m", []string{`{}`}, []string{`{"p":"x"}`, `{"p":1}`})
}

// R033: required beside a reference makes the referenced member required.
func TestR033RequiredInSibling(t *testing.T) {
	c := compileText(t, rpcWith(`{"Base":{"type":"object","properties":{"id":{"type":"string"}}},"Full":{"allOf":[{"$ref":"#/components/schemas/Base"},{"required":["id"]}]}}`,
		method("m", ``, `{"$ref":"#/components/schemas/Full"}`, ``), method("n", ``, `{"$ref":"#/components/schemas/Base"}`, ``)))
	c.prints("type Full struct { ID string `json:\"id\"`", "type Base struct { ID *string `json:\"id,omitzero\"`")
	c.admits("m", []string{`{"id":"x"}`}, []string{`{}`})
}

// R036: the empty text is a value like any other and has a name.
func TestR036EmptyEnumValue(t *testing.T) {
	c := compileText(t, rpcWith(`{"State":{"enum":["","AK"]}}`, method("m", ``, `{"$ref":"#/components/schemas/State"}`, ``)))
	c.refused()
	c.prints("type State string", `StateEmpty State = ""`, `StateAK State = "AK"`)
	c.checks()
	c.admits("m", []string{`""`, `"AK"`}, []string{`"ak"`})
}

// R037: values of punctuation, or that differ by a sign, have names of their own.
func TestR037PunctuationInEnum(t *testing.T) {
	values := []string{"<", "<=", "==", "GMT+1", "GMT-1", "-", "+", "a b", "a-b", "a_b", "\u00e9", "1", "-1"}
	c := compileText(t, rpcWith(`{"Op":{"enum":["`+strings.Join(values, `","`)+`"]}}`, method("m", ``, `{"$ref":"#/components/schemas/Op"}`, ``)))
	c.refused()
	c.checks()
	for _, v := range values {
		c.prints(fmt.Sprintf("Op = %+q", v))
	}
}

// R040: a value that the enum does not list breaks the contract, and the owner
// may have it handed over all the same.
func TestR040NewEnumValue(t *testing.T) {
	document := rpcWith(`{"State":{"enum":["on","off"]}}`, method("m", ``, `{"$ref":"#/components/schemas/State"}`, ``))
	strict := openText(t, document, nil).serve(`"new"`)
	_, err := runtime.Call[string](context.Background(), strict.caller, strict.source.Method("m"), runtime.NoParams{})
	var call *runtime.CallError
	if !errors.As(err, &call) || call.Outcome.Status != outcome.ContractViolation || call.Outcome.Delivery != outcome.Completed {
		t.Errorf("a new value gives %v, want a violation of a call that completed", err)
	}
	report := openText(t, document, map[string]string{"m": ", results: report"}).serve(`"new"`)
	_, err = runtime.Call[string](context.Background(), report.caller, report.source.Method("m"), runtime.NoParams{})
	if !errors.As(err, &call) || string(call.Result) != `"new"` {
		t.Errorf("with results: report it gives %v, want the value beside the error", err)
	}
}

// R042: a reply may have members that the schema does not mention.
func TestR042UnknownMembers(t *testing.T) {
	type a struct {
		A     int64                 `json:"a"`
		Extra map[string]schema.Raw `json:",inline"`
	}
	e := openText(t, rpc(method("m", ``, `{"title":"A","type":"object","required":["a"],"properties":{"a":{"type":"integer"}}}`, ``)), nil).serve(`{"a":1,"fresh":{"x":[1]}}`)
	got, err := runtime.Call[a](context.Background(), e.caller, e.source.Method("m"), runtime.NoParams{})
	if err != nil || got.A != 1 || string(got.Extra["fresh"]) != `{"x":[1]}` {
		t.Errorf("got %v, %v", got, err)
	}
}

// R045: ids are text, compared byte for byte; none goes through a float.
func TestR045Ids(t *testing.T) {
	for _, id := range []string{`9223372036854775808`, `1.5`, `1e0`, `-0`, `1`, `"1 "`, `null`, `true`} {
		body := `{"jsonrpc":"2.0","id":` + id + `,"result":1}`
		var violation *envelope.Violation
		if _, err := envelope.Read([]byte(body), "1", envelope.Tolerance{}); !errors.As(err, &violation) || violation.Reason != envelope.IDMismatch {
			t.Errorf("id %s: %v, want a mismatch", id, err)
		}
	}
	if _, err := envelope.Read([]byte(`{"jsonrpc":"2.0","id":"1","result":1}`), "1", envelope.Tolerance{}); err != nil {
		t.Error(err)
	}
}

// R046: what has no schema stays the bytes that came.
func TestR046FreeForm(t *testing.T) {
	const value = `{"v":9223372036854775807,"w":123456789012345678901234567890,"x":1.10}`
	e := openText(t, rpc(method("m", ``, `{}`, ``)), nil).serve(value)
	got, err := runtime.Call[schema.Raw](context.Background(), e.caller, e.source.Method("m"), runtime.NoParams{})
	if err != nil || string(got) != value {
		t.Errorf("got %s, %v, want %s", got, err, value)
	}
}

// R047: a number is 64 bits wide, and nothing is lost without a word.
func TestR047PlainNumber(t *testing.T) {
	type price struct {
		Price float64 `json:"price"`
	}
	c := openText(t, rpcWith(`{"P":{"type":"object","required":["price"],"additionalProperties":false,"properties":{"price":{"type":"number"}}}}`, method("m", ``, `{"$ref":"#/components/schemas/P"}`, ``)), nil)
	c.prints("Price float64 `json:\"price\"`")
	roundTrip[price](t, c.node("m", ""), `{"price":2938863.98}`, `{"price":2938863.98}`)
}

// R049: the pattern of the contract decides about leading zeros.
func TestR049HexQuantity(t *testing.T) {
	document := rpcWith(`{"Q":{"type":"string","pattern":"^0x(0|[1-9a-f][0-9a-f]*)$"}}`, method("eth_x", ``, `{"type":"object","properties":{"q":{"$ref":"#/components/schemas/Q"}}}`, ``))
	c := openText(t, document, nil)
	c.refused()
	c.admits("eth_x", []string{`{"q":"0x0"}`, `{"q":"0x5"}`}, []string{`{"q":"0x05"}`, `{"q":"0x"}`, `{"q":"0X5"}`})
	_, err := c.serve(`{"q":"0x05"}`).sent("eth_x", ``)
	var misfit *schema.Error
	if !errors.As(err, &misfit) || misfit.Causes[0].Pointer != "/q" || misfit.Causes[0].Keyword != "pattern" || !strings.Contains(err.Error(), "eth_x") {
		t.Errorf("got %v, want an error that names the method and the pointer", err)
	}
}

// R052: one bad time does not take the rest of a list away.
func TestR052EmptyTime(t *testing.T) {
	type item struct {
		Created schema.Time           `json:"created"`
		Extra   map[string]schema.Raw `json:",inline"`
	}
	c := openText(t, rpcWith(`{"Item":{"type":"object","required":["created"],"properties":{"created":{"type":"string","format":"date-time"}}}}`,
		method("list", ``, `{"type":"array","items":{"$ref":"#/components/schemas/Item"}}`, ``)), nil)
	c.prints("Created schema.Time `json:\"created\"`")
	e := c.serve(`[{"created":"2026-11-30T00:00:00Z"},{"created":""}]`)
	got, err := runtime.Call[[]item](context.Background(), e.caller, e.source.Method("list"), runtime.NoParams{})
	if err != nil || len(got) != 2 {
		t.Fatalf("got %v, %v", got, err)
	}
	if when, err := got[0].Created.Time(); err != nil || when.Year() != 2026 {
		t.Errorf("the first is %v, %v", when, err)
	}
	if _, err := got[1].Created.Time(); err == nil {
		t.Error("the empty text is a time")
	}
}

package schema

import (
	"bytes"
	stdjson "encoding/json"
	"errors"
	"fmt"
	"testing"

	santhosh "github.com/santhosh-tekuri/jsonschema/v6"
)

type benchParams struct {
	Block  string   `json:"block"`
	Limit  int64    `json:"limit"`
	Filter *bool    `json:"filter,omitzero"`
	Tags   []string `json:"tags,omitzero"`
	Owner  string   `json:"owner"`
}

type benchRecord struct {
	ID     int64   `json:"id"`
	Name   string  `json:"name"`
	Hash   string  `json:"hash"`
	Value  float64 `json:"value"`
	Active bool    `json:"active"`
	Kind   string  `json:"kind"`
	Note   *string `json:"note,omitzero"`
}

type benchResult struct {
	Items []benchRecord `json:"items"`
}

const benchSchema = `{"definitions":{
"Params":{"type":"object","additionalProperties":false,"required":["block","limit","owner"],"properties":{
 "block":{"type":"string","pattern":"^(latest|0x[0-9a-f]+)$"},"limit":{"type":"integer","minimum":1,"maximum":1000},"filter":{"type":"boolean"},
 "tags":{"type":"array","maxItems":8,"items":{"type":"string","minLength":1}},"owner":{"type":"string","minLength":1,"maxLength":64}}},
"Record":{"type":"object","additionalProperties":false,"required":["id","name","hash","value","active","kind"],"properties":{
 "id":{"type":"integer","minimum":0},"name":{"type":"string","minLength":1,"maxLength":64},"hash":{"type":"string","pattern":"^0x[0-9a-f]{64}$"},
 "value":{"type":"number","minimum":0},"active":{"type":"boolean"},"kind":{"type":"string","enum":["open","closed","pending"]},"note":{"type":"string","maxLength":200}}},
"Result":{"type":"object","additionalProperties":false,"required":["items"],"properties":{"items":{"type":"array","maxItems":100000,"items":{"$ref":"#/definitions/Record"}}}}}}`

// benchNodes are the nodes of benchSchema.
func benchNodes() (params, result *Node) {
	never := &Node{ID: "closed", Never: true}
	sized := func(low, high uint64) *Node {
		return &Node{ID: "sized", Types: TypeString, String: &StringRules{MinLength: &low, MaxLength: &high}}
	}
	pattern := func(source, re2 string) *Node {
		return &Node{ID: "pattern", Types: TypeString, String: &StringRules{Pattern: &Pattern{source, re2}}}
	}
	params = object(ObjectRules{Additional: never, Properties: []Property{
		{"block", true, pattern("^(latest|0x[0-9a-f]+)$", `\A(?:latest|0x[0-9a-f]+)\z`)},
		{"limit", true, &Node{ID: "limit", Types: TypeInteger, Number: &NumberRules{Minimum: "1", Maximum: "1000"}}},
		{"filter", false, typed(TypeBoolean)},
		{"tags", false, array(ArrayRules{MaxItems: count64(8), Items: text(StringRules{MinLength: count64(1)})})},
		{"owner", true, sized(1, 64)},
	}})
	params.Object.Properties[3].Node.Array.Items.Types = TypeString
	record := object(ObjectRules{Additional: never, Properties: []Property{
		{"id", true, &Node{ID: "id", Types: TypeInteger, Number: &NumberRules{Minimum: "0"}}},
		{"name", true, sized(1, 64)},
		{"hash", true, pattern("^0x[0-9a-f]{64}$", `\A0x[0-9a-f]{64}\z`)},
		{"value", true, &Node{ID: "value", Types: TypeNumber, Number: &NumberRules{Minimum: "0"}}},
		{"active", true, typed(TypeBoolean)},
		{"kind", true, &Node{ID: "kind", Types: TypeString, Enum: []string{`"open"`, `"closed"`, `"pending"`}}},
		{"note", false, sized(0, 200)},
	}})
	result = object(ObjectRules{Additional: never, Properties: []Property{
		{"items", true, array(ArrayRules{MaxItems: count64(100000), Items: record})},
	}})
	return params, result
}

var benchParamsText = []byte(`{"block":"0x1a2b3c","limit":100,"filter":true,"tags":["one","two","three"],"owner":"somebody"}`)

func benchResultText(n int) []byte {
	var b bytes.Buffer
	b.WriteString(`{"items":[`)
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"id":%d,"name":"record %d","hash":"0x%064x","value":%g,"active":%v,"kind":%q,"note":"note of record %d, long enough"}`,
			100000+i, i, i*7919, float64(i)*1.25+0.5, i%2 == 0, []string{"open", "closed", "pending"}[i%3], i)
	}
	b.WriteString(`]}`)
	return b.Bytes()
}

type contender struct {
	name string
	run  func([]byte) error
}

func contenders[T any](tb testing.TB, node *Node, name string) []contender {
	codec, err := Bind[T](node, nil)
	if err != nil {
		tb.Fatal(err)
	}
	compiler := santhosh.NewCompiler()
	document, err := santhosh.UnmarshalJSON(bytes.NewReader([]byte(benchSchema)))
	if err != nil {
		tb.Fatal(err)
	}
	if err := compiler.AddResource("mem:///s.json", document); err != nil {
		tb.Fatal(err)
	}
	peer, err := compiler.Compile("mem:///s.json#/definitions/" + name)
	if err != nil {
		tb.Fatal(err)
	}
	return []contender{
		{"check", codec.Checker().Check},
		{"decode", func(b []byte) error { _, err := codec.Decode(b); return err }},
		{"json.Valid", func(b []byte) error {
			if !stdjson.Valid(b) {
				return errors.New("invalid")
			}
			return nil
		}},
		{"encoding-json, no checks", func(b []byte) error { var v T; return stdjson.Unmarshal(b, &v) }},
		{"santhosh", func(b []byte) error {
			v, err := santhosh.UnmarshalJSON(bytes.NewReader(b))
			if err != nil {
				return err
			}
			return peer.Validate(v)
		}},
	}
}

func race(b *testing.B, text []byte, all []contender) {
	for _, c := range all {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if err := c.run(text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkParams(b *testing.B) {
	params, _ := benchNodes()
	race(b, benchParamsText, contenders[benchParams](b, params, "Params"))
}

func BenchmarkRecords(b *testing.B) {
	_, result := benchNodes()
	race(b, benchResultText(5000), contenders[benchResult](b, result, "Result"))
}

func BenchmarkEncodeRecords(b *testing.B) {
	_, result := benchNodes()
	codec, err := Bind[benchResult](result, nil)
	if err != nil {
		b.Fatal(err)
	}
	v, err := codec.Decode(benchResultText(5000))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	var out []byte
	for b.Loop() {
		if out, err = codec.Encode(out[:0], &v); err != nil {
			b.Fatal(err)
		}
	}
}

// TestContendersAgree keeps the benchmarks honest: who accepts the bad texts
// would be timed for nothing.
func TestContendersAgree(t *testing.T) {
	_, result := benchNodes()
	good := benchResultText(3)
	swap := func(old, new string) []byte { return bytes.Replace(good, []byte(old), []byte(new), 1) }
	for _, c := range contenders[benchResult](t, result, "Result") {
		if err := c.run(good); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if c.name != "check" && c.name != "decode" && c.name != "santhosh" {
			continue
		}
		for _, bad := range [][]byte{
			swap(`"open"`, `"opal"`), swap(`"0x00`, `"0y00`), swap(`:100001`, `:-1`), swap(`,"active":true`, ``),
			swap(`"active":true`, `"active":true,"x":1`), swap(`"active":true`, `"active":"true"`), good[:len(good)-1],
			swap(`"value":0.5`, `"value":-0.5`), swap(`"record 0"`, `""`),
		} {
			if c.run(bad) == nil {
				t.Errorf("%s accepts %.120s", c.name, bad)
			}
		}
	}
}

func TestCheckAllocatesNothing(t *testing.T) {
	if raceDetector {
		t.Skip("the race detector makes sync.Pool forget")
	}
	params, result := benchNodes()
	union, records := paymentNode(), benchResultText(50)
	variants, payments := manyVariants(20)
	for _, c := range []struct {
		node *Node
		text string
	}{
		{params, string(benchParamsText)}, {result, string(records)}, {everythingNode(), `{"version":"1.0","name":"n\u00e9","age":1.0e1,"ra,tio":0.5,"ok":true,` +
			`"big":123456789012345678901234567890,"at":"","data":"","tags":["a"],"parent":null,"list":null,"pay":{"number":"42","type":"card","more":[1]},"nothing":null,"shade":"red"}`},
		{union, `{"iban":"","type":"transfer"}`}, {array(ArrayRules{Unique: true}), `[1,2,{"a":1},"x"]`},
		{array(ArrayRules{Items: constant(`1`, `2`, `2.5`, `{"a":1}`, `true`)}), `[1,2,2.5,{"a":1.0},true,1e0]`}, {variants, string(payments)},
		{array(ArrayRules{Items: &Node{Types: TypeNumber, Number: &NumberRules{Minimum: "-1.5", ExclusiveMaximum: "10", MultipleOf: "0.25"}}}), `[1,-1.5,9.75,0.25e1]`},
		{&Node{Object: &ObjectRules{Unevaluated: &Node{Never: true}}, AnyOf: []*Node{params}}, string(benchParamsText)},
	} {
		checker, err := NewChecker(c.node)
		if err != nil {
			t.Fatal(err)
		}
		text := []byte(c.text)
		if n := testing.AllocsPerRun(100, func() {
			if err := checker.Check(text); err != nil {
				t.Fatal(err)
			}
		}); n > 0 {
			t.Errorf("Check(%.60s) allocates %v times", c.text, n)
		}
	}
}

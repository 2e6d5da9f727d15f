package runtime

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"github.com/openrpc-go/rpcgen/runtime/compiled"
	"github.com/openrpc-go/rpcgen/runtime/envelope"
	"github.com/openrpc-go/rpcgen/runtime/outcome"
	"github.com/openrpc-go/rpcgen/runtime/schema"
)

// reply is a result with everything that a body can be wrong in: declared and
// foreign members, raw JSON, numbers that may not fit, a pattern of nothing.
type reply struct {
	ID    string                `json:"id"`
	Small int8                  `json:"small"`
	Raw   schema.Raw            `json:"raw,omitzero"`
	List  []reply               `json:"list,omitzero"`
	Extra map[string]schema.Raw `json:",inline"`
}

func replyNode() *schema.Node {
	n := &schema.Node{ID: "Reply", Types: schema.TypeObject}
	n.Object = &schema.ObjectRules{Properties: []schema.Property{
		need("id", text("Reply/id")),
		need("small", &schema.Node{ID: "Reply/small", Types: schema.TypeInteger, Number: &schema.NumberRules{Minimum: "-200", Maximum: "200"}}),
		may("raw", &schema.Node{ID: "Reply/raw"}),
		may("list", &schema.Node{ID: "Reply/list", Types: schema.TypeArray, Array: &schema.ArrayRules{Items: n}}),
	}}
	return n
}

// inPlace reads results of replyNode into a reply, as a typed call does, or
// only checks them, as an untyped one does.
type inPlace struct {
	codec   *schema.TypeCodec
	checker *schema.Checker
	into    *reply
}

func newInPlace(t testing.TB) *inPlace {
	codec, err := schema.BindType(reflect.TypeFor[reply](), replyNode(), nil)
	if err != nil {
		t.Fatal(err)
	}
	checker, err := schema.NewChecker(replyNode())
	if err != nil {
		t.Fatal(err)
	}
	return &inPlace{codec: codec, checker: checker}
}

func (p *inPlace) ReadResult(body []byte, start int) (end int, ok bool) {
	if p.into != nil {
		return p.codec.DecodeAt(body, start, p.into)
	}
	return p.checker.CheckAt(body, start)
}

func (p *inPlace) result(raw []byte) error {
	if p.into != nil {
		return p.codec.Decode(raw, p.into)
	}
	return p.checker.Check(raw)
}

// verdict is all that a caller could learn from a body.
type verdict struct {
	err    string
	json   string
	remote string
	result string
	value  reply
}

func (v *verdict) add(answer envelope.Response, err error) {
	var bad *envelope.Violation
	if errors.As(err, &bad) && bad.JSON != nil {
		v.json = fmt.Sprint(bad.JSON.Code, bad.JSON.Offset)
	}
	if err != nil {
		v.err = fmt.Sprintf("%T %v", err, err)
	}
	if answer.Error != nil {
		v.remote = fmt.Sprintf("%+v", *answer.Error)
	}
	v.result = string(answer.Result)
}

const wantID = "0123456789abcdef0123456789abcdef"

// twice reads the envelope, and then the result.
func (p *inPlace) twice(body []byte, t envelope.Tolerance) (v verdict) {
	answer, err := envelope.Read(body, wantID, t)
	v.add(answer, err)
	if err == nil && answer.Error == nil {
		if err := p.result(answer.Result); err != nil {
			v.err = fmt.Sprintf("%T %v", err, err)
		}
	}
	return v
}

// once reads both in one pass.
func (p *inPlace) once(body []byte, t envelope.Tolerance) (v verdict) {
	answer, read, err := envelope.ReadInto(body, wantID, t, p)
	v.add(answer, err)
	if err == nil && answer.Error == nil && !read {
		if err := p.result(answer.Result); err != nil {
			v.err = fmt.Sprintf("%T %v", err, err)
		}
	}
	return v
}

// compare holds one pass against two, typed and untyped.
func (p *inPlace) compare(t testing.TB, body []byte, tolerance envelope.Tolerance) {
	t.Helper()
	given := bytes.Clone(body)
	for _, typed := range []bool{false, true} {
		var one, two reply
		if p.into = nil; typed {
			p.into = &two
		}
		want := p.twice(body, tolerance)
		if typed {
			p.into = &one
		}
		got := p.once(body, tolerance)
		if got.err == "" && got.remote == "" {
			got.value, want.value = one, two
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%q, typed %v:\none pass:   %+v\ntwo passes: %+v", body, typed, got, want)
		}
	}
	if !bytes.Equal(given, body) {
		t.Fatalf("%q was changed to %q", given, body)
	}
}

func deeply(n int, inner string) string {
	return strings.Repeat(`[`, n) + inner + strings.Repeat(`]`, n)
}

// bodyParts are what random bodies are made of: members of an envelope, good
// and bad.
var bodyParts = []string{
	`"jsonrpc":"2.0"`, `"jsonrpc":"2.0"`, `"jsonrpc":"1.0"`, `"id":"` + wantID + `"`, `"id":"` + wantID + `"`, `"id":null`, `"id":1`,
	`"result":{"id":"a","small":1}`, `"result":{"id":"a","small":1,"raw":{"a":[1,{"b":2}]}}`, `"\u0072esult":{"small":-3,"id":"é","x":{"y":[]}}`,
	`"result":{"id":"a","small":199}`, `"result":{"id":"a","small":201}`, `"result":{"id":"a"}`, `"result":{"id":"a","id":"b","small":1}`,
	`"result":{"id":"a","small":1,"raw":{"k":1,"k":1}}`, `"result":{"id":"a","small":1,"raw":[{"k":{"\u006b":1,"k":1}}]}`,
	`"result":{"id":"a","small":1,"other":{"k":1,"k":1}}`, "\"result\":{\"id\":\"\xff\",\"small\":1}", "\"result\":{\"id\":\"a\",\"small\":1,\"raw\":\"\xc3\x28\"}",
	"\"result\":{\"id\":\"a\",\"small\":1,\"\xed\xa0\x80\":0}", `"result":{"id":"\ud800","small":1}`,
	`"result":{"id":"a","small":1,"raw":` + strings.Repeat("9", 65) + `}`, `"result":{"id":"a","small":1,"raw":1e401}`, `"result":{"id":"a","small":1,"raw":1e400}`,
	`"result":{"id":"a","small":1,"raw":` + deeply(63, "1") + `}`, `"result":{"id":"a","small":1,"raw":` + deeply(64, "1") + `}`,
	`"result":{"id":"a","small":1,"list":[{"id":"b","small":2,"list":[]},{"id":"c","small":3}]}`, `"result":null`, `"result":[]`, `"result":1 2`,
	`"result":{"id":"a","small":1}}`, `"result":{"id":"a","small":01}`, `"result":{"id":"a","small":1.0}`, `"result" : { "id" : "a" , "small" : 1 } `,
	`"error":null`, `"error":{"code":-1,"message":"m","data":{"a":1}}`, `"error":{"code":-1,"message":"m","data":{"a":1,"a":1}}`, `"error":{"code":1.0,"message":""}`,
	`"Result":{"id":"a","small":1}`, `"method":"m"`, `"x":{"y":1}`, `"x":{"y":1,"y":1}`, `"":` + deeply(64, ""), `"":` + deeply(65, ""),
}

// randomBody is a body that is right often enough, and wrong in every way.
func randomBody(r *rand.Rand) []byte {
	good := []string{bodyParts[0], bodyParts[3], bodyParts[7+r.IntN(25)]}
	for r.IntN(3) == 0 {
		good = append(good, bodyParts[r.IntN(len(bodyParts))])
	}
	r.Shuffle(len(good), func(i, k int) { good[i], good[k] = good[k], good[i] })
	if r.IntN(6) == 0 {
		good = good[1:]
	}
	body := []byte("{" + strings.Join(good, []string{",", " , ", ",\n"}[r.IntN(3)]) + "}")
	switch r.IntN(6) {
	case 0:
		body[r.IntN(len(body))] ^= 1 << r.IntN(8)
	case 1:
		at := r.IntN(len(body))
		body = append(body[:at], body[at+1:]...)
	case 2:
		body = body[:r.IntN(len(body))]
	}
	return body
}

// One pass over a body says what two say, whatever stands in it and in
// whatever order.
func TestOnePassSaysWhatTwoSay(t *testing.T) {
	p := newInPlace(t)
	r := rand.New(rand.NewPCG(1, 2))
	accepted := 0
	for range 8_000 {
		body := randomBody(r)
		tolerance := envelope.Tolerance{NullError: r.IntN(4) == 0, NoVersion: r.IntN(4) == 0}
		p.compare(t, body, tolerance)
		if p.into = nil; p.once(body, tolerance).err == "" {
			accepted++
		}
	}
	if accepted < 300 || accepted > 7_700 {
		t.Errorf("%d of the bodies were accepted: the others or these are hardly looked at", accepted)
	}
}

func FuzzOnePass(f *testing.F) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, part := range bodyParts {
		f.Add([]byte(`{`+part+`,"jsonrpc":"2.0","id":"`+wantID+`"}`), false, false)
	}
	for range 20 {
		f.Add(randomBody(r), true, true)
	}
	p := newInPlace(f)
	f.Fuzz(func(t *testing.T, body []byte, nullError, noVersion bool) {
		p.compare(t, body, envelope.Tolerance{NullError: nullError, NoVersion: noVersion})
	})
}

// A result that was read before the rest of its envelope turned out to be
// wrong reaches nobody.
func TestResultIsWithheld(t *testing.T) {
	src := source(func(m map[string]*compiled.Method) { m["ping"].ResultNode = replyNode() })
	const good = `"result":{"id":"a","small":1,"list":[]}`
	rows := []struct {
		name, body string // %s is the id
		tolerance  envelope.Tolerance
		status     outcome.Status
		code       string
	}{
		{name: "id behind", body: `{` + good + `,"jsonrpc":"2.0","id":"x"}`, status: outcome.InvalidResponse, code: "id_mismatch"},
		{name: "no id", body: `{` + good + `,"jsonrpc":"2.0"}`, status: outcome.InvalidResponse, code: "id_missing"},
		{name: "version behind", body: `{"id":%s,` + good + `,"jsonrpc":"1.0"}`, status: outcome.InvalidResponse, code: "version"},
		{name: "no version", body: `{"id":%s,` + good + `}`, status: outcome.InvalidResponse, code: "version"},
		{name: "second result", body: `{"id":%s,"jsonrpc":"2.0",` + good + `,` + good + `}`, status: outcome.InvalidResponse, code: "json"},
		{name: "error behind", body: `{"id":%s,"jsonrpc":"2.0",` + good + `,"error":{"code":1,"message":""}}`, status: outcome.InvalidResponse, code: "both"},
		{name: "Result behind", body: `{"id":%s,"jsonrpc":"2.0",` + good + `,"Result":1}`, status: outcome.InvalidResponse, code: "reserved_name"},
		{name: "cut", body: `{"id":%s,"jsonrpc":"2.0",` + good, status: outcome.InvalidResponse, code: "json"},
		{name: "more", body: `{"id":%s,"jsonrpc":"2.0",` + good + `}{}`, status: outcome.InvalidResponse, code: "json"},
		{name: "repeat behind", body: `{"id":%s,"jsonrpc":"2.0",` + good + `,"x":{"a":1,"a":1}}`, status: outcome.InvalidResponse, code: "json"},
		{name: "breaks the schema and the envelope", body: `{"result":{"id":1},"jsonrpc":"2.0","id":"x"}`, status: outcome.InvalidResponse, code: "id_mismatch"},
		{name: "breaks the schema", body: `{"result":{"id":1},"jsonrpc":"2.0","id":%s}`, status: outcome.ContractViolation, code: "schema"},
		{name: "does not fit, and has no id", body: `{"result":{"id":"a","small":199},"jsonrpc":"2.0"}`, status: outcome.InvalidResponse, code: "id_missing"},
		{name: "tolerated null error", body: `{` + good + `,"jsonrpc":"2.0","error":null,"id":%s}`, tolerance: envelope.Tolerance{NullError: true}, status: outcome.OK},
		{name: "error beside a tolerated null", body: `{"result":null,"jsonrpc":"2.0","error":{"code":1,"message":""},"id":%s}`,
			tolerance: envelope.Tolerance{NullError: true}, status: outcome.JSONRPCError, code: "remote"},
		{name: "right", body: `{` + good + `,"jsonrpc":"2.0","id":%s}`, status: outcome.OK},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			s := serve(t, func(w http.ResponseWriter, r request) {
				w.Write([]byte(strings.ReplaceAll(row.body, "%s", string(r.ID))))
			})
			binding := s.binding()
			binding.Tolerance = row.tolerance
			_, c := setup(t, src, binding, code("x"), Options{})
			var end outcome.Outcome
			v, err := Call[reply](context.Background(), c, src.Method("ping"), NoParams{}, Into(&end))
			raw, rawErr := c.Do(context.Background(), "ping", nil)
			if end.Status != row.status || end.Code != row.code || (err == nil) != (row.status == outcome.OK) {
				t.Errorf("status %s, code %q, %v; want %s, %q", end.Status, end.Code, err, row.status, row.code)
			}
			if err != nil && !reflect.DeepEqual(v, reply{}) {
				t.Errorf("with %v came %+v", err, v)
			}
			if (rawErr == nil) != (err == nil) || rawErr != nil && raw != nil {
				t.Errorf("untyped: %s, %v; typed: %v", raw, rawErr, err)
			}
			if err == nil && (v.ID != "a" || string(raw) != `{"id":"a","small":1,"list":[]}`) {
				t.Errorf("got %+v, %s", v, raw)
			}
		})
	}
}

package metaschema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

func read(t *testing.T, text string) *source.File {
	t.Helper()
	f, err := source.Read("in", []byte(text), source.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// lines shows diagnostics as "line:column code pointer: message".
func lines(l diag.List) []string {
	var out []string
	for _, d := range l {
		out = append(out, fmt.Sprintf("%d:%d %s %s: %s", d.Position.Line, d.Position.Column, d.Code, d.Pointer, d.Message))
	}
	return out
}

type check struct {
	name, in string
	want     []string
}

func run(t *testing.T, f func(*source.File) diag.List, checks []check) {
	t.Helper()
	for _, c := range checks {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, lines(f(read(t, c.in)))); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}

const head = `{"openrpc":"1.2.6","info":{"title":"t","version":"1"},`

func TestOpenRPC(t *testing.T) {
	run(t, OpenRPC, []check{
		{name: "least", in: head + `"methods":[]}`},
		{name: "not an object", in: `[1]`, want: []string{
			`1:1 wrong-type : the value is array, not object`}},
		{name: "nothing in it", in: `{}`, want: []string{
			`1:1 missing-member : required: "openrpc", "info", "methods"`}},
		{name: "version", in: `{"openrpc":"2.0.0","info":{"title":"t","version":"1"},"methods":[]}`, want: []string{
			`1:12 wrong-value /openrpc: the text does not have the form ^1\.[0-4]\.[0-9]+(-[0-9A-Za-z.-]+)?$`}},
		{name: "server variable", in: head + "\n" + `"methods":[],"servers":[{"url":"/x","variables":{"a/b":{"default":1}}}]}`, want: []string{
			`2:67 wrong-type /servers/0/variables/a~1b/default: the value is number, not string`}},
		{name: "reference without more", in: head + `"methods":[{"$ref":"m.json"}]}`},
		{name: "reference of a wrong type", in: head + "\n" + `"methods":[{"$ref":1}]}`, want: []string{
			`2:20 wrong-type /methods/0/$ref: the value is number, not string`}},
		{name: "every method that looks so is told", in: head + `"methods":[` + "\n" +
			`{"name":"a","params":[],"externalDocs":{}},` + "\n" +
			`{"name":"b","params":[]},` + "\n" +
			`{"name":"c","params":[],"externalDocs":{}}]}`, want: []string{
			`2:40 missing-member /methods/0/externalDocs: required: "url"`,
			`4:40 missing-member /methods/2/externalDocs: required: "url"`}},
		{name: "schemas and values are not judged", in: head + `"methods":[{"name":"a","params":[{"name":"p","schema":{"required":5,"name":7}}],
			"examples":[{"params":[{"value":{"name":5}}]}],"errors":[{"code":1,"message":"m","data":[1e999999]}]}]}`},
		{name: "empty name", in: head + "\n" + `"methods":[{"name":"","params":[]}]}`, want: []string{
			`2:20 wrong-value /methods/0/name: the value is empty or too short`}},
		{name: "component key", in: head + "\n" + `"methods":[],"components":{"tags":{"a b":{"name":"t"}}}}`, want: []string{
			`2:36 wrong-value /components/tags/a b: the text does not have the form ^[A-Za-z0-9._-]+$`}},
		{name: "schemas that are none, among others", in: head + "\n" + `"methods":[],"components":{"schemas":{"A":{},"B":{"x":1},"c d":{},"C":7,"":{"x":1},"D":true,"E":[],"F":{}}}}`, want: []string{
			`2:58 wrong-value /components/schemas/c d: the text does not have the form ^[A-Za-z0-9._-]+$`,
			`2:71 wrong-type /components/schemas/C: the value is number, not object, boolean`,
			`2:73 wrong-value /components/schemas/: the text does not have the form ^[A-Za-z0-9._-]+$`,
			`2:97 wrong-type /components/schemas/E: the value is array, not object, boolean`}},
		{name: "data and schemas by their kinds", in: head + `"methods":[` + "\n" +
			`{"name":"a","params":[{"name":"p","schema":[]}]},` + "\n" +
			`{"name":"b","params":[{"name":"p","schema":{}}]},` + "\n" +
			`{"name":"c","params":[{"name":"p","schema":{"a":1}}]},` + "\n" +
			`{"name":"d","params":[{"name":"p","schema":null}]},` + "\n" +
			`{"name":"e","params":[{"name":"p","schema":"s"}]}]}`, want: []string{
			`2:44 wrong-type /methods/0/params/0/schema: the value is array, not object, boolean`,
			`5:44 wrong-type /methods/3/params/0/schema: the value is null, not object, boolean`,
			`6:44 wrong-type /methods/4/params/0/schema: the value is string, not object, boolean`}},
		{name: "number beyond the guard", in: head + "\n" + `"methods":[{"name":"a","params":[],"errors":[{"code":1e1000000,"message":"m"}]}]}`, want: []string{
			`2:54 number-out-of-bounds /methods/0/errors/0/code: the number has more than 64 digits or an exponent beyond 400`}},
		{name: "one of descriptors", in: head + `"methods":[{"name":"a","params":[{"oneOf":[{"name":"x","schema":true},{"$ref":"#/x"}]}]}]}`},
	})
}

func TestConfig(t *testing.T) {
	run(t, Config, []check{
		{name: "full", in: `
version: "1"
contracts:
  billing:
    document: contracts/billing.openrpc.json
    amendment: contracts/billing.amend.yaml
    kind: openrpc
    package: internal/billing
    server: https://billing.example.com/rpc
    origin: https://docs.example.com/billing/openrpc.json
    include: ["invoice.*"]
    root: contracts
    undecided: warn
    refused: fail
    text: allow
`},
		{name: "slips", in: `
version: "2"
contracts:
  Billing:
    document: a.json
    packge: b
    undecided: perhaps
`, want: []string{
			`2:10 wrong-value /version: the value is none of: 1`,
			`4:3 wrong-value /contracts/Billing: the text does not have the form ^[a-z][a-z0-9_]{0,63}$`,
			`5:5 missing-member /contracts/Billing: required: "package"`,
			`6:5 unknown-member /contracts/Billing/packge: the member "packge" is not known here`,
			`7:16 wrong-value /contracts/Billing/undecided: the value is none of: allow, warn, fail`,
		}},
	})
}

func TestAmendment(t *testing.T) {
	pin := "w:" + strings.Repeat("A", 43) + " r:" + strings.Repeat("-", 43)
	run(t, Amendment, []check{
		{name: "full", in: `
version: "1"
contract: billing
review: {by: ops, on: "2026-11-30", until: "2027-05-31"}
profiles:
  lookup: {effect: read, code: allow, agents: allow, flow: {returns: confidential}}
  money:  {effect: write, code: allow, agents: ask, rollback: {class: reversible}}
methods:
  "invoice.get": {use: lookup, pin: "` + pin + `"}
  "invoice.pay":
    pin: "` + pin + `"
    use: money
    idempotency: {key: /request_id}
    read_back: {method: invoice.get, map: {invoice_id: /result/id}}
    agents: {allow_if: {properties: {amount: {maximum: 50}}}, otherwise: ask}
    budget: {calls: 20, per: 24h}
  "account.erase":
    pin: "` + pin + `"
    effect: destructive
    right: execute
    code: deny
    agents: ask
    rollback: {class: irreversible}
    reason: "GDPR erasure"
  "admin.wipe": {refused: "never from here"}
corrections:
  - at: "#/methods/invoice.get/result/schema/properties/total"
    was: {type: string}
    now: {type: number}
    reason: "the service sends numbers"
`},
		{name: "slips", in: `
version: "1"
contract: billing
methods:
  a: {effect: wreck, pin: "w:x"}
  b: {efect: read}
  c: {use: x, agents: {allow_if: {a: 1}, otherwise: allow}}
  d: {use: x, agents: perhaps, budget: {calls: 0, per: 24h}}
corrections: [{at: nowhere}]
`, want: []string{
			`5:15 wrong-value /methods/a/effect: the value is none of: read, write, destructive`,
			`5:27 wrong-value /methods/a/pin: the text does not have the form ^w:[A-Za-z0-9_-]{43} r:[A-Za-z0-9_-]{43}$`,
			`6:6 missing-member /methods/b: required: "effect"`,
			`6:7 unknown-member /methods/b/efect: the member "efect" is not known here`,
			`7:53 wrong-value /methods/c/agents/otherwise: the value is none of: ask, deny`,
			`8:23 wrong-value /methods/d/agents: the value is none of: allow, ask, deny`,
			`8:48 wrong-value /methods/d/budget/calls: the value does not fit "minimum" of the schema`,
			`9:15 missing-member /corrections/0: required: "now"`,
			`9:15 missing-member /corrections/0: required: "reason"`,
			`9:20 wrong-value /corrections/0/at: the text does not have the form ^([^#\\:%?/][^#\\:%?]*)?#(/([^~/]|~[01])*)+$`,
		}},
	})
}

// A value of the document must not stand in a message: it may be a secret.
func TestMessagesHoldNoValues(t *testing.T) {
	f := read(t, `{"openrpc":"hunter2","info":{"title":["hunter2"],"version":"1"},"methods":[{"name":"m","params":[],"paramStructure":"hunter2"}]}`)
	list := OpenRPC(f)
	if len(list) != 3 {
		t.Errorf("got %d findings, want 3: %q", len(list), lines(list))
	}
	for _, d := range list {
		if strings.Contains(d.Message, "hunter2") {
			t.Errorf("message %q holds a value", d.Message)
		}
	}
}

// An unresolved reference would be taken as satisfied, one to the network followed.
func TestCompileRefusesOpenReferences(t *testing.T) {
	for _, ref := range []string{"#/$defs/none", "https://schemas.example.com/x.json", "file:///etc/passwd", "urn:x"} {
		if _, err := compile(fmt.Appendf(nil, `{"properties":{"a":{"$ref":%q}}}`, ref)); err == nil {
			t.Errorf("compile with $ref %q succeeded", ref)
		}
	}
}

func TestConcurrentUse(t *testing.T) {
	f := read(t, head+`"methods":[{"name":"","params":[]}],"components":{"tags":{"a b":{}}}}`)
	want := lines(OpenRPC(f))
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			if diff := cmp.Diff(want, lines(OpenRPC(f))); diff != "" {
				t.Errorf("findings differ (-want +got):\n%s", diff)
			}
		})
	}
	group.Wait()
}

// The view that the engine sees must not grow with schemas, examples or the
// number of methods that look alike.
func TestViewIsSmall(t *testing.T) {
	var b bytes.Buffer
	b.WriteString(head + `"methods":[`)
	for i := range 2000 {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"name":"m%d","params":[{"name":"p","schema":{"type":"object","properties":{"a%d":{"type":"string"}}}}],
			"examples":[{"name":"e","params":[{"name":"p","value":{"a":%d}}]}]}`, i, i, i)
	}
	b.WriteString(`],"components":{"schemas":{`)
	for i := range 2000 {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `"S%d":{"type":"string"}`, i)
	}
	b.WriteString(`}}}`)
	v := reduceOpenRPC(read(t, b.String()).Root)
	small, err := json.Marshal(v.value)
	if err != nil {
		t.Fatal(err)
	}
	if len(small) > 400 {
		t.Errorf("the view of %d bytes has %d bytes: %.200s", b.Len(), len(small), small)
	}
}

func TestComplement(t *testing.T) {
	f := read(t, `{"a":1,"b":{"c":2}}`)
	a, b := f.Root.Get("a"), f.Root.Get("b")
	have := diag.List{diag.At(a, "x", "told"), diag.Noted(b, "y", "a note counts for nothing")}
	found := diag.List{diag.At(a, "z", "again"), diag.At(b, "z", "new"), diag.At(b.Get("c"), "z", "new")}
	got := lines(Complement(have, found))
	want := []string{"1:12 z /b: new", "1:17 z /b/c: new"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Complement (-want +got):\n%s", diff)
	}
}

func FuzzOpenRPC(f *testing.F) {
	f.Add([]byte(head + `"methods":[{"name":"a","params":[{"name":"p","schema":true}]}]}`))
	f.Add([]byte(`{"methods":[[],{"$ref":null},{"errors":[{"code":1e9999}]}],"components":{"schemas":[]}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		file, err := source.Read("in", b, source.Limits{Bytes: 1 << 16, Depth: 40, Nodes: 5000})
		if err != nil {
			return
		}
		for _, d := range OpenRPC(file) {
			if n, err := file.Root.At(d.Pointer); err != nil || n == nil {
				t.Errorf("finding at %q, which is no place of the document", d.Pointer)
			}
			if d.Position.Line < 1 {
				t.Errorf("finding %q has no line", d.Code)
			}
		}
	})
}

func BenchmarkOpenRPC(b *testing.B) {
	path := filepath.Join("../../../../shared/corpus/openrpc/ethereum-execution-apis/openrpc.json")
	text, err := os.ReadFile(path)
	if err != nil {
		b.Skip("corpus not present")
	}
	f, err := source.Read("openrpc.json", text, source.Limits{})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		OpenRPC(f)
	}
}

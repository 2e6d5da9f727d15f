package compiled

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"

	"github.com/openrpc-go/rpcgen/runtime/effect"
	"github.com/openrpc-go/rpcgen/runtime/internal/scan"
	"github.com/openrpc-go/rpcgen/runtime/schema"
)

// billing is a small contract that has one of everything a reader meets.
func billing() *Contract {
	money := &schema.Node{ID: "Money", Types: schema.TypeNumber, Number: &schema.NumberRules{Minimum: "0.00"}}
	id := &schema.Node{ID: "invoice.get/params/id", Types: schema.TypeString}
	invoice := &schema.Node{ID: "Invoice", Types: schema.TypeObject | schema.TypeNull}
	lines := &schema.Node{ID: "Invoice/lines", Types: schema.TypeArray, Array: &schema.ArrayRules{Items: invoice}}
	invoice.Object = &schema.ObjectRules{Properties: []schema.Property{
		{Name: "total", Required: true, Node: money},
		{Name: "lines", Node: lines},
		{Name: "note", Node: &schema.Node{ID: "Invoice/note", Types: schema.TypeString}},
	}, Required: []string{"kind"}}
	params := &schema.Node{ID: "invoice.get/params", Types: schema.TypeObject, Object: &schema.ObjectRules{
		Properties: []schema.Property{{Name: "id", Required: true, Node: id}},
		Additional: &schema.Node{ID: "invoice.get/params/*", Never: true},
	}}
	return &Contract{
		Header: Header{Format: Generation, ID: "billing", Protocol: "jsonrpc", Title: "Billing \u202e", Document: Source{"openrpc", "1.2.6", "sha256:00"}, Digest: "sha256:11"},
		Methods: []*Method{
			{
				Name: "invoice.get", ID: "invoice_get", GoName: "GetInvoice", Digests: Digests{"sha256:a", "sha256:b", "sha256:c", "sha256:d"},
				Params: []Param{{"id", true}}, ParamsNode: params, ResultNode: invoice,
				Errors: []Error{{Code: -32001, Message: "gone", Data: money}, {Code: -32002}},
				Authority: Authority{State: Open, Effect: effect.Read, Right: effect.RightRead, Code: effect.Allow, Agents: effect.Allow,
					Flow: effect.Flow{Sends: effect.Public, Returns: effect.Secret}, Rollback: effect.Rollback{Class: effect.RollbackNotRequired}},
			},
			{Name: "a.first", ID: "a_first", Notification: true, Authority: Authority{State: Undecided}},
			{Name: "z.broken", ID: "z_broken", Authority: Authority{State: Uncompiled}, Diagnostics: []Diagnostic{{"dangling-ref", "/methods/2", "no such component"}}},
		},
	}
}

var rewrite = flag.Bool("rewrite", false, "rewrite the files in testdata")

// TestMarshal keeps the bytes of one contract: a generated package embeds them.
func TestMarshal(t *testing.T) {
	b, err := Marshal(billing())
	if err != nil {
		t.Fatal(err)
	}
	const golden = "testdata/billing.json"
	if *rewrite {
		if err := os.WriteFile(golden, b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.ReplaceAll(string(want), "\r", ""), string(b)); diff != "" {
		t.Errorf("-%s +Marshal\n%s", golden, diff)
	}
	for range 20 {
		again, err := Marshal(billing())
		if err != nil || !bytes.Equal(again, b) {
			t.Fatalf("Marshal gave other bytes: %v\n%s\n%s", err, again, b)
		}
	}
}

// TestLayout holds the lines: nothing wider than the columns that could have
// been broken up, and nothing broken up that would have fitted.
func TestLayout(t *testing.T) {
	wide := strings.Repeat("x", 89)
	for _, tt := range []struct{ compact, want string }{
		{`{}`, `{}`},
		{`{"a":1}`, "{\n \"a\": 1\n}"},
		{`{"a":{},"b":[]}`, "{\n \"a\": {},\n \"b\": []\n}"},
		{`{"a":{"b":{"c":[1,2]}}}`, "{\n \"a\": {\n  \"b\": {\"c\":[1,2]}\n }\n}"},
		{`{"a":{"b":["` + wide + `"]}}`, "{\n \"a\": {\n  \"b\": [\"" + wide + "\"]\n }\n}"},
		{`{"a":{"b":["` + wide + `",1]}}`, "{\n \"a\": {\n  \"b\": [\n   \"" + wide + "\",\n   1\n  ]\n }\n}"},
		{`{"a":"` + wide + wide + `"}`, "{\n \"a\": \"" + wide + wide + "\"\n}"},
		{`{"a":"\\ } ] , :"}`, "{\n \"a\": \"\\\\ } ] , :\"\n}"},
		{"{\"a\u202e\":\"\u200b\u00ad\U000E0001\u007f\u00e9\U0001F600\"}", "{\n \"a\\u202e\": \"\\u200b\\u00ad\\udb40\\udc01\\u007f\u00e9\U0001F600\"\n}"},
	} {
		if got := string(layout(nil, []byte(tt.compact))); got != tt.want {
			t.Errorf("layout(%s) is\n%s\nwant\n%s", tt.compact, got, tt.want)
		}
	}
}

func TestRoundTrip(t *testing.T) {
	want := billing()
	b, err := Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	for _, spelling := range [][]byte{b, bytes.ReplaceAll(b, []byte("\n"), []byte("\r\n"))} {
		f, err := Read(spelling)
		if err != nil {
			t.Fatal(err)
		}
		got, err := f.Contract()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("-written +read\n%s", diff)
		}
		if Digest(spelling) != Digest(b) {
			t.Errorf("the digest depends on line ends")
		}
	}
	if other := bytes.Replace(b, []byte("GetInvoice"), []byte("GetInvoicf"), 1); Digest(other) == Digest(b) {
		t.Errorf("another name has the same digest")
	}
}

// fill sets every field below v to something, so that a field that Marshal
// does not know is missing after a round trip.
func fill(v reflect.Value, r *rand.Rand, nodes []*schema.Node) {
	switch v.Interface().(type) {
	case schema.Types:
		v.SetUint(1 + r.Uint64N(127))
		return
	case *schema.Node:
		v.Set(reflect.ValueOf(nodes[r.IntN(len(nodes))]))
		return
	case schema.Pattern:
		s := fmt.Sprint("^", r.IntN(9))
		v.Set(reflect.ValueOf(schema.Pattern{Source: s, RE2: s + strings.Repeat("x", r.IntN(2))}))
		return
	case schema.NumberRules:
		for i := range v.NumField() {
			v.Field(i).SetString(fmt.Sprintf("%d.5e%d", r.IntN(1000)-500, r.IntN(20)))
		}
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(true)
	case reflect.String:
		v.SetString(fmt.Sprintf("t/~\u202e\U0001F600\"%d", r.IntN(1_000_000)))
	case reflect.Uint64:
		v.SetUint(r.Uint64())
	case reflect.Pointer:
		p := reflect.New(v.Type().Elem())
		fill(p.Elem(), r, nodes)
		v.Set(p)
	case reflect.Slice:
		list := reflect.MakeSlice(v.Type(), 1+r.IntN(3), 3)
		for i := range list.Len() {
			fill(list.Index(i), r, nodes)
		}
		v.Set(list)
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), r, nodes)
		}
	default:
		panic(fmt.Sprintf("no value for a field of type %v: teach the test", v.Type()))
	}
}

// filledNode sets the fields of n with some chance each, or all of them.
func filledNode(n *schema.Node, r *rand.Rand, nodes []*schema.Node, all bool) {
	id := n.ID
	v := reflect.ValueOf(n).Elem()
	for i := range v.NumField() {
		if all || r.IntN(4) == 0 {
			fill(v.Field(i), r, nodes)
		}
	}
	n.ID = id
	if n.Enum != nil {
		n.Enum = []string{`{"a":[1,"` + strings.Repeat("x", r.IntN(150)) + `"]}`, "\"\u200b\"", "null"}
	}
	if o := n.Object; o != nil { // names are unique, and these are sorted
		for i := range o.Properties {
			o.Properties[i].Name = fmt.Sprintf("p%d", i)
			o.Properties[i].Required = r.IntN(2) == 0
		}
		for i := range o.DependentSchemas {
			o.DependentSchemas[i].Required = false // says nothing there
		}
	}
}

func randomContract(seed uint64, all bool) *Contract {
	r := rand.New(rand.NewPCG(seed, 7))
	nodes := make([]*schema.Node, 1+r.IntN(30))
	for i := range nodes {
		nodes[i] = &schema.Node{ID: fmt.Sprintf("a.b/%d", i)}
		if r.IntN(3) == 0 {
			nodes[i].ID = fmt.Sprintf("Component%d", i)
		}
	}
	for _, n := range nodes {
		filledNode(n, r, nodes, all)
	}
	c := &Contract{Header: Header{Format: Generation, ID: "x"}}
	for i := range 1 + r.IntN(4) {
		c.Methods = append(c.Methods, &Method{Name: fmt.Sprint("m", i), ParamsNode: nodes[r.IntN(len(nodes))], ResultNode: nodes[r.IntN(len(nodes))]})
	}
	return c
}

// TestEveryField fails when a field of schema.Node is not written or not read:
// all of them are set, by reflection.
func TestEveryField(t *testing.T) {
	for seed := range uint64(200) {
		for _, all := range []bool{true, false} {
			checkGraph(t, seed, randomContract(seed, all))
		}
	}
}

func checkGraph(t *testing.T, seed uint64, want *Contract) {
	t.Helper()
	b, err := Marshal(want)
	if err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	f, err := Read(b)
	if err != nil {
		t.Fatalf("seed %d: %v\n%s", seed, err, b)
	}
	got, err := f.Contract()
	if err != nil {
		t.Fatalf("seed %d: %v\n%s", seed, err, b)
	}
	again, err := Marshal(got)
	if err != nil || !bytes.Equal(again, b) {
		t.Fatalf("seed %d: what was read is written differently: %v\n%s\n%s", seed, err, b, again)
	}
	same := map[*schema.Node]*schema.Node{}
	for i, m := range want.Methods {
		checkNode(t, fmt.Sprint("seed ", seed), same, reflect.ValueOf(m.ParamsNode), reflect.ValueOf(got.Methods[i].ParamsNode))
		checkNode(t, fmt.Sprint("seed ", seed), same, reflect.ValueOf(m.ResultNode), reflect.ValueOf(got.Methods[i].ResultNode))
	}
}

// checkNode compares two graphs; same maps the nodes of one to the other's, so
// that sharing and cycles are compared too.
func checkNode(t *testing.T, at string, same map[*schema.Node]*schema.Node, a, b reflect.Value) {
	t.Helper()
	if x, ok := a.Interface().(*schema.Node); ok && x != nil {
		y := b.Interface().(*schema.Node)
		if known := same[x]; known != nil {
			if known != y {
				t.Fatalf("%s: node %q was read twice", at, x.ID)
			}
			return
		}
		same[x] = y
	}
	switch a.Kind() {
	case reflect.Pointer:
		if a.IsNil() != b.IsNil() {
			t.Fatalf("%s: %v became %v", at, a, b)
		}
		if !a.IsNil() {
			checkNode(t, at, same, a.Elem(), b.Elem())
		}
	case reflect.Struct:
		for i := range a.NumField() {
			checkNode(t, at+"."+a.Type().Field(i).Name, same, a.Field(i), b.Field(i))
		}
	case reflect.Slice:
		if a.Len() != b.Len() {
			t.Fatalf("%s: %v became %v", at, a, b)
		}
		for i := range a.Len() {
			checkNode(t, fmt.Sprintf("%s[%d]", at, i), same, a.Index(i), b.Index(i))
		}
	default:
		if !a.Equal(b) {
			t.Fatalf("%s: %v became %v", at, a, b)
		}
	}
}

func TestMarshalRefuses(t *testing.T) {
	node := func(id string) *schema.Node { return &schema.Node{ID: id} }
	with := func(n *schema.Node) *Contract { return &Contract{Methods: []*Method{{Name: "m", ResultNode: n}}} }
	deep := node("deep")
	for n, i := deep, 0; i < 1100; i++ {
		n.Not = node("deep/not")
		n = n.Not
	}
	for _, tt := range []struct {
		name string
		c    *Contract
		want string
	}{
		{"format", &Contract{Header: Header{Format: 2}}, "format 2"},
		{"method twice", &Contract{Methods: []*Method{{Name: "m"}, {Name: "m"}}}, `called "m"`},
		{"no id", with(node("")), "no id"},
		{"id twice", &Contract{Methods: []*Method{{Name: "m", ParamsNode: node("A"), ResultNode: node("A")}}}, `the id "A"`},
		{"nested too deep", with(deep), "deeper than"},
		{"not a number", with(&schema.Node{ID: "A", Number: &schema.NumberRules{Maximum: "1,2"}}), "maximum"},
		{"number over the limits", with(&schema.Node{ID: "A", Number: &schema.NumberRules{Maximum: "1e999"}}), "maximum"},
		{"enum not canonical", with(&schema.Node{ID: "A", Enum: []string{"1.0"}}), "not canonical"},
		{"enum not JSON", with(&schema.Node{ID: "A", Enum: []string{"x"}}), "enum"},
		{"invalid UTF-8", with(&schema.Node{ID: "A", String: &schema.StringRules{Format: "\xff"}}), "UTF-8"},
		{"invalid UTF-8 in an id", with(node("\xff")), "UTF-8"},
		{"invalid UTF-8 in a title", &Contract{Header: Header{Title: "\xff"}}, "UTF-8"},
		{"unknown type bit", with(&schema.Node{ID: "A", Types: 128}), "type bits"},
	} {
		if _, err := Marshal(tt.c); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want one with %q", tt.name, err, tt.want)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	const header = `{"rpcgen":1,"contract":"x","protocol":"jsonrpc","document":{"kind":"openrpc","version":"1","digest":""},"digest":"",`
	method := func(schema string) string {
		return header + `"methods":[{"name":"m","id":"m","digests":{"wire":"","result":"","text":"","doc":""},"authority":{"state":"undecided"},"result_schema":"A"}],"schemas":{"A":` + schema + `}}`
	}
	if f, err := Read([]byte(method(`{"type":"string"}`))); err != nil {
		t.Fatal(err)
	} else if _, err := f.Method("m"); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, in string }{
		{"empty", ``},
		{"array", `[]`},
		{"no sections", header + `"methods":[]}`},
		{"cut", method(`{}`)[:250]},
		{"trailing data", method(`{}`) + `1`},
		{"other format", strings.Replace(method(`{}`), `"rpcgen":1`, `"rpcgen":2`, 1)},
		{"no format", strings.Replace(method(`{}`), `"rpcgen":1,`, ``, 1)},
		{"unknown header member", strings.Replace(method(`{}`), `"digest":"",`, `"digest":"","extra":1,`, 1)},
		{"header in other case", strings.Replace(method(`{}`), `"contract"`, `"Contract"`, 1)},
		{"section twice", strings.Replace(method(`{}`), `"methods"`, `"schemas":{},"methods"`, 1)},
		{"method without a name first", header + `"methods":[{"id":"m","name":"m"}],"schemas":{}}`},
		{"method twice", header + `"methods":[{"name":"m"},{"name":"m"}],"schemas":{}}`},
		{"unknown method member", strings.Replace(method(`{}`), `"id":"m"`, `"id":"m","extra":1`, 1)},
		{"schemas out of order", header + `"methods":[],"schemas":{"B":{},"A":{}}}`},
		{"schema twice", header + `"methods":[],"schemas":{"A":{},"A":{}}}`},
		{"no such schema", strings.Replace(method(`{}`), `"A":`, `"B":`, 1)},
		{"no such node", method(`{"not":{"$node":"B"}}`)},
		{"reference with more", method(`{"not":{"$node":"A","type":"string"}}`)},
		{"unknown member", method(`{"minimun":1}`)},
		{"member twice", method(`{"minimum":1,"minimum":1}`)},
		{"members out of order", method(`{"maximum":1,"minimum":1}`)},
		{"flag false", method(`{"never":false}`)},
		{"null", method(`{"format":null}`)},
		{"empty text", method(`{"format":""}`)},
		{"count below zero", method(`{"minLength":-1}`)},
		{"number as text", method(`{"minimum":"1"}`)},
		{"number over the limits", method(`{"minimum":1e999}`)},
		{"unknown type", method(`{"type":"strinq"}`)},
		{"types out of order", method(`{"type":["string","null"]}`)},
		{"one type as a list", method(`{"type":["string"]}`)},
		{"required out of order", method(`{"properties":{"a":{},"b":{}},"required":["b","a"]}`)},
		{"pattern twice", method(`{"pattern":{"source":"a","re2":"a"}}`)},
		{"schema is an array", method(`[]`)},
		{"invalid UTF-8", method("{\"format\":\"\xff\"}")},
		{"nested too deep", method(strings.Repeat(`{"not":`, 20_000) + `{}` + strings.Repeat(`}`, 20_000))},
	} {
		f, err := Read([]byte(tt.in))
		if err == nil {
			_, err = f.Contract()
		}
		if err == nil {
			t.Errorf("%s: no error for %.300s", tt.name, tt.in)
		}
	}
}

func TestMethod(t *testing.T) {
	b, err := Marshal(billing())
	if err != nil {
		t.Fatal(err)
	}
	f, err := Read(b)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"invoice.get", "a.first", "z.broken"}, f.MethodNames()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(billing().Header, f.Header()); diff != "" {
		t.Error(diff)
	}
	if m, err := f.Method("invoice.Get"); err == nil {
		t.Errorf("found %v", m)
	}
	if _, err := f.Method("a.first"); err != nil || len(f.node) != 0 {
		t.Errorf("a method without schemas read %d: %v", len(f.node), err)
	}
	var wait sync.WaitGroup
	got := make([]*Method, 16)
	for i := range got {
		wait.Go(func() { got[i], _ = f.Method("invoice.get") })
	}
	wait.Wait()
	for _, m := range got {
		if m == nil || m != got[0] {
			t.Errorf("Method gave %v and %v", m, got[0])
		}
	}
}

// TestDamageStaysOut shows that a method with a damaged schema leaves nothing
// behind that another one would find.
func TestDamageStaysOut(t *testing.T) {
	c := billing()
	b, err := Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	f, err := Read(bytes.Replace(b, []byte(`"minimum"`), []byte(`"minimun"`), 1))
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if m, err := f.Method("invoice.get"); err == nil {
			t.Errorf("read %v", m)
		}
	}
	if len(f.node) != 0 {
		t.Errorf("kept %d schemas", len(f.node))
	}
}

func FuzzRead(f *testing.F) {
	for seed := range uint64(2) {
		b, err := Marshal(randomContract(seed, seed%2 == 0))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	b, _ := Marshal(billing())
	f.Add(b)
	f.Fuzz(func(t *testing.T, b []byte) {
		file, err := Read(b)
		if err != nil {
			return
		}
		c, err := file.Contract()
		if err != nil {
			return
		}
		out, err := Marshal(c)
		if err != nil {
			return // two schemas within others share an id that Marshal would need
		}
		if again, err := Read(out); err != nil {
			t.Fatalf("%v\n%s", err, out)
		} else if _, err := again.Contract(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	})
}

// TestMarshalInPieces holds what is laid out entry by entry against the layout of
// the whole.
func TestMarshalInPieces(t *testing.T) {
	contracts := []*Contract{{Header: Header{ID: "none"}}, {Header: Header{ID: "one"}, Methods: []*Method{{Name: "m"}}}, billing()}
	for seed := range uint64(50) {
		contracts = append(contracts, randomContract(seed, false))
	}
	for _, c := range contracts {
		got, err := Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		if want := string(layout(nil, compact(t, c))) + "\n"; string(got) != want {
			t.Errorf("%s in pieces is\n%s\nwant\n%s", c.ID, got, want)
		}
	}
}

// compact is the whole file on one line, before anything is escaped for people.
func compact(t *testing.T, c *Contract) []byte {
	t.Helper()
	header, err := marshalHeader(c.Header)
	if err != nil {
		t.Fatal(err)
	}
	out := append(header[:len(header)-1], `,"methods":[`...)
	for i, m := range c.Methods {
		var s methodSection
		s.set(m)
		b, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		out = append(separate(out, i), b...)
	}
	out = append(out, `],"schemas":{`...)
	e := newEncoder(c.Methods)
	slices.SortFunc(e.entries, func(a, b *schema.Node) int { return strings.Compare(a.ID, b.ID) })
	for i, n := range e.entries {
		out = append(scan.AppendQuote(separate(out, i), n.ID), ':')
		if out, err = e.body(out, n, n.ID); err != nil {
			t.Fatal(err)
		}
	}
	return append(out, "}}"...)
}

func TestMarshalWithOthers(t *testing.T) {
	s, err := MarshalSchemas(billing().Methods[1:])
	if err != nil {
		t.Fatal(err)
	}
	if _, err := MarshalWith(billing(), s); err == nil {
		t.Error("a contract took the schemas of fewer methods")
	}
}

package amendment_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/openrpc-go/rpcgen/compiler/internal/amendment"
	"github.com/openrpc-go/rpcgen/compiler/internal/contract"
	"github.com/openrpc-go/rpcgen/compiler/internal/correct"
	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/openrpc"
	"github.com/openrpc-go/rpcgen/compiler/internal/pin"
	"github.com/openrpc-go/rpcgen/compiler/internal/reference"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
	"github.com/openrpc-go/rpcgen/compiler/schema"
	"github.com/openrpc-go/rpcgen/runtime/compiled"
	rt "github.com/openrpc-go/rpcgen/runtime/schema"
)

// payments is a document whose schemas have what the members of an entry can
// be wrong about.
const payments = `{
  "openrpc": "1.3.2", "info": {"title": "Payments", "version": "1"},
  "methods": [
    {"name": "invoice.get", "paramStructure": "by-name",
     "params": [{"name": "invoice_id", "required": true, "schema": {"type": "string"}}, {"name": "full", "schema": {"type": "boolean"}}],
     "result": {"name": "r", "schema": {"type": "object", "properties": {"total": {"type": "number"}, "count": {"type": "integer"}}}}},
    {"name": "invoice.pay",
     "params": [
       {"name": "request_id", "required": true, "schema": {"type": "string"}},
       {"name": "amount", "required": true, "schema": {"type": "number"}},
       {"name": "currency", "required": true, "schema": {"enum": ["EUR", "USD"]}},
       {"name": "tip", "schema": {"type": "number"}},
       {"name": "note", "required": true, "schema": {"type": ["string", "null"]}},
       {"name": "target", "required": true, "schema": {"$ref": "#/components/schemas/Target"}},
       {"name": "lines", "required": true, "schema": {"type": "array", "items": {"type": "object", "required": ["price"], "properties": {"price": {"type": "number"}, "sku": {"type": "string"}}}}},
       {"name": "free", "required": true, "schema": {"type": "object"}}],
     "result": {"name": "r", "schema": {"type": "object", "required": ["id"], "properties": {"id": {"type": "string"}, "paid": {"type": "number"}, "n": {"type": "integer"}}}}},
    {"name": "invoice.tell", "params": []},
    {"name": "ping", "summary": "Answers.", "params": [], "result": {"name": "r", "schema": {"type": "string"}}}
  ],
  "components": {"schemas": {"Target": {"oneOf": [
    {"type": "object", "required": ["iban"], "properties": {"iban": {"type": "string"}}, "additionalProperties": false},
    {"type": "object", "required": ["card"], "properties": {"card": {"type": "string"}}, "additionalProperties": false}]}}}
}`

// stages reads a document as the compiler does.
func stages(t testing.TB, document string, keep func(string) bool) (*contract.Contract, *schema.Graph, []compiled.Digests) {
	t.Helper()
	f, err := source.Read("payments.json", []byte(document), source.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	refs := reference.New(f, reference.Options{})
	c, found := openrpc.Read("payments", f, refs)
	if c == nil {
		t.Fatal(found)
	}
	if keep != nil {
		c = contract.Select(c, keep)
	}
	g := schema.NewGraph(refs, c.Dialect)
	c = contract.Resolve(c, g)
	return c, g, pin.Digests(c, g)
}

var placeholder = regexp.MustCompile(`(PIN|TEXT)\(([^)]*)\)`)

// joinText joins an amendment whose PIN(name) stands for the pin of a method.
func joinText(t testing.TB, document, text string, keep func(string) bool) (*amendment.Joined, diag.List) {
	t.Helper()
	c, g, digests := stages(t, document, keep)
	text = placeholder.ReplaceAllStringFunc(text, func(s string) string {
		m := placeholder.FindStringSubmatch(s)
		i := slices.IndexFunc(c.Methods, func(method *contract.Method) bool { return method.Name == m[2] })
		switch {
		case i < 0:
			return "w:" + strings.Repeat("A", 43) + " r:" + strings.Repeat("A", 43)
		case m[1] == "TEXT":
			return pin.OfText(digests[i])
		default:
			return pin.Of(digests[i])
		}
	})
	f, err := source.ReadOwn("a.yaml", []byte(text), source.Limits{}, correct.Nulls)
	if err != nil {
		t.Fatalf("%s\n%v", text, err)
	}
	a, faults := amendment.Read(f)
	if a == nil {
		t.Fatalf("%s\n%v", text, faults)
	}
	return amendment.Join(c, g, digests, a)
}

const payHead = `version: "1"
contract: payments
methods:
  "invoice.get": {effect: read, pin: "PIN(invoice.get)"}
`

// payEntry is an amendment with an entry for invoice.pay that has the members.
func payEntry(members string) string {
	return payHead + "  \"invoice.pay\":\n    pin: \"PIN(invoice.pay)\"\n    effect: write\n    " + members + "\n"
}

// codesOf lists the codes of diagnostics but those that say what no runtime
// enforces yet.
func codesOf(l diag.List) string {
	var codes []string
	for _, d := range l {
		if d.Code != amendment.NotEnforced {
			codes = append(codes, d.Code)
		}
	}
	return strings.Join(codes, " ")
}

func TestTypeCheckedMembers(t *testing.T) {
	tests := []struct{ members, want string }{
		{`idempotency: {key: /request_id}`, ""},
		{`idempotency: {key: /note}`, ""},
		{`idempotency: {key: /free/anything}`, ""},
		{`idempotency: {key: /target/iban}`, ""},
		{`idempotency: {key: /request}`, amendment.BadPlace},
		{`idempotency: {key: /amount}`, amendment.BadPlace},
		{`idempotency: {key: /target/bic}`, amendment.BadPlace},
		{`idempotency: {key: /request_id/x}`, amendment.BadPlace},

		{`exact: [/params/amount, /result/paid, "/params/lines/*/price", /params/lines/0/price]`, ""},
		{`exact: [/result/n]`, amendment.BadPlace},
		{`exact: [/result/id]`, amendment.BadPlace},
		{`exact: [/result/payed, /params/x]`, amendment.BadPlace + " " + amendment.BadPlace},
		{`exact: [/params/lines/x/price]`, amendment.BadPlace},

		{`read_back: {method: invoice.get, map: {invoice_id: /result/id}}`, ""},
		{`read_back: {method: invoice.get, map: {invoice_id: /params/request_id}}`, ""},
		{`read_back: {method: invoice.get, map: {invoice_id: /result/id, full: /params/free/x}}`, ""},
		{`read_back: {method: invoice.get, map: {invoice_id: /result/paid}}`, amendment.BadReadBack},
		{`read_back: {method: invoice.get, map: {invoice_id: /result/ident}}`, amendment.BadPlace},
		{`read_back: {method: invoice.get, map: {id: /result/id}}`, amendment.BadReadBack + " " + amendment.BadReadBack},
		{`read_back: {method: invoice.get, map: {full: /params/amount, invoice_id: /result/id}}`, amendment.BadReadBack},
		{`read_back: {method: invoice.gett, map: {invoice_id: /result/id}}`, amendment.BadReadBack},
		{`read_back: {method: ping, map: {x: /result/id}}`, amendment.BadReadBack},
		{`read_back: {method: invoice.pay, map: {x: /result/id}}`, amendment.BadReadBack},

		{`params: omit`, amendment.BadPlace},
		{`param_structure: by-position`, amendment.UncompiledEntry}, // tip cannot be left out
		{`param_structure: by-name`, ""},
		{`id: pay_it`, ""},
		{`id: invoice_get`, amendment.NameTaken},
		{`go_name: Pay`, ""},
		{`text: "TEXT(invoice.pay)"`, ""},
		{`text: "TEXT(ping)"`, amendment.TextMoved},
	}
	for _, tt := range tests {
		_, faults := joinText(t, payments, payEntry(tt.members), nil)
		if got := codesOf(faults); got != tt.want {
			t.Errorf("%s: got %q, want %q: %v", tt.members, got, tt.want, faults)
		}
		for _, d := range faults {
			if d.Position.Line == 0 || d.Position.File.Name != "a.yaml" {
				t.Errorf("%s: %s has no place in the amendment", tt.members, d.Code)
			}
		}
	}
}

// TestRules: a rule must look at all that it lets through.
func TestRules(t *testing.T) {
	const bad = amendment.BadRule
	tests := []struct{ rule, want string }{
		{`{properties: {amount: {maximum: 50}}}`, ""},
		{`{properties: {amount: {type: number, maximum: 50}, currency: {const: EUR}}}`, ""},
		{`{properties: {currency: {enum: [EUR]}}, additionalProperties: false}`, ""},
		{`{properties: {tip: {maximum: 5}}, required: [tip]}`, ""},
		{`{properties: {tip: false}}`, ""},
		{`{properties: {note: {type: string, maxLength: 20}}}`, ""},
		{`{properties: {lines: {maxItems: 3, items: {properties: {price: {maximum: 1}}}}}}`, ""},
		{`{properties: {target: {properties: {iban: {pattern: "^DE"}}, required: [iban]}}}`, ""},
		{`{properties: {free: {properties: {dry_run: {const: true}}, required: [dry_run]}}}`, ""},
		{`{anyOf: [{properties: {amount: {maximum: 5}}}, {properties: {currency: {const: USD}, amount: {maximum: 7}}}]}`, ""},
		{`{if: {properties: {tip: {minimum: 1}}}, then: {properties: {amount: {maximum: 5}}}, else: {properties: {amount: {maximum: 9}}}}`, ""},
		{`{not: {properties: {currency: {const: USD}}}}`, ""},
		{`{required: [tip]}`, ""},
		{`{properties: {amount: {maximum: 50, description: "small"}}}`, ""},

		{`{properties: {amont: {maximum: 50}}}`, bad},                            // no such param
		{`{required: [amont]}`, bad},                                             // nor here
		{`{properties: {amount: {type: string}}}`, bad},                          // never
		{`{properties: {currency: {const: GBP}}}`, bad},                          // never
		{`{properties: {currency: {enum: [EUR, GBP]}}}`, bad},                    // one of them never
		{`{properties: {amount: {pattern: "^1"}}}`, bad},                         // says nothing of numbers
		{`{properties: {note: {maxLength: 5}}}`, bad},                            // nor of null
		{`{properties: {tip: {maximum: 5}}}`, bad},                               // may be left out
		{`{anyOf: [{properties: {tip: {maximum: 5}}}]}`, bad},                    // there too
		{`{properties: {lines: {items: {properties: {sku: {const: a}}}}}}`, bad}, // in every element
		{`{properties: {lines: {items: {properties: {skew: {const: a}}, required: [skew]}}}}`, bad},
		{`{properties: {target: {properties: {bic: {const: a}}, required: [bic]}}}`, bad},
		{`{properties: {amount: {}}}`, bad},                 // says nothing
		{`{description: "small amounts"}`, bad},             // nothing at all
		{`{properties: {request_id: {format: uuid}}}`, bad}, // checks nothing
		{`{patternProperties: {"^a": {maximum: 50}}}`, bad}, // which ones?
		{`{additionalProperties: {maximum: 50}}`, bad},
		{`{propertyNames: {maxLength: 50}}`, bad},
		{`{properties: {amount: {maximum: "50"}}}`, "bad-keyword"},
		{`{properties: {amount: {maximun: 50}}}`, "unknown-keyword"},
	}
	for _, tt := range tests {
		j, faults := joinText(t, payments, payEntry("agents: {otherwise: ask, allow_if: "+tt.rule+"}"), nil)
		if got := codesOf(faults); got != tt.want {
			t.Errorf("%s: got %q, want %q: %v", tt.rule, got, tt.want, faults)
		}
		for _, d := range faults {
			if d.Position.Line == 0 || d.Position.File.Name != "a.yaml" {
				t.Errorf("%s: %s has no place in the amendment", tt.rule, d.Code)
			}
		}
		if tt.want == "" && (j.Authorities[1].AllowIf == nil || j.Authorities[1].Agents != "ask") {
			t.Errorf("%s: sealed %+v", tt.rule, j.Authorities[1])
		}
	}
}

// TestRuleDecides: the compiled rule admits what its author meant.
func TestRuleDecides(t *testing.T) {
	j, faults := joinText(t, payments, payEntry(`agents: {otherwise: deny, allow_if: {properties: {amount: {maximum: 50}, note: {type: string}}}}`), nil)
	if faults.HasErrors() {
		t.Fatal(faults)
	}
	rule := j.Authorities[1].AllowIf
	if rule.ID != "invoice.pay/allow_if" {
		t.Errorf("the rule is called %q", rule.ID)
	}
	checker, err := rt.NewChecker(rule)
	if err != nil {
		t.Fatal(err)
	}
	for params, want := range map[string]bool{
		`{"amount": 50, "note": "x"}`: true, `{"amount": 50.01, "note": "x"}`: false, `{"amount": 1, "note": null}`: false,
	} {
		if got := checker.Check([]byte(params)) == nil; got != want {
			t.Errorf("%s: %v", params, got)
		}
	}
}

// TestProfileRule: a rule of a profile is held against every method that uses
// it, and is one schema for all.
func TestProfileRule(t *testing.T) {
	text := `version: "1"
contract: payments
profiles:
  small: {effect: read, agents: {otherwise: ask, allow_if: {required: [full]}}}
methods:
  "invoice.get": {use: small, pin: "PIN(invoice.get)"}
  "ping": {use: small, pin: "PIN(ping)"}
`
	j, faults := joinText(t, payments, text, nil)
	if got := codesOf(faults); got != amendment.BadRule {
		t.Errorf("got %q, want that ping has no such param: %v", got, faults)
	}
	if id := j.Authorities[0].AllowIf.ID; id != "small/allow_if" {
		t.Errorf("the rule is called %q", id)
	}
}

// TestShapes: what entries say about our side of a method.
func TestShapes(t *testing.T) {
	text := payHead + `  "invoice.pay": {effect: write, pin: "PIN(invoice.pay)", param_structure: by-position, id: pay_it, go_name: Pay}
  "ping": {effect: read, pin: "PIN(ping)", params: empty}
`
	j, faults := joinText(t, payments, text, nil)
	// tip is optional and stands before required params: by position it cannot be left out
	if codesOf(faults) != amendment.UncompiledEntry {
		t.Fatal(faults)
	}
	pay := j.Contract.Methods[1]
	if pay.Structure != contract.ByPosition || pay.LogicalID != "pay_it" || !pay.Faults.HasErrors() || j.Authorities[1].State != compiled.Uncompiled {
		t.Errorf("pay is %s, %q, %+v", pay.Structure, pay.LogicalID, j.Authorities[1])
	}
	if want := []string{"", "Pay", "", ""}; !slices.Equal(j.GoNames, want) {
		t.Errorf("Go names %q", j.GoNames)
	}
	if want := []string{"", "", "", "empty"}; !slices.Equal(j.NoParams, want) {
		t.Errorf("no params %q", j.NoParams)
	}
	// The document says how params of invoice.get travel.
	_, faults = joinText(t, payments, strings.Replace(payHead, "effect: read,", "effect: read, param_structure: by-position,", 1), nil)
	if codesOf(faults) != amendment.StructureStated || !faults.HasErrors() {
		t.Errorf("got %v", faults)
	}
	_, faults = joinText(t, payments, strings.Replace(payHead, "effect: read,", "effect: read, param_structure: by-name,", 1), nil)
	if len(faults) > 0 {
		t.Errorf("got %v", faults)
	}
	// Two entries, one name.
	for _, member := range []string{"id: same", "go_name: Same"} {
		text := payHead + fmt.Sprintf("  \"invoice.pay\": {effect: write, %s}\n  \"ping\": {effect: read, %s}\n", member, strings.Replace(member, "Same", "SAME", 1))
		if _, faults := joinText(t, payments, text, nil); !strings.Contains(codesOf(faults), amendment.NameTaken) {
			t.Errorf("%s: got %v", member, faults)
		}
	}
}

// TestMovedUnderAnEntry: what was right when it was reviewed is no error when
// the contract moves; it is closed or left out.
func TestMovedUnderAnEntry(t *testing.T) {
	members := `read_back: {method: invoice.get, map: {invoice_id: /result/id}}
    idempotency: {key: /request_id}
    exact: [/result/paid]
    agents: {otherwise: ask, allow_if: {properties: {amount: {maximum: 50}}}}`
	whole := payEntry(members)
	_, _, before := stages(t, payments, nil)
	for i, name := range []string{"invoice.get", "invoice.pay"} {
		whole = strings.ReplaceAll(whole, "PIN("+name+")", pin.Of(before[i]))
	}
	tests := []struct {
		name, was, now string
		want           string
		readBack       bool
	}{
		{"nothing", `"Payments"`, `"Other"`, "", true},
		{"a param of the write", `"name": "amount"`, `"name": "sum"`, amendment.StaleEntry, false},
		{"the result of the write, mapped", `"required": ["id"], "properties": {"id": {"type": "string"}, "paid"`, `"properties": {"paid"`,
			amendment.LostReadBack + " " + amendment.ResultMoved, false},
		{"the result of the write, exact", `"paid": {`, `"payed": {`, amendment.LostPlace + " " + amendment.ResultMoved, true},
		{"the read", `"name": "invoice_id"`, `"name": "invoice"`, amendment.LostReadBack + " " + amendment.StaleEntry, false},
		{"the read is gone", `"name": "invoice.get"`, `"name": "invoice.fetch"`, amendment.LostReadBack + " " + amendment.OrphanEntry, false},
	}
	for _, tt := range tests {
		document := strings.Replace(payments, tt.was, tt.now, 1)
		if document == payments {
			t.Fatalf("%s: nothing was replaced", tt.name)
		}
		j, faults := joinText(t, document, whole, nil)
		codes := strings.Fields(codesOf(faults))
		slices.Sort(codes)
		if got := strings.Join(codes, " "); got != tt.want || faults.HasErrors() {
			t.Errorf("%s: got %q, want %q: %v", tt.name, got, tt.want, faults)
		}
		if got := j.Authorities[1].ReadBack != nil; got != tt.readBack {
			t.Errorf("%s: read-back %v", tt.name, got)
		}
	}
}

// TestLeftOutIsNoOrphan: the config leaves a method out; its entry waits.
func TestLeftOutIsNoOrphan(t *testing.T) {
	text := payHead + "  \"ping\": {effect: read, pin: \"PIN(nobody)\"}\n  \"pong\": {effect: read}\n"
	j, faults := joinText(t, payments, text, func(name string) bool { return name != "ping" })
	if got := codesOf(faults); got != amendment.OrphanEntry || len(j.Orphans) != 1 || j.Orphans[0].Method != "pong" {
		t.Errorf("got %q, orphans %v", got, j.Orphans)
	}
}

// TestExactNumbers: the numbers are known by their schemas.
func TestExactNumbers(t *testing.T) {
	j, _ := joinText(t, payments, payEntry(`exact: [/params/amount, "/params/lines/*/price"]`), nil)
	var ids []string
	for n := range j.Exact {
		ids = append(ids, n.ID)
	}
	slices.Sort(ids)
	if want := []string{"invoice.pay/params/amount", "invoice.pay/params/lines[]/price"}; !slices.Equal(ids, want) {
		t.Errorf("exact %q", ids)
	}
}

// TestUnenforcedIsSaid: a member that no runtime of this release enforces
// closes the method, and the owner is told.
func TestUnenforcedIsSaid(t *testing.T) {
	j, faults := joinText(t, payments, payEntry(`budget: {calls: 20, per: 24h}`), nil)
	open := j.Authorities[1].Unenforced()
	if said := strings.Contains(fmt.Sprint(faults), amendment.NotEnforced); said != (len(open) > 0) {
		t.Errorf("unenforced %v, said %v", open, said)
	}
}

// TestDocumentsGrantNothing: members of a document that look like an amendment
// are reported and open nothing (F8).
func TestDocumentsGrantNothing(t *testing.T) {
	document := strings.Replace(payments, `{"name": "ping",`,
		`{"name": "ping", "x-rpcgen-effect": "read", "x-rpcgen-allow": {"agents": "allow"}, "x-permissions": ["*"], "x-readonly": true,`, 1)
	f, err := source.Read("payments.json", []byte(document), source.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	c, _ := openrpc.Read("payments", f, nil)
	reported := 0
	for _, d := range c.Methods[3].Faults {
		if d.Code == openrpc.CodeGrantIgnored {
			reported++
		}
	}
	j, _ := joinText(t, document, payHead, nil)
	if j.Authorities[3].State != compiled.Undecided || reported < 2 {
		t.Errorf("ping is %s, %d members were reported: %v", j.Authorities[3].State, reported, c.Methods[3].Faults)
	}
}

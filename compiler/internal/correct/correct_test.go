package correct_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/openrpc-go/rpcgen/compiler/internal/correct"
	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/fields"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

const document = `{
  "openrpc": "1.2.6",
  "methods": [
    {"name": "invoice.get",
     "params": [
       {"name": "id", "schema": {"type": "string"}},
       {"$ref": "#/components/contentDescriptors/Limit"},
       {"schema": {"type": "boolean"}}],
     "result": {"name": "r", "schema": {"type": "object", "properties": {"total": {"type": "string"}, "note": {"const": null}}, "required": ["total"]}}},
    {"name": "invoice.list", "params": [], "result": {"name": "r", "schema": {"$ref": "#/methods/0/result/schema/properties/total"}}},
    {"$ref": "#/components/methods/Ping"},
    {"name": "twice", "params": []},
    {"name": "twice", "params": []}
  ],
  "components": {
    "schemas": {"Money": {"type": "string", "maxLength": 1.0}},
    "contentDescriptors": {"Limit": {"name": "limit", "schema": {"type": "integer"}}},
    "methods": {"Ping": {"name": "ping", "params": []}}
  }
}`

// corrections reads the items of a corrections list, without their reason.
func corrections(t *testing.T, items ...string) ([]*correct.Correction, diag.List) {
	t.Helper()
	text := "corrections:\n"
	for _, item := range items {
		text += "  - {reason: why, " + item + "}\n"
	}
	f, err := source.ReadOwn("a.yaml", []byte(text), source.Limits{}, correct.Nulls)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	r := &fields.Reader{}
	return correct.Read(r, f.Root.Get("corrections")), r.Faults
}

func read(t *testing.T, name, text string) *source.File {
	t.Helper()
	f, err := source.Read(name, []byte(text), source.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// mend makes the corrections and returns the document and every fault.
func mend(t *testing.T, items ...string) (*source.File, diag.List) {
	t.Helper()
	all, faults := corrections(t, items...)
	if faults.HasErrors() {
		return nil, faults
	}
	original := read(t, "doc.json", document)
	before := string(original.Root.JSON())
	p := correct.New(all, ".")
	mended, _ := p.Document(original)
	if string(original.Root.JSON()) != before {
		t.Fatal("the document itself was changed")
	}
	return mended, p.Rest()
}

func TestCorrect(t *testing.T) {
	tests := []struct {
		name    string
		items   []string
		at      source.Pointer // in the mended document, with numbers
		want    string         // JSON there; "" when nothing may be there
		foreign bool           // the value comes from the amendment
	}{
		{"replace by method name", []string{`at: "#/methods/invoice.list/result/name", was: r, now: list`}, "/methods/1/result/name", `"list"`, true},
		{"replace by param name", []string{`at: "#/methods/invoice.get/params/id/schema", was: {type: string}, now: {type: integer, minimum: 1}`},
			"/methods/0/params/0/schema", `{"type":"integer","minimum":1}`, true},
		{"a param that has no name", []string{`at: "#/methods/invoice.get/params/2/name", now: full`}, "/methods/0/params/2/name", `"full"`, true},
		{"add", []string{`at: "#/methods/invoice.list/paramStructure", now: by-name`}, "/methods/1/paramStructure", `"by-name"`, true},
		{"add an element", []string{`at: "#/methods/invoice.get/result/schema/required/-", now: note`}, "/methods/0/result/schema/required", `["total","note"]`, false},
		{"add by the next number", []string{`at: "#/methods/invoice.get/result/schema/required/1", now: note`}, "/methods/0/result/schema/required", `["total","note"]`, false},
		{"add a method", []string{`at: "#/methods/new", now: {name: new, params: []}`}, "/methods/5/name", `"new"`, true},
		{"remove", []string{`at: "#/methods/invoice.get/result/schema/required", was: [total]`}, "/methods/0/result/schema/required", "", false},
		{"remove a param", []string{`at: "#/methods/invoice.get/params/id", was: {schema: {type: string}, name: id}`}, "/methods/0/params/0", `{"$ref":"#/components/contentDescriptors/Limit"}`, false},
		{"null was", []string{`at: "#/methods/invoice.get/result/schema/properties/note/const", was: null, now: 1`}, "/methods/0/result/schema/properties/note/const", "1", true},
		{"null now", []string{`at: "#/methods/invoice.get/result/schema/default", now: null`}, "/methods/0/result/schema/default", "null", true},
		{"shared component", []string{`at: "#/components/schemas/Money/type", was: string, now: number, shared: true`}, "/components/schemas/Money/type", `"number"`, true},
		{"spelling of a number", []string{`at: "#/components/schemas/Money", was: {maxLength: 1, type: string}, now: true, shared: true`}, "/components/schemas/Money", "true", true},
		{"several on one subtree, in their order", []string{
			`at: "#/methods/invoice.get/result/schema", was: {type: object, properties: {total: {type: string}, note: {const: null}}, required: [total]}, now: {type: object}, shared: true`,
			`at: "#/methods/invoice.get/result/schema/properties", now: {total: {type: string}}`,
			`at: "#/methods/invoice.get/result/schema/properties/total/type", was: string, now: number`,
			`at: "#/methods/invoice.get/result/schema/minProperties", now: 1`,
		}, "/methods/0/result/schema", `{"type":"object","properties":{"total":{"type":"number"}},"minProperties":1}`, true},
		{"a target that another method refers to", []string{`at: "#/methods/invoice.get/result/schema/properties/total/type", was: string, now: number, shared: true`},
			"/methods/0/result/schema/properties/total/type", `"number"`, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f, faults := mend(t, tt.items...)
			if len(faults) > 0 {
				t.Fatalf("faults: %v", faults)
			}
			n, err := f.Root.At(tt.at)
			switch {
			case tt.want == "" && err == nil:
				t.Errorf("there is still %s", n.JSON())
			case tt.want != "" && err != nil:
				t.Errorf("nothing is there: %v", err)
			case tt.want != "":
				if got := string(n.JSON()); got != tt.want || n.Pointer() != tt.at {
					t.Errorf("got %s at %s, want %s", got, n.Pointer(), tt.want)
				}
				if from := n.Position().File.Name; (from == "a.yaml") != tt.foreign {
					t.Errorf("the value stands in %s", from)
				}
			}
		})
	}
}

func TestCorrectRefuses(t *testing.T) {
	tests := []struct {
		name, item string
		code       string
		says       []string
	}{
		{"was no longer holds", `at: "#/methods/invoice.list/result/name", was: x, now: list`, correct.Missed, []string{`"r"`, `"x"`}},
		{"was of another type", `at: "#/components/schemas/Money/maxLength", was: "1", now: 2, shared: true`, correct.Missed, []string{"1.0", `"1"`}},
		{"was where nothing is", `at: "#/methods/invoice.list/x", was: 1, now: 2`, correct.Missed, []string{"nothing stands there", "1"}},
		{"nothing to remove", `at: "#/methods/invoice.list/x", was: 1`, correct.Missed, []string{"nothing stands there"}},
		{"add over something", `at: "#/methods/invoice.list/result/name", now: list`, correct.Missed, []string{`"r"`, `"list"`}},
		{"add what is there", `at: "#/methods/invoice.list/result/name", now: r`, correct.Useless, []string{`"r"`}},
		{"change nothing", `at: "#/methods/invoice.list/result/name", was: r, now: r`, correct.Useless, []string{`"r"`}},
		{"change the spelling only", `at: "#/components/schemas/Money/maxLength", was: 1.0, now: 1, shared: true`, correct.Useless, []string{"1.0", "1"}},
		{"method by number", `at: "#/methods/0/result/name", was: r, now: x`, correct.Missed, []string{"by name", `"invoice.get"`}},
		{"param by number", `at: "#/methods/invoice.get/params/0/name", was: id, now: x`, correct.Missed, []string{"by name", `"id"`}},
		{"param by number, a reference", `at: "#/methods/invoice.get/params/1", was: {$ref: x}`, correct.Missed, []string{"by name", `"limit"`}},
		{"two of one name", `at: "#/methods/twice/params", was: [], now: [1]`, correct.Missed, []string{"two elements"}},
		{"no such method", `at: "#/methods/invoice.put/result", now: 1`, correct.Missed, []string{`no "invoice.put"`}},
		{"below a text", `at: "#/openrpc/x", now: 1, shared: true`, correct.Missed, []string{"string"}},
		{"element that is none", `at: "#/methods/invoice.get/result/schema/required/01", now: 1`, correct.Missed, []string{`"01"`}},
		{"element too far", `at: "#/methods/invoice.get/result/schema/required/7", now: 1`, correct.Missed, []string{"the list has 1"}},
		{"through a reference", `at: "#/methods/invoice.get/params/limit/schema", was: {type: integer}`, correct.Missed, []string{"nothing stands there"}},
		{"far through a reference", `at: "#/methods/ping/params/x/schema", now: 1`, correct.Missed, []string{`no "params"`}},
		{"method of another name", `at: "#/methods/new", now: {name: old}`, correct.Missed, []string{`"new"`}},
		{"component unsaid", `at: "#/components/schemas/Money/type", was: string, now: number`, correct.Unshared, nil},
		{"version unsaid", `at: "#/openrpc", was: "1.2.6", now: "1.3.0"`, correct.Unshared, nil},
		{"referred to from another method", `at: "#/methods/invoice.get/result/schema/properties/total/type", was: string, now: number`, correct.Unshared, nil},
		{"around what another method refers to", `at: "#/methods/invoice.get/result/schema/properties", was: {total: {type: string}, note: {const: null}}`, correct.Unshared, nil},
		{"no place", `at: "#", was: 1`, correct.BadPlace, nil},
		{"no pointer", `at: "#methods", was: 1`, correct.BadPlace, nil},
		{"no fragment", `at: "/methods/x", was: 1`, correct.BadPlace, nil},
		{"bad escape", `at: "#/a~2", was: 1`, correct.BadPlace, nil},
		{"URL", `at: "https://example.com/x#/a", was: 1`, correct.BadPlace, nil},
		{"absolute file", `at: "/etc/x.json#/a", was: 1`, correct.BadPlace, nil},
		{"neither was nor now", `at: "#/openrpc", shared: true`, fields.MissingKey, nil},
		{"unknown member", `at: "#/openrpc", now: 1, force: true`, fields.UnknownKey, nil},
		{"null where it is no value", `at: null, now: 1`, fields.Empty, nil},
		{"file that nothing refers to", `at: "types.json#/a", now: 1, shared: true`, correct.Missed, []string{"types.json"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, faults := mend(t, tt.item)
			if len(faults) != 1 || faults[0].Code != tt.code || faults[0].Position.Line != 2 || faults[0].Position.File.Name != "a.yaml" {
				t.Fatalf("faults %+v, want one %s in line 2", faults, tt.code)
			}
			for _, word := range tt.says {
				if !strings.Contains(faults[0].Message, word) {
					t.Errorf("%q does not say %q", faults[0].Message, word)
				}
			}
		})
	}
}

// TestCorrectReadsNoReason: the reason is not left out.
func TestCorrectReadsNoReason(t *testing.T) {
	for _, text := range []string{`[{"at": "#/a", "now": 1}]`, `[]`, `{}`, `[1]`, `[{"at": "#/a", "now": 1, "reason": ""}]`} {
		f, err := source.ReadOwn("a.json", []byte(fmt.Sprintf(`{"corrections": %s}`, text)), source.Limits{}, correct.Nulls)
		if err != nil {
			t.Fatal(err)
		}
		r := &fields.Reader{}
		correct.Read(r, f.Root.Get("corrections"))
		if !r.Faults.HasErrors() {
			t.Errorf("%s was accepted", text)
		}
	}
}

// TestCorrectBoundsWhatItShows: values in messages are cut.
func TestCorrectBoundsWhatItShows(t *testing.T) {
	long := strings.Repeat("x", 3000)
	_, faults := mend(t, `at: "#/methods/invoice.list/result/name", was: "`+long+`", now: list`)
	if len(faults) != 1 || len(faults[0].Message) > 600 {
		t.Errorf("%d faults, message of %d bytes", len(faults), len(faults[0].Message))
	}
}

func TestCorrectOtherFiles(t *testing.T) {
	all, faults := corrections(t, `at: "types/money.json#/definitions/Money/type", was: string, now: number, shared: true`)
	if faults.HasErrors() {
		t.Fatal(faults)
	}
	p := correct.New(all, "contracts")
	main := read(t, "doc.json", document)
	if mended, faults := p.Document(main); mended != main || len(faults) > 0 {
		t.Errorf("the document was touched: %v", faults)
	}
	money := read(t, "money.json", `{"definitions": {"Money": {"type": "string"}}}`)
	for _, where := range []string{"contracts/other.json", "types/money.json", "contracts/money.json"} {
		if p.File(where, money) != money {
			t.Errorf("%s was touched", where)
		}
	}
	if got := string(p.File("contracts/types/money.json", money).Root.JSON()); got != `{"definitions":{"Money":{"type":"number"}}}` {
		t.Errorf("got %s", got)
	}
	if faults := p.Rest(); len(faults) > 0 {
		t.Error(faults)
	}
}

// FuzzCorrect: whatever a correction says, the document is left alone, and
// what comes out is a sound tree.
func FuzzCorrect(f *testing.F) {
	f.Add("#/methods/invoice.get/params/id", `{"a": 1}`, `null`, true)
	f.Add("#/methods/-", ``, `{"name": "-"}`, false)
	f.Add("#/components/schemas/Money", `{"type": "string", "maxLength": 1}`, ``, true)
	f.Fuzz(func(t *testing.T, at, was, now string, shared bool) {
		text := fmt.Sprintf(`{"corrections": [{"reason": "r", "at": %q, "shared": %v`, at, shared)
		for _, m := range [][2]string{{"was", was}, {"now", now}} {
			if m[1] != "" {
				text += fmt.Sprintf(`, %q: %s`, m[0], m[1])
			}
		}
		file, err := source.ReadOwn("a.json", []byte(text+"}]}"), source.Limits{}, correct.Nulls)
		if err != nil {
			return
		}
		r := &fields.Reader{}
		all := correct.Read(r, file.Root.Get("corrections"))
		if r.Faults.HasErrors() {
			return
		}
		original := read(t, "doc.json", document)
		p := correct.New(all, "")
		mended, _ := p.Document(original)
		if faults := p.Rest(); faults.HasErrors() {
			return
		}
		if string(mended.Root.JSON()) == string(original.Root.JSON()) {
			t.Fatalf("%s changed nothing and said nothing", text)
		}
		if _, err := source.Read("again.json", mended.Root.JSON(), source.Limits{}); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	})
}

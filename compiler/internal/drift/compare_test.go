package drift_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openrpc-go/rpcgen/compiler/internal/contract"
	"github.com/openrpc-go/rpcgen/compiler/internal/drift"
	"github.com/openrpc-go/rpcgen/compiler/internal/openrpc"
	"github.com/openrpc-go/rpcgen/compiler/internal/pin"
	"github.com/openrpc-go/rpcgen/compiler/internal/reference"
	"github.com/openrpc-go/rpcgen/compiler/internal/seal"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
	"github.com/openrpc-go/rpcgen/compiler/schema"
	"github.com/openrpc-go/rpcgen/runtime/compiled"
)

// sealed compiles a document of methods and components.
func sealed(t testing.TB, methods, schemas string) *compiled.Contract {
	t.Helper()
	text := fmt.Sprintf(`{"openrpc": "1.3.2", "info": {"title": "t", "version": "1"}, "methods": [%s], "components": {"schemas": {%s}}}`, methods, schemas)
	f, err := source.Read("doc.json", []byte(text), source.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	refs := reference.New(f, reference.Options{})
	c, found := openrpc.Read("drift", f, refs)
	if found.HasErrors() {
		t.Fatal(found.Errors()[0].Message)
	}
	g := schema.NewGraph(refs, c.Dialect)
	c = contract.Resolve(c, g)
	for _, m := range c.Methods {
		if m.Faults.HasErrors() {
			t.Fatal(m.Faults.Errors()[0].Message)
		}
	}
	return seal.Contract(c, g, pin.Digests(c, g), nil, seal.Options{})
}

// method is one method with a param p and a result.
func method(name, param, result string) string {
	return fmt.Sprintf(`{"name": %q, "params": [{"name": "p", "schema": %s}], "result": {"name": "r", "schema": %s}}`, name, param, result)
}

// told prints causes as people see them.
func told(causes []*drift.Cause) string {
	var b strings.Builder
	for _, c := range causes {
		fmt.Fprintf(&b, "%s: %s\n", strings.Join(c.Names(), " "), c.Side())
		for _, p := range c.Parts {
			fmt.Fprintf(&b, "  %s\n", c.Title(p))
			for _, change := range p.Changes {
				fmt.Fprintf(&b, "    %s\n", change)
			}
		}
	}
	return b.String()
}

// TestChanges has a row for each thing that can change in a schema.
func TestChanges(t *testing.T) {
	for _, c := range []struct{ name, was, now, want string }{
		{"type", `{"type": "string"}`, `{"type": "integer"}`, "~ /params/p type: string -> integer"},
		{"type added", `{"type": "string"}`, `{"type": ["string", "null"]}`, "~ /params/p type: string -> string or null"},
		{"minimum", `{"type": "integer", "minimum": 1}`, `{"type": "integer", "minimum": 2}`, "~ /params/p minimum: 1 -> 2"},
		{"format", `{"type": "string"}`, `{"type": "string", "format": "date-time"}`, "+ /params/p format: date-time"},
		{"pattern gone", `{"type": "string", "pattern": "^a$"}`, `{"type": "string"}`, "- /params/p pattern: was ^a$"},
		{"enum", `{"enum": ["a", "b"]}`, `{"enum": ["b", "c"]}`, "+ /params/p enum value: \"c\"\n    - /params/p enum value: was \"a\""},
		{"items", `{"type": "array", "items": {"type": "string"}}`, `{"type": "array", "items": {"type": "integer"}}`, "~ /params/p/items type: string -> integer"},
		{"closed", `{"type": "object"}`, `{"type": "object", "additionalProperties": false}`, "+ /params/p additionalProperties: nothing"},
		{"branch", `{"oneOf": [{"type": "string"}]}`, `{"oneOf": [{"type": "string"}, {"type": "integer"}]}`, "+ /params/p/oneOf/1: integer"},
		{"branch gone", `{"anyOf": [{"type": "boolean"}, {"type": "integer"}]}`, `{"anyOf": [{"type": "integer"}]}`, "- /params/p/anyOf/0: was boolean"},
		{"branches in another order", `{"anyOf": [{"type": "boolean"}, {"type": "integer"}]}`, `{"anyOf": [{"type": "integer"}, {"type": "boolean"}]}`, "~ /params/p anyOf: boolean, integer -> integer, boolean"},
		{"default", `{"type": "integer", "default": 1}`, `{"type": "integer", "default": 2}`, "~ /params/p default: 1 -> 2"},
		{"default gone", `{"type": "integer", "default": 1}`, `{"type": "integer"}`, "- /params/p default: was 1"},
		{"default below", `{"type": "array", "items": {"type": "integer"}}`, `{"type": "array", "items": {"type": "integer", "default": [1.0]}}`, "+ /params/p/items default: [1]"},
		{"keyword that nobody knows", `{"type": "string", "minLenght": 1}`, `{"type": "string", "minLenght": 2}`, "~ /params/p minLenght: 1 -> 2"},
		{"keyword of another dialect", `{"type": "string"}`, `{"type": "string", "nullable": true}`, "+ /params/p nullable: true"},
		{"readOnly", `{"type": "string"}`, `{"type": "string", "readOnly": true}`, "+ /params/p readOnly: true"},
		{"xml", `{"type": "string"}`, `{"type": "string", "xml": {"name": "n"}}`, "+ /params/p xml: {\"name\":\"n\"}"},
	} {
		t.Run(c.name, func(t *testing.T) {
			was, now := sealed(t, method("m", c.was, "{}"), ""), sealed(t, method("m", c.now, "{}"), "")
			want := "m: request\n  the method\n    " + c.want + "\n"
			if diff := cmp.Diff(want, told(drift.Compare(drift.Methods(was, now)))); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// TestMethods has a row for each thing that can change in a method.
func TestMethods(t *testing.T) {
	one := func(structure, params, rest string) string {
		return fmt.Sprintf(`{"name": "m", "paramStructure": %q, "params": [%s]%s}`, structure, params, rest)
	}
	const answer = `, "result": {"name": "r", "schema": {}}`
	const a, b, c = `{"name": "a", "required": true, "schema": {"type": "string"}}`, `{"name": "b", "required": true, "schema": {"type": "string"}}`, `{"name": "c", "schema": {"type": "string"}}`
	for _, row := range []struct{ name, was, now, want string }{
		{"param added", one("by-name", a, answer), one("by-name", a+","+c, answer), "+ param c: optional string"},
		{"param added by position", one("by-position", a, answer), one("by-position", a+","+c, answer), "+ param c: optional string, at place 2 of 2"},
		{"param removed", one("by-name", a+","+c, answer), one("by-name", a, answer), "- param c: optional string"},
		{"params replaced", one("by-name", a, answer), one("by-name", b, answer), "~ params: all replaced, were a"},
		{"order by position", one("by-position", a+","+b, answer), one("by-position", b+","+a, answer), "~ order of params: a, b -> b, a"},
		{"layout", one("by-position", a, answer), one("by-name", a, answer), "~ params travel as: an array -> an object"},
		{"either to by-name", one("either", a, answer), one("by-name", a, answer), "~ params travel as: an object or an array -> an object"},
		{"order of either", one("either", a+","+b, answer), one("either", b+","+a, answer), "~ order of params: a, b -> b, a"},
		{"by position to either", one("by-position", a, answer), one("either", a, answer), "~ params travel as: an array -> an object or an array"},
		{"unknown member", one("by-name", a, answer), one("by-name", a, answer+`, "streaming": true`), "+ /streaming: true"},
		{"unknown member of a param", one("by-name", `{"name": "a", "schema": {}, "style": "form"}`, answer), one("by-name", `{"name": "a", "schema": {}, "style": "deep"}`, answer), "~ /params/a/style: \"form\" -> \"deep\""},
		{"unknown member of the result", one("by-name", a, answer), one("by-name", a, `, "result": {"name": "r", "schema": {}, "style": 1}`), "+ /result/style: 1"},
		{"required result", one("by-name", a, answer), one("by-name", a, `, "result": {"name": "r", "required": true, "schema": {}}`), "+ /result/required: true"},
		{"unknown member of an error", one("by-name", a, answer+`, "errors": [{"code": 7, "message": "no"}]`), one("by-name", a, answer+`, "errors": [{"code": 7, "message": "no", "retry": true}]`), "+ /errors/7/retry: true"},
		{"required", one("by-name", c, answer), one("by-name", strings.Replace(c, `"schema"`, `"required": true, "schema"`, 1), answer), "~ /params/c: optional -> required"},
		{"error added", one("by-name", a, answer), one("by-name", a, answer+`, "errors": [{"code": 7, "message": "no"}]`), "+ error 7: no"},
		{"gone", one("by-name", a, answer), "", "- the method is gone"},
		{"new", "", one("by-name", a, answer), "+ the method is new"},
	} {
		t.Run(row.name, func(t *testing.T) {
			got := told(drift.Compare(drift.Methods(sealed(t, row.was, ""), sealed(t, row.now, ""))))
			if !strings.HasSuffix(got, "    "+row.want+"\n") || strings.Count(got, "    ") != 1 {
				t.Errorf("got\n%s\nwant %s", got, row.want)
			}
		})
	}
}

// TestOneType: a type that many methods reach is one cause, on both sides and
// through other types, and other spellings of it are not told.
func TestOneType(t *testing.T) {
	var was, now []string
	for i := range 20 {
		ref := `{"$ref": "#/components/schemas/Outer"}`
		was = append(was, method(fmt.Sprintf("m%d", i), ref, ref))
		now = append(now, method(fmt.Sprintf("m%d", i), ref, ref))
	}
	const outer = `"Outer": {"type": "object", "properties": {"self": {"$ref": "#/components/schemas/Outer"}, "inner": {"$ref": "#/components/schemas/Inner"}}},`
	old := sealed(t, strings.Join(was, ","), outer+`"Inner": {"type": "object", "properties": {"a": {"type": "string"}}}`)
	young := sealed(t, strings.Join(now, ","), outer+`"Inner": {"type": "object", "properties": {"b": {"type": "string", "maxLength": 9}, "a": {"type": "string"}}}`)
	causes := drift.Compare(drift.Methods(old, young))
	if len(causes) != 1 || len(causes[0].Methods) != 20 {
		t.Fatalf("got\n%s", told(causes))
	}
	want := "request and response\n  type Inner\n    + /properties/b: optional string\n"
	if got := told(causes); !strings.HasSuffix(got, want) {
		t.Errorf("got\n%s\nwant …%s", got, want)
	}
}

// TestPlaces: a param that is added to many methods is one cause, and each place
// that it takes there is told.
func TestPlaces(t *testing.T) {
	document := func(added string) *compiled.Contract {
		const p = `{"name": "p", "required": true, "schema": {}}, {"name": "q", "required": true, "schema": {}}`
		var methods []string
		for name, params := range map[string]string{"a": p[:45], "b": p} {
			methods = append(methods, fmt.Sprintf(`{"name": %q, "paramStructure": "by-position", "params": [%s], "result": {"name": "r", "schema": {}}}`, name, params+added))
		}
		slices.Sort(methods)
		return sealed(t, strings.Join(methods, ","), "")
	}
	got := told(drift.Compare(drift.Methods(document(""), document(`, {"name": "flags", "schema": {"type": "string"}}`))))
	const want = "a b: request\n  a\n    + param flags: optional string, at place 2 of 2\n  b\n    + param flags: optional string, at place 3 of 3\n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestCopies: a type that is written out wherever it is used, and changes in
// all places alike, is one cause.
func TestCopies(t *testing.T) {
	var was, now []string
	for i := range 5 {
		was = append(was, method(fmt.Sprintf("m%d", i), "{}", fmt.Sprintf(`{"type": "object", "required": ["x%d"], "properties": {"x%d": {"type": "object", "properties": {"a": {"type": "string"}}}}}`, i, i)))
		now = append(now, method(fmt.Sprintf("m%d", i), "{}", fmt.Sprintf(`{"type": "object", "required": ["x%d"], "properties": {"x%d": {"type": "object", "properties": {"a": {"type": "integer"}}}}}`, i, i)))
	}
	causes := drift.Compare(drift.Methods(sealed(t, strings.Join(was, ","), ""), sealed(t, strings.Join(now, ","), "")))
	if len(causes) != 1 || len(causes[0].Methods) != 5 {
		t.Fatalf("got\n%s", told(causes))
	}
}

// TestEqual: the same contract, and one that is only spelled in another way,
// differ in nothing.
func TestEqual(t *testing.T) {
	one := sealed(t, method("m", `{"$ref": "#/components/schemas/A"}`, "{}"), `"A": {"type": "object", "properties": {"a": {"type": "string"}, "b": {"$ref": "#/components/schemas/A"}}}`)
	two := sealed(t, method("m", `{"$ref": "#/components/schemas/B"}`, "{}"), `"B": {"properties": {"b": {"type": "object", "properties": {"b": {"$ref": "#/components/schemas/B"}, "a": {"type": "string"}}}, "a": {"type": "string"}}, "type": "object"}`)
	for _, pair := range [][2]*compiled.Contract{{one, one}, {one, two}, {two, one}} {
		if causes := drift.Compare(drift.Methods(pair[0], pair[1])); len(causes) > 0 {
			t.Errorf("got\n%s", told(causes))
		}
	}
}

// TestManyWays: a type that is reached in more ways than could ever be walked
// is found, because no pair of types is looked into twice.
func TestManyWays(t *testing.T) {
	chain := func(n int, last string) *compiled.Contract {
		var schemas []string
		for i := range n {
			schemas = append(schemas, fmt.Sprintf(`"T%d": {"type": "object", "properties": {"next": {"$ref": "#/components/schemas/T%d"}, "other": {"$ref": "#/components/schemas/T%d"}}}`, i, i+1, i+1))
		}
		schemas = append(schemas, fmt.Sprintf(`"T%d": %s`, n, last))
		return sealed(t, method("m", `{"$ref": "#/components/schemas/T0"}`, "{}"), strings.Join(schemas, ","))
	}
	causes := drift.Compare(drift.Methods(chain(2000, `{"type": "string"}`), chain(2000, `{"type": "integer"}`)))
	if len(causes) != 1 || len(causes[0].Parts) != 1 || causes[0].Parts[0].Type != "T2000" {
		t.Fatalf("got\n%.2000s", told(causes))
	}
}

package example_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/openrpc-go/rpcgen/compiler/internal/contract"
	"github.com/openrpc-go/rpcgen/compiler/internal/example"
	"github.com/openrpc-go/rpcgen/compiler/internal/openrpc"
	"github.com/openrpc-go/rpcgen/compiler/internal/reference"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
	"github.com/openrpc-go/rpcgen/compiler/schema"
)

func none(int) bool { return false }

// check reads a document and checks its examples.
func check(t *testing.T, document string, refused func(int) bool, b example.Bounds) ([]example.Pairing, []string) {
	t.Helper()
	f, err := source.Read("doc.json", []byte(document), source.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	refs := reference.New(f, reference.Options{})
	c, found := openrpc.Read("doc", f, refs)
	if found.HasErrors() {
		t.Fatal(found)
	}
	g := schema.NewGraph(refs, c.Dialect)
	pairings, found := example.Check(contract.Resolve(c, g), g, refused, b)
	var lines []string
	for _, d := range found {
		lines = append(lines, fmt.Sprintf("%s %s: %s %s", d.Severity, d.Code, d.Pointer, d.Message))
	}
	return pairings, lines
}

// method wraps one method and its examples in a document.
func method(structure, params, result, examples string) string {
	return `{"openrpc":"1.2.6","info":{"title":"t","version":"1"},"methods":[{"name":"m","paramStructure":"` + structure +
		`","params":[` + params + `],"result":` + result + `,"examples":[` + examples + `]}]}`
}

const (
	ab      = `{"name":"a","required":true,"schema":{"type":"integer"}},{"name":"b","schema":{"type":"string"}}`
	integer = `{"name":"r","schema":{"type":"integer"}}`
)

func pairing(params, result string) string {
	return `{"name":"x","params":[` + params + `],"result":{"name":"r","value":` + result + `}}`
}

func TestCheck(t *testing.T) {
	const p = "/methods/0/examples/0/"
	rows := []struct {
		name, document string
		want           string // of the only finding; "" for a pairing that fits
	}{
		{"fits", method("either", ab, integer, pairing(`{"name":"a","value":1},{"name":"b","value":"x"}`, `1`)), ""},
		{"optional left off", method("by-position", ab, integer, pairing(`{"name":"a","value":1}`, `1`)), ""},
		{"names in another order", method("by-name", ab, integer, pairing(`{"name":"b","value":"x"},{"name":"a","value":1}`, `1`)), ""},
		{"labels by position", method("by-position", ab, integer, pairing(`{"name":"first","value":1},{"name":"second","value":"x"}`, `1`)), ""},
		{"labels where both ways go", method("either", ab, integer, pairing(`{"name":"first","value":1}`, `1`)), ""},
		{"result", method("either", ab, integer, pairing(`{"name":"a","value":1}`, `"one"`)),
			p + `result/value the result of example "x" of "m" does not fit its schema: expected an integer, found "one" (type of "m/result")`},
		{"within the result", method("either", ab, `{"name":"r","schema":{"type":"array","items":{"type":"object","required":["n"],"properties":{"n":{"maximum":5}}}}}`,
			pairing(`{"name":"a","value":1}`, `[{"n":1},{"n":6}]`)),
			p + `result/value/1/n the result of example "x" of "m" does not fit its schema: expected a number ≤ 5, found 6 (maximum of "m/result[]/n")`},
		{"param", method("by-position", ab, integer, pairing(`{"name":"one","value":"1"}`, `1`)),
			p + `params/0/value param "a" of example "x" of "m" does not fit its schema: expected an integer, found "1" (type of "m/params/a")`},
		{"null for absent", method("by-position", ab, integer, pairing(`{"name":"a","value":1},{"name":"b","value":null}`, `1`)),
			p + `params/1/value param "b" of example "x" of "m" does not fit its schema: expected a string, found null (type of "m/params/b")`},
		{"unknown name", method("by-name", ab, integer, pairing(`{"name":"a","value":1},{"name":"c","value":1}`, `1`)),
			p + `params/1 param "c" of example "x" of "m" is none that the method declares`},
		{"name twice", method("by-name", ab, integer, pairing(`{"name":"a","value":1},{"name":"a","value":1}`, `1`)),
			p + `params/1 param "a" of example "x" of "m" is given twice`},
		{"required missing", method("by-name", ab, integer, pairing(`{"name":"b","value":"x"}`, `1`)),
			`/methods/0/examples/0 param "a" of example "x" of "m" is required and missing`},
		{"too many", method("by-position", ab, integer, pairing(`{"name":"p","value":1},{"name":"q","value":"x"},{"name":"r","value":2}`, `1`)),
			p + `params/2 param 3 of example "x" of "m", "r", is one too many: the method declares 2`},
		{"another's name", method("by-position", ab, integer, pairing(`{"name":"b","value":1},{"name":"second","value":"x"}`, `1`)),
			p + `params/0 param 1 of example "x" of "m" has the name of param 2, "b"`},
		{"gap", method("by-position", strings.Replace(ab, `"required":true,`, ``, 1), integer, pairing(`{"name":"b","value":"x"}`, `1`)),
			`/methods/0/examples/0 param "b" of example "x" of "m" is given without the earlier "a", and the method takes its params by position`},
		{"gap by name", method("by-name", strings.Replace(ab, `"required":true,`, ``, 1), integer, pairing(`{"name":"b","value":"x"}`, `1`)), ""},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			pairings, found := check(t, row.document, none, example.Bounds{})
			if len(pairings) != 1 || pairings[0].Fits != (row.want == "") {
				t.Fatalf("Check: %+v, want one pairing that fits: %v", pairings, row.want == "")
			}
			if row.want == "" && len(found) > 0 || row.want != "" && (len(found) != 1 || !strings.HasPrefix(found[0], "warning example-") || !strings.HasSuffix(found[0], ": "+row.want)) {
				t.Errorf("Check found %q, want %q", found, row.want)
			}
		})
	}
}

func TestCheckPlacesParams(t *testing.T) {
	pairings, found := check(t, method("by-name", ab, integer, pairing(`{"name":"b","value":"x"},{"name":"a","value":1}`, `1`)), none, example.Bounds{})
	if len(found) > 0 {
		t.Fatal(found)
	}
	var got []string
	for _, v := range pairings[0].Params {
		got = append(got, string(v.JSON()))
	}
	if !slices.Equal(got, []string{`1`, `"x"`}) {
		t.Errorf("params in the places %q", got)
	}
}

func TestCheckPassesOverRefusedMethods(t *testing.T) {
	document := method("either", ab, integer, pairing(`{"name":"a","value":1}`, `"one"`))
	if pairings, found := check(t, document, func(int) bool { return true }, example.Bounds{}); len(pairings)+len(found) > 0 {
		t.Errorf("Check: %v, %v, want nothing of a method that is refused", pairings, found)
	}
	broken := method("either", `{"name":"a","schema":{"$ref":"#/nowhere"}}`, integer, pairing(`{"name":"a","value":1}`, `"one"`))
	if pairings, found := check(t, broken, none, example.Bounds{}); len(pairings)+len(found) > 0 {
		t.Errorf("Check: %v, %v, want nothing of a method with a fault", pairings, found)
	}
}

// TestCheckSharesValues: what many methods refer to is told once.
func TestCheckSharesValues(t *testing.T) {
	var methods []string
	for i := range 100 {
		methods = append(methods, fmt.Sprintf(`{"name":"m%d","params":[],"result":{"$ref":"#/components/contentDescriptors/R"},"examples":[{"$ref":"#/components/examplePairings/X"}]}`, i))
	}
	document := `{"openrpc":"1.2.6","info":{"title":"t","version":"1"},"methods":[` + strings.Join(methods, ",") + `],
		"components":{"contentDescriptors":{"R":{"name":"r","schema":{"$ref":"#/components/schemas/S"}}},"schemas":{"S":{"type":"integer"}},
		"examplePairings":{"X":{"name":"x","params":[],"result":{"name":"r","value":"one"}}}}}`
	pairings, found := check(t, document, none, example.Bounds{})
	if len(found) != 1 || len(pairings) != 100 || slices.ContainsFunc(pairings, func(p example.Pairing) bool { return p.Fits }) {
		t.Errorf("Check: %d pairings, %q, want 100 that do not fit and one warning", len(pairings), found)
	}
}

func TestCheckIsBounded(t *testing.T) {
	var examples []string
	for i := range 20 {
		examples = append(examples, pairing(`{"name":"a","value":1}`, fmt.Sprint(i)))
	}
	document := method("either", ab, integer, strings.Join(examples, ","))
	pairings, found := check(t, document, none, example.Bounds{Bytes: 500})
	unchecked := len(slices.DeleteFunc(pairings, func(p example.Pairing) bool { return p.Fits }))
	want := fmt.Sprintf("note example-unchecked: /methods/0/examples/%d %d example pairings", 20-unchecked, unchecked)
	if unchecked == 0 || unchecked == 20 || len(found) != 1 || !strings.HasPrefix(found[0], want) {
		t.Errorf("Check: %d unchecked, %q, want %q", unchecked, found, want)
	}
}

// TestCheckGivesUp: a schema that takes the engine too long is asked a few
// times, not for every example.
func TestCheckGivesUp(t *testing.T) {
	schemas := `"S0":{"maxLength":1}`
	for i := range 40 { // each level asks the one below it twice
		schemas += fmt.Sprintf(`,"S%d":{"anyOf":[{"allOf":[{"$ref":"#/components/schemas/S%d"},{}]},{"allOf":[{},{"$ref":"#/components/schemas/S%d"}]}]}`, i+1, i, i)
	}
	var examples []string
	for i := range 50 {
		examples = append(examples, pairing(``, `"`+strings.Repeat("c", i+2)+`"`))
	}
	document := method("either", "", `{"name":"r","schema":{"$ref":"#/components/schemas/S40"}}`, strings.Join(examples, ","))
	document = strings.TrimSuffix(document, "}") + `,"components":{"schemas":{` + schemas + `}}}`
	pairings, found := check(t, document, none, example.Bounds{})
	if len(pairings) != 50 || slices.ContainsFunc(pairings, func(p example.Pairing) bool { return p.Fits }) {
		t.Errorf("Check: %d pairings, want 50 and none that fits", len(pairings))
	}
	if len(found) != 4 || !strings.HasPrefix(found[0], "warning example-undecided") || !strings.HasPrefix(found[3], "note example-unchecked") {
		t.Errorf("Check found %q, want three values that were given up on and a note about the rest", found)
	}
}

func TestTextOfDocumentIsBounded(t *testing.T) {
	document := strings.Replace(method("either", ab, integer, pairing(`{"name":"a","value":1}`, `"one"`)), `"name":"x"`, `"name":"`+strings.Repeat("é", 1000)+`"`, 1)
	_, found := check(t, document, none, example.Bounds{})
	if len(found) != 1 || len(found[0]) > 600 {
		t.Errorf("a warning of %d bytes", len(found[0]))
	}
}

package compiler_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
	dialects "github.com/openrpc-go/rpcgen/compiler/schema"
	"github.com/openrpc-go/rpcgen/runtime/compiled"
	"github.com/openrpc-go/rpcgen/runtime/schema"
)

// R055: what nullable beside a $ref means follows the version of the document,
// and where it is ignored that is said.
func TestR055NullableBesideRef(t *testing.T) {
	rows := []struct {
		dialect dialects.Dialect
		warns   string
	}{
		{dialects.OpenAPI30, "ref-siblings-ignored /$ref"}, {dialects.Draft7, "ref-siblings-ignored /$ref"}, {dialects.Draft2020, "keyword-of-other-dialect /nullable"},
	}
	for _, row := range rows {
		var codes []string
		n, err := dialects.Compile(row.dialect, []byte(`{"$ref":"#/definitions/Color","nullable":true,"definitions":{"Color":{"type":"string"}}}`),
			dialects.Options{Warn: func(f dialects.Finding) { codes = append(codes, f.Code+" "+f.Pointer) }})
		if err != nil {
			t.Errorf("%v: %v", row.dialect, err)
			continue
		}
		if !slices.Contains(codes, row.warns) {
			t.Errorf("%v: findings %q, want %s", row.dialect, codes, row.warns)
		}
		checker, err := schema.NewChecker(n)
		if err != nil {
			t.Fatal(err)
		}
		if checker.Check([]byte(`"red"`)) != nil || checker.Check([]byte(`null`)) == nil {
			t.Errorf("%v: null is admitted, or a text is not", row.dialect)
		}
	}
}

// R056: references into paths, with ~1 and percent signs.
func TestR056EscapedPaths(t *testing.T) {
	document := strings.Replace(rpc(method("m", ``, `{"$ref":"#/x-paths/~1users~1%7Bid%7D/get/responses/200"}`, ``)),
		`"components"`, `"x-paths":{"/users/{id}":{"get":{"responses":{"200":{"const":200}}}}},"components"`, 1)
	c := compileText(t, document)
	c.refused()
	c.admits("m", []string{`200`}, []string{`201`})
}

// R062: all dangling references are reported, with file and place, in the same
// order every time.
func TestR062AllDangling(t *testing.T) {
	files := map[string]string{"doc.json": rpc(
		method("z", ``, `{"$ref":"a.json"}`, ``), method("y", ``, `{"$ref":"b.json"}`, ``), method("ok", ``, `{"$ref":"d.json"}`, ``))}
	files["a.json"] = `{"properties":{"x":{"$ref":"c.json"},"y":{"$ref":"d.json"}}}`
	files["b.json"] = `{"properties":{"x":{"$ref":"none.json"},"y":{"$ref":"c.json"}}}`
	files["c.json"] = `{"properties":{"x":{"$ref":"d.json#/nowhere"}}}`
	files["d.json"] = `{"type":"string"}`
	first := ""
	for range 5 {
		c := compileFiles(t, files, "")
		c.refused("z", "y")
		var lines []string
		for _, d := range c.Diagnostics.Errors() {
			lines = append(lines, fmt.Sprintf("%s:%d:%d %s %s", d.Position.File.Name, d.Position.Line, d.Position.Column, d.Pointer, d.Code))
		}
		got := strings.Join(lines, "\n")
		if first == "" {
			first = got
		}
		if got != first || !strings.Contains(got, "b.json:1:") || !strings.Contains(got, "c.json:1:") || !slices.IsSorted(lines) {
			t.Errorf("findings\n%s\nand first\n%s", got, first)
		}
	}
}

// R065: aliases within aliases do not fill the memory.
func TestR065AliasBomb(t *testing.T) {
	var b strings.Builder
	b.WriteString("openrpc: 1.2.6\ninfo: {title: t, version: \"1\"}\nmethods: []\na0: &a0 [x, x, x, x, x, x, x, x, x, x]\n")
	for i := range 10 {
		fmt.Fprintf(&b, "a%d: &a%d [%s]\n", i+1, i+1, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i), 10), ", "))
	}
	began := time.Now()
	c := compileFiles(t, map[string]string{"doc.json": b.String()}, "")
	if !c.Failed() || len(c.Diagnostics.Errors()) != 1 || c.Diagnostics[0].Code != source.CodeTooManyNodes {
		t.Errorf("findings %s, want too many nodes", c.findings())
	}
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("took %v", took)
	}
}

// R067: names of members are text, whatever YAML 1.1 made of them.
func TestR067NamesOfYAML(t *testing.T) {
	document := `
openrpc: 1.2.6
info: {title: t, version: "1"}
methods:
  - name: m
    params: []
    result:
      name: r
      schema:
        type: object
        additionalProperties: false
        required: [n, "on"]
        properties: {n: {type: integer}, y: {type: integer}, no: {type: integer}, on: {type: integer}, 200: {type: integer}, null: {type: integer}, 1.5: {type: integer}}
`
	c := compileFiles(t, map[string]string{"doc.json": document}, "")
	c.refused()
	c.admits("m", []string{`{"n":1,"on":1,"y":1,"no":1,"200":1,"null":1,"1.5":1}`}, []string{`{"n":1,"true":1}`, `{"n":1}`})
	twice := compileFiles(t, map[string]string{"doc.json": strings.Replace(document, "y: {type: integer}", "n: {type: integer}", 1)}, "")
	if !twice.Failed() || !slices.ContainsFunc(twice.Diagnostics, func(d diag.Diagnostic) bool { return d.Code == "duplicate-key" }) {
		t.Errorf("a name twice: %s", twice.findings())
	}
}

// R070: odd documents are findings with a place, never a crash.
func TestR070OddDocuments(t *testing.T) {
	good := rpc(method("m", param("a", `{"type":"string"}`, ``), `{"type":"string"}`, ``))
	odd := []string{`null`, `1`, `"x"`, `true`, `[]`, `{}`, `[null]`, `{"":null}`}
	holes := []string{`"test"`, `[{"name":"m"`, `{"title":"test","version":"1"}`, `[` + param("a", `{"type":"string"}`, ``) + `]`, `{"name":"r","schema":{"type":"string"}}`, `{"type":"string"}`, `{}`}
	for _, hole := range holes {
		if !strings.Contains(good, hole) {
			t.Fatalf("the document does not hold %s", hole)
		}
		for _, v := range odd {
			if hole == `[{"name":"m"` {
				v = `[` + v + `,{"name":"m"`
			}
			c := compileText(t, strings.Replace(good, hole, v, 1))
			for _, d := range c.Diagnostics {
				if d.Position.Line < 1 || d.Position.Column < 1 {
					t.Errorf("%s for %s: %s has no place", v, hole, d.Code)
				}
			}
			if c.Failed() != (c.Sealed == nil) || c.Failed() && !c.Diagnostics.HasErrors() {
				t.Errorf("%s for %s: failed without a finding", v, hole)
			}
		}
	}
}

// patterns that RE2 has no equal for.
var hardPatterns = []string{`^(?!bad).+$`, `(?<=a)b`, `(?<!a)b`, `(a)\\1`, `(?=x)`}

// R073: a pattern that cannot be run does not let every value pass.
func TestR073PatternsThatCannotRun(t *testing.T) {
	for _, p := range hardPatterns {
		c := compileText(t, rpc(method("m", ``, `{"type":"string","pattern":"`+p+`"}`, ``), method("n", param("a", `{"type":"object","properties":{"x":{"pattern":"`+p+`"}}}`, ``), `true`, ``), method("o", ``, `true`, ``)))
		c.refused("m", "n")
		found := false
		for _, d := range c.Diagnostics.Errors() {
			found = found || string(d.Pointer) == "/methods/0/result/schema/pattern"
		}
		if !found {
			t.Errorf("pattern %s: no finding at its place:\n%s", p, c.findings())
		}
	}
}

// R074: what was compiled can be run: no pattern fails at the first value.
func TestR074NoPatternFailsLater(t *testing.T) {
	for _, p := range append([]string{`^a+$`, `^[\\w-]+$`, `\\d{1,3}`, `^\\s*$`, `.`, `\\u0061`, `[^]`, `a{0,1000}`, `\\p{L}`, `(?i)x`, `[`, `(`, `a**`, ``}, hardPatterns...) {
		c := compileText(t, rpc(method("m", ``, `{"type":"string","pattern":"`+p+`"}`, ``)))
		c.compiles()
		if c.Sealed.Methods[0].Authority.State == compiled.Uncompiled {
			continue
		}
		checker, err := schema.NewChecker(c.node("m", ""))
		if err != nil {
			t.Errorf("pattern %s: %v", p, err)
			continue
		}
		for _, v := range []string{`""`, `"a"`, `"bad\u2028\ud83d\ude00"`} {
			_ = checker.Check([]byte(v)) // whatever it says, it says it
		}
	}
}

// R076: several types are all of them, never the first: a union, or raw JSON
// that is checked and counted.
func TestR076TypeArrays(t *testing.T) {
	c := compileText(t, rpcWith(`{"ID":{"type":["string","integer","null"]}}`, method("m", param("id", `{"$ref":"#/components/schemas/ID"}`, `,"required":true`), `{"$ref":"#/components/schemas/ID"}`, ``)))
	c.refused()
	c.checks()
	c.admits("m", []string{`"x"`, `1`, `null`}, []string{`1.5`, `true`, `[]`, `{}`})
	c.prints("type ID interface { isID() }", "type IDInteger int64", "type IDString string")
	if len(c.Package.Unions) != 1 || len(c.Package.Sites.Raw) != 0 {
		t.Errorf("the Go type is no union: %+v", c.Package.Sites)
	}
}

// R077: keywords of another dialect are never passed over in silence.
func TestR077OtherDialects(t *testing.T) {
	for _, keyword := range []string{
		`"prefixItems":[{"type":"string"}]`, `"unevaluatedProperties":false`, `"unevaluatedItems":false`, `"dependentRequired":{"a":["b"]}`,
		`"dependentSchemas":{"a":false}`, `"minContains":2`, `"$dynamicRef":"#x"`, `"nullable":true`, `"discriminator":{"propertyName":"x"}`, `"divisibleBy":2`,
	} {
		c := compileText(t, rpc(method("m", ``, `{`+keyword+`}`, ``)))
		c.compiles()
		name, _, _ := strings.Cut(keyword[1:], `"`)
		at := source.Pointer("/methods/0/result/schema").Append(name)
		if !slices.ContainsFunc(c.Diagnostics, func(d diag.Diagnostic) bool { return d.Pointer == at && d.Severity != diag.Note }) {
			t.Errorf("nothing is said about %s:\n%s", keyword, c.findings())
		}
	}
	for _, version := range []string{"2.0.0", "1.9.0", "0.9", "", "x"} {
		if c := compileText(t, versioned(version, `{}`, method("m", ``, `true`, ``))); !c.Failed() {
			t.Errorf("version %q is read", version)
		}
	}
}

// R080: one exotic method among ten takes only itself away, by name.
func TestR080OneExoticMethod(t *testing.T) {
	var methods []string
	for i := range 10 {
		methods = append(methods, method(fmt.Sprintf("m%d", i), ``, `{"type":"string"}`, ``))
	}
	methods[4] = method("exotic", ``, `{"type":"string","pattern":"(?<=a)b"}`, ``)
	c := compileText(t, rpc(methods...))
	c.refused("exotic")
	if got := c.Compiled(); got != 9 {
		t.Errorf("%d methods compile", got)
	}
	rows := c.Report().Refused
	if len(rows) != 1 || rows[0].Method != "exotic" || rows[0].Pointer != "/methods/4/result/schema/pattern" || rows[0].Line < 1 {
		t.Errorf("the report says %+v", rows)
	}
	held := c.Sealed.Methods[4]
	if len(held.Diagnostics) != 1 || held.Diagnostics[0].Pointer != rows[0].Pointer {
		t.Errorf("contract.json holds %+v", held.Diagnostics)
	}
}

// R081: by position there is no gap; trailing optionals are left off.
func TestR081PositionalGaps(t *testing.T) {
	params := param("a", `{"type":"integer"}`, ``) + "," + param("b", `{"type":["integer","null"]}`, ``) + "," + param("c", `{"type":"integer"}`, ``)
	e := openText(t, rpc(method("m", params, `true`, `,"paramStructure":"by-position"`)), nil).serve(`1`)
	for given, want := range map[string]string{
		`{"a":1}`: `[1]`, `{"a":1,"b":2}`: `[1,2]`, `{"a":1,"b":null,"c":3}`: `[1,null,3]`, `{}`: ``, `{"a":1,"b":null}`: `[1,null]`,
	} {
		if got, err := e.sent("m", given); got != want || err != nil {
			t.Errorf("%s is sent as %s, %v, want %s", given, got, err, want)
		}
	}
	for _, given := range []string{`{"b":1}`, `{"a":1,"c":3}`, `{"a":null}`, `{"a":null,"b":1}`} {
		before := len(e.requests)
		if _, err := e.sent("m", given); err == nil || len(e.requests) != before {
			t.Errorf("%s was sent, %v", given, err)
		}
	}
}

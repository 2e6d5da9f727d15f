package render_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/openrpc-go/rpcgen/compiler/internal/output"
	"github.com/openrpc-go/rpcgen/compiler/internal/plan"
	"github.com/openrpc-go/rpcgen/compiler/internal/reference"
	"github.com/openrpc-go/rpcgen/compiler/internal/render"
	"github.com/openrpc-go/rpcgen/compiler/internal/verify"
)

// payloads try every way out of a comment, a literal, a tag and an identifier.
var payloads = []string{
	"\nfunc init() { panic(1) }\n",
	"*/ func init() { panic(1) } /*",
	"` + string(1) + `",
	"\n//go:embed ../../secret\n",
	"//go:linkname x runtime.x",
	"/*line x.go:1*/",
	"\"; func init() {}; var _ = \"",
	"\" json:\"x",
	"a\u202eb\u2066c\u200f",
	"nul\x00nul",
	"a\u2028func init() {}\u2029b\u0085c\vd\fe\rf",
	"\n\nDeprecated: use the other one.\n\n",
	"+build ignore\n// +build ignore\n//go:build ignore",
	"%!s(MISSING) %s {{.}} ${x} $(x)",
	"\ufeff\ufffe\U000e0001\u3164\u00ad",
	"'; DROP TABLE types; --",
	"package", "init", "_", "Client", "contract.json", "\\", "\\n", "\"", "'", "`", ",", "-", "",
}

// everything is all of them at once.
var everything = strings.Join(payloads, " ")

var literals = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)

// TestInjectionSweep puts payloads in the place of, and behind, strings and
// member names of documents that use every construct: of each spelling the
// first few, with RPCGEN_LONG=1 all of them with all payloads. Whatever comes of it,
// what is printed declares exactly what is planned.
func TestInjectionSweep(t *testing.T) {
	turn := 0
	for _, c := range cases(t) {
		seen := map[string]int{}
		for _, at := range literals.FindAllIndex(c.document, -1) {
			before := string(c.document[at[0]:at[1]])
			if seen[before]++; seen[before] > 2 && !long {
				continue
			}
			text := unquoted(t, before)
			sweep(t, c, at, text+everything)
			sweep(t, c, at, payloads[turn%len(payloads)])
			turn++
			for i := 0; long && i < len(payloads); i++ {
				sweep(t, c, at, payloads[i])
				sweep(t, c, at, text+payloads[i])
			}
		}
	}
}

func sweep(t *testing.T, c goldenCase, at []int, text string) {
	t.Helper()
	document := string(c.document[:at[0]]) + quote(t, text) + string(c.document[at[1]:])
	built, _ := build(c.name, c.name+".json", []byte(document), reference.Options{})
	if built.plan == nil {
		return // refused
	}
	if err := printed(built.plan); err != nil {
		t.Errorf("%s: %q in the place of %s: %v", c.name, text, c.document[at[0]:at[1]], err)
	}
}

func printed(p *plan.Package) error {
	files, err := render.Files(p, sealed)
	if err != nil {
		return err
	}
	return verify.Check(p, files, verify.Options{})
}

func quote(t testing.TB, s string) string {
	t.Helper()
	out, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func unquoted(t testing.TB, literal string) string {
	t.Helper()
	var s string
	if err := json.Unmarshal([]byte(literal), &s); err != nil {
		t.Fatal(err)
	}
	return s
}

// hostile is a document whose every text and every name of its own holds payload.
func hostile(t testing.TB, payload string) []byte {
	t.Helper()
	const document = `{
		"openrpc": "1.3.2", "info": {"title": "@T", "version": "@", "description": "@"},
		"methods": [{
			"name": "@.get", "summary": "@", "description": "@",
			"params": [{"name": "@p", "summary": "@", "description": "@", "required": true, "schema": {"$ref": "#/components/schemas/S"}}],
			"result": {"name": "@", "schema": {"title": "@", "description": "@", "type": "object", "required": ["@b"], "properties": {
				"@a": {"title": "@", "description": "@", "enum": ["@1", "@2"]}, "@b": {"const": "@3"}, "@c": {"oneOf": [{"title": "@", "type": "string"}, {"type": "integer"}]}
			}}},
			"errors": [{"code": 7, "message": "@"}], "tags": [{"name": "@", "description": "@"}], "x-@": "@"
		}, {"name": "@", "params": []}],
		"components": {"schemas": {"S": {"title": "@", "description": "@", "type": "object", "properties": {"@": {"type": "string", "description": "@"}}}}}
	}`
	inner := quote(t, payload)
	return []byte(strings.ReplaceAll(document, "@", inner[1:len(inner)-1]))
}

// TestHostileDocument expects the whole document to compile: nothing in it is
// against the rules, so nothing may be lost either.
func TestHostileDocument(t *testing.T) {
	p, files := rendered(t, "hostile", hostile(t, everything))
	if err := verify.Check(p, files, verify.Options{}); err != nil {
		t.Error(err)
	}
	if len(p.Methods) != 2 || len(p.Errors) != 1 || len(p.Unions) != 1 {
		t.Errorf("%d methods, %d errors, %d unions planned; want 2, 1, 1", len(p.Methods), len(p.Errors), len(p.Unions))
	}
	for _, f := range files {
		harmless(t, f)
	}
}

// harmless looks at the bytes: no character that a reader does not see. Gofmt
// makes typographic quotes of doubled ones in comments.
func harmless(t *testing.T, f output.File) {
	t.Helper()
	for i, r := range string(f.Data) {
		if r != '\n' && r != '\t' && r != '“' && r != '”' && (r < ' ' || r > '~') {
			t.Errorf("%s: %U at %d", f.Name, r, i)
			return
		}
	}
}

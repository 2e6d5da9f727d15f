package compiler_test

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/openrpc-go/rpcgen/compiler"
)

// testFile generates the package of a document with its test in dir, and
// returns the test.
func testFile(t *testing.T, dir, document string) string {
	t.Helper()
	write(t, dir, "doc.json", document)
	project := only(dir, compiler.Target{ID: "played", Document: "doc.json", Output: "played", Package: "played"})
	g, err := project.Generate(compiler.GenerateOptions{Now: time.Now, Tool: "test", Tests: new(true)})
	if err != nil || !g.Written {
		t.Fatalf("Generate: %v", err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "played", "client_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestHostileExamples: whatever an example says, the test holds it as text,
// exactly, and nothing else.
func TestHostileExamples(t *testing.T) {
	texts := append([]string{"`", "`+`", "\"", "*/", "\\", "a\nb", "`)}\nfunc init() { panic(0) }\n//", "é", ""}, append(poisons, allPoisons)...)
	var methods []string
	for i, text := range texts {
		quoted, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		methods = append(methods, method(fmt.Sprintf("m%d", i), param("a", `true`, ``), `true`,
			fmt.Sprintf(`,"examples":[{"name":%s,"params":[{"name":"a","value":%[1]s}],"result":{"name":%[1]s,"value":{%[1]s:%[1]s}}}]`, quoted)))
	}
	text := testFile(t, t.TempDir(), rpc(methods...))
	file, err := parser.ParseFile(token.NewFileSet(), "client_test.go", text, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	if len(file.Decls) != 3 {
		t.Errorf("%d declarations, want imports, the test and the examples", len(file.Decls))
	}
	rows := file.Decls[2].(*ast.GenDecl).Specs[0].(*ast.ValueSpec).Values[0].(*ast.CompositeLit).Elts
	if len(rows) != len(texts) {
		t.Fatalf("%d rows, want %d:\n%s", len(rows), len(texts), text)
	}
	for i, want := range texts {
		for _, field := range rows[i].(*ast.CompositeLit).Elts {
			pair := field.(*ast.KeyValueExpr)
			literal, ok := pair.Value.(*ast.BasicLit)
			if !ok {
				continue
			}
			got, err := strconv.Unquote(literal.Value)
			if err != nil {
				t.Fatal(err)
			}
			var value map[string]string
			switch pair.Key.(*ast.Ident).Name {
			case "Name":
				if got != want {
					t.Errorf("the name %q became %q", want, got)
				}
			case "Params", "Result":
				if err := json.Unmarshal([]byte(got), &value); err != nil {
					t.Errorf("%q: %v", got, err)
				}
				for _, v := range value {
					if v != want {
						t.Errorf("the value %q became %q", want, v)
					}
				}
			}
		}
	}
}

// TestGeneratedTestRuns plays the examples of documents that nobody opened: the
// Go tools are content, and every method is refused.
func TestGeneratedTestRuns(t *testing.T) {
	module := hostModule(t)
	document := rpcWith(`{"Pet":{"oneOf":[{"title":"Cat","type":"object","required":["k"],"properties":{"k":{"const":"cat"}}},{"title":"Dog","type":"object","required":["k"],"properties":{"k":{"const":"dog"}}}]}}`,
		method("pet", param("p", `{"$ref":"#/components/schemas/Pet"}`, ``), `{"$ref":"#/components/schemas/Pet"}`,
			`,"examples":[{"name":"dog","params":[{"name":"p","value":{"k":"dog"}}],"result":{"name":"r","value":{"k":"cat","age":3}}}]`),
		method("none", ``, `{"type":"string"}`, `,"examples":[{"name":"x","params":[],"result":{"name":"r","value":"<a>"}}]`))
	testFile(t, module, document)
	goTool(t, module, "vet", "./...")
	if out := goTool(t, module, "test", "-count=1", "-v", "./played"); strings.Count(out, "    --- PASS: ") != 2 {
		t.Errorf("go test says\n%s", out)
	}
}

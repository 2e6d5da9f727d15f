package explain

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestEveryCode wants an explanation of every code in the sources, and no
// explanation of a code that nothing reports.
func TestEveryCode(t *testing.T) {
	used := sourceCodes(t)
	if len(used) < 100 {
		t.Fatalf("only %d codes were found: the search is broken", len(used))
	}
	for code, where := range used {
		if text, ok := Code(code); !ok || text.Means == "" || text.Do == "" {
			t.Errorf("%s: code %q has no explanation", where, code)
		}
	}
	for _, code := range Codes() {
		if used[code] == "" {
			t.Errorf("%q is explained and never reported", code)
		}
	}
}

// TestSentences: texts are sentences for a terminal.
func TestSentences(t *testing.T) {
	for _, code := range Codes() {
		text, _ := Code(code)
		for _, s := range []string{text.Means, text.Do} {
			if !strings.HasSuffix(s, ".") || len(s) > 200 {
				t.Errorf("%s: %q", code, s)
			}
		}
	}
}

var form = regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`)

// sourceCodes finds codes in the compiler: constants called Code..., blocks of
// constants that say so in their comment, and literals in the place of a code.
func sourceCodes(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	files := token.NewFileSet()
	add := func(e ast.Expr) {
		lit, ok := e.(*ast.BasicLit)
		if !ok || lit.Kind != token.STRING {
			return
		}
		if code, err := strconv.Unquote(lit.Value); err == nil && form.MatchString(code) {
			found[code] = files.Position(lit.Pos()).String()
		}
	}
	err := filepath.WalkDir(filepath.Join("..", ".."), func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(files, name, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GenDecl:
				constants(n, add)
			case *ast.KeyValueExpr:
				if key, ok := n.Key.(*ast.Ident); ok && key.Name == "Code" {
					add(n.Value)
				}
			case *ast.CallExpr:
				if f, ok := n.Fun.(*ast.SelectorExpr); ok && len(n.Args) > 2 && (f.Sel.Name == "At" || f.Sel.Name == "AtName" || f.Sel.Name == "Warn" || f.Sel.Name == "Report") {
					add(n.Args[1])
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func constants(d *ast.GenDecl, add func(ast.Expr)) {
	if d.Tok != token.CONST {
		return
	}
	block := strings.Contains(d.Doc.Text(), "Code") || strings.Contains(d.Doc.Text(), "is the code of")
	for _, spec := range d.Specs {
		v := spec.(*ast.ValueSpec)
		for i, name := range v.Names {
			if i < len(v.Values) && (block || strings.HasPrefix(name.Name, "Code")) {
				add(v.Values[i])
			}
		}
	}
}

package verify

import (
	"embed"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"sync"

	"github.com/openrpc-go/rpcgen/compiler/internal/plan"
)

//go:embed stub/*.txt
var stubs embed.FS

// stubFiles are the only packages that generated code may import, in an order
// that puts what is imported first.
var stubFiles = []struct{ path, file string }{
	{"context", "stub/context.txt"},
	{"embed", "stub/embed.txt"},
	{"net/http", "stub/http.txt"},
	{"net/http/httptest", "stub/httptest.txt"},
	{"testing", "stub/testing.txt"},
	{"github.com/openrpc-go/rpcgen/runtime/schema", "stub/schema.txt"},
	{"github.com/openrpc-go/rpcgen/runtime", "stub/runtime.txt"},
}

// world holds the checked stubs; it answers imports.
type world map[string]*types.Package

// Import returns a stub; every other package is refused.
func (w world) Import(path string) (*types.Package, error) {
	if p := w[path]; p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("generated code may not import %q", path)
}

var stubWorld = sync.OnceValues(func() (world, error) {
	w := world{}
	for _, s := range stubFiles {
		text, err := stubs.ReadFile(s.file)
		if err != nil {
			return nil, err
		}
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, s.file, text, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		config := types.Config{Importer: w}
		p, err := config.Check(s.path, set, []*ast.File{parsed}, nil)
		if err != nil {
			return nil, fmt.Errorf("verify: stub of %s: %w", s.path, err)
		}
		w[s.path] = p
	}
	return w, nil
})

// checkTypes type-checks the package against the stubs.
func checkTypes(p *plan.Package, set *token.FileSet, files []*ast.File) error {
	w, err := stubWorld()
	if err != nil {
		return err
	}
	if s := split(p, w, set, files); s != nil && s.check() {
		return nil
	}
	if err := w.check(types.NewPackage(p.Name, p.Name), set, files); err != nil {
		return refuse(p.Name, "does not type-check: %v", err)
	}
	return nil
}

// check type-checks files as part of pkg, which may know objects already.
func (w world) check(pkg *types.Package, set *token.FileSet, files []*ast.File) error {
	config := &types.Config{Importer: w, GoVersion: "go1.26"}
	return types.NewChecker(config, set, pkg, nil).Files(files)
}

package verify

import (
	"embed"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"sync"
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
func (r *Run) checkTypes() error {
	w, err := stubWorld()
	if err != nil {
		return err
	}
	name := r.plan.Name
	if r.cut != nil && r.cut.of(name, w, r.set, r.parsed).check(r.types) {
		return nil
	}
	if err := w.check(types.NewPackage(name, name), r.set, r.parsed); err != nil {
		return refuse(name, "does not type-check: %v", err)
	}
	return nil
}

// checkedTypes are the types of a package that is cut up, nil when one of their
// files or the types themselves are not right.
func (r *Run) checkedTypes() *types.Package {
	w, err := stubWorld()
	if err != nil {
		return nil
	}
	for _, i := range r.cut.types {
		if r.errs[i] != nil {
			return nil
		}
	}
	return w.types(r.plan.Name, r.set, pick(r.parsed, r.cut.types))
}

// check type-checks files as part of pkg, which may know objects already.
func (w world) check(pkg *types.Package, set *token.FileSet, files []*ast.File) error {
	config := &types.Config{Importer: w, GoVersion: "go1.26"}
	return types.NewChecker(config, set, pkg, nil).Files(files)
}

// Package verify holds printed files against the plan they were printed from:
// the closed world. A file, an import, a declaration, a field, a statement or a
// directive that the plan does not know means that document text became code,
// and nothing is written. The package is type-checked too. Start with Check.
package verify

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"runtime"
	"sync"

	"github.com/openrpc-go/rpcgen/compiler/internal/output"
	"github.com/openrpc-go/rpcgen/compiler/internal/plan"
	"github.com/openrpc-go/rpcgen/compiler/internal/render"
)

// Options leave out parts of the check. The zero value checks everything.
type Options struct {
	SkipTypes bool // do not type-check
}

// Error says where the files are not what the plan says: a bug of ours, never
// of the user's.
type Error struct {
	File    string
	Message string
}

func (e *Error) Error() string { return fmt.Sprintf("verify %s: %s", e.File, e.Message) }

func refuse(file, format string, args ...any) error {
	return &Error{File: file, Message: fmt.Sprintf(format, args...)}
}

// Check compares files with the plan p and returns the first difference, in
// the order of the plan.
func Check(p *plan.Package, files []output.File, o Options) error {
	if err := checkNames(p, files); err != nil {
		return err
	}
	set := token.NewFileSet()
	parsed, err := parseAll(p, set, files[:len(p.Files)])
	if err != nil {
		return err
	}
	if o.SkipTypes {
		return nil
	}
	return checkTypes(p, set, parsed)
}

// checkNames compares the set of files: the Go files of the plan in their
// order, then the compiled contract.
func checkNames(p *plan.Package, files []output.File) error {
	if len(files) != len(p.Files)+1 {
		return refuse(p.Name, "%d files printed, %d planned", len(files), len(p.Files)+1)
	}
	for i, f := range files {
		want := render.ContractName
		if i < len(p.Files) {
			want = p.Files[i].Name
		}
		if f.Name != want {
			return refuse(f.Name, "printed where %s is planned", want)
		}
	}
	return nil
}

// parseAll parses the files and holds each against its plan.
func parseAll(p *plan.Package, set *token.FileSet, files []output.File) ([]*ast.File, error) {
	parsed := make([]*ast.File, len(files))
	errs := make([]error, len(files))
	var wait sync.WaitGroup
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, f := range files {
		wait.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			parsed[i], errs[i] = parse(p, set, i, f)
		})
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return parsed, nil
}

func parse(p *plan.Package, set *token.FileSet, i int, f output.File) (*ast.File, error) {
	parsed, err := parser.ParseFile(set, f.Name, f.Data, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, refuse(f.Name, "does not parse: %v", err)
	}
	c := &checker{set: set, pkg: p, plan: &p.Files[i], file: parsed}
	return parsed, c.check()
}

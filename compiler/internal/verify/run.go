package verify

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"sync"
	"sync/atomic"

	"github.com/openrpc-go/rpcgen/compiler/internal/output"
	"github.com/openrpc-go/rpcgen/compiler/internal/plan"
)

// Run is a check of a package whose files are still being printed: each is
// parsed and held against the plan as soon as it is there, and the types are
// type-checked beside the rest. Nothing is said before End.
type Run struct {
	plan    *plan.Package
	options Options
	set     *token.FileSet
	texts   [][]byte // of the files so far, in the order of the plan
	parsed  []*ast.File
	errs    []error
	cut     *cut         // nil: the package is checked as a whole
	left    atomic.Int64 // files of types that are still missing
	types   func() *types.Package
}

// Begin begins a check against the plan p.
func Begin(p *plan.Package, o Options) *Run {
	n := len(p.Files)
	r := &Run{
		plan: p, options: o, set: token.NewFileSet(),
		texts: make([][]byte, n), parsed: make([]*ast.File, n), errs: make([]error, n),
	}
	if !o.SkipTypes {
		r.cut = cutUp(p)
	}
	if r.cut != nil {
		r.left.Store(int64(len(r.cut.types)))
		r.types = sync.OnceValue(r.checkedTypes)
	}
	return r
}

// File takes the text of a Go file by its place in the plan. It may be called by
// several goroutines, for every file once.
func (r *Run) File(i int, text []byte) {
	r.texts[i] = text
	r.parsed[i], r.errs[i] = r.parse(i, text)
	if r.cut != nil && r.plan.Files[i].Kind == plan.TypesFile && r.left.Add(-1) == 0 {
		go r.types()
	}
}

func (r *Run) parse(i int, text []byte) (*ast.File, error) {
	planned := &r.plan.Files[i]
	parsed, err := parser.ParseFile(r.set, planned.Name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, refuse(planned.Name, "does not parse: %v", err)
	}
	c := &checker{set: r.set, pkg: r.plan, plan: planned, file: parsed}
	return parsed, c.check()
}

// End holds the whole package against the plan and returns the first difference,
// in the order of the plan. A file that File did not see as it is now is one.
func (r *Run) End(files []output.File) error {
	if err := checkNames(r.plan, files); err != nil {
		return err
	}
	for i, f := range files[:len(r.texts)] {
		switch {
		case r.errs[i] != nil:
			return r.errs[i]
		case r.parsed[i] == nil || !bytes.Equal(r.texts[i], f.Data):
			return refuse(f.Name, "is not the text that was checked")
		}
	}
	if r.options.SkipTypes {
		return nil
	}
	return r.checkTypes()
}

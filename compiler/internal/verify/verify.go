// Package verify holds printed files against the plan they were printed from:
// the closed world. A file, an import, a declaration, a field, a statement or a
// directive that the plan does not know means that document text became code,
// and nothing is written. The package is type-checked too. Start with Check,
// or with Begin for files that are still being printed.
package verify

import (
	"fmt"
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
	r := Begin(p, o)
	var wait sync.WaitGroup
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i := range p.Files {
		wait.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			r.File(i, files[i].Data)
		})
	}
	wait.Wait()
	return r.End(files)
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

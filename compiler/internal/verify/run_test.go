package verify

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/openrpc-go/rpcgen/compiler/internal/output"
	"github.com/openrpc-go/rpcgen/compiler/internal/plan"
)

// handed begins a check and hands it the Go files, all at once and in an order
// that is not that of the plan.
func handed(p *plan.Package, files []output.File) *Run {
	r := Begin(p, Options{})
	var wait sync.WaitGroup
	for i := range slices.Backward(p.Files) {
		wait.Go(func() { r.File(i, files[i].Data) })
	}
	wait.Wait()
	return r
}

// TestRunTakesFilesInAnyOrder checks a package whose files come as they are
// printed, whole and in parts.
func TestRunTakesFilesInAnyOrder(t *testing.T) {
	for name, p := range map[string]*plan.Package{"whole": small(), "in parts": large()} {
		files := printed(t, p)
		if err := handed(p, files).End(files); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestRunSaysTheFirstDifference says what is wrong in the order of the plan, not
// in that of the files.
func TestRunSaysTheFirstDifference(t *testing.T) {
	for name, p := range map[string]*plan.Package{"whole": small(), "in parts": large()} {
		files := printed(t, p)
		for i := range p.Files {
			files[i].Data = append(slices.Clone(files[i].Data), "\nvar more = 1\n"...)
		}
		err := handed(p, files).End(files)
		if err == nil || !strings.HasPrefix(err.Error(), "verify "+p.Files[0].Name+":") {
			t.Errorf("%s: End = %v, want a difference of %s", name, err, p.Files[0].Name)
		}
	}
}

// TestRunKnowsItsTexts refuses a file that is not the one that was checked, and
// one that was never handed over.
func TestRunKnowsItsTexts(t *testing.T) {
	p := small()
	for i := range p.Files {
		files := printed(t, p)
		r := handed(p, files)
		files[i].Data = append(slices.Clone(files[i].Data), '\n')
		if err := r.End(files); err == nil || !strings.Contains(err.Error(), p.Files[i].Name) {
			t.Errorf("%s changed: End = %v", p.Files[i].Name, err)
		}
		files = printed(t, p)
		r = Begin(p, Options{})
		for k := range p.Files {
			if k != i {
				r.File(k, files[k].Data)
			}
		}
		if err := r.End(files); err == nil || !strings.Contains(err.Error(), p.Files[i].Name) {
			t.Errorf("%s missing: End = %v", p.Files[i].Name, err)
		}
	}
}

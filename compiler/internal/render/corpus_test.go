package render_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/openrpc-go/rpcgen/compiler/internal/plan"
	"github.com/openrpc-go/rpcgen/compiler/internal/reference"
	"github.com/openrpc-go/rpcgen/compiler/internal/render"
	"github.com/openrpc-go/rpcgen/compiler/internal/verify"
)

// TestCorpus plans and prints every real document and reports how many places
// stay raw JSON, and why.
func TestCorpus(t *testing.T) {
	dir := corpus(t)
	total := tally{reasons: map[plan.Reason]int{}}
	for _, name := range documents(t, dir) {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		refs, done := within(t, dir, name)
		built, _ := build("corpus", filepath.Base(name), text, refs)
		done()
		c, p := built.contract, built.plan
		if p == nil {
			continue
		}
		files, err := render.Files(p, sealed)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if err := verify.Check(p, files, verify.Options{}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		lines := 0
		for _, f := range files {
			lines += bytes.Count(f.Data, []byte("\n"))
		}
		total.add(p)
		if os.Getenv("PLAN_RAW") != "" {
			for _, r := range p.Sites.Raw {
				if r.Reason != plan.ReasonAny {
					t.Logf("   raw %s: %s", r.Schema, r.Reason)
				}
			}
		}
		t.Logf("%-60s methods %4d of %4d, sites %5d, raw %4d, lines %6d, renamed %d", name, len(p.Methods), len(c.Methods), p.Sites.Types, len(p.Sites.Raw), lines, len(p.Renamed))
		if out := os.Getenv("PLAN_OUT"); out != "" {
			d := filepath.Join(out, strings.NewReplacer("/", "_", ".", "_").Replace(name))
			os.MkdirAll(d, 0o755)
			for _, f := range files {
				os.WriteFile(filepath.Join(d, f.Name), f.Data, 0o644)
			}
		}
	}
	t.Logf("all: methods %d, sites %d, raw %v", total.methods, total.sites, total.reasons)
}

// within lets the references of a document reach its project's folder.
func within(t *testing.T, dir, name string) (reference.Options, func()) {
	t.Helper()
	project, rest, _ := strings.Cut(filepath.ToSlash(name), "/")
	root, err := os.OpenRoot(filepath.Join(dir, project))
	if err != nil {
		t.Fatal(err)
	}
	return reference.Options{Root: root, Dir: filepath.ToSlash(filepath.Dir(rest))}, func() { root.Close() }
}

type tally struct {
	methods, sites int
	reasons        map[plan.Reason]int
}

func (t *tally) add(p *plan.Package) {
	t.methods += len(p.Methods)
	t.sites += p.Sites.Types
	for _, r := range p.Sites.Raw {
		t.reasons[r.Reason]++
	}
}

// documents lists the OpenRPC documents of the corpus by their content.
func documents(t *testing.T, dir string) []string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err == nil && bytes.Contains(text, []byte("methods")) && bytes.Contains(text, []byte("openrpc")) {
			name, _ := filepath.Rel(dir, path)
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

package compiler_test

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/openrpc-go/rpcgen/compiler"
	"github.com/openrpc-go/rpcgen/runtime/compiled"
)

// corpus returns a folder of the real documents beside the repository, or
// skips the test. Tests only ever read there.
func corpus(t testing.TB, folder string) string {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("../../shared/corpus", folder))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); err != nil {
		t.Skip("no corpus of real documents beside the repository")
	}
	return dir
}

// long skips what takes minutes unless it was asked for.
func long(t testing.TB) {
	t.Helper()
	if os.Getenv("RPCGEN_LONG") == "" {
		t.Skip("takes minutes; RPCGEN_LONG=1 runs it")
	}
}

// documents lists the OpenRPC documents below dir by their content, sorted.
func documents(t testing.TB, dir string) []string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if isOpenRPC(text) {
			name, err := filepath.Rel(dir, path)
			names = append(names, filepath.ToSlash(name))
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// version and methods are the members that make a file an OpenRPC document, in
// JSON or in YAML. The meta-schemas only speak about such members.
var (
	version = regexp.MustCompile(`(?m)("openrpc"\s*:\s*"\d|^openrpc:\s)`)
	methods = regexp.MustCompile(`(?m)("methods"\s*:\s*\[|^methods:\s)`)
)

func isOpenRPC(text []byte) bool { return version.Match(text) && methods.Match(text) }

// roots are the folders that references of some projects may reach; a document
// without a row reaches its own folder.
var roots = []struct{ folder, root string }{
	{"alchemy/", "alchemy"},
	{"firebolt-apis/", "firebolt-apis"},
	{"near-standards/", "near-standards"},
	{"starknet/", "starknet"},
}

// target describes a document below dir as a contract of a project in out.
func target(dir, name, out string) compiler.Target {
	id := identifier(name)
	t := compiler.Target{
		ID: id, Document: filepath.Join(dir, name), Output: filepath.Join(out, id), Package: id,
	}
	for _, r := range roots {
		if strings.HasPrefix(name, r.folder) {
			t.Root = filepath.Join(dir, r.root)
		}
	}
	return t
}

// identifier makes an endpoint id of a document's path.
func identifier(name string) string {
	id := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, strings.ToLower(strings.TrimSuffix(name, filepath.Ext(name))))
	if id = "c_" + id; len(id) > 60 {
		id = id[:60]
	}
	return id
}

// only is a project of one contract.
func only(dir string, t compiler.Target) *compiler.Project {
	return &compiler.Project{Dir: dir, Lock: filepath.Join(dir, "rpcgen.lock"), Targets: []compiler.Target{t}}
}

// dryRun compiles, prints and verifies one document without writing anything.
func dryRun(t *testing.T, dir, name string) compiler.GeneratedContract {
	t.Helper()
	out := filepath.Join(t.TempDir(), "none")
	g, err := only(out, target(dir, name, out)).Generate(compiler.GenerateOptions{Now: time.Now, Tool: "test", SkipTypeCheck: true, DryRun: true})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return g.Contracts[0]
}

// least is the share of methods, in percent, that must compile.
const least = 60

// TestCorpus compiles every real document and prints what became of it. Each
// method compiles or has a reason; each diagnostic points at what it is about.
func TestCorpus(t *testing.T) {
	dir := corpus(t, "openrpc")
	total := tally{codes: map[string]int{}}
	for _, name := range documents(t, dir) {
		t.Run(name, func(t *testing.T) {
			began := time.Now()
			c := dryRun(t, dir, name)
			total.add(name, c.Report(), time.Since(began))
			explained(t, c)
			for _, d := range c.Diagnostics {
				if err := pointsAt(d); err != nil {
					t.Errorf("%v", err)
				}
			}
		})
	}
	t.Log("\n" + total.String())
	if 100*total.compiled < least*total.methods {
		t.Errorf("%d of %d methods compile, want %d %%", total.compiled, total.methods, least)
	}
}

// explained holds that every method is compiled or has a reason with a place,
// and that no compiled method has one.
func explained(t *testing.T, c compiler.GeneratedContract) {
	t.Helper()
	if c.Failed() {
		if !c.Findings().HasErrors() {
			t.Error("the contract failed without a diagnostic")
		}
		return
	}
	reasons := map[string]int{}
	for _, r := range c.Report().Refused {
		reasons[r.Method]++
		if r.Code == "" || r.Pointer == "" || r.File == "" || r.Line < 1 || r.Column < 1 || r.Message == "" {
			t.Errorf("a refusal without a place or a reason: %+v", r)
		}
	}
	for _, m := range c.Sealed.Methods {
		if refused := m.Authority.State == compiled.Uncompiled; refused != (reasons[m.Name] > 0) {
			t.Errorf("method %q: state %s, %d reasons", m.Name, m.Authority.State, reasons[m.Name])
		}
	}
}

// tally sums up the reports of all documents.
type tally struct {
	rows                         [][]any
	documents, methods, compiled int
	sites, raw                   int
	codes                        map[string]int // methods refused, by code
	slowest                      string
	longest                      time.Duration
}

func (t *tally) add(name string, r compiler.ContractReport, took time.Duration) {
	refused := map[[2]string]bool{}
	for _, f := range r.Refused {
		refused[[2]string{f.Code, f.Method}] = true
	}
	for f := range refused {
		t.codes[f[0]]++
	}
	t.documents++
	t.methods += r.Methods
	t.compiled += r.Compiled
	t.sites += r.TypeSites
	t.raw += r.RawJSONSites
	if took > t.longest {
		t.longest, t.slowest = took, name
	}
	t.rows = append(t.rows, []any{name, r.Methods, r.Compiled, r.TypeSites, r.RawJSONSites, took.Milliseconds()})
}

func (t *tally) String() string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "document\tmethods\tcompiled\ttype sites\traw JSON\tms")
	for _, row := range append(t.rows, []any{fmt.Sprintf("%d documents", t.documents), t.methods, t.compiled, t.sites, t.raw, t.longest.Milliseconds()}) {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\n", row...)
	}
	w.Flush()
	fmt.Fprintf(&b, "slowest: %s\nmethods refused by code:\n", t.slowest)
	for _, code := range slices.Sorted(maps.Keys(t.codes)) {
		fmt.Fprintf(&b, "  %-30s %d\n", code, t.codes[code])
	}
	return b.String()
}

// TestCorpusBuilds writes the packages of every real document into one module
// and lets the Go tools judge them.
func TestCorpusBuilds(t *testing.T) {
	long(t)
	dir, module := corpus(t, "openrpc"), hostModule(t)
	project := &compiler.Project{Dir: module, Lock: filepath.Join(module, "rpcgen.lock")}
	for _, name := range documents(t, dir) {
		project.Targets = append(project.Targets, target(dir, name, module))
	}
	g, err := project.Generate(compiler.GenerateOptions{Now: time.Now, Tool: "test"})
	if err != nil || !g.Written {
		t.Fatalf("Generate: written %v, %v", g.Written, err)
	}
	goTool(t, module, "vet", "./...")
	goTool(t, module, "build", "./...")
}

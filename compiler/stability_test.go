package compiler_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/openrpc-go/rpcgen/compiler"
	"github.com/openrpc-go/rpcgen/compiler/internal/pin"
)

// runs is how often the same input is generated.
const runs = 50

// example copies the example's project into a folder of the test.
func example(t testing.TB) string {
	t.Helper()
	dir, from := t.TempDir(), filepath.Join("..", "examples", "billing")
	for _, name := range []string{"rpcgen.yaml", "contracts/billing.openrpc.json", "contracts/billing.amend.yaml"} {
		text, err := os.ReadFile(filepath.Join(from, name))
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// generateIn runs the config of a folder.
func generateIn(dir string) error {
	project, found, err := compiler.Open(dir, nil)
	if err != nil || project == nil {
		return fmt.Errorf("Open: %v, %v", found, err)
	}
	g, err := project.Generate(compiler.GenerateOptions{Now: time.Now, Tool: "test", AllowClosing: true})
	if err == nil && !g.Written {
		err = fmt.Errorf("nothing was written")
	}
	return err
}

// written reads everything that a run wrote: the lock and the package.
func written(t testing.TB, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	names, err := filepath.Glob(filepath.Join(dir, "internal", "billing", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append(names, filepath.Join(dir, "rpcgen.lock")) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(name)] = string(text)
	}
	return files
}

// TestSameInputSameBytes generates the same project in many folders, with one
// processor and with several, and compares all bytes.
func TestSameInputSameBytes(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	var first map[string]string
	for i := range runs {
		runtime.GOMAXPROCS(1 + i%4)
		dir := example(t)
		if err := generateIn(dir); err != nil {
			t.Fatal(err)
		}
		got := written(t, dir)
		if first == nil {
			first = got
		}
		for name := range first {
			if got[name] != first[name] || len(got) != len(first) {
				t.Fatalf("run %d: %s has other bytes", i, name)
			}
		}
	}
}

// TestSameBytesOfLargeDocument is the same for the largest real documents.
func TestSameBytesOfLargeDocument(t *testing.T) {
	long(t)
	dir := corpus(t, "openrpc")
	for _, name := range []string{executionAPIs, "near/openrpc.json"} {
		sums := map[string]int{}
		for range runs {
			c := dryRun(t, dir, name)
			sums[sum(t, c.Compilation)]++
		}
		if len(sums) != 1 {
			t.Errorf("%s: %d different plans in %d runs", name, len(sums), runs)
		}
	}
}

// sum is a digest of all files that a compilation prints.
func sum(t *testing.T, c *compiler.Compilation) string {
	t.Helper()
	h := sha256.New()
	for _, f := range rendered(t, c) {
		fmt.Fprintf(h, "%s %d\n%s", f.Name, len(f.Data), f.Data)
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

// TestShuffledKeys shuffles the members of every object of the document. No
// pin moves, so the amendment still fits, and the package differs only in what
// tells positions: the document's digest, and the order of fields and of
// declarations that follow the document.
func TestShuffledKeys(t *testing.T) {
	dir := example(t)
	if err := generateIn(dir); err != nil {
		t.Fatal(err)
	}
	document := filepath.Join(dir, "contracts", "billing.openrpc.json")
	text, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	original, pins := written(t, dir), pinsOf(t, dir)
	want := unordered(t, original)
	random := rand.New(rand.NewPCG(3, 4))
	other, same := 0, 0
	for i := range runs {
		if err := os.WriteFile(document, shuffled(t, text, random), 0o644); err != nil {
			t.Fatal(err)
		}
		if got := pinsOf(t, dir); !slices.Equal(got, pins) {
			t.Fatalf("run %d: pins moved\n%q\n%q", i, got, pins)
		}
		if err := generateIn(dir); err != nil {
			t.Fatal(err)
		}
		files := written(t, dir)
		for name, text := range unordered(t, files) {
			if text != want[name] {
				t.Fatalf("run %d: %s differs in more than order:\n%s\nwant\n%s", i, name, text, want[name])
			}
		}
		for name, text := range files {
			if name == "rpcgen.lock" {
				continue
			}
			if digests.ReplaceAllString(text, "") == digests.ReplaceAllString(original[name], "") {
				same++
			} else {
				other++
			}
		}
	}
	t.Logf("of %d files of shuffled documents %d have the same bytes but for digests, %d another order of fields", same+other, same, other)
}

// pinsOf compiles a folder's contract and returns the pins of its methods,
// sorted, with the digest of the contract.
func pinsOf(t *testing.T, dir string) []string {
	t.Helper()
	project, _, err := compiler.Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := project.Compile(project.Targets[0], time.Now)
	if err != nil || c.Failed() {
		t.Fatalf("Compile: %v", err)
	}
	pins := []string{c.Sealed.Digest}
	for i, m := range c.Contract.Methods {
		pins = append(pins, m.Name+" "+pin.Of(c.Digests[i])+" "+c.Digests[i].Text+" "+c.Digests[i].Doc)
	}
	slices.Sort(pins)
	return pins
}

var digests = regexp.MustCompile(`sha256:[0-9a-f]{64}`)

// unordered brings generated files into a form without order: the lines of
// data sorted, the declarations and fields of Go sorted, file digests cut.
func unordered(t *testing.T, files map[string]string) map[string]string {
	t.Helper()
	out := map[string]string{}
	for name, text := range files {
		switch {
		case strings.HasSuffix(name, ".go"):
			out[name] = sortedGo(t, digests.ReplaceAllString(text, "sha256"))
		case name == "contract.json":
			out[name] = sortedJSON(t, text)
		}
	}
	return out
}

// sortedGo prints the declarations of a file, fields and all, sorted.
func sortedGo(t *testing.T, text string) string {
	t.Helper()
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "x.go", text, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.StructType); ok {
			slices.SortFunc(s.Fields.List, func(a, b *ast.Field) int {
				return strings.Compare(fieldName(a), fieldName(b))
			})
		}
		return true
	})
	var decls []string
	for _, d := range file.Decls {
		var b bytes.Buffer
		if err := printer.Fprint(&b, token.NewFileSet(), d); err != nil {
			t.Fatal(err)
		}
		decls = append(decls, strings.Join(strings.Fields(b.String()), " "))
	}
	slices.Sort(decls)
	return strings.Join(decls, "\n")
}

func fieldName(f *ast.Field) string {
	if len(f.Names) == 0 {
		return ""
	}
	return f.Names[0].Name
}

// sortedJSON sorts the members of all objects and the names of required
// members, which follow the properties, and cuts the digest of the document.
func sortedJSON(t *testing.T, text string) string {
	t.Helper()
	var value map[string]any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatal(err)
	}
	value["document"].(map[string]any)["digest"] = ""
	sortRequired(value)
	out, err := json.MarshalIndent(value, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func sortRequired(value any) {
	switch v := value.(type) {
	case map[string]any:
		if names, ok := v["required"].([]any); ok {
			slices.SortFunc(names, func(a, b any) int { return strings.Compare(a.(string), b.(string)) })
		}
		for _, member := range v {
			sortRequired(member)
		}
	case []any:
		for _, item := range v {
			sortRequired(item)
		}
	}
}

// shuffled prints a JSON document with the members of all objects in another
// order. Arrays keep theirs: it means something there.
func shuffled(t *testing.T, text []byte, random *rand.Rand) []byte {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		t.Fatal(err)
	}
	return appendShuffled(nil, value, random)
}

func appendShuffled(dst []byte, value any, random *rand.Rand) []byte {
	switch v := value.(type) {
	case map[string]any:
		names := make([]string, 0, len(v))
		for name := range v {
			names = append(names, name)
		}
		slices.Sort(names)
		random.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		dst = append(dst, '{')
		for i, name := range names {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendShuffled(append(dst, '\n'), name, random)
			dst = appendShuffled(append(dst, ':'), v[name], random)
		}
		return append(dst, '}')
	case []any:
		dst = append(dst, '[')
		for i, item := range v {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendShuffled(dst, item, random)
		}
		return append(dst, ']')
	default:
		text, err := json.Marshal(v)
		if err != nil {
			panic(err)
		}
		return append(dst, text...)
	}
}

// TestShuffledCorpus holds that the order of keys moves no pin of any real
// document.
func TestShuffledCorpus(t *testing.T) {
	long(t)
	dir := corpus(t, "openrpc")
	random := rand.New(rand.NewPCG(5, 6))
	for _, name := range documents(t, dir) {
		if filepath.Ext(name) != ".json" {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		out := t.TempDir()
		tgt := target(dir, name, out)
		want, err := only(out, tgt).Compile(tgt, time.Now)
		if err != nil {
			t.Fatal(err)
		}
		if want.Failed() || len(want.Files) > 1 {
			continue // references to other files would need their folder
		}
		write(t, out, "shuffled.json", string(shuffled(t, text, random)))
		tgt.Document, tgt.Root = filepath.Join(out, "shuffled.json"), ""
		got, err := only(out, tgt).Compile(tgt, time.Now)
		if err != nil || got.Failed() {
			t.Errorf("%s: shuffled, it does not compile: %v", name, err)
			continue
		}
		for i, m := range want.Contract.Methods {
			if got.Digests[i] != want.Digests[i] {
				t.Errorf("%s: digests of %s moved: %+v, want %+v", name, m.Name, got.Digests[i], want.Digests[i])
			}
		}
	}
}

// childEnv makes this test binary a run of generate in a folder; TestMain.
const childEnv = "RPCGEN_COMPILER_CHILD"

// TestMain lets tests start generate as a process of its own.
func TestMain(m *testing.M) {
	if dir := os.Getenv(childEnv); dir != "" {
		if err := generateIn(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// start begins generate in a folder as a process.
func start(t *testing.T, dir string) *exec.Cmd {
	t.Helper()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), childEnv+"="+dir)
	child.Stderr = os.Stderr
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	return child
}

// TestParallelRuns lets processes generate into one folder at the same time.
// Each succeeds and what they leave is what one alone would leave.
func TestParallelRuns(t *testing.T) {
	alone := example(t)
	if err := generateIn(alone); err != nil {
		t.Fatal(err)
	}
	want := written(t, alone)
	for range 5 {
		dir := example(t)
		var children []*exec.Cmd
		for range 3 {
			children = append(children, start(t, dir))
		}
		for _, child := range children {
			if err := child.Wait(); err != nil {
				t.Errorf("a run beside others: %v", err)
			}
		}
		got := written(t, dir)
		for name := range want {
			if got[name] != want[name] || len(got) != len(want) {
				t.Errorf("%s has other bytes after runs in parallel", name)
			}
		}
	}
}

// TestKill kills generate at random moments while it replaces one package by
// another. What it leaves is the old package, the new one, or one that refuses
// to run until the next generate finishes it, which it always does.
func TestKill(t *testing.T) {
	dir := example(t)
	document := filepath.Join(dir, "contracts", "billing.openrpc.json")
	text, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	versions := [][]byte{text, bytes.ReplaceAll(text, []byte(`"title": "Billing"`), []byte(`"title": "Payments"`))}
	versions[1] = bytes.ReplaceAll(versions[1], []byte(`"quantity"`), []byte(`"amount"`))
	packages := make([]map[string]string, 2)
	for i := range versions {
		finish(t, dir, document, versions[i])
		packages[i] = written(t, dir)
	}
	random := rand.New(rand.NewPCG(7, 8))
	count := map[string]int{}
	usual := killed(t, dir, time.Minute) // how long a run takes, as the machine is now
	for i := range 60 {
		next := i % 2
		if err := os.WriteFile(document, versions[next], 0o644); err != nil {
			t.Fatal(err)
		}
		killed(t, dir, time.Duration(random.Int64N(int64(usual)*2)))
		state := left(t, dir, packages, next)
		if state == "mixed" {
			t.Fatalf("kill %d left a package that is neither old nor new and is not marked", i)
		}
		count[state]++
		finish(t, dir, document, versions[next])
		if left(t, dir, packages, next) != "new" {
			t.Fatalf("kill %d: the next run did not finish the package", i)
		}
	}
	litter, err := filepath.Glob(filepath.Join(dir, ".rpcgen*"))
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("60 kills left %v, and %d temporary files", count, len(litter))
}

// killed starts a run and kills it after a time unless it ends before. It
// returns how long the process lived.
func killed(t *testing.T, dir string, after time.Duration) time.Duration {
	t.Helper()
	began := time.Now()
	child := start(t, dir)
	clock := time.AfterFunc(after, func() { child.Process.Kill() })
	defer clock.Stop()
	child.Wait()
	return time.Since(began)
}

func finish(t *testing.T, dir, document string, text []byte) {
	t.Helper()
	if err := os.WriteFile(document, text, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := generateIn(dir); err != nil {
		t.Fatal(err)
	}
}

// left says what a folder holds. A committed write that was not moved into
// place yet is known by its hidden folder, and its package must not run: the
// code's digest does not fit contract.json.
func left(t *testing.T, dir string, packages []map[string]string, next int) string {
	t.Helper()
	out := filepath.Join(dir, "internal", "billing")
	same := func(want map[string]string) bool {
		for name, text := range want {
			if got, _ := os.ReadFile(filepath.Join(out, name)); name != "rpcgen.lock" && string(got) != text {
				return false
			}
		}
		return true
	}
	switch {
	case same(packages[next]):
		return "new"
	case same(packages[1-next]):
		return "old"
	}
	if _, err := os.Stat(filepath.Join(out, ".rpcgen-commit")); err != nil {
		return "mixed"
	}
	return "committed"
}

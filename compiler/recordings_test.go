package compiler_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/openrpc-go/rpcgen/compiler"
	"github.com/openrpc-go/rpcgen/compiler/internal/pin"
	"github.com/openrpc-go/rpcgen/runtime/compiled"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// executionAPIs is the document that the recordings were made against.
const executionAPIs = "ethereum-execution-apis/openrpc.json"

// TestRecordings makes every recorded call of the execution APIs through a
// typed client in a module of its own: whatever the contract accepts is sent as
// it was recorded. A client without an amendment stands beside it and sends
// nothing. What the contract accepts is judged by another validator as well.
func TestRecordings(t *testing.T) {
	dir, recordings := corpus(t, "openrpc"), corpus(t, "recordings/execution-apis")
	module := hostModule(t)
	contract := generateOpen(t, dir, executionAPIs, module, "eth")
	harness(t, module, "eth", "recordings_test.go", contract)
	harness(t, module, "closed", "closed_test.go", generateClosed(t, dir, executionAPIs, module, "closed"))

	t.Setenv("RECORDINGS", recordings)
	printed := goTool(t, module, "test", "-count=1", "-v", "./...")
	got := readReport(t, printed)
	t.Log("\n" + got.String())
	if got.Lines == 0 || got.Sent+len(got.Refused) != got.Lines {
		t.Errorf("%d lines, %d were sent, %d refused", got.Lines, got.Sent, len(got.Refused))
	}
	if !slices.Equal(slices.Sorted(maps.Keys(got.Different)), slices.Sorted(maps.Keys(undeclared))) {
		t.Errorf("these requests differ from the recorded ones: %q, want those of %q", got.Different, undeclared)
	}
	if ended := got.Statuses["ok"] + got.Statuses["jsonrpc_error"] + got.Statuses["contract_violation"]; ended != got.Sent {
		t.Errorf("%d of %d calls ended otherwise than answered: %v", got.Sent-ended, got.Sent, got.Statuses)
	}
	if !strings.Contains(printed, "78 methods are closed") {
		t.Errorf("the client without an amendment was not tried with all methods:\n%s", printed)
	}
	if want := refusedByOther(t, filepath.Join(dir, executionAPIs), recordings); !slices.Equal(want, slices.Sorted(maps.Keys(got.Refused))) {
		t.Errorf("another validator refuses %q", want)
	}
}

// undeclared are the recorded requests with members that their schema admits
// but does not declare: they are kept on decoding and not sent.
var undeclared = map[string]string{
	"eth_getLogs/filter-error-invalid-blockHash-and-range.io#0": "fromBlock and toBlock beside blockHash belong to the other variant of the filter",
}

// report is what the harness prints.
type report struct {
	Lines, Sent                   int
	Refused, Different, Violating map[string]string
	Statuses                      map[string]int
}

func readReport(t *testing.T, printed string) report {
	t.Helper()
	var r report
	_, after, ok := strings.Cut(printed, "REPORT ")
	if !ok {
		t.Fatalf("no report in:\n%s", printed)
	}
	if err := json.Unmarshal([]byte(firstLine(after)), &r); err != nil {
		t.Fatal(err)
	}
	return r
}

func (r report) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d recorded requests: %d accepted, %d refused by the contract; sent %d, equal %d, different %d; results: %v\n",
		r.Lines, r.Sent, len(r.Refused), r.Sent, r.Sent-len(r.Different), len(r.Different), r.Statuses)
	for _, list := range []struct {
		what string
		rows map[string]string
	}{{"refused", r.Refused}, {"different", r.Different}, {"result", r.Violating}} {
		for _, name := range slices.Sorted(maps.Keys(list.rows)) {
			fmt.Fprintf(&b, "%-9s %s: %s\n", list.what, name, list.rows[name])
		}
	}
	return b.String()
}

// generateClosed writes the package of a document without an amendment.
func generateClosed(t *testing.T, dir, document, module, id string) *compiled.Contract {
	t.Helper()
	target := target(dir, document, module)
	target.ID, target.Package, target.Output = id, id, id
	return generate(t, module, target)
}

// generateOpen writes the package of a document with an amendment that opens
// every method as a read.
func generateOpen(t *testing.T, dir, document, module, id string) *compiled.Contract {
	t.Helper()
	target := target(dir, document, module)
	target.ID, target.Package, target.Output = id, id, id
	c, err := only(module, target).Compile(target, time.Now)
	if err != nil || c.Failed() {
		t.Fatalf("Compile(%s): failed %v, %v", document, c.Failed(), err)
	}
	write(t, module, id+".amend.yaml", opening(c))
	target.Amendment = id + ".amend.yaml"
	return generate(t, module, target)
}

func generate(t *testing.T, module string, target compiler.Target) *compiled.Contract {
	t.Helper()
	project := only(module, target)
	project.Lock = filepath.Join(module, target.ID+".lock")
	g, err := project.Generate(compiler.GenerateOptions{Now: time.Now, Tool: "test"})
	if err != nil || !g.Written {
		t.Fatalf("Generate(%s): %v, %v", target.ID, g, err)
	}
	return g.Contracts[0].Sealed
}

// opening is an amendment that opens every compiled method to Go callers.
func opening(c *compiler.Compilation) string {
	var b strings.Builder
	fmt.Fprintf(&b, "version: \"1\"\ncontract: %s\nprofiles:\n  open: {effect: read, code: allow, agents: deny}\nmethods:\n", c.Target.ID)
	for i, m := range c.Sealed.Methods {
		if m.Authority.State != compiled.Uncompiled {
			notify := ""
			if m.Notification {
				notify = ", notification: allow"
			}
			fmt.Fprintf(&b, "  %q: {use: open, pin: %q%s}\n", m.Name, pin.Of(c.Digests[i]), notify)
		}
	}
	return b.String()
}

var unionList = regexp.MustCompile(`(?m)^\tschema\.UnionOf\[.*$`)

// harness puts a test of testdata/harness into a generated package, with a
// table of its methods and its unions.
func harness(t *testing.T, module, id, name string, c *compiled.Contract) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "harness", name+".txt"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, module, id+"/"+name, string(text))
	client, err := os.ReadFile(filepath.Join(module, id, "client.go"))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "package %s\n\nimport \"github.com/openrpc-go/rpcgen/runtime/schema\"\n\nvar unions = []schema.Union{\n", id)
	b.WriteString(strings.Join(unionList.FindAllString(string(client), -1), "\n"))
	b.WriteString("\n}\n\nvar calls = map[string]typedCall{\n")
	for _, m := range c.Methods {
		how := "with"
		if m.ParamsNode == nil {
			how = "without"
		}
		if m.Authority.State != compiled.Uncompiled {
			fmt.Fprintf(&b, "\t%q: %s((*Client).%s),\n", m.Name, how, m.GoName)
		}
	}
	b.WriteString("}\n")
	write(t, module, id+"/calls_test.go", b.String())
}

// refusedByOther lists the recorded requests whose params another validator
// refuses by the schemas of the document.
func refusedByOther(t *testing.T, document, recordings string) []string {
	t.Helper()
	other := readOther(t, document)
	var refused []string
	for name, asked := range requests(t, recordings) {
		var request struct {
			Method string
			Params []json.RawMessage
		}
		if err := json.Unmarshal([]byte(asked), &request); err != nil {
			t.Fatal(err)
		}
		if !other.fits(t, request.Method, request.Params) {
			refused = append(refused, name)
		}
	}
	slices.Sort(refused)
	return refused
}

// otherValidator judges positional params by the document alone.
type otherValidator struct {
	methods map[string]otherMethod
	schemas *jsonschema.Compiler
}

type otherMethod struct {
	index    int
	required []bool // per param
}

func readOther(t *testing.T, document string) otherValidator {
	t.Helper()
	text, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	var declared struct {
		Methods []struct {
			Name   string
			Params []struct{ Required bool }
		}
	}
	if err := json.Unmarshal(text, &declared); err != nil {
		t.Fatal(err)
	}
	whole, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	other := otherValidator{methods: map[string]otherMethod{}, schemas: jsonschema.NewCompiler()}
	other.schemas.DefaultDraft(jsonschema.Draft7)
	if err := other.schemas.AddResource("openrpc.json", whole); err != nil {
		t.Fatal(err)
	}
	for i, m := range declared.Methods {
		method := otherMethod{index: i}
		for _, p := range m.Params {
			method.required = append(method.required, p.Required)
		}
		other.methods[m.Name] = method
	}
	return other
}

func (o otherValidator) fits(t *testing.T, name string, params []json.RawMessage) bool {
	t.Helper()
	m, known := o.methods[name]
	if !known || len(params) > len(m.required) || slices.Contains(m.required[len(params):], true) {
		return false
	}
	for i, p := range params {
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(p))
		if err != nil {
			t.Fatal(err)
		}
		s, err := o.schemas.Compile(fmt.Sprintf("openrpc.json#/methods/%d/params/%d/schema", m.index, i))
		if err != nil {
			t.Fatal(err)
		}
		if s.Validate(value) != nil {
			return false
		}
	}
	return true
}

// requests reads the recorded requests by the names that the harness uses.
func requests(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".io" {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		n := 0
		for line := range strings.Lines(string(text)) {
			if asked, ok := strings.CutPrefix(line, ">> "); ok {
				found[fmt.Sprintf("%s#%d", filepath.ToSlash(name), n)] = asked
				n++
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

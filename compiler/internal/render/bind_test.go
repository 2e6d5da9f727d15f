package render_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/output"
	"github.com/openrpc-go/rpcgen/compiler/internal/plan"
	"github.com/openrpc-go/rpcgen/compiler/internal/reference"
	"github.com/openrpc-go/rpcgen/compiler/internal/render"
	"github.com/openrpc-go/rpcgen/compiler/internal/seal"
	"github.com/openrpc-go/rpcgen/runtime/compiled"
)

// long binds the packages of every real document as well, and tries every
// payload everywhere; only reduces the documents.
var (
	long = os.Getenv("RPCGEN_LONG") == "1"
	only = flag.String("only", "", "with RPCGEN_LONG=1, bind only real documents whose name contains this")
)

// TestTypesBind compiles printed packages in a module of their own and binds
// every params and result type to its node with the real engine: plan and
// engine must agree on what fits.
func TestTypesBind(t *testing.T) {
	dir := t.TempDir()
	module(t, dir)
	for _, c := range cases(t) {
		bindable(t, filepath.Join(dir, c.name), c.name, c.name+".json", c.document, reference.Options{})
	}
	bindable(t, filepath.Join(dir, "hostile"), "hostile", "hostile.json", hostile(t, "\n*/ func init() {} `\"\x00\u202e,'\\\n+build ignore"), reference.Options{})
	if long {
		bindCorpus(t, dir)
	}
	cmd := exec.Command("go", "test", "./...")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("go test: %v\n%s", err, out)
	}
	cmd = exec.Command("go", "vet", "./...")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("go vet: %v\n%s", err, out)
	}
}

// module makes dir a module that uses this one.
func module(t *testing.T, dir string) {
	t.Helper()
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	const path = "github.com/openrpc-go/rpcgen"
	text := strings.Replace(string(mod), "module "+path, "module bound", 1)
	text += fmt.Sprintf("\nrequire %s v0.0.0\nreplace %s => %s\n", path, path, root)
	write(t, dir, output.File{Name: "go.mod", Data: []byte(text)}, output.File{Name: "go.sum", Data: sum})
}

func write(t *testing.T, dir string, files ...output.File) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// bindable writes a package with its true compiled contract and a test that
// binds all of its types.
func bindable(t *testing.T, dir, id, name string, document []byte, refs reference.Options) {
	t.Helper()
	built, faults := build(id, name, document, refs)
	if built.plan == nil {
		if built.contract != nil {
			t.Errorf("%s: %v", name, faults)
		}
		return
	}
	data := sealedBytes(t, built)
	files, err := render.Files(built.plan, render.Contract{Data: data, Digest: compiled.Digest(data)})
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, files...)
	write(t, dir, output.File{Name: "bind_test.go", Data: bindTest(built.plan)})
}

func sealedBytes(t *testing.T, built line) []byte {
	t.Helper()
	c, p := built.contract, built.plan
	unplanned := map[int]diag.List{}
	for _, u := range p.Unplanned {
		unplanned[u.Index] = u.Diagnostics
	}
	out := seal.Contract(c, built.graph, make([]compiled.Digests, len(c.Methods)), nil, seal.Options{GoNames: p.MethodNames(), Unplanned: unplanned})
	for _, m := range out.Methods {
		m.Digests = compiled.Digests{Wire: sealed.Digest, Result: sealed.Digest, Text: sealed.Digest, Doc: sealed.Digest}
	}
	data, err := compiled.Marshal(out)
	if err != nil {
		t.Fatalf("compiled.Marshal: %v", err)
	}
	return data
}

// bindTest is the test of a package. The types of results are read off the
// signatures, so that the test says nothing that the package does not.
func bindTest(p *plan.Package) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, `package %s

import (
	"context"
	"testing"

	"github.com/openrpc-go/rpcgen/runtime"
	"github.com/openrpc-go/rpcgen/runtime/schema"
)

func bound[T any](t *testing.T, name string, node *schema.Node) {
	t.Helper()
	unions, err := schema.NewUnions(unionsOfTest()...)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := schema.Bind[T](node, unions); err != nil {
		t.Errorf("%%s: %%v", name, err)
	}
}

type opts = []runtime.CallOption

func resultOf[R any](func(*Client, context.Context, ...runtime.CallOption) (R, error)) (r R) { return }
func resultWith[P, R any](func(*Client, context.Context, P, ...runtime.CallOption) (R, error)) (r R) { return }
func paramsOf[P, R any](func(*Client, context.Context, P, ...runtime.CallOption) (R, error)) (p P) { return }
func paramsOnly[P any](func(*Client, context.Context, P, ...runtime.CallOption) error) (p P) { return }

func dataOf[D any](func(error) (D, error)) (d D) { return }

func of[T any](t *testing.T, name string, node *schema.Node, _ T) { bound[T](t, name, node) }

func TestBind(t *testing.T) {
	c, err := Contract()
	if err != nil {
		t.Fatal(err)
	}
	_ = c
`, p.Name)
	for _, m := range p.Methods {
		fmt.Fprintf(&b, "\tif m, err := c.Method(%q); err != nil {\n\t\tt.Error(err)\n\t} else {\n", m.Wire)
		switch {
		case m.Params == nil && m.Notification:
			b.WriteString("\t\t_ = m\n")
		case m.Params == nil:
			fmt.Fprintf(&b, "\t\tof(t, %q, m.ResultNode, resultOf((*Client).%s))\n", m.Wire, m.Go)
		case m.Notification:
			fmt.Fprintf(&b, "\t\tof(t, %q, m.ParamsNode, paramsOnly((*Client).%s))\n", m.Wire, m.Go)
		default:
			fmt.Fprintf(&b, "\t\tof(t, %q, m.ParamsNode, paramsOf((*Client).%s))\n", m.Wire+" params", m.Go)
			fmt.Fprintf(&b, "\t\tof(t, %q, m.ResultNode, resultWith((*Client).%s))\n", m.Wire+" result", m.Go)
		}
		b.WriteString("\t}\n")
	}
	bindErrors(&b, p)
	b.WriteString("}\n\nfunc unionsOfTest() []schema.Union {\n\treturn []schema.Union{\n")
	for _, u := range p.Unions {
		variants := make([]string, len(u.Variants))
		for i, v := range u.Variants {
			variants[i] = v.Go + map[plan.Zero]string{plan.ZeroStruct: "{}", plan.ZeroText: `("")`, plan.ZeroNumber: "(0)", plan.ZeroFalse: "(false)", plan.ZeroNil: "(nil)"}[v.Zero]
		}
		fmt.Fprintf(&b, "\t\tschema.UnionOf[%s](%s),\n", u.Go, strings.Join(variants, ", "))
	}
	b.WriteString("\t}\n}\n")
	return b.Bytes()
}

// bindErrors binds the data of errors at every method that some reader is for.
func bindErrors(b *bytes.Buffer, p *plan.Package) {
	for _, e := range p.Errors {
		for _, d := range e.Data {
			for _, wire := range d.Methods {
				fmt.Fprintf(b, "\tif m, err := c.Method(%q); err != nil {\n\t\tt.Error(err)\n\t} else {\n", wire)
				fmt.Fprintf(b, "\t\tfor _, e := range m.Errors {\n\t\t\tif e.Code == %d {\n", e.Code)
				fmt.Fprintf(b, "\t\t\t\tof(t, %q, e.Data, dataOf(%s))\n\t\t\t}\n\t\t}\n\t}\n", wire+" error data", d.Go)
			}
		}
	}
}

func bindCorpus(t *testing.T, out string) {
	dir := corpus(t)
	for i, name := range documents(t, dir) {
		if !strings.Contains(name, *only) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		refs, done := within(t, dir, name)
		id := fmt.Sprintf("c%02d", i)
		bindable(t, filepath.Join(out, id), id, filepath.Base(name), text, refs)
		done()
		t.Logf("%s is %s", id, name)
	}
}

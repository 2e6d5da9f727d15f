package render_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/openrpc-go/rpcgen/compiler/internal/amendment"
	"github.com/openrpc-go/rpcgen/compiler/internal/contract"
	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/openrpc"
	"github.com/openrpc-go/rpcgen/compiler/internal/output"
	"github.com/openrpc-go/rpcgen/compiler/internal/plan"
	"github.com/openrpc-go/rpcgen/compiler/internal/reference"
	"github.com/openrpc-go/rpcgen/compiler/internal/render"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
	"github.com/openrpc-go/rpcgen/compiler/schema"
	"github.com/openrpc-go/rpcgen/runtime/compiled"
	"github.com/openrpc-go/rpcgen/runtime/effect"
)

// sealed stands in for the compiled contract: render embeds it unread.
var sealed = render.Contract{Data: []byte("{}\n"), Digest: "sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"}

// line is what was built of a document; a part that could not be is nil.
type line struct {
	contract *contract.Contract
	graph    *schema.Graph
	plan     *plan.Package
}

// build runs the line up to the plan. The methods called open are classified
// as reads, the others are not.
func build(id, name string, text []byte, refs reference.Options, open ...string) (line, diag.List) {
	file, err := source.Read(name, text, source.Limits{})
	if err != nil {
		d, _ := diag.From(err)
		return line{}, diag.List{d}
	}
	set := reference.New(file, refs)
	c, faults := openrpc.Read(id, file, set)
	if c == nil {
		return line{}, faults
	}
	graph := schema.NewGraph(set, c.Dialect)
	c = contract.Resolve(c, graph)
	p, more := plan.Build(c, graph, joined(c, open), plan.Options{})
	return line{c, graph, p}, append(faults, more...)
}

func joined(c *contract.Contract, open []string) *amendment.Joined {
	j := &amendment.Joined{Authorities: make([]compiled.Authority, len(c.Methods))}
	for i, m := range c.Methods {
		j.Authorities[i].State = compiled.Undecided
		for _, name := range open {
			if m.Name == name {
				j.Authorities[i] = compiled.Authority{State: compiled.Open, Effect: effect.Read}
			}
		}
	}
	return j
}

// rendered is build and render in one.
func rendered(t testing.TB, id string, text []byte, open ...string) (*plan.Package, []output.File) {
	t.Helper()
	built, faults := build(id, id+".json", text, reference.Options{}, open...)
	if built.plan == nil {
		t.Fatalf("build(%s): %v", id, faults)
	}
	files, err := render.Files(built.plan, sealed)
	if err != nil {
		t.Fatalf("render.Files(%s): %v", id, err)
	}
	return built.plan, files
}

// corpus returns the folder of real documents, or skips the test.
func corpus(t testing.TB) string {
	t.Helper()
	dir, err := filepath.Abs("../../../../shared/corpus/openrpc")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); err != nil {
		t.Skip("no corpus of real documents beside the repository")
	}
	return dir
}

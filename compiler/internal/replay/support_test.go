package replay

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/openrpc-go/rpcgen/compiler/internal/contract"
	"github.com/openrpc-go/rpcgen/compiler/internal/openrpc"
	"github.com/openrpc-go/rpcgen/compiler/internal/pin"
	"github.com/openrpc-go/rpcgen/compiler/internal/reference"
	"github.com/openrpc-go/rpcgen/compiler/internal/seal"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
	"github.com/openrpc-go/rpcgen/compiler/internal/traffic"
	"github.com/openrpc-go/rpcgen/compiler/schema"
	"github.com/openrpc-go/rpcgen/runtime/compiled"
)

// compile compiles an OpenRPC document, and says which methods take their
// params both ways.
func compile(t testing.TB, document string) (*compiled.Contract, Options) {
	t.Helper()
	f, err := source.Read("contract.json", []byte(document), source.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	refs := reference.New(f, reference.Options{})
	c, found := openrpc.Read("shop", f, refs)
	if c == nil {
		t.Fatalf("the document does not compile: %v", found)
	}
	g := schema.NewGraph(refs, c.Dialect)
	c = contract.Resolve(c, g)
	o := Options{Either: map[string]bool{}}
	for _, m := range c.Methods {
		o.Either[m.Name] = m.Structure == contract.Either
	}
	return seal.Contract(c, g, pin.Digests(c, g), nil, seal.Options{}), o
}

// record reads text as the recording called name.
func record(t testing.TB, name, text string) *traffic.Log {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	log, err := traffic.Source{Path: path, Name: name}.Read(traffic.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return log
}

// spell prints a verdict: the two states, then a finding a line.
func spell(v *Verdict) string {
	lines := []string{string(v.Request) + ", " + string(v.Response)}
	for _, f := range v.Findings {
		what := f.Code
		if f.Keyword != "" {
			what += " " + f.Keyword
		}
		if f.Schema != "" {
			what += " of " + f.Schema
		}
		if !f.Misfit {
			what = "note " + what
		}
		lines = append(lines, fmt.Sprintf("%s %d:%d %s %s", f.Side, f.Place.Line, f.Place.Column, f.Pointer, what))
	}
	return strings.Join(lines, "\n")
}

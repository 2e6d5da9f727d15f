package pin

import (
	"fmt"
	"strings"
	"testing"

	"github.com/openrpc-go/rpcgen/compiler/internal/contract"
	"github.com/openrpc-go/rpcgen/compiler/internal/openrpc"
	"github.com/openrpc-go/rpcgen/compiler/internal/reference"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
	"github.com/openrpc-go/rpcgen/compiler/schema"
	"github.com/openrpc-go/rpcgen/runtime/compiled"
)

// read reads a document as the compiler does.
func read(t testing.TB, document string) (*contract.Contract, *schema.Graph) {
	t.Helper()
	f, err := source.Read("doc.json", []byte(document), source.Limits{})
	if err != nil {
		t.Fatalf("%v\n%s", err, document)
	}
	refs := reference.New(f, reference.Options{})
	c, faults := openrpc.Read("test", f, refs)
	if c == nil {
		t.Fatalf("%v\n%s", faults, document)
	}
	g := schema.NewGraph(refs, c.Dialect)
	return contract.Resolve(c, g), g
}

// digests returns the digests of the methods of a document.
func digests(t testing.TB, document string) []compiled.Digests {
	t.Helper()
	c, g := read(t, document)
	return Digests(c, g)
}

// clean is digests of a document of which every method must compile.
func clean(t testing.TB, document string) []compiled.Digests {
	t.Helper()
	c, g := read(t, document)
	for _, m := range c.Methods {
		if m.Faults.HasErrors() {
			t.Fatalf("%s: %v\n%s", m.Name, m.Faults.Errors(), document)
		}
	}
	return Digests(c, g)
}

// document is an OpenRPC document of one method, with members of the method
// and components (both without braces).
func document(method, components string) string {
	return fmt.Sprintf(`{"openrpc":"1.3.2","info":{"title":"T","version":"1"},"methods":[{"name":"m",%s}],"components":{"schemas":{%s}}}`, method, components)
}

// asParam and asResult put a schema where it is sent, and where it comes back.
func asParam(schema, components string) string {
	return document(`"params":[{"name":"p","schema":`+schema+`}],"result":{"name":"r","schema":true}`, components)
}

func asResult(schema, components string) string {
	return document(`"params":[],"result":{"name":"r","schema":`+schema+`}`, components)
}

// moved names the digests that differ.
func moved(a, b compiled.Digests) string {
	var names []string
	for _, d := range []struct{ name, a, b string }{
		{"wire", a.Wire, b.Wire}, {"result", a.Result, b.Result}, {"text", a.Text, b.Text}, {"doc", a.Doc, b.Doc},
	} {
		if d.a != d.b {
			names = append(names, d.name)
		}
	}
	return strings.Join(names, " ")
}

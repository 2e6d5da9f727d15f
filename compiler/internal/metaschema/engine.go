package metaschema

import (
	_ "embed"
	"fmt"
	"sync"

	"github.com/kaptinlin/jsonschema"

	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

//go:embed openrpc.schema.json
var openRPCSchema []byte

//go:embed config.schema.json
var configSchema []byte

//go:embed amendment.schema.json
var amendmentSchema []byte

var (
	openRPC   = &checker{source: openRPCSchema}
	config    = &checker{source: configSchema}
	amendment = &checker{source: amendmentSchema}
)

// checker is one embedded schema, compiled at first use.
type checker struct {
	source []byte

	// The engine writes to a schema while it evaluates it (it compiles the
	// expressions of patternProperties again each time), hence one at a time.
	mu       sync.Mutex
	compiled *jsonschema.Schema
	err      error
}

// check evaluates v, which was made from f, and translates what the engine says.
func (c *checker) check(f *source.File, v view) diag.List {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.compiled == nil && c.err == nil {
		c.compiled, c.err = compile(c.source)
	}
	if c.err != nil {
		return diag.List{diag.At(f.Root, CodeInternal, "the embedded schema cannot be used: %s", c.err.Error())}
	}
	list := v.faults
	if result := c.compiled.Validate(v.value); !result.IsValid() {
		list = append(list, findings(result, v)...)
	}
	list.Sort()
	return list
}

// compile makes a schema that can reach nothing but itself.
func compile(b []byte) (*jsonschema.Schema, error) {
	c := jsonschema.NewCompiler()
	clear(c.Loaders)
	s, err := c.Compile(b)
	if err != nil {
		return nil, err
	}
	if open := s.UnresolvedReferenceURIs(); len(open) > 0 {
		return nil, fmt.Errorf("unresolved references %q", open)
	}
	return s, nil
}

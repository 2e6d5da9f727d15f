package compiler

import (
	"github.com/openrpc-go/rpcgen/compiler/internal/example"
	"github.com/openrpc-go/rpcgen/compiler/internal/lock"
	"github.com/openrpc-go/rpcgen/compiler/internal/plan"
)

// examples holds the example pairings of the document against its schemas, and
// the examples and defaults of schemas against those.
func (r *compilation) examples() {
	v := r.value
	unplanned := unplanned(v.Package)
	pairings, found := example.Check(v.Contract, v.Graph, func(i int) bool { return unplanned[i] != nil }, example.Bounds{})
	v.Examples = pairings
	r.report(found)
	r.report(example.CheckSchemas(v.Graph, example.Bounds{}))
	r.clock.lap("examples")
}

// tested reports whether the package of a contract gets a test: as the options
// say, or as the last time.
func tested(o GenerateOptions, old *lock.Lock, id string) bool {
	if o.Tests != nil || old == nil {
		return o.Tests != nil && *o.Tests
	}
	for _, c := range old.Contracts {
		if c.ID != id {
			continue
		}
		for _, f := range c.Outputs {
			if f.File == plan.TestsName {
				return true
			}
		}
	}
	return false
}

// tests are the examples that the package's own test plays.
func (c *Compilation) tests() plan.Tests {
	index := map[int]int{} // from methods of the contract to those of the plan
	for i, m := range c.Package.Methods {
		index[m.Index] = i
	}
	plays, left := example.Plays(c.Contract, c.Graph, c.Examples, func(i int) bool { return c.Sealed.Methods[i].NoParams == "empty" })
	tests := plan.Tests{Left: left}
	for _, p := range plays {
		tests.Examples = append(tests.Examples, plan.Example{
			Method: index[p.Method], Name: p.Name, Params: p.Params, Wire: p.Wire, Result: p.Result, Loose: p.Loose,
		})
	}
	return tests
}

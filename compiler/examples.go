package compiler

import "github.com/openrpc-go/rpcgen/compiler/internal/example"

// examples holds the example pairings of the document against its schemas.
func (r *compilation) examples() {
	v := r.value
	unplanned := unplanned(v.Package)
	pairings, found := example.Check(v.Contract, v.Graph, func(i int) bool { return unplanned[i] != nil }, example.Bounds{})
	v.Examples = pairings
	r.report(found)
	r.clock.lap("examples")
}

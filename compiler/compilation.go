// Package compiler is the driver: it runs the stages in order and hands the
// finished value of one to the next. It decides nothing that a stage should.
// Start with Open, then Compile and Generate.
package compiler

import (
	"time"

	"github.com/openrpc-go/rpcgen/compiler/internal/amendment"
	"github.com/openrpc-go/rpcgen/compiler/internal/contract"
	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/example"
	"github.com/openrpc-go/rpcgen/compiler/internal/plan"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
	"github.com/openrpc-go/rpcgen/compiler/schema"
	"github.com/openrpc-go/rpcgen/runtime/compiled"
)

// Compilation is one contract with the finished value of every stage before
// printing. A stage that could not run leaves its value and all later ones nil.
type Compilation struct {
	Target   Target
	Contract *contract.Contract
	Graph    *schema.Graph
	Digests  []compiled.Digests // index-aligned with Contract.Methods
	Joined   *amendment.Joined
	Server   Binding
	Package  *plan.Package
	Sealed   *compiled.Contract
	Examples []example.Pairing // of the document, held against its schemas

	Amendment   *amendment.File // nil when there is none
	Files       []*source.File  // every file that was read but the amendment, the document first
	Diagnostics diag.List       // of all stages, sorted
	Stages      []Stage

	badAmendment bool
	schemas      func() (*compiled.Schemas, error) // of Sealed, being encoded; nil when nobody began
}

// Stage is how long one stage took.
type Stage struct {
	Name string
	Took time.Duration
}

// Failed reports whether the contract cannot be generated at all. Refused
// methods alone do not fail it.
func (c *Compilation) Failed() bool { return c.Sealed == nil }

// ExitCode is the code of a command that could not work on the contract: 0 when
// it could, 4 when the amendment is at fault, 1 for everything else.
func (c *Compilation) ExitCode() int {
	switch {
	case !c.Failed():
		return 0
	case c.badAmendment:
		return 4
	default:
		return 1
	}
}

// Compiled counts the methods that made it into the client.
func (c *Compilation) Compiled() int {
	n := 0
	for _, m := range c.Sealed.Methods {
		if m.Authority.State != compiled.Uncompiled {
			n++
		}
	}
	return n
}

// clock times stages. The time is handed in by the command.
type clock struct {
	now    func() time.Time
	began  time.Time
	stages []Stage
}

func (c *clock) lap(name string) {
	now := c.now()
	c.stages = append(c.stages, Stage{Name: name, Took: now.Sub(c.began)})
	c.began = now
}

package fields

import (
	"errors"
	"slices"

	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// Refused returns every fault of a file of ours that could not be read: those
// of its text, and what read finds in as much of it as could be followed. A
// place where the text is at fault is reported once. ok is false for an error
// that is about the machine.
func Refused(err error, read func(*source.File) diag.List) (faults diag.List, ok bool) {
	faults, ok = diag.All(err)
	if !ok {
		return nil, false
	}
	e, _ := errors.AsType[*source.Error](err)
	partial := e.Partial()
	if partial == nil {
		return faults, true
	}
	text := slices.Clone(faults)
	for _, d := range read(partial) {
		known := slices.ContainsFunc(text, func(t diag.Diagnostic) bool {
			return t.Position.Line == d.Position.Line && t.Position.Column == d.Position.Column
		})
		if !known {
			faults.Add(d)
		}
	}
	return faults.Sort(), true
}

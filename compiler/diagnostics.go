package compiler

import (
	"io"
	"slices"

	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// Diagnostics are findings about the user's files, in the order of the files.
type Diagnostics struct {
	list  diag.List
	owner *source.File // the amendment, or nil
}

// Print writes the findings as text: all of them, or the ones that nobody may
// miss, which are errors and whatever the amendment's own author should know.
// It returns how many were left out.
func (d Diagnostics) Print(w io.Writer, all bool) (hidden int, err error) {
	shown := d.list
	if !all {
		shown = slices.DeleteFunc(slices.Clone(d.list), d.quiet)
	}
	return len(d.list) - len(shown), shown.WriteText(w, diag.TextOptions{})
}

// quiet reports whether a finding may wait until somebody asks for all.
func (d Diagnostics) quiet(found diag.Diagnostic) bool {
	return found.Severity != diag.Error && (d.owner == nil || found.Position.File != d.owner)
}

// JSON writes all findings as JSON.
func (d Diagnostics) JSON(w io.Writer) error { return d.list.WriteJSON(w) }

// HasErrors reports whether anything was refused.
func (d Diagnostics) HasErrors() bool { return d.list.HasErrors() }

// Escape returns foreign text so that a terminal and a CI log show it and do
// nothing else.
func Escape(text string) string { return diag.Escape(text) }

// Findings are the diagnostics of all stages.
func (c *Compilation) Findings() Diagnostics {
	d := Diagnostics{list: c.Diagnostics.Spell(func(words []string) string { return c.Target.commands.line(words[0], words[1:]) })}
	if c.Amendment != nil {
		d.owner = c.Amendment.Source
	}
	return d
}

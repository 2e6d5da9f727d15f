package compiler

import (
	"fmt"
	"io"
	"slices"

	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/example"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// Diagnostics are findings about the user's files, in the order of the files.
type Diagnostics struct {
	list  diag.List
	owner *source.File // the amendment, or nil
}

// Print writes the findings as text: all of them, or the ones that nobody may
// miss, which are errors and whatever the amendment's own author should know.
// It returns how many were left out. Of values that do not fit their schemas it
// prints the first ones of each kind and counts the rest, which a report lists:
// one wrong schema makes hundreds.
func (d Diagnostics) Print(w io.Writer, all bool) (hidden int, err error) {
	shown := d.list
	if !all {
		shown = slices.DeleteFunc(slices.Clone(d.list), d.quiet)
	}
	hidden = len(d.list) - len(shown)
	shown, more := bounded(shown)
	if err := shown.WriteText(w, diag.TextOptions{}); err != nil || more == 0 {
		return hidden, err
	}
	_, err = fmt.Fprintf(w, "and %d more examples and defaults that do not fit; --report FILE lists them all\n", more)
	return hidden, err
}

// mostExamples is how many examples and defaults of a kind are printed.
const mostExamples = 20

// bounded leaves out what goes beyond mostExamples of a code.
func bounded(list diag.List) (kept diag.List, more int) {
	seen := map[string]int{}
	for _, d := range list {
		if example.Found(d.Code) {
			seen[d.Code]++
		}
		if seen[d.Code] > mostExamples {
			more++
			continue
		}
		kept = append(kept, d)
	}
	return kept, more
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

package compiler

import (
	"io"

	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
)

// Diagnostics are findings about the user's files, in the order of the files.
type Diagnostics struct{ list diag.List }

// Print writes the findings as text: errors only, or all of them. It returns
// how many were left out.
func (d Diagnostics) Print(w io.Writer, all bool) (hidden int, err error) {
	shown := d.list
	if !all {
		shown = d.list.Errors()
	}
	return len(d.list) - len(shown), shown.WriteText(w, diag.TextOptions{})
}

// JSON writes all findings as JSON.
func (d Diagnostics) JSON(w io.Writer) error { return d.list.WriteJSON(w) }

// HasErrors reports whether anything was refused.
func (d Diagnostics) HasErrors() bool { return d.list.HasErrors() }

// Escape returns foreign text so that a terminal and a CI log show it and do
// nothing else.
func Escape(text string) string { return diag.Escape(text) }

// Findings are the diagnostics of all stages.
func (c *Compilation) Findings() Diagnostics { return Diagnostics{c.Diagnostics} }

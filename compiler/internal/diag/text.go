package diag

import (
	"bufio"
	"io"
	"strconv"
	"strings"

	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// TextOptions choose how WriteText prints; the zero value is the usual form.
type TextOptions struct {
	Width    int  // cells of source shown of a line; zero means 100
	NoSource bool // leave out source lines and carets
}

const (
	defaultWidth = 100
	leastWidth   = 20
)

// WriteText prints the list in its order, one block a diagnostic:
//
//	ledger.json:41:17: duplicate-method: "getBalance" is already declared (/methods/3/name)
//	    ledger.json:12:17: first declared here
//	    41 |         "name": "getBalance",
//	       |                 ^
//	    advice: rename one of the two
//
// Warnings and notes say so before their code; errors do not. With no line
// known the file stands alone, with no file neither. All text is escaped as
// [Escape] says.
func (l List) WriteText(w io.Writer, o TextOptions) error {
	if o.Width <= 0 {
		o.Width = defaultWidth
	}
	o.Width = max(o.Width, leastWidth)
	out := bufio.NewWriter(w)
	for _, d := range l {
		d.writeText(out, o)
	}
	return out.Flush()
}

const indent = "    "

func (d Diagnostic) writeText(w *bufio.Writer, o TextOptions) {
	head := place(d.Position)
	if d.Severity != Error {
		head += d.Severity.String() + ": "
	}
	head += d.Code + ": " + bounded(d.Message)
	if d.Pointer != "" {
		head += " (" + bounded(string(d.Pointer)) + ")"
	}
	line(w, head)
	for _, r := range d.Related {
		line(w, indent+place(r.Position)+bounded(r.Message))
	}
	if !o.NoSource {
		writeSource(w, d.Position, o.Width)
	}
	if d.Advice != "" {
		line(w, indent+"advice: "+d.Advice)
	}
}

// bounded keeps one name of a megabyte from filling the screen; JSON has it all.
func bounded(s string) string {
	const most = 2000
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + ellipsis
}

func line(w *bufio.Writer, s string) {
	w.WriteString(Escape(s))
	w.WriteByte('\n')
}

func place(p source.Position) string {
	if p.IsZero() {
		return ""
	}
	return p.String() + ": "
}

func writeSource(w *bufio.Writer, p source.Position, width int) {
	text, caret, ok := excerpt(p, width)
	if !ok {
		return
	}
	number := strconv.Itoa(p.Line)
	gutter := strings.Repeat(" ", len(number))
	// Already escaped, cell by cell, so that the caret fits; the bar before
	// it keeps the start of the line ours.
	w.WriteString(indent + number + " | " + text + "\n")
	w.WriteString(indent + gutter + " | " + strings.Repeat(" ", caret) + "^\n")
}

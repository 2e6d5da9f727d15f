package diag

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// WriteJSON prints the list in its order as one JSON object:
//
//	{"diagnostics": [
//	  {"code": "...", "severity": "error", "file": "...", "line": 1, "column": 1,
//	   "pointer": "/a", "message": "...", "advice": "...",
//	   "related": [{"file": "...", "line": 1, "column": 1, "message": "..."}]}
//	], "errors": 1, "warnings": 0, "notes": 0}
//
// The shape is part of the contract with users: members may be added, none
// changes its meaning. code, severity, pointer and message are always there;
// file, line, column, advice and related are left off when unknown or empty.
// Line and column start at 1, columns count code points. What a reader would
// not see, and what a CI system would obey, is written with JSON escapes, so
// that the text is safe on a terminal and the values are exact.
func (l List) WriteJSON(w io.Writer) error {
	out := bufio.NewWriter(w)
	out.WriteString(`{"diagnostics": [`)
	for i, d := range l {
		if i > 0 {
			out.WriteByte(',')
		}
		out.WriteString("\n  ")
		d.writeJSON(out)
	}
	if len(l) > 0 {
		out.WriteByte('\n')
	}
	c := l.Counts()
	fmt.Fprintf(out, "], \"errors\": %d, \"warnings\": %d, \"notes\": %d}\n", c.Errors, c.Warnings, c.Notes)
	return out.Flush()
}

func (d Diagnostic) writeJSON(w *bufio.Writer) {
	w.WriteString(`{"code": ` + quote(d.Code) + `, "severity": ` + quote(d.Severity.String()))
	if at := placeJSON(d.Position); at != "" {
		w.WriteString(", " + at)
	}
	w.WriteString(`, "pointer": ` + quote(string(d.Pointer)) + `, "message": ` + quote(d.Message))
	if d.Advice != "" {
		w.WriteString(`, "advice": ` + quote(d.Advice))
	}
	if len(d.Related) > 0 {
		w.WriteString(`, "related": [`)
		for i, r := range d.Related {
			if i > 0 {
				w.WriteString(", ")
			}
			w.WriteByte('{')
			if at := placeJSON(r.Position); at != "" {
				w.WriteString(at + ", ")
			}
			w.WriteString(`"message": ` + quote(r.Message) + `}`)
		}
		w.WriteByte(']')
	}
	w.WriteByte('}')
}

func placeJSON(p source.Position) string {
	if p.IsZero() {
		return ""
	}
	at := `"file": ` + quote(p.File.Name)
	if p.Line > 0 {
		at += `, "line": ` + strconv.Itoa(p.Line) + `, "column": ` + strconv.Itoa(p.Column)
	}
	return at
}

// quote writes a JSON string. Broken UTF-8 becomes U+FFFD, as JSON cannot say it.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	command := len(s) // where "##", the start of a command, was seen
	if at := strings.Index(s, "##"); at >= 0 {
		command = at
	}
	for i, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '[' && i > command, r == ':' && strings.HasPrefix(s[i:], "::"):
			fmt.Fprintf(&b, `\u%04x`, r)
		case source.Visible(r):
			b.WriteRune(r)
		case r == utf8.RuneError:
			b.WriteString(`\ufffd`)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// Package revise changes a file that a person wrote, byte by byte where the
// nodes stand: comments, order and layout stay as they are. What it cannot
// change without rewriting more than it was asked to, it refuses with the line
// to change by hand. It knows texts and places, never what they mean. Start
// with New.
package revise

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// Revision collects changes of one file, which must have been read by
// source.ReadOwn. The places of its nodes stay those of the file as read.
type Revision struct {
	file  *source.File
	spans []span
}

// span replaces the bytes from start to end.
type span struct {
	start, end int
	text       string
}

// New returns a Revision of f without changes.
func New(f *source.File) *Revision { return &Revision{file: f} }

// ByHand says what a person has to change, since a tool could not do it
// without touching more than that.
type ByHand struct {
	Position source.Position
	Do       string // "change ... to ..."
}

func (e *ByHand) Error() string {
	return fmt.Sprintf("%s: change it by hand: %s", e.Position, e.Do)
}

// Set gives the text at n another value. text must be plain: letters, digits
// and signs that need no escape in a quoted text.
func (r *Revision) Set(n *source.Node, text string) error {
	for _, quote := range []string{`"`, `'`, ""} {
		written := quote + n.Text + quote
		if n.Kind != source.String || !Plain(n.Text) || !bytes.HasPrefix(r.file.Bytes[n.Offset:], []byte(written)) {
			continue
		}
		if quote == "" {
			quote = `"` // what needs no quotes may need them with another value
		}
		r.put(n.Offset, n.Offset+len(written), quote+text+quote)
		return nil
	}
	return &ByHand{n.Position(), fmt.Sprintf("write %q here", text)}
}

// Plain reports whether a text is spelled the same in every kind of quotes.
func Plain(s string) bool {
	for _, c := range []byte(s) {
		if c <= ' ' && c != ' ' || c >= 0x7f || strings.IndexByte(`"'\#`, c) >= 0 {
			return false
		}
	}
	return s != ""
}

// Insert puts a member in front of those of object, in the layout of its first.
func (r *Revision) Insert(object *source.Node, name, text string) error {
	if object.Kind != source.Object || len(object.Members) == 0 {
		return &ByHand{object.Position(), fmt.Sprintf("add %s: %q", name, text)}
	}
	first := object.Members[0].Offset
	member := fmt.Sprintf("%s: %q", name, text)
	if r.file.Bytes[object.Offset] == '{' {
		if r.file.Format == source.JSON {
			member = fmt.Sprintf("%q: %q", name, text)
		}
		r.put(first, first, member+", ")
		return nil
	}
	indent := r.file.Bytes[r.lineStart(first):first]
	if len(bytes.Trim(indent, " ")) > 0 {
		return &ByHand{object.Position(), fmt.Sprintf("add %s", member)}
	}
	r.put(first, first, member+r.lineEnd(first)+string(indent))
	return nil
}

// end returns where the lines of a member of a block end: before the comments
// and blank lines in front of what follows.
func (r *Revision) end(object *source.Node, i int) int {
	limit := len(r.file.Bytes)
	if next := r.following(object, i); next >= 0 {
		limit = r.lineStart(next)
	}
	start := object.Members[i].Offset
	for limit > start {
		line := bytes.TrimSpace(r.file.Bytes[r.lineStart(limit-1):limit])
		if len(line) > 0 && line[0] != '#' {
			break
		}
		before := r.lineStart(limit - 1)
		if before <= start {
			break
		}
		limit = before
	}
	return limit
}

// following returns the offset of the first member that stands after a member,
// in its object or around it; -1 for none.
func (r *Revision) following(object *source.Node, i int) int {
	if i+1 < len(object.Members) {
		return object.Members[i+1].Offset
	}
	for at := object; at.Parent != nil; at = at.Parent {
		for _, m := range at.Parent.Members {
			if m.Offset > at.Offset {
				return m.Offset
			}
		}
	}
	return -1
}

// AfterLast returns where a line can be added below the last member of a
// block, and the members' indent.
func (r *Revision) AfterLast(object *source.Node) (offset int, indent string) {
	last := len(object.Members) - 1
	first := object.Members[0].Offset
	return r.end(object, last), string(r.file.Bytes[r.lineStart(first):first])
}

// Add puts text at an offset.
func (r *Revision) Add(offset int, text string) { r.put(offset, offset, text) }

func (r *Revision) lineStart(offset int) int {
	return bytes.LastIndexByte(r.file.Bytes[:offset], '\n') + 1
}

// lineEnd is how the line at offset ends.
func (r *Revision) lineEnd(offset int) string {
	at := bytes.IndexByte(r.file.Bytes[offset:], '\n')
	if at > 0 && r.file.Bytes[offset+at-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

func (r *Revision) put(start, end int, text string) {
	r.spans = append(r.spans, span{start, end, text})
}

// Empty reports whether nothing is to be changed.
func (r *Revision) Empty() bool { return len(r.spans) == 0 }

// Bytes returns the file with every change made. Changes must not overlap.
func (r *Revision) Bytes() ([]byte, error) {
	spans := slices.Clone(r.spans)
	slices.SortStableFunc(spans, func(a, b span) int { return cmp.Compare(a.start, b.start) })
	var out []byte
	at := 0
	for _, s := range spans {
		if s.start < at {
			return nil, fmt.Errorf("revise: two changes of one place in %s", r.file.Name)
		}
		out = append(append(out, r.file.Bytes[at:s.start]...), s.text...)
		at = s.end
	}
	return append(out, r.file.Bytes[at:]...), nil
}

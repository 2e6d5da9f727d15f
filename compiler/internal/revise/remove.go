package revise

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// Remove takes members of object away, and nothing of what stands before or
// after them. When no member is left, the object goes with its name; in a block
// only its name is commented out, so that comments in it keep their place.
func (r *Revision) Remove(object *source.Node, names ...string) error {
	gone := make([]bool, len(object.Members))
	for _, name := range names {
		i := slices.IndexFunc(object.Members, func(m source.Member) bool { return m.Name == name })
		if i < 0 {
			return fmt.Errorf("revise: no member %q", name)
		}
		gone[i] = true
	}
	all := !slices.Contains(gone, false)
	switch {
	case len(names) == 0:
		return nil
	case r.braced(object) && all:
		return r.removeSelf(object)
	case r.braced(object):
		return r.removeBraced(object, gone)
	case all:
		if err := r.commentName(object); err != nil {
			return err
		}
	}
	return r.removeLines(object, gone)
}

// braced reports whether an object is written in braces.
func (r *Revision) braced(object *source.Node) bool { return r.file.Bytes[object.Offset] == '{' }

// removeSelf takes an object away from the one that holds it.
func (r *Revision) removeSelf(object *source.Node) error {
	parent := object.Parent
	if parent == nil || parent.Kind != source.Object {
		return byHandOf(object, "remove the members")
	}
	i := slices.IndexFunc(parent.Members, func(m source.Member) bool { return m.Value == object })
	if len(parent.Members) == 1 {
		return byHandOf(object, "remove the members")
	}
	return r.Remove(parent, parent.Members[i].Name)
}

func byHandOf(n *source.Node, do string) error { return &ByHand{n.Position(), do} }

// commentName puts a # before the name of a block of which nothing is left.
func (r *Revision) commentName(object *source.Node) error {
	parent := object.Parent
	if parent == nil || parent.Kind != source.Object {
		return byHandOf(object, "remove the members")
	}
	i := slices.IndexFunc(parent.Members, func(m source.Member) bool { return m.Value == object })
	at := parent.Members[i].Offset
	if len(bytes.TrimSpace(r.file.Bytes[r.lineStart(at):at])) > 0 || !bytes.Contains(r.file.Bytes[at:object.Offset], []byte("\n")) {
		return byHandOf(object, fmt.Sprintf("remove %q and its members", parent.Members[i].Name))
	}
	r.put(at, at, "#")
	return nil
}

// removeLines takes the lines of members of a block away.
func (r *Revision) removeLines(object *source.Node, gone []bool) error {
	for i, m := range object.Members {
		if !gone[i] {
			continue
		}
		start := r.lineStart(m.Offset)
		if len(bytes.TrimLeft(r.file.Bytes[start:m.Offset], " ")) > 0 {
			return r.entryByHand(m)
		}
		r.put(start, r.end(object, i), "")
	}
	return nil
}

func (r *Revision) entryByHand(m source.Member) error {
	return &ByHand{r.file.Position(m.Offset), fmt.Sprintf("remove the entry of %q", m.Name)}
}

// removeBraced takes members away from an object in braces, with the commas
// that held them apart. What a comment between them is about, nobody can tell.
func (r *Revision) removeBraced(object *source.Node, gone []bool) error {
	for i := 0; i < len(gone); i++ {
		if !gone[i] {
			continue
		}
		first := object.Members[i]
		for i+1 < len(gone) && gone[i+1] {
			i++
		}
		start, end := first.Offset, 0
		if i+1 < len(gone) {
			end = object.Members[i+1].Offset
		} else {
			end = r.closing(object.Members[i].Value.Offset)
			end = len(bytes.TrimRight(r.file.Bytes[:end], " \t\r\n,"))
			start = len(bytes.TrimRight(r.file.Bytes[:start], " \t\r\n")) - 1
			if r.file.Bytes[start] != ',' {
				return r.entryByHand(first)
			}
		}
		if r.file.Format != source.JSON && bytes.Contains(r.file.Bytes[start:end], []byte("#")) {
			return r.entryByHand(first)
		}
		r.put(start, end, "")
	}
	return nil
}

// closing returns the offset of the brace that closes the object in which a
// value begins at offset.
func (r *Revision) closing(offset int) int {
	depth, fresh := 0, true // fresh: a quote would begin a text
	for at := offset; at < len(r.file.Bytes); at++ {
		switch c := r.file.Bytes[at]; c {
		case '{', '[':
			depth++
			fresh = true
		case '}', ']':
			if depth == 0 {
				return at
			}
			depth--
		case '"', '\'':
			if fresh {
				at = r.endOfText(at)
			}
			fresh = false
		case ' ', '\t', '\r', '\n':
		default:
			fresh = c == ',' || c == ':'
		}
	}
	return len(r.file.Bytes)
}

// endOfText returns the offset of the quote that ends the text at offset.
func (r *Revision) endOfText(offset int) int {
	quote := r.file.Bytes[offset]
	for at := offset + 1; at < len(r.file.Bytes); at++ {
		switch c := r.file.Bytes[at]; {
		case c == '\\' && quote == '"':
			at++
		case c == quote:
			return at
		}
	}
	return len(r.file.Bytes)
}

// Package fields reads the objects of our own files: every member by name,
// every fault collected with the place where the author wrote it, nothing
// guessed. It knows shapes, never meanings. Start with Reader.
package fields

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// Codes of the faults that a Reader reports.
const (
	UnknownKey = "unknown-key"
	MissingKey = "missing-key"
	WrongType  = "wrong-type"
	WrongValue = "wrong-value"
	Empty      = "empty-value"
)

// TextLimit is the most bytes that a single text of our own files may hold.
const TextLimit = 4096

// Reader collects the faults of one file. The zero value is ready.
type Reader struct{ Faults diag.List }

// Object is an object whose keys have been held against the known ones. The
// zero value stands for one that is absent or broken: it has no members and
// reports nothing more.
type Object struct {
	Node *source.Node
	what string
	r    *Reader
}

// Report adds a fault at n and returns it, so that advice can be added.
func (r *Reader) Report(n *source.Node, code, format string, args ...any) *diag.Diagnostic {
	r.Faults.Add(diag.At(n, code, format, args...))
	return &r.Faults[len(r.Faults)-1]
}

// ReportName is Report for the name of a member rather than its value.
func (r *Reader) ReportName(m source.Member, code, format string, args ...any) *diag.Diagnostic {
	r.Faults.Add(diag.AtName(m, code, format, args...))
	return &r.Faults[len(r.Faults)-1]
}

// Object reads n, described by what ("a profile"), as an object that is not
// empty and has no keys but the known ones.
func (r *Reader) Object(n *source.Node, what string, known ...string) Object {
	o := r.Map(n, what)
	if o.Node == nil {
		return o
	}
	for _, m := range o.Node.Members {
		if !slices.Contains(known, m.Name) {
			r.unknownKey(m, what, known)
		}
	}
	return o
}

// Map reads n as an object that is not empty and whose keys are names given
// by the author.
func (r *Reader) Map(n *source.Node, what string) Object {
	switch {
	case n == nil:
		return Object{}
	case n.Kind != source.Object:
		r.wrongType(n, what, "a mapping")
		return Object{}
	case len(n.Members) == 0:
		r.Report(n, Empty, "%s is empty", what).Advice = "give it members, or remove it"
		return Object{}
	}
	return Object{Node: n, what: what, r: r}
}

func (r *Reader) unknownKey(m source.Member, what string, known []string) {
	d := r.ReportName(m, UnknownKey, "%s has no member %q", what, m.Name)
	d.Advice = "known members: " + strings.Join(known, ", ")
	if near := diag.Nearest(m.Name, known); near != "" {
		d.Advice = fmt.Sprintf("did you mean %q?", near)
	}
}

func (r *Reader) wrongType(n *source.Node, what, want string) {
	d := r.Report(n, WrongType, "%s must be %s, found %s", what, want, describe(n))
	switch {
	case n.Kind == source.Null:
		d.Code, d.Message = Empty, fmt.Sprintf("%s has no value", what)
		d.Advice = "give it a value, or remove it"
	case want == "a text" && (n.Kind == source.Number || n.Kind == source.Bool):
		d.Advice = fmt.Sprintf("put it in quotes: %q", n.Text)
	}
}

// describe names the kind of n, and its value where that is short.
func describe(n *source.Node) string {
	switch n.Kind {
	case source.Null:
		return "nothing"
	case source.Bool, source.Number:
		return n.Text
	case source.String:
		return fmt.Sprintf("the text %q", clip(n.Text))
	case source.Array:
		return "a list"
	case source.Object:
		return "a mapping"
	default:
		panic(fmt.Sprintf("fields: unknown kind %d", n.Kind))
	}
}

// clip bounds a value that is repeated in a message.
func clip(s string) string {
	const most = 60
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:most]) + "…"
}

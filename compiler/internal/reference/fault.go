package reference

import (
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// place is the value to click on: the member of at that holds ref, its $ref
// when ref is empty, or at itself.
func place(at *source.Node, ref string) *source.Node {
	if v := at.Get("$ref"); v != nil && (ref == "" || v.Text == ref) {
		return v
	}
	if at.Kind == source.Object {
		for _, m := range at.Members {
			if m.Value.Kind == source.String && m.Value.Text == ref {
				return m.Value
			}
		}
	}
	return at
}

func fault(at *source.Node, ref, code, format string, args ...any) *diag.Diagnostic {
	d := diag.At(place(at, ref), code, format, args...)
	return &d
}

func advise(d *diag.Diagnostic, advice string) *diag.Diagnostic {
	with := d.WithAdvice(advice)
	return &with
}

// from moves a fault that was met further along to the reference that led
// there, and keeps the place where it was met.
func (s *Set) from(start *source.Node, d *diag.Diagnostic) *diag.Diagnostic {
	met := d.Position
	at := diag.At(start, d.Code, "%s", d.Message).WithAdvice(d.Advice)
	at.Related = d.Related
	if met != at.Position {
		at.Related = append(at.Related, diag.Related{Position: met, Message: "by way of this reference"})
	}
	return &at
}

func cycle(start, back *source.Node) *diag.Diagnostic {
	d := diag.At(start, CodeCycle, "this reference leads only to other references and back").
		WithAdvice("let one of them hold a value").
		WithRelated(back, "it comes back here")
	return &d
}

func chain(start, on *source.Node) *diag.Diagnostic {
	d := diag.At(start, CodeChain, "more than %d references in a row", maxHops).WithRelated(on, "it goes on from here")
	return &d
}

func unreadable(at *source.Node, ref string, err error) *diag.Diagnostic {
	d := fault(at, ref, CodeUnreadable, "%q cannot be read: %v", clip(ref), err)
	if inner, ok := diag.From(err); ok {
		d = advise(fault(at, ref, CodeUnreadable, "%q cannot be read: %s: %s", clip(ref), inner.Code, inner.Message), inner.Advice)
		d.Related = append([]diag.Related{{Position: inner.Position, Message: "the fault is here"}}, inner.Related...)
	}
	return d
}

func (s *Set) dangling(at *source.Node, ref string, root, n *source.Node, walked source.Pointer, token string) *diag.Diagnostic {
	where := s.named(at, root)
	if walked != "" && where == theFile {
		where = fmt.Sprintf("%q", clip(string(walked)))
	} else if walked != "" {
		where = fmt.Sprintf("%q of %s", clip(string(walked)), where)
	}
	switch n.Kind {
	case source.Object:
		d := fault(at, ref, CodeDangling, "%q names nothing: %s has no member %q", clip(ref), where, clip(token))
		return s.suggest(d, token, "%q", func(yield func(string) bool) {
			for i := 0; i < len(n.Members) && yield(n.Members[i].Name); i++ {
			}
		})
	case source.Array:
		return fault(at, ref, CodeDangling, "%q names nothing: %s is an array of %d, and %q is not one of its indices",
			clip(ref), where, len(n.Items), clip(token))
	}
	return fault(at, ref, CodeDangling, "%q names nothing: %s is not an object or array", clip(ref), where)
}

// around looks for what a pointer names within the values around at, and says
// how to write that: authors of a schema within a document often mean its own
// "definitions", while a pointer starts at the root of the file.
func (s *Set) around(at, root *source.Node, tokens []string, d *diag.Diagnostic) *diag.Diagnostic {
	start := "the root of the file"
	if root.Parent != nil {
		start = "the nearest $id"
	}
	for up := at; up != nil && up != root; up = up.Parent {
		if n := below(up, tokens); n != nil {
			from := strings.TrimPrefix(string(n.Pointer()), string(root.Pointer()))
			with := advise(d, fmt.Sprintf("a pointer starts at %s; the schema around this one has it as \"#%s\"", start, clip(fragment(from)))).
				WithRelated(n, "this may be meant")
			return &with
		}
	}
	if n := below(at.File.Root, tokens); n != nil && at.File == root.File {
		return beyond(root, n, d)
	}
	if d.Advice != "" {
		return d
	}
	return advise(d, "add what is named, or name what there is; a correction can do either for a document that is not yours")
}

// searchEffort bounds how many names all suggestions of one set may look at
// together: a document may hold a million references to nothing.
const searchEffort = 1_000_000

// suggest adds the name nearest to the one that was looked for.
func (s *Set) suggest(d *diag.Diagnostic, name, format string, names iter.Seq[string]) *diag.Diagnostic {
	if s.effort > searchEffort {
		return d
	}
	candidates := slices.Sorted(names)
	s.effort += len(candidates)
	if near := diag.Nearest(name, candidates); near != "" {
		return advise(d, "did you mean "+fmt.Sprintf(format, clip(near))+"?")
	}
	return d
}

func clip(s string) string {
	const most = 120
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "..."
}

func slashed(name string) string { return filepath.ToSlash(name) }

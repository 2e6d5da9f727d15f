package reference

import (
	"fmt"
	"strings"

	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

const theFile = "the file"

// named says what the # of a reference at at means.
func (s *Set) named(at, root *source.Node) string {
	switch id := idOf(root); {
	case root.Parent != nil && id != nil:
		return fmt.Sprintf("the schema with the $id %q", clip(id.Text))
	case root.File != at.File:
		return clip(root.File.Name)
	}
	return theFile
}

// idOf is where a schema states its URI, nil when it does not plainly do so.
func idOf(root *source.Node) *source.Node {
	for _, name := range []string{"$id", "id"} {
		if id := root.Get(name); id != nil && id.Kind == source.String {
			return id
		}
	}
	return nil
}

// beyond advises about a pointer that finds nothing in the resource root, and n
// in the file around it: a schema that keeps its $id when it is put into a
// document is the start of its own references.
func beyond(root, n *source.Node, d *diag.Diagnostic) *diag.Diagnostic {
	with := advise(d, "a pointer starts at the nearest $id: remove that, or write the URI of what is meant before the #")
	if id := idOf(root); id != nil {
		*with = with.WithRelated(id, "this $id")
	}
	*with = with.WithRelated(n, "this may be meant")
	return with
}

// below walks the tokens down from n; nil when they lead to nothing.
func below(n *source.Node, tokens []string) *source.Node {
	for _, token := range tokens {
		if n = child(n, token); n == nil {
			return nil
		}
	}
	return n
}

// fragment writes a pointer as the fragment of a URI reference.
func fragment(pointer string) string {
	return strings.NewReplacer("%", "%25", " ", "%20", `"`, "%22").Replace(pointer)
}

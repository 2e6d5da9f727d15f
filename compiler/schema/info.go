package schema

import (
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// Info is what a document says about a schema beside its rules. It belongs to
// the graph; do not change it.
type Info struct {
	Source *source.Node // the schema as written
	// Name is the name of the component: the member of components/schemas,
	// definitions or $defs, or the file when that is one schema. Components of
	// different files may share a Name; a node's ID is unique.
	Name               string
	Title, Description string
	Deprecated         bool
	Default            *source.Node
	Examples           []*source.Node
	ReadOnly           bool
	WriteOnly          bool
	Unknown            []source.Member // keywords without a meaning in the dialect, as written
	Extensions         []source.Member // x- members
}

// Doc returns the words written at a use of a schema: at a place where another
// schema is referred to, what stands beside the $ref. They change no rule.
func (g *Graph) Doc(use *source.Node) (title, description string) {
	if use == nil || use.Kind != source.Object {
		return "", ""
	}
	title, description = text(use, "title"), text(use, "description")
	if description == "" {
		description = text(use, "summary")
	}
	return title, description
}

func text(n *source.Node, name string) string {
	if v := n.Get(name); v != nil && v.Kind == source.String {
		return v.Text
	}
	return ""
}

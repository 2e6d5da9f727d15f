package schema

import (
	"fmt"
	"slices"
	"strings"

	"github.com/openrpc-go/rpcgen/compiler/internal/source"
	"github.com/openrpc-go/rpcgen/runtime/canonical"
	rt "github.com/openrpc-go/rpcgen/runtime/schema"
)

// keep notes a keyword that changes no verdict and is part of what a reviewer
// looks at. readOnly: false is what leaving it out says.
func (t *translation) keep(m source.Member) {
	if (m.Name == "readOnly" || m.Name == "writeOnly") && m.Value.Kind == source.Bool && m.Value.Text == "false" {
		return
	}
	a := Annotate(m.Name, m.Value)
	at, _ := slices.BinarySearchFunc(t.node.Annotations, a, func(x, y rt.Annotation) int { return strings.Compare(x.Name, y.Name) })
	t.node.Annotations = slices.Insert(t.node.Annotations, at, a)
}

// Annotate returns a member of a document as an annotation.
func Annotate(name string, value *source.Node) rt.Annotation {
	return rt.Annotation{Name: name, Value: annotated(value)}
}

// longest is how many bytes of a value are kept as they are.
const longest = 1024

// annotated spells a value: as canonical JSON, or by its size and digest.
func annotated(n *source.Node) string {
	raw := n.JSON()
	text, err := canonical.JSON(nil, raw)
	if err == nil && len(text) <= longest {
		return string(text)
	}
	if err != nil {
		text = raw
	}
	return fmt.Sprintf("%d bytes, %s", len(text), canonical.Digest("annotation", text))
}

package schema

import (
	"strings"

	"github.com/openrpc-go/rpcgen/compiler/internal/reference"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// identify finds the names that the schemas of a file give themselves. Only
// what stands where a schema stands counts: an enum value or a property may
// be called $id as well.
func (g *Graph) identify(f *source.File) []reference.Identifier {
	w := identifierWalk{graph: g}
	if isDocument(f.Root) {
		w.document(f.Root)
	} else {
		w.schema(f.Root, g.rules.Dialect)
	}
	return w.found
}

// isDocument reports whether a file holds schemas rather than being one.
func isDocument(root *source.Node) bool { return isAPI(root) || root.Get("components") != nil }

type identifierWalk struct {
	graph *Graph
	found []reference.Identifier
}

// document looks for schemas in an API document.
func (w *identifierWalk) document(n *source.Node) {
	for _, item := range n.Items {
		w.document(item)
	}
	for _, m := range n.Members {
		switch m.Name {
		case "schema":
			w.schema(m.Value, w.graph.rules.Dialect)
		case "schemas", "definitions":
			for _, s := range m.Value.Members {
				w.schema(s.Value, w.graph.rules.Dialect)
			}
		case "example", "examples", "default", "value":
		default:
			w.document(m.Value)
		}
	}
}

func (w *identifierWalk) schema(n *source.Node, d Dialect) {
	if n.Kind != source.Object {
		return
	}
	w.graph.expected++
	if v := n.Get("$schema"); v != nil && v.Kind == source.String && d != OpenAPI30 {
		if named, ok := declared(v.Text); ok {
			d = named
		}
	}
	w.names(n, d)
	for _, m := range n.Members {
		k, ok := keywords[m.Name]
		if !ok || !k.in.has(d) {
			continue
		}
		for s := range k.holds.schemas(m.Value) {
			w.schema(s, d)
		}
	}
}

// names takes the identifiers of one schema; those beside a $ref do not count
// where siblings do not.
func (w *identifierWalk) names(n *source.Node, d Dialect) {
	if ref := n.Get("$ref"); ref != nil && ref.Kind == source.String && !d.siblings() {
		return
	}
	if v := n.Get(d.idKeyword()); v != nil && v.Kind == source.String {
		uri, plain, _ := strings.Cut(v.Text, "#")
		if d.siblings() {
			plain = "" // 2020-12 has $anchor for that
		}
		w.found = append(w.found, reference.Identifier{Node: n, URI: uri, Anchor: plain})
	}
	if !d.siblings() {
		return
	}
	for _, name := range [...]string{"$anchor", "$dynamicAnchor"} {
		v := n.Get(name)
		if v == nil || v.Kind != source.String {
			continue
		}
		w.found = append(w.found, reference.Identifier{Node: n, Anchor: v.Text})
		if name == "$dynamicAnchor" {
			d := &w.graph.dynamic
			d.found = append(d.found, dynamicAnchor{v.Text, n})
		}
	}
}

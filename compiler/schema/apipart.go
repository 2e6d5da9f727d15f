package schema

import (
	"strings"

	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// apiPart names the part of an API document that n is, where that is no schema
// and does not read as one: all its members would be keywords that nobody
// knows, and a reference to it would admit anything. It is "" for everything
// else; authors keep schemas in many places.
func apiPart(n *source.Node) string {
	if n.Kind != source.Object || saysAnything(n) {
		return ""
	}
	if n.Parent == nil {
		if isAPI(n) {
			return "the whole document"
		}
		return ""
	}
	tokens, err := n.Pointer().Tokens()
	if err != nil || len(tokens) > 4 || !isAPI(rootOf(n)) {
		return ""
	}
	switch {
	case len(tokens) > 2 && tokens[1] != "schemas" && isDescriptor(n):
		return "a content descriptor"
	case len(tokens) == 2 && tokens[0] == "methods":
		return "a method"
	case len(tokens) == 1 && n.Parent.Get("openrpc") != nil && tokens[0] != "definitions" && !strings.HasPrefix(tokens[0], "x-"):
		return quote(tokens[0]) + " of the document"
	case len(tokens) == 2 && tokens[0] == "components" && len(n.Members) > 0:
		return "all of " + quote(tokens[1])
	}
	return ""
}

// isDescriptor reports whether n has the form of a content descriptor. One that
// is kept among the schemas is a schema that says nothing, as published
// documents use it.
func isDescriptor(n *source.Node) bool { return n.Get("schema") != nil && n.Get("name") != nil }

func rootOf(n *source.Node) *source.Node {
	for n.Parent != nil {
		n = n.Parent
	}
	return n
}

// saysAnything reports whether n has a keyword that speaks of values. Content
// descriptors have a "required" that is true or false.
func saysAnything(n *source.Node) bool {
	for _, m := range n.Members {
		k, known := keywords[m.Name]
		switch {
		case m.Name == "$ref" || m.Name == "$dynamicRef" || m.Name == "$recursiveRef":
			return true
		case !known || k.group&(groupNote|groupCore) != 0:
		case m.Name != "required" || m.Value.Kind == source.Array:
			return true
		}
	}
	return false
}

// noSchema reports that ref leads from at to a part of the document that is no
// schema.
func noSchema(at, ref, n *source.Node, part string) *diag.Diagnostic {
	d := diag.At(ref, CodeNoSchema, "%q names %s, not a schema", clip(ref.Text), part)
	switch {
	case n.Get("schema") != nil:
		d = d.WithAdvice("refer to the schema in it: " + quote(ref.Text+"/schema"))
	case n.Parent == nil:
		d = d.WithAdvice("\"#\" is the root of the file; a schema that means itself is referred to by its place, as in " + quote("#"+string(schemaAround(at).Pointer())))
	default:
		d = d.WithAdvice("refer to one schema, as in \"#/components/schemas/NAME\"")
	}
	d = d.WithRelated(n, "named here")
	return &d
}

// schemaAround is the outermost schema that at lies in: below the last member
// that holds whole schemas.
func schemaAround(at *source.Node) *source.Node {
	found := at
	for n := at; n.Parent != nil; n = n.Parent {
		if n.Parent.Get("schema") == n {
			return n
		}
		if up := n.Parent.Parent; up != nil && up.Get("schemas") == n.Parent {
			return n
		}
	}
	return found
}

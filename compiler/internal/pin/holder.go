package pin

import (
	"slices"
	"strconv"

	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// eachSchema calls f with every schema that n holds and that applies to a
// value; definitions count where they are used. part is the name or number of a
// schema below its keyword, "" for the only one.
func eachSchema(n *source.Node, f func(keyword, part string, n *source.Node)) {
	if n == nil {
		return
	}
	for _, m := range n.Members {
		switch v := m.Value; holderOf(m.Name) {
		case holdsSchemas:
			if isSchema(v) {
				f(m.Name, "", v)
			}
			for i, item := range v.Items {
				if isSchema(item) {
					f(m.Name, strconv.Itoa(i), item)
				}
			}
		case holdsNamed:
			for _, p := range v.Members {
				if isSchema(p.Value) {
					f(m.Name, p.Name, p.Value)
				}
			}
		}
	}
}

// label is the label of the edge to a schema below a keyword. A part that is
// called "" has one too.
func label(keyword, part string) string {
	if part == "" && holderOf(keyword) == holdsSchemas {
		return keyword
	}
	return keyword + " " + part
}

// holder says where a keyword has schemas that apply to a value.
type holder uint8

const (
	holdsNone    holder = iota
	holdsSchemas        // a schema, or a list of them
	holdsNamed          // schemas by name
)

func holderOf(keyword string) holder {
	switch keyword {
	case "items", "additionalItems", "contains", "unevaluatedItems", "additionalProperties", "propertyNames",
		"unevaluatedProperties", "not", "if", "then", "else", "contentSchema", "prefixItems", "allOf", "anyOf", "oneOf":
		return holdsSchemas
	case "properties", "patternProperties", "dependencies", "dependentSchemas":
		return holdsNamed
	}
	return holdsNone
}

// holdsSchema reports whether eachSchema finds a schema under a member.
func holdsSchema(m *source.Member) bool {
	v := m.Value
	switch holderOf(m.Name) {
	case holdsSchemas:
		return isSchema(v) || slices.ContainsFunc(v.Items, isSchema)
	case holdsNamed:
		return slices.ContainsFunc(v.Members, func(p source.Member) bool { return isSchema(p.Value) })
	}
	return false
}

func isSchema(n *source.Node) bool { return n.Kind == source.Object }

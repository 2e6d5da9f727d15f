package drift

import (
	"strconv"
	"strings"

	"github.com/openrpc-go/rpcgen/runtime/schema"
)

// end is a node as one end of a change.
func end(n *schema.Node) End {
	if n == nil {
		return End{}
	}
	text := summary(n, 2)
	for _, a := range n.Annotations {
		text += ", " + a.Name + " " + a.Value
	}
	return End{Node: n.ID, Text: text}
}

// named reports whether a node is a component: its id is no path.
func named(n *schema.Node) bool { return n.ID != "" && !strings.Contains(n.ID, "/") }

// shown bounds the names that a summary lists.
const shown = 6

// summary says in a few words what a node admits.
func summary(n *schema.Node, depth int) string {
	switch {
	case named(n):
		return n.ID
	case n.Never:
		return "nothing"
	case len(n.Enum) > 0:
		return "one of " + clip(n.Enum)
	case len(n.OneOf) > 0:
		return branches("one of", n.OneOf, depth)
	case len(n.AnyOf) > 0:
		return branches("any of", n.AnyOf, depth)
	case n.Array != nil && n.Array.Items != nil && depth > 0:
		return "array of " + summary(n.Array.Items, depth-1)
	case n.Object != nil && len(n.Object.Properties) > 0:
		return "object {" + clip(memberNames(n)) + "}"
	case n.Types == 0:
		return "any value"
	}
	out := types(n.Types)
	if n.String != nil && n.String.Format != "" {
		out += " (" + n.String.Format + ")"
	}
	return out
}

func branches(word string, list []*schema.Node, depth int) string {
	if depth == 0 {
		return word + " " + strconv.Itoa(len(list)) + " forms"
	}
	parts := make([]string, len(list))
	for i, n := range list {
		parts[i] = summary(n, depth-1)
	}
	return word + " " + clip(parts)
}

func memberNames(n *schema.Node) []string {
	var out []string
	for _, p := range n.Object.Properties {
		name := p.Name
		if !p.Required {
			name += "?"
		}
		out = append(out, name)
	}
	return out
}

func clip(list []string) string {
	if len(list) <= shown {
		return strings.Join(list, ", ")
	}
	return strings.Join(list[:shown], ", ") + " and " + strconv.Itoa(len(list)-shown) + " more"
}

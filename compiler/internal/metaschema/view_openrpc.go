package metaschema

import (
	"encoding/json"
	"strings"

	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// reduceOpenRPC cuts schemas, example values and extensions out of a document.
// The engine takes 150 ms and 55 MB for a megabyte; a document of 2.5 MB comes
// down to some kilobytes.
func reduceOpenRPC(root *source.Node) view { return reduced(root, cutOpenRPC) }

func cutOpenRPC(m source.Member) (any, bool) {
	switch {
	case strings.HasPrefix(m.Name, "x-"):
		return true, true
	case m.Name == "value" || m.Name == "data":
		return true, true
	case m.Name == "schema":
		return stub(m.Value), true
	case m.Name == "schemas" && m.Value.Kind == source.Object:
		return stubs(m.Value), true
	case m.Value.Kind == source.String && !matters(m.Name):
		return shortened(m.Value.Text), true
	case m.Value.Kind == source.Bool:
		return true, true
	case m.Value.Kind == source.Number && isWhole(m.Value.Text):
		return json.Number("0"), true
	}
	return nil, false
}

// isWhole reports whether a literal is of digits alone, as codes are.
func isWhole(literal string) bool {
	return len(literal) <= maxDigits && strings.Trim(literal, "-0123456789") == ""
}

// matters reports whether the schema says more of a string member than its
// being one and not being empty.
func matters(name string) bool { return name == "openrpc" || name == "paramStructure" }

func shortened(s string) string {
	if s == "" {
		return ""
	}
	return "s"
}

// stubs keeps the names of an object and the kinds of its values: one of those
// that are as they should be, for the engine goes through names one by one, and
// every other one.
func stubs(n *source.Node) any {
	members := map[string]any{}
	sound := false
	for _, m := range n.Members {
		if isPlain(m.Name) && m.Value.Kind == source.Object {
			if sound {
				continue
			}
			sound = true
		}
		members[m.Name] = stub(m.Value)
	}
	return members
}

// isPlain reports whether the schema takes a name for that of a component.
func isPlain(name string) bool {
	for _, c := range []byte(name) {
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '.' || c == '_' || c == '-') {
			return false
		}
	}
	return name != ""
}

package metaschema

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// view is a document as the engine gets to see it, and the way back from a
// place in the view to the places in the document.
type view struct {
	root  *source.Node
	value any

	// groups maps an index of the view's "methods" to the methods that look
	// like it; nil means that the view has every method itself.
	groups [][]*source.Node
	faults diag.List // found on the way, the number guard's
}

// nodes returns the places of the document that the path into the view stands
// for, none when the path leads to nothing.
func (v view) nodes(path []string) []*source.Node {
	if v.groups == nil || len(path) < 2 || path[0] != "methods" {
		return present(walk(v.root, path))
	}
	i, err := strconv.Atoi(path[1])
	if err != nil || i >= len(v.groups) {
		return nil
	}
	var all []*source.Node
	for _, method := range v.groups[i] {
		all = append(all, present(walk(method, path[2:]))...)
	}
	return all
}

func present(n *source.Node) []*source.Node {
	if n == nil {
		return nil
	}
	return []*source.Node{n}
}

func walk(n *source.Node, path []string) *source.Node {
	for _, token := range path {
		if n == nil {
			return nil
		}
		if n.Kind != source.Array {
			n = n.Get(token)
			continue
		}
		i, err := strconv.Atoi(token)
		if err != nil || i < 0 || i >= len(n.Items) {
			return nil
		}
		n = n.Items[i]
	}
	return n
}

// The number guard: what is longer or larger costs the engine seconds.
const (
	maxDigits   = 64
	maxExponent = 400
)

// number hands a literal on to the engine; one beyond the guard becomes a
// finding and a harmless 0.
func (v *view) number(n *source.Node) any {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(n.Text), "e")
	e, err := strconv.Atoi(strings.TrimPrefix(exponent, "+"))
	small := exponent == "" || err == nil && -maxExponent <= e && e <= maxExponent
	if len(mantissa) <= maxDigits && small {
		return json.Number(n.Text)
	}
	v.faults = append(v.faults, diag.At(n, "number-out-of-bounds",
		"the number has more than %d digits or an exponent beyond %d", maxDigits, maxExponent))
	return json.Number("0")
}

// whole turns a subtree into what the engine reads, leaving nothing out.
func (v *view) whole(n *source.Node) any {
	switch n.Kind {
	case source.Bool:
		return n.Text == "true"
	case source.Number:
		return v.number(n)
	case source.String:
		return n.Text
	case source.Array:
		items := make([]any, len(n.Items))
		for i, item := range n.Items {
			items[i] = v.whole(item)
		}
		return items
	case source.Object:
		members := make(map[string]any, len(n.Members))
		for _, m := range n.Members {
			members[m.Name] = v.whole(m.Value)
		}
		return members
	default:
		return nil
	}
}

func reduceWhole(root *source.Node) view {
	v := view{root: root}
	v.value = v.whole(root)
	return v
}

// reduce is whole with cuts: the value of a member is replaced by what cut
// returns for it, unless cut returns false.
func (v *view) reduce(n *source.Node, cut func(v *view, m source.Member) (any, bool)) any {
	switch n.Kind {
	case source.Array:
		items := make([]any, len(n.Items))
		for i, item := range n.Items {
			items[i] = v.reduce(item, cut)
		}
		return items
	case source.Object:
		members := make(map[string]any, len(n.Members))
		for _, m := range n.Members {
			if value, ok := cut(v, m); ok {
				members[m.Name] = value
				continue
			}
			members[m.Name] = v.reduce(m.Value, cut)
		}
		return members
	default:
		return v.whole(n)
	}
}

// reduceAmendment leaves out the schemas and fragments of documents that an
// amendment may hold: the engine would judge them by the wrong schema.
func reduceAmendment(root *source.Node) view {
	v := view{root: root}
	v.value = v.reduce(root, func(v *view, m source.Member) (any, bool) {
		switch m.Name {
		case "allow_if", "was", "now":
			return stub(m.Value), true
		}
		return nil, false
	})
	return v
}

// stub keeps the kind of a value and nothing of what is in it.
func stub(n *source.Node) any {
	switch n.Kind {
	case source.Bool:
		return true
	case source.Number:
		return json.Number("0")
	case source.String:
		return "s"
	case source.Array:
		return []any{}
	case source.Object:
		return map[string]any{}
	default:
		return nil
	}
}

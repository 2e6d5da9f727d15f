package metaschema

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
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

	cut    cut
	alike  map[*source.Node][][]*source.Node // what groups found
	faults diag.List                         // found on the way, the number guard's
}

// nodes returns the places of the document that the path into the view stands
// for, none when the path leads to nothing.
func (v view) nodes(path []string) []*source.Node {
	at := []*source.Node{v.root}
	for _, token := range path {
		var next []*source.Node
		for _, n := range at {
			next = append(next, v.step(n, token)...)
		}
		at = next
	}
	return at
}

func (v view) step(n *source.Node, token string) []*source.Node {
	if n.Kind != source.Array {
		if child := n.Get(token); child != nil {
			return []*source.Node{child}
		}
		return nil
	}
	i, err := strconv.Atoi(token)
	if err != nil || i < 0 {
		return nil
	}
	if groups := v.groups(n); i < len(groups) {
		return groups[i]
	}
	return nil
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
	v.faults = append(v.faults, diag.At(n, CodeNumber,
		"the number has more than %d digits or an exponent beyond %d", maxDigits, maxExponent))
	return json.Number("0")
}

// cut replaces the value of a member by something smaller, or reports false.
type cut func(m source.Member) (any, bool)

func reduced(root *source.Node, c cut) view {
	v := view{root: root, cut: c, alike: map[*source.Node][][]*source.Node{}}
	v.value = v.reduce(root)
	return v
}

// reduce turns a subtree into what the engine reads, with its cuts, and with
// one item of those that look alike in every array.
func (v *view) reduce(n *source.Node) any {
	switch n.Kind {
	case source.Bool:
		return n.Text == "true"
	case source.Number:
		return v.number(n)
	case source.String:
		return n.Text
	case source.Array:
		groups := v.groups(n)
		items := make([]any, len(groups))
		for i, alike := range groups {
			items[i] = v.reduce(alike[0])
		}
		return items
	case source.Object:
		members := make(map[string]any, len(n.Members))
		for _, m := range n.Members {
			value, ok := v.cut(m)
			if !ok {
				value = v.reduce(m.Value)
			}
			members[m.Name] = value
		}
		return members
	default:
		return nil
	}
}

// groups returns the items of an array, those that look alike together, in
// the order of their first.
func (v *view) groups(n *source.Node) [][]*source.Node {
	if groups, ok := v.alike[n]; ok {
		return groups
	}
	var groups [][]*source.Node
	var look []byte
	index := map[string]int{}
	for _, item := range n.Items {
		look = v.look(look[:0], item)
		i, known := index[string(look)]
		if !known {
			i = len(groups)
			index[string(look)] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], item)
	}
	v.alike[n] = groups
	return groups
}

// look appends a text that is the same for values that the engine cannot tell
// apart. Two looks of equal values may differ, by the order of members.
func (v *view) look(b []byte, n *source.Node) []byte {
	switch n.Kind {
	case source.Array:
		return append(v.lookOfItems(append(b, '['), n.Items), ']')
	case source.Object:
		b = append(b, '{')
		for _, m := range n.Members {
			b = appendText(b, 'm', m.Name)
			if value, ok := v.cut(m); ok {
				b = appendCut(b, value)
				continue
			}
			b = v.look(b, m.Value)
		}
		return append(b, '}')
	default:
		return appendText(b, '0'+byte(n.Kind), n.Text)
	}
}

// lookOfItems leaves out an item that looks like one of the last few, as the
// view of the array does.
func (v *view) lookOfItems(b []byte, items []*source.Node) []byte {
	type span struct{ from, to int }
	var last []span
	for _, item := range items {
		start := len(b)
		b = v.look(b, item)
		repeats := slices.ContainsFunc(last, func(s span) bool { return bytes.Equal(b[s.from:s.to], b[start:]) })
		if repeats {
			b = b[:start]
			continue
		}
		if last = append(last, span{start, len(b)}); len(last) > 8 {
			last = last[1:]
		}
	}
	return b
}

func appendCut(b []byte, value any) []byte {
	switch value := value.(type) {
	case bool:
		return append(b, 'b')
	case string:
		return appendText(b, 's', value)
	case json.Number:
		return appendText(b, 'n', string(value))
	case []any:
		return append(b, 'l') // of a stub: empty
	case map[string]any:
		b = append(b, 'o')
		for _, name := range slices.Sorted(maps.Keys(value)) {
			b = appendCut(appendText(b, 'm', name), value[name])
		}
		return append(b, '.')
	default:
		return append(b, 'z') // null
	}
}

// appendText writes the length in front, so that no text can run into the next.
func appendText(b []byte, mark byte, s string) []byte {
	b = strconv.AppendInt(append(b, mark), int64(len(s)), 10)
	return append(append(b, ':'), s...)
}

func reduceConfig(root *source.Node) view {
	return reduced(root, func(source.Member) (any, bool) { return nil, false })
}

// reduceAmendment leaves out the schemas and fragments of documents that an
// amendment may hold: the engine would judge them by the wrong schema.
func reduceAmendment(root *source.Node) view {
	return reduced(root, func(m source.Member) (any, bool) {
		switch m.Name {
		case "allow_if", "was", "now":
			return stub(m.Value), true
		}
		return nil, false
	})
}

// stub keeps of a value its kind and whether an object is empty.
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
		if len(n.Members) > 0 {
			return map[string]any{"s": true}
		}
		return map[string]any{}
	default:
		return nil
	}
}

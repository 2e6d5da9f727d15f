package correct

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// spot is a place in the tree: a member or an element, there or not.
type spot struct {
	parent *source.Node
	name   string // the token that leads from parent to it
	named  bool   // parent is a list whose elements are addressed by name
	index  int    // in Members or Items; -1: nothing stands there
}

// value returns what stands there, or nil.
func (s spot) value() *source.Node {
	switch {
	case s.index < 0:
		return nil
	case s.parent.Kind == source.Object:
		return s.parent.Members[s.index].Value
	default:
		return s.parent.Items[s.index]
	}
}

// lost says why a place cannot be found.
type lost struct{ message, advice string }

// find takes one step from parent. holder is the token that led to parent: the
// elements of methods and params are addressed by name, because a vendor who
// adds one moves the numbers of all others.
func (e *editor) find(parent *source.Node, holder, token string, depth int) (spot, *lost) {
	s := spot{parent: parent, name: token, index: -1}
	switch parent.Kind {
	case source.Object:
		s.index = slices.IndexFunc(parent.Members, func(m source.Member) bool { return m.Name == token })
		return s, nil
	case source.Array:
		s.named = holder == "params" || holder == "methods" && depth == 1
		if s.named {
			return e.byName(s, token)
		}
		return byIndex(s, token)
	default:
		return s, &lost{message: fmt.Sprintf("a %s has no %q", parent.Kind, clip(token))}
	}
}

// byName finds the element of a name. An element without one has only its
// number to be addressed by.
func (e *editor) byName(s spot, token string) (spot, *lost) {
	for i, item := range s.parent.Items {
		if name, ok := e.nameOf(item); !ok || name != token {
			continue
		}
		if s.index >= 0 {
			return s, &lost{
				fmt.Sprintf("two elements are called %q", clip(token)),
				"correct the list as a whole",
			}
		}
		s.index = i
	}
	if s.index >= 0 {
		return s, nil
	}
	i, err := strconv.Atoi(token)
	if err != nil || i < 0 || i >= len(s.parent.Items) || strconv.Itoa(i) != token {
		return s, nil
	}
	if name, ok := e.nameOf(s.parent.Items[i]); ok {
		return s, &lost{
			fmt.Sprintf("methods and params are addressed by name, never by number; number %s is %q today", token, clip(name)),
			"write the name instead",
		}
	}
	s.index = i
	return s, nil
}

func byIndex(s spot, token string) (spot, *lost) {
	if token == "-" {
		return s, nil
	}
	i, err := strconv.Atoi(token)
	if err != nil || i < 0 || strconv.Itoa(i) != token {
		return s, &lost{
			fmt.Sprintf("%q is no number of an element", clip(token)),
			`elements count from 0; "-" stands for one behind the last`,
		}
	}
	if i < len(s.parent.Items) {
		s.index = i
	} else if i > len(s.parent.Items) {
		return s, &lost{message: fmt.Sprintf("there is no element %d, the list has %d", i, len(s.parent.Items))}
	}
	return s, nil
}

// hops is how many references may lead from an element to its name.
const hops = 8

// nameOf returns the name of a method or param; what is only a reference
// within the file has the name of its target.
func (e *editor) nameOf(n *source.Node) (string, bool) {
	for range hops {
		if name := n.Get("name"); name != nil && name.Kind == source.String {
			return name.Text, true
		}
		target, _ := e.referred(n)
		if target == nil {
			return "", false
		}
		n = target
	}
	return "", false
}

func clip(s string) string {
	const most = 120
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}

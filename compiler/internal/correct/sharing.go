package correct

import (
	"net/url"
	"strings"

	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// sharing knows the values below one method that something outside of it
// refers to.
type sharing struct {
	targets map[*source.Node]bool // they and everything below them are shared
	around  map[*source.Node]bool // they hold a target
}

// referred returns the target of n, when n is a reference within the file, and
// the nodes on the way to it, the root first.
func (e *editor) referred(n *source.Node) (target *source.Node, way []*source.Node) {
	ref := n.Get("$ref")
	if ref == nil || ref.Kind != source.String {
		return nil, nil
	}
	_, fragment, _ := strings.Cut(ref.Text, "#")
	fragment, err := url.PathUnescape(fragment)
	if err != nil {
		return nil, nil
	}
	tokens, err := source.Pointer(fragment).Tokens()
	if err != nil {
		return nil, nil
	}
	at := e.file.Root
	for _, token := range tokens {
		way = append(way, at)
		if at = child(at, token); at == nil {
			return nil, nil
		}
	}
	return at, way
}

// child is one step of a plain pointer.
func child(n *source.Node, token string) *source.Node {
	if n.Kind == source.Object {
		return n.Get(token)
	}
	found, err := n.At(source.Pointer("").Append(token))
	if err != nil {
		return nil
	}
	return found
}

// share looks at every reference of the file, whatever file its URI names: one
// too many asks for a word, one too few would change a method unsaid.
func (e *editor) share() *sharing {
	if e.shared != nil {
		return e.shared
	}
	e.shared = &sharing{targets: map[*source.Node]bool{}, around: map[*source.Node]bool{}}
	methods := e.file.Root.Get("methods")
	for _, m := range e.file.Root.Members {
		if m.Value != methods {
			e.shareFrom(m.Value, nil, methods)
		}
	}
	if methods != nil {
		for _, item := range methods.Items {
			e.shareFrom(item, item, methods)
		}
	}
	return e.shared
}

// shareFrom collects the references below n, which lies in method.
func (e *editor) shareFrom(n, method, methods *source.Node) {
	target, way := e.referred(n)
	if target != nil && len(way) >= 2 && way[1] == methods {
		owner := target
		if len(way) > 2 {
			owner = way[2]
		}
		if owner != method {
			e.shared.targets[target] = true
			for _, holder := range way[2:] {
				e.shared.around[holder] = true
			}
		}
	}
	for _, item := range n.Items {
		e.shareFrom(item, method, methods)
	}
	for _, m := range n.Members {
		e.shareFrom(m.Value, method, methods)
	}
}

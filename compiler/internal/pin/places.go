package pin

import (
	"net/url"
	"strings"

	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// places remembers where schemas lead, for both kinds of notes. Only it asks
// the graph.
type places struct {
	*digester
	compiled, targets map[*source.Node]*source.Node
	local             map[local]*source.Node // by what a reference says, which many say
}

// local is a reference within the file of root.
type local struct {
	root *source.Node
	text string
}

// refers reports whether n is a reference and nothing else.
func (p *places) refers(n *source.Node) bool {
	return n.Get("$ref") != nil && p.compiledAs(n) != n
}

// compiledAs returns the schema that n was compiled as: its own place, or that
// of what it refers to.
func (p *places) compiledAs(n *source.Node) *source.Node {
	as, ok := p.compiled[n]
	if !ok {
		node, collected := p.nodes[n]
		if !collected { // graphs repeat their warnings
			node = p.graph.Node(n, "")
		}
		as = n
		if info := p.graph.Info(node); info != nil && info.Source != nil {
			as = info.Source
		}
		p.compiled[n] = as
	}
	return as
}

// target returns the schema that a reference names. A chain of references is
// followed step by step within one file, where each may have words.
func (p *places) target(n *source.Node) *source.Node {
	to, ok := p.targets[n]
	if !ok {
		to = p.follow(n)
		p.targets[n] = to
	}
	return to
}

func (p *places) follow(n *source.Node) *source.Node {
	root := n
	for root.Parent != nil {
		root = root.Parent
	}
	said := local{root, n.Get("$ref").Text}
	if to := p.local[said]; to != nil {
		return to
	}
	if fragment, ok := strings.CutPrefix(said.text, "#"); ok {
		if pointer, err := url.PathUnescape(fragment); err == nil {
			if to, err := root.At(source.Pointer(pointer)); err == nil {
				p.local[said] = to
				return to
			}
		}
	}
	return p.compiledAs(n)
}

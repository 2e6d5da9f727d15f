package openrpc

import (
	"github.com/openrpc-go/rpcgen/compiler/internal/contract"
	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// methods reads all methods; it reports false when there is no list of them.
func (r *reader) methods(c *contract.Contract, root *source.Node) bool {
	list := root.Get("methods")
	if list == nil {
		r.report(diag.At(root, CodeMissingMethods, "the document has no \"methods\"").WithAdvice("a document without methods says \"methods\": []"))
		return false
	}
	if list.Kind != source.Array {
		r.report(diag.At(list, CodeWrongType, "\"methods\" is %s, not an array", kindOf(list)))
		return false
	}
	seen := make(map[string]place, len(list.Items))
	for i, item := range list.Items {
		node := r.follow(item, label{kind: "method", number: i + 1}, r.report)
		if node == nil {
			continue
		}
		name, ok := r.methodName(node, i)
		if !ok {
			continue
		}
		if first, ok := seen[name.Text]; ok {
			repeated(first, place{method: first.method, item: item, node: node})
			continue
		}
		m := r.method(name.Text, node)
		seen[m.Name] = place{method: m, item: item, node: node, equal: map[*source.Node]bool{node: true}}
		c.Methods = append(c.Methods, m)
	}
	for _, m := range c.Methods {
		m.Faults.Sort()
	}
	setLogicalIDs(c.Methods)
	return true
}

// place is where a method was declared: the item of methods and, references
// followed, the method object.
type place struct {
	method *contract.Method
	item   *source.Node
	node   *source.Node
	equal  map[*source.Node]bool // of the first place: what node was compared with
}

// name is where to point for the name.
func (p place) name() *source.Node {
	if p.item != p.node {
		return p.item
	}
	return p.node.Get("name")
}

// repeated records that again declares the name of first once more. The same
// text twice is one method. Anything else leaves nobody to say which one the
// server means, so the name is refused altogether.
func repeated(first, again place) {
	m := first.method
	d := diag.At(again.name(), CodeDuplicateMethod, "%q is already declared with another meaning; neither is used", m.Name).
		WithAdvice("remove or rename one of the two")
	equal, compared := first.equal[again.node]
	if !compared {
		equal = same(first.node, again.node)
		first.equal[again.node] = equal
	}
	if equal {
		d = diag.Warn(again.name(), CodeRepeatedMethod, "%q is already declared, word for word the same", m.Name).
			WithAdvice("remove one of the two")
	}
	m.Faults = append(m.Faults, d.WithRelated(first.name(), "first declared here"))
}

func (r *reader) methodName(node *source.Node, i int) (*source.Node, bool) {
	name := node.Get("name")
	switch {
	case name == nil:
		r.report(diag.At(node, CodeMissingName, "method %d has no name", i+1))
	case name.Kind != source.String:
		r.report(diag.At(name, CodeWrongType, "the name of method %d is %s, not a string", i+1, kindOf(name)))
	case name.Text == "":
		r.report(diag.At(name, CodeMissingName, "the name of method %d is empty", i+1))
	default:
		return name, true
	}
	return nil, false
}

func setLogicalIDs(methods []*contract.Method) {
	names := make([]string, len(methods))
	for i, m := range methods {
		names[i] = m.Name
	}
	for i, id := range contract.LogicalIDs(names) {
		methods[i].LogicalID = id
	}
}

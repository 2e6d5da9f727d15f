package plan

import rt "github.com/openrpc-go/rpcgen/runtime/schema"

// walker visits every node once that others lead to.
type walker struct {
	seen  map[*rt.Node]bool
	visit func(*rt.Node)
	queue []*rt.Node
}

func (w *walker) from(n *rt.Node) {
	w.push(n)
	for len(w.queue) > 0 {
		n := w.queue[len(w.queue)-1]
		w.queue = w.queue[:len(w.queue)-1]
		w.visit(n)
		w.below(n)
	}
}

func (w *walker) push(nodes ...*rt.Node) {
	for _, n := range nodes {
		if n != nil && !w.seen[n] {
			w.seen[n] = true
			w.queue = append(w.queue, n)
		}
	}
}

func (w *walker) below(n *rt.Node) {
	w.push(n.AllOf...)
	w.push(n.AnyOf...)
	w.push(n.OneOf...)
	if n.Array != nil {
		w.push(n.Array.Prefix...)
		w.push(n.Array.Items)
	}
	if o := n.Object; o != nil {
		for _, p := range o.Properties {
			w.push(p.Node)
		}
		for _, p := range o.Patterns {
			w.push(p.Node)
		}
		w.push(o.Additional)
	}
}

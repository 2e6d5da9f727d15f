package schema

import rt "github.com/openrpc-go/rpcgen/runtime/schema"

// rings returns the strongly connected components of the unsettled entries
// under the given edges, each after the components it leads to (Tarjan).
func (g *Graph) rings(edges func(*entry) []*rt.Node) [][]*entry {
	r := ringSearch{graph: g, edges: edges, marks: make([]ringMark, len(g.entries)-g.settled)}
	for i := range r.marks {
		if r.marks[i].order == 0 {
			r.from(i)
		}
	}
	return r.found
}

// ringSearch keeps its own stack: a chain of schemas may be as long as the
// document. Entries are numbered from the first unsettled one.
type ringSearch struct {
	graph   *Graph
	edges   func(*entry) []*rt.Node
	marks   []ringMark
	open    []int // entries not yet in a ring
	stack   []ringFrame
	counter int
	found   [][]*entry
}

type ringMark struct {
	order, low int // order is 0 before the visit
	open       bool
}

type ringFrame struct {
	at   int
	next []*rt.Node
}

func (r *ringSearch) from(root int) {
	r.visit(root)
	for len(r.stack) > 0 {
		top := &r.stack[len(r.stack)-1]
		if len(top.next) == 0 {
			r.leave(top.at)
			continue
		}
		j := r.graph.index[top.next[0]].index - r.graph.settled
		top.next = top.next[1:]
		switch {
		case j < 0: // settled, so it leads back to nothing here
		case r.marks[j].order == 0:
			r.visit(j)
		case r.marks[j].open:
			m := &r.marks[top.at]
			m.low = min(m.low, r.marks[j].order)
		}
	}
}

func (r *ringSearch) visit(i int) {
	r.counter++
	r.marks[i] = ringMark{r.counter, r.counter, true}
	r.open = append(r.open, i)
	r.stack = append(r.stack, ringFrame{i, r.edges(r.graph.entries[r.graph.settled+i])})
}

// leave ends the visit of i, which closes a ring when nothing below i led to
// an entry before it.
func (r *ringSearch) leave(i int) {
	r.stack = r.stack[:len(r.stack)-1]
	if len(r.stack) > 0 {
		up := &r.marks[r.stack[len(r.stack)-1].at]
		up.low = min(up.low, r.marks[i].low)
	}
	if r.marks[i].low != r.marks[i].order {
		return
	}
	var ring []*entry
	for last := -1; last != i; {
		last = r.open[len(r.open)-1]
		r.open = r.open[:len(r.open)-1]
		r.marks[last].open = false
		ring = append(ring, r.graph.entries[r.graph.settled+last])
	}
	r.found = append(r.found, ring)
}

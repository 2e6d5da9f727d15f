package canonical

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"maps"
	"slices"
)

// Graph is a directed graph of labelled nodes and labelled edges, cycles
// allowed, that stands for possibly endless trees: what is seen by walking
// from a node. Two nodes from which the same tree is seen have the same
// digest, however the graph spells it: shared or copied, folded or unrolled,
// in whatever order nodes and edges were added.
//
// Edges of one node with equal labels form an unordered collection that counts
// repeats; a caller to whom order matters puts it into the label.
//
// The zero Graph is empty and ready. It is not safe for concurrent use.
type Graph struct {
	labels [][]byte
	links  []arrow
}

// arrow is an edge with the node that it leads from.
type arrow struct {
	edge
	from int
}

type edge struct {
	label string
	to    int
}

// Add adds a node and returns its number. The first is 0.
func (g *Graph) Add(label []byte) int {
	g.labels = append(g.labels, label)
	return len(g.labels) - 1
}

// Link adds an edge. Both nodes must have been added.
func (g *Graph) Link(from int, label string, to int) {
	g.links = append(g.links, arrow{edge{label, to}, from})
}

// Len returns the number of nodes.
func (g *Graph) Len() int { return len(g.labels) }

// Digests returns the hash of each node, in time O((n+m) log n) for n nodes
// and m edges. It moves exactly when the tree seen from the node does.
//
// The equal nodes are found first, by partition refinement. What is left is
// the one smallest graph of the same trees, so its cycles are the same for
// every spelling, and each cycle is numbered in an order that depends on
// nothing but its shape.
func (g *Graph) Digests(kind string) []Sum {
	edges := g.edges()
	class, classes := minimise(g.labels, edges)
	q := g.quotient(edges, class, classes)
	sums := make([]Sum, classes)
	place := make([]int, classes) // of a node in the component at hand, from 1
	for _, component := range components(q.edges) {
		q.hash(kind, component, place, sums)
	}
	out := make([]Sum, g.Len())
	for v, c := range class {
		out[v] = sums[c]
	}
	return out
}

// edges returns the edges of each node, in the order in which they were added.
func (g *Graph) edges() [][]edge {
	count := make([]int32, g.Len())
	for i := range g.links {
		count[g.links[i].from]++
	}
	space := make([]edge, len(g.links))
	edges := make([][]edge, g.Len())
	for v, n := range count {
		edges[v], space = space[:0:n], space[n:]
	}
	for i := range g.links {
		l := &g.links[i]
		edges[l.from] = append(edges[l.from], l.edge)
	}
	return edges
}

// minimise returns the class of each node and how many there are; nodes are in
// one class when the same tree is seen from them.
func minimise(labels [][]byte, edges [][]edge) ([]int, int) {
	p := newPartition(rank(labels), turn(edges))
	p.refine()
	return p.block, len(p.blocks)
}

// quotient is the graph of the classes.
type quotient struct {
	labels [][]byte
	edges  [][]edge
	hasher hasher
}

// quotient takes the edges apart: those of the first node of a class become the
// class's own.
func (g *Graph) quotient(edges [][]edge, class []int, classes int) *quotient {
	q := &quotient{labels: make([][]byte, classes), edges: make([][]edge, classes)}
	done := make([]bool, classes)
	for v, c := range class {
		if done[c] {
			continue
		}
		done[c] = true
		q.labels[c], q.edges[c] = g.labels[v], edges[v]
		for i := range edges[v] {
			edges[v][i].to = class[edges[v][i].to]
		}
	}
	return q
}

// hash fills sums for the nodes of one strongly connected component. Those of
// every other component it reaches are already there. place is all zero before
// and after.
func (q *quotient) hash(kind string, component, place []int, sums []Sum) {
	for i, v := range component {
		place[v] = i + 1
	}
	var inner [][]edge
	for i, v := range component {
		outer := q.edges[v][:0]
		for _, e := range q.edges[v] {
			if place[e.to] == 0 {
				outer = append(outer, e)
				continue
			}
			if inner == nil {
				inner = make([][]edge, len(component))
			}
			inner[i] = append(inner[i], edge{e.label, place[e.to] - 1})
		}
		sums[v] = q.hashNode(kind, v, outer, sums)
	}
	for _, v := range component {
		place[v] = 0
	}
	if inner != nil {
		hashCycle(kind, component, inner, sums)
	}
}

// hashNode hashes the label of a node and those edges whose targets are hashed.
func (q *quotient) hashNode(kind string, v int, edges []edge, sums []Sum) Sum {
	slices.SortFunc(edges, func(a, b edge) int {
		return cmp.Or(cmp.Compare(a.label, b.label), bytes.Compare(sums[a.to][:], sums[b.to][:]))
	})
	h := &q.hasher
	h.begin(kind)
	h.part(q.labels[v])
	for _, e := range edges {
		h.edge(e.label, &sums[e.to])
	}
	return h.sum()
}

// hashCycle hashes nodes that reach each other: all of them together in their
// own order, and then each by its place in it.
func hashCycle(kind string, component []int, inner [][]edge, sums []Sum) {
	labels := make([][]byte, len(component)) // what is known of each so far
	for i, v := range component {
		labels[i] = bytes.Clone(sums[v][:])
	}
	p := newPartition(rank(labels), turn(inner))
	p.refine() // all nodes differ, so every block ends with one node
	parts := make([][]byte, len(component))
	for i := range component {
		part := bytes.Clone(labels[i])
		var out [][]byte
		for _, e := range inner[i] {
			out = append(out, binary.BigEndian.AppendUint64([]byte(e.label+"\x00"), uint64(p.block[e.to])))
		}
		slices.SortFunc(out, bytes.Compare)
		for _, o := range out {
			part = binary.BigEndian.AppendUint64(part, uint64(len(o)))
			part = append(part, o...)
		}
		parts[p.block[i]] = part
	}
	whole := Hash(kind+"-cycle", parts...)
	for i, v := range component {
		sums[v] = Hash(kind+"-in-cycle", whole[:], binary.BigEndian.AppendUint64(nil, uint64(p.block[i])))
	}
}

// rank numbers labels by their order, equal ones alike.
func rank(labels [][]byte) []int {
	order := make([]int, len(labels))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return bytes.Compare(labels[a], labels[b]) })
	ranks := make([]int, len(labels))
	for i, v := range order {
		if i > 0 {
			ranks[v] = ranks[order[i-1]]
			if !bytes.Equal(labels[v], labels[order[i-1]]) {
				ranks[v]++
			}
		}
	}
	return ranks
}

// arrows are the edges of a graph seen from their targets. Those into node v
// are label[start[v]:start[v+1]] and from, likewise.
type arrows struct {
	start []int32
	label []int32 // rank among all edge labels
	from  []int32
}

// turn returns the arrows of edges.
func turn(edges [][]edge) arrows {
	number := labelRanks(edges)
	in := arrows{start: make([]int32, len(edges)+1)}
	total := 0
	for _, es := range edges {
		total += len(es)
		for _, e := range es {
			in.start[e.to+1]++
		}
	}
	for v := range edges {
		in.start[v+1] += in.start[v]
	}
	in.label, in.from = make([]int32, total), make([]int32, total)
	next := slices.Clone(in.start)
	for v, es := range edges {
		for _, e := range es {
			at := next[e.to]
			next[e.to]++
			in.label[at], in.from[at] = number[e.label], int32(v)
		}
	}
	return in
}

// labelRanks numbers edge labels by their order.
func labelRanks(edges [][]edge) map[string]int32 {
	number := map[string]int32{}
	for _, es := range edges {
		for _, e := range es {
			number[e.label] = 0
		}
	}
	for i, name := range slices.Sorted(maps.Keys(number)) {
		number[name] = int32(i)
	}
	return number
}

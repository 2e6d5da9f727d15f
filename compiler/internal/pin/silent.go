package pin

import "github.com/openrpc-go/rpcgen/runtime/canonical"

// digests returns the digest of every node, over those that have notes at or
// below them.
func (t *tree) digests() []canonical.Sum {
	keep := t.speaking()
	var g canonical.Graph
	number := make([]int, len(t.notes))
	silent := g.Add([]byte("silent"))
	for i, n := range t.notes {
		number[i] = silent
		if keep[i] {
			number[i] = g.Add(listed(n.says))
		}
	}
	for i, n := range t.notes {
		for _, l := range n.down {
			if keep[i] && keep[l.to] {
				g.Link(number[i], l.label, number[l.to])
			}
		}
	}
	sums := g.Digests(t.kind.name)
	out := make([]canonical.Sum, len(t.notes))
	for i := range t.notes {
		out[i] = sums[number[i]]
	}
	return out
}

// speaking marks the nodes that have notes at or below them.
func (t *tree) speaking() []bool {
	up := t.turned()
	var todo []int
	keep := make([]bool, len(t.notes))
	for i, n := range t.notes {
		if len(n.says) > 0 {
			keep[i] = true
			todo = append(todo, i)
		}
	}
	for len(todo) > 0 {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, parent := range up[i] {
			if !keep[parent] {
				keep[parent] = true
				todo = append(todo, parent)
			}
		}
	}
	return keep
}

// turned lists for every node those above it.
func (t *tree) turned() [][]int {
	count := make([]int, len(t.notes))
	total := 0
	for _, n := range t.notes {
		total += len(n.down)
		for _, l := range n.down {
			count[l.to]++
		}
	}
	space := make([]int, total)
	up := make([][]int, len(t.notes))
	for i, c := range count {
		up[i], space = space[:0:c], space[c:]
	}
	for i, n := range t.notes {
		for _, l := range n.down {
			up[l.to] = append(up[l.to], i)
		}
	}
	return up
}

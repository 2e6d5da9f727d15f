package canonical

// components returns the strongly connected components, each after all those
// that it reaches (Tarjan 1972, without recursion: a document decides how deep
// the graph is).
func (g *Graph) components() [][]int {
	t := tarjan{graph: g, index: make([]int, g.Len()), low: make([]int, g.Len()), next: make([]int, g.Len())}
	for v := range g.labels {
		if t.index[v] == 0 {
			t.walk(v)
		}
	}
	return t.components
}

type tarjan struct {
	graph      *Graph
	index      []int // order of first visit from 1; 0: not yet; done: in a component
	low        []int
	next       []int // the edge to look at next
	count      int
	stack      []int // visited, in no component yet
	path       []int // from the root of the walk to the current node
	components [][]int
}

const done = int(^uint(0) >> 1)

func (t *tarjan) walk(root int) {
	t.visit(root)
	for len(t.path) > 0 {
		v := t.path[len(t.path)-1]
		edges := t.graph.edges[v]
		if t.next[v] == len(edges) {
			t.leave(v)
			continue
		}
		to := edges[t.next[v]].to
		t.next[v]++
		if t.index[to] == 0 {
			t.visit(to)
		} else if t.index[to] != done {
			t.low[v] = min(t.low[v], t.index[to])
		}
	}
}

func (t *tarjan) visit(v int) {
	t.count++
	t.index[v], t.low[v] = t.count, t.count
	t.stack = append(t.stack, v)
	t.path = append(t.path, v)
}

// leave takes v off the path, and off the stack with its component if v is the
// first node of one.
func (t *tarjan) leave(v int) {
	t.path = t.path[:len(t.path)-1]
	if len(t.path) > 0 {
		parent := t.path[len(t.path)-1]
		t.low[parent] = min(t.low[parent], t.low[v])
	}
	if t.low[v] != t.index[v] {
		return
	}
	at := len(t.stack) - 1
	for t.stack[at] != v {
		at--
	}
	component := append([]int(nil), t.stack[at:]...)
	t.stack = t.stack[:at]
	for _, w := range component {
		t.index[w] = done
	}
	t.components = append(t.components, component)
}

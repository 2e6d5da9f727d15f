package canonical

// components returns the strongly connected components, each after all those
// that it reaches (Tarjan 1972, without recursion: a document decides how deep
// the graph is).
func components(edges [][]edge) [][]int {
	n := len(edges)
	t := tarjan{edges: edges, index: make([]int, n), low: make([]int, n), next: make([]int, n), space: make([]int, n)}
	for v := range edges {
		if t.index[v] == 0 {
			t.walk(v)
		}
	}
	return t.components
}

type tarjan struct {
	edges      [][]edge
	index      []int // order of first visit from 1; 0: not yet; done: in a component
	low        []int
	next       []int // the edge to look at next
	count      int
	stack      []int // visited, in no component yet
	path       []int // from the root of the walk to the current node
	space      []int // for the components, which have all nodes together
	components [][]int
}

const done = int(^uint(0) >> 1)

func (t *tarjan) walk(root int) {
	t.visit(root)
	for len(t.path) > 0 {
		v := t.path[len(t.path)-1]
		edges := t.edges[v]
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
	size := copy(t.space, t.stack[at:])
	component := t.space[:size:size]
	t.space, t.stack = t.space[size:], t.stack[:at]
	for _, w := range component {
		t.index[w] = done
	}
	t.components = append(t.components, component)
}

package source

// arena gives out nodes and exact slices from growing chunks, because a
// document is one hundred thousand small values that live and die together.
type arena struct {
	nodes   []Node
	items   []*Node
	members []Member
	chunk   int
}

const (
	firstChunk = 32
	lastChunk  = 2048
)

func (a *arena) node() *Node {
	if len(a.nodes) == 0 {
		a.nodes = make([]Node, a.grow())
	}
	n := &a.nodes[0]
	a.nodes = a.nodes[1:]
	return n
}

func (a *arena) grow() int {
	a.chunk = min(max(a.chunk*2, firstChunk), lastChunk)
	return a.chunk
}

func (a *arena) itemSlice(from []*Node) []*Node {
	return carve(&a.items, from, a.chunk)
}

func (a *arena) memberSlice(from []Member) []Member {
	return carve(&a.members, from, a.chunk)
}

// carve copies from into space of the chunk at pool; large slices stand alone.
func carve[T any](pool *[]T, from []T, chunk int) []T {
	n := len(from)
	if n == 0 {
		return nil
	}
	if n > len(*pool) {
		if n > chunk/4 {
			return append(make([]T, 0, n), from...)
		}
		*pool = make([]T, chunk)
	}
	out := (*pool)[:n:n]
	*pool = (*pool)[n:]
	copy(out, from)
	return out
}

package source

import "slices"

// Table keeps a value for each of many nodes. It is a map from nodes that is
// quick for those of one file, which have numbers. The zero Table is empty;
// one that nobody adds to is safe for concurrent use.
type Table[T any] struct {
	cells []*cell[T] // by number, of the file that came first to it
	space []cell[T]  // cells to come
	rest  map[*Node]*T
}

type cell[T any] struct {
	node  *Node
	value T
}

// Find returns the value of n, nil when n has none.
func (t *Table[T]) Find(n *Node) *T {
	if c := t.cell(n); c != nil && c.node == n {
		return &c.value
	}
	return t.rest[n]
}

// At returns the value of n, a zero one when n has had none.
func (t *Table[T]) At(n *Node) *T {
	if found := t.Find(n); found != nil {
		return found
	}
	if n.number == 0 || t.cell(n) != nil {
		if t.rest == nil {
			t.rest = map[*Node]*T{}
		}
		t.rest[n] = new(T)
		return t.rest[n]
	}
	if missing := int(n.number) + 1 - len(t.cells); missing > 0 {
		t.cells = slices.Grow(t.cells, missing)
		t.cells = t.cells[:cap(t.cells)]
	}
	if len(t.space) == 0 {
		t.space = make([]cell[T], min(max(int(n.number)/64, 4), 256))
	}
	c := &t.space[0]
	t.space = t.space[1:]
	c.node = n
	t.cells[n.number] = c
	return &c.value
}

func (t *Table[T]) cell(n *Node) *cell[T] {
	if int(n.number) < len(t.cells) {
		return t.cells[n.number]
	}
	return nil
}

package source

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
)

// builder turns a stream of values, in document order, into nodes. It holds
// the rules that JSON and YAML share: depth, number of nodes, unique names.
type builder struct {
	file   *File
	limits Limits
	rules  rules
	arena  arena
	count  int

	open    []frame // collections not yet closed
	items   []*Node // children of the open arrays
	members []Member
	root    *Node
	faults  []*Error // of our own file, where reading can go on
}

// mostFaults is how many faults of one text are worth reading.
const mostFaults = 100

// fault stops the reading of a document. In our own file it is kept, and
// reading goes on, so that everything that is wrong is found in one run.
func (b *builder) fault(e *Error) error {
	if !b.rules.own || len(b.faults) == mostFaults {
		return e
	}
	b.faults = append(b.faults, e)
	return nil
}

// whole returns the faults that were kept as one error, with the one that ended
// the reading; nil when there are none.
func (b *builder) whole(end error) error {
	if len(b.faults) == 0 {
		return end
	}
	partial := b.file
	if e, ok := errors.AsType[*Error](end); ok {
		b.faults, partial = append(b.faults, e), nil
	}
	slices.SortStableFunc(b.faults, func(x, y *Error) int {
		return cmp.Or(cmp.Compare(x.Position.Line, y.Position.Line), cmp.Compare(x.Position.Column, y.Position.Column))
	})
	first := b.faults[0]
	b.file.Root = b.root
	first.rest, first.partial = b.faults[1:], partial
	return first
}

// frame is an open collection; its children so far are the tail of
// builder.items or builder.members from the given start.
type frame struct {
	node   *Node
	start  int
	name   Member // the member whose value comes next
	naming bool   // object: a name comes next
}

// wantsName reports whether the next scalar is the name of a member.
func (b *builder) wantsName() bool {
	return len(b.open) > 0 && b.open[len(b.open)-1].naming
}

func (b *builder) name(name string, offset int) {
	top := &b.open[len(b.open)-1]
	top.name, top.naming = Member{Name: name, Offset: offset}, false
}

// value adds a node in the place that is open.
func (b *builder) value(kind Kind, text string, offset int) (*Node, error) {
	if b.count++; b.count > b.limits.Nodes {
		return nil, b.file.fail(offset, CodeTooManyNodes,
			"more than %d values", b.limits.Nodes).at(b.pointer())
	}
	n := b.arena.node()
	n.Kind, n.Text, n.File, n.Offset, n.number = kind, text, b.file, offset, int32(b.count)
	if len(b.open) == 0 {
		b.root = n
		return n, nil
	}
	top := &b.open[len(b.open)-1]
	n.Parent = top.node
	if top.node.Kind == Array {
		n.slot = int32(len(b.items) - top.start)
		b.items = append(b.items, n)
		return n, nil
	}
	n.slot = int32(len(b.members) - top.start)
	top.name.Value = n
	b.members = append(b.members, top.name)
	top.naming = true
	return n, nil
}

// begin opens an Array or Object.
func (b *builder) begin(kind Kind, offset int) error {
	if len(b.open) >= b.limits.Depth {
		return b.file.fail(offset, CodeTooDeep, "nested more than %d deep", b.limits.Depth).at(b.pointer())
	}
	n, err := b.value(kind, "", offset)
	if err != nil {
		return err
	}
	f := frame{node: n, start: len(b.items)}
	if kind == Object {
		f.start, f.naming = len(b.members), true
	}
	b.open = append(b.open, f)
	return nil
}

// end closes the innermost collection.
func (b *builder) end() error {
	top := b.open[len(b.open)-1]
	b.open = b.open[:len(b.open)-1]
	if top.node.Kind == Array {
		top.node.Items = b.arena.itemSlice(b.items[top.start:])
		b.items = b.items[:top.start]
		return nil
	}
	members := b.arena.memberSlice(b.members[top.start:])
	b.members = b.members[:top.start]
	top.node.Members = members
	if len(members) > largeObject {
		return b.indexed(top.node)
	}
	for i := 1; i < len(members); i++ {
		for j := range i {
			if members[j].Name == members[i].Name {
				if err := b.fault(b.duplicate(top.node, j, i)); err != nil {
					return err
				}
				break
			}
		}
	}
	return nil
}

func (b *builder) indexed(n *Node) error {
	slots := make(map[string]int32, len(n.Members))
	for i := range n.Members {
		name := n.Members[i].Name
		if first, ok := slots[name]; ok {
			if err := b.fault(b.duplicate(n, int(first), i)); err != nil {
				return err
			}
			continue
		}
		slots[name] = int32(i)
	}
	n.names = &nameTable{first: &n.Members[0], slots: slots}
	return nil
}

func (b *builder) duplicate(n *Node, first, second int) *Error {
	m := n.Members[second]
	// The object may still be on its way into its parent, so the pointer is
	// that of the place being filled, not the one found through Parent.
	return b.file.fail(m.Offset, CodeDuplicateKey, "%q is already declared", clip(m.Name)).
		at(b.filled().Append(m.Name)).
		relate(b.file.place(n.Members[first].Offset), "first declared here")
}

// pointer names the place that the next value would fill.
func (b *builder) pointer() Pointer {
	last := len(b.open) - 1
	if last < 0 {
		return ""
	}
	p := b.path(last)
	switch f := &b.open[last]; {
	case f.node.Kind == Array:
		return p.Append(strconv.Itoa(len(b.items) - f.start))
	case f.naming:
		return p
	default:
		return p.Append(f.name.Name)
	}
}

// filled names the place of the value that was added or closed last.
func (b *builder) filled() Pointer { return b.path(len(b.open)) }

// path joins the steps out of the first n open collections, each to the child
// that it was given last.
func (b *builder) path(n int) Pointer {
	var p Pointer
	end := len(b.items)
	steps := make([]string, n)
	for i := len(b.open) - 1; i >= 0; i-- {
		f := &b.open[i]
		step := f.name.Name
		if f.node.Kind == Array {
			step = strconv.Itoa(end - f.start - 1)
			end = f.start
		}
		if i < n {
			steps[i] = step
		}
	}
	for _, step := range steps {
		p = p.Append(step)
	}
	return p
}

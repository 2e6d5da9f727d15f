package source

// Copy returns f with a tree of its own. Until [File.Settle] the caller alone
// holds it and may give its nodes other Items and Members, also nodes that
// [Node.Copy] returned; positions stay those of the bytes each node came from.
func (f *File) Copy() *File {
	c := &File{Name: f.Name, Bytes: f.Bytes, Digest: f.Digest, Format: f.Format}
	c.Root = f.Root.copy(func(*File) *File { return c })
	return c
}

// Copy returns a copy of the subtree, without a parent.
func (n *Node) Copy() *Node { return n.copy(func(f *File) *File { return f }) }

func (n *Node) copy(home func(*File) *File) *Node {
	c := &Node{Kind: n.Kind, Text: n.Text, File: home(n.File), Offset: n.Offset, number: n.number}
	if n.Items != nil {
		c.Items = make([]*Node, len(n.Items))
	}
	for i, item := range n.Items {
		c.Items[i] = item.copy(home)
	}
	if n.Members != nil {
		c.Members = make([]Member, len(n.Members))
	}
	for i, m := range n.Members {
		c.Members[i] = Member{Name: m.Name, Offset: m.Offset, Value: m.Value.copy(home)}
	}
	return c
}

// Settle ends the changes of a tree that [File.Copy] returned: every node
// knows its parent and its place there. Names must be unique and every node
// must stand in one place only.
func (f *File) Settle() { f.Root.settle(nil, 0) }

func (n *Node) settle(parent *Node, slot int) {
	n.Parent, n.slot, n.names = parent, int32(slot), nil
	for i, item := range n.Items {
		item.settle(n, i)
	}
	if len(n.Members) > largeObject {
		n.names = newNameTable(n.Members)
	}
	for i := range n.Members {
		n.Members[i].Value.settle(n, i)
	}
}

func newNameTable(members []Member) *nameTable {
	slots := make(map[string]int32, len(members))
	for i := range members {
		slots[members[i].Name] = int32(i)
	}
	return &nameTable{first: &members[0], slots: slots}
}

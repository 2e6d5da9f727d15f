package source

// Kind is the JSON kind of a Node.
type Kind uint8

const (
	Null Kind = iota + 1
	Bool
	Number
	String
	Array
	Object
)

// Node is one value of a document with the place where it was written.
// Text holds the decoded string, the exact number literal, "true" or "false".
// Nodes are read-only after reading; corrections build new ones.
type Node struct {
	Kind    Kind
	Text    string
	Items   []*Node  // Array
	Members []Member // Object, in file order, names unique

	File   *File
	Offset int   // of the first byte of the value in File.Bytes
	Parent *Node // nil at the root
}

// Member is one name and value of an object.
type Member struct {
	Name   string
	Offset int // of the name
	Value  *Node
}

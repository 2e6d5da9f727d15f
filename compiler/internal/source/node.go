package source

import (
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

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

// String returns the JSON Schema word for the kind.
func (k Kind) String() string {
	switch k {
	case Null:
		return "null"
	case Bool:
		return "boolean"
	case Number:
		return "number"
	case String:
		return "string"
	case Array:
		return "array"
	case Object:
		return "object"
	default:
		return "Kind(" + strconv.Itoa(int(k)) + ")"
	}
}

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

	slot   int32      // where Parent holds this node, if it still does
	number int32      // from 1 in the order of the file, as in a copy; 0 for nodes that were not read
	names  *nameTable // of large objects only
}

// Member is one name and value of an object.
type Member struct {
	Name   string
	Offset int // of the name
	Value  *Node
}

// nameTable finds the members of one slice by name. A node that was copied and
// given other members still has the table of the old ones: fits tells.
type nameTable struct {
	first *Member
	slots map[string]int32
}

func (t *nameTable) fits(members []Member) bool {
	return t != nil && len(t.slots) == len(members) && t.first == &members[0]
}

// largeObject is the number of members from which a table of names pays.
const largeObject = 16

// Get returns the value of a member, or nil when n is nil, is no object, or
// has no such member.
func (n *Node) Get(name string) *Node {
	if n == nil {
		return nil
	}
	if i := n.find(name); i >= 0 {
		return n.Members[i].Value
	}
	return nil
}

// Member returns a member with the place of its name.
func (n *Node) Member(name string) (Member, bool) {
	if n != nil {
		if i := n.find(name); i >= 0 {
			return n.Members[i], true
		}
	}
	return Member{}, false
}

func (n *Node) find(name string) int {
	if n.names.fits(n.Members) {
		if i, ok := n.names.slots[name]; ok {
			return int(i)
		}
		return -1
	}
	for i := range n.Members {
		if n.Members[i].Name == name {
			return i
		}
	}
	return -1
}

// Position returns where n was written; the zero Position for a nil node.
func (n *Node) Position() Position {
	if n == nil {
		return Position{}
	}
	return n.File.Position(n.Offset)
}

// Pointer returns the path from the root of n's tree, empty for the root.
func (n *Node) Pointer() Pointer {
	if n == nil || n.Parent == nil {
		return ""
	}
	size := 0
	var tokens []string
	for at := n; at.Parent != nil; at = at.Parent {
		token := escapeToken(at.Parent.token(at))
		tokens = append(tokens, token)
		size += len(token) + 1
	}
	out := make([]byte, 0, size)
	for i := len(tokens) - 1; i >= 0; i-- {
		out = append(append(out, '/'), tokens[i]...)
	}
	return Pointer(out)
}

// token returns the step from n to one of its children.
func (n *Node) token(child *Node) string {
	at := int(child.slot)
	if n.Kind == Array {
		if at >= len(n.Items) || n.Items[at] != child {
			for at = range n.Items {
				if n.Items[at] == child {
					break
				}
			}
		}
		return strconv.Itoa(at)
	}
	if at < len(n.Members) && n.Members[at].Value == child {
		return n.Members[at].Name
	}
	for i := range n.Members {
		if n.Members[i].Value == child {
			return n.Members[i].Name
		}
	}
	return ""
}

// At follows a pointer from n. Array steps are strict: digits without leading
// zeros, inside the array. The error is an [Error] at the last value reached.
func (n *Node) At(p Pointer) (*Node, error) {
	tokens, err := p.Tokens()
	if err != nil {
		return nil, n.lost(err.Error())
	}
	for _, token := range tokens {
		next, problem := n.step(token)
		if next == nil {
			return nil, n.lost(problem)
		}
		n = next
	}
	if n == nil {
		return nil, n.lost("nothing to point into")
	}
	return n, nil
}

func (n *Node) step(token string) (next *Node, problem string) {
	quoted := strconv.Quote(clip(token))
	switch {
	case n == nil:
		return nil, "nothing to point into"
	case n.Kind == Object:
		return n.Get(token), "no member " + quoted
	case n.Kind == Array:
		i, ok := arrayIndex(token)
		if !ok {
			return nil, quoted + " is not an array index"
		}
		if i >= len(n.Items) {
			return nil, "no element " + token + ", the array has " + strconv.Itoa(len(n.Items))
		}
		return n.Items[i], ""
	default:
		return nil, "a " + n.Kind.String() + " has no " + quoted
	}
}

func (n *Node) lost(problem string) *Error {
	return &Error{Code: CodePointer, Position: n.Position(), Pointer: n.Pointer(), Message: problem}
}

// JSON returns the subtree as compact JSON, members in file order, number
// literals as they are in Text.
func (n *Node) JSON() []byte { return n.appendJSON(nil) }

func (n *Node) appendJSON(b []byte) []byte {
	if n == nil {
		return append(b, "null"...)
	}
	switch n.Kind {
	case Bool, Number:
		return append(b, n.Text...)
	case String:
		return appendQuoted(b, n.Text)
	case Array:
		b = append(b, '[')
		for i, item := range n.Items {
			if i > 0 {
				b = append(b, ',')
			}
			b = item.appendJSON(b)
		}
		return append(b, ']')
	case Object:
		b = append(b, '{')
		for i := range n.Members {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(appendQuoted(b, n.Members[i].Name), ':')
			b = n.Members[i].Value.appendJSON(b)
		}
		return append(b, '}')
	default:
		return append(b, "null"...)
	}
}

// appendQuoted cannot fail: every text we read is valid UTF-8.
func appendQuoted(b []byte, s string) []byte {
	b, _ = jsontext.AppendQuote(b, s)
	return b
}

package compiled

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/openrpc-go/rpcgen/runtime/internal/scan"
	"github.com/openrpc-go/rpcgen/runtime/schema"
)

// methodSection is a Method as contract.json holds it: nodes by id.
type methodSection struct {
	Method
	Errors  []errorSection `json:"errors,omitzero"`
	Params  string         `json:"params_schema,omitzero"`
	Result  string         `json:"result_schema,omitzero"`
	AllowIf string         `json:"allow_if_schema,omitzero"`
}

type errorSection struct {
	Error
	Data string `json:"data_schema,omitzero"`
}

// Marshal returns the bytes of contract.json: the header's members, "methods"
// as an array in document order, "schemas" as an object sorted by node id. The
// same contract always gives the same bytes.
//
// A node that is a root of a method, is a named component (its id has no
// slash), or is used more than once stands in "schemas" under its id, and is
// referred to as {"$node": id}; any other stands where it is used. Rules of a
// node that say nothing are left out and read back as nil.
//
// It refuses two methods of one name, two different nodes of one id in
// "schemas", and whatever cannot be written as JSON.
func Marshal(c *Contract) ([]byte, error) {
	s, err := MarshalSchemas(c.Methods)
	if err != nil {
		return nil, err
	}
	return MarshalWith(c, s)
}

// Schemas are the schemas of some methods as they stand in contract.json.
type Schemas struct {
	methods, entries int
	text             []byte
}

// MarshalSchemas encodes what methods refer to, for MarshalWith. It asks nothing
// else of a method, so that names can be given meanwhile.
func MarshalSchemas(methods []*Method) (*Schemas, error) {
	e := newEncoder(methods)
	l := &liner{dst: make([]byte, 0, nodeSize*len(e.uses))}
	if err := e.schemas(l); err != nil {
		return nil, err
	}
	return &Schemas{len(methods), len(e.entries), l.dst}, nil
}

// MarshalWith is Marshal for a contract whose schemas are encoded already: s
// must be of its methods.
func MarshalWith(c *Contract, s *Schemas) ([]byte, error) {
	if len(c.Methods) != s.methods {
		return nil, fmt.Errorf("contract %q has %d methods, the schemas are of %d", c.ID, len(c.Methods), s.methods)
	}
	header, err := marshalHeader(c.Header)
	if err != nil {
		return nil, err
	}
	if err := checkNames(c.Methods); err != nil {
		return nil, err
	}
	return file(header, c.Methods, s)
}

// file lays the whole file out, as layout would, each entry as soon as it is
// encoded: all of them together are large.
func file(header []byte, methods []*Method, s *Schemas) ([]byte, error) {
	l := &liner{dst: make([]byte, 0, 2*len(header)+methodSize*len(methods)+len(s.text))}
	count := l.members(header)
	l.open(count, "methods", '[')
	if err := marshalMethods(l, methods); err != nil {
		return nil, err
	}
	l.close(len(methods), ']')
	l.open(count+1, "schemas", '{')
	l.dst = append(l.dst, s.text...)
	l.close(s.entries, '}')
	l.line(0, 0)
	return append(l.dst, "}\n"...), nil
}

// Sizes that methods and schemas have as a rule.
const (
	methodSize = 700
	nodeSize   = 50
)

func marshalHeader(h Header) ([]byte, error) {
	if h.Format != 0 && h.Format != Generation {
		return nil, fmt.Errorf("contract %q: format %d, can only write %d", h.ID, h.Format, Generation)
	}
	h.Format = Generation
	return json.Marshal(h)
}

func checkNames(methods []*Method) error {
	seen := make(map[string]bool, len(methods))
	for _, m := range methods {
		if seen[m.Name] {
			return fmt.Errorf("two methods are called %q", m.Name)
		}
		seen[m.Name] = true
	}
	return nil
}

// encoder writes the nodes of one contract.
type encoder struct {
	uses    map[*schema.Node]use
	entries []*schema.Node // nodes that stand in "schemas"
	depth   int
}

// use is how a node is used.
type use uint8

const (
	unused use = iota
	inside     // by one other node, so that it stands there
	entry      // in a way that gives it an entry in "schemas"
)

// newEncoder decides which nodes stand in "schemas". Every cycle has at least
// one of them: the node by which it is entered is a root or is used twice.
func newEncoder(methods []*Method) *encoder {
	e := &encoder{uses: make(map[*schema.Node]use, 4*len(methods))}
	var next []*schema.Node
	note := func(n *schema.Node, root bool) {
		was := e.uses[n]
		if was == unused {
			next = append(next, n)
		}
		switch {
		case was != entry && (root || was == inside || named(n)):
			e.uses[n] = entry
			e.entries = append(e.entries, n)
		case was == unused:
			e.uses[n] = inside
		}
	}
	for _, m := range methods {
		for _, root := range roots(m) {
			note(root, true)
		}
	}
	child := func(n *schema.Node) { note(n, false) }
	for len(next) > 0 {
		n := next[len(next)-1]
		next = next[:len(next)-1]
		eachChild(n, child)
	}
	return e
}

// roots returns the nodes that a method itself refers to.
func roots(m *Method) []*schema.Node {
	var out []*schema.Node
	for _, n := range []*schema.Node{m.ParamsNode, m.ResultNode, m.Authority.AllowIf} {
		if n != nil {
			out = append(out, n)
		}
	}
	for _, x := range m.Errors {
		if x.Data != nil {
			out = append(out, x.Data)
		}
	}
	return out
}

// named reports whether a node is a component: its id is no path.
func named(n *schema.Node) bool {
	for _, c := range []byte(n.ID) {
		if c == '/' {
			return false
		}
	}
	return n.ID != ""
}

func marshalMethods(l *liner, methods []*Method) error {
	var b bytes.Buffer
	var s methodSection
	for i, m := range methods {
		b.Reset()
		s.set(m)
		if err := json.MarshalWrite(&b, &s); err != nil {
			return fmt.Errorf("method %q: %w", m.Name, err)
		}
		l.entry(i, nil, b.Bytes())
	}
	return nil
}

// set makes s the section of m.
func (s *methodSection) set(m *Method) {
	*s = methodSection{Method: *m, Params: id(m.ParamsNode), Result: id(m.ResultNode), AllowIf: id(m.Authority.AllowIf)}
	for _, x := range m.Errors {
		s.Errors = append(s.Errors, errorSection{x, id(x.Data)})
	}
}

func id(n *schema.Node) string {
	if n == nil {
		return ""
	}
	return n.ID
}

func (e *encoder) schemas(l *liner) error {
	slices.SortFunc(e.entries, func(a, b *schema.Node) int { return strings.Compare(a.ID, b.ID) })
	var name, body []byte
	for i, n := range e.entries {
		if n.ID == "" {
			return fmt.Errorf("a schema that is used more than once or by a method itself has no id")
		}
		if i > 0 && e.entries[i-1].ID == n.ID {
			return fmt.Errorf("two schemas have the id %q", n.ID)
		}
		var err error
		if name, err = appendText(name[:0], n.ID); err != nil {
			return err
		}
		if body, err = e.body(body[:0], n, n.ID); err != nil {
			return fmt.Errorf("schema %q: %w", n.ID, err)
		}
		l.entry(i, name, body)
	}
	return nil
}

// separate appends a comma before every item but the first.
func separate(dst []byte, i int) []byte {
	if i > 0 {
		return append(dst, ',')
	}
	return dst
}

// maxNested is how deep nodes may stand within each other in one entry.
const maxNested = 1000

// node appends a node where it is used: a reference, or the node itself. path
// is the id that it has if it is left out.
func (e *encoder) node(dst []byte, n *schema.Node, path string) ([]byte, error) {
	if e.uses[n] == entry {
		dst = scan.AppendQuote(append(dst, `{"$node":`...), n.ID)
		return append(dst, '}'), nil
	}
	if e.depth++; e.depth > maxNested {
		return nil, fmt.Errorf("schemas nested deeper than %d", maxNested)
	}
	dst, err := e.body(dst, n, path)
	e.depth--
	return dst, err
}

// body appends the members of a node.
func (e *encoder) body(dst []byte, n *schema.Node, path string) ([]byte, error) {
	dst = append(dst, '{')
	count := 0
	if n.ID != path {
		var err error
		if dst, err = appendText(append(dst, `"id":`...), n.ID); err != nil {
			return nil, err
		}
		count++
	}
	for i := range members {
		m := &members[i]
		if !m.has(n) {
			continue
		}
		dst = append(scan.AppendQuote(separate(dst, count), m.name), ':')
		count++
		var err error
		if dst, err = m.encode(e, dst, n); err != nil {
			return nil, fmt.Errorf("%s: %w", m.name, err)
		}
	}
	return append(dst, '}'), nil
}

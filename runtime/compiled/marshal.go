package compiled

import (
	"fmt"
	"maps"
	"slices"

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
	header, err := marshalHeader(c.Header)
	if err != nil {
		return nil, err
	}
	if err := checkNames(c.Methods); err != nil {
		return nil, err
	}
	e := newEncoder(c)
	out := append(header[:len(header)-1], `,"methods":[`...)
	for i, m := range c.Methods {
		if out, err = e.method(separate(out, i), m); err != nil {
			return nil, fmt.Errorf("method %q: %w", m.Name, err)
		}
	}
	if out, err = e.schemas(append(out, `],"schemas":{`...)); err != nil {
		return nil, err
	}
	out = append(out, "}}"...)
	return append(layout(make([]byte, 0, len(out)+len(out)/2), out), '\n'), nil
}

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
	entries map[*schema.Node]bool // nodes that stand in "schemas"
	depth   int
}

// newEncoder decides which nodes stand in "schemas". Every cycle has at least
// one of them: the node by which it is entered is a root or is used twice.
func newEncoder(c *Contract) *encoder {
	e := &encoder{entries: map[*schema.Node]bool{}}
	seen := map[*schema.Node]bool{}
	var next []*schema.Node
	use := func(n *schema.Node) {
		if seen[n] || named(n) {
			e.entries[n] = true
		}
		if !seen[n] {
			seen[n] = true
			next = append(next, n)
		}
	}
	for _, m := range c.Methods {
		for _, root := range roots(m) {
			use(root)
			e.entries[root] = true
		}
	}
	for len(next) > 0 {
		n := next[len(next)-1]
		next = next[:len(next)-1]
		eachChild(n, use)
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

func (e *encoder) method(dst []byte, m *Method) ([]byte, error) {
	section := methodSection{Method: *m, Params: id(m.ParamsNode), Result: id(m.ResultNode), AllowIf: id(m.Authority.AllowIf)}
	for _, x := range m.Errors {
		section.Errors = append(section.Errors, errorSection{x, id(x.Data)})
	}
	b, err := json.Marshal(section)
	return append(dst, b...), err
}

func id(n *schema.Node) string {
	if n == nil {
		return ""
	}
	return n.ID
}

func (e *encoder) schemas(dst []byte) ([]byte, error) {
	byID := make(map[string]*schema.Node, len(e.entries))
	for n := range e.entries {
		if n.ID == "" {
			return nil, fmt.Errorf("a schema that is used more than once or by a method itself has no id")
		}
		if byID[n.ID] != nil {
			return nil, fmt.Errorf("two schemas have the id %q", n.ID)
		}
		byID[n.ID] = n
	}
	for i, id := range slices.Sorted(maps.Keys(byID)) {
		var err error
		if dst, err = appendText(separate(dst, i), id); err != nil {
			return nil, err
		}
		if dst, err = e.body(append(dst, ':'), byID[id], id); err != nil {
			return nil, fmt.Errorf("schema %q: %w", id, err)
		}
	}
	return dst, nil
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
	if e.entries[n] {
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

// Package pin says what a method is, in four digests: wire for everything that
// decides what is sent and what it does, result for everything that can come
// back, text for everything that a person or a model reads, doc for the rest.
// An amendment entry is pinned to wire and result; equality of digests is all
// that decides whether it still holds. Start with Digests.
//
// The rules are for ever: another digest for an unchanged method would close
// it for everybody. They are an exclusion list, not a list of what counts:
// whatever is not known to be text or doc lands in wire (below a result, in
// result), so a member that nobody knew when this was written closes a method
// rather than changing it behind its owner's back.
package pin

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"sync"

	"github.com/openrpc-go/rpcgen/compiler/internal/contract"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
	"github.com/openrpc-go/rpcgen/compiler/schema"
	"github.com/openrpc-go/rpcgen/runtime/canonical"
	"github.com/openrpc-go/rpcgen/runtime/compiled"
	rt "github.com/openrpc-go/rpcgen/runtime/schema"
)

// Digests returns the digests of every method of c, index-aligned. The schemas
// are compiled in g, where they get the ids that contract.Resolve gives them.
// A method that could not be compiled has digests too; they open nothing.
func Digests(c *contract.Contract, g *schema.Graph) []compiled.Digests {
	d := &digester{contract: c, graph: g, nodes: make(map[*source.Node]*rt.Node, 4*len(c.Methods))}
	for _, m := range c.Methods {
		d.compile(m)
	}
	// From here on only the words ask for schemas, so that ids follow from the
	// document.
	var wait sync.WaitGroup
	out := make([]compiled.Digests, len(c.Methods))
	wait.Go(func() {
		shapes := d.shapes(request)
		for i, m := range c.Methods {
			out[i].Wire = d.wire(shapes, m)
		}
	})
	wait.Go(func() {
		shapes := d.shapes(result)
		for i, m := range c.Methods {
			out[i].Result = d.resultOf(shapes, m)
		}
	})
	text, doc := d.words()
	wait.Wait()
	for i := range out {
		out[i].Text, out[i].Doc = text[i], doc[i]
	}
	return out
}

// Contract returns the digest of a whole contract: of the logical ids of all
// methods, sorted, with their digests.
func Contract(c *contract.Contract, digests []compiled.Digests) string {
	lines := make([]string, len(c.Methods))
	for i, m := range c.Methods {
		d := digests[i]
		lines[i] = list(m.LogicalID, d.Wire, d.Result, d.Text, d.Doc)
	}
	slices.Sort(lines)
	return canonical.Digest("contract", []byte(protocol(c)), listed(lines))
}

type digester struct {
	contract *contract.Contract
	graph    *schema.Graph
	nodes    map[*source.Node]*rt.Node // of all schemas that methods name
}

// compile compiles the schemas that a method names, each once.
func (d *digester) compile(m *contract.Method) {
	add := func(n *source.Node, id string) {
		if d.nodes[n] == nil {
			d.nodes[n] = d.graph.Node(n, id)
		}
	}
	for i := range m.Params {
		if p := &m.Params[i]; p.Schema != nil {
			add(p.Schema, m.Name+"/params/"+p.Name)
		}
	}
	if m.Result != nil && m.Result.Schema != nil {
		add(m.Result.Schema, m.Name+"/result")
	}
	for _, e := range m.Errors {
		if e.Data != nil {
			add(e.Data, fmt.Sprintf("%s/errors/%d/data", m.Name, e.Code))
		}
	}
}

// shapes settles the schemas of one side.
func (d *digester) shapes(s side) *shapes {
	shapes := newShapes(d.graph, s)
	add := func(n *source.Node) {
		if n != nil {
			shapes.add(d.nodes[n])
		}
	}
	for _, m := range d.contract.Methods {
		if s == request {
			for i := range m.Params {
				add(m.Params[i].Schema)
			}
			continue
		}
		if m.Result != nil {
			add(m.Result.Schema)
		}
		for i := range m.Errors {
			add(m.Errors[i].Data)
		}
	}
	shapes.settle()
	return shapes
}

// sum returns the digest of a schema that a method names, "" for none.
func (d *digester) sum(of *shapes, n *source.Node) string {
	if n == nil {
		return ""
	}
	return of.sum(d.nodes[n])
}

// wire is the digest of the request: where it goes, how params are laid out,
// what each may hold and what it is when left out.
func (d *digester) wire(of *shapes, m *contract.Method) string {
	call := "call"
	if m.Notification() {
		call = "notification"
	}
	params := make([]string, len(m.Params))
	for i := range m.Params {
		p := &m.Params[i]
		params[i] = list(p.Name, strconv.FormatBool(p.Required), d.sum(of, p.Schema), members(p.Unknown))
	}
	if m.Structure == contract.ByName { // then their order is not on the wire
		slices.Sort(params)
	}
	return canonical.Digest("wire", listed([]string{
		protocol(d.contract), m.Name, string(m.Structure), call, list(params...), members(m.Unknown),
	}))
}

// resultOf is the digest of what comes back: the result and the declared errors.
func (d *digester) resultOf(of *shapes, m *contract.Method) string {
	answer := ""
	if r := m.Result; r != nil {
		answer = list(strconv.FormatBool(r.Required), d.sum(of, r.Schema), members(r.Unknown))
	}
	errors := make([]string, len(m.Errors))
	for i := range m.Errors {
		e := &m.Errors[i]
		errors[i] = list(strconv.FormatInt(e.Code, 10), d.sum(of, e.Data), members(e.Unknown))
	}
	slices.Sort(errors)
	return canonical.Digest("result", listed([]string{answer, list(errors...)}))
}

// protocol names how the methods of a contract are called.
func protocol(c *contract.Contract) string {
	switch c.Format {
	case contract.OpenRPC, "":
		return "jsonrpc"
	case contract.OpenAPI:
		return "http"
	default:
		panic(fmt.Sprintf("pin: unknown format %q", c.Format))
	}
}

// list spells a list of texts so that no two lists are spelled alike.
func list(items ...string) string { return string(listed(items)) }

// listed is list for those who want bytes.
func listed(items []string) []byte {
	size := 2
	for _, s := range items {
		size += len(s) + 3
	}
	out := append(make([]byte, 0, size), '[')
	for i, s := range items {
		if i > 0 {
			out = append(out, ',')
		}
		out = canonical.AppendQuote(out, s)
	}
	return append(out, ']')
}

// members spells members by name.
func members(ms []source.Member) string {
	if len(ms) == 0 {
		return "[]"
	}
	sorted := slices.Clone(ms)
	slices.SortStableFunc(sorted, func(a, b source.Member) int { return cmp.Compare(a.Name, b.Name) })
	var parts []string
	for _, m := range sorted {
		parts = append(parts, m.Name, value(m.Value))
	}
	return list(parts...)
}

// plainText is the length below which a text is surely within the limits of
// canonical JSON, however it is escaped.
const plainText = 1 << 20

// value spells a JSON value. One that has no canonical form, such as a number
// of a hundred digits, is spelled as it is written.
func value(n *source.Node) string {
	switch {
	case n == nil:
		return ""
	case n.Kind == source.String && len(n.Text) < plainText:
		return canonical.Quote(n.Text)
	case n.Kind == source.Bool:
		return n.Text
	}
	raw := n.JSON()
	b, err := canonical.JSON(nil, raw)
	if err != nil {
		return "raw " + string(raw)
	}
	return string(b)
}

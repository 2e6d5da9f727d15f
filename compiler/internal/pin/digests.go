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
	d := &digester{
		contract: c, graph: g, nodes: map[*source.Node]*rt.Node{},
		request: newShapes(g, request), result: newShapes(g, result),
	}
	for _, m := range c.Methods {
		d.collect(m)
	}
	// From here on only the words ask the graph.
	var wait sync.WaitGroup
	out := make([]compiled.Digests, len(c.Methods))
	wait.Go(func() {
		d.request.settle()
		for i, m := range c.Methods {
			out[i].Wire = d.wire(m)
		}
	})
	wait.Go(func() {
		d.result.settle()
		for i, m := range c.Methods {
			out[i].Result = d.resultOf(m)
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
	return canonical.Digest("contract", []byte(protocol(c)), []byte(list(lines...)))
}

type digester struct {
	contract        *contract.Contract
	graph           *schema.Graph
	nodes           map[*source.Node]*rt.Node // complete once all is collected
	request, result *shapes
}

// node compiles a schema, once: graphs repeat their warnings.
func (d *digester) node(n *source.Node, id string) *rt.Node {
	node, ok := d.nodes[n]
	if !ok {
		node = d.graph.Node(n, id)
		d.nodes[n] = node
	}
	return node
}

// collect compiles the schemas of a method and adds them to their side.
func (d *digester) collect(m *contract.Method) {
	add := func(to *shapes, n *source.Node, id string) {
		if n != nil {
			to.add(d.node(n, id))
		}
	}
	for _, p := range m.Params {
		add(d.request, p.Schema, m.Name+"/params/"+p.Name)
	}
	if m.Result != nil {
		add(d.result, m.Result.Schema, m.Name+"/result")
	}
	for _, e := range m.Errors {
		add(d.result, e.Data, fmt.Sprintf("%s/errors/%d/data", m.Name, e.Code))
	}
}

// sum returns the digest of a collected schema, "" for none.
func (d *digester) sum(of *shapes, n *source.Node) string {
	if n == nil {
		return ""
	}
	return of.sum(d.nodes[n])
}

// wire is the digest of the request: where it goes, how params are laid out,
// what each may hold and what it is when left out.
func (d *digester) wire(m *contract.Method) string {
	call := "call"
	if m.Notification() {
		call = "notification"
	}
	params := make([]string, len(m.Params))
	for i := range m.Params {
		p := &m.Params[i]
		params[i] = list(p.Name, strconv.FormatBool(p.Required), d.sum(d.request, p.Schema), members(p.Unknown))
	}
	if m.Structure == contract.ByName { // then their order is not on the wire
		slices.Sort(params)
	}
	return canonical.Digest("wire", []byte(list(
		protocol(d.contract), m.Name, string(m.Structure), call, list(params...), members(m.Unknown),
	)))
}

// resultOf is the digest of what comes back: the result and the declared errors.
func (d *digester) resultOf(m *contract.Method) string {
	answer := ""
	if r := m.Result; r != nil {
		answer = list(strconv.FormatBool(r.Required), d.sum(d.result, r.Schema), members(r.Unknown))
	}
	errors := make([]string, len(m.Errors))
	for i := range m.Errors {
		e := &m.Errors[i]
		errors[i] = list(strconv.FormatInt(e.Code, 10), d.sum(d.result, e.Data), members(e.Unknown))
	}
	slices.Sort(errors)
	return canonical.Digest("result", []byte(list(answer, list(errors...))))
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
func list(items ...string) string {
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
	return string(append(out, ']'))
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

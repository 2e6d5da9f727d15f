package pin

import (
	"fmt"
	"slices"
	"sync"

	"github.com/openrpc-go/rpcgen/compiler/internal/contract"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
	"github.com/openrpc-go/rpcgen/runtime/canonical"
)

// words returns the text and doc digests of all methods.
func (d *digester) words() (text, doc []string) {
	places := &places{
		digester: d, compiled: map[*source.Node]*source.Node{}, targets: map[*source.Node]*source.Node{},
		local: map[local]*source.Node{},
	}
	var wait sync.WaitGroup
	texts := places.notes(textNotes)
	wait.Go(func() { text = texts.methodDigests() })
	doc = places.notes(docNotes).methodDigests()
	wait.Wait()
	return text, doc
}

// notes collects one kind of notes of all methods.
func (p *places) notes(kind noteKind) *tree {
	const perMethod = 8 // as a rule
	t := &tree{kind: kind, places: p, index: map[use]int{}, notes: make([]note, 0, perMethod*len(p.contract.Methods))}
	for _, m := range p.contract.Methods {
		t.roots = append(t.roots, t.addMethod(p.contract, m))
	}
	t.fill()
	return t
}

// methodDigests returns one digest per method.
func (t *tree) methodDigests() []string {
	sums := t.digests()
	out := make([]string, len(t.roots))
	for i, root := range t.roots {
		out[i] = sums[root].String()
	}
	return out
}

// noteKind says which notes a tree holds.
type noteKind struct {
	name string
	home home
}

var (
	textNotes = noteKind{"text", text}
	docNotes  = noteKind{"doc", doc}
)

// tree is the notes of all methods by where they stand. Schemas without notes
// at or below them do not count, so that a change of shape alone moves no
// note's digest.
type tree struct {
	*places
	kind  noteKind
	roots []int // of the methods
	notes []note
	index map[use]int
	queue []use
}

// use is a schema as written, on one side.
type use struct {
	node *source.Node
	side side
}

type note struct {
	says []string
	down []link
}

func (t *tree) add(says ...string) int {
	t.notes = append(t.notes, note{says: says})
	return len(t.notes) - 1
}

func (t *tree) link(from int, label string, to int) {
	t.notes[from].down = append(t.notes[from].down, link{label, to})
}

// said returns "name value" when there is a value.
func said(name, value string) []string {
	if value == "" {
		return nil
	}
	return []string{list(name, value)}
}

func flagged(name string, set bool) []string {
	if !set {
		return nil
	}
	return said(name, "true")
}

func extensions(ms []source.Member) []string {
	if len(ms) == 0 {
		return nil
	}
	return said("extensions", members(ms))
}

// tags spells the tags by name, wherever they are declared, and as written.
func tags(m *contract.Method) []string {
	written := m.Node.Get("tags")
	if written == nil && len(m.Tags) == 0 {
		return nil
	}
	return said("tags", list(list(m.Tags...), hashed(written)))
}

func (t *tree) addMethod(c *contract.Contract, m *contract.Method) int {
	root := t.add(t.aboutMethod(c, m)...)
	for i := range m.Params {
		p := &m.Params[i]
		t.link(root, "param "+p.Name, t.descriptor(p, request, nil))
	}
	if r := m.Result; r != nil {
		var name []string
		if t.kind == docNotes && !r.MadeUp {
			name = said("name", r.Name)
		}
		t.link(root, "result", t.descriptor(r, result, name))
	}
	for i := range m.Errors {
		e := &m.Errors[i]
		t.link(root, fmt.Sprintf("error %d", e.Code), t.declaredError(e))
	}
	return root
}

// aboutMethod lists what stands on the method itself and on the contract.
func (t *tree) aboutMethod(c *contract.Contract, m *contract.Method) []string {
	if t.kind == docNotes {
		return slices.Concat(
			said("version", c.Version),
			tags(m),
			flagged("deprecated", m.Deprecated),
			said("servers", hashed(m.Node.Get("servers"))),
			extensions(m.Extensions),
		)
	}
	return slices.Concat(
		said("contract title", c.Title), said("contract description", c.Description),
		said("summary", m.Summary), said("description", m.Description),
		said("externalDocs", hashed(m.Node.Get("externalDocs"))),
		said("links", hashed(m.Node.Get("links"))),
		said("examples", examples(m)),
	)
}

// examples spells the examples as written, and those parts that stand elsewhere
// as they were read: what is referred to may change while the reference stays.
func examples(m *contract.Method) string {
	written := m.Node.Get("examples")
	if written == nil && len(m.Examples) == 0 {
		return ""
	}
	parts := []string{hashed(written)}
	for _, e := range m.Examples {
		if !within(e.Node, written) {
			parts = append(parts, "example "+e.Name, hashed(e.Node))
		}
		if !within(e.Result, written) {
			parts = append(parts, "result", hashed(e.Result))
		}
		for _, p := range e.Params {
			if !within(p.Value, written) {
				parts = append(parts, "param "+p.Name, hashed(p.Value))
			}
		}
	}
	return list(parts...)
}

// within reports whether n is or lies in the tree of an ancestor.
func within(n, ancestor *source.Node) bool {
	for ; n != nil; n = n.Parent {
		if n == ancestor {
			return true
		}
	}
	return false
}

// hashed stands for a value that may be large, "" for none.
func hashed(n *source.Node) string {
	if n == nil {
		return ""
	}
	return canonical.Digest("value", []byte(value(n)))
}

func (t *tree) descriptor(d *contract.Descriptor, s side, says []string) int {
	if t.kind == docNotes {
		says = append(says, flagged("deprecated", d.Deprecated)...)
		says = append(says, extensions(d.Extensions)...)
	} else {
		says = append(says, said("summary", d.Summary)...)
		says = append(says, said("description", d.Description)...)
	}
	n := t.add(says...)
	t.below(n, "schema", use{d.Schema, s})
	return n
}

func (t *tree) declaredError(e *contract.Error) int {
	var says []string
	if t.kind == textNotes {
		says = said("message", e.Message)
		if e.Data == nil {
			says = append(says, said("data", hashed(e.Node.Get("data")))...) // a sample
		}
	}
	n := t.add(says...)
	if e.Data != nil {
		t.below(n, "data", use{e.Data, result})
	}
	return n
}

// below links a schema below a node, unless it surely is silent: nearly all are.
func (t *tree) below(from int, label string, u use) {
	if !t.mute(u) {
		t.link(from, label, t.schema(u))
	}
}

// mute reports whether a schema has no notes itself and leads to no other.
func (t *tree) mute(u use) bool {
	if u.node == nil {
		return true
	}
	for i := range u.node.Members {
		m := &u.node.Members[i]
		if m.Name == "$ref" || homeOf(m.Name, u.side) == t.kind.home || holdsSchema(m) {
			return false
		}
	}
	return true
}

// schema returns the node of a schema. A reference that has no words of its
// own is what it refers to.
func (t *tree) schema(u use) int {
	seen := map[*source.Node]bool{}
	says := t.says(u)
	for u.node.Get("$ref") != nil && len(says) == 0 && !seen[u.node] {
		seen[u.node] = true
		u.node = t.target(u.node)
		says = t.says(u)
	}
	i, ok := t.index[u]
	if !ok {
		i = t.add(says...)
		t.index[u] = i
		t.queue = append(t.queue, u)
	}
	return i
}

// says lists the notes on a schema itself.
func (t *tree) says(u use) []string {
	if u.node == nil || len(u.node.Members) == 1 && u.node.Members[0].Name == "$ref" {
		return nil
	}
	ignored := t.refers(u.node)
	var out []string
	for _, m := range u.node.Members {
		h := homeOf(m.Name, u.side)
		if ignored && m.Name != "$ref" && h != text {
			h = doc // beside a reference it says nothing
		}
		if h == t.kind.home {
			out = append(out, list(m.Name, value(m.Value)))
		}
	}
	slices.Sort(out)
	return out
}

// fill links every schema to the schemas below it. It is a loop: a document
// decides how far references lead.
func (t *tree) fill() {
	for len(t.queue) > 0 {
		u := t.queue[0]
		t.queue = t.queue[1:]
		from := t.index[u]
		if t.refers(u.node) {
			t.link(from, "$ref", t.schema(use{t.target(u.node), u.side}))
			continue
		}
		eachSchema(u.node, func(keyword, part string, n *source.Node) {
			if below := (use{n, u.side}); !t.mute(below) {
				t.link(from, label(keyword, part), t.schema(below))
			}
		})
		if u.node.Get("$ref") != nil {
			t.link(from, "$ref", t.schema(use{t.target(u.node), u.side}))
		}
	}
}

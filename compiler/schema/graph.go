package schema

import (
	"sync"

	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/reference"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
	rt "github.com/openrpc-go/rpcgen/runtime/schema"
)

// Graph holds the nodes of all schemas of a document and of the files that it
// refers to. A schema is compiled once, however many references lead to it.
// A Graph is safe for concurrent use, by those who ask for schemas in an order
// that decides nothing: an ID follows from who asks first. Its nodes are, once
// it has been asked for the last of them.
type Graph struct {
	mutex   sync.RWMutex // held to compile; the methods that are exported take it
	refs    *reference.Set
	rules   *rules            // where a schema names no others
	named   map[string]*rules // by the $schema that names them
	taken   map[string]int    // how often each id was asked for
	dynamic dynamicAnchors
	repeats repeats

	facts    source.Table[fact]
	within   map[key]*entry // the entries that have a dynamic scope
	index    map[*rt.Node]*entry
	entries  []*entry      // in the order of creation
	expected int           // schemas in the files so far, whether or not they are asked for
	space    []entry       // for entries to come
	queue    []translation // entries not yet filled
	working  translation   // the one at hand
	scoped   int           // entries that have a dynamic scope
	settled  int           // entries whose rings have been looked at

	notes map[*rt.Node]diag.List // warnings at a use that is a reference itself
}

// fact is what the graph knows of a place in a document.
type fact struct {
	id    string   // that a caller gave
	rules *rules   // at the target of a reference, once somebody asked
	asked *rt.Node // what Node returned
	entry *entry   // where there is no dynamic scope: nearly everywhere
}

// find returns the entry of a schema within its scope, nil for none.
func (g *Graph) find(k key) *entry {
	if k.scope != nil {
		return g.within[k]
	}
	if f := g.facts.Find(k.node); f != nil {
		return f.entry
	}
	return nil
}

func (g *Graph) keep(k key, e *entry) {
	if k.scope == nil {
		g.facts.At(k.node).entry = e
	} else {
		g.within[k] = e
	}
}

// repeats remembers what documents say over and over.
type repeats struct {
	ends     map[key]place // where following references from a schema ends
	patterns map[string]pattern
	siblings map[*source.Node]*diag.Diagnostic // warnings of keywords beside a $ref
}

// key is a schema together with the dynamic scope it is evaluated in, which is
// nil unless $dynamicAnchor is used.
type key struct {
	node  *source.Node
	scope *scope
}

// entry is a compiled schema with what only the compiler wants to know.
type entry struct {
	node   *rt.Node // body, for those who keep it
	body   rt.Node
	index  int
	info   Info
	own    diag.List  // found at this schema
	lost   []*rt.Node // what it led to before a fault made it admit nothing
	faulty bool       // something reachable has a diagnostic
}

// NewGraph returns an empty graph over the files of refs, read as dialect d
// where they do not name another one.
func NewGraph(refs *reference.Set, d Dialect) *Graph {
	return newGraph(refs, &rules{Dialect: d})
}

func newGraph(refs *reference.Set, r *rules) *Graph {
	g := &Graph{
		refs:    refs,
		rules:   r,
		named:   map[string]*rules{},
		dynamic: newDynamicAnchors(),
		repeats: repeats{map[key]place{}, map[string]pattern{}, map[*source.Node]*diag.Diagnostic{}},
		within:  map[key]*entry{},
		notes:   map[*rt.Node]diag.List{},
	}
	refs.Use(g.identify, published())
	room := min(g.expected, mostRoom)
	g.taken = make(map[string]int, room)
	g.index = make(map[*rt.Node]*entry, room)
	g.entries = make([]*entry, 0, room)
	return g
}

// mostRoom bounds the room that is made before anybody asks for a schema.
const mostRoom = 1 << 17

// Node returns the compiled form of the schema n: for a pure reference that of
// its target. id becomes the ID of a schema that is no named component, made
// unique when it is taken. The result is never nil: a schema with faults is a
// node that admits nothing; see Faults.
func (g *Graph) Node(n *source.Node, id string) *rt.Node {
	if node := g.returned(n); node != nil {
		return node
	}
	g.mutex.Lock()
	defer g.mutex.Unlock()
	return g.compile(n, id)
}

// returned is what Node returned for n before, nil for nothing.
func (g *Graph) returned(n *source.Node) *rt.Node {
	g.mutex.RLock()
	defer g.mutex.RUnlock()
	if known := g.facts.Find(n); known != nil {
		return known.asked
	}
	return nil
}

func (g *Graph) compile(n *source.Node, id string) *rt.Node {
	known := g.facts.At(n)
	if known.asked != nil {
		return known.asked
	}
	if known.id == "" {
		known.id = id
	}
	e, warnings := g.enqueue(n, nil, g.rulesAt(n), nowhere)
	g.drain()
	g.settle()
	if len(warnings) > 0 {
		g.notes[e.node] = append(g.notes[e.node], warnings...)
	}
	known.asked = e.node
	return e.node
}

// Len returns how many schemas the graph holds.
func (g *Graph) Len() int {
	g.mutex.RLock()
	defer g.mutex.RUnlock()
	return len(g.entries)
}

// Info returns what the documents say about a node beside its rules, or nil
// when n is not of this graph.
func (g *Graph) Info(n *rt.Node) *Info {
	g.mutex.RLock()
	e := g.index[n]
	g.mutex.RUnlock()
	if e == nil {
		return nil
	}
	return &e.info
}

// enqueue returns the entry of the schema at n, and makes one that the queue
// will fill when there is none. inPlace names a schema that is written where it
// is used; a schema reached by reference is named by its own place.
func (g *Graph) enqueue(n *source.Node, sc *scope, r *rules, inPlace spot) (*entry, diag.List) {
	at := g.follow(n, sc, r)
	if at.fault != nil {
		return g.refused(n, inPlace, *at.fault), at.warnings
	}
	k := key{at.node, at.scope}
	if e := g.find(k); e != nil {
		return e, at.warnings
	}
	if at.scope != nil {
		if g.scoped++; g.scoped > maxScoped {
			return g.refused(n, inPlace, diag.At(n, CodeTooComplex, "$dynamicRef multiplies the schemas beyond %d", maxScoped)), nil
		}
	}
	e := g.add(at.node, g.identity(at.node, at.node == n, inPlace))
	g.keep(k, e)
	g.queue = append(g.queue, translation{
		graph: g, entry: e, node: e.node, source: at.node, scope: at.scope, rules: at.rules,
	})
	return e, at.warnings
}

// maxScoped bounds the schemas that are compiled within a dynamic scope: each
// may be once for every way the anchors can be bound.
const maxScoped = 1 << 16

// refused returns an entry that admits nothing, for a use that leads nowhere.
func (g *Graph) refused(n *source.Node, inPlace spot, fault diag.Diagnostic) *entry {
	k := key{node: n}
	if e := g.find(k); e != nil {
		return e
	}
	e := g.add(n, g.identity(n, true, inPlace))
	e.node.Never = true
	e.own = diag.List{fault}
	g.keep(k, e)
	return e
}

func (g *Graph) add(n *source.Node, id identity) *entry {
	if len(g.space) == 0 {
		g.space = make([]entry, min(max(len(g.entries), firstChunk), lastChunk))
	}
	e := &g.space[0]
	g.space = g.space[1:]
	e.node, e.body.ID = &e.body, id.id
	e.index = len(g.entries)
	e.info = Info{Source: n, Name: id.name}
	g.entries = append(g.entries, e)
	g.index[e.node] = e
	return e
}

// Entries live and die together, so that they are made many at a time.
const (
	firstChunk = 8
	lastChunk  = 256
)

// refuse makes a schema with a fault admit nothing. What it led to is still
// looked at, so that one run reports every fault.
func (e *entry) refuse() {
	e.lost = children(e.node)
	*e.node = rt.Node{ID: e.node.ID, Never: true}
}

// below lists every schema that an entry leads to.
func (e *entry) below() []*rt.Node {
	if e.lost != nil {
		return e.lost
	}
	return children(e.node)
}

// drain fills nodes until none is left. It is a loop, not a recursion: a chain
// of references may be as long as the document.
func (g *Graph) drain() {
	for len(g.queue) > 0 {
		g.working = g.queue[len(g.queue)-1]
		g.queue = g.queue[:len(g.queue)-1]
		g.working.run()
	}
}

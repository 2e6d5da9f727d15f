package schema

import (
	"sort"
	"strconv"
	"strings"

	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// scope is the dynamic scope of 2020-12: what each $dynamicAnchor is bound to
// by the outermost resource on the way that declares it. A $dynamicRef means
// its binding, so compiling a schema once per scope leaves nothing dynamic for
// the engine. nil binds nothing.
type scope struct {
	bound map[string]*source.Node
	enter map[*source.Node]*scope // the scope inside of a resource, once it was entered
}

// dynamicAnchors keeps the anchors of each resource and the scopes made so far.
type dynamicAnchors struct {
	found  []dynamicAnchor // not yet sorted by resource
	of     map[*source.Node][]dynamicAnchor
	scopes map[string]*scope
	none   *scope               // stands for nil: what is entered from it
	number map[*source.Node]int // for the keys of scopes
}

type dynamicAnchor struct {
	name string
	node *source.Node
}

func newDynamicAnchors() dynamicAnchors {
	return dynamicAnchors{
		of: map[*source.Node][]dynamicAnchor{}, scopes: map[string]*scope{}, none: newScope(nil), number: map[*source.Node]int{},
	}
}

// enter returns the scope inside of the resource that n lies in.
func (g *Graph) enter(sc *scope, n *source.Node) *scope {
	d := &g.dynamic
	if len(d.found) > 0 {
		// Another file was read; what was entered before may hold its schemas.
		for _, known := range d.scopes {
			clear(known.enter)
		}
		clear(d.none.enter)
	}
	for _, a := range d.found {
		root := g.refs.Resource(a.node)
		d.of[root] = append(d.of[root], a)
		d.number[a.node] = len(d.number)
	}
	d.found = d.found[:0]
	if len(d.of) == 0 {
		return nil
	}
	from, root := sc, g.refs.Resource(n)
	if from == nil {
		from = d.none
	}
	if into, ok := from.enter[root]; ok {
		return into
	}
	for _, a := range d.of[root] {
		if sc == nil || sc.bound[a.name] == nil {
			sc = d.with(sc, a)
		}
	}
	from.enter[root] = sc
	return sc
}

func newScope(bound map[string]*source.Node) *scope {
	return &scope{bound, map[*source.Node]*scope{}}
}

// with returns the one scope that binds what sc binds and a.
func (d *dynamicAnchors) with(sc *scope, a dynamicAnchor) *scope {
	bound := map[string]*source.Node{a.name: a.node}
	if sc != nil {
		for name, n := range sc.bound {
			bound[name] = n
		}
	}
	names := make([]string, 0, len(bound))
	for name := range bound {
		names = append(names, name)
	}
	sort.Strings(names)
	var b strings.Builder
	for _, name := range names {
		b.WriteString(strconv.Quote(name) + strconv.Itoa(d.number[bound[name]]))
	}
	if known := d.scopes[b.String()]; known != nil {
		return known
	}
	made := newScope(bound)
	d.scopes[b.String()] = made
	return made
}

// dynamicTarget resolves a $dynamicRef. It is a plain reference unless it
// names a $dynamicAnchor where it starts (core 8.2.3.2).
func (g *Graph) dynamicTarget(at, ref *source.Node, sc *scope) (*source.Node, *diag.Diagnostic) {
	n, fault := g.target(at, ref)
	if fault != nil {
		return nil, fault
	}
	_, name, _ := strings.Cut(ref.Text, "#")
	anchor := n.Get("$dynamicAnchor")
	if anchor == nil || anchor.Kind != source.String || anchor.Text != name {
		return n, nil
	}
	if sc != nil && sc.bound[name] != nil {
		return sc.bound[name], nil
	}
	return n, nil
}

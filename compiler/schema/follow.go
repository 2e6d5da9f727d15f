package schema

import (
	"slices"
	"strings"

	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/reference"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// place is where following references ended: a schema with a meaning of its
// own, and how it is to be read there.
type place struct {
	node     *source.Node
	scope    *scope
	rules    *rules
	warnings diag.List // keywords that were ignored on the way
	fault    *diag.Diagnostic
}

// follow walks from n through schemas that only stand for another one: pure
// references, references whose siblings do not count, an allOf of one.
func (g *Graph) follow(n *source.Node, sc *scope, r *rules) place {
	at := place{node: n, scope: g.enter(sc, n), rules: g.rulesBelow(n, r)}
	var few [4]key
	seen := few[:0]
	for at.fault == nil {
		a := aliasOf(at.node, at.rules)
		if a.kind == noAlias {
			break
		}
		k := key{at.node, at.scope}
		if end, ok := g.repeats.ends[k]; ok {
			end.warnings = at.warnings
			at = end
			break
		}
		if d := ring(n, k, seen); d != nil {
			at.fault = d
			break
		}
		seen = append(seen, k)
		g.next(&at, a)
	}
	if at.fault != nil {
		at.warnings = nil
	}
	if at.fault == nil && len(at.warnings) == 0 && len(seen) > 1 {
		for _, k := range seen[1:] { // the first one is a step away, and hardly anybody comes by it again
			g.repeats.ends[k] = at
		}
	}
	return at
}

// maxHops is how many schemas may stand for one another in a row. Each use
// follows them, so a document of nothing else would take the square of its
// length.
const maxHops = 32

// ring reports that following references from n came back to k, or goes on
// for too long.
func ring(n *source.Node, k key, seen []key) *diag.Diagnostic {
	if slices.Contains(seen, k) {
		d := diag.At(n, reference.CodeCycle, "this schema refers only to itself").
			WithAdvice("let one of the schemas on the way say what it admits").
			WithRelated(k.node, "it comes back here")
		return &d
	}
	if len(seen) < maxHops {
		return nil
	}
	d := diag.At(n, reference.CodeChain, "more than %d references in a row", maxHops).WithRelated(k.node, "it goes on from here")
	return &d
}

func (g *Graph) next(at *place, a alias) {
	if w := g.ignored(a, at.node, at.rules); w != nil {
		at.warnings = append(at.warnings, *w)
	}
	switch a.kind {
	case inPlaceAlias:
		at.node = a.value
		at.scope, at.rules = g.enter(at.scope, at.node), g.rulesBelow(at.node, at.rules)
		return
	case dynamicAlias:
		at.node, at.fault = g.dynamicTarget(at.node, a.value, at.scope)
	case referenceAlias:
		at.node, at.fault = g.target(at.node, a.value)
	}
	if at.fault == nil {
		at.scope, at.rules = g.enter(at.scope, at.node), g.rulesAt(at.node)
	}
}

// target resolves a $ref and makes sure that a schema is there.
func (g *Graph) target(at, ref *source.Node) (*source.Node, *diag.Diagnostic) {
	n, fault := g.refs.Step(at, ref.Text)
	if fault != nil {
		return nil, fault
	}
	if n.Kind != source.Object && n.Kind != source.Bool {
		d := diag.At(ref, CodeNoSchema, "%q names %s, not a schema", clip(ref.Text), kindName(n)).
			WithRelated(n, "named here")
		return nil, &d
	}
	if part := apiPart(n); part != "" {
		return nil, noSchema(at, ref, n, part)
	}
	return n, nil
}

// alias says how a schema stands for another one.
type alias struct {
	kind  aliasKind
	value *source.Node // the $ref, or the one branch of an allOf
}

type aliasKind uint8

const (
	noAlias aliasKind = iota
	referenceAlias
	dynamicAlias
	inPlaceAlias
)

func aliasOf(n *source.Node, r *rules) alias {
	if n.Kind != source.Object || r.fault != nil {
		return alias{}
	}
	if v := n.Get("$ref"); v != nil {
		if v.Kind == source.String && (!r.siblings() || onlyNotes(n, r, "$ref")) {
			return alias{referenceAlias, v}
		}
		return alias{}
	}
	if v := n.Get("$dynamicRef"); v != nil && r.siblings() && v.Kind == source.String && onlyNotes(n, r, "$dynamicRef") {
		return alias{dynamicAlias, v}
	}
	if v := n.Get("allOf"); v != nil && v.Kind == source.Array && len(v.Items) == 1 &&
		r.knows(keywords["allOf"]) && onlyWords(n) {
		return alias{inPlaceAlias, v.Items[0]}
	}
	return alias{}
}

// onlyNotes reports whether nothing beside the named keyword of n says what is
// admitted, or how a value is used.
func onlyNotes(n *source.Node, r *rules, name string) bool {
	for _, m := range n.Members {
		if m.Name != name && !isNote(m.Name, r) {
			return false
		}
	}
	return true
}

func isNote(name string, r *rules) bool {
	if strings.HasPrefix(name, "x-") {
		return true
	}
	k, ok := keywords[name]
	switch {
	case !ok || name == "readOnly" || name == "writeOnly":
		return false
	case k.group == groupNote || k.holds == holdsMap && k.group == groupCore:
		return true
	}
	switch name {
	case "$id", "id", "$schema", "$anchor", "$comment", "$vocabulary", "$dynamicAnchor":
		return r.knows(k)
	}
	return false
}

// onlyWords reports whether an allOf of one has nothing beside it but words.
// A title or a default may be meant for a type of its own.
func onlyWords(n *source.Node) bool {
	for _, m := range n.Members {
		switch m.Name {
		case "allOf", "description", "summary", "example", "examples", "externalDocs", "$comment":
		default:
			return false
		}
	}
	return true
}

// ignored warns of keywords beside a $ref that the dialect does not apply.
func (g *Graph) ignored(a alias, n *source.Node, r *rules) *diag.Diagnostic {
	if a.kind != referenceAlias || r.siblings() || len(n.Members) == 1 {
		return nil
	}
	if w, ok := g.repeats.siblings[n]; ok {
		return w
	}
	g.repeats.siblings[n] = nil
	var names []string
	for _, m := range n.Members {
		if m.Name != "$ref" && !isNote(m.Name, r) {
			names = append(names, quote(m.Name))
		}
	}
	if names != nil {
		d := diag.Warn(a.value, CodeSiblings, "%s ignores %s beside $ref", r, enumerate(names)).
			WithAdvice("put the $ref into an allOf of one; a correction can do so for a document that is not yours")
		g.repeats.siblings[n] = &d
	}
	return g.repeats.siblings[n]
}

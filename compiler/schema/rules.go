package schema

import (
	"strings"

	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// rules are a dialect with the vocabularies that are switched off.
type rules struct {
	Dialect
	off     uint8 // bits of vocabulary
	formats bool  // format is an assertion
	fault   *diag.Diagnostic
	words   []string // the known keywords, sorted, once somebody asks
}

// knows reports whether a keyword has a meaning under the rules.
func (r *rules) knows(k keyword) bool {
	return k.in.has(r.Dialect) && r.off&(1<<k.vocab) == 0
}

// rulesAt returns the rules at a schema that was reached by a reference: those
// of the nearest $schema upwards, or the graph's.
func (g *Graph) rulesAt(n *source.Node) *rules {
	known := g.facts.At(n)
	if known.rules != nil {
		return known.rules
	}
	r := g.rules
	for up := n; up != nil; up = up.Parent {
		if named := g.namedBy(up); named != nil {
			r = named
			break
		}
	}
	known.rules = r
	return r
}

// rulesBelow returns the rules at a schema whose parent schema has rules r.
func (g *Graph) rulesBelow(n *source.Node, r *rules) *rules {
	if named := g.namedBy(n); named != nil {
		return named
	}
	return r
}

// namedBy returns the rules that the $schema of n names, nil when it has none.
// The $schema of an API document speaks of the document, not of its schemas.
func (g *Graph) namedBy(n *source.Node) *rules {
	if n.Kind != source.Object || g.rules.Dialect == OpenAPI30 {
		return nil
	}
	v := n.Get("$schema")
	if v == nil || v.Kind != source.String || n.Parent == nil && isAPI(n) {
		return nil
	}
	r := g.named[v.Text]
	if r == nil {
		g.named[v.Text] = &rules{Dialect: g.rules.Dialect} // a metaschema may name itself
		r = g.describe(n, v)
		g.named[v.Text] = r
	}
	return r
}

func isAPI(root *source.Node) bool {
	return root.Get("openrpc") != nil || root.Get("openapi") != nil || root.Get("swagger") != nil
}

// describe finds the rules for a $schema: a published dialect, or a metaschema
// at hand that says what it is made of.
func (g *Graph) describe(n, v *source.Node) *rules {
	if d, ok := declared(v.Text); ok {
		return &rules{Dialect: d, formats: g.rules.formats}
	}
	if isDraft6(v.Text) {
		return &rules{Dialect: Draft7, off: 1 << vocabCondition, formats: g.rules.formats}
	}
	fail := func(message string) *rules {
		d := diag.At(v, CodeDialect, "%q %s", clip(v.Text), message).
			WithAdvice("drafts 4, 6, 7 and 2020-12 are known; remove $schema to have the schema read as " + g.rules.String())
		return &rules{Dialect: g.rules.Dialect, fault: &d}
	}
	meta, fault := g.refs.Resolve(n, v.Text)
	if fault != nil || meta.Kind != source.Object {
		return fail("is no dialect that is known here")
	}
	if list := meta.Get("$vocabulary"); list != nil && list.Kind == source.Object {
		return g.vocabularies(list, fail)
	}
	base := meta.Get("$schema")
	if base == nil || base.Kind != source.String || base.Text == v.Text {
		return fail("does not say what dialect it describes")
	}
	return g.namedBy(meta)
}

var vocabularyNames = map[string]vocabulary{
	"core": vocabCore, "applicator": vocabApplicator, "unevaluated": vocabUnevaluated,
	"validation": vocabValidation, "meta-data": vocabMetaData,
	"format-annotation": vocabFormat, "format-assertion": vocabFormat, "content": vocabContent,
}

func (g *Graph) vocabularies(list *source.Node, fail func(string) *rules) *rules {
	r := &rules{Dialect: Draft2020, off: 0xff, formats: g.rules.formats}
	for _, m := range list.Members {
		name, ok := strings.CutPrefix(m.Name, "https://json-schema.org/draft/2020-12/vocab/")
		v, known := vocabularyNames[name]
		switch {
		case ok && known:
			r.off &^= 1 << v
			if v == vocabApplicator {
				r.off &^= 1 << vocabCondition
			}
			r.formats = r.formats || name == "format-assertion"
		case m.Value.Text == "true":
			return fail("requires a vocabulary that is not known here")
		}
	}
	if r.off&(1<<vocabCore) != 0 {
		return fail("does not build on 2020-12")
	}
	return r
}

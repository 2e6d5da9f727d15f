package correct

import (
	"fmt"
	"slices"

	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// editor makes corrections, in their order, in a copy of one file.
type editor struct {
	file     *source.File // ours to change
	document bool         // and not a file that the document refers to
	shared   *sharing     // of the document, once it is asked for
}

func newEditor(f *source.File, document bool) *editor {
	return &editor{file: f.Copy(), document: document}
}

// make makes one correction, or says why it cannot be made.
func (e *editor) make(c *Correction) (diag.Diagnostic, bool) {
	s, way, d, ok := e.locate(c)
	if !ok {
		return d, false
	}
	if d, ok := e.fits(c, s); !ok {
		return d, false
	}
	if !c.Shared {
		if why := e.sharedBy(c, s, way); why != "" {
			return diag.At(c.place, Unshared, "%q %s, so several methods may change by this", c.where(), why).
				WithAdvice("add shared: true, if all of them are meant"), false
		}
	}
	s.put(c.Now)
	return diag.Diagnostic{}, true
}

// where is the place as the author wrote it.
func (c *Correction) where() string { return c.File + "#" + string(c.At) }

// locate follows the pointer. way are the nodes from the root to the parent.
func (e *editor) locate(c *Correction) (s spot, way []*source.Node, d diag.Diagnostic, ok bool) {
	at, holder := e.file.Root, ""
	for i, token := range c.tokens {
		way = append(way, at)
		var problem *lost
		s, problem = e.find(at, holder, token, i)
		next := s.value()
		if problem == nil && next == nil && i < len(c.tokens)-1 {
			problem = &lost{message: fmt.Sprintf("there is no %q", clip(token))}
		}
		if problem != nil {
			return s, way, e.missed(c, at, problem), false
		}
		at, holder = next, token
	}
	return s, way, d, true
}

func (e *editor) missed(c *Correction, at *source.Node, problem *lost) diag.Diagnostic {
	d := diag.At(c.place, Missed, "%q cannot be found: %s", c.where(), problem.message).WithAdvice(problem.advice)
	if ref := at.Get("$ref"); ref != nil && ref.Kind == source.String {
		d.Advice = fmt.Sprintf("the place is a reference: correct its target, %q, with shared: true", clip(ref.Text))
	}
	return d.WithRelated(at, "looked for here")
}

// fits holds what the correction expects against what stands there.
func (e *editor) fits(c *Correction, s spot) (diag.Diagnostic, bool) {
	found := s.value()
	switch {
	case c.Was == nil && found != nil && equal(found, c.Now):
		return diag.At(c.Now, Useless, "%q is %s already, which is what the correction adds: %s", c.where(), show(found), show(c.Now)).
			WithAdvice("remove the correction: the document says so itself").WithRelated(found, "it stands here"), false
	case c.Was == nil && found != nil:
		return diag.At(c.Now, Missed, "%q is %s already, the correction would add %s", c.where(), show(found), show(c.Now)).
			WithAdvice("say with was: what is to be replaced").WithRelated(found, "it stands here"), false
	case c.Was != nil && found == nil:
		return e.missed(c, s.parent, &lost{
			message: fmt.Sprintf("nothing stands there, the correction expects %s", show(c.Was)),
			advice:  "remove the correction, or was: if something is to be added",
		}), false
	case c.Was != nil && !equal(found, c.Was):
		return diag.At(c.Was, Missed, "%q is %s, the correction expects %s", c.where(), show(found), show(c.Was)).
			WithAdvice("look at the document again, then correct was:, or remove the correction").
			WithRelated(found, "it stands here"), false
	case found == nil && s.named && c.Now != nil && !hasName(c.Now, s.name):
		return diag.At(c.Now, Missed, "%q adds an element whose name is not %q", c.where(), clip(s.name)).
			WithAdvice("give it that name"), false
	}
	return diag.Diagnostic{}, true
}

func hasName(n *source.Node, name string) bool {
	is := n.Get("name")
	return is != nil && is.Kind == source.String && is.Text == name
}

// sharedBy says why several methods may see a change at s; "" when only one can.
func (e *editor) sharedBy(c *Correction, s spot, way []*source.Node) string {
	switch {
	case !e.document:
		return "lies in a file that the document refers to"
	case c.tokens[0] != "methods" || len(c.tokens) < 2:
		return "lies outside of a method"
	}
	shared, found := e.share(), s.value()
	if found != nil && shared.around[found] || slices.ContainsFunc(append(way, found), func(n *source.Node) bool { return shared.targets[n] }) {
		return "is referred to from elsewhere"
	}
	return ""
}

// put puts n in place of what stands there; nil takes it away.
func (s spot) put(n *source.Node) {
	p := s.parent
	if n != nil {
		n = n.Copy()
	}
	switch {
	case n == nil && p.Kind == source.Object:
		p.Members = slices.Delete(p.Members, s.index, s.index+1)
	case n == nil:
		p.Items = slices.Delete(p.Items, s.index, s.index+1)
	case s.index < 0 && p.Kind == source.Object:
		p.Members = append(p.Members, source.Member{Name: s.name, Offset: n.Offset, Value: n})
	case s.index < 0:
		p.Items = append(p.Items, n)
	case p.Kind == source.Object:
		p.Members[s.index].Value = n
	default:
		p.Items[s.index] = n
	}
}

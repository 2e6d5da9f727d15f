package drift

import (
	"github.com/openrpc-go/rpcgen/runtime/compiled"
	"github.com/openrpc-go/rpcgen/runtime/schema"
)

// Pair is a method as it was and as it is. Side says which digests moved:
// spellings that mean the same stay out of the result where none did. A nil
// method did not exist.
type Pair struct {
	Name     string
	Was, Now *compiled.Method
	Side     Side
}

// Methods pairs the methods of two contracts by name: in the order of now, and
// then what is gone.
func Methods(was, now *compiled.Contract) []Pair {
	before := map[string]*compiled.Method{}
	for _, m := range was.Methods {
		before[m.Name] = m
	}
	var pairs []Pair
	for _, m := range now.Methods {
		pairs = append(pairs, pair(m.Name, before[m.Name], m))
		delete(before, m.Name)
	}
	for _, m := range was.Methods {
		if before[m.Name] != nil {
			pairs = append(pairs, pair(m.Name, m, nil))
		}
	}
	return pairs
}

func pair(name string, was, now *compiled.Method) Pair {
	return Pair{Name: name, Was: was, Now: now, Side: Moved(was, now)}
}

// Moved says on which sides the digests of two methods differ.
func Moved(was, now *compiled.Method) Side {
	if was == nil || now == nil {
		return Request | Response
	}
	var s Side
	if was.Digests.Wire != now.Digests.Wire {
		s |= Request
	}
	if was.Digests.Result != now.Digests.Result {
		s |= Response
	}
	return s
}

// Compare returns why the pairs differ, the causes that reach most methods
// first. It takes time near to linear in the size of the schemas: what is equal
// is found by digests and not looked into, and a pair of types is looked into
// once.
func Compare(pairs []Pair) []*Cause {
	c := newComparer(pairs)
	for _, p := range pairs {
		c.method(p)
	}
	return causes(c.parts, pairs)
}

// comparer holds what the pairs of one comparison share.
type comparer struct {
	sums  map[*schema.Node]sum
	units map[[2]sum]*unit
	byKey map[string]*Part
	parts []*Part
}

func newComparer(pairs []Pair) *comparer {
	d := &digester{number: map[*schema.Node]int{}}
	for _, p := range pairs {
		for _, m := range []*compiled.Method{p.Was, p.Now} {
			if m != nil {
				d.add(m)
			}
		}
	}
	return &comparer{sums: d.digests(), units: map[[2]sum]*unit{}, byKey: map[string]*Part{}}
}

// method finds what differs in one method and adds it to the causes.
func (c *comparer) method(p Pair) {
	switch {
	case p.Was == nil && p.Now == nil, p.Side == 0:
		return
	case p.Was == nil:
		c.own(p.Name, Change{Kind: MethodAdded, Side: p.Side, Now: End{Text: "new"}})
		return
	case p.Now == nil:
		c.own(p.Name, Change{Kind: MethodRemoved, Side: p.Side, Was: End{Text: "gone"}})
		return
	}
	if p.Side&Request != 0 {
		c.side(p, Request, c.request(p.Was, p.Now))
	}
	if p.Side&Response != 0 {
		c.side(p, Response, c.response(p.Was, p.Now))
	}
}

// side records a method's own changes on one side, and the types below it that
// changed.
func (c *comparer) side(p Pair, s Side, r *region) {
	found := false
	for _, change := range r.changes {
		change.Side = s
		c.own(p.Name, change)
		found = true
	}
	seen := map[*unit]bool{}
	var visit func(u *unit)
	visit = func(u *unit) {
		if seen[u] {
			return
		}
		seen[u] = true
		if len(u.changes) > 0 {
			u.part(c).reach(Reach{Method: p.Name, Side: s})
			found = true
		}
		for _, inner := range u.inner {
			visit(inner)
		}
	}
	for _, u := range r.inner {
		visit(u)
	}
	if !found {
		c.own(p.Name, Change{Kind: Unseen, Side: s})
	}
}

// own adds a change of a method itself. The same change of several methods is
// one part.
func (c *comparer) own(method string, change Change) {
	reach := Reach{Method: method, Side: change.Side}
	if change.Kind == ParamsReplaced {
		reach.Was, reach.Now = change.Was.Text, change.Now.Text
		change.Now = End{} // each method's is another
	}
	key := "method " + change.fingerprint()
	part := c.byKey[key]
	if part == nil {
		part = &Part{Changes: []Change{change}}
		c.byKey[key] = part
		c.parts = append(c.parts, part)
	}
	part.reach(reach)
}

// reach notes that a part reaches a method on a side.
func (p *Part) reach(r Reach) {
	for i := range p.Changes {
		p.Changes[i].Side |= r.Side
	}
	if n := len(p.Methods); n > 0 && p.Methods[n-1].Method == r.Method {
		p.Methods[n-1].Side |= r.Side
		return
	}
	p.Methods = append(p.Methods, r)
}

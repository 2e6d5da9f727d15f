package drift

import (
	"cmp"
	"slices"
	"strings"
)

// family is the most methods of a cause that also asks about what changed in
// some of them alone. Such a handful is looked at together; what changed in one
// method of many is asked apart, so that it is not overlooked.
const family = 4

// causes groups parts into as few questions as can each be answered with one
// word:
//
//   - parts that reach the same methods are one cause, whether they change what
//     is sent or what comes back;
//   - causes that say the same are one cause, wherever they say it;
//   - what changed in some methods of a handful is told with the handful;
//   - there are never more causes than methods.
//
// Every part stays, as it is.
func causes(parts []*Part, pairs []Pair) []*Cause {
	place := make(map[string]int, len(pairs))
	for i, p := range pairs {
		place[p.Name] = i
	}
	g := &grouping{place: place}
	for _, same := range []func(*Cause) string{methodsOf, editsOf} {
		g.join(parts, same)
		parts = nil
	}
	g.families()
	g.bound()
	out := g.causes
	for _, c := range out {
		c.order()
	}
	slices.SortStableFunc(out, func(a, b *Cause) int { return len(b.Methods) - len(a.Methods) })
	return out
}

// grouping holds the causes while they are put together.
type grouping struct {
	place  map[string]int // of each method among all that are compared
	causes []*Cause
}

// join makes one cause of those that are the same; parts are causes of one part.
func (g *grouping) join(parts []*Part, same func(*Cause) string) {
	all := g.causes
	for _, p := range parts {
		all = append(all, &Cause{Parts: []*Part{p}, Methods: p.Methods})
	}
	g.causes = nil
	known := map[string]*Cause{}
	for _, c := range all {
		key := same(c)
		if into := known[key]; into != nil {
			g.merge(into, c)
			continue
		}
		known[key] = c
		g.causes = append(g.causes, c)
	}
}

// merge adds the parts and methods of a cause to another.
func (g *grouping) merge(into, c *Cause) {
	into.Parts = append(into.Parts, c.Parts...)
	all := slices.Concat(into.Methods, c.Methods)
	slices.SortStableFunc(all, func(a, b Reach) int { return cmp.Compare(g.place[a.Method], g.place[b.Method]) })
	methods := all[:0]
	for _, r := range all {
		if n := len(methods); n > 0 && methods[n-1].Method == r.Method {
			methods[n-1] = methods[n-1].and(r)
			continue
		}
		methods = append(methods, r)
	}
	into.Methods = methods
}

// and is what two parts say about one method.
func (r Reach) and(other Reach) Reach {
	r.Side |= other.Side
	if r.Was == "" && r.Now == "" {
		r.Was, r.Now = other.Was, other.Now
	}
	return r
}

func methodsOf(c *Cause) string { return strings.Join(c.Names(), "\x00") }

// editsOf spells what a cause says, wherever it says it. What is sent is never
// put together with what only comes back: it has another weight.
func editsOf(c *Cause) string {
	sent := "response"
	if c.Side()&Request != 0 {
		sent = "request"
	}
	edits := []string{sent}
	for _, p := range c.Parts {
		for _, change := range p.Changes {
			edits = append(edits, change.edit())
		}
	}
	slices.Sort(edits[1:])
	return strings.Join(slices.Compact(edits), "\x00\x00")
}

// edit spells a change without its place. Becoming required or optional is the
// same for every member.
func (c Change) edit() string {
	switch c.Kind {
	case BecameRequired, BecameOptional:
		return string(c.Kind)
	default:
		c.Path, c.order = "", ""
		return c.fingerprint()
	}
}

// families tells what changed in some methods of a handful with the handful,
// the smallest first.
func (g *grouping) families() {
	around := map[string][]*Cause{} // handfuls by method, the smallest first
	handfuls := slices.DeleteFunc(slices.Clone(g.causes), func(c *Cause) bool { return len(c.Methods) > family })
	slices.SortStableFunc(handfuls, narrower)
	for _, c := range handfuls {
		if c.whole() {
			for _, m := range c.Methods {
				around[m.Method] = append(around[m.Method], c)
			}
		}
	}
	merged := map[*Cause]bool{}
	for _, c := range handfuls {
		for _, wider := range around[c.Methods[0].Method] {
			if len(wider.Methods) > len(c.Methods) && wider.reachesAll(c) {
				g.merge(wider, c)
				merged[c] = true
				break
			}
		}
	}
	g.drop(merged)
}

// bound makes no more causes than there are methods, among those that share
// methods: what reaches few is told with the smallest that shares one of them.
func (g *grouping) bound() {
	for _, shared := range g.clusters() {
		methods := map[string][]*Cause{}
		for _, c := range shared {
			for _, m := range c.Methods {
				methods[m.Method] = append(methods[m.Method], c)
			}
		}
		merged := map[*Cause]bool{}
		slices.SortStableFunc(shared, narrower)
		for i := 0; len(shared)-len(merged) > len(methods); i++ {
			c := shared[i]
			into := smallest(methods, c, merged)
			g.merge(into, c)
			merged[c] = true
			for _, m := range c.Methods {
				methods[m.Method] = append(methods[m.Method], into)
			}
		}
		g.drop(merged)
	}
}

// smallest returns the cause with the fewest methods that shares one with c.
func smallest(methods map[string][]*Cause, c *Cause, merged map[*Cause]bool) *Cause {
	var found *Cause
	for _, m := range c.Methods {
		for _, other := range methods[m.Method] {
			if other != c && !merged[other] && (found == nil || len(other.Methods) < len(found.Methods)) {
				found = other
			}
		}
	}
	return found
}

// clusters lists the causes that share methods, directly or through others.
func (g *grouping) clusters() [][]*Cause {
	first := map[string]int{} // the first cause of a method
	leader := make([]int, len(g.causes))
	find := func(i int) int {
		for leader[i] != i {
			leader[i] = leader[leader[i]]
			i = leader[i]
		}
		return i
	}
	for i, c := range g.causes {
		leader[i] = i
		for _, m := range c.Methods {
			if j, ok := first[m.Method]; ok {
				leader[find(i)] = find(j)
			} else {
				first[m.Method] = i
			}
		}
	}
	number := map[int]int{}
	var out [][]*Cause
	for i, c := range g.causes {
		at, ok := number[find(i)]
		if !ok {
			at = len(out)
			number[find(i)] = at
			out = append(out, nil)
		}
		out[at] = append(out[at], c)
	}
	return out
}

func (g *grouping) drop(merged map[*Cause]bool) {
	g.causes = slices.DeleteFunc(g.causes, func(c *Cause) bool { return merged[c] })
}

func narrower(a, b *Cause) int { return cmp.Compare(len(a.Methods), len(b.Methods)) }

// whole reports whether every part of a cause reaches all its methods.
func (c *Cause) whole() bool {
	return !slices.ContainsFunc(c.Parts, func(p *Part) bool { return len(p.Methods) < len(c.Methods) })
}

// reachesAll reports whether the cause reaches all methods of another.
func (c *Cause) reachesAll(other *Cause) bool {
	for _, m := range other.Methods {
		if !slices.ContainsFunc(c.Methods, func(r Reach) bool { return r.Method == m.Method }) {
			return false
		}
	}
	return true
}

// order puts the widest parts first, and makes one of those in which the same
// methods changed themselves.
func (c *Cause) order() {
	slices.SortStableFunc(c.Parts, func(a, b *Part) int { return cmp.Compare(len(b.Methods), len(a.Methods)) })
	parts := c.Parts[:0]
	own := map[string]*Part{}
	for _, p := range c.Parts {
		if p.Type != "" {
			parts = append(parts, p)
			continue
		}
		key := strings.Join((&Cause{Methods: p.Methods}).Names(), "\x00")
		if into := own[key]; into != nil {
			into.Changes = append(into.Changes, p.Changes...)
			continue
		}
		own[key] = p
		parts = append(parts, p)
	}
	c.Parts = parts
}

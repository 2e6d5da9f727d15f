package drift

import (
	"slices"
	"strconv"

	"github.com/openrpc-go/rpcgen/runtime/schema"
)

// branches compares the branches of allOf, anyOf or oneOf: never by their
// place alone, which says nothing about what a branch became.
func (c *comparer) branches(r *region, keyword, path string, was, now []*schema.Node) {
	if len(was) == 0 && len(now) == 0 {
		return
	}
	m := c.match(was, now)
	moved := false
	for j, i := range m.was {
		at := join(path, keyword, strconv.Itoa(j))
		if i < 0 {
			r.add(c.branch(BranchAdded, keyword, at, End{}, end(now[j]), now[j]))
			continue
		}
		moved = moved || j > 0 && m.was[j-1] > i
		c.below(r, was[i], now[j], at)
	}
	for i, n := range was {
		if !m.used[i] {
			r.add(c.branch(BranchRemoved, keyword, join(path, keyword, strconv.Itoa(i)), end(n), End{}, n))
		}
	}
	if moved && keyword == "anyOf" {
		r.add(Change{Kind: BranchesOrder, Path: join(path, keyword, ""), Name: keyword, Was: order(was), Now: order(now)})
	}
}

func order(list []*schema.Node) End {
	parts := make([]string, len(list))
	for i, n := range list {
		parts[i] = summary(n, 1)
	}
	return End{Text: clip(parts)}
}

func (c *comparer) branch(kind Kind, keyword, at string, was, now End, n *schema.Node) Change {
	sum := c.sums[n]
	return Change{Kind: kind, Path: at, Name: keyword, Was: was, Now: now, changed: string(sum[:])}
}

// matching says which branch each branch of today was.
type matching struct {
	was  []int // by the place of today; -1 for a new one
	used []bool
}

// match pairs branches: equal ones first, then those of one name, then those
// that look alike, then the last one with the last one.
func (c *comparer) match(was, now []*schema.Node) matching {
	m := matching{was: make([]int, len(now)), used: make([]bool, len(was))}
	for j := range m.was {
		m.was[j] = -1
	}
	byID := map[string][]int{}
	bySum := map[sum][]int{}
	for i, n := range was {
		bySum[c.sums[n]] = append(bySum[c.sums[n]], i)
		if named(n) {
			byID[n.ID] = append(byID[n.ID], i)
		}
	}
	for j, n := range now {
		m.take(j, bySum[c.sums[n]])
	}
	for j, n := range now {
		if m.was[j] < 0 && named(n) {
			m.take(j, byID[n.ID])
		}
	}
	m.alike(was, now)
	return m
}

// take pairs branch j of today with the first of the candidates that is free.
func (m *matching) take(j int, candidates []int) {
	for _, i := range candidates {
		if !m.used[i] {
			m.was[j], m.used[i] = i, true
			return
		}
	}
}

// maxAlike bounds the branches that are held against each other.
const maxAlike = 64

// alike pairs what is left by its members, and then in order when as many are
// left on both sides.
func (m *matching) alike(was, now []*schema.Node) {
	left, open := m.rest()
	if len(left) > maxAlike || len(open) > maxAlike {
		return
	}
	for _, j := range open {
		best, at := 0, -1
		for _, i := range left {
			if shared := likeness(was[i], now[j]); !m.used[i] && shared > best {
				best, at = shared, i
			}
		}
		if at >= 0 {
			m.take(j, []int{at})
		}
	}
	if left, open = m.rest(); len(left) == len(open) {
		for k, j := range open {
			m.take(j, left[k:])
		}
	}
}

// rest returns the branches of both sides that have no partner yet.
func (m *matching) rest() (left, open []int) {
	for i, used := range m.used {
		if !used {
			left = append(left, i)
		}
	}
	for j, i := range m.was {
		if i < 0 {
			open = append(open, j)
		}
	}
	return left, open
}

// likeness counts the members that two objects share; 0 when they share less
// than half of the larger one.
func likeness(a, b *schema.Node) int {
	before, after := properties(a), properties(b)
	shared := 0
	for _, p := range after {
		if slices.ContainsFunc(before, func(q schema.Property) bool { return q.Name == p.Name }) {
			shared++
		}
	}
	if 2*shared < max(len(before), len(after)) {
		return 0
	}
	return shared
}

package schema

import (
	"math"

	"github.com/openrpc-go/rpcgen/runtime/internal/scan"
)

// arrayRule holds the rules of arrays.
type arrayRule struct {
	prefix   []*rule
	items    *rule // nil: anything, and not evaluated
	min, max int
	unique   bool
	contains *rule
	minFound int
	maxFound int
}

func (p *program) array(n *Node) *arrayRule {
	rules := n.Array
	if rules == nil {
		return nil
	}
	return &arrayRule{
		prefix: p.list(rules.Prefix),
		items:  p.optional(rules.Items),
		min:    limitOf(rules.MinItems, 0), max: limitOf(rules.MaxItems, math.MaxInt),
		unique:   rules.Unique,
		contains: p.optional(rules.Contains),
		minFound: limitOf(rules.MinContains, 1), maxFound: limitOf(rules.MaxContains, math.MaxInt),
	}
}

var anyArray = &arrayRule{max: math.MaxInt, maxFound: math.MaxInt}

// arr reads and checks the array at i.
func (m *machine) arr(r *rule, i, depth int, ev *evaluated, p *plan, at place) int {
	start := i
	if depth++; depth > m.Limits.Depth {
		return m.stop(&scan.Error{Offset: i, Code: scan.TooDeep})
	}
	if r.types&TypeArray == 0 {
		return m.mismatchContainer(r, i, depth-1)
	}
	a := r.array
	if a == nil {
		a = anyArray
	}
	var w elements
	if p != nil {
		if p.rule != r {
			return m.twice(r, i, depth-1, ev, p, at)
		}
		if !m.openArray(p, at, i, &w) {
			return -1
		}
	}
	end, count, found := m.readElements(a, i, depth, ev, p, &w)
	if end < 0 {
		return -1
	}
	if p != nil {
		w.close()
	}
	if !m.closeArray(r, a, start, count, found) {
		return -1
	}
	return end
}

func (m *machine) readElements(a *arrayRule, i, depth int, ev *evaluated, p *plan, w *elements) (end, count, found int) {
	b := m.Text
	i = scan.Space(b, i+1)
	if i < len(b) && b[i] == ']' {
		return i + 1, 0, 0
	}
	for {
		item := a.items
		if count < len(a.prefix) {
			item = a.prefix[count]
		}
		known := item != nil
		if item == nil {
			item = anyRule
		}
		switch {
		case p != nil:
			if elem := p.element(count); item.slow || elem.wraps {
				end = m.apply(item, i, depth, nil, elem, w.next(m, i))
			} else {
				end = m.own(item, i, depth, nil, elem, w.next(m, i))
			}
		case item.slow:
			end = m.applySlow(item, i, depth, nil, nil, place{})
		default:
			end = m.own(item, i, depth, nil, nil, place{})
		}
		if end < 0 {
			return -1, 0, 0
		}
		if a.contains != nil {
			fits := m.fits(a.contains, i, depth, nil) >= 0
			if m.fault != nil {
				return -1, 0, 0
			}
			if fits {
				found++
				known = true
			}
		}
		if known && ev != nil {
			ev.set(count)
		}
		count++
		if end < len(b) && b[end] == ',' {
			i = scan.Space(b, end+1)
			continue
		}
		next, more, err := scan.Next(b, end, ']')
		if err != nil {
			return m.stop(err), 0, 0
		}
		if !more {
			return next, count, found
		}
		i = next
	}
}

func (m *machine) closeArray(r *rule, a *arrayRule, start, count, found int) bool {
	if count < a.min && m.fail(r, start, "minItems", 0) || count > a.max && m.fail(r, start, "maxItems", 0) {
		return false
	}
	if a.contains != nil {
		if found < a.minFound && m.fail(r, start, "contains", 0) || found > a.maxFound && m.fail(r, start, "maxContains", 0) {
			return false
		}
	}
	if a.unique && count > 1 {
		distinct := m.distinct(start, count)
		if m.fault != nil || !distinct && m.fail(r, start, "uniqueItems", 0) {
			return false
		}
	}
	return r.enum == nil || m.hasContainer(r.enum, start) || !m.fail(r, start, "enum", 0)
}

// uniqueness is the table for uniqueItems. Arrays are looked at one after the
// other, never one inside another, so one table serves all.
type uniqueness struct {
	slots []int32 // 1 + index in items
	items []uniqueItem
}

type uniqueItem struct {
	hash uint64
	at   int
}

// distinct reports whether no two of the count elements of the array at start
// are equal.
func (m *machine) distinct(start, count int) bool {
	size := 8
	for size < 2*count {
		size *= 2
	}
	u := &m.unique
	if cap(u.slots) < size {
		u.slots = make([]int32, size)
	}
	u.slots, u.items = u.slots[:size], u.items[:0]
	clear(u.slots)
	b := m.Text
	for i, more := first(b, start); more; {
		h, end := m.hash(b, i)
		slot := int(h) & (size - 1)
		for u.slots[slot] != 0 {
			if other := u.items[u.slots[slot]-1]; other.hash == h && m.equal(b, other.at, b, i) {
				return false
			}
			slot = (slot + 1) & (size - 1)
		}
		u.items = append(u.items, uniqueItem{h, i})
		u.slots[slot] = int32(len(u.items))
		i, more = after(b, end)
	}
	return true
}

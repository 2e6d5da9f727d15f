package schema

import (
	"math/bits"
)

// evaluated is the set of members or elements of one value, by position, that
// some rule has evaluated.
type evaluated struct{ bits []uint64 }

func (e *evaluated) set(k int) {
	for k/64 >= len(e.bits) {
		e.bits = append(e.bits, 0)
	}
	e.bits[k/64] |= 1 << (k % 64)
}

func (e *evaluated) has(k int) bool { return k/64 < len(e.bits) && e.bits[k/64]&(1<<(k%64)) != 0 }

func (e *evaluated) merge(o *evaluated) {
	for w, word := range o.bits {
		for ; word != 0; word &= word - 1 {
			e.set(w*64 + bits.TrailingZeros64(word))
		}
	}
}

func (m *machine) newEvaluated() *evaluated {
	if n := len(m.free); n > 0 {
		e := m.free[n-1]
		m.free = m.free[:n-1]
		e.bits = e.bits[:0]
		return e
	}
	return &evaluated{}
}

func (m *machine) release(e *evaluated) {
	if e != nil {
		m.free = append(m.free, e)
	}
}

// applySlow applies a rule that has combinators. The value is read once by
// the rule's own keywords and again by each branch.
func (m *machine) applySlow(r *rule, i, depth int, ev *evaluated, p *plan, at place) int {
	if m.nested++; m.nested > maxNested || !m.spend(1) {
		return m.stop(errBudget)
	}
	var end int
	switch {
	case r.nullable && i < len(m.Text) && m.Text[i] == 'n':
		end = m.word(anyRule, i, p, at)
	case r.sensitive && m.report != nil && m.secret < 0:
		m.secret = i
		end = m.whole(r, i, depth, ev, p, at)
		m.secret = -1
	default:
		end = m.whole(r, i, depth, ev, p, at)
	}
	m.nested--
	return end
}

// whole applies all that r says, null where it is nullable apart.
func (m *machine) whole(r *rule, i, depth int, ev *evaluated, p *plan, at place) int {
	if r.never && m.fail(r, i, "false", 0) {
		return -1
	}
	if r.unevaluatedMembers == nil && r.unevaluatedElements == nil {
		return m.combined(r, i, depth, ev, p, at)
	}
	mine := m.newEvaluated()
	end := m.combined(r, i, depth, mine, p, at)
	if end >= 0 && !m.unevaluated(r, i, depth, mine) {
		end = -1
	}
	if end >= 0 && ev != nil {
		ev.merge(mine)
	}
	m.release(mine)
	return end
}

// combined applies r's own keywords and its combinators.
func (m *machine) combined(r *rule, i, depth int, ev *evaluated, p *plan, at place) int {
	end := -1
	if !r.read || p != nil {
		if end = m.own(r, i, depth, ev, p, at); end < 0 {
			return -1
		}
	}
	for _, q := range r.all {
		if end = m.apply(q, i, depth, ev, nil, place{}); end < 0 {
			return -1
		}
	}
	if r.anyOf != nil {
		if _, end = m.choose(r, r.anyOf, i, depth, ev, false); end < 0 {
			return -1
		}
	}
	if r.oneOf != nil {
		if _, end = m.choose(r, r.oneOf, i, depth, ev, true); end < 0 {
			return -1
		}
	}
	if r.not != nil {
		fits := m.fits(r.not, i, depth, nil) >= 0
		if m.fault != nil || fits && m.fail(r, i, "not", 0) {
			return -1
		}
	}
	if r.ifRule != nil && !m.conditional(r, i, depth, ev) {
		return -1
	}
	return end
}

// fits applies q without a word about why it does not fit. Who calls it looks
// at m.fault first.
func (m *machine) fits(q *rule, i, depth int, ev *evaluated) (end int) {
	report, names, wide, keepUnknown := m.report, m.Names.Open(), len(m.wide), m.keepUnknown
	m.report, m.keepUnknown = nil, false // a choice is made by what is known
	if end = -1; m.spend(1) {
		end = m.apply(q, i, depth, ev, nil, place{})
	}
	m.report, m.keepUnknown = report, keepUnknown
	if end < 0 { // what the failed attempt left open
		m.Names.Close(names)
		m.wide = m.wide[:wide]
	}
	return end
}

func (m *machine) conditional(r *rule, i, depth int, ev *evaluated) bool {
	var tried *evaluated
	if ev != nil {
		tried = m.newEvaluated()
		defer m.release(tried)
	}
	fits := m.fits(r.ifRule, i, depth, tried) >= 0
	if m.fault != nil {
		return false
	}
	next := r.elseRule
	if fits {
		if next = r.thenRule; ev != nil {
			ev.merge(tried)
		}
	}
	return next == nil || m.apply(next, i, depth, ev, nil, place{}) >= 0
}

// unevaluated applies the unevaluated rules to what ev does not hold.
func (m *machine) unevaluated(r *rule, i, depth int, ev *evaluated) bool {
	b := m.Text
	q := r.unevaluatedElements
	if b[i] == '{' {
		q = r.unevaluatedMembers
	} else if b[i] != '[' {
		return true
	}
	if q == nil {
		return true
	}
	k := 0
	for at, more := first(b, i); more; k++ {
		if b[i] == '{' {
			at = valueOf(b, at)
		}
		if !ev.has(k) {
			if m.apply(q, at, depth+1, nil, nil, place{}) < 0 {
				return false
			}
			ev.set(k)
		}
		at, more = following(b, at)
	}
	return m.spend(k)
}

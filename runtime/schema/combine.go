package schema

import (
	"math/bits"

	"github.com/openrpc-go/rpcgen/runtime/internal/scan"
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
	defer func() { m.nested-- }()
	if r.nullable && i < len(m.Text) && m.Text[i] == 'n' {
		return m.word(anyRule, i, p, at)
	}
	if r.sensitive && m.report != nil && m.secret < 0 {
		m.secret = i
		defer func() { m.secret = -1 }()
	}
	if m.enter(r) {
		defer m.leave()
	}
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
	if r.dynamicRef != "" && !m.applyDynamic(r, i, depth, ev) {
		return -1
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

func (m *machine) applyDynamic(r *rule, i, depth int, ev *evaluated) bool {
	target := m.dynamicTarget(r.dynamicRef)
	if target == nil {
		return !m.fail(r, i, "$dynamicRef", 0)
	}
	return m.spend(1) && m.apply(target, i, depth, ev, nil, place{}) >= 0
}

// fits applies q without a word about why it does not fit. Who calls it looks
// at m.fault first.
func (m *machine) fits(q *rule, i, depth int, ev *evaluated) (end int) {
	report, names, wide, scope := m.report, m.Names.Open(), len(m.wide), len(m.scope)
	m.report = nil
	if end = -1; m.spend(1) {
		end = m.apply(q, i, depth, ev, nil, place{})
	}
	m.report = report
	if end < 0 { // what the failed attempt left open
		m.Names.Close(names)
		m.wide, m.scope = m.wide[:wide], m.scope[:scope]
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

// branches are the branches of anyOf or oneOf and what tells them apart.
type branches struct {
	rules  []*rule
	masks  []Types // computed by link
	picker *picker
}

// picker finds the only branch that can fit by the string value of one member.
type picker struct {
	name     string
	cases    map[string]int
	declared bool // by a discriminator: without a case nothing fits
}

func (p *program) branches(n *Node, nodes []*Node) *branches {
	if len(nodes) == 0 {
		return nil
	}
	b := &branches{rules: p.list(nodes)}
	if d := n.Discriminator; d != nil {
		b.picker = &picker{name: d.Property, cases: map[string]int{}, declared: true}
		for _, c := range d.Mapping {
			b.addCase(p, n, nodes, c)
		}
	}
	p.unlinked = append(p.unlinked, b)
	return b
}

func (b *branches) addCase(p *program, n *Node, nodes []*Node, c DiscriminatorCase) {
	for k, q := range nodes {
		if q == c.Node {
			b.picker.cases[c.Value] = k
			return
		}
	}
	if len(n.AnyOf) > 0 && len(n.OneOf) > 0 {
		return // the other keyword's branch
	}
	p.refuse(n, "discriminator value %.40q names no branch", c.Value)
}

// link computes what needs all rules to be filled.
func (b *branches) link() {
	for _, r := range b.rules {
		b.masks = append(b.masks, r.mask())
	}
	if b.picker == nil {
		b.picker = b.implied()
	}
}

// implied finds a property that all object branches require with distinct
// constant strings. It decides without trial and changes no verdict.
func (b *branches) implied() *picker {
	var objects []int
	for k, mask := range b.masks {
		if mask&TypeObject != 0 {
			objects = append(objects, k)
		}
	}
	if len(objects) < 2 || b.rules[objects[0]].object == nil {
		return nil
	}
	o := b.rules[objects[0]].object
	for k := range o.declared {
		if pick := b.impliedBy(o.known[k].name, objects); pick != nil {
			return pick
		}
	}
	return nil
}

func (b *branches) impliedBy(name string, objects []int) *picker {
	pick := &picker{name: name, cases: map[string]int{}}
	for _, k := range objects {
		values := b.rules[k].constants(name)
		if len(values) == 0 {
			return nil
		}
		for _, v := range values {
			if _, taken := pick.cases[v]; taken {
				return nil
			}
			pick.cases[v] = k
		}
	}
	return pick
}

// constants returns the strings that r requires member name to be one of.
func (r *rule) constants(name string) []string {
	if r.object == nil || r.nullable {
		return nil
	}
	k := r.object.find([]byte(name))
	if k < 0 || k >= r.object.declared || r.object.required[k/64]&(1<<(k%64)) == 0 {
		return nil
	}
	q := r.object.known[k].rule
	if q.nullable || q.enum == nil || q.enum.types != TypeString {
		return nil
	}
	values := q.enum.list
	for v := range q.enum.strings {
		values = append(values, v)
	}
	return values
}

// choose applies anyOf or oneOf and returns the branch that fits and the index
// behind the value, or -1. With ev every branch of anyOf is tried, for what it
// evaluates. While reporting, end is never -1 but for a fault.
func (m *machine) choose(r *rule, b *branches, i, depth int, ev *evaluated, one bool) (fit, end int) {
	if i >= len(m.Text) {
		return -1, m.stop(unexpected(m.Text, i))
	}
	kind := kindOf(m.Text[i])
	if kind == TypeObject && b.picker != nil {
		return m.pick(r, b, i, depth, ev, one)
	}
	if only := b.only(kind); only >= 0 {
		return only, m.apply(b.rules[only], i, depth, ev, nil, place{})
	}
	fit, end = -1, -1
	for k, q := range b.rules {
		if b.masks[k]&kind == 0 {
			continue
		}
		tried := m.try(q, i, depth, ev)
		switch {
		case m.fault != nil:
			return -1, -1
		case tried < 0:
		case fit >= 0 && one:
			if m.fail(r, i, "oneOf", k+1) {
				return -1, -1
			}
			return fit, end
		case fit < 0:
			if fit, end = k, tried; !one && ev == nil {
				return fit, end
			}
		}
	}
	if fit < 0 {
		return -1, m.noBranch(r, b, i, depth, one, kind)
	}
	return fit, end
}

// only returns the one branch that admits values of a kind, or -1.
func (b *branches) only(kind Types) int {
	only := -1
	for k, mask := range b.masks {
		if mask&kind == 0 {
			continue
		}
		if only >= 0 {
			return -1
		}
		only = k
	}
	return only
}

// try is fits that takes what q evaluates into ev, if q fits.
func (m *machine) try(q *rule, i, depth int, ev *evaluated) (end int) {
	if ev == nil {
		return m.fits(q, i, depth, nil)
	}
	tried := m.newEvaluated()
	if end = m.fits(q, i, depth, tried); end >= 0 {
		ev.merge(tried)
	}
	m.release(tried)
	return end
}

// noBranch reports why no branch fits.
func (m *machine) noBranch(r *rule, b *branches, i, depth int, one bool, kind Types) int {
	if m.report == nil {
		return -1
	}
	for k, q := range b.rules {
		if b.masks[k]&kind != 0 {
			m.apply(q, i, depth, nil, nil, place{})
		}
	}
	keyword := "anyOf"
	if one {
		keyword = "oneOf"
	}
	return m.failed(r, i, depth, keyword)
}

// failed takes note of a broken keyword where nothing has read the value yet.
func (m *machine) failed(r *rule, i, depth int, keyword string) int {
	if m.fail(r, i, keyword, 0) {
		return -1
	}
	return m.skip(i, depth)
}

// pick applies the one branch that the picker's member names.
func (m *machine) pick(r *rule, b *branches, i, depth int, ev *evaluated, one bool) (fit, end int) {
	k := m.picked(b.picker, i)
	switch {
	case m.fault != nil:
		return -1, -1
	case k < 0 && b.picker.declared:
		return -1, m.failed(r, i, depth, "discriminator")
	case k < 0:
		return -1, m.noBranch(r, b, i, depth, one, TypeObject)
	}
	return k, m.apply(b.rules[k], i, depth, ev, nil, place{})
}

// picked returns the branch that the object at i names, or -1.
func (m *machine) picked(p *picker, i int) int {
	b := m.Text
	i = scan.Space(b, i+1)
	for i < len(b) && b[i] == '"' {
		nameEnd, escaped, err := scan.String(b, i)
		if err != nil {
			return m.stop(err)
		}
		value, err := scan.Colon(b, nameEnd)
		if err != nil {
			return m.stop(err)
		}
		if string(m.memberName(i, nameEnd, escaped)) == p.name {
			return m.caseOf(p, value)
		}
		end, err := scan.Skip(b, value)
		if err != nil {
			return m.stop(err)
		}
		if !m.spend(1 + (end-i)>>5) {
			return -1
		}
		var more bool
		if i, more, err = scan.Next(b, end, '}'); err != nil {
			return m.stop(err)
		}
		if !more {
			break
		}
	}
	return -1
}

func (m *machine) caseOf(p *picker, i int) int {
	if i >= len(m.Text) || m.Text[i] != '"' {
		return -1
	}
	end, escaped, err := scan.String(m.Text, i)
	if err != nil {
		return m.stop(err)
	}
	if k, ok := p.cases[string(m.memberName(i, end, escaped))]; ok {
		return k
	}
	return -1
}

// kindOf returns the types that a value starting with c may have.
func kindOf(c byte) Types {
	switch c {
	case '"':
		return TypeString
	case '{':
		return TypeObject
	case '[':
		return TypeArray
	case 't', 'f':
		return TypeBoolean
	case 'n':
		return TypeNull
	default:
		return TypeNumber | TypeInteger
	}
}

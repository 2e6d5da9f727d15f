package schema

import (
	"maps"
	"slices"

	"github.com/openrpc-go/rpcgen/runtime/internal/scan"
)

// branches are the branches of anyOf or oneOf and what tells them apart.
type branches struct {
	rules  []*rule
	masks  []Types // computed by link
	picker *picker
}

// picker finds the only branch that can fit by the string value of one member.
type picker struct {
	name     string
	quoted   string // the name as it stands in most texts, with its colon
	cases    map[string]int
	list     []pickCase // cases, where they are few
	declared bool       // by a discriminator: without a case nothing fits
}

// pickCase is one value as it stands in most texts.
type pickCase struct {
	quoted string
	branch int
}

// ready computes what is quick to compare with.
func (p *picker) ready() {
	p.quoted = string(append(scan.AppendQuote(nil, p.name), ':'))
	for _, value := range slices.Sorted(maps.Keys(p.cases)) {
		if p.list = append(p.list, pickCase{string(scan.AppendQuote(nil, value)), p.cases[value]}); len(p.list) > shortSet {
			p.list = nil
			return
		}
	}
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
	if b.picker != nil {
		b.picker.ready()
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
	if e := i + len(p.quoted); e < len(b) && string(b[i:e]) == p.quoted { // mostly it comes first
		return m.caseOf(p, scan.Space(b, e))
	}
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
	for k := range p.list {
		q := &p.list[k]
		if e := i + len(q.quoted); e <= len(m.Text) && string(m.Text[i:e]) == q.quoted {
			return q.branch
		}
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

package schema

import (
	"github.com/openrpc-go/rpcgen/runtime/internal/scan"
)

// members is the state of one object while it is read.
type members struct {
	seen  uint64 // bits of known, the first 64
	wide  int    // where the others start in machine.wide
	mark  int    // of Names, -1 until a foreign name came
	count int
}

// see marks bit k and reports whether it was marked before.
func (m *machine) see(s *members, k int) (before bool) {
	word := &s.seen
	if k >= 64 {
		word = &m.wide[s.wide+k/64-1]
	}
	bit := uint64(1) << (k % 64)
	before = *word&bit != 0
	*word |= bit
	return before
}

func (m *machine) seen(s *members, k int) bool {
	if k >= 64 {
		return m.wide[s.wide+k/64-1]&(1<<(k%64)) != 0
	}
	return s.seen&(1<<k) != 0
}

// obj reads and checks the object at i.
func (m *machine) obj(r *rule, i, depth int, ev *evaluated, p *plan, at place) int {
	start := i
	if depth++; depth > m.Limits.Depth {
		return m.stop(&scan.Error{Offset: i, Code: scan.TooDeep})
	}
	if r.types&TypeObject == 0 {
		return m.mismatchContainer(r, i, depth-1)
	}
	o := r.object
	if o == nil {
		o = anyObject
	}
	if p != nil {
		if p.rule != r {
			return m.twice(r, start, depth-1, ev, p, at)
		}
		if !m.openObject(p, at, i) {
			return -1
		}
	}
	s := members{mark: -1, wide: len(m.wide)}
	for range (len(o.known) - 1) / 64 {
		m.wide = append(m.wide, 0)
	}
	end := m.readMembers(r, o, &s, i, depth, ev, p, at)
	if end >= 0 && !m.closeObject(r, o, &s, start, depth, ev) {
		end = -1
	}
	m.wide = m.wide[:s.wide]
	return end
}

// mismatchContainer reads over a container that r's type refuses.
func (m *machine) mismatchContainer(r *rule, i, depth int) int {
	if m.fail(r, i, "type", 0) {
		return -1
	}
	return m.skip(i, depth)
}

func (m *machine) readMembers(r *rule, o *objectRule, s *members, i, depth int, ev *evaluated, p *plan, at place) int {
	b := m.Text
	i = scan.Space(b, i+1)
	if i < len(b) && b[i] == '}' {
		return i + 1
	}
	for next := 0; ; next++ {
		k, nameEnd, value, escaped := -1, 0, 0, false
		// Members mostly come in the order of their schema.
		if next < len(o.known) {
			q := o.known[next].quoted
			if e := i + len(q); e <= len(b) && string(b[i:e]) == q {
				k, nameEnd, value = next, e-1, e
				if value < len(b) && b[value] <= ' ' {
					value = scan.Space(b, value)
				}
			}
		}
		if k < 0 {
			if k, nameEnd, value, escaped = m.name(o, i); value < 0 {
				return -1
			}
			if k >= 0 {
				next = k
			}
		}
		if s.count++; s.count > m.Limits.Members {
			return m.stop(&scan.Error{Offset: i, Code: scan.TooManyMembers})
		}
		if bit := uint64(1) << (k & 63); k >= 0 && k < 64 && s.seen&bit == 0 {
			s.seen |= bit
		} else if m.repeats(s, k, i, nameEnd, escaped) {
			return m.stop(&scan.Error{Offset: i, Code: scan.DuplicateMember})
		}
		end := 0
		switch {
		case k < 0 || k >= o.declared || o.eachMember || ev != nil:
			end = m.foreignMember(o, s, k, i, nameEnd, escaped, value, depth, ev, p, at)
		case p == nil:
			if q := o.known[k].rule; q.slow {
				end = m.applySlow(q, value, depth, nil, nil, place{})
			} else {
				end = m.own(q, value, depth, nil, nil, place{})
			}
		case k < len(p.fields) && p.fields[k].plan != nil: // of a struct
			f := &p.fields[k]
			if q := o.known[k].rule; q.slow || f.plan.wraps {
				end = m.apply(q, value, depth, nil, f.plan, at.field(f))
			} else {
				end = m.own(q, value, depth, nil, f.plan, at.field(f))
			}
		default:
			end = m.applyField(o.known[k].rule, p, k, i, nameEnd, value, depth, at)
		}
		if end < 0 {
			return -1
		}
		if end < len(b) && b[end] == ',' {
			i = scan.Space(b, end+1)
			continue
		}
		var more bool
		var err error
		if i, more, err = scan.Next(b, end, '}'); err != nil {
			return m.stop(err)
		}
		if !more {
			return i
		}
	}
}

// name reads the member name at i and its colon: its index in known, or -1,
// and where it ends and its value starts; value is -1 for a fault.
func (m *machine) name(o *objectRule, i int) (k, nameEnd, value int, escaped bool) {
	b := m.Text
	if i >= len(b) || b[i] != '"' {
		return -1, i, m.stop(unexpected(b, i)), false
	}
	nameEnd, escaped, err := scan.String(b, i)
	if err != nil {
		return -1, i, m.stop(err), false
	}
	if nameEnd-i-2 > m.Limits.StringBytes {
		return -1, i, m.stop(&scan.Error{Offset: i, Code: scan.StringTooLong}), false
	}
	k = o.find(m.memberName(i, nameEnd, escaped))
	if value, err = scan.Colon(b, nameEnd); err != nil {
		return -1, i, m.stop(err), false
	}
	return k, nameEnd, value, escaped
}

// repeats reports whether the object had the name before.
func (m *machine) repeats(s *members, k, i, end int, escaped bool) bool {
	if k >= 0 {
		return m.see(s, k)
	}
	if s.mark < 0 {
		s.mark = m.Names.Open()
	}
	return m.Names.Add(m.Text, s.mark, i, end, escaped)
}

// memberName returns the name at i, unescaped. It is valid until the next string is read.
func (m *machine) memberName(i, end int, escaped bool) []byte {
	if !escaped {
		return m.Text[i+1 : end-1]
	}
	m.scratch = scan.Unquote(m.scratch[:0], m.Text[i:end])
	return m.scratch
}

// foreignMember checks and stores a member that several keywords may look at,
// or that is no property.
func (m *machine) foreignMember(o *objectRule, s *members, k, i, nameEnd int, escaped bool, value, depth int, ev *evaluated, p *plan, at place) int {
	if o.names != nil && m.apply(o.names, i, depth, nil, nil, place{}) < 0 {
		return -1
	}
	var main *rule // the first rule that knows the member; it carries the plan
	if k >= 0 && k < o.declared {
		main = o.known[k].rule
	}
	for q := range o.patterns {
		if !m.spend(1 + (nameEnd-i)>>5) {
			return -1
		}
		fits := m.matches(o.patterns[q].pattern, m.memberName(i, nameEnd, escaped))
		if m.fault != nil {
			return -1
		}
		if !fits {
			continue
		}
		if main == nil {
			main = o.patterns[q].rule
		} else if m.apply(o.patterns[q].rule, value, depth, nil, nil, place{}) < 0 {
			return -1
		}
	}
	if main == nil {
		main = o.additional
	}
	if main != nil && ev != nil {
		ev.set(s.count - 1)
	}
	if main == nil {
		main = anyRule
	}
	if p == nil {
		return m.apply(main, value, depth, nil, nil, place{})
	}
	return m.applyField(main, p, k, i, nameEnd, value, depth, at)
}

var anyRule = &rule{any: true, types: everyType}

// closeObject checks what needs all members.
func (m *machine) closeObject(r *rule, o *objectRule, s *members, start, depth int, ev *evaluated) bool {
	if s.mark >= 0 {
		m.Names.Close(s.mark)
	}
	for w, need := range o.required {
		have := s.seen
		if w > 0 {
			have = m.wide[s.wide+w-1]
		}
		if need&^have != 0 && !m.missing(r, need&^have, w*64, start) {
			return false
		}
	}
	if r.enum != nil && !m.hasContainer(r.enum, start) && m.fail(r, start, "enum", 0) {
		return false
	}
	return !o.tail || m.objectTail(r, o, s, start, depth, ev)
}

func (m *machine) missing(r *rule, bits uint64, from, start int) bool {
	for k := range 64 {
		if bits&(1<<k) != 0 && m.fail(r, start, "required", from+k) {
			return false
		}
	}
	return true
}

func (m *machine) objectTail(r *rule, o *objectRule, s *members, start, depth int, ev *evaluated) bool {
	if s.count < o.min && m.fail(r, start, "minProperties", 0) || s.count > o.max && m.fail(r, start, "maxProperties", 0) {
		return false
	}
	for _, d := range o.dependentRequired {
		if !m.seen(s, d.bit) {
			continue
		}
		for _, need := range d.needs {
			if !m.seen(s, need) && m.fail(r, start, "dependentRequired", need) {
				return false
			}
		}
	}
	for _, d := range o.dependentSchemas {
		if m.seen(s, d.bit) && m.apply(d.rule, start, depth-1, ev, nil, place{}) < 0 {
			return false
		}
	}
	return true
}

func unexpected(b []byte, i int) error {
	if i >= len(b) {
		return &scan.Error{Offset: len(b), Code: scan.UnexpectedEnd}
	}
	return &scan.Error{Offset: i, Code: scan.UnexpectedByte}
}

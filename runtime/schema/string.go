package schema

import (
	"math"
	"unicode/utf8"

	"github.com/openrpc-go/rpcgen/runtime/internal/scan"
)

// stringRule bounds strings.
type stringRule struct {
	min, max int // code points
	pattern  *pattern
	format   string
	valid    func(string) bool // nil: format is an annotation
	sized    bool
}

func (p *program) string(n *Node) *stringRule {
	rules := n.String
	if rules == nil {
		return nil
	}
	r := &stringRule{max: math.MaxInt}
	r.min, r.max = limitOf(rules.MinLength, 0), limitOf(rules.MaxLength, math.MaxInt)
	r.sized = r.min > 0 || r.max < math.MaxInt
	if rules.Pattern != nil {
		r.pattern = p.pattern(n, *rules.Pattern)
	}
	if rules.AssertFormat && rules.Format != "" {
		r.format, r.valid = rules.Format, formats[rules.Format]
		if r.valid == nil {
			p.refuse(n, "format %.40q cannot be checked", rules.Format)
		}
	}
	if !r.sized && r.pattern == nil && r.valid == nil {
		return nil
	}
	return r
}

// limitOf returns a count that no value in memory reaches instead of one that
// does not fit an int.
func limitOf(n *uint64, absent int) int {
	switch {
	case n == nil:
		return absent
	case *n > math.MaxInt:
		return math.MaxInt
	default:
		return int(*n)
	}
}

// length returns the keyword that a string of these bytes breaks, or "". It
// decides by bytes where that is enough.
func (r *stringRule) length(s []byte) (broken string) {
	if len(s) < r.min {
		return "minLength"
	}
	if len(s) <= r.max && (r.min <= 1 || len(s)/utf8.UTFMax >= r.min) {
		return ""
	}
	switch n := utf8.RuneCount(s); {
	case n < r.min:
		return "minLength"
	case n > r.max:
		return "maxLength"
	default:
		return ""
	}
}

// str reads and checks the string at i.
func (m *machine) str(r *rule, i int, p *plan, at place) int {
	end, escaped := scan.Plain(m.Text, i+1)+1, false
	if end > len(m.Text) || m.Text[end-1] != '"' {
		var err error
		if end, escaped, err = scan.String(m.Text, i); err != nil {
			return m.stop(err)
		}
	}
	if end-i-2 > m.Limits.StringBytes {
		return m.stop(&scan.Error{Offset: i, Code: scan.StringTooLong})
	}
	m.steps -= (end - i) >> 5
	if r.types&TypeString == 0 {
		return m.mismatch(r, i, end)
	}
	if r.str == nil && r.enum == nil && p == nil {
		return end
	}
	s := m.Text[i+1 : end-1]
	if escaped {
		m.scratch = scan.Unquote(m.scratch[:0], m.Text[i:end])
		s = m.scratch
	}
	if r.enum != nil && !m.listsString(r.enum, s) && m.fail(r, i, "enum", 0) {
		return -1
	}
	if r.str != nil && !m.strRules(r, s, i) {
		return -1
	}
	if p != nil && !m.storeString(p, at, s, i, end) {
		return -1
	}
	return end
}

func (m *machine) strRules(r *rule, s []byte, i int) bool {
	if r.str.sized {
		if broken := r.str.length(s); broken != "" && m.fail(r, i, broken, 0) {
			return false
		}
	}
	if r.str.pattern != nil && !m.matches(r.str.pattern, s) && m.fail(r, i, "pattern", 0) {
		return false
	}
	return r.str.valid == nil || r.str.valid(view(s)) || !m.fail(r, i, "format", 0)
}

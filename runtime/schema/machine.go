package schema

import (
	"errors"

	"github.com/openrpc-go/rpcgen/runtime/internal/scan"
)

// machine runs rules over one text. In its fast mode it stops at the first
// value that does not fit and says nothing more; the text is then read again
// with report set, which collects the causes. Decoding rides along: a plan
// says where in a Go value the value at hand goes.
type machine struct {
	scan.Scanner
	steps       int   // left of the budget
	fault       error // syntax, limit or budget: ends everything, branches too
	report      *report
	scratch     []byte // the string at hand, unescaped
	wide        []uint64
	free        []*evaluated
	unique      uniqueness
	arena       []byte   // room for strings of the value being decoded
	strings     []string // room for pointers to strings
	nested      int      // slow rules at work one inside another
	keepUnknown bool     // see Codec.KeepUnknown
	secret      int      // offset of the outermost sensitive value while reporting, or -1
}

// apply holds the value at i, which lies inside depth open arrays and
// objects, against r and returns the index behind it, or -1. Members and
// elements that were evaluated go into ev. With p the value is stored at at.
func (m *machine) apply(r *rule, i, depth int, ev *evaluated, p *plan, at place) int {
	if p != nil && p.wraps {
		return m.applyWrapped(r, i, depth, ev, p, at)
	}
	if r.slow {
		return m.applySlow(r, i, depth, ev, p, at)
	}
	return m.own(r, i, depth, ev, p, at)
}

// own applies types, enum and the rules of the value's type.
func (m *machine) own(r *rule, i, depth int, ev *evaluated, p *plan, at place) int {
	if uint(i) >= uint(len(m.Text)) {
		return m.stop(&scan.Error{Offset: len(m.Text), Code: scan.UnexpectedEnd})
	}
	m.steps--
	switch c := m.Text[i]; c {
	case '"':
		return m.str(r, i, p, at)
	case '{':
		if r.any && p == nil && ev == nil {
			return m.skip(i, depth)
		}
		return m.obj(r, i, depth, ev, p, at)
	case '[':
		if r.any && p == nil && ev == nil {
			return m.skip(i, depth)
		}
		return m.arr(r, i, depth, ev, p, at)
	case 't', 'f', 'n':
		return m.word(r, i, p, at)
	default:
		if c == '-' || c-'0' <= 9 {
			return m.num(r, i, p, at)
		}
		return m.stop(&scan.Error{Offset: i, Code: scan.UnexpectedByte})
	}
}

// skip reads a value that no rule looks into.
func (m *machine) skip(i, depth int) int {
	end, err := m.Scanner.Value(i, depth)
	if err != nil {
		return m.stop(err)
	}
	m.steps -= (end - i) >> 5
	return end
}

// word reads and checks true, false or null.
func (m *machine) word(r *rule, i int, p *plan, at place) int {
	end, err := scan.Literal(m.Text, i)
	if err != nil {
		return m.stop(err)
	}
	kind := TypeBoolean
	if m.Text[i] == 'n' {
		kind = TypeNull
	}
	if r.types&kind == 0 {
		return m.mismatch(r, i, end)
	}
	if r.enum != nil && !r.enum.scalars[string(m.Text[i:end])] && m.fail(r, i, "enum", 0) {
		return -1
	}
	if p != nil && !m.storeWord(p, at, i, end) {
		return -1
	}
	return end
}

// num reads and checks the number at i: integers of up to 18 digits and short
// fractions without any detour.
func (m *machine) num(r *rule, i int, p *plan, at place) int {
	b := m.Text
	k := i
	if b[k] == '-' {
		k++
	}
	start, n := k, int64(0)
	for k < len(b) && b[k]-'0' <= 9 && k-start < 18 {
		n = n*10 + int64(b[k]-'0')
		k++
	}
	if k == start || b[start] == '0' && k-start > 1 {
		return m.decimal(r, i, p, at)
	}
	if k < len(b) && (b[k]-'0' <= 9 || b[k] == '.' || b[k]|0x20 == 'e') {
		if b[k] == '.' && r.enum == nil {
			if end := m.fraction(r, i, k, n, p, at); end >= 0 {
				return end
			}
		}
		return m.decimal(r, i, p, at)
	}
	if start > i {
		n = -n
	}
	if r.types&TypeInteger == 0 {
		return m.mismatch(r, i, k)
	}
	if r.number != nil {
		if broken := r.number.admitsInt(n); broken != "" && m.fail(r, i, broken, 0) {
			return -1
		}
	}
	if r.enum != nil && !m.listsInt(r.enum, n) && m.fail(r, i, "enum", 0) {
		return -1
	}
	if p != nil && !m.storeInt(p, at, n, i, k) {
		return -1
	}
	return k
}

// fraction reads the number at i, whose point stands at k behind the digits of
// whole, where 15 digits and the integers around it decide; -1 says that they
// do not. It never stops the machine.
func (m *machine) fraction(r *rule, i, k int, whole int64, p *plan, at place) int {
	b := m.Text
	point, n, zero := k, whole, true
	for k++; k < len(b) && b[k]-'0' <= 9 && k-i <= maxShortFloat; k++ {
		n = n*10 + int64(b[k]-'0')
		zero = zero && b[k] == '0'
	}
	if zero || k-i > maxShortFloat || k < len(b) && (b[k]-'0' <= 9 || b[k]|0x20 == 'e') || r.types&TypeNumber == 0 {
		return -1
	}
	negative := b[i] == '-'
	if r.number != nil {
		below, above := whole, whole+1
		if negative {
			below, above = -whole-1, -whole
		}
		if below < r.number.low || above > r.number.high || r.number.multiple != nil {
			return -1
		}
	}
	if p == nil {
		return k
	}
	if p.kind != planFloat {
		return -1
	}
	f := float64(n) / powers[k-point-1]
	if negative {
		f = -f
	}
	at.setFloat(f)
	return k
}

// maxShortFloat is the number of bytes up to which the digits of a fraction
// are exact as a float64.
const maxShortFloat = 15

// decimal reads and checks any other number.
func (m *machine) decimal(r *rule, i int, p *plan, at place) int {
	end, err := m.Scanner.Number(i)
	if err != nil {
		return m.stop(err)
	}
	var d decimal
	d.set(m.Text[i:end])
	if r.types&TypeNumber == 0 && !m.integral(r, &d, i, end) {
		return m.mismatch(r, i, end)
	}
	if r.number != nil {
		if broken := r.number.admits(&d); broken != "" && m.fail(r, i, broken, 0) {
			return -1
		}
	}
	if r.enum != nil && !m.listsNumber(r.enum, &d) && m.fail(r, i, "enum", 0) {
		return -1
	}
	if p != nil && !m.storeDecimal(p, at, &d, i, end) {
		return -1
	}
	return end
}

// integral reports whether r's type integer admits the number.
func (m *machine) integral(r *rule, d *decimal, i, end int) bool {
	if r.types&TypeInteger == 0 || !d.integer() {
		return false
	}
	if !r.strictInt {
		return true
	}
	for _, c := range m.Text[i:end] {
		if c != '-' && c-'0' > 9 {
			return false
		}
	}
	return true
}

// mismatch is what apply returns for a value of a type that r does not admit.
func (m *machine) mismatch(r *rule, i, end int) int {
	if m.fail(r, i, "type", 0) {
		return -1
	}
	return end
}

// fail takes note that the value at i breaks a keyword of r and reports
// whether to stop there. k tells more where a keyword has several parts.
func (m *machine) fail(r *rule, i int, keyword string, k int) (stop bool) {
	if m.report == nil || m.fault != nil {
		return true
	}
	m.report.add(m, r, i, keyword, k)
	return false
}

// stop ends everything with err.
func (m *machine) stop(err error) int {
	if m.fault == nil {
		m.fault = err
	}
	return -1
}

var errBudget = errors.New("budget")

// spend takes n steps of the budget and reports whether it lasted.
func (m *machine) spend(n int) bool {
	if m.steps -= n; m.steps >= 0 {
		return true
	}
	m.stop(errBudget)
	return false
}

// maxNested bounds rules that apply rules to the same value, so that the
// stack cannot run out before the budget does.
const maxNested = 4 * scan.MaxDepth

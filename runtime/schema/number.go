package schema

import (
	"math"
	"strconv"

	"github.com/openrpc-go/rpcgen/runtime/internal/scan"
)

// numberRule bounds numbers. Integers that fit int64 are held against low and
// high alone; everything else against the exact bounds.
type numberRule struct {
	low, high int64 // for integers: the bounds rounded inwards
	bounds    []bound
	multiple  *decimal
	literal   string // of multiple
	step      int64  // multiple as an integer, or 0
}

type bound struct {
	keyword   string
	literal   string
	value     *decimal
	lower     bool
	exclusive bool
}

func (p *program) number(n *Node) *numberRule {
	rules := n.Number
	if rules == nil {
		return nil
	}
	r := &numberRule{low: math.MinInt64, high: math.MaxInt64}
	for _, b := range []bound{
		{keyword: "minimum", literal: rules.Minimum, lower: true},
		{keyword: "exclusiveMinimum", literal: rules.ExclusiveMinimum, lower: true, exclusive: true},
		{keyword: "maximum", literal: rules.Maximum},
		{keyword: "exclusiveMaximum", literal: rules.ExclusiveMaximum, exclusive: true},
	} {
		if b.literal == "" || !p.literal(n, b.keyword, b.literal) {
			continue
		}
		b.value = decimalOf(b.literal)
		r.bounds = append(r.bounds, b)
		r.narrow(b)
	}
	if rules.MultipleOf != "" && p.literal(n, "multipleOf", rules.MultipleOf) {
		r.multiple, r.literal = decimalOf(rules.MultipleOf), rules.MultipleOf
		if r.multiple.n == 0 || r.multiple.negative {
			p.refuse(n, "multipleOf must be greater than zero")
			return r
		}
		r.step, _ = r.multiple.int64()
	}
	if len(r.bounds) == 0 && r.multiple == nil {
		return nil
	}
	return r
}

// literal reports whether text is a JSON number within the guard.
func (p *program) literal(n *Node, keyword, text string) bool {
	b := []byte(text)
	end, err := scan.Number(b, 0)
	if err == nil {
		err = scan.Guard(b, 0, end, scan.Limits{NumberDigits: maxDigits, Exponent: maxExponent})
	}
	if err != nil || end != len(b) {
		p.refuse(n, "%s is not a number of at most %d digits: %.40q", keyword, maxDigits, text)
		return false
	}
	return true
}

// narrow takes b into low and high: the nearest integers that b admits.
func (r *numberRule) narrow(b bound) {
	whole, integral, fits := floor(b.value)
	switch {
	case b.lower && !fits && b.value.negative, !b.lower && !fits && !b.value.negative:
		return // beyond int64 on the open side
	case !fits: // no int64 is admitted
		r.low, r.high = 1, 0
		return
	}
	switch {
	case b.lower && integral && !b.exclusive:
		r.low = max(r.low, whole)
	case b.lower && whole == math.MaxInt64:
		r.low, r.high = 1, 0
	case b.lower:
		r.low = max(r.low, whole+1)
	case integral && b.exclusive && whole == math.MinInt64:
		r.low, r.high = 1, 0
	case integral && b.exclusive:
		r.high = min(r.high, whole-1)
	default:
		r.high = min(r.high, whole)
	}
}

// floor returns the greatest integer not above d.
func floor(d *decimal) (whole int64, integral, fits bool) {
	if d.integer() {
		whole, fits = d.int64()
		return whole, true, fits
	}
	cut := *d
	cut.n = max(0, d.exp)
	for cut.n > 0 && cut.digits[cut.n-1] == 0 {
		cut.n--
	}
	if cut.n == 0 {
		cut = decimal{}
	}
	whole, fits = cut.int64()
	if d.negative && fits {
		if whole == math.MinInt64 {
			return 0, false, false
		}
		whole--
	}
	return whole, false, fits
}

// admitsInt returns the keyword that n breaks, or "".
func (r *numberRule) admitsInt(n int64) (broken string) {
	switch {
	case n >= r.low && n <= r.high && r.multiple == nil:
		return ""
	case n >= r.low && n <= r.high && r.step != 0:
		if n%r.step != 0 {
			return "multipleOf"
		}
		return ""
	default:
		var d decimal
		d.setInt(n)
		return r.admits(&d)
	}
}

func (d *decimal) setInt(n int64) {
	var buf [20]byte
	d.set(strconv.AppendInt(buf[:0], n, 10))
}

// admits returns the keyword that d breaks, or "".
func (r *numberRule) admits(d *decimal) (broken string) {
	for k := range r.bounds {
		b := &r.bounds[k]
		c := d.compare(b.value)
		if b.lower && c < 0 || !b.lower && c > 0 || b.exclusive && c == 0 {
			return b.keyword
		}
	}
	if r.multiple != nil && !d.multipleOf(r.multiple) {
		return "multipleOf"
	}
	return ""
}

package schema

import (
	"bytes"
	"math/big"
	"math/bits"
)

// maxDigits and maxExponent bound every number literal, in values and in
// schemas, before any arithmetic is done with it.
const (
	maxDigits   = 64
	maxExponent = 400
)

// decimal is an exact number: 0.d1d2d3… × 10^exp, d1 and the last digit not
// zero. Zero has no digits. It holds its digits itself, so that comparing
// allocates nothing.
type decimal struct {
	negative bool
	n        int
	exp      int
	digits   [maxDigits]byte // 0 to 9
}

// set reads a literal that passed the grammar and the guard.
func (d *decimal) set(lit []byte) {
	*d = decimal{}
	i := 0
	if lit[0] == '-' {
		d.negative = true
		i++
	}
	point := false
	for ; i < len(lit) && lit[i]|0x20 != 'e'; i++ {
		switch c := lit[i]; {
		case c == '.':
			point = true
		case c == '0' && d.n == 0:
			if point {
				d.exp--
			}
		default:
			if d.n < maxDigits {
				d.digits[d.n] = c - '0'
				d.n++
			}
			if !point {
				d.exp++
			}
		}
	}
	d.exp += exponent(lit[i:])
	for d.n > 0 && d.digits[d.n-1] == 0 {
		d.n--
	}
	if d.n == 0 {
		d.negative, d.exp = false, 0
	}
}

// exponent reads "e-12"; nothing is 0.
func exponent(s []byte) (e int) {
	negative := false
	for _, c := range s {
		switch {
		case c == '-':
			negative = true
		case c-'0' <= 9:
			e = min(e*10+int(c-'0'), 1<<30)
		}
	}
	if negative {
		return -e
	}
	return e
}

func decimalOf(lit string) *decimal {
	d := new(decimal)
	d.set([]byte(lit))
	return d
}

func (d *decimal) integer() bool { return d.n == 0 || d.exp >= d.n }

// compare returns -1, 0 or 1.
func (d *decimal) compare(o *decimal) int {
	switch {
	case d.negative != o.negative:
		if d.negative {
			return -1
		}
		return 1
	case d.n == 0 || o.n == 0:
		c := sign(d.n - o.n)
		if d.negative || o.negative {
			return -c
		}
		return c
	}
	c := sign(d.exp - o.exp)
	if c == 0 {
		c = bytes.Compare(d.digits[:d.n], o.digits[:o.n])
	}
	if d.negative {
		return -c
	}
	return c
}

func sign(n int) int {
	switch {
	case n < 0:
		return -1
	case n > 0:
		return 1
	default:
		return 0
	}
}

// uint64 returns the magnitude of an integral d, if it fits.
func (d *decimal) uint64() (n uint64, ok bool) {
	if !d.integer() || d.exp > 20 {
		return 0, false
	}
	for k := range d.exp {
		var digit uint64
		if k < d.n {
			digit = uint64(d.digits[k])
		}
		high, low := bits.Mul64(n, 10)
		sum, carry := bits.Add64(low, digit, 0)
		if high != 0 || carry != 0 {
			return 0, false
		}
		n = sum
	}
	return n, true
}

// int64 returns an integral d, if it fits.
func (d *decimal) int64() (int64, bool) {
	n, ok := d.uint64()
	switch {
	case !ok:
		return 0, false
	case d.negative && n <= 1<<63:
		return int64(-n), true
	case !d.negative && n < 1<<63:
		return int64(n), true
	}
	return 0, false
}

// big returns d's digits as an integer and the power of ten to multiply it with.
func (d *decimal) big() (n *big.Int, power int) {
	text := make([]byte, d.n)
	for k := range text {
		text[k] = d.digits[k] + '0'
	}
	n = new(big.Int)
	if d.n > 0 {
		n.SetString(string(text), 10)
	}
	if d.negative {
		n.Neg(n)
	}
	return n, d.exp - d.n
}

// multipleOf reports whether d is an integral multiple of o, which is greater
// than zero.
func (d *decimal) multipleOf(o *decimal) bool {
	if d.n == 0 {
		return true
	}
	// d = a × 10^p and o = c × 10^q; a and c do not end in zero. With p < q
	// the quotient could only be integral if a ended in zero.
	shift := (d.exp - d.n) - (o.exp - o.n)
	if shift < 0 {
		return false
	}
	if o.n > 18 {
		return d.multipleOfBig(o, shift)
	}
	var c, rest uint64
	for _, digit := range o.digits[:o.n] {
		c = c*10 + uint64(digit)
	}
	step := func(digit byte) {
		high, low := bits.Mul64(rest, 10)
		low, carry := bits.Add64(low, uint64(digit), 0)
		rest = bits.Rem64(high+carry, low, c)
	}
	for _, digit := range d.digits[:d.n] {
		step(digit)
	}
	for ; shift > 0 && rest != 0; shift-- {
		step(0)
	}
	return rest == 0
}

func (d *decimal) multipleOfBig(o *decimal, shift int) bool {
	a, _ := d.big()
	c, _ := o.big()
	a.Mul(a, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(shift)), nil))
	return a.Rem(a, c).Sign() == 0
}

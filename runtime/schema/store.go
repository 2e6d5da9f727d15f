package schema

import (
	"encoding/base64"
	"math"
	"strconv"
)

func (m *machine) storeString(p *plan, at place, s []byte, i, end int) bool {
	if p.kind == planString {
		at.setString(m.keep(s))
		return true
	}
	switch p.kind {
	case planBytes:
		decoded, err := base64.StdEncoding.Strict().AppendDecode(make([]byte, 0, base64.StdEncoding.DecodedLen(len(s))), s)
		if err != nil {
			return m.unfit(p, i, end)
		}
		at.setBytes(decoded)
		return true
	default:
		return m.unfit(p, i, end)
	}
}

// room returns how many bytes of strings are worth reserving at once: what the
// text can still hold, in pieces small enough that a kept string pins little.
func (m *machine) room(n int) int {
	const piece = 4 << 10
	return max(n, min(piece, len(m.Text)))
}

func (m *machine) storeWord(p *plan, at place, i, end int) bool {
	switch {
	case p.kind == planBool && m.Text[i] != 'n':
		at.setBool(m.Text[i] == 't')
		return true
	case m.Text[i] == 'n' && (p.kind == planNull || p.kind == planMap && p.nilIsNull):
		return true
	default:
		return m.unfit(p, i, end)
	}
}

func (m *machine) storeInt(p *plan, at place, n int64, i, end int) bool {
	switch p.kind {
	case planInt:
		if p.bits < 64 && (n < -1<<(p.bits-1) || n > 1<<(p.bits-1)-1) {
			return m.unfit(p, i, end)
		}
		at.setInt(p, n)
	case planUint:
		if n < 0 || p.bits < 64 && n >= 1<<p.bits {
			return m.unfit(p, i, end)
		}
		at.setUint(p, uint64(n))
	case planFloat:
		f := float64(n)
		if int64(f) != n { // |n| < 10^18: the conversion back is defined
			return m.unfit(p, i, end)
		}
		if n == 0 && m.Text[i] == '-' {
			f = math.Copysign(0, -1)
		}
		at.setFloat(f)
	default:
		return m.storeNumber(p, at, i, end)
	}
	return true
}

// storeNumber keeps the text of a number.
func (m *machine) storeNumber(p *plan, at place, i, end int) bool {
	if p.kind != planNumber {
		return m.unfit(p, i, end)
	}
	at.setString(m.keep(m.Text[i:end]))
	return true
}

func (m *machine) storeDecimal(p *plan, at place, d *decimal, i, end int) bool {
	switch p.kind {
	case planInt:
		n, ok := d.int64()
		return (ok || m.unfit(p, i, end)) && m.storeIntegral(p, at, n, i, end)
	case planUint:
		n, ok := d.uint64()
		if !ok || d.negative || p.bits < 64 && n >= 1<<p.bits {
			return m.unfit(p, i, end)
		}
		at.setUint(p, n)
	case planFloat:
		f, ok := d.float64(m.Text[i:end])
		if !ok {
			return m.unfit(p, i, end)
		}
		at.setFloat(f)
	default:
		return m.storeNumber(p, at, i, end)
	}
	return true
}

func (m *machine) storeIntegral(p *plan, at place, n int64, i, end int) bool {
	if p.bits < 64 && (n < -1<<(p.bits-1) || n > 1<<(p.bits-1)-1) {
		return m.unfit(p, i, end)
	}
	at.setInt(p, n)
	return true
}

// float64 returns the nearest float64 to a fraction, and exactly an integer:
// one that float64 would round is refused, as ids are integers too often. So
// is a number beyond its range, and one so small that it would become zero.
func (d *decimal) float64(lit []byte) (float64, bool) {
	if f, ok := shortFloat(lit); ok {
		return f, true
	}
	f, err := strconv.ParseFloat(string(lit), 64)
	if err != nil || f == 0 && d.n > 0 {
		return 0, false
	}
	if !d.integer() || d.n <= 15 && d.exp <= 22 {
		return f, true
	}
	var back decimal
	back.setExactFloat(f)
	return f, back.compare(d) == 0
}

// setExactFloat sets d to an integral f, as far as 64 digits hold it; a longer
// one differs from every literal within the guard but by its zeros.
func (d *decimal) setExactFloat(f float64) {
	var buf [512]byte
	d.set(strconv.AppendFloat(buf[:0], f, 'f', 0, 64))
}

// shortFloat reads literals of up to 15 digits and no exponent, whose float64
// is one exact division.
func shortFloat(lit []byte) (float64, bool) {
	if len(lit) > 16 {
		return 0, false
	}
	var n uint64
	digits, fraction, point := 0, 0, false
	for k, c := range lit {
		switch {
		case c-'0' <= 9:
			n = n*10 + uint64(c-'0')
			digits++
			if point {
				fraction++
			}
		case c == '.':
			point = true
		case c == '-' && k == 0:
		default:
			return 0, false
		}
	}
	if digits > 15 {
		return 0, false
	}
	f := float64(n) / powers[fraction]
	if lit[0] == '-' {
		f = -f
	}
	return f, true
}

var powers = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

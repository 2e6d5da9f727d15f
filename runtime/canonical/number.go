package canonical

import (
	"bytes"
	"fmt"
	"strconv"

	"github.com/openrpc-go/rpcgen/runtime/internal/scan"
)

// Number returns the canonical spelling of a JSON number literal: 1.0, 1e0 and
// 10e-1 are 1, -0 is 0. Values below 10^21 are written plainly, down to 10^-6;
// all others as d.ddde+x or d.ddde-x. Nothing is rounded: a literal over the
// limits, or whose canonical spelling is over them, is an error.
func Number(literal string) (string, error) {
	b := []byte(literal)
	end, err := scan.Number(b, 0)
	if err == nil {
		err = scan.Guard(b, 0, end, limits)
	}
	if err == nil && end != len(b) {
		err = &scan.Error{Offset: end, Code: scan.TrailingData}
	}
	if err != nil {
		return "", fmt.Errorf("not a canonical number: %w", err)
	}
	out, err := appendNumber(nil, b)
	if err != nil {
		return "", fmt.Errorf("not a canonical number: %w", err)
	}
	return string(out), nil
}

// appendNumber appends the canonical spelling of a valid literal.
func appendNumber(dst, literal []byte) ([]byte, error) {
	if plainInteger(literal) {
		return append(dst, literal...), nil
	}
	d, err := parseDecimal(literal)
	if err != nil {
		return dst, err
	}
	if len(d.digits) == 0 {
		return append(dst, '0'), nil // -0 too
	}
	if over := d.over(); over != "" {
		return dst, fmt.Errorf("number %q: its canonical form has %s", literal, over)
	}
	if d.negative {
		dst = append(dst, '-')
	}
	return d.append(dst), nil
}

// plainInteger reports whether a valid literal is already canonical because it
// is an integer of few digits. -0 is not.
func plainInteger(literal []byte) bool {
	if len(literal) > 18 || literal[0] == '-' && literal[1] == '0' {
		return false
	}
	return !bytes.ContainsAny(literal, ".eE")
}

// decimal is ±0.digits × 10^point. digits has no zero at either end; it is
// empty for zero.
type decimal struct {
	negative bool
	digits   []byte
	point    int
}

func parseDecimal(literal []byte) (decimal, error) {
	var d decimal
	if literal[0] == '-' {
		d.negative, literal = true, literal[1:]
	}
	exponent := 0
	if i := bytes.IndexAny(literal, "eE"); i >= 0 {
		n, err := strconv.Atoi(string(literal[i+1:])) // takes a leading +
		if err != nil {
			return d, fmt.Errorf("number %q: bad exponent", literal)
		}
		exponent, literal = n, literal[:i]
	}
	whole, fraction, _ := bytes.Cut(literal, []byte{'.'})
	digits := append(bytes.Clone(whole), fraction...)
	significant := bytes.TrimLeft(digits, "0")
	d.point = len(whole) - (len(digits) - len(significant)) + exponent
	d.digits = bytes.TrimRight(significant, "0")
	return d, nil
}

// plain reports whether the number is written without an exponent; the borders
// are those of ECMAScript's Number::toString.
func (d decimal) plain() bool { return -6 < d.point && d.point <= 21 }

// over names the limit that the canonical spelling breaks, or is empty.
func (d decimal) over() string {
	switch {
	case !d.plain() && (d.point-1 > MaxExponent || d.point-1 < -MaxExponent):
		return fmt.Sprintf("an exponent beyond %d", MaxExponent)
	case len(d.digits) > MaxDigits, d.plain() && d.point <= 0 && 1-d.point+len(d.digits) > MaxDigits:
		return fmt.Sprintf("more than %d digits", MaxDigits)
	default:
		return ""
	}
}

func (d decimal) append(dst []byte) []byte {
	n, p := len(d.digits), d.point
	switch {
	case !d.plain():
		dst = append(dst, d.digits[0])
		if n > 1 {
			dst = append(append(dst, '.'), d.digits[1:]...)
		}
		dst = append(dst, 'e')
		if p > 0 {
			dst = append(dst, '+')
		}
		return strconv.AppendInt(dst, int64(p-1), 10)
	case p <= 0:
		return append(appendZeros(append(dst, "0."...), -p), d.digits...)
	case p < n:
		return append(append(append(dst, d.digits[:p]...), '.'), d.digits[p:]...)
	default:
		return appendZeros(append(dst, d.digits...), p-n)
	}
}

func appendZeros(dst []byte, n int) []byte {
	for range n {
		dst = append(dst, '0')
	}
	return dst
}

package plan

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

// smallInteger reads a canonical literal as an int64; ok is false for
// fractions and for integers beyond 64 bits.
func smallInteger(literal string) (int64, bool) {
	n, err := strconv.ParseInt(literal, 10, 64)
	return n, err == nil
}

// integer is the Go type of an integer: by its bounds and format.
func (v *view) integer() Type {
	low, high := v.bounds()
	unsigned := low != nil && low.Sign() >= 0
	switch {
	case low != nil && low.Cmp(minInt64) < 0:
		return Integer
	case high == nil && (unsigned || low == nil) && v.format("uint64"):
		return Uint64
	case high == nil || high.Cmp(maxInt64) <= 0:
		return Int64
	case unsigned && high.Cmp(maxUint64) <= 0:
		return Uint64
	default:
		return Integer
	}
}

func (v *view) format(name string) bool {
	for _, s := range v.strings {
		if s.Format == name {
			return true
		}
	}
	return false
}

var (
	minInt64  = big.NewInt(math.MinInt64)
	maxInt64  = big.NewInt(math.MaxInt64)
	maxUint64 = new(big.Int).SetUint64(math.MaxUint64)
)

// bounds are the tightest bounds that can be read; nil where there is none.
func (v *view) bounds() (low, high *big.Int) {
	for _, n := range v.numbers {
		for _, l := range []string{n.Minimum, n.ExclusiveMinimum} {
			if b := whole(l); b != nil && (low == nil || b.Cmp(low) > 0) {
				low = b
			}
		}
		for _, l := range []string{n.Maximum, n.ExclusiveMaximum} {
			if b := whole(l); b != nil && (high == nil || b.Cmp(high) < 0) {
				high = b
			}
		}
	}
	return low, high
}

// whole reads a literal as an integer, rounding a fraction away from nothing
// that matters here; nil when there is no literal or it is out of all reason.
func whole(literal string) *big.Int {
	if literal == "" || len(literal) > 80 || exponent(literal) > 400 {
		return nil
	}
	r, ok := new(big.Rat).SetString(literal)
	if !ok {
		return nil
	}
	return new(big.Int).Quo(r.Num(), r.Denom())
}

// exponent is the size of the literal's exponent, so that a short literal
// cannot ask for a huge number.
func exponent(literal string) int {
	_, e, found := strings.Cut(strings.ToLower(literal), "e")
	if !found {
		return 0
	}
	n, err := strconv.Atoi(e)
	if err != nil {
		return math.MaxInt
	}
	return max(n, -n)
}

package pin

import (
	"math/big"
	"strconv"

	"github.com/openrpc-go/rpcgen/runtime/canonical"
	rt "github.com/openrpc-go/rpcgen/runtime/schema"
)

// integerBounds returns the least and the greatest integer within bounds, ""
// where there is none; false when a literal is over the limits.
func integerBounds(b *rt.NumberRules) (low, high string, ok bool) {
	var from, to *big.Int
	for _, bound := range []struct {
		literal   string
		up        bool // a lower bound
		exclusive bool
	}{
		{b.Minimum, true, false}, {b.ExclusiveMinimum, true, true},
		{b.Maximum, false, false}, {b.ExclusiveMaximum, false, true},
	} {
		if bound.literal == "" {
			continue
		}
		n, ok := nearest(bound.literal, bound.up, bound.exclusive)
		switch {
		case !ok:
			return "", "", false
		case bound.up && (from == nil || n.Cmp(from) > 0):
			from = n
		case !bound.up && (to == nil || n.Cmp(to) < 0):
			to = n
		}
	}
	return decimal(from), decimal(to), true
}

// nearest returns the first integer that a bound admits, upwards or downwards.
func nearest(literal string, up, exclusive bool) (*big.Int, bool) {
	if n, err := strconv.ParseInt(literal, 10, 32); err == nil {
		switch {
		case up && exclusive:
			n++
		case exclusive:
			n--
		}
		return big.NewInt(n), true
	}
	if _, err := canonical.Number(literal); err != nil { // bounds the exponent
		return nil, false
	}
	r, ok := new(big.Rat).SetString(literal)
	if !ok {
		return nil, false
	}
	floor := new(big.Int).Div(r.Num(), r.Denom()) // Euclidean: rounds down
	exact := r.IsInt()
	one := big.NewInt(1)
	switch {
	case up && (exclusive || !exact):
		return floor.Add(floor, one), true
	case !up && exclusive && exact:
		return floor.Sub(floor, one), true
	default:
		return floor, true
	}
}

func decimal(n *big.Int) string {
	if n == nil {
		return ""
	}
	return n.String()
}

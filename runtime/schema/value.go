package schema

import (
	"errors"
	"math/big"
	"strconv"
	"time"

	"github.com/openrpc-go/rpcgen/runtime/internal/scan"
)

// Raw is a JSON value as text. The engine puts only checked values into one;
// nil is no value.
type Raw []byte

// MarshalJSON returns the value itself, null for nil.
func (r Raw) MarshalJSON() ([]byte, error) {
	if r == nil {
		return []byte("null"), nil
	}
	return r, nil
}

// Null is the Go type of a value that can only be null.
type Null struct{}

// MarshalJSON returns null.
func (Null) MarshalJSON() ([]byte, error) { return []byte("null"), nil }

// Presence says whether a member stands in its object, and with what.
type Presence uint8

const (
	Absent  Presence = iota // the member is not there
	IsNull                  // the member is null
	Present                 // the member has a value
)

// Nullable is a value that may be absent or null. The zero value is absent. A
// struct with a member of its own type holds a Nullable of a pointer, which
// points at a value when State is Present.
type Nullable[T any] struct {
	State Presence
	Value T // the zero T unless State is Present
}

// Value returns a Nullable that holds v.
func Value[T any](v T) Nullable[T] { return Nullable[T]{Present, v} }

// NullOf returns a Nullable that is null.
func NullOf[T any]() Nullable[T] { return Nullable[T]{State: IsNull} }

// Get returns the value and whether there is one.
func (n Nullable[T]) Get() (T, bool) { return n.Value, n.State == Present }

// IsZero reports whether n is absent, as the omitzero option asks.
func (n Nullable[T]) IsZero() bool { return n.State == Absent }

func (Nullable[T]) nullable() {}

// Time is an RFC 3339 date-time as it was written.
type Time string

// TimeOf returns t as a Time, with the precision and the offset it has.
func TimeOf(t time.Time) Time { return Time(t.Format(time.RFC3339Nano)) }

// Time parses the text. Whether format is asserted is up to the schema, so a
// checked value may still fail here.
func (t Time) Time() (time.Time, error) { return time.Parse(time.RFC3339, string(t)) }

// Integer is an integer of any size as it was written: 12, 1e3, 5.0. The zero
// value is 0.
type Integer string

// IntegerOf returns n as an Integer.
func IntegerOf(n int64) Integer { return Integer(strconv.FormatInt(n, 10)) }

// BigInteger returns n as an Integer.
func BigInteger(n *big.Int) Integer { return Integer(n.String()) }

// Int64 returns the value, if it fits.
func (n Integer) Int64() (int64, bool) {
	d, err := parseDecimal(string(n))
	if err != nil {
		return 0, false
	}
	return d.int64()
}

// Int returns the value. It fails for text that is no integer of at most 64
// digits with an exponent within 400.
func (n Integer) Int() (*big.Int, error) {
	d, err := parseDecimal(string(n))
	if err != nil {
		return nil, err
	}
	if !d.integer() {
		return nil, errors.New("schema: not an integer")
	}
	v, power := d.big()
	if power < 0 {
		return nil, errors.New("schema: not an integer")
	}
	return v.Mul(v, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(power)), nil)), nil
}

// MarshalJSON returns the number.
func (n Integer) MarshalJSON() ([]byte, error) { return numberText(string(n)) }

// Decimal is a number as it was written. The zero value is 0.
type Decimal string

// Rat returns the exact value. It fails for text that is no number of at most
// 64 digits with an exponent within 400.
func (d Decimal) Rat() (*big.Rat, error) {
	v, err := parseDecimal(string(d))
	if err != nil {
		return nil, err
	}
	n, power := v.big()
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(power, -power))), nil)
	if power < 0 {
		return new(big.Rat).SetFrac(n, scale), nil
	}
	return new(big.Rat).SetInt(n.Mul(n, scale)), nil
}

// Float64 returns the nearest float64.
func (d Decimal) Float64() (float64, error) {
	if d == "" {
		return 0, nil
	}
	return strconv.ParseFloat(string(d), 64)
}

// MarshalJSON returns the number.
func (d Decimal) MarshalJSON() ([]byte, error) { return numberText(string(d)) }

func numberText(s string) ([]byte, error) {
	if s == "" {
		return []byte("0"), nil
	}
	if _, err := parseDecimal(s); err != nil {
		return nil, err
	}
	return []byte(s), nil
}

func parseDecimal(s string) (*decimal, error) {
	if s == "" {
		return new(decimal), nil
	}
	b := []byte(s)
	end, err := scan.Number(b, 0)
	if err == nil {
		err = scan.Guard(b, 0, end, scan.Limits{NumberDigits: maxDigits, Exponent: maxExponent})
	}
	if err != nil || end != len(b) {
		return nil, errors.New("schema: not a number of at most 64 digits")
	}
	return decimalOf(s), nil
}

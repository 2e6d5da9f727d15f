// Package canonical gives JSON values one spelling and turns spellings into
// digests, so that what is pinned, what is approved and what is sent can be
// compared byte for byte. It never rounds: a value that has no exact canonical
// form is refused. Start with JSON and Digest; Graph gives digests to schemas.
//
// Canonical JSON v1 has the layout and key order of RFC 8785 (no white space,
// members sorted by their names' UTF-16 units, shortest escapes) and differs
// from it in what it takes: any value at the top; numbers as exact decimals
// that never pass through float64; and a refusal of everything that has two
// readings. Where RFC 8785 keeps a value exactly, both give the same bytes.
package canonical

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/openrpc-go/rpcgen/runtime/internal/scan"
)

// The limits of canonical JSON v1. They hold for the input and for the output
// alike, so that canonical JSON is itself always taken.
const (
	MaxDepth    = 64  // containers within containers
	MaxDigits   = 64  // digits of a number before its exponent
	MaxExponent = 400 // absolute value of a number's exponent
)

var limits = scan.Limits{Depth: MaxDepth, NumberDigits: MaxDigits, Exponent: MaxExponent}

// JSON appends the canonical form of the one JSON value in src to dst. Space
// around the value is allowed. Not JSON, a byte order mark, invalid UTF-8, a
// lone surrogate, a member given twice, and anything over the limits above is
// an error; then the slice returned is dst as it was.
func JSON(dst, src []byte) ([]byte, error) {
	if err := scan.Valid(src, limits); err != nil {
		return dst, fmt.Errorf("not canonical JSON: %w", err)
	}
	out, _, err := appendValue(dst, src, scan.Space(src, 0))
	if err != nil {
		return dst, fmt.Errorf("not canonical JSON: %w", err)
	}
	return out, nil
}

// appendValue appends the value at src[i], which is known to be valid, and
// returns the index after it.
func appendValue(dst, src []byte, i int) ([]byte, int, error) {
	switch src[i] {
	case '{':
		return appendObject(dst, src, i)
	case '[':
		return appendArray(dst, src, i)
	case '"':
		dst, _, end, err := appendString(dst, src, i)
		return dst, end, err
	case 't', 'n':
		return append(dst, src[i:i+4]...), i + 4, nil
	case 'f':
		return append(dst, src[i:i+5]...), i + 5, nil
	default:
		end, err := scan.Number(src, i)
		if err != nil {
			return dst, i, err
		}
		dst, err = appendNumber(dst, src[i:end])
		return dst, end, err
	}
}

func appendArray(dst, src []byte, i int) ([]byte, int, error) {
	dst = append(dst, '[')
	i = scan.Space(src, i+1)
	for first := true; src[i] != ']'; first = false {
		if !first {
			dst = append(dst, ',')
			i = scan.Space(src, i+1) // over the comma
		}
		var err error
		if dst, i, err = appendValue(dst, src, i); err != nil {
			return dst, i, err
		}
		i = scan.Space(src, i)
	}
	return append(dst, ']'), i + 1, nil
}

// member is one member of an object as it was appended.
type member struct {
	name       []byte // unescaped
	start, end int    // in dst
}

func appendObject(dst, src []byte, i int) ([]byte, int, error) {
	dst = append(dst, '{')
	start := len(dst)
	var room [8]member
	members := room[:0]
	i = scan.Space(src, i+1)
	for src[i] != '}' {
		if src[i] == ',' {
			i = scan.Space(src, i+1)
		}
		m := member{start: len(dst)}
		var err error
		if dst, m.name, i, err = appendString(dst, src, i); err != nil {
			return dst, i, err
		}
		dst = append(dst, ':')
		i = scan.Space(src, scan.Space(src, i)+1) // over the colon
		if dst, i, err = appendValue(dst, src, i); err != nil {
			return dst, i, err
		}
		m.end = len(dst)
		members = append(members, m)
		i = scan.Space(src, i)
	}
	return append(sortMembers(dst, start, members), '}'), i + 1, nil
}

// sortMembers puts the members in dst[start:], so far in the order of the
// input and not separated, into canonical order.
func sortMembers(dst []byte, start int, members []member) []byte {
	if len(members) < 2 {
		return dst
	}
	text := bytes.Clone(dst[start:])
	slices.SortFunc(members, func(a, b member) int { return compareUTF16(a.name, b.name) })
	dst = dst[:start]
	for i, m := range members {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, text[m.start-start:m.end-start]...)
	}
	return dst
}

// compareUTF16 orders two valid UTF-8 texts by their UTF-16 code units. That
// is the order of code points, but for those beyond the basic plane: their
// surrogates (D800 to DFFF) sort before the units E000 to FFFF.
func compareUTF16(a, b []byte) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	for n > 0 && (n < len(a) && !utf8.RuneStart(a[n]) || n < len(b) && !utf8.RuneStart(b[n])) {
		n-- // back to the first byte of the code point in which they differ
	}
	if n == len(a) || n == len(b) {
		return cmp.Compare(len(a), len(b))
	}
	x, _ := utf8.DecodeRune(a[n:])
	y, _ := utf8.DecodeRune(b[n:])
	if (x >= 0x10000) != (y >= 0x10000) {
		return cmp.Compare(firstUnit(x), firstUnit(y))
	}
	return cmp.Compare(x, y)
}

func firstUnit(r rune) rune {
	if r >= 0x10000 {
		return 0xD800
	}
	return r
}

// appendString appends the string at src[i] and returns its text and the index
// after it.
func appendString(dst, src []byte, i int) (out, text []byte, end int, err error) {
	end, escaped, err := scan.String(src, i)
	if err != nil {
		return dst, nil, i, err
	}
	if !escaped {
		return append(dst, src[i:end]...), src[i+1 : end-1], end, nil
	}
	text = scan.Unquote(nil, src[i:end])
	return scan.AppendQuote(dst, string(text)), text, end, nil
}

// Quote returns s, which must be valid UTF-8, as a canonical JSON string: the
// short escapes where JSON has them, \u00xx for other controls, no others.
func Quote(s string) string { return string(AppendQuote(nil, s)) }

// AppendQuote appends what Quote returns.
func AppendQuote(dst []byte, s string) []byte { return scan.AppendQuote(dst, s) }

package scan

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf16"
	"unicode/utf8"
)

// String reads the string whose opening quote is b[i] and returns the index
// behind its closing quote, and whether it holds an escape.
func String(b []byte, i int) (end int, escaped bool, err error) {
	for i++; ; {
		i = Plain(b, i)
		if i >= len(b) {
			return i, escaped, &Error{Offset: len(b), Code: UnexpectedEnd}
		}
		switch c := b[i]; {
		case c == '"':
			return i + 1, escaped, nil
		case c == '\\':
			escaped = true
			if i, err = escape(b, i); err != nil {
				return i, escaped, err
			}
		case c < ' ':
			return i, escaped, &Error{Offset: i, Code: ControlByte}
		default:
			r, n := utf8.DecodeRune(b[i:])
			if r == utf8.RuneError && n == 1 {
				return i, escaped, &Error{Offset: i, Code: InvalidUTF8}
			}
			i += n
		}
	}
}

const (
	lows  = 0x0101010101010101
	highs = 0x8080808080808080
)

// Plain returns the index of the first byte at or after b[i] that is a quote,
// a backslash, a control character or not ASCII: eight bytes at a time. A
// subtraction borrows only from a byte that stops as well, so the lowest mark
// is exact.
func Plain(b []byte, i int) int {
	for ; i+8 <= len(b); i += 8 {
		w := binary.LittleEndian.Uint64(b[i:])
		quote, slash := w^(lows*'"'), w^(lows*'\\')
		if marks := (w | (w - lows*' ') | (quote - lows) | (slash - lows)) & highs; marks != 0 {
			return i + bits.TrailingZeros64(marks)/8
		}
	}
	for i < len(b) && stops[b[i]] == 0 {
		i++
	}
	return i
}

// stops marks the bytes at which Plain stops.
var stops = func() (t [256]uint8) {
	for c := range t {
		if c < ' ' || c >= utf8.RuneSelf || c == '"' || c == '\\' {
			t[c] = 1
		}
	}
	return t
}()

// escape reads the escape at b[i], a surrogate pair as one.
func escape(b []byte, i int) (int, error) {
	if i+1 >= len(b) {
		return i, &Error{Offset: len(b), Code: UnexpectedEnd}
	}
	switch b[i+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return i + 2, nil
	case 'u':
	default:
		return i, &Error{Offset: i, Code: InvalidEscape}
	}
	unit, ok := hex4(b, i+2)
	switch {
	case !ok:
		return i, &Error{Offset: i, Code: InvalidEscape}
	case !utf16.IsSurrogate(unit):
		return i + 6, nil
	}
	if i+7 < len(b) && b[i+6] == '\\' && b[i+7] == 'u' {
		if low, ok := hex4(b, i+8); ok && utf16.DecodeRune(unit, low) != utf8.RuneError {
			return i + 12, nil
		}
	}
	return i, &Error{Offset: i, Code: LoneSurrogate}
}

func hex4(b []byte, i int) (r rune, ok bool) {
	if i+4 > len(b) {
		return 0, false
	}
	for _, c := range b[i : i+4] {
		switch {
		case c-'0' <= 9:
			r = r<<4 | rune(c-'0')
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			r = r<<4 | rune(c|0x20-'a'+10)
		default:
			return 0, false
		}
	}
	return r, true
}

// Unquote appends what the string quoted stands for to dst. quoted must be a
// string that String accepted, with its quotes.
func Unquote(dst, quoted []byte) []byte {
	s := quoted[1 : len(quoted)-1]
	for i := 0; i < len(s); {
		if s[i] != '\\' {
			from := i
			for i < len(s) && s[i] != '\\' {
				i++
			}
			dst = append(dst, s[from:i]...)
			continue
		}
		switch c := s[i+1]; c {
		case 'u':
			r, _ := hex4(s, i+2)
			if i += 6; utf16.IsSurrogate(r) {
				low, _ := hex4(s, i+2)
				r = utf16.DecodeRune(r, low)
				i += 6
			}
			dst = utf8.AppendRune(dst, r)
		default:
			dst = append(dst, unescaped(c))
			i += 2
		}
	}
	return dst
}

func unescaped(c byte) byte {
	switch c {
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	default: // '"', '\\', '/'
		return c
	}
}

// AppendQuote appends s as a JSON string: the two-letter escapes where there
// are some, \u00xx for other control characters, everything else as it is.
// Bytes that are not UTF-8 become U+FFFD; who must not lose them checks first.
func AppendQuote(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	from := 0
	for i := 0; i < len(s); {
		c := s[i]
		if stops[c] == 0 {
			i++
			continue
		}
		if c >= utf8.RuneSelf {
			r, n := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && n == 1 {
				dst = append(dst, s[from:i]...)
				dst = append(dst, "\uFFFD"...)
				from = i + 1
			}
			i += n
			continue
		}
		dst = append(dst, s[from:i]...)
		if short := escapes[c]; short != 0 {
			dst = append(dst, '\\', short)
		} else {
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
		i++
		from = i
	}
	dst = append(dst, s[from:]...)
	return append(dst, '"')
}

var escapes = [utf8.RuneSelf]byte{
	'"': '"', '\\': '\\', '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't',
}

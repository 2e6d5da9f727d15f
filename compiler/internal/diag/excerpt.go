package diag

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

const (
	tabWidth = 4
	ellipsis = "..."
)

// excerpt returns the part of the line around p that fits into width cells,
// escaped, and the cell of the caret. It looks at a bounded number of bytes:
// a line can be as long as the document.
func excerpt(p source.Position, width int) (text string, caret int, ok bool) {
	if p.File == nil || p.Line == 0 || p.Offset > len(p.File.Bytes) {
		return "", 0, false
	}
	before, cutBefore := lineBefore(p.File.Bytes[:p.Offset], width)
	after, cutAfter := lineAfter(p.File.Bytes[p.Offset:], width)
	all, split := cells(before+after, len(before))
	left, right := all[:split], all[split:]
	left, right, cutBefore, cutAfter = window(left, right, width, cutBefore, cutAfter)

	var b strings.Builder
	if cutBefore {
		b.WriteString(ellipsis)
		caret = len(ellipsis)
	}
	for _, c := range left {
		b.WriteString(c.text)
		caret += c.width
	}
	for _, c := range right {
		b.WriteString(c.text)
	}
	if cutAfter {
		b.WriteString(ellipsis)
	}
	return b.String(), caret, true
}

// bytesPerCell covers a rune of four bytes with two marks on it.
const bytesPerCell = 12

func lineBefore(b []byte, width int) (s string, cut bool) {
	if most := width * bytesPerCell; len(b) > most {
		b, cut = b[len(b)-most:], true
		for len(b) > 0 && !utf8.RuneStart(b[0]) {
			b = b[1:]
		}
	}
	s = string(b)
	if i := strings.LastIndexAny(s, "\r\n"); i >= 0 {
		return s[i+1:], false
	}
	return s, cut
}

func lineAfter(b []byte, width int) (s string, cut bool) {
	if most := width * bytesPerCell; len(b) > most {
		b, cut = b[:most], true
		for len(b) > 0 && !utf8.RuneStart(b[len(b)-1]) {
			b = b[:len(b)-1]
		}
		if len(b) > 0 {
			b = b[:len(b)-1]
		}
	}
	s = string(b)
	if i := strings.IndexAny(s, "\r\n"); i >= 0 {
		return s[:i], false
	}
	return s, cut
}

// cell is one character as shown.
type cell struct {
	text  string
	width int
}

// cells also returns which cell holds the byte at the given offset; an offset
// inside a broken or a whole rune belongs to the cell of that rune.
func cells(s string, offset int) (out []cell, at int) {
	column := 0
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		c := cell{s[i : i+size], runeWidth(r)}
		switch {
		case r == '\t':
			c.width = tabWidth - column%tabWidth
			c.text = strings.Repeat(" ", c.width)
		case !source.Visible(r):
			c = spelled(spellRune(r, c.text))
		case commandAt(s, i):
			c = spelled(commandMark)
		}
		column += c.width
		out = append(out, c)
		if i += size; i <= offset {
			at = len(out)
		}
	}
	return out, at
}

func spelled(s string) cell { return cell{s, len(s)} }

func total(cs []cell) int {
	sum := 0
	for _, c := range cs {
		sum += c.width
	}
	return sum
}

// window drops cells far from the caret. The left side keeps up to two thirds,
// more when the right side leaves room.
func window(left, right []cell, width int, cutLeft, cutRight bool) ([]cell, []cell, bool, bool) {
	l, r := total(left), total(right)
	if l+r <= width {
		return left, right, cutLeft, cutRight
	}
	keep := max(width*2/3, width-r)
	for len(left) > 0 && l > keep {
		l -= left[0].width
		left, cutLeft = left[1:], true
	}
	for len(right) > 1 && l+r > width {
		r -= right[len(right)-1].width
		right, cutRight = right[:len(right)-1], true
	}
	return left, right, cutLeft, cutRight
}

// runeWidth is how many cells a terminal gives r: marks none, the wide blocks
// of East Asia and pictures two.
func runeWidth(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me):
		return 0
	case unicode.Is(wide, r):
		return 2
	default:
		return 1
	}
}

var wide = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x1100, Hi: 0x115f, Stride: 1},
		{Lo: 0x2e80, Hi: 0x303e, Stride: 1},
		{Lo: 0x3041, Hi: 0xa4cf, Stride: 1},
		{Lo: 0xac00, Hi: 0xd7a3, Stride: 1},
		{Lo: 0xf900, Hi: 0xfaff, Stride: 1},
		{Lo: 0xfe30, Hi: 0xfe6f, Stride: 1},
		{Lo: 0xff00, Hi: 0xff60, Stride: 1},
		{Lo: 0xffe0, Hi: 0xffe6, Stride: 1},
	},
	R32: []unicode.Range32{
		{Lo: 0x1f300, Hi: 0x1f64f, Stride: 1},
		{Lo: 0x1f900, Hi: 0x1f9ff, Stride: 1},
		{Lo: 0x20000, Hi: 0x3fffd, Stride: 1},
	},
}

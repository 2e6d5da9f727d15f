package compiled

import (
	"fmt"
	"unicode/utf8"

	"github.com/openrpc-go/rpcgen/runtime/internal/scan"
)

// columns is the width within which an object or array stays on one line.
const columns = 100

// layout appends compact JSON in lines, for people who read a change: an
// object or array whose compact form ends within the columns, counted in
// bytes, stays on its line; of any other, each member or element has its own,
// one space deeper. The outermost value and its members' values are always
// broken up when they hold anything.
func layout(dst, compact []byte) []byte {
	l := &liner{src: compact, dst: dst, start: len(dst)}
	l.value(0, len(compact), 0)
	return l.dst
}

type liner struct {
	src, dst []byte
	start    int // of the current line in dst
}

// The following methods lay an object out in pieces.

// members begins the object with the members of another one, and returns how
// many there are.
func (l *liner) members(compact []byte) (count int) {
	l.src = compact
	l.dst = append(l.dst, '{')
	_ = scan.Members(l.src, 0, func(name []byte, from, to int) error {
		l.line(count, 1)
		count++
		l.dst = append(appendVisible(l.dst, name), ": "...)
		l.value(from, to, 1)
		return nil
	})
	return count
}

// open begins a member that holds entries; count members stand before it.
func (l *liner) open(count int, name string, bracket byte) {
	l.line(count, 1)
	l.dst = append(append(append(append(l.dst, '"'), name...), `": `...), bracket)
}

// entry adds an entry; name is that of a member as it is written, nil for an element.
func (l *liner) entry(i int, name, compact []byte) {
	l.line(i, 2)
	if name != nil {
		l.dst = append(appendVisible(l.dst, name), ": "...)
	}
	l.src = compact
	l.value(0, len(compact), 2)
}

// close ends a member that holds so many entries.
func (l *liner) close(entries int, bracket byte) {
	if entries > 0 {
		l.line(0, 1)
	}
	l.dst = append(l.dst, bracket)
}

func (l *liner) value(start, end, indent int) {
	c := l.src[start]
	fits := len(l.dst)-l.start+end-start <= columns
	if c != '{' && c != '[' || end-start == 2 || fits && indent > 1 {
		l.dst = appendVisible(l.dst, l.src[start:end])
		return
	}
	// compact is our own JSON, so that neither walk can fail.
	count := 0
	if c == '{' {
		l.dst = append(l.dst, '{')
		_ = scan.Members(l.src, start, func(name []byte, from, to int) error {
			l.line(count, indent+1)
			count++
			l.dst = append(appendVisible(l.dst, name), ": "...)
			l.value(from, to, indent+1)
			return nil
		})
	} else {
		l.dst = append(l.dst, '[')
		_ = scan.Elements(l.src, start, func(from, to int) error {
			l.line(count, indent+1)
			count++
			l.value(from, to, indent+1)
			return nil
		})
	}
	l.line(0, indent)
	l.dst = append(l.dst, l.src[end-1])
}

// line ends the current line, with a comma after the first item.
func (l *liner) line(item, indent int) {
	l.dst = append(separate(l.dst, item), '\n')
	l.start = len(l.dst)
	for range indent {
		l.dst = append(l.dst, ' ')
	}
}

// appendVisible appends compact JSON with every character escaped that a
// reviewer would not see or that reorders what he sees.
func appendVisible(dst, src []byte) []byte {
	for i := 0; i < len(src); {
		plain := i
		for i < len(src) && src[i] < 0x7f {
			i++
		}
		if dst = append(dst, src[plain:i]...); i == len(src) {
			break
		}
		r, n := utf8.DecodeRune(src[i:])
		switch {
		case !invisible(r):
			dst = append(dst, src[i:i+n]...)
		case r < 0x10000:
			dst = fmt.Appendf(dst, `\u%04x`, r)
		default:
			dst = fmt.Appendf(dst, `\u%04x\u%04x`, 0xd800+(r-0x10000)>>10, 0xdc00+(r-0x10000)&0x3ff)
		}
		i += n
	}
	return dst
}

// invisible reports whether r is a control or format character. The list is
// fixed, so that no release of the Unicode tables moves our bytes.
func invisible(r rune) bool {
	for _, s := range [...][2]rune{
		{0x7f, 0x9f}, {0xad, 0xad}, {0x34f, 0x34f}, {0x61c, 0x61c}, {0x115f, 0x1160}, {0x17b4, 0x17b5},
		{0x180b, 0x180f}, {0x200b, 0x200f}, {0x2028, 0x202e}, {0x2060, 0x206f}, {0x3164, 0x3164},
		{0xfe00, 0xfe0f}, {0xfeff, 0xfeff}, {0xffa0, 0xffa0}, {0xfff0, 0xfffb}, {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff},
	} {
		if s[0] <= r && r <= s[1] {
			return true
		}
	}
	return false
}

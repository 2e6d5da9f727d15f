package source

import "unicode/utf8"

// marks turns the lines and columns of the YAML library into byte offsets.
// The library counts runes, and it ends lines where YAML 1.1 does: also after
// NEL, LS and PS. Positions come in text order, so a cursor that only moves on
// makes the whole conversion one pass, even over one line of megabytes.
type marks struct {
	text   []byte
	starts []int

	line, column, at int // the cursor
}

func newMarks(b []byte) *marks {
	m := &marks{text: b, starts: []int{0}, line: 1, column: 1}
	for i := 0; i < len(b); i++ {
		if size := lineBreak(b[i:]); size > 0 {
			i += size - 1
			m.starts = append(m.starts, i+1)
		}
	}
	return m
}

// lineBreak returns the length of the line break that b starts with.
func lineBreak(b []byte) int {
	switch {
	case b[0] == '\r' && len(b) > 1 && b[1] == '\n':
		return 2
	case b[0] == '\n', b[0] == '\r':
		return 1
	case b[0] == 0xc2 && len(b) > 1 && b[1] == 0x85:
		return 2
	case b[0] == 0xe2 && len(b) > 2 && b[1] == 0x80 && (b[2] == 0xa8 || b[2] == 0xa9):
		return 3
	default:
		return 0
	}
}

// offset returns the byte offset of a mark, inside the text whatever it says.
func (m *marks) offset(line, column int) int {
	if line > len(m.starts) {
		return len(m.text)
	}
	if line < 1 {
		return 0
	}
	if line != m.line || column < m.column {
		m.line, m.column, m.at = line, 1, m.starts[line-1]
	}
	for m.column < column && m.at < len(m.text) {
		_, size := utf8.DecodeRune(m.text[m.at:])
		m.at += size
		m.column++
	}
	return m.at
}

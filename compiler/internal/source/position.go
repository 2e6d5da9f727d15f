package source

import (
	"slices"
	"strconv"
)

// Position is a place in a file. Lines and columns start at 1; a column counts
// runes (code points), a tab as one. A Position whose Line is 0 names the file
// alone. The zero Position is no place at all.
type Position struct {
	File   *File
	Offset int // in bytes, of File.Bytes
	Line   int
	Column int
}

// IsZero reports whether p names not even a file.
func (p Position) IsZero() bool { return p.File == nil }

// String returns "name:line:column", or the name alone when the line is unknown.
// The name is printed as it is; escape it before it reaches a terminal.
func (p Position) String() string {
	if p.File == nil {
		return ""
	}
	if p.Line == 0 {
		return p.File.Name
	}
	return p.File.Name + ":" + strconv.Itoa(p.Line) + ":" + strconv.Itoa(p.Column)
}

// Position returns the line and column of a byte offset; an offset beyond the
// file counts as its end. LF, CR LF and a lone CR end a line, as editors see it.
// The first call builds the index of lines, later calls cost a binary search.
func (f *File) Position(offset int) Position {
	if f == nil {
		return Position{}
	}
	f.once.Do(func() { f.lines = newLineIndex(f.Bytes) })
	offset = min(max(offset, 0), len(f.Bytes))
	line, found := slices.BinarySearch(f.lines.starts, offset)
	if found {
		line++
	}
	start := f.lines.starts[line-1]
	column := f.lines.runesBefore(f.Bytes, offset) - f.lines.runesBefore(f.Bytes, start)
	return Position{File: f, Offset: offset, Line: line, Column: column + 1}
}

// place is the position of a fault in a file that may not have been read.
func (f *File) place(offset int) Position {
	if f.Bytes == nil {
		return Position{File: f}
	}
	return f.Position(offset)
}

// runeBlock is the distance between two remembered rune counts: documents
// without line breaks are megabytes wide, and columns must stay cheap in them.
const runeBlock = 4096

type lineIndex struct {
	starts []int // offset of the first byte of each line
	runes  []int // runes that start before byte i*runeBlock
}

func newLineIndex(b []byte) lineIndex {
	x := lineIndex{starts: []int{0}, runes: make([]int, 1, len(b)/runeBlock+2)}
	for from := 0; from < len(b); from += runeBlock {
		block := b[from:min(from+runeBlock, len(b))]
		for i, c := range block {
			if c > '\r' {
				continue
			}
			next := from + i + 1
			if c == '\n' || c == '\r' && (next == len(b) || b[next] != '\n') {
				x.starts = append(x.starts, next)
			}
		}
		x.runes = append(x.runes, x.runes[len(x.runes)-1]+runeStarts(block))
	}
	return x
}

// runeStarts counts bytes that do not continue a rune.
func runeStarts(b []byte) int {
	count := len(b)
	for _, c := range b {
		if c&0xc0 == 0x80 {
			count--
		}
	}
	return count
}

func (x *lineIndex) runesBefore(b []byte, offset int) int {
	block := offset / runeBlock
	return x.runes[block] + runeStarts(b[block*runeBlock:offset])
}

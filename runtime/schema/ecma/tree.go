package ecma

import (
	"fmt"
	"strconv"
	"strings"
)

// node is one part of an expression.
type node struct {
	op       op
	subs     []*node
	set      *set // opSet
	char     rune // opChar
	min, max int  // opRepeat; max -1 is no end
	lazy     bool
	offset   int
}

type op uint8

const (
	opEmpty op = iota
	opChar
	opSet
	opStart
	opEnd
	opWord
	opNotWord
	opConcat
	opAlternate
	opRepeat
)

// re2 admits counts up to this, the counts of nested repetitions multiplied.
const re2Repeat = 1000

// largest bounds what large counts may be written out to, in bytes and in
// steps of the program.
const largest = 1 << 18

// size estimates the program that n becomes, up to largest.
func (n *node) size() int {
	total := int64(1)
	for _, sub := range n.subs {
		total += int64(sub.size())
	}
	if n.op == opRepeat {
		total *= int64(max(1, min(max(n.min, n.max), largest)))
	}
	return int(min(total, largest+1))
}

func (n *node) emit(b *strings.Builder) error {
	if b.Len() > largest {
		return &Error{n.offset, true, "counts too large to be written out"}
	}
	switch n.op {
	case opEmpty:
		b.WriteString("(?:)")
	case opChar:
		writeChar(b, n.char)
	case opSet:
		n.set.emit(b)
	case opStart:
		b.WriteString(`\A`)
	case opEnd:
		b.WriteString(`\z`)
	case opWord:
		b.WriteString(`\b`)
	case opNotWord:
		b.WriteString(`\B`)
	case opConcat:
		for _, sub := range n.subs {
			if err := sub.emitIn(b, sub.op == opAlternate); err != nil {
				return err
			}
		}
	case opAlternate:
		for k, sub := range n.subs {
			if k > 0 {
				b.WriteByte('|')
			}
			if err := sub.emit(b); err != nil {
				return err
			}
		}
	case opRepeat:
		return n.emitRepeat(b)
	default:
		return fmt.Errorf("ecma: unknown op %d", n.op)
	}
	return nil
}

// emitIn writes n, in a group when asked.
func (n *node) emitIn(b *strings.Builder, group bool) error {
	if !group {
		return n.emit(b)
	}
	b.WriteString("(?:")
	if err := n.emit(b); err != nil {
		return err
	}
	b.WriteByte(')')
	return nil
}

// emitRepeat writes a repetition, large counts in pieces: x{2500} is
// x{1000}x{1000}x{500} and x{0,1500} is x{0,1000}x{0,500}.
func (n *node) emitRepeat(b *strings.Builder) error {
	sub := n.subs[0]
	piece := max(1, re2Repeat/sub.weight())
	if n.max <= piece && n.min <= piece {
		return n.emitPiece(b, n.min, n.max)
	}
	b.WriteString("(?:")
	for left := n.min; left > 0; left -= piece {
		if err := n.emitPiece(b, min(left, piece), min(left, piece)); err != nil {
			return err
		}
	}
	if n.max < 0 {
		if err := n.emitPiece(b, 0, -1); err != nil {
			return err
		}
	}
	for left := n.max - n.min; left > 0; left -= piece {
		if err := n.emitPiece(b, 0, min(left, piece)); err != nil {
			return err
		}
	}
	b.WriteByte(')')
	return nil
}

func (n *node) emitPiece(b *strings.Builder, low, high int) error {
	sub := n.subs[0]
	if err := sub.emitIn(b, sub.op != opChar && sub.op != opSet); err != nil {
		return err
	}
	switch {
	case low == 0 && high < 0:
		b.WriteByte('*')
	case low == 1 && high < 0:
		b.WriteByte('+')
	case low == 0 && high == 1:
		b.WriteByte('?')
	case high < 0:
		b.WriteString("{" + strconv.Itoa(low) + ",}")
	case low == high:
		b.WriteString("{" + strconv.Itoa(low) + "}")
	default:
		b.WriteString("{" + strconv.Itoa(low) + "," + strconv.Itoa(high) + "}")
	}
	if n.lazy {
		b.WriteByte('?')
	}
	return nil
}

// weight is the product of nested counts as package regexp multiplies them
// once n is emitted.
func (n *node) weight() int {
	w := 1
	for _, sub := range n.subs {
		w = max(w, sub.weight())
	}
	if n.op != opRepeat {
		return w
	}
	piece := max(1, re2Repeat/w)
	return max(1, min(max(n.min, n.max), piece)) * w
}

func writeChar(b *strings.Builder, c rune) {
	switch {
	case c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == ' ':
		b.WriteRune(c)
	case c > ' ' && c < 0x7F:
		b.WriteByte('\\')
		b.WriteRune(c)
	default:
		b.WriteString(`\x{` + strconv.FormatInt(int64(c), 16) + `}`)
	}
}

package schema

import (
	"encoding/binary"
	"regexp/syntax"
	"slices"
	"unicode"
	"unicode/utf8"
)

// dfa is a pattern as a table: one step a byte, no memory, no going back. It
// reads valid UTF-8. Patterns that would need too many states, or word
// boundaries, run by package regexp instead.
type dfa struct {
	class   [256]uint8 // bytes that no transition tells apart share a class
	width   int        // number of classes
	next    []uint16   // by state × width + class; states are stored multiplied by width
	atEnd   []bool     // by state: the text may end here
	initial int
}

// The first two states; neither is ever left.
const (
	dfaDead   = 0
	dfaAccept = 1
)

// Bounds on building a table; what exceeds one runs by package regexp.
const (
	dfaTable = 1 << 16 // entries, so that uint16 holds a state
	dfaWork  = 1 << 18 // positions visited
	dfaNodes = 1 << 13 // byte positions of the pattern
)

// match reports whether the pattern occurs in s.
func (d *dfa) match(s []byte) bool {
	state, accept := uint(d.initial), uint(dfaAccept*d.width)
	if state <= accept {
		return state == accept
	}
	next := d.next
	for _, c := range s {
		state = uint(next[state+uint(d.class[c])])
		if state <= accept {
			return state == accept
		}
	}
	return d.atEnd[state/uint(d.width)]
}

// newDFA returns nil for a program that is better run by package regexp. What
// looking costs is added to work.
func newDFA(prog *syntax.Prog, work *int) *dfa {
	b := &dfaBuilder{prog: prog, states: map[string]int{}}
	defer func() { *work += b.work + len(b.edges) }()
	if !b.expand() {
		return nil
	}
	return b.build()
}

// dfaBuilder makes the table by following sets of positions. A position is an
// instruction that reads a character, or a place inside the bytes of one.
type dfaBuilder struct {
	prog    *syntax.Prog
	edges   [][]byteEdge // by position: instructions first, then the places inside characters
	dfa     dfa
	sets    [][]uint32
	states  map[string]int
	rows    [][]uint32
	byClass [256][]byteEdge // of the state at hand
	work    int
	stack   []uint32
	marks   []uint32
	mark    uint32
}

// byteEdge leads from a position to another by one byte, or at the end of a
// character to an instruction.
type byteEdge struct {
	low, high byte
	to        uint32
	done      bool // to is an instruction
}

// expand writes the characters of all instructions as bytes. It reports false
// for what a table cannot do.
func (b *dfaBuilder) expand() bool {
	b.edges = make([][]byteEdge, len(b.prog.Inst))
	for pc := range b.prog.Inst {
		inst := &b.prog.Inst[pc]
		switch inst.Op {
		case syntax.InstEmptyWidth:
			if syntax.EmptyOp(inst.Arg)&^(syntax.EmptyBeginText|syntax.EmptyEndText) != 0 {
				return false
			}
		case syntax.InstRune, syntax.InstRune1:
			if syntax.Flags(inst.Arg)&syntax.FoldCase != 0 {
				return false
			}
			if len(inst.Rune) == 1 {
				b.addRange(uint32(pc), inst.Rune[0], inst.Rune[0], inst.Out)
			}
			for k := 0; k+1 < len(inst.Rune); k += 2 {
				b.addRange(uint32(pc), inst.Rune[k], inst.Rune[k+1], inst.Out)
			}
		case syntax.InstRuneAny:
			b.addRange(uint32(pc), 0, unicode.MaxRune, inst.Out)
		case syntax.InstRuneAnyNotNL:
			b.addRange(uint32(pc), 0, '\n'-1, inst.Out)
			b.addRange(uint32(pc), '\n'+1, unicode.MaxRune, inst.Out)
		}
		if len(b.edges) > dfaNodes {
			return false
		}
	}
	return true
}

// addRange adds the characters low to high as sequences of byte ranges: the
// range is cut until the bytes of one piece vary independently.
func (b *dfaBuilder) addRange(from uint32, low, high rune, to uint32) {
	if low < 0xD800 && high > 0xDFFF {
		b.addRange(from, low, 0xD7FF, to)
		b.addRange(from, 0xE000, high, to)
		return
	}
	if low >= 0xD800 && low <= 0xDFFF {
		low = 0xE000
	}
	if high >= 0xD800 && high <= 0xDFFF {
		high = 0xD7FF
	}
	for low <= high {
		end := pieceEnd(low, high)
		b.addPiece(from, low, end, to)
		low = end + 1
	}
}

// pieceEnd returns the last character up to high for which low..end is one
// sequence of byte ranges.
func pieceEnd(low, high rune) rune {
	for _, last := range []rune{0x7F, 0x7FF, 0xFFFF} {
		if low <= last {
			high = min(high, last)
			break
		}
	}
	for bits := 18; bits > 0; bits -= 6 {
		mask := rune(1)<<bits - 1
		switch {
		case low&^mask == high&^mask: // equal leading bytes
		case low&mask != 0: // else the bytes behind must take all their values
			high = min(high, low|mask)
		case high&mask != mask:
			high = high&^mask - 1
		}
	}
	return high
}

func (b *dfaBuilder) addPiece(from uint32, low, high rune, to uint32) {
	var x, y [utf8.UTFMax]byte
	n := utf8.EncodeRune(x[:], low)
	utf8.EncodeRune(y[:], high)
	for k := range n {
		last := k == n-1
		e := byteEdge{x[k], y[k], to, last}
		if !last {
			e.to = b.inside(from, x[k], y[k])
		}
		if last || !slices.Contains(b.edges[from], e) {
			b.edges[from] = append(b.edges[from], e)
		}
		from = e.to
	}
}

// inside returns the place behind bytes low..high at from, a new one unless
// there is one for exactly these.
func (b *dfaBuilder) inside(from uint32, low, high byte) uint32 {
	for _, e := range b.edges[from] {
		if !e.done && e.low == low && e.high == high {
			return e.to
		}
	}
	b.edges = append(b.edges, nil)
	return uint32(len(b.edges) - 1)
}

func (b *dfaBuilder) build() *dfa {
	b.classify()
	b.marks = make([]uint32, len(b.edges))
	b.add(nil, false, false) // dfaDead
	b.states["accept"] = b.add(nil, true, true)
	first := b.closure(nil, uint32(b.prog.Start), true)
	initial := b.state(first)
	again := b.closure(nil, uint32(b.prog.Start), false)
	for k := 2; k < len(b.sets); k++ {
		b.sort(b.sets[k])
		for c := range b.dfa.width {
			to := b.step(b.byClass[c], again)
			b.rows[k][c] = uint32(to)
		}
		if b.work > dfaWork || len(b.sets)*b.dfa.width > dfaTable {
			return nil
		}
	}
	d := b.dfa
	d.initial = initial * d.width
	for _, row := range b.rows {
		for _, to := range row {
			d.next = append(d.next, uint16(int(to)*d.width))
		}
	}
	return &d
}

// classify numbers the classes of bytes.
func (b *dfaBuilder) classify() {
	var cuts [257]bool
	for _, edges := range b.edges {
		for _, e := range edges {
			cuts[e.low], cuts[int(e.high)+1] = true, true
		}
	}
	class := 0
	for c := range 256 {
		if c > 0 && cuts[c] {
			class++
		}
		b.dfa.class[c] = uint8(class)
	}
	b.dfa.width = class + 1
}

// add appends a state.
func (b *dfaBuilder) add(set []uint32, atEnd, accept bool) int {
	k := len(b.sets)
	row := make([]uint32, b.dfa.width)
	if accept {
		for c := range row {
			row[c] = uint32(k)
		}
	}
	b.sets, b.rows, b.dfa.atEnd = append(b.sets, set), append(b.rows, row), append(b.dfa.atEnd, atEnd)
	return k
}

// outcome is what following empty instructions leads to.
type outcome struct {
	set     []uint32 // positions
	matches bool     // here
	atEnd   bool     // if the text ends here
}

// closure adds what instruction pc leads to without reading anything.
func (b *dfaBuilder) closure(set []uint32, pc uint32, start bool) outcome {
	o := outcome{set: set}
	for _, end := range []bool{false, true} {
		b.mark++
		b.stack = append(b.stack[:0], pc)
		for len(b.stack) > 0 {
			at := b.stack[len(b.stack)-1]
			b.stack = b.stack[:len(b.stack)-1]
			if b.marks[at] == b.mark {
				continue
			}
			b.marks[at] = b.mark
			b.work++
			b.follow(&o, at, start, end)
		}
	}
	return o
}

func (b *dfaBuilder) follow(o *outcome, at uint32, start, end bool) {
	inst := &b.prog.Inst[at]
	switch inst.Op {
	case syntax.InstAlt, syntax.InstAltMatch:
		b.stack = append(b.stack, inst.Arg, inst.Out)
	case syntax.InstCapture, syntax.InstNop:
		b.stack = append(b.stack, inst.Out)
	case syntax.InstEmptyWidth:
		need := syntax.EmptyOp(inst.Arg)
		if (need&syntax.EmptyBeginText == 0 || start) && (need&syntax.EmptyEndText == 0 || end) {
			b.stack = append(b.stack, inst.Out)
		}
	case syntax.InstMatch:
		o.atEnd = true
		o.matches = o.matches || !end
	case syntax.InstFail:
	default:
		if !end {
			o.set = append(o.set, at)
		}
	}
}

// state returns the number of the state for an outcome.
func (b *dfaBuilder) state(o outcome) int {
	if o.matches {
		return dfaAccept
	}
	slices.Sort(o.set)
	set := slices.Compact(o.set)
	if len(set) == 0 && !o.atEnd {
		return dfaDead
	}
	key := make([]byte, 0, 4*len(set)+1)
	for _, at := range set {
		key = binary.LittleEndian.AppendUint32(key, at)
	}
	if o.atEnd {
		key = append(key, 1)
	}
	if k, ok := b.states[string(key)]; ok {
		return k
	}
	k := b.add(set, o.atEnd, false)
	b.states[string(key)] = k
	return k
}

// sort puts the edges of a set of positions into byClass.
func (b *dfaBuilder) sort(set []uint32) {
	for c := range b.byClass {
		b.byClass[c] = b.byClass[c][:0]
	}
	for _, at := range set {
		for _, e := range b.edges[at] {
			for c := b.dfa.class[e.low]; ; c++ {
				b.byClass[c] = append(b.byClass[c], e)
				b.work++
				if c == b.dfa.class[e.high] {
					break
				}
			}
		}
	}
}

// step returns the state that edges lead to. The search may also begin anew
// behind each byte: again says with what. Begun inside a character it dies at
// the next byte, as no character starts with a continuation byte.
func (b *dfaBuilder) step(edges []byteEdge, again outcome) int {
	var o outcome
	for _, e := range edges {
		if !e.done {
			o.set = append(o.set, e.to)
			continue
		}
		reached := b.closure(o.set, e.to, false)
		reached.matches, reached.atEnd = reached.matches || o.matches, reached.atEnd || o.atEnd
		o = reached
	}
	o.set = append(o.set, again.set...)
	o.matches, o.atEnd = o.matches || again.matches, o.atEnd || again.atEnd
	return b.state(o)
}

package scan

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
)

// Names finds repeated member names of the objects that are open at one time.
// Names are compared as what they stand for, so an escape hides no repeat. Small
// objects compare spans; beyond smallObject members all names of the object go
// into one hash table, which nested objects share: they close in reverse
// order, so that entries leave the table in the reverse order of their coming
// and linear probing needs no tombstones. The zero value is ready.
type Names struct {
	entries []name
	slots   []int32 // 1 + index in entries; 0 is free
	hashed  int     // entries that stand in slots
}

type name struct {
	word       uint64 // small objects: see word; large ones: a seeded hash
	start, end int    // with quotes
	slot       int32  // -1: not in the table
	escaped    bool
}

const smallObject = 16

var seed = maphash.MakeSeed()

func (n *Names) reset() {
	if cap(n.entries) == 0 {
		return
	}
	if cap(n.entries) > 1<<16 { // do not let one huge text pin memory
		n.entries, n.slots = nil, nil
	}
	n.entries = n.entries[:0]
	if n.hashed > 0 {
		clear(n.slots)
		n.hashed = 0
	}
}

// Open starts an object inside those that are open. The mark it returns
// belongs to Add, Len and Close of this object.
func (n *Names) Open() (mark int) { return len(n.entries) }

// Len returns the number of names the innermost object has.
func (n *Names) Len(mark int) int { return len(n.entries) - mark }

// Close ends the object that mark belongs to and all that are open inside it.
func (n *Names) Close(mark int) {
	for k := len(n.entries) - 1; k >= mark && n.hashed > 0; k-- {
		if slot := n.entries[k].slot; slot >= 0 {
			n.slots[slot] = 0
			n.hashed--
		}
	}
	n.entries = n.entries[:mark]
}

// Add takes the name b[start:end], quotes included, into the innermost object
// and reports whether the object has it already.
func (n *Names) Add(b []byte, mark, start, end int, escaped bool) (repeated bool) {
	e := name{start: start, end: end, slot: -1, escaped: escaped}
	switch had := len(n.entries) - mark; {
	case had < smallObject:
		e.word = word(b, &e)
		for k := mark; k < len(n.entries); k++ {
			if n.entries[k].word == e.word && same(b, &n.entries[k], &e) {
				return true
			}
		}
		n.entries = append(n.entries, e)
		return false
	case had == smallObject:
		for k := mark; k < len(n.entries); k++ {
			n.entries[k].word = hash(b, &n.entries[k])
			n.insert(b, k)
		}
	}
	e.word = hash(b, &e)
	n.entries = append(n.entries, e)
	return n.insert(b, len(n.entries)-1, mark)
}

// insert puts entry k into the table. With a mark it reports an equal entry
// at or after it, and leaves k out of the table then.
func (n *Names) insert(b []byte, k int, mark ...int) (repeated bool) {
	if 2*(n.hashed+1) > len(n.slots) {
		n.grow()
	}
	e := &n.entries[k]
	mask := len(n.slots) - 1
	at := int(e.word) & mask
	for n.slots[at] != 0 {
		other := int(n.slots[at]) - 1
		if o := &n.entries[other]; len(mark) > 0 && other >= mark[0] && o.word == e.word && same(b, o, e) {
			return true
		}
		at = (at + 1) & mask
	}
	n.slots[at] = int32(k + 1)
	e.slot = int32(at)
	n.hashed++
	return false
}

// grow doubles the table and puts the entries back in the order they came.
func (n *Names) grow() {
	n.slots = make([]int32, max(64, 2*len(n.slots)))
	mask := len(n.slots) - 1
	for k := range n.entries {
		e := &n.entries[k]
		if e.slot < 0 {
			continue
		}
		at := int(e.word) & mask
		for n.slots[at] != 0 {
			at = (at + 1) & mask
		}
		n.slots[at] = int32(k + 1)
		e.slot = int32(at)
	}
}

// word tells most names apart by their length and first bytes.
func word(b []byte, e *name) uint64 {
	if e.escaped {
		var buf [64]byte
		return wordOf(Unquote(buf[:0], b[e.start:e.end]))
	}
	return wordOf(b[e.start+1 : e.end-1])
}

func wordOf(s []byte) uint64 {
	var w uint64
	if len(s) >= 8 {
		w = binary.LittleEndian.Uint64(s) ^ binary.LittleEndian.Uint64(s[len(s)-8:])<<1
	} else {
		for k := len(s) - 1; k >= 0; k-- {
			w = w<<8 | uint64(s[k])
		}
	}
	return w ^ uint64(len(s))<<56
}

func hash(b []byte, e *name) uint64 {
	if e.escaped {
		var buf [64]byte
		return maphash.Bytes(seed, Unquote(buf[:0], b[e.start:e.end]))
	}
	return maphash.Bytes(seed, b[e.start+1:e.end-1])
}

func same(b []byte, x, y *name) bool {
	if !x.escaped && !y.escaped {
		return bytes.Equal(b[x.start:x.end], b[y.start:y.end])
	}
	var bufX, bufY [64]byte
	return bytes.Equal(Unquote(bufX[:0], b[x.start:x.end]), Unquote(bufY[:0], b[y.start:y.end]))
}

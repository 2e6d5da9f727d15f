package schema

import (
	"bytes"
	"hash/maphash"

	"github.com/openrpc-go/rpcgen/runtime/internal/scan"
)

// equal reports whether the values at a[i] and b[j] are equal as JSON values:
// numbers by value, strings by what they stand for, objects without regard to
// order. Both texts must be valid. Every step counts against the budget.
func (m *machine) equal(a []byte, i int, b []byte, j int) bool {
	if !m.spend(1) {
		return false
	}
	switch c := a[i]; {
	case c == '{' || c == '[':
		if b[j] != c {
			return false
		}
		if c == '[' {
			return m.equalArrays(a, i, b, j)
		}
		return m.equalObjects(a, i, b, j)
	case c == '"':
		return b[j] == '"' && equalStrings(a, i, b, j)
	case c == '-' || c-'0' <= 9:
		if b[j] != '-' && b[j]-'0' > 9 {
			return false
		}
		endA, _ := scan.Number(a, i)
		endB, _ := scan.Number(b, j)
		var x, y decimal
		x.set(a[i:endA])
		y.set(b[j:endB])
		return x.compare(&y) == 0
	default:
		return b[j] == c
	}
}

func equalStrings(a []byte, i int, b []byte, j int) bool {
	endA, escA, _ := scan.String(a, i)
	endB, escB, _ := scan.String(b, j)
	if !escA && !escB {
		return bytes.Equal(a[i:endA], b[j:endB])
	}
	var bufA, bufB [64]byte
	return bytes.Equal(scan.Unquote(bufA[:0], a[i:endA]), scan.Unquote(bufB[:0], b[j:endB]))
}

func (m *machine) equalArrays(a []byte, i int, b []byte, j int) bool {
	i, moreA := first(a, i)
	j, moreB := first(b, j)
	for moreA && moreB {
		if !m.equal(a, i, b, j) {
			return false
		}
		i, moreA = following(a, i)
		j, moreB = following(b, j)
	}
	return moreA == moreB
}

func (m *machine) equalObjects(a []byte, i int, b []byte, j int) bool {
	countA, countB := count(a, i), count(b, j)
	if countA != countB {
		return false
	}
	start, _ := first(b, j)
	at := start // members mostly come in the same order
	for k, more := first(a, i); more; k, more = following(a, valueOf(a, k)) {
		found := false
		for range countB {
			if !m.spend(1) {
				return false
			}
			value := valueOf(b, at)
			here, next := at, start
			if after, more := following(b, value); more {
				next = after
			}
			at = next
			if equalStrings(a, k, b, here) {
				found = m.equal(a, valueOf(a, k), b, value)
				break
			}
		}
		if !found {
			return false
		}
	}
	return true
}

// first returns where the first element or member name of a container stands.
func first(b []byte, i int) (int, bool) {
	i = scan.Space(b, i+1)
	return i, b[i] != ']' && b[i] != '}'
}

// following returns where the element or member name after the value at b[i] stands.
func following(b []byte, i int) (int, bool) {
	end, _ := scan.Skip(b, i)
	end = scan.Space(b, end)
	if end >= len(b) || b[end] != ',' {
		return end, false
	}
	return scan.Space(b, end+1), true
}

// valueOf returns where the value of the member whose name stands at b[i] starts.
func valueOf(b []byte, i int) int {
	end, _, _ := scan.String(b, i)
	value, _ := scan.Colon(b, end)
	return value
}

// count returns the number of elements or members.
func count(b []byte, i int) (n int) {
	object := b[i] == '{'
	for k, more := first(b, i); more; n++ {
		if object {
			k = valueOf(b, k)
		}
		k, more = following(b, k)
	}
	return n
}

var hashSeed = maphash.MakeSeed()

// hash returns equal numbers for equal values. It is seeded, so that nobody
// outside can choose values that collide.
func (m *machine) hash(b []byte, i int) (h uint64, end int) {
	m.spend(1)
	switch c := b[i]; {
	case c == '"':
		end, escaped, _ := scan.String(b, i)
		if !escaped {
			return maphash.Bytes(hashSeed, b[i+1:end-1]), end
		}
		m.scratch = scan.Unquote(m.scratch[:0], b[i:end])
		return maphash.Bytes(hashSeed, m.scratch), end
	case c == '[':
		h = 1
		k, more := first(b, i)
		for more {
			var e uint64
			e, k = m.hash(b, k)
			h = (h ^ e) * 0x9E3779B97F4A7C15
			k, more = after(b, k)
		}
		return mix(h + 3), k + 1
	case c == '{':
		k, more := first(b, i)
		for more {
			name, _ := m.hash(b, k)
			var e uint64
			e, k = m.hash(b, valueOf(b, k))
			h += mix(name ^ mix(e+1)) // a sum, so that order does not matter
			k, more = after(b, k)
		}
		return mix(h + 5), k + 1
	case c == '-' || c-'0' <= 9:
		end, _ := scan.Number(b, i)
		var d decimal
		d.set(b[i:end])
		h = maphash.Bytes(hashSeed, d.digits[:d.n]) + uint64(d.exp)*7
		if d.negative {
			h = ^h
		}
		return mix(h + 7), end
	default:
		end, _ := scan.Literal(b, i)
		return mix(uint64(c) + 11), end
	}
}

func mix(h uint64) uint64 {
	h ^= h >> 32
	h *= 0xD6E8FEB86659FD93
	h ^= h >> 32
	return h
}

// after is following for the index behind a value.
func after(b []byte, end int) (int, bool) {
	end = scan.Space(b, end)
	if b[end] != ',' {
		return end, false
	}
	return scan.Space(b, end+1), true
}

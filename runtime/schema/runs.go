package schema

import (
	"math"
	"regexp/syntax"
	"unicode/utf8"
)

// runs is an anchored pattern without choices, such as ^0x[0-9a-f]{64}$: fixed
// texts and runs of ASCII characters of one set, each of which ends where it
// must. It is read without a state to wait for, so much faster than a table.
type runs struct {
	pieces []run
	open   bool // the text may go on behind the last piece
}

// run is a fixed text, or min to max characters of a set.
type run struct {
	text     string
	outside  *[256]uint8 // 1 for bytes that are not in the set; nil for a text
	min, max int
}

// match reports whether the pattern fits s from its start.
func (r *runs) match(s []byte) bool {
	i := 0
	for k := range r.pieces {
		p := &r.pieces[k]
		if p.outside == nil {
			if e := i + len(p.text); e > len(s) || string(s[i:e]) != p.text {
				return false
			}
			i += len(p.text)
			continue
		}
		if len(s)-i < p.min {
			return false
		}
		var out uint8
		for _, c := range s[i : i+p.min] {
			out |= p.outside[c]
		}
		if out != 0 {
			return false
		}
		i += p.min
		for n := p.min; n < p.max && i < len(s) && p.outside[s[i]] == 0; n++ {
			i++
		}
	}
	return r.open || i == len(s)
}

// newRuns returns nil for a pattern of another shape.
func newRuns(tree *syntax.Regexp) *runs {
	parts := sequence(nil, tree)
	if len(parts) == 0 || parts[0].Op != syntax.OpBeginText {
		return nil
	}
	r := &runs{open: true}
	for _, part := range parts[1:] {
		if !r.open {
			return nil
		}
		if part.Op == syntax.OpEndText {
			r.open = false
		} else if !r.add(part) {
			return nil
		}
	}
	if !r.certain() {
		return nil
	}
	return r
}

// sequence lists what stands one after the other.
func sequence(list []*syntax.Regexp, t *syntax.Regexp) []*syntax.Regexp {
	switch t.Op {
	case syntax.OpConcat, syntax.OpCapture:
		for _, sub := range t.Sub {
			list = sequence(list, sub)
		}
		return list
	case syntax.OpEmptyMatch:
		return list
	default:
		return append(list, t)
	}
}

func (r *runs) add(t *syntax.Regexp) bool {
	low, high := 1, 1
	switch t.Op {
	case syntax.OpLiteral:
		if !ascii(t.Rune) || t.Flags&syntax.FoldCase != 0 {
			return false
		}
		r.pieces = append(r.pieces, run{text: string(t.Rune)})
		return true
	case syntax.OpStar:
		low, high, t = 0, math.MaxInt, t.Sub[0]
	case syntax.OpPlus:
		low, high, t = 1, math.MaxInt, t.Sub[0]
	case syntax.OpQuest:
		low, high, t = 0, 1, t.Sub[0]
	case syntax.OpRepeat:
		if low, high, t = t.Min, t.Max, t.Sub[0]; high < 0 {
			high = math.MaxInt
		}
	}
	outside := outsideOf(t)
	if outside == nil {
		return false
	}
	r.pieces = append(r.pieces, run{outside: outside, min: low, max: high})
	return true
}

// outsideOf returns what is not in the set of one ASCII character that t
// stands for, or nil.
func outsideOf(t *syntax.Regexp) *[256]uint8 {
	ranges := t.Rune
	switch {
	case t.Flags&syntax.FoldCase != 0 || !ascii(t.Rune):
		return nil
	case t.Op == syntax.OpLiteral && len(t.Rune) == 1:
		ranges = []rune{t.Rune[0], t.Rune[0]}
	case t.Op != syntax.OpCharClass:
		return nil
	}
	var outside [256]uint8
	for c := range outside {
		outside[c] = 1
	}
	for k := 0; k+1 < len(ranges); k += 2 {
		for c := ranges[k]; c <= ranges[k+1]; c++ {
			outside[c] = 0
		}
	}
	return &outside
}

func ascii(list []rune) bool {
	for _, c := range list {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// certain reports whether each run of varying length may take all it can:
// nothing that may follow starts with a character of its set.
func (r *runs) certain() bool {
	for k := range r.pieces {
		if p := &r.pieces[k]; p.outside == nil || p.min == p.max {
			continue
		}
		for n := k + 1; n < len(r.pieces); n++ {
			if r.pieces[k].meets(&r.pieces[n]) {
				return false
			}
			if r.pieces[n].text != "" || r.pieces[n].min > 0 {
				break
			}
		}
	}
	return true
}

// meets reports whether q may start with a character of p's set.
func (p *run) meets(q *run) bool {
	if q.outside == nil {
		return q.text != "" && p.outside[q.text[0]] == 0
	}
	for c := range p.outside {
		if p.outside[c]|q.outside[c] == 0 {
			return true
		}
	}
	return false
}

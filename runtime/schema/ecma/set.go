package ecma

import (
	"slices"
	"strings"
	"unicode"
)

// set is a set of characters: ranges, and properties by their RE2 names.
type set struct {
	ranges     []span
	properties []string // `\p{L}`, `\P{Greek}`
	negated    bool
}

type span struct{ low, high rune }

const (
	surrogates    = 0xD800
	surrogatesEnd = 0xDFFF
)

func (s *set) add(low, high rune) { s.ranges = append(s.ranges, span{low, high}) }

func (s *set) addAll(o *set) {
	s.properties = append(s.properties, o.properties...)
	if o.negated {
		s.ranges = append(s.ranges, complement(o.ranges)...)
		return
	}
	s.ranges = append(s.ranges, o.ranges...)
}

// tidy sorts ranges, joins those that touch and drops surrogates: no text in
// UTF-8 holds one.
func tidy(ranges []span) []span {
	var cut []span
	for _, r := range ranges {
		if r.low < surrogates {
			cut = append(cut, span{r.low, min(r.high, surrogates-1)})
		}
		if r.high > surrogatesEnd {
			cut = append(cut, span{max(r.low, surrogatesEnd+1), r.high})
		}
	}
	slices.SortFunc(cut, func(a, b span) int { return int(a.low - b.low) })
	var tidied []span
	for _, r := range cut {
		if n := len(tidied); n > 0 && r.low <= tidied[n-1].high+1 {
			tidied[n-1].high = max(tidied[n-1].high, r.high)
			continue
		}
		tidied = append(tidied, r)
	}
	return tidied
}

func complement(ranges []span) []span {
	var rest []span
	next := rune(0)
	for _, r := range tidy(ranges) {
		if r.low > next {
			rest = append(rest, span{next, r.low - 1})
		}
		next = r.high + 1
	}
	if next <= unicode.MaxRune {
		rest = append(rest, span{next, unicode.MaxRune})
	}
	return tidy(rest)
}

// emit writes s as an RE2 class.
func (s *set) emit(b *strings.Builder) {
	ranges, negated := tidy(s.ranges), s.negated
	if len(s.properties) == 0 && len(ranges) == 0 { // nothing; negated, anything
		ranges, negated = []span{{0, unicode.MaxRune}}, !negated
	}
	b.WriteByte('[')
	if negated {
		b.WriteByte('^')
	}
	for _, r := range ranges {
		writeChar(b, r.low)
		if r.high > r.low {
			b.WriteByte('-')
			writeChar(b, r.high)
		}
	}
	for _, p := range s.properties {
		b.WriteString(p)
	}
	b.WriteByte(']')
}

// The classes of ECMA-262, which differ from RE2's.
var (
	digits = &set{ranges: []span{{'0', '9'}}}
	words  = &set{ranges: []span{{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}}}
	spaces = &set{ranges: []span{
		{'\t', '\r'}, {' ', ' '}, {0xA0, 0xA0}, {0x1680, 0x1680}, {0x2000, 0x200A},
		{0x2028, 0x2029}, {0x202F, 0x202F}, {0x205F, 0x205F}, {0x3000, 0x3000}, {0xFEFF, 0xFEFF},
	}}
	lineEnds = []span{{'\n', '\n'}, {'\r', '\r'}, {0x2028, 0x2029}}
	dot      = &set{ranges: lineEnds, negated: true}
)

func (s *set) inverse() *set {
	return &set{ranges: s.ranges, properties: s.properties, negated: !s.negated}
}

// property returns the characters of \p{name}. The tables are those of the Go
// release that the expression is compiled with.
func property(name string) (*set, bool) {
	if kind, value, ok := strings.Cut(name, "="); ok {
		switch kind {
		case "General_Category", "gc":
			return category(value)
		case "Script", "sc":
			if _, known := unicode.Scripts[value]; known {
				return &set{properties: []string{`\p{` + value + `}`}}, true
			}
		}
		return nil, false
	}
	switch name {
	case "Any":
		return &set{ranges: []span{{0, unicode.MaxRune}}}, true
	case "ASCII":
		return &set{ranges: []span{{0, unicode.MaxASCII}}}, true
	case "Assigned":
		cn, ok := category("Cn")
		if !ok {
			return nil, false
		}
		return inverseProperty(cn), true
	case "Alphabetic", "Alpha":
		return tables(unicode.L, unicode.Nl, unicode.Other_Alphabetic), true
	case "Lowercase", "Lower":
		return tables(unicode.Ll, unicode.Other_Lowercase), true
	case "Uppercase", "Upper":
		return tables(unicode.Lu, unicode.Other_Uppercase), true
	case "White_Space", "space":
		return tables(unicode.White_Space), true
	case "ASCII_Hex_Digit", "AHex":
		return tables(unicode.ASCII_Hex_Digit), true
	case "Hex_Digit", "Hex":
		return tables(unicode.Hex_Digit), true
	case "Ideographic", "Ideo":
		return tables(unicode.Ideographic), true
	case "Dash":
		return tables(unicode.Dash), true
	}
	return category(name)
}

// category finds a general category by its short or long name.
func category(name string) (*set, bool) {
	if short, ok := unicode.CategoryAliases[name]; ok {
		name = short
	}
	if _, known := unicode.Categories[name]; !known {
		return nil, false
	}
	return &set{properties: []string{`\p{` + name + `}`}}, true
}

func tables(list ...*unicode.RangeTable) *set {
	s := &set{}
	for _, t := range list {
		for _, r := range t.R16 {
			s.addStrided(rune(r.Lo), rune(r.Hi), rune(r.Stride))
		}
		for _, r := range t.R32 {
			s.addStrided(rune(r.Lo), rune(r.Hi), rune(r.Stride))
		}
	}
	s.ranges = tidy(s.ranges)
	return s
}

func (s *set) addStrided(low, high, stride rune) {
	if stride == 1 {
		s.add(low, high)
		return
	}
	for c := low; c <= high; c += stride {
		s.add(c, c)
	}
}

// inverseProperty is \P{name}.
func inverseProperty(s *set) *set {
	if len(s.properties) == 0 {
		return &set{ranges: complement(s.ranges)}
	}
	inverse := &set{}
	for _, p := range s.properties {
		if strings.HasPrefix(p, `\p`) {
			inverse.properties = append(inverse.properties, `\P`+p[2:])
		} else {
			inverse.properties = append(inverse.properties, `\p`+p[2:])
		}
	}
	return inverse
}

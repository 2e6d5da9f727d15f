package ecma

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// escape reads what follows a backslash outside a class.
func (p *parser) escape(start int) (n *node, repeatable bool, err error) {
	if !p.more() {
		return nil, false, p.fail(`\ at the end`)
	}
	switch c := p.source[p.i]; {
	case c == 'b' || c == 'B':
		p.i++
		if c == 'b' {
			return &node{op: opWord}, false, nil
		}
		return &node{op: opNotWord}, false, nil
	case c >= '1' && c <= '9':
		number, _ := p.number()
		p.refer(reference{number: number, offset: start})
		return &node{op: opEmpty}, true, nil
	case c == 'k':
		p.i++
		if !p.take("<") {
			return nil, false, p.fail(`invalid \k`)
		}
		name, err := p.groupName()
		p.refer(reference{name: name, offset: start})
		return &node{op: opEmpty}, true, err
	}
	s, char, err := p.classEscape()
	if s != nil {
		return &node{op: opSet, set: s}, true, err
	}
	return charNode(char), true, err
}

// charNode is a character; a lone surrogate matches nothing in UTF-8.
func charNode(c rune) *node {
	if utf16.IsSurrogate(c) {
		return &node{op: opSet, set: &set{}}
	}
	return &node{op: opChar, char: c}
}

func (p *parser) refer(r reference) {
	p.referred = append(p.referred, r)
	p.refuse(r.offset, "a back reference has no equal in RE2")
}

// classEscape reads what a class may hold behind a backslash: a set, or else
// one character.
func (p *parser) classEscape() (s *set, char rune, err error) {
	if !p.more() {
		return nil, 0, p.fail(`\ at the end`)
	}
	start := p.i
	switch c := p.rune(); c {
	case 'd':
		return digits, 0, nil
	case 'D':
		return digits.inverse(), 0, nil
	case 'w':
		return words, 0, nil
	case 'W':
		return words.inverse(), 0, nil
	case 's':
		return spaces, 0, nil
	case 'S':
		return spaces.inverse(), 0, nil
	case 'p', 'P':
		s, err := p.property(c == 'P', start)
		return s, 0, err
	case 't':
		return nil, '\t', nil
	case 'n':
		return nil, '\n', nil
	case 'v':
		return nil, '\v', nil
	case 'f':
		return nil, '\f', nil
	case 'r':
		return nil, '\r', nil
	case 'c', 'x', 'u', '0':
		char, err := p.codeEscape(c)
		return nil, char, err
	default:
		if c < utf8.RuneSelf && (unicode.IsLetter(c) || unicode.IsDigit(c)) {
			p.i = start
			return nil, 0, p.fail(`unknown escape \%c`, c)
		}
		return nil, c, nil
	}
}

// codeEscape reads \cX, \x41, \u0041, \u{41} and \0.
func (p *parser) codeEscape(kind rune) (rune, error) {
	switch kind {
	case 'c':
		if p.more() {
			if c := p.source[p.i]; c|0x20 >= 'a' && c|0x20 <= 'z' {
				p.i++
				return rune(c & 0x1F), nil
			}
		}
		return 0, p.fail(`\c needs a letter`)
	case '0':
		if p.more() && p.source[p.i]-'0' <= 9 {
			return 0, p.fail("octal escapes are not supported")
		}
		return 0, nil
	case 'x':
		return p.hex(2)
	}
	if p.take("{") {
		return p.braced()
	}
	high, err := p.hex(4)
	if err != nil || !utf16.IsSurrogate(high) {
		return high, err
	}
	after := p.i
	if p.take(`\u`) {
		if low, err := p.hex(4); err == nil {
			if c := utf16.DecodeRune(high, low); c != utf8.RuneError {
				return c, nil
			}
		}
	}
	p.i = after
	return high, nil
}

// braced reads the rest of \u{1F600}.
func (p *parser) braced() (rune, error) {
	c, any := rune(0), false
	for p.more() {
		d := p.source[p.i]
		p.i++
		v, ok := hexValue(d)
		switch {
		case d == '}' && any:
			return c, nil
		case !ok:
			return 0, p.fail(`invalid \u{}`)
		}
		c, any = c<<4|v, true
		if c > unicode.MaxRune {
			return 0, p.fail(`\u{} beyond the last character`)
		}
	}
	return 0, p.fail(`unclosed \u{`)
}

func (p *parser) hex(n int) (rune, error) {
	c := rune(0)
	for range n {
		if !p.more() {
			return 0, p.fail("escape ends too early")
		}
		v, ok := hexValue(p.source[p.i])
		if !ok {
			return 0, p.fail("escape needs %d hexadecimal digits", n)
		}
		c = c<<4 | v
		p.i++
	}
	return c, nil
}

func hexValue(c byte) (rune, bool) {
	switch {
	case c-'0' <= 9:
		return rune(c - '0'), true
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return rune(c|0x20-'a') + 10, true
	default:
		return 0, false
	}
}

func (p *parser) property(inverse bool, start int) (*set, error) {
	end := strings.IndexByte(p.source[p.i:], '}')
	if !p.take("{") || end < 0 {
		return nil, p.fail(`\p needs a property in braces`)
	}
	name := p.source[p.i : p.i+end-1]
	p.i += end
	s, ok := property(name)
	switch {
	case !ok && name == "":
		return nil, p.fail("empty property")
	case !ok:
		p.refuse(start, fmt.Sprintf("property %.60q is not known here", name))
		return &set{}, nil
	case inverse:
		return inverseProperty(s), nil
	default:
		return s, nil
	}
}

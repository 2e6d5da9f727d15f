package ecma

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// parser reads one expression. What is sound but has no equal in RE2 is noted
// in unsupported, and reading goes on, so that an unsound rest is still found.
type parser struct {
	source      string
	i           int
	depth       int
	groups      int
	names       []string
	referred    []reference
	unsupported *Error
}

type reference struct {
	name   string
	number int
	offset int
}

// deepest bounds nested groups.
const deepest = 200

func parse(source string) (*node, error) {
	if !utf8.ValidString(source) {
		return nil, &Error{0, false, "not valid UTF-8"}
	}
	p := &parser{source: source}
	tree, err := p.alternatives()
	switch {
	case err != nil:
		return nil, err
	case p.i < len(source):
		return nil, p.fail("unmatched )")
	}
	if err := p.checkReferences(); err != nil {
		return nil, err
	}
	if p.unsupported != nil {
		return nil, p.unsupported
	}
	return tree, nil
}

func (p *parser) checkReferences() error {
	for _, r := range p.referred {
		if r.name != "" && !slices.Contains(p.names, r.name) {
			return &Error{r.offset, false, fmt.Sprintf("back reference to a group %.40q that does not exist", r.name)}
		}
		if r.number > p.groups {
			return &Error{r.offset, false, fmt.Sprintf("back reference to group %d that does not exist", r.number)}
		}
	}
	return nil
}

func (p *parser) fail(format string, args ...any) error {
	return &Error{p.i, false, fmt.Sprintf(format, args...)}
}

func (p *parser) refuse(offset int, message string) {
	if p.unsupported == nil {
		p.unsupported = &Error{offset, true, message}
	}
}

func (p *parser) more() bool { return p.i < len(p.source) }

func (p *parser) take(prefix string) bool {
	if !strings.HasPrefix(p.source[p.i:], prefix) {
		return false
	}
	p.i += len(prefix)
	return true
}

func (p *parser) rune() rune {
	c, n := utf8.DecodeRuneInString(p.source[p.i:])
	p.i += n
	return c
}

func (p *parser) alternatives() (*node, error) {
	if p.depth++; p.depth > deepest {
		return nil, p.fail("groups nested too deep")
	}
	defer func() { p.depth-- }()
	n := &node{op: opAlternate, offset: p.i}
	for {
		sub, err := p.sequence()
		if err != nil {
			return nil, err
		}
		n.subs = append(n.subs, sub)
		if !p.take("|") {
			break
		}
	}
	if len(n.subs) == 1 {
		return n.subs[0], nil
	}
	return n, nil
}

func (p *parser) sequence() (*node, error) {
	n := &node{op: opConcat, offset: p.i}
	for p.more() && p.source[p.i] != '|' && p.source[p.i] != ')' {
		sub, err := p.term()
		if err != nil {
			return nil, err
		}
		n.subs = append(n.subs, sub)
	}
	switch len(n.subs) {
	case 0:
		return &node{op: opEmpty, offset: n.offset}, nil
	case 1:
		return n.subs[0], nil
	default:
		return n, nil
	}
}

// term reads an assertion, or an atom with its quantifier.
func (p *parser) term() (*node, error) {
	offset := p.i
	n, repeatable, err := p.atom()
	if err != nil {
		return nil, err
	}
	n.offset = offset
	at := p.i
	low, high, quantified, err := p.quantifier()
	if err != nil || !quantified {
		return n, err
	}
	if !repeatable {
		return nil, &Error{at, false, "nothing to repeat"}
	}
	repeat := &node{op: opRepeat, subs: []*node{n}, min: low, max: high, lazy: p.take("?"), offset: offset}
	return repeat, nil
}

func (p *parser) atom() (n *node, repeatable bool, err error) {
	start := p.i
	switch c := p.rune(); c {
	case '^':
		return &node{op: opStart}, false, nil
	case '$':
		return &node{op: opEnd}, false, nil
	case '.':
		return &node{op: opSet, set: dot}, true, nil
	case '[':
		s, err := p.class()
		return &node{op: opSet, set: s}, true, err
	case '(':
		return p.group(start)
	case '\\':
		return p.escape(start)
	case '*', '+', '?':
		p.i = start
		return nil, false, p.fail("nothing to repeat")
	case '{':
		p.i = start
		if _, _, quantifier, err := p.quantifier(); quantifier || err != nil {
			p.i = start
			return nil, false, p.fail("nothing to repeat")
		}
		p.i++
		return &node{op: opChar, char: '{'}, true, nil
	default:
		return &node{op: opChar, char: c}, true, nil
	}
}

// quantifier reads * + ? or counts in braces. A brace that starts no count
// stands for itself.
func (p *parser) quantifier() (low, high int, ok bool, err error) {
	switch {
	case p.take("*"):
		return 0, -1, true, nil
	case p.take("+"):
		return 1, -1, true, nil
	case p.take("?"):
		return 0, 1, true, nil
	}
	start := p.i
	if !p.take("{") {
		return 0, 0, false, nil
	}
	low, found := p.number()
	if !found {
		p.i = start
		return 0, 0, false, nil
	}
	high = low
	if p.take(",") {
		if high, found = p.number(); !found {
			high = -1
		}
	}
	if !p.take("}") {
		p.i = start
		return 0, 0, false, nil
	}
	if high >= 0 && high < low {
		p.i = start
		return 0, 0, false, p.fail("counts out of order")
	}
	return low, high, true, nil
}

// number reads a decimal number; very large ones stay very large.
func (p *parser) number() (n int, found bool) {
	for ; p.more() && p.source[p.i]-'0' <= 9; p.i++ {
		n, found = min(n*10+int(p.source[p.i]-'0'), 1<<30), true
	}
	return n, found
}

func (p *parser) group(start int) (n *node, repeatable bool, err error) {
	repeatable = true
	switch {
	case p.take("?:"):
	case p.take("?="), p.take("?!"):
		p.refuse(start, "lookahead has no equal in RE2")
	case p.take("?<="), p.take("?<!"):
		p.refuse(start, "lookbehind has no equal in RE2")
		repeatable = false
	case p.take("?<"):
		name, err := p.groupName()
		if err != nil {
			return nil, false, err
		}
		if slices.Contains(p.names, name) {
			return nil, false, p.fail("two groups have the name %.40q", name)
		}
		p.names = append(p.names, name)
		p.groups++
	case p.take("?"):
		if !p.modifiers() {
			return nil, false, p.fail("invalid group")
		}
		p.refuse(start, "modifiers in groups are not supported")
	default:
		p.groups++
	}
	sub, err := p.alternatives()
	if err != nil {
		return nil, false, err
	}
	if !p.take(")") {
		return nil, false, &Error{start, false, "unclosed group"}
	}
	return &node{op: opConcat, subs: []*node{sub}}, repeatable, nil
}

// modifiers reads "i-sm:".
func (p *parser) modifiers() bool {
	rest := p.source[p.i:]
	flags, _, found := strings.Cut(rest, ":")
	if !found || flags == "" || flags == "-" || strings.Trim(flags, "ims-") != "" || strings.Count(flags, "-") > 1 {
		return false
	}
	p.i += len(flags) + 1
	return true
}

// groupName reads a name and the > behind it.
func (p *parser) groupName() (string, error) {
	start := p.i
	for p.more() {
		c := p.rune()
		if c == '>' && p.i-1 > start {
			return p.source[start : p.i-1], nil
		}
		letter := c == '$' || c == '_' || unicode.IsLetter(c) || unicode.Is(unicode.Nl, c)
		if !letter && (p.i-utf8.RuneLen(c) == start || !unicode.IsDigit(c) && !unicode.Is(unicode.M, c) && !unicode.Is(unicode.Pc, c)) {
			break
		}
	}
	p.i = start
	return "", p.fail("invalid group name")
}

// class reads a class up to its ].
func (p *parser) class() (*set, error) {
	start := p.i - 1
	s := &set{negated: p.take("^")}
	for p.more() {
		if p.take("]") {
			return s, nil
		}
		low, lowChar, err := p.classAtom()
		if err != nil {
			return nil, err
		}
		if rest := p.source[p.i:]; len(rest) < 2 || rest[0] != '-' || rest[1] == ']' {
			s.addAtom(low, lowChar)
			continue
		}
		p.i++
		high, highChar, err := p.classAtom()
		switch {
		case err != nil:
			return nil, err
		case low != nil || high != nil: // [\w-.]: the dash is one of the set
			s.addAtom(low, lowChar)
			s.add('-', '-')
			s.addAtom(high, highChar)
		case highChar < lowChar:
			return nil, p.fail("range out of order")
		default:
			s.add(lowChar, highChar)
		}
	}
	return nil, &Error{start, false, "unclosed ["}
}

func (s *set) addAtom(o *set, c rune) {
	if o != nil {
		s.addAll(o)
		return
	}
	s.add(c, c)
}

func (p *parser) classAtom() (*set, rune, error) {
	c := p.rune()
	if c != '\\' {
		return nil, c, nil
	}
	if p.take("b") {
		return nil, '\b', nil
	}
	return p.classEscape()
}

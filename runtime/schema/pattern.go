package schema

import (
	"regexp"
)

// pattern is a compiled pattern: a table where that is small enough.
type pattern struct {
	source string
	table  *dfa
	re     *regexp.Regexp // where table is nil
}

func (p *program) pattern(n *Node, source Pattern) *pattern {
	if source.RE2 == "" && source.Source != "" {
		p.refuse(n, "pattern %.80q was not translated", source.Source)
		return nil
	}
	if made, ok := p.patterns[source]; ok {
		return made
	}
	re, err := regexp.Compile(source.RE2)
	if err != nil {
		p.refuse(n, "pattern %.80q: %v", source.Source, err)
		return nil
	}
	made := &pattern{source.Source, newDFA(source.RE2), re}
	p.patterns[source] = made
	return made
}

// match reports whether the pattern occurs in s, which is valid UTF-8.
func (p *pattern) match(s []byte) bool {
	if p.table != nil {
		return p.table.match(s)
	}
	return p.re.Match(s)
}

package schema

import (
	"regexp"
)

// pattern is a compiled pattern.
type pattern struct {
	source string
	re     *regexp.Regexp
}

func (p *program) pattern(n *Node, source Pattern) *pattern {
	if source.RE2 == "" && source.Source != "" {
		p.refuse(n, "pattern %.80q was not translated", source.Source)
		return nil
	}
	re, err := regexp.Compile(source.RE2)
	if err != nil {
		p.refuse(n, "pattern %.80q: %v", source.Source, err)
		return nil
	}
	return &pattern{source: source.Source, re: re}
}

func (p *pattern) match(s []byte) bool { return p.re.Match(s) }

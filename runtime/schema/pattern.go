package schema

import (
	"regexp"
	"regexp/syntax"
)

// pattern is a compiled pattern: a table where that is small enough.
type pattern struct {
	source string
	table  *dfa
	re     *regexp.Regexp // where table is nil
	cost   int            // steps of re for 16 bytes of text, at most; 0 with a table
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
	made := &pattern{source: source.Source, table: newDFA(source.RE2), re: re}
	if made.table == nil {
		made.cost = instructions(source.RE2)
	}
	p.patterns[source] = made
	return made
}

// instructions returns the size of the program that package regexp runs: each
// byte of a text may visit them all.
func instructions(re2 string) int {
	tree, err := syntax.Parse(re2, syntax.Perl)
	if err != nil {
		return 0
	}
	prog, err := syntax.Compile(tree.Simplify())
	if err != nil {
		return 0
	}
	return len(prog.Inst)
}

// matches reports whether the pattern occurs in s, which is valid UTF-8. Once
// the budget is spent it reports false, and m.fault is set.
func (m *machine) matches(p *pattern, s []byte) bool {
	if p.table != nil {
		return p.table.match(s)
	}
	return m.spend(len(s)*p.cost/16) && p.re.Match(s)
}

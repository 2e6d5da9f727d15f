package schema

import (
	"regexp"
	"regexp/syntax"
)

// pattern is a compiled pattern: runs where it is that simple, a table where
// that is small enough.
type pattern struct {
	source string
	runs   *runs
	table  *dfa
	re     *regexp.Regexp // where the others are nil
	cost   int            // steps of re for 16 bytes of text, at most; 0 with a table
}

// Bounds on all patterns of one program together.
const (
	maxInstructions = 1 << 20 // beyond, the schema is refused
	maxTableWork    = 1 << 22 // beyond, patterns run by package regexp
)

func (p *program) pattern(n *Node, source Pattern) *pattern {
	if source.RE2 == "" && source.Source != "" {
		p.refuse(n, "pattern %.80q was not translated", source.Source)
		return nil
	}
	if made, ok := p.patterns[source]; ok {
		return made
	}
	tree, prog, err := compileRE2(source.RE2)
	if err != nil {
		p.refuse(n, "pattern %.80q: %v", source.Source, err)
		return nil
	}
	if p.instructions += len(prog.Inst); p.instructions > maxInstructions {
		p.refuse(n, "pattern %.80q: the patterns of the schema are too large together", source.Source)
		return nil
	}
	made := &pattern{source: source.Source, runs: newRuns(tree)}
	if made.runs == nil && p.tableWork < maxTableWork {
		made.table = newDFA(prog, &p.tableWork)
	}
	if made.runs == nil && made.table == nil {
		made.cost = len(prog.Inst)
		if made.re, err = regexp.Compile(source.RE2); err != nil {
			p.refuse(n, "pattern %.80q: %v", source.Source, err)
		}
	}
	p.patterns[source] = made
	return made
}

// compileRE2 parses an RE2 expression and compiles it to the program that
// package regexp runs.
func compileRE2(re2 string) (*syntax.Regexp, *syntax.Prog, error) {
	tree, err := syntax.Parse(re2, syntax.Perl)
	if err != nil {
		return nil, nil, err
	}
	prog, err := syntax.Compile(tree.Simplify())
	return tree, prog, err
}

// matches reports whether the pattern occurs in s, which is valid UTF-8. Once
// the budget is spent it reports false, and m.fault is set.
func (m *machine) matches(p *pattern, s []byte) bool {
	switch {
	case p.runs != nil:
		return p.runs.match(s)
	case p.table != nil:
		return p.table.match(s)
	}
	return m.spend(len(s)*p.cost/16) && p.re.Match(s)
}

package diag

import (
	"cmp"
	"slices"

	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// List is a row of diagnostics; the zero List is ready to use.
type List []Diagnostic

// Counts holds how many diagnostics of each severity a list has.
type Counts struct{ Errors, Warnings, Notes int }

// Add appends diagnostics.
func (l *List) Add(d ...Diagnostic) { *l = append(*l, d...) }

// AddError appends the diagnostic for an error of package source and reports
// whether it was one.
func (l *List) AddError(err error) bool {
	d, ok := From(err)
	if ok {
		l.Add(d)
	}
	return ok
}

// Sort orders the list in place by file name, line, column and code, keeping
// the order of arrival among equals, drops exact repeats, and returns it.
func (l *List) Sort() List {
	slices.SortStableFunc(*l, compare)
	*l = dropRepeats(*l)
	return *l
}

func compare(a, b Diagnostic) int {
	return cmp.Or(
		comparePositions(a.Position, b.Position),
		cmp.Compare(a.Code, b.Code),
	)
}

func comparePositions(a, b source.Position) int {
	return cmp.Or(
		cmp.Compare(fileName(a), fileName(b)),
		cmp.Compare(a.Line, b.Line),
		cmp.Compare(a.Column, b.Column),
	)
}

func fileName(p source.Position) string {
	if p.File == nil {
		return ""
	}
	return p.File.Name
}

// dropRepeats compares within each run of equal place and code; repeats need
// not be neighbours in it.
func dropRepeats(l List) List {
	out := l[:0]
	start := 0 // of the run, in out
	for _, d := range l {
		if len(out) > start && compare(out[start], d) != 0 {
			start = len(out)
		}
		if !slices.ContainsFunc(out[start:], func(o Diagnostic) bool { return same(o, d) }) {
			out = append(out, d)
		}
	}
	clear(l[len(out):])
	return out
}

// same compares positions by what they print, not by the File they hold.
func same(a, b Diagnostic) bool {
	return compare(a, b) == 0 && a.Severity == b.Severity && a.Pointer == b.Pointer &&
		a.Message == b.Message && a.Advice == b.Advice && slices.Equal(a.Run, b.Run) &&
		slices.EqualFunc(a.Related, b.Related, func(a, b Related) bool {
			return comparePositions(a.Position, b.Position) == 0 && a.Message == b.Message
		})
}

// Spell returns the list with the commands that help as advice, spelled by
// line, which is given a command's words.
func (l List) Spell(line func(words []string) string) List {
	out := slices.Clone(l)
	for i, d := range out {
		switch {
		case d.Run == nil:
		case d.Advice == "":
			out[i].Advice = "run " + line(d.Run)
		default:
			out[i].Advice = d.Advice + ", then run " + line(d.Run)
		}
	}
	return out
}

// HasErrors reports whether anything was refused.
func (l List) HasErrors() bool {
	return slices.ContainsFunc(l, func(d Diagnostic) bool { return d.Severity == Error })
}

// Errors returns the diagnostics of severity Error in their order.
func (l List) Errors() List {
	var out List
	for _, d := range l {
		if d.Severity == Error {
			out = append(out, d)
		}
	}
	return out
}

// Counts counts by severity.
func (l List) Counts() Counts {
	var c Counts
	for _, d := range l {
		switch d.Severity {
		case Error:
			c.Errors++
		case Warning:
			c.Warnings++
		case Note:
			c.Notes++
		}
	}
	return c
}

// Package diag holds what the compiler has to say about the user's files:
// collected, sorted, and printed as text for people or as JSON for programs.
//
// A [Diagnostic] is about a file, never about the machine or a bug of ours;
// those are errors. Codes are lower-case words joined by hyphens, constants of
// the package that raises them: there is no registry here. Everything in a
// diagnostic may be foreign text; only the printers of this package know how
// to show it safely. Start with [At], collect in a [List].
package diag

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// Severity says what a diagnostic stops. The zero value is no severity.
type Severity uint8

const (
	Error   Severity = iota + 1 // something is refused
	Warning                     // nothing is refused, something may be wrong
	Note                        // worth knowing
)

// String returns the word that is printed and written to JSON.
func (s Severity) String() string {
	switch s {
	case Error:
		return "error"
	case Warning:
		return "warning"
	case Note:
		return "note"
	default:
		return "Severity(" + strconv.Itoa(int(s)) + ")"
	}
}

// Diagnostic is one finding. Position is where to click and may name only a
// file; Pointer survives reformatting and is empty at the root or when unknown.
type Diagnostic struct {
	Code     string
	Severity Severity
	Position source.Position
	Pointer  source.Pointer
	Message  string // starts lower case, no full stop
	Advice   string // what to do, when that is not obvious
	Related  []Related

	// Run is the command that helps, after what Advice says: its words, without the name of the
	// program and without the flags that name the project. Whoever knows those
	// turns it into Advice; see [List.Spell].
	Run []string
}

// Related is another place that explains a diagnostic.
type Related struct {
	Position source.Position
	Message  string
}

// At returns an error at n. Quote foreign values in args with %q.
func At(n *source.Node, code, format string, args ...any) Diagnostic {
	return at(Error, n, code, format, args)
}

// Warn returns a warning at n.
func Warn(n *source.Node, code, format string, args ...any) Diagnostic {
	return at(Warning, n, code, format, args)
}

// Noted returns a note at n.
func Noted(n *source.Node, code, format string, args ...any) Diagnostic {
	return at(Note, n, code, format, args)
}

func at(s Severity, n *source.Node, code, format string, args []any) Diagnostic {
	return Diagnostic{
		Code:     code,
		Severity: s,
		Position: n.Position(),
		Pointer:  n.Pointer(),
		Message:  fmt.Sprintf(format, args...),
	}
}

// AtName returns an error at the name of a member rather than at its value:
// the place for names that are unknown or taken.
func AtName(m source.Member, code, format string, args ...any) Diagnostic {
	d := at(Error, m.Value, code, format, args)
	// A value that a correction put in place of another stands in a file of
	// its own, where the offset of the name means nothing.
	if v := m.Value; v != nil && (v.Parent == nil || v.Parent.File == v.File) {
		d.Position = v.File.Position(m.Offset)
	}
	return d
}

// WithAdvice returns d with a line that says what to do.
func (d Diagnostic) WithAdvice(advice string) Diagnostic {
	d.Advice = advice
	return d
}

// WithRun returns d with the command that helps.
func (d Diagnostic) WithRun(words ...string) Diagnostic {
	d.Run = words
	return d
}

// WithRelated returns d with one more related place; d itself is not changed.
func (d Diagnostic) WithRelated(n *source.Node, message string) Diagnostic {
	related := append([]Related(nil), d.Related...)
	d.Related = append(related, Related{Position: n.Position(), Message: message})
	return d
}

// From returns the diagnostic for an error of package source, however wrapped;
// false for every other error.
func From(err error) (Diagnostic, bool) {
	e, ok := errors.AsType[*source.Error](err)
	if !ok {
		return Diagnostic{}, false
	}
	return of(e), true
}

// All returns the diagnostics for an error of package source: all faults of the
// text that it was about.
func All(err error) (List, bool) {
	e, ok := errors.AsType[*source.Error](err)
	if !ok {
		return nil, false
	}
	var l List
	for _, fault := range e.All() {
		l.Add(of(fault))
	}
	return l, true
}

func of(e *source.Error) Diagnostic {
	d := Diagnostic{
		Code:     e.Code,
		Severity: Error,
		Position: e.Position,
		Pointer:  e.Pointer,
		Message:  e.Message,
		Advice:   e.Advice,
	}
	if e.Related != nil {
		d.Related = []Related{{Position: *e.Related, Message: e.RelatedMessage}}
	}
	return d
}

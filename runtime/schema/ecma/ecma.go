// Package ecma translates regular expressions of ECMA-262, the ones that JSON
// Schema means, into RE2 expressions that match exactly the same strings.
// It never approximates: what has no equal is refused. Start with Translate.
//
// Expressions are read in Unicode mode (flag u, as JSON Schema asks): they
// match code points, \u{1F600} is one character, \p{L} a property. Forms that
// Unicode mode forbids and that can mean only one thing are read as that, as
// web browsers do without the flag: an escaped punctuation mark, a lone { } or
// ], a dash beside a class escape ([\w-.]). An escaped letter or digit
// that Unicode mode does not know (\A, \Z, \h, \1 without a group) is refused:
// whoever wrote it meant another dialect.
package ecma

import (
	"fmt"
	"regexp/syntax"
	"strings"
)

// Error says why an expression was refused, and where.
type Error struct {
	Offset      int  // in bytes
	Unsupported bool // a sound expression that RE2 has no equal for
	Message     string
}

// Error names the offset and the reason.
func (e *Error) Error() string { return fmt.Sprintf("%s at offset %d", e.Message, e.Offset) }

// Translate returns the RE2 expression, in the syntax of package regexp, that
// matches the same strings as source, searched for anywhere in a string.
// Its groups capture nothing. The error is an *Error.
func Translate(source string) (re2 string, err error) {
	tree, err := parse(source)
	if err != nil {
		return "", err
	}
	if tree.size() > largest {
		return "", &Error{0, true, "counts too large to be written out"}
	}
	var b strings.Builder
	if err := tree.emit(&b); err != nil {
		return "", err
	}
	if _, err := syntax.Parse(b.String(), syntax.Perl); err != nil {
		return "", &Error{0, true, "too large for RE2: " + err.Error()}
	}
	return b.String(), nil
}

// Check reports whether source is a sound expression, be there an equal in
// RE2 or not.
func Check(source string) error {
	if _, err := parse(source); err != nil && !err.(*Error).Unsupported {
		return err
	}
	return nil
}

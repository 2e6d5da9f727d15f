package schema

import (
	"strconv"
	"strings"

	"github.com/openrpc-go/rpcgen/runtime/internal/scan"
)

// MaxCauses is how many causes an Error holds at most.
const MaxCauses = 16

// Error says that a value does not fit its schema. Causes are ordered: the
// deepest place first, then the order of the text.
type Error struct {
	Causes []Cause
	More   int // causes that were left out
}

// Cause is one keyword that a value breaks.
type Cause struct {
	Pointer  string // JSON Pointer to the value; of a sensitive node, to that node
	Keyword  string // "required", "maximum", "additionalProperties" is "false"
	Schema   string // ID of the node
	Expected string // in words, from the schema only
	Found    string // a short scalar or the kind of the value; "" below a sensitive node
}

// Error names the first cause, and how many there are.
func (e *Error) Error() string {
	if len(e.Causes) == 0 {
		return "value does not fit its schema"
	}
	var b strings.Builder
	b.WriteString(e.Causes[0].String())
	if n := len(e.Causes) - 1 + e.More; n > 0 {
		b.WriteString(" (and " + strconv.Itoa(n) + " more)")
	}
	return b.String()
}

// String is the cause on one line, all foreign text quoted.
func (c Cause) String() string {
	var b strings.Builder
	if c.Pointer == "" {
		b.WriteString("the value")
	} else {
		b.WriteString(strconv.Quote(c.Pointer))
	}
	b.WriteString(": expected " + c.Expected)
	if c.Found != "" {
		b.WriteString(", found " + c.Found)
	}
	b.WriteString(" (" + c.Keyword + " of " + strconv.Quote(c.Schema) + ")")
	return b.String()
}

// SyntaxError says that a text is not acceptable JSON: broken grammar or
// UTF-8, a repeated member, or a limit passed. Code is stable.
type SyntaxError struct {
	Offset int
	Code   string
	words  string
}

func (e *SyntaxError) Error() string { return e.words }

func syntaxError(e *scan.Error) *SyntaxError {
	return &SyntaxError{Offset: e.Offset, Code: e.Code, words: e.Error()}
}

// BudgetError says that a value and a schema together would take too long to
// decide. The value was neither accepted nor found wrong.
type BudgetError struct{ Schema string }

func (e *BudgetError) Error() string {
	return "checking the value against schema " + strconv.Quote(e.Schema) + " takes too many steps"
}

// Unrepresentable says that a value fits its schema but not the Go type it is
// decoded into: an integer beyond int64, text that is not base64. The raw
// value is kept. It is no contract violation of the other side.
type Unrepresentable struct {
	Pointer string // JSON Pointer to the value
	Type    string // the Go type
	Raw     Raw    // the value as it came
}

func (e *Unrepresentable) Error() string {
	return "the value at " + strconv.Quote(e.Pointer) + " is legal but does not fit Go type " + e.Type
}

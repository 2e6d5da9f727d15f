package source

import "fmt"

// Codes of the faults that this package reports.
const (
	CodeUnreadable      = "unreadable-file"     // the system would not give it
	CodeNotRegular      = "not-a-regular-file"  // folder, device, pipe, socket
	CodeTooLarge        = "file-too-large"      // more bytes than the limit
	CodeTooDeep         = "too-deep"            // more levels than the limit
	CodeTooManyNodes    = "too-many-nodes"      // more values than the limit
	CodeInvalidUTF8     = "invalid-utf8"        // bytes that are not UTF-8
	CodeByteOrderMark   = "byte-order-mark"     // U+FEFF before the text
	CodeEmpty           = "empty-file"          // no value at all
	CodeSyntaxJSON      = "json-syntax"         // not JSON
	CodeSyntaxYAML      = "yaml-syntax"         // not YAML
	CodeDuplicateKey    = "duplicate-key"       // a name twice in one object
	CodeSecondDocument  = "second-document"     // more than one document
	CodeMergeConflict   = "merge-conflict"      // markers of an unfinished merge
	CodeYAMLKey         = "yaml-key"            // a key that is not a plain name
	CodeYAMLMerge       = "yaml-merge-key"      // <<
	CodeYAMLTag         = "yaml-tag"            // a tag that we do not read
	CodeYAMLAnchor      = "yaml-anchor"         // &name, in our own files
	CodeYAMLAlias       = "yaml-alias"          // *name, in our own files or round in circles
	CodeYAMLDirective   = "yaml-directive"      // %TAG, or %YAML of another version than 1.2
	CodeYAMLNumber      = "yaml-number"         // a number that JSON cannot say
	CodeNull            = "null-value"          // null, in our own files
	CodeAmbiguousScalar = "ambiguous-scalar"    // text that YAML versions read differently
	CodeCharacter       = "forbidden-character" // control, format or invisible, in our own files
	CodePointer         = "pointer-not-found"   // a pointer that leads nowhere
)

// Error is a fault of a file. Position names at least the file; Pointer is the
// innermost value known, empty at the root or when unknown.
type Error struct {
	Code     string
	Position Position
	Pointer  Pointer
	Message  string
	Advice   string // what to do, when that is not obvious

	Related        *Position // another place that explains the fault
	RelatedMessage string

	rest    []*Error // further faults of the text of one of our own files
	partial *File    // what could be read of it
	cause   error
}

// All returns e and the further faults of the same text, in its order.
func (e *Error) All() []*Error { return append([]*Error{e}, e.rest...) }

// Partial returns what could be read of a file of our own that was refused:
// for finding more faults in it and for nothing else. It is nil where the text
// could not be followed to its end.
func (e *Error) Partial() *File { return e.partial }

// Error returns position, code and message on one line. Foreign text in the
// message is quoted; the file name is not, print through diag for terminals.
func (e *Error) Error() string {
	if e.Position.IsZero() {
		return e.Code + ": " + e.Message
	}
	return e.Position.String() + ": " + e.Code + ": " + e.Message
}

// Unwrap returns the error of the system below, or nil.
func (e *Error) Unwrap() error { return e.cause }

func (f *File) fail(offset int, code, format string, args ...any) *Error {
	return &Error{Code: code, Position: f.place(offset), Message: fmt.Sprintf(format, args...)}
}

func (e *Error) advise(advice string) *Error {
	e.Advice = advice
	return e
}

func (e *Error) at(p Pointer) *Error {
	e.Pointer = p
	return e
}

func (e *Error) relate(p Position, message string) *Error {
	e.Related, e.RelatedMessage = &p, message
	return e
}

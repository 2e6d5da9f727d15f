// Package explain says in words what a code of a diagnostic or of a finding
// means, and what to do about it. It holds text only. Start with Code.
package explain

import (
	"maps"
	"slices"
)

// Text is what a person is told about a code.
type Text struct {
	Means string // what was found, in a sentence
	Do    string // what helps
}

// Code returns the text of a code; false when there is no such code. A code
// means the same wherever it is reported.
func Code(code string) (Text, bool) {
	text, ok := codes[code]
	return text, ok
}

// Codes lists all codes, sorted.
func Codes() []string { return slices.Sorted(maps.Keys(codes)) }

// Package correct mends documents that are not ours: it holds the corrections
// of an amendment against the node tree of a document and changes a copy of
// it, before any reader sees one. What a correction put in place keeps its
// position in the amendment.
//
// A correction never misses in silence: what it expects to find must be there,
// and it must change something. This package knows trees and how methods and
// params are named in them, never what a value means. Start with Read and New.
package correct

import "github.com/openrpc-go/rpcgen/compiler/internal/source"

// Codes of the diagnostics of this package, beside those of package fields.
const (
	Missed   = "correction-missed"         // the document is not as the correction expects
	Useless  = "correction-without-effect" // nothing would change
	Unshared = "shared-target"             // several methods may see the change, and nobody said so
	BadPlace = "bad-correction-place"      // "at" names no place
)

// Correction is one change of a document.
type Correction struct {
	File   string         // of a file that the document refers to, relative to it; "" is the document
	At     source.Pointer // methods and params by their names, never empty
	Was    *source.Node   // what must stand there; nil adds
	Now    *source.Node   // what stands there instead; nil removes
	Shared bool           // several methods may see the change
	Reason string

	Node   *source.Node // the correction itself
	place  *source.Node // the value of "at"
	tokens []string     // of At
}

// Nulls is where null may stand in a file with corrections: they repeat
// values of documents.
const Nulls = source.Pointer("/corrections")

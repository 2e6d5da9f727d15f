// Package metaschema holds documents and our own files against their JSON
// Schemas, which are embedded from this folder and published with it:
// openrpc.schema.json (the parts of OpenRPC that we read),
// config.schema.json (rpcgen.yaml) and amendment.schema.json (NAME.amend.yaml).
//
// It is the second opinion. The readers of those files judge first, with
// better words; Complement keeps of a finding only what they did not see. It
// decides nothing about schemas inside documents: they are cut out before the
// engine, github.com/kaptinlin/jsonschema, sees the document, and its types
// stop here. The engine is used with guards: it has no loaders, so that no
// reference leaves the process; references it cannot resolve are errors
// instead of being taken as satisfied; number literals are bounded before it
// sees them; and one schema is evaluated by one goroutine at a time.
//
// Start with OpenRPC, Config or Amendment.
package metaschema

import (
	"bytes"

	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// Codes of the faults that this package reports.
const (
	CodeWrongType     = "wrong-type"           // a value of another kind
	CodeWrongValue    = "wrong-value"          // a value that the schema does not admit
	CodeMissingMember = "missing-member"       // a member that must be there
	CodeUnknownMember = "unknown-member"       // a member where only known ones may stand
	CodeNumber        = "number-out-of-bounds" // a literal too long or large to be judged
	CodeInternal      = "internal-schema"      // our own schema does not work: a bug of ours
)

// OpenRPC returns what is wrong with an OpenRPC document of any version from
// 1.0 to 1.4, schemas and example values left aside.
func OpenRPC(f *source.File) diag.List { return openRPC.check(f, reduceOpenRPC(f.Root)) }

// Config returns what is wrong with an rpcgen.yaml.
func Config(f *source.File) diag.List { return config.check(f, reduceConfig(f.Root)) }

// Amendment returns what is wrong with a NAME.amend.yaml.
func Amendment(f *source.File) diag.List { return amendment.check(f, reduceAmendment(f.Root)) }

// AmendmentSchema is the JSON Schema of an amendment, for editors.
func AmendmentSchema() []byte { return bytes.Clone(amendmentSchema) }

// IsAmendmentSchema reports whether text is that schema, of this release or of
// another one.
func IsAmendmentSchema(text []byte) bool {
	first, _, _ := bytes.Cut(amendmentSchema, []byte("\n  \"description\""))
	return bytes.HasPrefix(text, first)
}

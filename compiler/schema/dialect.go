// Package schema translates JSON Schema, as documents write it in several
// dialects, into the dialect-free nodes of runtime/schema. References are
// resolved into pointers, so a recursive schema is a cyclic graph; nothing is
// inlined and nothing is fetched.
//
// It never guesses: a keyword of the wrong type, a reference to nothing or a
// pattern without an equal is a fault with its place, and a node with a fault
// admits nothing. Start with [Compile] for a schema of its own; the compiler
// uses [Graph] for the schemas inside of a document.
package schema

import "strings"

// Dialect is the set of rules a schema was written by.
type Dialect uint8

const (
	Draft4    Dialect = iota + 1
	Draft7            // OpenRPC
	Draft2020         // 2020-12, OpenAPI 3.1
	OpenAPI30         // the schema object of OpenAPI 3.0
)

// String returns the name as messages write it.
func (d Dialect) String() string {
	switch d {
	case Draft4:
		return "draft 4"
	case Draft7:
		return "draft 7"
	case Draft2020:
		return "draft 2020-12"
	case OpenAPI30:
		return "OpenAPI 3.0"
	}
	return "unknown dialect"
}

func (d Dialect) valid() bool { return d >= Draft4 && d <= OpenAPI30 }

// siblings reports whether keywords beside $ref apply.
func (d Dialect) siblings() bool { return d == Draft2020 }

// booleans reports whether true and false are schemas.
func (d Dialect) booleans() bool { return d == Draft7 || d == Draft2020 }

// idKeyword is the keyword that states a schema's URI.
func (d Dialect) idKeyword() string {
	switch d {
	case Draft4:
		return "id"
	case OpenAPI30:
		return ""
	}
	return "$id"
}

// isDraft6 reports whether a $schema names draft 6, which is draft 7 without
// conditions and some annotations.
func isDraft6(uri string) bool {
	switch strings.TrimSuffix(uri, "#") {
	case "http://json-schema.org/draft-06/schema", "https://json-schema.org/draft-06/schema":
		return true
	}
	return false
}

// declared returns the dialect that a $schema names.
func declared(uri string) (Dialect, bool) {
	switch strings.TrimSuffix(uri, "#") {
	case "http://json-schema.org/draft-04/schema", "https://json-schema.org/draft-04/schema":
		return Draft4, true
	case "http://json-schema.org/draft-07/schema", "https://json-schema.org/draft-07/schema":
		return Draft7, true
	case "https://json-schema.org/draft/2020-12/schema", "http://json-schema.org/draft/2020-12/schema":
		return Draft2020, true
	}
	return 0, false
}

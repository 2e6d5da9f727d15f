package schema

import (
	"slices"
	"strconv"
	"strings"

	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// Codes of the diagnostics that this package raises; those of package
// reference come through it.
const (
	CodeKeyword       = "bad-keyword"              // a keyword with a value it cannot have
	CodeNoSchema      = "not-a-schema"             // another value where a schema is expected
	CodeNumber        = "number-out-of-range"      // a literal beyond the guard
	CodePattern       = "bad-pattern"              // a pattern that is no ECMA-262
	CodeUnsupported   = "unsupported-pattern"      // a sound pattern that has no equal in RE2
	CodeDialect       = "unknown-dialect"          // a $schema that is not known
	CodeEndless       = "endless-schema"           // a schema that applies itself to the same value
	CodeTooComplex    = "schema-too-complex"       // more schemas than the limit
	CodeContradiction = "schema-contradiction"     // warning: parts of an allOf that nothing fits together
	CodeUnknown       = "unknown-keyword"          // warning: a keyword nobody knows
	CodeForeign       = "keyword-of-other-dialect" // warning
	CodeSiblings      = "ref-siblings-ignored"     // warning
	CodeNoEffect      = "keyword-without-effect"   // warning
	CodeRepeated      = "repeated-value"           // warning
	CodeOverlap       = "overlapping-branches"     // warning: branches of a oneOf that plain values fit both
	CodeUnending      = "unsatisfiable-recursion"  // warning: only an infinite value would fit
)

// foreignAdvice says how to state in dialect d what a keyword of another one
// was meant to say.
func foreignAdvice(name string, d Dialect) string {
	switch name {
	case "nullable":
		return `state it as type: [..., "null"] or as oneOf with {type: "null"}; a correction can do so for a document that is not yours`
	case "prefixItems":
		if d == Draft7 || d == Draft4 {
			return `write the schemas by position as an array under "items"`
		}
	case "const":
		return "write an enum of one"
	case "dependentRequired", "dependentSchemas":
		if d == Draft7 || d == Draft4 {
			return `write it under "dependencies"`
		}
	case "additionalItems":
		if d == Draft2020 {
			return `write the schemas by position under "prefixItems" and the rest under "items"`
		}
	case "id":
		if d != OpenAPI30 {
			return `write "$id"`
		}
	case "discriminator":
		return "nothing is lost where each branch fixes the property by const or enum"
	}
	return "a correction can state what the service really does"
}

// nearestKeyword returns the keyword that a name may be a slip of, or "".
func nearestKeyword(name string, r *rules) string {
	if r.words == nil {
		for known, k := range keywords {
			if r.knows(k) {
				r.words = append(r.words, known)
			}
		}
		slices.Sort(r.words)
	}
	return diag.Nearest(name, r.words)
}

func kindName(n *source.Node) string {
	switch n.Kind {
	case source.Null:
		return "null"
	case source.Bool:
		return n.Text
	case source.Number:
		return "a number"
	case source.String:
		return "a string"
	case source.Array:
		if len(n.Items) == 0 {
			return "an empty array"
		}
		return "an array"
	case source.Object:
		return "an object"
	}
	return "nothing"
}

func quote(s string) string { return strconv.Quote(clip(s)) }

func enumerate(words []string) string {
	if len(words) > 8 {
		words = append(words[:8:8], "others")
	}
	last := len(words) - 1
	if last == 0 {
		return words[0]
	}
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

func clip(s string) string {
	const most = 120
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "..."
}

func itoa(i int) string { return strconv.Itoa(i) }

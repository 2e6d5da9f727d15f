package plan_test

import (
	"strings"
	"testing"
)

// TestVariantsByMember: a variant is named by what tells it apart, the way a
// person would: by its one text, by the one member that it must have, or by its
// only one; and what stands under that member is not named twice after it.
func TestVariantsByMember(t *testing.T) {
	object := func(name, schema, more string) string {
		return `{"type":"object","required":["` + name + `"],"properties":{"` + name + `":` + schema + `}` + more + `}`
	}
	const closed = `,"additionalProperties":false`
	for _, c := range []struct{ name, oneOf, want string }{
		{"tags around values", `{"type":"string","enum":["None"]},` + object("Some", `{"type":"integer"}`, closed) + `,` + object("Pair", `{"type":"object","properties":{"a":{"type":"string"}}}`, closed),
			"MResultNone MResultSome MResultPair"},
		{"several texts", `{"type":"string","enum":["a","b"]},{"type":"integer"}`, "MResultChoice MResultInteger"},
		{"the only member, which may be absent", `{"type":"object","properties":{"ip":{"type":"string"}}},{"type":"object","properties":{"key":{"type":"string"}}}`, "MResultIP MResultKey"},
		{"required beside others that may be absent", `{"type":"object","required":["hash"],"properties":{"hash":{"type":"string"},"note":{"type":"string"}}},` + object("height", `{"type":"integer"}`, ""), "MResultHash MResultHeight"},
		{"two that are required", `{"type":"object","required":["x","y"],"properties":{"x":{"type":"integer"},"y":{"type":"integer"}}},{"type":"string"}`, "MResultObject MResultString"},
		{"a member of both", object("id", `{"type":"integer"}`, "") + `,{"type":"object","required":["id"],"properties":{"id":{"type":"string"},"v":{"type":"string"}}}`, "MResultObject MResultObject2"},
		{"a flag beside a member", `{"type":"object","required":["ok","value"],"properties":{"ok":{"const":true},"value":{"type":"string"}}},{"type":"object","required":["ok","error"],"properties":{"ok":{"const":false},"error":{"type":"object"}}}`, "MResultValue MResultError"},
		{"a title before all", `{"title":"Nothing","type":"string","enum":["None"]},` + object("Some", `{"type":"integer"}`, `,"title":"Just"`), "MResultNothing MResultJust"},
		{"a constant before a member", object("kind", `{"const":"card"}`, "") + `,` + object("iban", `{"type":"string"}`, ""), "MResultCard MResultIban"},
	} {
		p := built(t, "t", one(`{"oneOf":[`+c.oneOf+`]}`, `"A":{"type":"string"}`))
		var got []string
		for _, v := range declared(t, p, "MResult").Variants {
			got = append(got, v.Go)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	p := built(t, "t", one(`{"oneOf":[{"type":"string"},`+object("Pair", `{"type":"object","properties":{"a":{"type":"string"}}}`, closed)+`]}`, `"A":{"type":"string"}`))
	declared(t, p, "MResultPairValue")
}

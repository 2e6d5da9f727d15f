package compiler_test

import "testing"

// TestRecursionThroughNullable: what leads back to itself through a member that
// may be absent or null is a Go type, whichever types are on the way.
func TestRecursionThroughNullable(t *testing.T) {
	const ref = `{"$ref":"#/components/schemas/`
	orNull := func(name string) string { return `{"oneOf":[{"type":"null"},` + ref + name + `"}]}` }
	quickly(t, func() {
		c := compileText(t, rpcWith(`{
			"Tree":{"type":"object","properties":{"parent":`+orNull("Tree")+`,"kids":{"type":"array","items":`+ref+`Tree"}}}},
			"A":{"type":"object","required":["b"],"properties":{"b":`+ref+`B"}}},
			"B":{"type":"object","properties":{"c":{"anyOf":[`+ref+`C"},{"type":"null"}]}}},
			"C":{"type":"object","required":["a"],"properties":{"a":`+ref+`A"},"leaf":`+orNull("Leaf")+`}},
			"Leaf":{"type":"object","properties":{"x":{"type":"string"}}},
			"Pair":{"type":"array","minItems":1,"items":[{"type":"string"},`+orNull("Pair")+`],"additionalItems":false}}`,
			method("tree", ``, ref+`Tree"}`, ``), method("a", ``, ref+`A"}`, ``), method("pair", ``, ref+`Pair"}`, ``)))
		c.refused()
		c.prints(
			"Parent schema.Nullable[*Tree] `json:\"parent,omitzero\"`",
			"C schema.Nullable[*C] `json:\"c,omitzero\"`",
			"Leaf schema.Nullable[Leaf] `json:\"leaf,omitzero\"`",
			"Item1 schema.Nullable[*Pair] `json:\"1,omitzero\"`")
		c.checks()
	})
}

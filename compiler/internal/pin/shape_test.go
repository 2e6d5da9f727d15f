package pin

import (
	"strings"
	"testing"
)

// spelling is a schema with the components that it refers to.
type spelling struct{ schema, components string }

// TestSchemas is the golden table: rows of schemas that are one schema, and
// near-miss twins that are not.
func TestSchemas(t *testing.T) {
	s := func(schema string) spelling { return spelling{schema, ""} }
	const list = `"List":{"type":"object","properties":{"next":{"$ref":"#/components/schemas/List"},"v":{"type":"string"}}}`
	const unrolled = `"A":{"type":"object","properties":{"v":{"type":"string"},"next":{"$ref":"#/components/schemas/B"}}},` +
		`"B":{"type":"object","properties":{"v":{"type":"string"},"next":{"type":"object","properties":{"next":{"$ref":"#/components/schemas/A"},"v":{"type":"string"}}}}}`
	for _, tt := range []struct {
		name  string
		equal []spelling
		twins []spelling // each differs from all of equal
	}{
		{"key order and white space", []spelling{
			s(`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer"}}}`),
			s("{ \"properties\" : {\"b\":{\"type\":\"integer\"} ,\n\"a\":{\"type\":\"string\"}},\"type\":\"object\" }"),
		}, []spelling{
			s(`{"type":"object","properties":{"b":{"type":"string"},"a":{"type":"integer"}}}`),
			s(`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"number"}}}`),
			s(`{"type":"object","properties":{"a":{"type":"string"},"B":{"type":"integer"}}}`),
			s(`{"properties":{"a":{"type":"string"},"b":{"type":"integer"}}}`),
			s(`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer"},"c":true}}`),
			s(`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer"}},"additionalProperties":true}`),
			s(`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer"}},"additionalProperties":false}`),
			s(`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer"}},"required":["a"]}`),
		}},
		{"inline, reference, reference to a reference, any name", []spelling{
			s(`{"type":"string","minLength":1}`),
			{`{"$ref":"#/components/schemas/X"}`, `"X":{"minLength":1,"type":"string"}`},
			{`{"$ref":"#/components/schemas/Y"}`, `"Y":{"$ref":"#/components/schemas/Z"},"Z":{"type":"string","minLength":1.0}`},
			s(`{"type":"string","minLength":1,"title":"T","description":"D","examples":["x"],"$comment":"C","deprecated":true,"x-y":1}`),
			{`{"$ref":"#/components/schemas/X","description":"beside"}`, `"X":{"minLength":1,"type":"string"}`},
		}, []spelling{
			s(`{"type":"string","minLength":2}`),
			s(`{"type":"string"}`),
			s(`{"type":"string","maxLength":1}`),
			s(`{"minLength":1}`),
			s(`{"type":"string","minLength":1,"default":"x"}`),
			s(`{"type":"string","minLength":1,"readOnly":true}`),
			s(`{"type":"string","minLength":1,"writeOnly":true}`),
			s(`{"type":"string","minLength":1,"nobodyKnows":1}`),
			s(`{"type":"string","minLength":1,"contentEncoding":"base64"}`),
			s(`{"type":"string","minLength":1,"format":"date"}`),
			s(`{"type":"string","minLength":1,"pattern":"^a"}`),
			s(`{"type":["string","null"],"minLength":1}`),
		}},
		{"order of required, enum and types", []spelling{
			s(`{"type":["object","string"],"required":["a","b"],"enum":["x",{"a":1,"b":2.0}]}`),
			s(`{"type":["string","object"],"required":["b","a"],"enum":[{"b":2,"a":1.0},"x"]}`),
		}, []spelling{
			s(`{"type":["string","object"],"required":["b","a"],"enum":[{"b":2,"a":1},"x","y"]}`),
			s(`{"type":["string","object"],"required":["b"],"enum":[{"b":2,"a":1},"x"]}`),
			s(`{"type":["string","object"],"required":["b","a"],"enum":[{"b":2,"a":9007199254740993},"x"]}`),
		}},
		{"const is an enum of one", []spelling{s(`{"const":"a"}`), s(`{"enum":["a"]}`)}, []spelling{s(`{"enum":["a","b"]}`), s(`{"const":"A"}`), s(`{}`)}},
		{"null", []spelling{
			s(`{"type":["string","null"],"maxLength":3}`),
			s(`{"type":["null","string"],"maxLength":3}`),
			s(`{"oneOf":[{"type":"string","maxLength":3},{"type":"null"}]}`),
			s(`{"anyOf":[{"type":"null"},{"type":"string","maxLength":3}]}`),
			s(`{"anyOf":[{"type":"string","maxLength":3},{"const":null}]}`),
			s(`{"anyOf":[{"type":["string","null"],"maxLength":3},{"type":"null"}]}`),
			s(`{"anyOf":[{"oneOf":[{"type":"string","maxLength":3},{"type":"null"}]}]}`),
			{`{"oneOf":[{"$ref":"#/components/schemas/S"},{"enum":[null]}]}`, `"S":{"type":"string","maxLength":3}`},
		}, []spelling{
			s(`{"type":"string","maxLength":3}`),
			s(`{"oneOf":[{"type":["string","null"],"maxLength":3},{"type":"null"}]}`), // null fits twice
			s(`{"oneOf":[{"type":"string","maxLength":3},{"type":"null"},{"type":"null"}]}`),
			s(`{"oneOf":[{"maxLength":3},{"type":"null"}]}`),
			s(`{"allOf":[{"type":"string","maxLength":3},{"type":"null"}]}`),
			s(`{"type":"null"}`),
		}},
		{"null of an enum", []spelling{
			s(`{"type":["string","null"],"enum":["a",null]}`),
			s(`{"oneOf":[{"type":"string","enum":["a"]},{"type":"null"}]}`),
			s(`{"anyOf":[{"type":"string","const":"a"},{"const":null}]}`),
		}, []spelling{
			s(`{"type":["string","null"],"enum":["a"]}`), // null is not listed
			s(`{"type":"string","enum":["a",null]}`),     // null is not of the type
			s(`{"type":["string","null"]}`),
		}},
		{"null beside several", []spelling{
			s(`{"anyOf":[{"type":"string"},{"type":"integer"},{"type":"null"}]}`),
			s(`{"anyOf":[{"type":"null"},{"type":"string"},{"type":"integer"}]}`),
			s(`{"anyOf":[{"anyOf":[{"type":"string"},{"type":"integer"}]},{"type":"null"}]}`),
			s(`{"anyOf":[{"type":["string","null"]},{"type":"integer"}]}`),
			s(`{"anyOf":[{"type":["string","null"]},{"type":["integer","null"]}]}`),
		}, []spelling{
			s(`{"anyOf":[{"type":"integer"},{"type":"string"},{"type":"null"}]}`), // the first that fits is given
			s(`{"anyOf":[{"type":"string"},{"type":"integer"}]}`),
			s(`{"oneOf":[{"type":["string","null"]},{"type":["integer","null"]}]}`),
		}},
		{"null in one branch", []spelling{
			s(`{"oneOf":[{"type":["string","null"]},{"type":"integer"}]}`),
			s(`{"oneOf":[{"type":"string"},{"type":["null","integer"]}]}`),
			s(`{"oneOf":[{"type":"string"},{"type":"null"},{"type":"integer"}]}`),
			s(`{"anyOf":[{"oneOf":[{"type":"string"},{"type":"integer"}]},{"type":"null"}]}`),
		}, []spelling{
			s(`{"oneOf":[{"type":["string","null"]},{"type":["integer","null"]}]}`),
			s(`{"oneOf":[{"type":"string"},{"type":"integer"}]}`),
		}},
		{"null beside a branch that may admit it", []spelling{
			s(`{"anyOf":[{"oneOf":[{"type":"string"},{"minLength":1}]},{"type":"null"}]}`),
		}, []spelling{
			s(`{"oneOf":[{"type":["string","null"]},{"minLength":1}]}`),
			s(`{"oneOf":[{"type":"string"},{"minLength":1},{"type":"null"}]}`),
		}},
		{"only null", []spelling{s(`{"type":"null"}`), s(`{"const":null}`), s(`{"enum":[null]}`), s(`{"type":["null"]}`), s(`{"anyOf":[{"type":"null"},{"const":null}]}`)},
			[]spelling{s(`{}`), s(`false`), s(`{"oneOf":[{"type":"null"},{"const":null}]}`)}},
		{"redundant allOf", []spelling{
			s(`{"type":"string"}`),
			s(`{"allOf":[{"type":"string"}]}`),
			s(`{"allOf":[{"type":"string"},true]}`),
			s(`{"allOf":[{"type":"string"},{"type":"string"}]}`),
			s(`{"allOf":[{"allOf":[{"type":"string"},{}]},{"type":"string","title":"other words"}]}`),
			{`{"allOf":[{"$ref":"#/components/schemas/A"},{"$ref":"#/components/schemas/B"}]}`, `"A":{"type":"string"},"B":{"allOf":[{"type":"string"}]}`},
		}, []spelling{
			s(`{"allOf":[{"type":"string"},{"type":"integer"}]}`),
			s(`{"anyOf":[{"type":"string"},true]}`),
			s(`{"not":{"type":"string"}}`),
			s(`{"oneOf":[{"type":"string"},{"type":"string"}]}`),
			s(`{"allOf":[{"type":"string"}],"default":"x"}`),
		}},
		{"order of allOf", []spelling{
			s(`{"allOf":[{"type":"object"},{"required":["a"]}]}`),
			s(`{"allOf":[{"required":["a"]},{"type":"object"}]}`),
			s(`{"allOf":[{"required":["a"]},{"allOf":[{"type":"object"},{"required":["a"]}]}]}`),
		}, []spelling{s(`{"allOf":[{"required":["b"]},{"type":"object"}]}`), s(`{"anyOf":[{"required":["a"]},{"type":"object"}]}`)}},
		{"order of oneOf", []spelling{s(`{"oneOf":[{"type":"string"},{"type":"object"}]}`), s(`{"oneOf":[{"type":"object"},{"type":"string"}]}`)},
			[]spelling{s(`{"anyOf":[{"type":"object"},{"type":"string"}]}`)}},
		{"numbers", []spelling{
			s(`{"type":"number","minimum":1,"maximum":1e3,"multipleOf":0.10}`),
			s(`{"type":"number","minimum":1.0,"maximum":1000,"multipleOf":1e-1}`),
		}, []spelling{
			s(`{"type":"number","minimum":1,"maximum":1000.0000000000000000000000001,"multipleOf":0.1}`),
			s(`{"type":"number","exclusiveMinimum":1,"maximum":1000,"multipleOf":0.1}`),
			s(`{"type":"number","exclusiveMinimum":0,"maximum":1000,"multipleOf":0.1}`),
		}},
		{"integer bounds", []spelling{
			s(`{"type":"integer","minimum":4,"maximum":-1}`),
			s(`{"type":"integer","exclusiveMinimum":3,"exclusiveMaximum":0}`),
			s(`{"type":"integer","minimum":3.5,"maximum":-0.5}`),
			s(`{"type":"integer","minimum":1,"exclusiveMinimum":3.9,"maximum":-1}`),
		}, []spelling{
			s(`{"type":"integer","minimum":3,"maximum":-1}`),
			s(`{"type":"integer","exclusiveMinimum":4,"maximum":-1}`),
			s(`{"type":"integer","minimum":4,"maximum":-2}`),
			s(`{"type":"number","minimum":4,"maximum":-1}`),
		}},
		{"fractional integer bounds", []spelling{s(`{"type":"integer","exclusiveMaximum":2.5}`), s(`{"type":"integer","maximum":2}`), s(`{"type":["integer"],"exclusiveMaximum":3}`)},
			[]spelling{s(`{"type":"integer","exclusiveMaximum":2}`), s(`{"type":"integer","maximum":3}`)}},
		{"big integer bounds", []spelling{s(`{"type":"integer","minimum":9007199254740993}`), s(`{"type":"integer","exclusiveMinimum":9007199254740992}`)},
			[]spelling{s(`{"type":"integer","minimum":9007199254740992}`)}},
		{"integers are numbers", []spelling{s(`{"type":["integer","number"]}`), s(`{"type":"number"}`)}, []spelling{s(`{"type":"integer"}`)}},
		{"default", []spelling{s(`{"type":"string","default":1}`), s(`{"type":"string","default":1.0}`)}, []spelling{
			s(`{"type":"string","default":2}`), s(`{"type":"string","default":"1"}`), s(`{"type":"string","default":null}`), s(`{"type":"string"}`),
		}},
		{"true", []spelling{s(`true`), s(`{}`), s(`{"allOf":[true]}`), s(`{"title":"anything"}`)}, []spelling{s(`false`), s(`{"type":"object"}`)}},
		{"additionalProperties true", []spelling{s(`{"additionalProperties":true}`), s(`{"additionalProperties":{}}`)}, []spelling{s(`{"additionalProperties":{"type":"string"}}`)}},
		{"recursion", []spelling{
			{`{"$ref":"#/components/schemas/List"}`, list},
			{`{"$ref":"#/components/schemas/Other"}`, strings.ReplaceAll(list, "List", "Other")},
			{`{"$ref":"#/components/schemas/A"}`, unrolled},
			{`{"$ref":"#/components/schemas/B"}`, unrolled},
			{`{"type":"object","properties":{"next":{"$ref":"#/components/schemas/List"},"v":{"type":"string"}}}`, list},
		}, []spelling{
			{`{"$ref":"#/components/schemas/A"}`, strings.Replace(unrolled, `"v":{"type":"string"}}}}}`, `"v":{"type":"integer"}}}}}`, 1)},
			{`{"$ref":"#/components/schemas/List"}`, strings.Replace(list, `"v"`, `"w"`, 1)},
			{`{"type":"object","properties":{"next":{"type":"object"},"v":{"type":"string"}}}`, ``},
		}},
	} {
		want := clean(t, asParam(tt.equal[0].schema, tt.equal[0].components))[0]
		wantResult := digests(t, asResult(tt.equal[0].schema, tt.equal[0].components))[0]
		for _, e := range tt.equal[1:] {
			if got := clean(t, asParam(e.schema, e.components))[0]; got.Wire != want.Wire || got.Result != want.Result {
				t.Errorf("%s: %s moves %s from %s", tt.name, e.schema, moved(got, want), tt.equal[0].schema)
			}
			if got := clean(t, asResult(e.schema, e.components))[0]; got.Wire != wantResult.Wire || got.Result != wantResult.Result {
				t.Errorf("%s: as a result, %s moves %s from %s", tt.name, e.schema, moved(got, wantResult), tt.equal[0].schema)
			}
		}
		for _, e := range tt.twins {
			if got := clean(t, asParam(e.schema, e.components))[0]; got.Wire == want.Wire || got.Result != want.Result {
				t.Errorf("%s: %s moves %q from %s; want wire and not result", tt.name, e.schema, moved(got, want), tt.equal[0].schema)
			}
			if strings.Contains(tt.equal[0].schema+e.schema, `"default"`) {
				continue // tells of a result, and says nothing about it
			}
			if got := clean(t, asResult(e.schema, e.components))[0]; got.Result == wantResult.Result || got.Wire != wantResult.Wire {
				t.Errorf("%s: as a result, %s moves %q from %s; want result and not wire", tt.name, e.schema, moved(got, wantResult), tt.equal[0].schema)
			}
		}
	}
}

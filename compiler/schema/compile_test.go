package schema_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/openrpc-go/rpcgen/compiler/schema"
)

// compileFindings compiles and returns all findings as "line:column code".
func compileFindings(d schema.Dialect, s string, o schema.Options) (lines []string, full string) {
	add := func(f schema.Finding) {
		lines = append(lines, fmt.Sprintf("%d:%d %s", f.Line, f.Column, f.Code))
		full += f.String() + " [" + f.Advice + "]\n"
	}
	o.Warn = add
	_, err := schema.Compile(d, []byte(s), o)
	var e *schema.Error
	if errors.As(err, &e) {
		for _, f := range e.Findings {
			add(f)
		}
	} else if err != nil {
		panic(err)
	}
	return lines, full
}

func TestFaults(t *testing.T) {
	const d4, d7, d20, o30 = schema.Draft4, schema.Draft7, schema.Draft2020, schema.OpenAPI30
	for _, c := range []struct {
		dialect schema.Dialect
		schema  string
		want    string // findings, joined by commas
		says    string // a part of message or advice
	}{
		{d7, `7`, "1:1 not-a-schema", "found a number"},
		{d7, `null`, "1:1 not-a-schema", "found null"},
		{d7, `[]`, "1:1 not-a-schema", "an empty array"},
		{d7, `{"type": 7}`, "1:10 bad-keyword", "not a number"},
		{d7, `{"type": []}`, "1:10 bad-keyword", "an empty array"},
		{d7, `{"type": "strnig"}`, "1:10 bad-keyword", `did you mean "string"?`},
		{d7, `{"type": "any"}`, "1:10 bad-keyword", `has no "type"`},
		{d7, `{"type": "file"}`, "1:10 bad-keyword", "the types are null, boolean"},
		{d7, `{"type": ["string", 3]}`, "1:21 bad-keyword", "name of a type"},
		{d7, `{"type": ["string", "string"]}`, "1:21 repeated-value", "already listed"},
		{d7, `{"type": null}`, "1:10 bad-keyword", `as text: "null"`},
		{d20, "type: [string, null]", "1:16 bad-keyword", `as text: "null"`},
		{d7, `{"enum": "a"}`, "1:10 bad-keyword", "list the values"},
		{d7, `{"enum": []}`, "1:10 keyword-without-effect", "admits nothing"},
		{d7, `{"enum": [1, 1.0]}`, "1:14 repeated-value", ""},
		{d7, `{"enum": [1e999]}`, "1:11 number-out-of-range", "no canonical form"},
		{d7, `{"const": 1e401}`, "1:11 number-out-of-range", ""},
		{d7, `{"minimum": "1"}`, "1:13 bad-keyword", "a string"},
		{d7, `{"minimum": 1e401}`, "1:13 number-out-of-range", "at most 64 digits"},
		{d7, `{"maximum": 1` + strings.Repeat("0", 70) + `}`, "1:13 number-out-of-range", ""},
		{d7, `{"multipleOf": 0}`, "1:16 bad-keyword", "above zero"},
		{d7, `{"multipleOf": -0.5}`, "1:16 bad-keyword", "above zero"},
		{d7, `{"minimum": 1, "exclusiveMinimum": true}`, "1:36 bad-keyword", `write the bound itself`},
		{d4, `{"exclusiveMaximum": 5}`, "1:22 bad-keyword", `write the bound as "maximum"`},
		{d4, `{"exclusiveMaximum": true}`, "1:22 keyword-without-effect", `without "maximum"`},
		{o30, `{"exclusiveMinimum": 5}`, "1:22 bad-keyword", "OpenAPI 3.0"},
		{d7, `{"minLength": -1}`, "1:15 bad-keyword", "from 0"},
		{d7, `{"minLength": 1.5}`, "1:15 bad-keyword", "1.5"},
		{d7, `{"maxLength": "x"}`, "1:15 bad-keyword", "a string"},
		{d7, `{"maxItems": 18446744073709551616}`, "1:14 bad-keyword", "2^64-1"},
		{d7, `{"minItems": 2.0}`, "", ""},
		{d7, `{"pattern": "("}`, "1:13 bad-pattern", "cannot be run"},
		{d7, `{"pattern": "^(?!a)"}`, "1:13 unsupported-pattern", "cannot be run"},
		{d7, `{"pattern": 1}`, "1:13 bad-keyword", ""},
		{d7, `{"patternProperties": {"[": {}}}`, "1:29 bad-pattern", ""},
		{d7, `{"patternProperties": []}`, "1:23 bad-keyword", "must be an object"},
		{d7, `{"items": []}`, "1:11 bad-keyword", "must not be an empty array"},
		{d7, `{"items": 3}`, "1:11 not-a-schema", ""},
		{d20, `{"items": [{}]}`, "1:11 bad-keyword", "prefixItems"},
		{o30, `{"items": [{}]}`, "1:11 bad-keyword", "one schema"},
		{d7, `{"uniqueItems": 1}`, "1:17 bad-keyword", "true or false"},
		{d7, `{"properties": []}`, "1:16 bad-keyword", ""},
		{d7, `{"properties": {"a": "string"}}`, "1:22 not-a-schema", "found a string"},
		{d7, `{"required": "x"}`, "1:14 bad-keyword", "list the names"},
		{d7, `{"properties": {"a": {"required": true}}}`, "1:35 bad-keyword", "draft 3"},
		{d7, `{"required": ["a", "a"]}`, "1:20 repeated-value", ""},
		{d7, `{"required": [1]}`, "1:15 bad-keyword", ""},
		{d7, `{"dependencies": {"a": 1}}`, "1:24 not-a-schema", ""},
		{d7, `{"dependencies": {"a": [1]}}`, "1:25 bad-keyword", ""},
		{d7, `{"allOf": []}`, "1:11 bad-keyword", "list one schema at least"},
		{d7, `{"oneOf": {}}`, "1:11 bad-keyword", "an object"},
		{d7, `{"then": {}}`, "1:10 keyword-without-effect", `without "if"`},
		{d7, `{"title": 1}`, "1:11 bad-keyword", ""},
		{d7, `{"deprecated": "yes"}`, "1:16 bad-keyword", "true or false"},
		{d7, `{"$ref": 1}`, "1:10 bad-keyword", "must be a string"},
		{d7, `{"$ref": "#/definitions/Foo", "definitions": {"Fo": {}}}`, "1:10 dangling-reference", `did you mean "Fo"?`},
		{d7, `{"$ref": "#/definitions/A", "definitions": {"A": 5}}`, "1:10 not-a-schema", "names a number"},
		{d7, `{"$ref": "#"}`, "1:1 reference-cycle", "refers only to itself"},
		{d7, `{"properties": {"a": {"$ref": "#/definitions/A"}}, "definitions": {"A": {"$ref": "#/definitions/B"}, "B": {"$ref": "#/definitions/A"}}}`, "1:22 reference-cycle", ""},
		{d7, `{"allOf": [{"$ref": "#"}, {}]}`, "1:1 endless-schema", "would never end"},
		{d7, `{"not": {"$ref": "#"}}`, "1:1 endless-schema", ""},
		{d7, `{"anyOf": [{"$ref": "#"}, {"type": "null"}]}`, "1:1 endless-schema", "adds nothing"},
		{d7, `{"anyOf": [{"$ref": "#"}]}`, "1:1 endless-schema", "would never end"},
		{d7, `{"$ref": "https://example.com/x.json"}`, "1:10 remote-reference", "never fetched"},
		{d7, `{"$ref": "other.json"}`, "1:10 reference-outside-root", "no folder is open"},
		{d7, `{"$ref": "#/definitions/A", "type": "string", "minLength": 1, "title": "t", "definitions": {"A": {}}}`, "1:10 ref-siblings-ignored", `"type" and "minLength"`},
		{d7, `{"$ref": "#/definitions/A", "title": "t", "default": 1, "definitions": {"A": {}}}`, "", ""},
		{d20, `{"$ref": "#/$defs/A", "type": "string", "$defs": {"A": {}}}`, "", ""},
		{o30, `{"properties": {"a": {"$ref": "#/definitions/A", "nullable": true}}, "definitions": {"A": {}}}`, "1:31 ref-siblings-ignored", `"nullable"`},
		{d7, `{"type": "string", "nullable": true}`, "1:20 keyword-of-other-dialect", "a correction can do so"},
		{d7, `{"prefixItems": [{}]}`, "1:2 keyword-of-other-dialect", `under "items"`},
		{d7, `{"unevaluatedProperties": false}`, "1:2 keyword-of-other-dialect", ""},
		{d7, `{"discriminator": {"propertyName": "a"}}`, "1:2 keyword-of-other-dialect", "const or enum"},
		{d7, `{"$defs": {"A": {}}, "items": {"$ref": "#/$defs/A"}}`, "", ""},
		{d4, `{"const": 1}`, "1:2 keyword-of-other-dialect", "enum of one"},
		{d20, `{"additionalItems": false}`, "1:2 keyword-of-other-dialect", "prefixItems"},
		{d7, `{"propertees": {}}`, "1:2 unknown-keyword", `did you mean "properties"?`},
		{d7, `{"x-note": {}, "$comment": "c", "readOnly": true, "example": 1}`, "", ""},
		{d4, `true`, "1:1 not-a-schema", "write {}"},
		{d4, `{"not": false}`, "1:9 not-a-schema", "write {not: {}}"},
		{d4, `{"additionalProperties": false, "items": [{}], "additionalItems": false}`, "", ""},
		{o30, `{"type": ["string", "null"]}`, "1:10 bad-keyword", "nullable"},
		{o30, `{"type": "null"}`, "1:10 bad-keyword", "nullable"},
		{o30, `{"nullable": true}`, "1:14 keyword-without-effect", "without a type"},
		{o30, `{"type": "string", "nullable": true, "enum": ["a"]}`, "1:32 keyword-without-effect", "add null to the enum"},
		{o30, `{"discriminator": {}}`, "1:19 bad-keyword", "propertyName"},
		{o30, `{"discriminator": {"propertyName": "a"}}`, "1:19 keyword-without-effect", ""},
		{o30, `{"oneOf": [{}, {}], "discriminator": {"propertyName": "a"}}`, "1:12 keyword-without-effect", "no reference"},
		{d7, `{"$schema": "https://example.com/dialect"}`, "1:13 unknown-dialect", "draft 7"},
		{d7, `{"$id": "http://[::1"}`, "1:9 bad-keyword", "URI"},
		{d20, `{"$id": "http://a.example/#b"}`, "1:9 bad-keyword", "$anchor"},
		{d20, `{"$anchor": "1a"}`, "1:13 bad-keyword", "starts with a letter"},
		{d7, `{"type": "object", "required": ["a"], "properties": {"a": {"$ref": "#"}}}`, "1:1 unsatisfiable-recursion", "no value satisfies it"},
		{d7, `{"type": "object", "required": ["a"], "properties": {"a": {"type": "array", "minItems": 1, "items": {"$ref": "#"}}}}`, "1:1 unsatisfiable-recursion", ""},
		{d7, `{"type": "object", "required": ["a"], "properties": {"a": {"anyOf": [{"type": "null"}, {"$ref": "#"}]}}}`, "", ""},
		{d7, `{"type": "array", "items": {"$ref": "#"}}`, "", ""},
		{d7, "type: 7 # YAML\n", "1:7 bad-keyword", ""},
		{d7, `{"a": 1, "a": 2}`, "1:10 duplicate-key", ""},
		{d7, `{`, "1:2 json-syntax", ""},
	} {
		got, full := compileFindings(c.dialect, c.schema, schema.Options{})
		if strings.Join(got, ", ") != c.want || !strings.Contains(full, c.says) {
			t.Errorf("%v %s\ngot  %q\nwant %q, saying %q\n%s", c.dialect, c.schema, got, c.want, c.says, full)
		}
	}
}

func TestCompileRefusesNoDialect(t *testing.T) {
	for _, d := range []schema.Dialect{0, 99} {
		if _, err := schema.Compile(d, []byte(`{}`), schema.Options{}); err == nil {
			t.Errorf("Compile(%d) = nil error", d)
		}
	}
}

// A node with a fault admits nothing, and the error lists every fault.
func TestCompileReportsAll(t *testing.T) {
	got, _ := compileFindings(schema.Draft7, `{"type": "x", "minimum": "y", "items": {"maxItems": -1}}`, schema.Options{})
	want := []string{"1:10 bad-keyword", "1:26 bad-keyword", "1:53 bad-keyword"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestRemotes(t *testing.T) {
	remotes := map[string][]byte{
		"https://example.com/a.json": []byte(`{"$id": "https://example.com/other/b.json", "definitions": {"S": {"type": "string"}}}`),
		"https://example.com/bad":    []byte(`{`),
	}
	for _, c := range []struct{ ref, base, want string }{
		{"https://example.com/a.json#/definitions/S", "", ""},
		{"a.json#/definitions/S", "https://example.com/main.json", ""},
		{"https://example.com/other/b.json#/definitions/S", "", ""},
		{"https://example.com/a.json#/definitions/T", "", "1:10 dangling-reference"},
		{"https://example.com/bad", "", "1:10 unreadable-reference"},
		{"https://example.com/c.json", "", "1:10 remote-reference"},
		{"http://json-schema.org/draft-07/schema#", "", ""},
		{"https://json-schema.org/draft/2020-12/schema", "", ""},
	} {
		o := schema.Options{Remotes: remotes, Base: c.base}
		got, full := compileFindings(schema.Draft7, fmt.Sprintf(`{"$ref": %q}`, c.ref), o)
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%s: got %q, want %q\n%s", c.ref, got, c.want, full)
		}
	}
}

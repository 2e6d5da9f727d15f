package compiler_test

import (
	"strings"
	"testing"
)

// TestAdviceWorks: what refuses a method says what to do, and the amendment
// that does it, for a document that is not one's own, opens the method's way
// into the client. The rows are the kinds of refusals that real documents have.
func TestAdviceWorks(t *testing.T) {
	const ok = `{"type":"string"}`
	corrections := func(lines ...string) string {
		return "version: \"1\"\ncontract: inline\ncorrections:\n  - " + strings.Join(lines, "\n  - ") + "\n"
	}
	entry := func(more string) string {
		return "version: \"1\"\ncontract: inline\nmethods:\n  m: {effect: read, " + more + "}\n"
	}
	for name, test := range map[string]struct {
		document  string
		code, at  string // of the refusal
		advice    string // part of it
		amendment string
	}{
		"missing-result": {
			document: versioned("1.0.0", `{}`, `{"name":"m","params":[]}`),
			code:     "missing-result", at: "/methods/0", advice: "declare a result",
			amendment: corrections(`{at: "#/methods/m/result", now: {name: nothing, schema: {type: "null"}}, reason: "it answers null"}`),
		},
		"required-after-optional, sent by name": {
			document: versioned("1.2.4", `{}`, method("m", param("a", ok, ``)+`,`+param("b", ok, `,"required":true`), ok, ``)),
			code:     "required-after-optional", at: "/methods/0/params/1", advice: "param_structure: by-name",
			amendment: entry("param_structure: by-name"),
		},
		"required-after-optional, said outright": {
			document: versioned("1.2.6", `{}`, method("m", param("a", ok, ``)+`,`+param("b", ok, `,"required":true`), ok, `,"paramStructure":"by-position"`)),
			code:     "required-after-optional", at: "/methods/0/params/1", advice: "correct `required`",
			amendment: corrections(`{at: "#/methods/m/params/a/required", now: true, reason: "the server wants it"}`),
		},
		"dangling-reference": {
			document: versioned("1.2.6", `{"schemas":{"uint64":{"type":"integer"}}}`, method("m", param("a", `{"$ref":"#/components/schemas/uint6"}`, ``), ok, ``)),
			code:     "dangling-reference", at: "/methods/0/params/0/schema/$ref", advice: `did you mean "uint64"?`,
			amendment: corrections(`{at: "#/methods/m/params/a/schema/$ref", was: "#/components/schemas/uint6", now: "#/components/schemas/uint64", reason: "typo"}`),
		},
		"dangling-reference, the component is missing": {
			document: versioned("1.2.6", `{"schemas":{"Other":{"type":"integer"}}}`, method("m", param("a", `{"$ref":"#/components/schemas/address"}`, ``), ok, ``)),
			code:     "dangling-reference", at: "/methods/0/params/0/schema/$ref", advice: "add what is named",
			amendment: corrections(`{at: "#/components/schemas/address", now: {type: string}, shared: true, reason: "left out"}`),
		},
		"dangling-reference, meant within its schema": {
			document: rpc(method("m", ``, `{"type":"object","properties":{"a":{"$ref":"#/definitions/A"}},"definitions":{"A":{"type":"string"}}}`, ``)),
			code:     "dangling-reference", at: "/methods/0/result/schema/properties/a/$ref", advice: `has it as "#/methods/0/result/schema/definitions/A"`,
			amendment: corrections(`{at: "#/methods/m/result/schema/properties/a/$ref", was: "#/definitions/A", now: "#/methods/0/result/schema/definitions/A", reason: "pointer"}`),
		},
		"bad-keyword": {
			document: rpc(method("m", ``, `{"type":"object","required":"a","properties":{"a":{"type":"string"}}}`, ``)),
			code:     "bad-keyword", at: "/methods/0/result/schema/required", advice: `["a", "b"]`,
			amendment: corrections(`{at: "#/methods/m/result/schema/required", was: "a", now: ["a"], reason: "a list"}`),
		},
		"a type of another language": {
			document: rpc(method("m", ``, `{"type":"int"}`, ``)),
			code:     "bad-keyword", at: "/methods/0/result/schema/type", advice: `did you mean "integer"?`,
			amendment: corrections(`{at: "#/methods/m/result/schema/type", was: int, now: integer, reason: "its name"}`),
		},
		"any type": {
			document: rpc(method("m", ``, `{"type":"any"}`, ``)),
			code:     "bad-keyword", at: "/methods/0/result/schema/type", advice: `has no "type"`,
			amendment: corrections(`{at: "#/methods/m/result/schema/type", was: any, reason: "any value"}`),
		},
		"remote-reference": {
			document: rpc(method("m", ``, `{"$ref":"https://elsewhere.example/s.json"}`, ``)),
			code:     "remote-reference", at: "/methods/0/result/schema/$ref", advice: "vendor the file",
			amendment: corrections(`{at: "#/methods/m/result/schema/$ref", was: "https://elsewhere.example/s.json", now: "s.json", reason: "vendored"}`),
		},
		"the whole document as a schema": {
			document: rpc(method("m", ``, `{"type":"object","properties":{"kids":{"type":"array","items":{"$ref":"#"}}}}`, ``)),
			code:     "not-a-schema", at: "/methods/0/result/schema/properties/kids/items/$ref", advice: `as in "#/methods/0/result/schema"`,
			amendment: corrections(`{at: "#/methods/m/result/schema/properties/kids/items/$ref", was: "#", now: "#/methods/0/result/schema", reason: "itself"}`),
		},
		"a content descriptor as a schema": {
			document: versioned("1.2.6", `{"contentDescriptors":{"X":`+param("x", ok, ``)+`}}`, method("m", ``, `{"$ref":"#/components/contentDescriptors/X"}`, ``)),
			code:     "not-a-schema", at: "/methods/0/result/schema/$ref", advice: `"#/components/contentDescriptors/X/schema"`,
			amendment: corrections(`{at: "#/methods/m/result/schema/$ref", was: "#/components/contentDescriptors/X", now: "#/components/contentDescriptors/X/schema", reason: "its schema"}`),
		},
		"unknown-dialect": {
			document: rpc(method("m", ``, `{"$schema":"http://json-schema.org/draft-03/schema#","type":"string"}`, ``)),
			code:     "unknown-dialect", at: "/methods/0/result/schema/$schema", advice: "remove $schema",
			amendment: corrections(`{at: "#/methods/m/result/schema/$schema", was: "http://json-schema.org/draft-03/schema#", reason: "draft 7"}`),
		},
		"unsupported-pattern": {
			document: rpc(method("m", ``, `{"type":"string","pattern":"^(?!a)b"}`, ``)),
			code:     "unsupported-pattern", at: "/methods/0/result/schema/pattern", advice: "a pattern of equal meaning",
			amendment: corrections(`{at: "#/methods/m/result/schema/pattern", was: "^(?!a)b", now: "^b", reason: "says the same"}`),
		},
		"missing-schema": {
			document: rpc(`{"name":"m","params":[{"name":"a"}],"result":{"name":"r","schema":` + ok + `}}`),
			code:     "missing-schema", at: "/methods/0/params/0", advice: `"schema": true`,
			amendment: corrections(`{at: "#/methods/m/params/a/schema", now: true, reason: "anything"}`),
		},
		"missing-params": {
			document: rpc(`{"name":"m","result":{"name":"r","schema":` + ok + `}}`),
			code:     "missing-params", at: "/methods/0", advice: `"params": []`,
			amendment: corrections(`{at: "#/methods/m/params", now: [], reason: "none"}`),
		},
		"nameless-param": {
			document: rpc(`{"name":"m","params":[{"schema":` + ok + `}],"result":{"name":"r","schema":` + ok + `}}`),
			code:     "nameless-param", at: "/methods/0/params/0", advice: "param_structure: by-position",
			amendment: entry("param_structure: by-position"),
		},
		"duplicate-error": {
			document: rpc(method("m", ``, ok, `,"errors":[{"code":1,"message":"a","data":{"type":"string"}},{"code":1,"message":"b","data":{"type":"integer"}}]`)),
			code:     "duplicate-error", at: "/methods/0/errors/1", advice: "give data a oneOf",
			amendment: corrections(`{at: "#/methods/m/errors", now: [{code: 1, message: a, data: {oneOf: [{type: string}, {type: integer}]}}], was: [{code: 1, message: a, data: {type: string}}, {code: 1, message: b, data: {type: integer}}], reason: "two shapes"}`),
		},
	} {
		t.Run(name, func(t *testing.T) {
			files := map[string]string{"doc.json": test.document, "s.json": `{"type":"string"}`}
			c := compileFiles(t, files, "")
			c.refused("m")
			c.reports(test.code, test.at)
			for _, d := range c.Diagnostics {
				if d.Code == test.code && string(d.Pointer) == test.at && !strings.Contains(d.Advice, test.advice) {
					t.Errorf("the advice is %q, want %q in it", d.Advice, test.advice)
				}
			}
			compileFiles(t, files, test.amendment).refused()
		})
	}
}

// TestSlashedPattern: slashes around a pattern are told, and those within are
// what they are.
func TestSlashedPattern(t *testing.T) {
	for pattern, told := range map[string]bool{"/^[a-z]+$/i": true, "/^a/": true, "/a$/": true, "^/a/$": false, "/a/": false, "/^a|b/": false} {
		c := compileText(t, rpc(method("m", ``, `{"type":"string","pattern":"`+pattern+`"}`, ``)))
		c.refused()
		if got := strings.Contains(c.findings(), "has the slashes of JavaScript"); got != told {
			t.Errorf("%s: told is %v, want %v", pattern, got, told)
		}
	}
}

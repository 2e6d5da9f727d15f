package pin

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// assigned says for every member of an OpenRPC document which digest it moves.
// "used" members count where they are used, by what they say; "file" members
// are in no method's digests, only in that of the file.
var assigned = map[string]map[string]string{
	"": {
		"openrpc": "used", "$schema": "file", "info": "used", "externalDocs": "file", "servers": "file", "methods": "used", "components": "used", "^x-": "file",
	},
	"infoObject": {
		"title": "text", "description": "text", "version": "doc", "termsOfService": "file", "contact": "file", "license": "file", "^x-": "file",
	},
	"methodObject": {
		"name": "wire", "paramStructure": "wire", "params": "wire", "result": "result", "errors": "result",
		"summary": "text", "description": "text", "externalDocs": "text", "links": "text", "examples": "text",
		"tags": "doc", "deprecated": "doc", "servers": "doc", "^x-": "doc",
	},
	"contentDescriptorObject": { // of a param; a result has its own rows below
		"name": "wire", "required": "wire", "schema": "wire", "summary": "text", "description": "text", "deprecated": "doc", "^x-": "doc",
	},
	"errorObject":                 {"code": "result", "data": "result", "message": "text"},
	"linkObject":                  {"name": "text", "summary": "text", "description": "text", "method": "text", "params": "text", "server": "text", "^x-": "text"},
	"externalDocumentationObject": {"description": "text", "url": "text", "^x-": "text"},
	"examplePairingObject":        {"name": "text", "description": "text", "params": "text", "result": "text"},
	"exampleObject":               {"name": "text", "summary": "text", "description": "text", "value": "text", "^x-": "text"},
	"tagObject":                   {"name": "doc", "description": "doc", "externalDocs": "doc", "^x-": "doc"},
	"serverObject":                {"url": "doc", "name": "doc", "description": "doc", "summary": "doc", "variables": "doc", "^x-": "doc"},
	"referenceObject":             {"$ref": "used"},
	"contactObject":               {"name": "file", "email": "file", "url": "file", "^x-": "file"},
	"licenseObject":               {"name": "file", "url": "file", "^x-": "file"},
}

// notObjects are definitions of the meta-schema that have no members of their own.
var notObjects = []string{"specificationExtension", "JSONSchema"}

// TestEveryMemberIsAssigned fails when a published meta-schema has a member
// that assigned does not know.
func TestEveryMemberIsAssigned(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join("..", "..", "..", "..", "shared", "corpus", "openrpc", "meta-schema", "*.json"))
	if len(files) == 0 {
		t.Skip("no corpus of published meta-schemas")
	}
	type object struct {
		Properties        map[string]json.RawMessage `json:"properties"`
		PatternProperties map[string]json.RawMessage `json:"patternProperties"`
		Definitions       map[string]json.RawMessage `json:"definitions"`
	}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var root object
		if err := json.Unmarshal(b, &root); err != nil {
			t.Fatal(err)
		}
		objects := map[string]object{"": root}
		for name, raw := range root.Definitions {
			var o object
			if json.Unmarshal(raw, &o) == nil && len(o.Properties) > 0 {
				objects[name] = o
			} else if !slices.Contains(notObjects, name) {
				t.Errorf("%s: definition %q is new", file, name)
			}
		}
		for name, o := range objects {
			for member := range o.Properties {
				if assigned[name][member] == "" {
					t.Errorf("%s: member %q of %q is assigned to no digest", file, member, name)
				}
			}
			for pattern := range o.PatternProperties {
				if assigned[name][pattern] == "" {
					t.Errorf("%s: members %q of %q are assigned to no digest", file, pattern, name)
				}
			}
		}
	}
}

// TestEveryMemberMovesItsDigest changes one member at a time and looks which
// digests move. Every row of assigned must have been tried.
func TestEveryMemberMovesItsDigest(t *testing.T) {
	const (
		base   = `"params":[{"name":"p","schema":{"type":"string"}}],"result":{"name":"r","schema":{"type":"string"}},"errors":[{"code":1,"message":"gone","data":{"type":"string"}}]`
		params = `"params":[{"name":"p","schema":{"type":"string"}}]`
		answer = `"result":{"name":"r","schema":{"type":"string"}}`
	)
	plain := document(base, "")
	change := func(old, new string) string { return strings.Replace(plain, old, new, 1) }
	method := func(members string) string { return change(`"name":"m",`, `"name":"m",`+members+`,`) }
	param := func(members string) string { return change(`"name":"p",`, `"name":"p",`+members+`,`) }
	result := func(members string) string { return change(`"name":"r",`, `"name":"r",`+members+`,`) }
	info := func(members string) string { return change(`"version":"1"`, `"version":"1",`+members) }
	tried := map[string]bool{}
	for _, tt := range []struct{ member, from, to, want string }{
		{".openrpc", plain, change(`1.3.2`, `1.3.1`), ""},
		{".$schema", plain, change(`{"openrpc"`, `{"$schema":"https://meta.open-rpc.org/","openrpc"`), ""},
		{".externalDocs", plain, change(`{"openrpc"`, `{"externalDocs":{"url":"https://a.example"},"openrpc"`), ""},
		{".servers", plain, change(`{"openrpc"`, `{"servers":[{"name":"s","url":"https://a.example"}],"openrpc"`), ""},
		{".components", plain, document(base, `"Unused":{"type":"string"}`), ""},
		{"infoObject.title", plain, change(`"title":"T"`, `"title":"U"`), "text"},
		{"infoObject.description", plain, info(`"description":"d"`), "text"},
		{"infoObject.version", plain, change(`"version":"1"`, `"version":"2"`), "doc"},
		{"infoObject.termsOfService", plain, info(`"termsOfService":"https://a.example"`), ""},
		{"infoObject.contact", plain, info(`"contact":{"name":"n"}`), ""},
		{"infoObject.license", plain, info(`"license":{"name":"n"}`), ""},
		{"infoObject.^x-", plain, info(`"x-a":1`), ""},

		{"methodObject.name", plain, change(`"name":"m"`, `"name":"n"`), "wire"},
		{"methodObject.paramStructure", plain, method(`"paramStructure":"by-name"`), "wire"},
		{"methodObject.paramStructure", plain, method(`"paramStructure":"by-position"`), "wire"},
		{"methodObject.paramStructure", plain, method(`"paramStructure":"either"`), ""}, // what this version means without a word
		{"methodObject.params", plain, change(params, `"params":[]`), "wire"},
		{"methodObject.params", plain, change(params, `"params":[{"name":"p","schema":{"type":"string"}},{"name":"q","schema":{"type":"string"}}]`), "wire"},
		{"methodObject.result", plain, change(answer+",", ""), "wire result doc"},
		{"methodObject.errors", plain, change(`"code":1`, `"code":2`), "result text"}, // the message is of another code
		{"methodObject.errors", plain, change(`,"errors":[{"code":1,"message":"gone","data":{"type":"string"}}]`, ``), "result text"},
		{"methodObject.summary", plain, method(`"summary":"s"`), "text"},
		{"methodObject.description", plain, method(`"description":"s"`), "text"},
		{"methodObject.description", method(`"description":"s"`), method(`"description":"s\u200b"`), "text"},
		{"methodObject.externalDocs", plain, method(`"externalDocs":{"url":"https://a.example"}`), "text"},
		{"methodObject.links", plain, method(`"links":[{"name":"l"}]`), "text"},
		{"methodObject.examples", plain, method(`"examples":[{"name":"e","params":[],"result":{"name":"r","value":1}}]`), "text"},
		{"methodObject.tags", plain, method(`"tags":[{"name":"read"}]`), "doc"},
		{"methodObject.deprecated", plain, method(`"deprecated":true`), "doc"},
		{"methodObject.servers", plain, method(`"servers":[{"name":"s","url":"https://a.example"}]`), "doc"},
		{"methodObject.^x-", plain, method(`"x-rpcgen-effect":"read"`), "doc"},
		{"methodObject.(unknown)", plain, method(`"streaming":true`), "wire"},

		{"contentDescriptorObject.name", plain, change(`"name":"p"`, `"name":"q"`), "wire"},
		{"contentDescriptorObject.required", plain, param(`"required":true`), "wire"},
		{"contentDescriptorObject.required", plain, param(`"required":false`), ""},
		{"contentDescriptorObject.schema", plain, change(`"name":"p","schema":{"type":"string"}`, `"name":"p","schema":{"type":"integer"}`), "wire"},
		{"contentDescriptorObject.summary", plain, param(`"summary":"s"`), "text"},
		{"contentDescriptorObject.description", plain, param(`"description":"s"`), "text"},
		{"contentDescriptorObject.deprecated", plain, param(`"deprecated":true`), "doc"},
		{"contentDescriptorObject.^x-", plain, param(`"x-a":1`), "doc"},
		{"contentDescriptorObject.(unknown)", plain, param(`"style":"form"`), "wire"},
		{"result.name", plain, change(`"name":"r"`, `"name":"s"`), "doc"},
		{"result.required", plain, result(`"required":true`), "result"},
		{"result.schema", plain, change(`"name":"r","schema":{"type":"string"}`, `"name":"r","schema":{"type":"integer"}`), "result"},
		{"result.summary", plain, result(`"summary":"s"`), "text"},
		{"result.description", plain, result(`"description":"s"`), "text"},
		{"result.deprecated", plain, result(`"deprecated":true`), "doc"},
		{"result.^x-", plain, result(`"x-a":1`), "doc"},
		{"result.(unknown)", plain, result(`"style":"form"`), "result"},

		{"errorObject.code", plain, change(`"code":1`, `"code":2`), "result text"},
		{"errorObject.data", plain, change(`"data":{"type":"string"}`, `"data":{"type":"integer"}`), "result"},
		{"errorObject.data", plain, change(`"data":{"type":"string"}`, `"data":"a sample"`), "result text"},
		{"errorObject.message", plain, change(`"gone"`, `"here"`), "text"},
		{"errorObject.(unknown)", plain, change(`"code":1`, `"code":1,"retry":true`), "result"},

		{"schema.title", plain, change(`{"type":"string"}`, `{"title":"t","type":"string"}`), "text"},
		{"schema.description", plain, change(`{"type":"string"}`, `{"description":"t","type":"string"}`), "text"},
		{"schema.$comment", plain, change(`{"type":"string"}`, `{"$comment":"t","type":"string"}`), "text"},
		{"schema.examples", plain, change(`{"type":"string"}`, `{"examples":["t"],"type":"string"}`), "text"},
		{"schema.deprecated", plain, change(`{"type":"string"}`, `{"deprecated":true,"type":"string"}`), "doc"},
		{"schema.x-", plain, change(`{"type":"string"}`, `{"x-go-type":"int","type":"string"}`), "doc"},
		{"schema.default", plain, change(`{"type":"string"}`, `{"default":"d","type":"string"}`), "wire"},
		{"schema.default", plain, change(answer, `"result":{"name":"r","schema":{"default":"d","type":"string"}}`), "doc"},
		{"schema.readOnly", plain, change(`{"type":"string"}`, `{"readOnly":true,"type":"string"}`), "wire"},
		{"schema.readOnly", plain, change(`{"type":"string"}`, `{"readOnly":false,"type":"string"}`), ""},
		{"schema.(unknown)", plain, change(`{"type":"string"}`, `{"minLenght":1,"type":"string"}`), "wire"},
		{"schema.(unknown)", plain, change(answer, `"result":{"name":"r","schema":{"minLenght":1,"type":"string"}}`), "result"},
	} {
		object, member, _ := strings.Cut(tt.member, ".")
		tried[tt.member] = true
		if want := assigned[object][member]; want != "" && want != "used" && want != "file" && tt.want != "" && !strings.Contains(tt.want, want) {
			t.Errorf("%s: the row wants %q, the table says %q", tt.member, tt.want, want)
		}
		if tt.from == tt.to {
			t.Fatalf("%s: the row changes nothing", tt.member)
		}
		if got := moved(digests(t, tt.from)[0], digests(t, tt.to)[0]); got != tt.want {
			t.Errorf("%s: %q moved, want %q\n%s", tt.member, got, tt.want, tt.to)
		}
	}
	for _, object := range []string{"infoObject", "methodObject", "contentDescriptorObject", "errorObject"} {
		for member := range maps.Keys(assigned[object]) {
			if !tried[object+"."+member] {
				t.Errorf("no row changes member %q of %q", member, object)
			}
		}
	}
}

// TestNested changes members of the objects that land in one digest whole.
func TestNested(t *testing.T) {
	const base = `"params":[],"result":{"name":"r","schema":true},`
	for _, tt := range []struct{ object, container, want string }{
		{"linkObject", `"links":[{%}]`, "text"},
		{"externalDocumentationObject", `"externalDocs":{%}`, "text"},
		{"examplePairingObject", `"examples":[{%}]`, "text"},
		{"exampleObject", `"examples":[{"name":"e","params":[{%}]}]`, "text"},
		{"tagObject", `"tags":[{%}]`, "doc"},
		{"serverObject", `"servers":[{%}]`, "doc"},
	} {
		for member, want := range assigned[tt.object] {
			if want != tt.want {
				t.Errorf("%s.%s: the table says %q, want %q", tt.object, member, want, tt.want)
			}
			name := strings.Replace(member, "^x-", "x-a", 1)
			a := document(base+strings.Replace(tt.container, "%", `"`+name+`":"a"`, 1), "")
			b := document(base+strings.Replace(tt.container, "%", `"`+name+`":"b"`, 1), "")
			if got := moved(digests(t, a)[0], digests(t, b)[0]); got != tt.want {
				t.Errorf("%s.%s: %q moved, want %q", tt.object, member, got, tt.want)
			}
		}
	}
}

// TestKeywords fails when a keyword of draft 7 is on no list.
func TestKeywords(t *testing.T) {
	for _, keyword := range strings.Fields(`$id $schema $ref $comment title description default readOnly writeOnly examples
		multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern additionalItems items maxItems
		minItems uniqueItems contains maxProperties minProperties required additionalProperties definitions properties
		patternProperties dependencies propertyNames const enum type format contentMediaType contentEncoding if then else
		allOf anyOf oneOf not`) {
		for _, s := range []side{request, result} {
			if homeOf(keyword, s) == unknown {
				t.Errorf("keyword %q is on no list", keyword)
			}
		}
	}
}

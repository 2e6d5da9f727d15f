package pin

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// fixed lists the fixed and patterned fields that the OpenAPI Specification
// gives each object, transcribed from the tables of its chapters "Schema"
// (4.7 in 3.0.4, 4.8 in 3.1.1, 4.x in 3.2.0). Fields of later versions stand
// behind the version in brackets. The Schema Object has a list of its own.
const fixed = `
OpenAPI: openapi info servers paths components security tags externalDocs x- [3.1] jsonSchemaDialect webhooks [3.2] $self
Info: title description termsOfService contact license version x- [3.1] summary
Contact: name url email x-
License: name url x- [3.1] identifier
Server: url description variables x- [3.2] name
Server Variable: enum default description x-
Components: schemas responses parameters examples requestBodies headers securitySchemes links callbacks x- [3.1] pathItems [3.2] mediaTypes
Paths: /{path} x-
Path Item: $ref summary description get put post delete options head patch trace servers parameters x- [3.2] query additionalOperations
Operation: tags summary description externalDocs operationId parameters requestBody responses callbacks deprecated security servers x-
External Documentation: description url x-
Parameter: name in description required deprecated allowEmptyValue style explode allowReserved schema example examples content x-
Request Body: description content required x-
Media Type: schema example examples encoding x- [3.2] itemSchema prefixEncoding itemEncoding
Encoding: contentType headers style explode allowReserved x- [3.2] encoding prefixEncoding itemEncoding
Responses: default {code} x-
Response: description headers content links x- [3.2] summary
Callback: {expression} x-
Example: summary description value externalValue x- [3.2] dataValue serializedValue
Link: operationRef operationId parameters requestBody description server x-
Header: description required deprecated allowEmptyValue style explode allowReserved schema example examples content x-
Tag: name description externalDocs x- [3.2] summary parent kind
Reference: $ref [3.1] summary description
Discriminator: propertyName mapping [3.1] x- [3.2] defaultMapping
XML: name namespace prefix attribute wrapped x- [3.2] nodeType
Security Scheme: type description name in scheme bearerFormat flows openIdConnectUrl x- [3.2] oauth2MetadataUrl deprecated
OAuth Flows: implicit password clientCredentials authorizationCode x- [3.2] deviceAuthorization
OAuth Flow: authorizationUrl tokenUrl refreshUrl scopes x- [3.2] deviceAuthorizationUrl
Security Requirement: {name}
`

// TestEveryMemberOfOpenAPIIsAssigned fails when a field of the specification
// has no place, and when a place is given to what the specification does not
// have: a slip there would leave the real field without one.
func TestEveryMemberOfOpenAPIIsAssigned(t *testing.T) {
	places := []Place{InWire, InResult, InText, InDoc, Used, InFile, Refused}
	specified := map[string][]string{}
	for line := range strings.Lines(strings.TrimSpace(fixed)) {
		object, members, _ := strings.Cut(strings.TrimSpace(line), ": ")
		for _, member := range strings.Fields(members) {
			if strings.HasPrefix(member, "[") {
				continue
			}
			specified[object] = append(specified[object], member)
			if place := OpenAPI[object][member]; !slices.Contains(places, place) {
				t.Errorf("%s.%s is assigned to %q", object, member, place)
			}
		}
	}
	for object, members := range OpenAPI {
		for member := range maps.Keys(members) {
			if !slices.Contains(specified[object], member) {
				t.Errorf("%s.%s has a place, and the specification has no such field", object, member)
			}
		}
	}
}

// The keywords of schemas, by who defines them: JSON Schema 2020-12 (Core
// sections 8, 10, 11; Validation sections 6 to 9), the OAS base vocabulary of
// OpenAPI 3.1 and 3.2, and the Schema Object of OpenAPI 3.0.
var schemaKeywords = map[string]string{
	"2020-12 core":         "$schema $vocabulary $id $anchor $dynamicAnchor $ref $dynamicRef $defs $comment",
	"2020-12 applicator":   "allOf anyOf oneOf not if then else dependentSchemas prefixItems items contains properties patternProperties additionalProperties propertyNames",
	"2020-12 unevaluated":  "unevaluatedItems unevaluatedProperties",
	"2020-12 validation":   "type enum const multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern maxItems minItems uniqueItems maxContains minContains maxProperties minProperties required dependentRequired",
	"2020-12 format":       "format",
	"2020-12 content":      "contentEncoding contentMediaType contentSchema",
	"2020-12 meta-data":    "title description default deprecated readOnly writeOnly examples",
	"2020-12 kept from 7":  "definitions dependencies",
	"OAS base vocabulary":  "discriminator xml externalDocs example",
	"OpenAPI 3.0 Schema":   "title multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern maxItems minItems uniqueItems maxProperties minProperties required enum type allOf oneOf anyOf not items properties additionalProperties description format default nullable discriminator readOnly writeOnly xml externalDocs example deprecated",
	"OpenRPC, JSON Schema": "summary x-anything",
}

// written are the keywords that count as they are written, since no rule of the
// compiled form says what they say.
var written = []string{"xml", "contentSchema"}

// TestEveryKeywordIsAssigned fails when a keyword has no home: it would count
// as one that nobody knows, by luck and not by decision.
func TestEveryKeywordIsAssigned(t *testing.T) {
	for who, keywords := range schemaKeywords {
		for _, keyword := range strings.Fields(keywords) {
			for _, s := range []side{request, result} {
				if home := homeOf(keyword, s); (home == unknown) != slices.Contains(written, keyword) {
					t.Errorf("%s: %q has home %d on side %d", who, keyword, home, s)
				}
			}
		}
	}
}

// TestWritten: a keyword that counts as it is written moves its side.
func TestWritten(t *testing.T) {
	for _, keyword := range written {
		from, to := digests(t, asParam(`{"type":"string"}`, ""))[0], digests(t, asParam(`{"type":"string","`+keyword+`":{}}`, ""))[0]
		if got := moved(from, to); got != "wire" {
			t.Errorf("%s: moved %q, want wire", keyword, got)
		}
	}
}

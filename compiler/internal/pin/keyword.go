package pin

import "strings"

// side is where a schema stands: what is sent, or what comes back.
type side uint8

const (
	request side = iota
	result
)

// home is the digest that a keyword of a schema belongs to.
type home uint8

const (
	// unknown keywords and those without a word below belong to the shape, as
	// they are written: wire for a request, result for a result.
	unknown home = iota
	// rule keywords belong to the shape too, by what the compiled node says.
	rule
	// place keywords say where schemas lie or what they are called. Schemas
	// count where they are used, by what they say.
	place
	// usage keywords say what a value is used for, and count as written.
	usage
	text
	doc
)

// keywords is the reviewed list of what does not count as it is written.
var keywords = map[string]home{
	"$ref": place, "$id": place, "id": place, "$schema": place, "$vocabulary": place, "$anchor": place,
	"definitions": place, "$defs": place,

	"$dynamicRef": rule, "$dynamicAnchor": rule,
	"type": rule, "enum": rule, "const": rule, "nullable": rule,
	"minimum": rule, "maximum": rule, "exclusiveMinimum": rule, "exclusiveMaximum": rule, "multipleOf": rule,
	"minLength": rule, "maxLength": rule, "pattern": rule, "format": rule, "contentEncoding": rule, "contentMediaType": rule,
	"items": rule, "prefixItems": rule, "additionalItems": rule, "contains": rule, "minContains": rule, "maxContains": rule,
	"minItems": rule, "maxItems": rule, "uniqueItems": rule, "unevaluatedItems": rule,
	"properties": rule, "patternProperties": rule, "additionalProperties": rule, "propertyNames": rule, "required": rule,
	"minProperties": rule, "maxProperties": rule, "dependencies": rule, "dependentRequired": rule, "dependentSchemas": rule,
	"unevaluatedProperties": rule,
	"allOf":                 rule, "anyOf": rule, "oneOf": rule, "not": rule, "if": rule, "then": rule, "else": rule, "discriminator": rule,

	"readOnly": usage, "writeOnly": usage,

	"title": text, "description": text, "summary": text, "$comment": text, "examples": text, "example": text, "externalDocs": text,

	"deprecated": doc,
}

// homeOf returns the home of a keyword on one side. A default says what the
// service does when a value is left out of a request; in what comes back it is
// only told.
func homeOf(name string, s side) home {
	switch {
	case name == "default" && s == request:
		return usage
	case name == "default", strings.HasPrefix(name, "x-"):
		return doc
	default:
		return keywords[name]
	}
}

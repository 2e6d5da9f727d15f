package pin

// Place says what a member of a document is part of.
type Place string

const (
	InWire   Place = "wire"
	InResult Place = "result"
	InText   Place = "text"
	InDoc    Place = "doc"
	// Used members hold what is used elsewhere; it counts there, by what it says.
	Used Place = "used"
	// InFile members are part of no method: only the digest of the file has them.
	InFile Place = "file"
	// Refused members say what is not supported: what has one is not compiled,
	// so there is nothing to pin.
	Refused Place = "refused"
)

// OpenAPI assigns every fixed field of OpenAPI 3.0, 3.1 and 3.2, by the name of
// its object in the specification. "x-" stands for extensions. Members that are
// not listed are unknown: they are part of wire, below responses of result.
// Schemas are assigned keyword by keyword, for all kinds of document alike.
//
// What stands in a response is part of result: it cannot change what is sent.
// Security schemes are part of wire: they say which secret goes where.
var OpenAPI = map[string]map[string]Place{
	"OpenAPI": {
		"openapi": Used, "$self": Used, "jsonSchemaDialect": Used, "info": Used, "paths": Used, "components": Used, "security": Used,
		"servers": InFile, "tags": InFile, "externalDocs": InFile, "webhooks": Refused, "x-": InFile,
	},
	"Info": {
		"title": InText, "summary": InText, "description": InText, "version": InDoc,
		"termsOfService": InFile, "contact": InFile, "license": InFile, "x-": InFile,
	},
	"Contact": {"name": InFile, "url": InFile, "email": InFile, "x-": InFile},
	"License": {"name": InFile, "identifier": InFile, "url": InFile, "x-": InFile},
	"Server":  {"url": InDoc, "name": InDoc, "description": InDoc, "variables": InDoc, "x-": InDoc},
	"Server Variable": {
		"enum": InDoc, "default": InDoc, "description": InDoc, "x-": InDoc,
	},
	"Components": {
		"schemas": Used, "responses": Used, "parameters": Used, "requestBodies": Used, "headers": Used, "securitySchemes": Used,
		"pathItems": Used, "mediaTypes": Used, "examples": Used, "links": Used, "callbacks": Refused, "x-": InFile,
	},
	"Paths": {"/{path}": InWire, "x-": InFile},
	"Path Item": {
		"$ref": Used, "summary": InText, "description": InText, "parameters": InWire, "servers": InDoc, "x-": InDoc,
		"get": InWire, "put": InWire, "post": InWire, "delete": InWire, "options": InWire, "head": InWire, "patch": InWire, "trace": InWire,
		"query": Refused, "additionalOperations": Refused,
	},
	"Operation": {
		"operationId": InWire, "parameters": InWire, "requestBody": InWire, "security": InWire, "responses": InResult,
		"summary": InText, "description": InText, "externalDocs": InText,
		"tags": InDoc, "deprecated": InDoc, "servers": InDoc, "callbacks": Refused, "x-": InDoc,
	},
	"External Documentation": {"description": InText, "url": InText, "x-": InText},
	"Parameter": {
		"name": InWire, "in": InWire, "required": InWire, "allowEmptyValue": InWire, "style": InWire, "explode": InWire, "allowReserved": InWire,
		"schema": InWire, "content": InWire, "description": InText, "example": InText, "examples": InText, "deprecated": InDoc, "x-": InDoc,
	},
	"Request Body": {"content": InWire, "required": InWire, "description": InText, "x-": InDoc},
	"Media Type": { // of a request; below a response what is wire here is result
		"schema": InWire, "encoding": InWire, "prefixEncoding": Refused, "itemEncoding": Refused, "itemSchema": Refused,
		"example": InText, "examples": InText, "x-": InDoc,
	},
	"Encoding": {
		"contentType": InWire, "headers": InWire, "style": InWire, "explode": InWire, "allowReserved": InWire,
		"encoding": Refused, "prefixEncoding": Refused, "itemEncoding": Refused, "x-": InDoc,
	},
	"Responses": {"default": InResult, "{code}": InResult, "x-": InDoc},
	"Response": {
		"headers": InResult, "content": InResult, "summary": InText, "description": InText, "links": InText, "x-": InDoc,
	},
	"Header": { // of a response; below a request it is part of wire
		"required": InResult, "allowEmptyValue": InResult, "style": InResult, "explode": InResult, "allowReserved": InResult,
		"schema": InResult, "content": InResult, "description": InText, "example": InText, "examples": InText, "deprecated": InDoc, "x-": InDoc,
	},
	"Callback": {"{expression}": Refused, "x-": Refused},
	"Example": {
		"summary": InText, "description": InText, "value": InText, "dataValue": InText, "serializedValue": InText, "externalValue": InText, "x-": InText,
	},
	"Link": {
		"operationRef": InText, "operationId": InText, "parameters": InText, "requestBody": InText, "description": InText, "server": InText, "x-": InText,
	},
	"Tag": {
		"name": InDoc, "summary": InFile, "description": InFile, "externalDocs": InFile, "parent": InFile, "kind": InFile, "x-": InFile,
	},
	"Reference":     {"$ref": Used, "summary": InText, "description": InText},
	"Discriminator": {"propertyName": InWire, "mapping": InWire, "defaultMapping": InWire, "x-": InDoc},
	"XML": {
		"nodeType": InWire, "name": InWire, "namespace": InWire, "prefix": InWire, "attribute": InWire, "wrapped": InWire, "x-": InDoc,
	},
	"Security Scheme": {
		"type": InWire, "name": InWire, "in": InWire, "scheme": InWire, "bearerFormat": InWire, "flows": InWire, "openIdConnectUrl": InWire,
		"oauth2MetadataUrl": InWire, "description": InText, "deprecated": InDoc, "x-": InDoc,
	},
	"OAuth Flows": {
		"implicit": InWire, "password": InWire, "clientCredentials": InWire, "authorizationCode": InWire, "deviceAuthorization": InWire, "x-": InDoc,
	},
	"OAuth Flow": {
		"authorizationUrl": InWire, "deviceAuthorizationUrl": InWire, "tokenUrl": InWire, "refreshUrl": InWire, "scopes": InWire, "x-": InDoc,
	},
	"Security Requirement": {"{name}": InWire},
}

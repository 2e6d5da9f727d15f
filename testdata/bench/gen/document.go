package main

import (
	"encoding/json"
	"fmt"
)

type object = map[string]any

func ref(name string) object { return object{"$ref": "#/components/schemas/" + name} }

// document returns a contract of n methods, each with a request of six and a
// response of eight members of its own, in one of two formats.
func document(format string, n int) []byte {
	components := object{"schemas": schemas(n)}
	info := object{"title": "synthetic", "version": "1"}
	whole := object{"openrpc": "1.2.6", "info": info, "methods": methods(n), "components": components}
	if format == "openapi" {
		whole = object{"openapi": "3.0.3", "info": info, "paths": paths(n), "components": components}
	}
	text, err := json.MarshalIndent(whole, "", " ")
	if err != nil {
		panic(err) // the values above are JSON
	}
	return text
}

func schemas(n int) object {
	all := object{
		"Money": object{"type": "object", "required": []string{"amount", "currency"}, "properties": object{
			"amount":   object{"type": "integer", "format": "int64", "minimum": 0},
			"currency": object{"type": "string", "pattern": "^[A-Z]{3}$"}}},
		"Status": object{"type": "string", "enum": []string{"open", "closed", "pending"}},
		"Error": object{"type": "object", "required": []string{"code", "message"}, "properties": object{
			"code": object{"type": "integer", "format": "int32"}, "message": object{"type": "string"}}},
	}
	for i := range n {
		all[fmt.Sprintf("Req%d", i)] = object{
			"type": "object", "description": fmt.Sprintf("Request number %d.", i), "required": []string{"name", "count"},
			"properties": object{
				"name":   object{"type": "string", "minLength": 1, "maxLength": 64},
				"count":  object{"type": "integer", "format": "int64", "minimum": 0, "maximum": 1000000},
				"tags":   object{"type": "array", "maxItems": 16, "items": object{"type": "string"}},
				"price":  ref("Money"),
				"note":   object{"type": "string"},
				"dryRun": object{"type": "boolean"},
			},
		}
		all[fmt.Sprintf("Res%d", i)] = object{
			"type": "object", "description": fmt.Sprintf("Response number %d.", i), "required": []string{"id", "name", "status"},
			"properties": object{
				"id":     object{"type": "string", "minLength": 1},
				"name":   object{"type": "string"},
				"count":  object{"type": "integer", "format": "int64"},
				"ratio":  object{"type": "number", "format": "double"},
				"active": object{"type": "boolean"},
				"status": ref("Status"),
				"total":  ref("Money"),
				"items":  object{"type": "array", "items": ref("Money")},
			},
		}
	}
	return all
}

func methods(n int) []object {
	all := make([]object, n)
	for i := range all {
		all[i] = object{
			"name": fmt.Sprintf("callOperation%d", i), "summary": fmt.Sprintf("Operation %d", i),
			"params": []object{
				{"name": "id", "required": true, "schema": object{"type": "string"}},
				{"name": "body", "required": true, "schema": ref(fmt.Sprintf("Req%d", i))},
				{"name": "limit", "schema": object{"type": "integer", "minimum": 1, "maximum": 100}},
			},
			"result": object{"name": "result", "schema": ref(fmt.Sprintf("Res%d", i))},
			"errors": []object{{"code": 1, "message": "failed"}},
		}
	}
	return all
}

func paths(n int) object {
	content := func(name string) object { return object{"application/json": object{"schema": ref(name)}} }
	all := object{}
	for i := range n {
		all[fmt.Sprintf("/r%d/{id}", i)] = object{"post": object{
			"operationId": fmt.Sprintf("callOperation%d", i), "summary": fmt.Sprintf("Operation %d", i),
			"parameters": []object{
				{"name": "id", "in": "path", "required": true, "schema": object{"type": "string"}},
				{"name": "limit", "in": "query", "schema": object{"type": "integer", "format": "int32", "minimum": 1, "maximum": 100}},
			},
			"requestBody": object{"required": true, "content": content(fmt.Sprintf("Req%d", i))},
			"responses": object{
				"200":     object{"description": "ok", "content": content(fmt.Sprintf("Res%d", i))},
				"default": object{"description": "error", "content": content("Error")},
			},
		}}
	}
	return all
}

// Command prepare writes what the benchmarks compare: an OpenRPC and an OpenAPI
// document of the same schemas, the package that rpcgen generates from the one
// and the package that ogen generates from the other.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"log"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
)

// roots are the schemas that have a method each.
var roots = []string{"Params", "Records", "Tree", "Payments"}

// executionAPIs is the document of the largest recorded result.
const executionAPIs = "openrpc/ethereum-execution-apis/openrpc.json"

func main() {
	log.SetFlags(0)
	corpus := os.Getenv("CORPUS")
	if corpus == "" {
		corpus = "../../../../shared/corpus"
	}
	if err := prepare(corpus); err != nil {
		log.Fatal(err)
	}
}

func prepare(corpus string) error {
	text, err := os.ReadFile("schemas.json")
	if err != nil {
		return err
	}
	var schemas map[string]map[string]json.RawMessage // raw: the order of members stays
	if err := json.Unmarshal(text, &schemas); err != nil {
		return err
	}
	if err := os.MkdirAll("build", 0o777); err != nil {
		return err
	}
	if err := errors.Join(write("build/openrpc.json", openRPC(schemas)), write("build/openapi.json", openAPI(schemas))); err != nil {
		return err
	}
	if err := ours("build/openrpc.json", "ours"); err != nil {
		return err
	}
	if err := run(".", "go", "tool", "ogen", "--config", "ogen.yml", "--target", "peer", "--package", "peer", "--clean", "build/openapi.json"); err != nil {
		return err
	}
	document := filepath.Join(corpus, executionAPIs)
	if _, err := os.Stat(document); err != nil {
		log.Print("no execution-apis document at ", document)
		return nil
	}
	if err := os.RemoveAll(filepath.Join("eth", unionsFile)); err != nil { // the generator refuses foreign files
		return err
	}
	if err := ours(document, "eth"); err != nil {
		return err
	}
	return unions("eth")
}

var union = regexp.MustCompile(`(?m)^\tschema\.UnionOf\[.*$`)

const unionsFile = "unions.go"

// unions gives a generated package a function that lists its unions.
func unions(name string) error {
	client, err := os.ReadFile(filepath.Join(name, "client.go"))
	if err != nil {
		return err
	}
	text := "package " + name + "\n\nimport \"github.com/openrpc-go/rpcgen/runtime/schema\"\n\n" +
		"func Unions() []schema.Union {\n\treturn []schema.Union{\n" +
		string(bytes.Join(union.FindAll(client, -1), []byte("\n"))) + "\n\t}\n}\n"
	return os.WriteFile(filepath.Join(name, unionsFile), []byte(text), 0o666)
}

// repository is where the generator stands; it has a module of its own.
const repository = "../../.."

// ours runs the generator of this repository.
func ours(document, name string) error {
	document, err := filepath.Abs(document)
	if err != nil {
		return err
	}
	out, err := filepath.Abs(name)
	if err != nil {
		return err
	}
	return run(repository, "go", "run", "./cmd/rpcgen", "generate", "--document", document, "--out", out)
}

func run(dir, name string, args ...string) error {
	c := exec.Command(name, args...)
	c.Dir, c.Stderr = dir, os.Stderr
	return c.Run()
}

func write(name string, v any) error {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(name, text, 0o666)
}

func reference(name string) any { return map[string]any{"$ref": "#/components/schemas/" + name} }

func openRPC(schemas map[string]map[string]json.RawMessage) any {
	var methods []any
	for _, name := range roots {
		methods = append(methods, map[string]any{
			"name": "get" + name, "params": []any{}, "result": map[string]any{"name": "result", "schema": reference(name)},
		})
	}
	return map[string]any{
		"openrpc": "1.2.6", "info": map[string]any{"title": "validate", "version": "1"},
		"methods": methods, "components": map[string]any{"schemas": plain(schemas)},
	}
}

// plain returns schemas without discriminator, which draft 7 does not have:
// the constants of the branches say the same.
func plain(schemas map[string]map[string]json.RawMessage) map[string]any {
	out := map[string]any{}
	for name, s := range schemas {
		members := maps.Clone(s)
		delete(members, "discriminator")
		out[name] = members
	}
	return out
}

func openAPI(schemas map[string]map[string]json.RawMessage) any {
	content := func(s any) any { return map[string]any{"application/json": map[string]any{"schema": s}} }
	paths := map[string]any{}
	for _, name := range roots {
		paths["/"+name] = map[string]any{"post": map[string]any{
			"operationId": "get" + name,
			"requestBody": map[string]any{"required": true, "content": content(reference(name))},
			"responses":   map[string]any{"200": map[string]any{"description": "ok", "content": content(reference(name))}},
		}}
	}
	return map[string]any{
		"openapi": "3.0.3", "info": map[string]any{"title": "validate", "version": "1"},
		"paths": paths, "components": map[string]any{"schemas": schemas},
	}
}

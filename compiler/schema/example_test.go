package schema_test

import (
	"errors"
	"fmt"
	"log"

	"github.com/openrpc-go/rpcgen/compiler/schema"
	rt "github.com/openrpc-go/rpcgen/runtime/schema"
)

// A schema is compiled once and checks any number of values, from any number
// of goroutines.
func ExampleCompile() {
	node, err := schema.Compile(schema.Draft7, []byte(`{
		"type": "object",
		"required": ["id"],
		"properties": {
			"id":    {"type": "integer", "minimum": 1},
			"email": {"type": "string", "pattern": "^[^@]+@[^@]+$"}
		},
		"additionalProperties": false
	}`), schema.Options{})
	if err != nil {
		log.Fatal(err)
	}
	checker, err := rt.NewChecker(node)
	if err != nil {
		log.Fatal(err)
	}
	for _, value := range []string{
		`{"id": 7, "email": "a@example.com"}`,
		`{"id": 0}`,
		`{"id": 7, "id": 8}`,
	} {
		fmt.Println(checker.Check([]byte(value)) == nil)
	}
	// Output:
	// true
	// false
	// false
}

// What is wrong with a schema is told with its place and, where it is known,
// what to write instead.
func ExampleCompile_faults() {
	_, err := schema.Compile(schema.Draft7, []byte(`{
  "type": "object",
  "properties": {
    "name": {"type": "strnig"},
    "tags": {"$ref": "#/definitions/Tag"}
  },
  "definitions": {"Tags": {"type": "array"}}
}`), schema.Options{Name: "person.json"})
	var faults *schema.Error
	if errors.As(err, &faults) {
		for _, f := range faults.Findings {
			fmt.Println(f)
			fmt.Println("   ", f.Advice)
		}
	}
	// Output:
	// person.json:4:22: bad-keyword: "strnig" is not a type (/properties/name/type)
	//     did you mean "string"?
	// person.json:5:22: dangling-reference: "#/definitions/Tag" names nothing: "/definitions" has no member "Tag" (/properties/tags/$ref)
	//     did you mean "Tags"?
}

// Documents that references lead to are handed in; nothing is fetched.
func ExampleCompile_remotes() {
	node, err := schema.Compile(schema.Draft2020, []byte(`{
		"$id": "https://example.com/order.json",
		"properties": {"total": {"$ref": "money.json#/$defs/Amount"}}
	}`), schema.Options{Remotes: map[string][]byte{
		"https://example.com/money.json": []byte(`{"$defs": {"Amount": {"type": "string", "pattern": "^\\d+\\.\\d\\d$"}}}`),
	}})
	if err != nil {
		log.Fatal(err)
	}
	checker, err := rt.NewChecker(node)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(checker.Check([]byte(`{"total": "12.50"}`)) == nil)
	fmt.Println(checker.Check([]byte(`{"total": 12.5}`)) == nil)
	// Output:
	// true
	// false
}

// Keywords that a dialect does not know are never applied in silence.
func ExampleCompile_warnings() {
	_, err := schema.Compile(schema.Draft7, []byte(`{"type": "string", "nullable": true, "patern": "x"}`), schema.Options{
		Warn: func(f schema.Finding) { fmt.Println(f.Code, "at", f.Pointer) },
	})
	fmt.Println(err)
	// Output:
	// keyword-of-other-dialect at /nullable
	// unknown-keyword at /patern
	// <nil>
}

// Nullable says what a nullable schema is when it is not null.
func ExampleNullable() {
	node, err := schema.Compile(schema.Draft7, []byte(`{"oneOf": [{"type": "null"}, {"type": "integer"}]}`), schema.Options{})
	if err != nil {
		log.Fatal(err)
	}
	inner, ok := schema.Nullable(node)
	fmt.Println(ok, inner.ID)
	// Output: true schema/oneOf[1]
}

package schema_test

import (
	"errors"
	"fmt"

	"github.com/openrpc-go/rpcgen/runtime/schema"
)

// order is the node of {type: object, required: [id], properties: {id: {type:
// integer, minimum: 1}, note: {type: string}}, additionalProperties: false}.
var order = &schema.Node{ID: "Order", Types: schema.TypeObject, Object: &schema.ObjectRules{
	Properties: []schema.Property{
		{Name: "id", Required: true, Node: &schema.Node{ID: "Order/id", Types: schema.TypeInteger, Number: &schema.NumberRules{Minimum: "1"}}},
		{Name: "note", Node: &schema.Node{ID: "Order/note", Types: schema.TypeString}},
	},
	Additional: &schema.Node{ID: "Order/additional", Never: true},
}}

func ExampleChecker() {
	checker, err := schema.NewChecker(order)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(checker.Check([]byte(`{"id": 7}`)))
	fmt.Println(checker.Check([]byte(`{"id": 0, "memo": "x"}`)))
	// Output:
	// <nil>
	// "/id": expected a number ≥ 1, found 0 (minimum of "Order/id") (and 1 more)
}

func ExampleBind() {
	type Order struct {
		ID   int64   `json:"id"`
		Note *string `json:"note,omitzero"`
	}
	codec, err := schema.Bind[Order](order, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	v, err := codec.Decode([]byte(`{"note": "fragile", "id": 1e2}`))
	fmt.Println(v.ID, *v.Note, err)

	v.Note = nil
	text, err := codec.Encode(nil, &v)
	fmt.Println(string(text), err)

	v.ID = -1
	_, err = codec.Encode(nil, &v)
	var wrong *schema.Error
	fmt.Println(errors.As(err, &wrong), wrong.Causes[0].Pointer)
	// Output:
	// 100 fragile <nil>
	// {"id":100} <nil>
	// true /id
}

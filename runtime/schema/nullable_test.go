package schema

import "testing"

type nest struct {
	Name  string          `json:"name"`
	Above Nullable[*nest] `json:"above,omitzero"`
}

// A struct whose member of its own type may be absent, null or there holds it
// behind a pointer, and the three stay three.
func TestNullableOfPointer(t *testing.T) {
	node := &Node{ID: "nest", Types: TypeObject}
	node.Object = &ObjectRules{Properties: []Property{
		{Name: "name", Required: true, Node: &Node{Types: TypeString}},
		{Name: "above", Node: &Node{OneOf: []*Node{{Types: TypeNull}, node}}},
	}}
	c := bind[nest](t, node)
	for _, text := range []string{
		`{"name":"a"}`, `{"name":"a","above":null}`, `{"name":"a","above":{"name":"b"}}`,
		`{"name":"a","above":{"name":"b","above":{"name":"c","above":null}}}`,
	} {
		v, err := c.Decode([]byte(text))
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got, err := c.Encode(nil, &v); err != nil || string(got) != text {
			t.Errorf("%s: comes back as %s, %v", text, got, err)
		}
	}
	if _, err := c.Decode([]byte(`{"name":"a","above":{"name":1}}`)); err == nil {
		t.Error("a value that breaks its schema deep inside is decoded")
	}
	v := nest{Name: "a", Above: Value(&nest{Name: "b"})}
	if got, err := c.Encode(nil, &v); err != nil || string(got) != `{"name":"a","above":{"name":"b"}}` {
		t.Errorf("%s, %v", got, err)
	}
}

package schema

import (
	"errors"
	"testing"
)

// TestKeepUnknown reads values of a side that is ahead of its schema.
func TestKeepUnknown(t *testing.T) {
	type light struct {
		Shade  shade    `json:"shade"`
		Level  int64    `json:"level"`
		Ratio  *float64 `json:"ratio,omitzero"`
		Shades []shade  `json:"shades,omitzero"`
		Pay    payment  `json:"pay,omitzero"`
		Parent *shade   `json:"parent"`
	}
	shades := constant(`"red"`, `"green"`)
	node := object(ObjectRules{Properties: []Property{
		{"shade", true, shades}, {"level", true, constant(`1`, `2`)}, {"ratio", false, constant(`0.5`, `1`)}, {"shades", false, array(ArrayRules{Items: shades})},
		{"pay", false, paymentNode()}, {"parent", true, &Node{AnyOf: []*Node{shades, typed(TypeNull)}}}, {"version", true, constant(`"1.0"`)},
	}})
	unions, err := NewUnions(UnionOf[payment](card{}, transfer{}, paymentCode(""), paymentList(nil)))
	if err != nil {
		t.Fatal(err)
	}
	strict, err := Bind[light](node, unions)
	if err != nil {
		t.Fatal(err)
	}
	codec := strict.KeepUnknown().WithLimits(Limits{Depth: 8})
	for text, kept := range map[string]bool{
		`{"shade":"red","level":1,"parent":null,"version":"1.0"}`:                                     true,
		`{"shade":"blue","level":1,"parent":null,"version":"1.0"}`:                                    true,
		`{"shade":"red","level":3,"ratio":0.75,"shades":["red","grey"],"parent":"x","version":"1.0"}`: true,
		`{"shade":"red","level":1,"parent":null,"version":"2.0"}`:                                     false, // a constant is no list
		`{"shade":7,"level":1,"parent":null,"version":"1.0"}`:                                         false,
		`{"shade":"red","level":"1","parent":null,"version":"1.0"}`:                                   false,
		`{"shade":"red","level":1.5,"parent":null,"version":"1.0"}`:                                   false, // fits no int64
		`{"shade":"red","level":1,"pay":{"type":"cash","number":"1"},"parent":null,"version":"1.0"}`:  false, // names no variant
		`{"shade":"blue","level":1,"parent":null}`:                                                    false,
		`{"shade":"blue","level":1,"pay":{"type":"card","number":"1"},"parent":null,"version":"1.0"}`: true,
	} {
		v, err := codec.Decode([]byte(text))
		if (err == nil) != kept {
			t.Errorf("Decode(%s) = %+v, %v", text, v, err)
		}
		if err != nil || v.Shade == "red" && v.Level == 1 {
			continue
		}
		var broken *Error
		if _, err := strict.Decode([]byte(text)); !errors.As(err, &broken) || broken.Causes[0].Keyword != "enum" {
			t.Errorf("the strict codec says %v to %s", err, text)
		}
		if _, err := codec.Encode(nil, &v); !errors.As(err, &broken) {
			t.Errorf("Encode(%+v) = %v: what is sent is held against the enum", v, err)
		}
	}
	choice := &Node{ID: "choice", AnyOf: []*Node{constant(`"a"`, `"b"`), {ID: "long", Types: TypeString, String: &StringRules{MinLength: count64(3)}}}}
	words, err := Bind[Raw](choice, nil)
	if err != nil {
		t.Fatal(err)
	}
	for text, kept := range map[string]bool{`"a"`: true, `"abc"`: true, `"ab"`: false} { // a choice is made by what is known
		if v, err := words.KeepUnknown().Decode([]byte(text)); (err == nil) != kept {
			t.Errorf("Decode(%s) = %s, %v", text, v, err)
		}
	}
}

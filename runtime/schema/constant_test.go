package schema

import "testing"

func TestConstant(t *testing.T) {
	text, one, two := typed(TypeString), &Node{Enum: []string{`"a"`}}, &Node{Enum: []string{`"a"`, `"b"`}}
	ring := &Node{}
	ring.AllOf = []*Node{ring, one}
	wide := &Node{}
	for range maxParts + 1 {
		wide.AllOf = append(wide.AllOf, typed(TypeString))
	}
	wide.AllOf = append(wide.AllOf, one)
	for name, test := range map[string]struct {
		nodes []*Node
		want  string
	}{
		"one value":                     {[]*Node{one}, `"a"`},
		"one value beside a type":       {[]*Node{text, one}, `"a"`},
		"one of several":                {[]*Node{two, one}, `"a"`},
		"in common":                     {[]*Node{two, {Enum: []string{`"b"`, `"c"`}}}, `"b"`},
		"below allOf":                   {[]*Node{{AllOf: []*Node{text, {AllOf: []*Node{one}}}}}, `"a"`},
		"in a ring":                     {[]*Node{ring}, `"a"`},
		"several":                       {[]*Node{two}, ""},
		"none in common":                {[]*Node{one, {Enum: []string{`"b"`}}}, ""},
		"null":                          {[]*Node{{Enum: []string{"null"}}}, ""},
		"no enum":                       {[]*Node{text}, ""},
		"by a branch that may not hold": {[]*Node{{OneOf: []*Node{one, typed(TypeNull)}}}, ""},
		"too much":                      {[]*Node{wide}, ""},
	} {
		got, ok := Constant(test.nodes...)
		if got != test.want || ok != (test.want != "") {
			t.Errorf("%s: %q, %v, want %q", name, got, ok, test.want)
		}
	}
}

type sepa struct {
	Amount int64 `json:"amount"`
}

// A member that a base leaves open and another part of the allOf fixes has no
// field: it is written, and checked when it is read.
func TestConstantByAllOf(t *testing.T) {
	base := object(ObjectRules{Properties: []Property{{"method", true, typed(TypeString)}, {"amount", true, typed(TypeInteger)}}})
	n := &Node{ID: "sepa", AllOf: []*Node{base, object(ObjectRules{Properties: []Property{{"method", false, &Node{Enum: []string{`"sepa"`}}}}})}}
	c := bind[sepa](t, n)
	if got, err := c.Encode(nil, &sepa{5}); err != nil || string(got) != `{"method":"sepa","amount":5}` {
		t.Errorf("%s, %v", got, err)
	}
	if v, err := c.Decode([]byte(`{"amount":5,"method":"sepa"}`)); err != nil || v.Amount != 5 {
		t.Errorf("%v, %v", v, err)
	}
	for _, text := range []string{`{"amount":5,"method":"card"}`, `{"amount":5}`} {
		if _, err := c.Decode([]byte(text)); err == nil {
			t.Errorf("%s is decoded", text)
		}
	}
}

package schema

import (
	"strings"
	"testing"
)

type token interface{ isToken() }

type (
	tokenNumber int64
	tokenText   string
	tokenList   []string
	tokenParts  struct {
		A *string `json:"a,omitzero"`
	}
)

func (tokenNumber) isToken() {}
func (tokenText) isToken()   {}
func (tokenList) isToken()   {}
func (tokenParts) isToken()  {}

// A node that lists types binds to an interface with a variant for each; all
// that the node says still holds.
func TestUnionOfTypes(t *testing.T) {
	u, err := NewUnions(UnionOf[token](tokenNumber(0), tokenText(""), tokenList(nil), tokenParts{}))
	if err != nil {
		t.Fatal(err)
	}
	most := uint64(3)
	node := &Node{ID: "token", Types: TypeNull | TypeInteger | TypeString | TypeArray | TypeObject,
		Number: &NumberRules{Minimum: "0"}, String: &StringRules{MaxLength: &most},
		Array: &ArrayRules{Items: &Node{Types: TypeString}},
		Object: &ObjectRules{Properties: []Property{{Name: "a", Node: &Node{Types: TypeString}}},
			Additional: &Node{Never: true}},
		Not: &Node{Enum: []string{"7"}}}
	type holder struct {
		V token           `json:"v"`
		O Nullable[token] `json:"o,omitzero"`
	}
	c, err := Bind[holder](object(ObjectRules{Properties: []Property{{"v", true, node}, {"o", false, node}}}), u)
	if err != nil {
		t.Fatal(err)
	}
	for _, value := range []string{`5`, `"abc"`, `["x"]`, `[]`, `{"a":"b"}`, `{}`, `null`} {
		text := `{"v":` + value + `,"o":` + value + `}`
		v, err := c.Decode([]byte(text))
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got, err := c.Encode(nil, &v); err != nil || string(got) != text {
			t.Errorf("%s: comes back as %s, %v", text, got, err)
		}
	}
	for value, why := range map[string]string{
		`true`: "/v", `1.5`: "/v", `-1`: "/v", `"abcd"`: "/v", `[1]`: "/v/0", `{"b":1}`: "/v/b", `7`: "/v",
	} {
		if _, err := c.Decode([]byte(`{"v":` + value + `}`)); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%s: %v, want a refusal at %s", value, err, why)
		}
	}
	if _, err := c.Encode(nil, &holder{V: tokenNumber(-1)}); err == nil {
		t.Error("a value that breaks the node is encoded")
	}
}

func TestTypeUnions(t *testing.T) {
	for _, test := range []struct {
		n    *Node
		want int
	}{
		{typed(TypeString | TypeInteger), 2},
		{typed(TypeNull | TypeString | TypeBoolean), 2},
		{typed(TypeNumber | TypeInteger | TypeString), 2},
		{typed(TypeString | TypeNull), 0},
		{typed(TypeNumber | TypeInteger), 0},
		{typed(0), 0},
		{&Node{Types: TypeString | TypeInteger, Enum: []string{`"a"`, `1`}}, 0},
		{&Node{Types: TypeString | TypeInteger, AllOf: []*Node{typed(TypeString)}}, 0},
		{&Node{OneOf: []*Node{typed(TypeString | TypeInteger), fields("a")}}, 3},
		{&Node{OneOf: []*Node{typed(TypeString | TypeNull), fields("a")}}, 2},
	} {
		if got := len(Variants(test.n)); got != test.want {
			t.Errorf("%s: %d variants, want %d", test.n.Types, got, test.want)
		}
	}
}

package schema

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// fields is an object whose properties are strings; those with a star are required.
func fields(names string) *Node {
	o := ObjectRules{}
	for _, name := range strings.Fields(names) {
		bare, required := strings.CutSuffix(name, "*")
		o.Properties = append(o.Properties, Property{bare, required, typed(TypeString)})
	}
	n := object(o)
	n.ID = names
	return n
}

// listed names the variants of a node by their ids.
func listed(n *Node) string {
	var names []string
	for _, v := range Variants(n) {
		name := v.Branch.ID
		for _, beside := range v.Beside {
			name = beside.ID + "+" + name
		}
		names = append(names, name)
	}
	return strings.Join(names, ", ")
}

func TestVariants(t *testing.T) {
	a, b, c := fields("a*"), fields("b*"), fields("c*")
	str, list := typed(TypeString), array(ArrayRules{Items: typed(TypeString)})
	str.ID, list.ID = "str", "list"
	named := func(id string, n *Node) *Node { n.ID = id; return n }
	inner := named("inner", &Node{OneOf: []*Node{b, c}})
	held := fields("x y")
	held.OneOf = []*Node{a, b}
	narrow := fields("a b")
	narrow.OneOf = []*Node{{Object: &ObjectRules{Required: []string{"a"}}}, {Object: &ObjectRules{Required: []string{"b"}}}}
	both := &Node{OneOf: []*Node{a, b}, AnyOf: []*Node{c, fields("d")}}
	endless := &Node{}
	endless.OneOf = []*Node{endless, a}
	wide := &Node{}
	for k := range maxVariants + 1 {
		wide.AnyOf = append(wide.AnyOf, fields(fmt.Sprint("w", k)))
	}
	many := &Node{}
	for k := range 120 {
		many.OneOf = append(many.OneOf, &Node{ID: fmt.Sprint(k), AllOf: []*Node{fields(fmt.Sprint("p", k)), fields("q"), fields("r")}})
	}
	tests := []struct {
		name, want string
		n          *Node
	}{
		{"branches", "a*, b*", &Node{OneOf: []*Node{a, b}}},
		{"null is left out", "a*, b*", &Node{AnyOf: []*Node{a, typed(TypeNull), b}}},
		{"a union among them", "a*, b*, c*", &Node{OneOf: []*Node{a, inner}}},
		{"strings stay together", "a*, texts", &Node{OneOf: []*Node{a, named("texts", &Node{OneOf: []*Node{str, typed(TypeString)}})}}},
		{"mixed scalars do not", "a*, str, list", &Node{OneOf: []*Node{a, named("mixed", &Node{OneOf: []*Node{str, list}})}}},
		{"below allOf", "b*, c*", &Node{AllOf: []*Node{inner}}},
		{"members beside", "x y+a*, x y+b*", held},
		{"members beside, by allOf", "whole+b*, whole+c*", named("whole", &Node{AllOf: []*Node{fields("x"), inner}})},
		{"members beside, twice", "x y+top+a*, x y+top+b*, top+c*", named("top", &Node{AllOf: []*Node{fields("t"), {OneOf: []*Node{held, c}}}})},
		{"a branch that only narrows", "narrow, c*", &Node{OneOf: []*Node{named("narrow", narrow), c}}},
		{"one that adds beside one that narrows", "n+c*, n+str", named("n", &Node{AllOf: []*Node{narrow, {OneOf: []*Node{c, str}}}})},
		{"two that add", "", both},
		{"no union", "", a},
		{"a lone branch", "b*, c*", &Node{OneOf: []*Node{inner}}},
		{"endless", "", endless},
		{"too wide", "", wide},
		{"wide, of many members each", "120", many},
	}
	for _, test := range tests {
		got := listed(test.n)
		if test.n == many {
			got = fmt.Sprint(len(Variants(test.n)))
		}
		if got != test.want {
			t.Errorf("%s: Variants are %q, want %q", test.name, got, test.want)
		}
	}
}

type event interface{ isEvent() }

type made struct {
	X string `json:"x"`
	A string `json:"a"`
}

type left struct {
	X string  `json:"x"`
	B string  `json:"b"`
	N *string `json:"n,omitzero"`
}

type gone struct {
	X string `json:"x"`
	C string `json:"c"`
}

func (made) isEvent() {}
func (left) isEvent() {}
func (gone) isEvent() {}

// TestUnionBeside binds variants that hold members from beside the union, and
// a union among the branches.
func TestUnionBeside(t *testing.T) {
	unions, err := NewUnions(UnionOf[event](made{}, left{}, gone{}))
	if err != nil {
		t.Fatal(err)
	}
	inner := &Node{ID: "inner", OneOf: []*Node{fields("b* n"), fields("c*")}}
	for name, n := range map[string]*Node{
		"allOf":  {ID: "n", AllOf: []*Node{fields("x*"), {ID: "u", OneOf: []*Node{fields("a*"), inner}}}},
		"beside": {ID: "n", Types: TypeObject, Object: fields("x*").Object, AnyOf: []*Node{fields("a*"), inner}},
	} {
		c, err := Bind[event](n, unions)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for text, want := range map[string]event{
			`{"x":"1","a":"2"}`: made{"1", "2"}, `{"x":"1","b":"2"}`: left{"1", "2", nil}, `{"x":"1","c":"2"}`: gone{"1", "2"},
		} {
			got, err := c.Decode([]byte(text))
			if err != nil || got != want {
				t.Errorf("%s: Decode(%s) = %#v, %v, want %#v", name, text, got, err, want)
			}
			text, err := c.Encode(nil, &got)
			if back, again := c.Decode(text); err != nil || again != nil || fmt.Sprint(back) != fmt.Sprint(want) {
				t.Errorf("%s: Encode(%#v) = %s, %v", name, got, text, err)
			}
		}
		for _, text := range []string{`{"a":"2"}`, `{"x":"1"}`, `{"x":1,"a":"2"}`, `{"x":"1","b":"2","c":"3"}`, `null`, `3`} {
			var broken *Error
			if _, err := c.Decode([]byte(text)); !errors.As(err, &broken) {
				t.Errorf("%s: Decode(%s) = %v, want an Error", name, text, err)
			}
		}
	}
	if _, err := Bind[event](inner, unions); err == nil {
		t.Error("a union of two variants takes three")
	}
}

// TestLoneBranch: one branch is what the node itself is.
func TestLoneBranch(t *testing.T) {
	for name, n := range map[string]*Node{
		"oneOf": {ID: "n", OneOf: []*Node{fields("x* a*")}}, "anyOf": {ID: "n", AnyOf: []*Node{fields("x* a*")}},
		"beside": {ID: "n", Types: TypeObject, Object: fields("x*").Object, OneOf: []*Node{fields("a*")}},
	} {
		c, err := Bind[made](n, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if v, err := c.Decode([]byte(`{"x":"1","a":"2"}`)); err != nil || v != (made{"1", "2"}) {
			t.Errorf("%s: Decode = %v, %v", name, v, err)
		}
		round(t, c, `{"x":"1"}`, "error")
	}
}

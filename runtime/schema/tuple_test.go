package schema

import (
	"errors"
	"reflect"
	"strings"
	"testing"
)

// pairNode is a tuple that may hold another.
func pairNode() *Node {
	n := array(ArrayRules{MinItems: ptr(uint64(1)), Items: &Node{ID: "pay", OneOf: []*Node{
		object(ObjectRules{Properties: []Property{{"number", true, typed(TypeString)}}}),
		object(ObjectRules{Properties: []Property{{"iban", true, typed(TypeString)}, {"note", false, typed(TypeString)}}}),
		typed(TypeString),
		array(ArrayRules{Items: typed(TypeInteger)}),
	}}})
	inner := *n
	inner.Types |= TypeNull
	inner.ID = "inner"
	n.Array.Prefix = []*Node{typed(TypeString), typed(TypeInteger), &inner}
	return n
}

func TestTuple(t *testing.T) {
	type open struct {
		A     int64  `json:"0"`
		B     string `json:"1"`
		Extra []Raw  `json:",inline"`
	}
	type closed struct {
		V payment `json:"1"` // element 0 is a constant
	}
	unions, err := NewUnions(UnionOf[payment](card{}, transfer{}, paymentCode(""), paymentList(nil)))
	if err != nil {
		t.Fatal(err)
	}
	pay := pairNode().Array.Items
	openNode := array(ArrayRules{Prefix: []*Node{typed(TypeInteger), typed(TypeString)}, MinItems: ptr(uint64(2))})
	closedNode := array(ArrayRules{Prefix: []*Node{{ID: "c", Enum: []string{`"pay"`}}, pay}, MinItems: ptr(uint64(2)), Items: &Node{Never: true}})
	type inner struct {
		Name  string          `json:"0"`
		Count *int64          `json:"1,omitzero"`
		Inner Nullable[[]Raw] `json:"2,omitzero"`
		Rest  []payment       `json:",inline"`
	}
	nested, err := Bind[inner](pairNode(), unions)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		`["a"]`: "", ` [ "a" , 5 ] `: `["a",5]`, `["a",5,null]`: "", `["a",5,["b"],"x",[1,2],{"number":"n"}]`: "",
		`["a",5,["b",6,["c"]],{"iban":"i"}]`: "", `["a",5,[],"x"]`: "error", `[]`: "error", `{}`: "error", `["a","b"]`: "error", `["a",5,null,7]`: "error", `null`: "error",
	} {
		round(t, nested, text, want)
	}
	opened, err := Bind[open](openNode, nil)
	if err != nil {
		t.Fatal(err)
	}
	v, err := opened.Decode([]byte(`[1,"b",{"c":3},4]`))
	if want := (open{1, "b", []Raw{Raw(`{"c":3}`), Raw("4")}}); err != nil || !reflect.DeepEqual(v, want) {
		t.Errorf("Decode = %+v, %v, want %+v", v, err, want)
	}
	round(t, opened, `[1,"b",{"c":3},4]`, `[1,"b"]`) // no items are declared
	shut, err := Bind[closed](closedNode, unions)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{`["pay","x"]`: "", `["buy","x"]`: "error", `["pay"]`: "error", `["pay","x",1]`: "error"} {
		round(t, shut, text, want)
	}
}

// round decodes and encodes text; want is "" for the same text.
func round[T any](t *testing.T, c *Codec[T], text, want string) {
	t.Helper()
	v, err := c.Decode([]byte(text))
	if want == "error" {
		var broken *Error
		if !errors.As(err, &broken) {
			t.Errorf("Decode(%s) = %v, want an Error", text, err)
		}
		return
	}
	if want == "" {
		want = text
	}
	if err != nil {
		t.Errorf("Decode(%s): %v", text, err)
		return
	}
	got, err := c.Encode(nil, &v)
	if err != nil || string(got) != want {
		t.Errorf("Encode(%+v) = %s, %v, want %s", v, got, err, want)
	}
}

// TestTupleGaps: what cannot stand by position is an error on encoding.
func TestTupleGaps(t *testing.T) {
	type three struct {
		A    *string `json:"0,omitzero"`
		B    *string `json:"1,omitzero"`
		Rest []int64 `json:",inline"`
	}
	c, err := Bind[three](array(ArrayRules{Prefix: []*Node{typed(TypeString), typed(TypeString)}, Items: typed(TypeInteger)}), nil)
	if err != nil {
		t.Fatal(err)
	}
	for want, v := range map[string]three{
		`[]`: {}, `["a"]`: {A: ptr("a")}, `["a","b"]`: {A: ptr("a"), B: ptr("b")}, `["a","b",1,2]`: {A: ptr("a"), B: ptr("b"), Rest: []int64{1, 2}},
		"gap": {B: ptr("b")}, "gap before rest": {A: ptr("a"), Rest: []int64{1}},
	} {
		got, err := c.Encode(nil, &v)
		if gap := strings.HasPrefix(want, "gap"); gap && (err == nil || !strings.Contains(err.Error(), "absent before")) || !gap && string(got) != want {
			t.Errorf("Encode(%+v) = %s, %v, want %s", v, got, err, want)
		}
	}
}

func TestTupleRefuses(t *testing.T) {
	node := array(ArrayRules{Prefix: []*Node{typed(TypeString), typed(TypeInteger)}, MinItems: ptr(uint64(1))})
	refused := func(name string, err error) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), "does not fit node") {
			t.Errorf("%s: Bind = %v, want a refusal", name, err)
		}
	}
	_, err := Bind[struct {
		A string `json:"0"`
	}](node, nil)
	refused("a missing element", err)
	_, err = Bind[struct {
		A string `json:"0"`
		B int64  `json:"1"`
	}](node, nil)
	refused("optional without pointer", err)
	_, err = Bind[struct {
		A string `json:"0"`
		B *int64 `json:"1,omitzero"`
		C *int64 `json:"2,omitzero"`
	}](node, nil)
	refused("an element too many", err)
	_, err = Bind[struct {
		A    string         `json:"0"`
		B    *int64         `json:"1,omitzero"`
		Rest map[string]Raw `json:",inline"`
	}](node, nil)
	refused("a map for the rest", err)
}

// TestLooseElements: elements that the node says nothing about take the Go
// type of those before; one that does not fit is no fault of the other side.
func TestLooseElements(t *testing.T) {
	c, err := Bind[[]card](array(ArrayRules{Prefix: []*Node{object(ObjectRules{Properties: []Property{{"number", true, typed(TypeString)}}})}}), nil)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{`[]`: "", `[{"number":"1"}]`: "", `[{"number":"1"},{"number":"2"},{"number":"3"}]`: "", `[{}]`: "error"} {
		round(t, c, text, want)
	}
	for _, text := range []string{`[{"number":"1"},{}]`, `[{"number":"1"},3]`, `[{"number":"1"},{"number":"2"},null]`} {
		var unfit *Unrepresentable
		if _, err := c.Decode([]byte(text)); !errors.As(err, &unfit) {
			t.Errorf("Decode(%s) = %v, want an Unrepresentable", text, err)
		}
		if err := c.Checker().Check([]byte(text)); err != nil {
			t.Errorf("Check(%s) = %v", text, err)
		}
	}
}

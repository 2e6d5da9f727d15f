package schema

import (
	"errors"
	"reflect"
	"sync"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// hardNode uses the keywords that read a value more than once.
func hardNode() *Node {
	n := &Node{ID: "hard"}
	leaf := typed(TypeInteger | TypeString | TypeNull)
	n.AnyOf = []*Node{
		leaf,
		{ID: "list", Types: TypeArray, Array: &ArrayRules{Contains: leaf, MinContains: count64(0), MaxContains: count64(3), Unique: true, Unevaluated: n}},
		{ID: "map", Types: TypeObject, Not: object(ObjectRules{Required: []string{"bad"}}), If: object(ObjectRules{Required: []string{"a"}}),
			Then:   object(ObjectRules{Properties: []Property{{"b", true, leaf}}, DependentRequired: []Dependency{{"b", []string{"c"}}}}),
			Else:   object(ObjectRules{Patterns: []PatternProperty{{Pattern{"^x", `\Ax`}, n}}}),
			Object: &ObjectRules{Properties: []Property{{"a", false, number(NumberRules{MultipleOf: "0.25"})}}, Names: text(StringRules{MaxLength: count64(3)}), Unevaluated: n}},
	}
	return n
}

// FuzzCheck: no panic, an end, a cause for every refusal, and the same view of
// the syntax as jsontext.
func FuzzCheck(f *testing.F) {
	for _, s := range []string{
		`{"value":1,"kids":[{"value":2}]}`, `[1,"a",[null]]`, `{"a":0.5,"b":1,"c":2}`, `{"xa":{"xb":[1,1.0]}}`, `{"bad":1}`, `[[[[[[[[[[1]]]]]]]]]]`,
		`{"type":"card","number":"1"}`, `"\ud83d\ude00"`, `{"a":1e400,"a":2}`, string(benchParamsText),
	} {
		f.Add([]byte(s))
	}
	params, result := benchNodes()
	var checkers []*Checker
	for _, n := range []*Node{tree(), hardNode(), paymentNode(), everythingNode(), params, result} {
		c, err := NewChecker(n)
		if err != nil {
			f.Fatal(err)
		}
		checkers = append(checkers, c)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		valid := jsontext.Value(b).IsValid()
		for _, c := range checkers {
			err := c.Check(b)
			if err == nil && !valid {
				t.Fatalf("Check(%q) accepts what is not JSON", b)
			}
			var e *Error
			if errors.As(err, &e) && (!valid || len(e.Causes) == 0) {
				t.Fatalf("Check(%q) = %v, valid %v", b, err, valid)
			}
			if errors.As(err, new(*BudgetError)) {
				t.Fatalf("Check(%q) = %v", b, err)
			}
		}
	})
}

// FuzzRoundTrip: decoding and checking agree, and what was decoded encodes to
// something that decodes to the same value.
func FuzzRoundTrip(f *testing.F) {
	for _, s := range []string{
		`{"value":1,"kids":[{"value":2,"kids":[]}],"next":{"value":-3.0e1}}`, `{"type":"transfer","iban":"x","note":""}`, `"text"`, `[1,2]`,
		`{"type":"card","number":"1","z":[{}],"\u0000":1}`, `{"version":"1.0","name":"n","age":1,"ra,tio":0.5,"ok":true,"big":1e3,"at":"","data":"AQI=","tags":["a"],` +
			`"parent":null,"three":null,"list":null,"pay":"x","nothing":null,"shade":"red","q":1.5}`,
	} {
		f.Add([]byte(s))
	}
	u, err := NewUnions(UnionOf[payment](card{}, transfer{}, paymentCode(""), paymentList(nil)))
	if err != nil {
		f.Fatal(err)
	}
	trees := mustBind[branch](f, branchNode(), u)
	payments := mustBind[payment](f, paymentNode(), u)
	all := mustBind[everything](f, everythingNode(), u)
	f.Fuzz(func(t *testing.T, b []byte) {
		roundTrip(t, trees, b)
		roundTrip(t, payments, b)
		roundTrip(t, all, b)
	})
}

func mustBind[T any](tb testing.TB, n *Node, u *Unions) *Codec[T] {
	c, err := Bind[T](n, u)
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

func roundTrip[T any](t *testing.T, c *Codec[T], b []byte) {
	v, err := c.Decode(b)
	if checked := c.Checker().Check(b); (checked == nil) != (err == nil || errors.As(err, new(*Unrepresentable))) {
		t.Fatalf("Check(%q) = %v, Decode = %v", b, checked, err)
	}
	if err != nil {
		return
	}
	out, err := c.Encode(nil, &v)
	if err != nil {
		t.Fatalf("Encode of what %q holds = %v", b, err)
	}
	again, err := c.Decode(out)
	if err != nil || !reflect.DeepEqual(v, again) {
		t.Fatalf("Decode(%q) = %+v\nDecode(%q) = %+v, %v", b, v, out, again, err)
	}
}

func TestConcurrentUse(t *testing.T) {
	u := testUnions(t)
	node := everythingNode()
	text := []byte(`{"version":"1.0","name":"n","age":1,"ra,tio":0.5,"ok":true,"big":1,"at":"","data":"","tags":[],"parent":null,"list":null,"pay":"x","nothing":null,"shade":"red"}`)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 20 {
				c, err := Bind[everything](node, u)
				if err != nil {
					t.Error(err)
					return
				}
				if v, err := c.Decode(text); err != nil || v.Name != "n" {
					t.Errorf("Decode = %+v, %v", v, err)
				}
				if _, err := Bind[[]payment](array(ArrayRules{Items: paymentNode()}), u); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
}

func TestBindAfterRefusal(t *testing.T) {
	u := testUnions(t)
	node := everythingNode()
	if _, err := Bind[struct{}](node, u); err == nil {
		t.Fatal("an empty struct was bound")
	}
	if _, err := Bind[everything](node, u); err != nil {
		t.Errorf("Bind after a refusal: %v", err)
	}
	broken := object(ObjectRules{Properties: []Property{{"a", true, constant(`nul`)}}})
	for range 2 {
		if _, err := Bind[Raw](broken, u); err == nil {
			t.Error("a broken node was bound")
		}
	}
}

package plan

import (
	"reflect"
	"testing"

	rt "github.com/openrpc-go/rpcgen/runtime/schema"
)

// TestSilent sets every field of a node in turn: a keyword that is new is a rule
// until somebody decides otherwise.
func TestSilent(t *testing.T) {
	if !silent(&rt.Node{}) {
		t.Error("a node without rules is not silent")
	}
	noRule := map[string]bool{"ID": true, "Sensitive": true, "Annotations": true}
	branch := map[string]bool{"AllOf": true, "AnyOf": true, "OneOf": true, "Discriminator": true}
	for i := range reflect.TypeFor[rt.Node]().NumField() {
		var n rt.Node
		name := reflect.TypeFor[rt.Node]().Field(i).Name
		switch f := reflect.ValueOf(&n).Elem().Field(i); f.Kind() {
		case reflect.String:
			f.SetString("x")
		case reflect.Bool:
			f.SetBool(true)
		case reflect.Uint8, reflect.Uint16:
			f.SetUint(1)
		case reflect.Slice:
			f.Set(reflect.MakeSlice(f.Type(), 0, 1))
		case reflect.Pointer:
			f.Set(reflect.New(f.Type().Elem()))
		default:
			t.Fatalf("set %s in this test", name)
		}
		if silent(&n) != noRule[name] {
			t.Errorf("with %s alone a node is silent: %v", name, silent(&n))
		}
		if n.Types = n.Types | rt.TypeString; onlyType(&n) != (noRule[name] || name == "Types") {
			t.Errorf("with %s and a type a node has only a type: %v", name, onlyType(&n))
		}
		if n.Types = n.Types &^ rt.TypeString; onlyBranches(&n) != (noRule[name] || branch[name]) {
			t.Errorf("with %s alone a node has only branches: %v", name, onlyBranches(&n))
		}
	}
}

// TestViewOfMany merges objects of few and of many members, some of them named
// by both.
func TestViewOfMany(t *testing.T) {
	object := func(from, to int) *rt.Node {
		rules := &rt.ObjectRules{}
		for i := from; i < to; i++ {
			rules.Properties = append(rules.Properties, rt.Property{Name: string(rune('a' + i)), Required: i%2 == 0, Node: &rt.Node{}})
		}
		return &rt.Node{Object: rules}
	}
	for _, n := range []int{1, largeObject - 1, largeObject, largeObject + 1, 2 * largeObject} {
		first, second := object(0, n), object(n/2, n+3)
		v := viewOf(first, second)
		if len(v.properties) != n+3 {
			t.Fatalf("%d members of %d", len(v.properties), n+3)
		}
		for i, p := range v.properties {
			both := i >= n/2 && i < n
			if p.name != string(rune('a'+i)) || v.named(p.name) != i || p.required != (i%2 == 0) || len(p.nodes) == 2 != both {
				t.Errorf("of %d: member %d is %+v at %d", n, i, p, v.named(p.name))
			}
		}
		if v.named("no such") >= 0 {
			t.Error("found what is not there")
		}
	}
}

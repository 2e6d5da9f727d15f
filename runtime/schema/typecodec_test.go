package schema

import (
	"reflect"
	"strings"
	"sync"
	"testing"
)

type typeCodecCase struct {
	Name  string   `json:"name"`
	Items []string `json:"items,omitzero"`
}

func typeCodecNode() *Node {
	text := &Node{ID: "text", Types: TypeString}
	return &Node{ID: "case", Types: TypeObject, Object: &ObjectRules{
		Properties: []Property{
			{Name: "name", Required: true, Node: text},
			{Name: "items", Node: &Node{ID: "items", Types: TypeArray, Array: &ArrayRules{Items: text}}},
		},
		Additional: &Node{ID: "case/*", Never: true},
	}}
}

// TestTypeCodec holds a TypeCodec against the Codec of the same type: the same
// values, the same bytes, the same errors.
func TestTypeCodec(t *testing.T) {
	node := typeCodecNode()
	typed, err := Bind[typeCodecCase](node, nil)
	if err != nil {
		t.Fatal(err)
	}
	loose, err := BindType(reflect.TypeFor[typeCodecCase](), node, nil)
	if err != nil {
		t.Fatal(err)
	}
	var wait sync.WaitGroup
	for _, text := range []string{`{"name":"a"}`, `{"name":"a","items":["b","c"]}`, `{"name":1}`, `{"items":["b"]}`, `{"name":"a","x":1}`, `{`, `null`} {
		wait.Go(func() {
			want, wantErr := typed.Decode([]byte(text))
			got := typeCodecCase{Name: "left over", Items: []string{"left over"}}
			gotErr := loose.Decode([]byte(text), &got)
			if !reflect.DeepEqual(got, want) || (gotErr == nil) != (wantErr == nil) || gotErr != nil && gotErr.Error() != wantErr.Error() {
				t.Errorf("Decode(%s) = %+v, %v, want %+v, %v", text, got, gotErr, want, wantErr)
			}
			a, errA := loose.Encode([]byte("x"), &got)
			b, errB := typed.Encode([]byte("x"), &want)
			if string(a) != string(b) || (errA == nil) != (errB == nil) {
				t.Errorf("Encode(%+v) = %s, %v, want %s, %v", got, a, errA, b, errB)
			}
		})
	}
	wait.Wait()
}

func TestTypeCodecRefusesOtherTypes(t *testing.T) {
	c, err := BindType(reflect.TypeFor[typeCodecCase](), typeCodecNode(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, pointer := range []any{nil, typeCodecCase{}, new(string), (*typeCodecCase)(nil)} {
		if err := c.Decode([]byte(`{"name":"a"}`), pointer); err == nil || !strings.Contains(err.Error(), "bound") {
			t.Errorf("Decode into %T: %v", pointer, err)
		}
		if _, err := c.Encode(nil, pointer); err == nil {
			t.Errorf("Encode from %T is no error", pointer)
		}
	}
}

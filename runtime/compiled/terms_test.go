package compiled

import (
	"reflect"
	"testing"

	"github.com/openrpc-go/rpcgen/runtime/schema"
)

// TestEveryTermIsAFeature: a term that Features does not know would be neither
// enforced nor refused.
func TestEveryTermIsAFeature(t *testing.T) {
	seen := map[Feature]bool{}
	for i := range reflect.TypeFor[Terms]().NumField() {
		var terms Terms
		field := reflect.ValueOf(&terms).Elem().Field(i)
		switch field.Interface().(type) {
		case *schema.Node:
			field.Set(reflect.ValueOf(&schema.Node{}))
		case string:
			field.SetString("/x")
		default:
			field.Set(reflect.New(field.Type().Elem()))
		}
		features := terms.Features()
		if len(features) != 1 || seen[features[0]] {
			t.Errorf("field %s is %v", reflect.TypeFor[Terms]().Field(i).Name, features)
			continue
		}
		seen[features[0]] = true
	}
	var none Terms
	if len(none.Features()) != 0 || len(none.Unenforced()) != 0 {
		t.Error("no terms ask for something")
	}
}

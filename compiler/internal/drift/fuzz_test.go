package drift_test

import (
	"testing"

	"github.com/openrpc-go/rpcgen/compiler/internal/drift"
	"github.com/openrpc-go/rpcgen/runtime/compiled"
)

// FuzzCompare: shapes come out of files, so whatever can be read can be
// compared and told; and nothing differs from itself.
func FuzzCompare(f *testing.F) {
	for _, schema := range []string{
		`{"type": "string", "pattern": "^a$"}`,
		`{"oneOf": [{"type": "object", "properties": {"a": {"$ref": "#/components/schemas/A"}}}, {"type": "null"}]}`,
	} {
		c := sealed(f, method("m", schema, schema), `"A": {"type": "array", "items": {"$ref": "#/components/schemas/A"}}`)
		text, err := compiled.Marshal(c)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text, text)
	}
	read := func(b []byte) *compiled.Contract {
		file, err := compiled.Read(b)
		if err != nil {
			return nil
		}
		c, err := file.Contract()
		if err != nil {
			return nil
		}
		return c
	}
	f.Fuzz(func(t *testing.T, a, b []byte) {
		was, now := read(a), read(b)
		if was == nil || now == nil {
			return
		}
		pairs := drift.Methods(was, now)
		for i := range pairs {
			pairs[i].Side = drift.Request | drift.Response
		}
		told(drift.Compare(pairs))
		if causes := drift.Compare(drift.Methods(was, was)); len(causes) > 0 {
			t.Errorf("it differs from itself: %s", told(causes))
		}
	})
}

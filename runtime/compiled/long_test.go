package compiled

import (
	"strings"
	"testing"

	"github.com/openrpc-go/rpcgen/runtime/schema"
)

// TestLongNames holds that a reference is read back however long its id is: the
// layout breaks the lines of one that is wider than the columns.
func TestLongNames(t *testing.T) {
	for _, length := range []int{1, 70, 100, 900, 5000} {
		name := strings.Repeat("n", length)
		shared := &schema.Node{ID: name, Types: schema.TypeString}
		result := &schema.Node{ID: name + "/result", Types: schema.TypeArray, Array: &schema.ArrayRules{Items: shared}}
		b, err := Marshal(&Contract{
			Header:  Header{ID: "long", Protocol: "jsonrpc"},
			Methods: []*Method{{Name: name, ID: "long", ResultNode: result}},
		})
		if err != nil {
			t.Fatal(err)
		}
		f, err := Read(b)
		if err != nil {
			t.Fatalf("%d: %v", length, err)
		}
		m, err := f.Method(name)
		if err != nil {
			t.Fatalf("%d: %v\n%s", length, err, b)
		}
		if got := m.ResultNode.Array.Items; got.ID != name || got.Types != schema.TypeString {
			t.Errorf("%d: items are read back as %+v", length, got)
		}
	}
}

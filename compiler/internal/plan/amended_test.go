package plan

import (
	"fmt"
	"testing"

	"github.com/openrpc-go/rpcgen/compiler/internal/amendment"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// TestVetNamesAreNoGoNames: a Go name that the amendment may state is granted
// as it is, so those that cannot be are refused there.
func TestVetNamesAreNoGoNames(t *testing.T) {
	for _, name := range vetNames {
		text := fmt.Sprintf("version: \"1\"\ncontract: x\nmethods:\n  a: {effect: read, go_name: %s}\n", name)
		f, err := source.ReadOwn("a.yaml", []byte(text), source.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if a, _ := amendment.Read(f); a != nil {
			t.Errorf("go_name: %s is accepted", name)
		}
	}
}

package seal

import (
	"fmt"
	"testing"

	"github.com/openrpc-go/rpcgen/compiler/internal/contract"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// TestAnnotations: every member that counts in a digest and has no field of its
// own in a compiled method is kept.
func TestAnnotations(t *testing.T) {
	f, err := source.Read("d.json", []byte(`{"style": "form", "streaming": true}`), source.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	unknown := f.Root.Members
	m := &contract.Method{
		Structure: contract.ByName, Unknown: unknown[1:],
		Params: []contract.Descriptor{{Name: "p", Unknown: unknown[:1]}, {Name: "q"}},
		Result: &contract.Descriptor{Required: true, Unknown: unknown[:1]},
		Errors: []contract.Error{{Code: -3, Unknown: unknown[1:]}},
	}
	const want = `[{/paramStructure "by-name"} {/streaming true} {/params/p/style "form"} {/result/required true} {/result/style "form"} {/errors/-3/streaming true}]`
	if got := fmt.Sprint(annotations(m)); got != want {
		t.Errorf("annotations %s, want %s", got, want)
	}
	for _, s := range []contract.ParamStructure{contract.ByPosition, contract.Either} {
		if got := annotations(&contract.Method{Structure: s}); got != nil {
			t.Errorf("%s: annotations %v", s, got)
		}
	}
}

package reference_test

import (
	"testing"

	"github.com/openrpc-go/rpcgen/compiler/internal/reference"
)

// TestMissingFileAdvice: a file that is not there is asked for, and a name that
// is nearly one that is there is taken for a slip.
func TestMissingFileAdvice(t *testing.T) {
	root := folder(t, map[string]string{"money.json": `{}`})
	for ref, want := range map[string]string{
		"room.json":  "vendor the file there, under this name",
		"moeny.json": `did you mean a file "money.json" beside it?`,
	} {
		f := document(t, "doc.json", ref)
		_, fault := reference.New(f, reference.Options{Root: root}).Resolve(f.Root.Get("use"), ref)
		if fault == nil || fault.Code != reference.CodeDangling || fault.Advice != want {
			t.Errorf("%s: %v, want the advice %q", ref, fault, want)
		}
	}
}

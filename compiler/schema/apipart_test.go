package schema

import (
	"fmt"
	"strings"
	"testing"

	"github.com/openrpc-go/rpcgen/compiler/internal/reference"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// TestReferenceToNoSchema: what a document keeps that is no schema admits
// nothing; wherever schemas are kept, they are found.
func TestReferenceToNoSchema(t *testing.T) {
	const document = `{"openrpc":"1.3.2","info":{"title":"t","version":"1"},
		"methods":[{"name":"m","params":[],"result":{"name":"r","schema":{"$ref":%q}}}],
		"definitions":{"A":{"type":"string"}},"x-types":{"A":{"type":"string"}},
		"components":{"contentDescriptors":{"X":{"name":"x","required":true,"schema":{"type":"string"}},"S":{"type":"string"}},
			"schemas":{"Any":{"title":"any"},"Empty":{},"Odd":{"format-of":"x"},"D":{"name":"d","schema":{"type":"string"}}}}}`
	for ref, want := range map[string]string{
		"#":                                 "the whole document",
		"#/info":                            `"info" of the document`,
		"#/components":                      `"components" of the document`,
		"#/components/schemas":              `all of "schemas"`,
		"#/components/contentDescriptors/X": "a content descriptor",
		"#/methods/0":                       "a method",
		"#/methods/0/result":                "a content descriptor",
		"#/definitions/A":                   "",
		"#/x-types/A":                       "",
		"#/components/contentDescriptors/S": "",
		"#/components/contentDescriptors/X/schema": "",
		"#/components/schemas/D":                   "",
		"#/components/schemas/Any":                 "",
		"#/components/schemas/Empty":               "",
		"#/components/schemas/Odd":                 "",
	} {
		f, err := source.Read("doc.json", []byte(fmt.Sprintf(document, ref)), source.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		g := NewGraph(reference.New(f, reference.Options{}), Draft7)
		at, err := f.Root.At("/methods/0/result/schema")
		if err != nil {
			t.Fatal(err)
		}
		faults := g.Faults(g.Node(at, "m/result"))
		switch {
		case want == "" && faults.HasErrors():
			t.Errorf("%s: %v", ref, faults)
		case want != "" && (len(faults) == 0 || faults[0].Code != CodeNoSchema || !strings.Contains(faults[0].Message, "names "+want+",")):
			t.Errorf("%s: %v, want %q", ref, faults, want)
		}
	}
}

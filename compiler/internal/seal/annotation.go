package seal

import (
	"fmt"

	"github.com/openrpc-go/rpcgen/compiler/internal/contract"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
	"github.com/openrpc-go/rpcgen/compiler/schema"
	rt "github.com/openrpc-go/rpcgen/runtime/schema"
)

// annotations lists what counts in the wire or result digest of a method and
// has no member of its own: members that nobody knows, and that params travel
// by name only.
func annotations(m *contract.Method) []rt.Annotation {
	var out []rt.Annotation
	keep := func(at string, unknown []source.Member) {
		for _, u := range unknown {
			out = append(out, schema.Annotate(at+"/"+u.Name, u.Value))
		}
	}
	if m.Structure == contract.ByName {
		out = append(out, rt.Annotation{Name: "/paramStructure", Value: `"by-name"`})
	}
	keep("", m.Unknown)
	for i := range m.Params {
		if p := &m.Params[i]; p.Unknown != nil {
			keep("/params/"+p.Name, p.Unknown)
		}
	}
	if r := m.Result; r != nil {
		if r.Required {
			out = append(out, rt.Annotation{Name: "/result/required", Value: "true"})
		}
		keep("/result", r.Unknown)
	}
	for _, e := range m.Errors {
		keep(fmt.Sprintf("/errors/%d", e.Code), e.Unknown)
	}
	return out
}

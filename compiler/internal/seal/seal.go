// Package seal puts what the stages before it decided into one compiled
// contract: the value that contract.json is written from. It decides nothing
// itself. Start with Contract.
package seal

import (
	"fmt"

	"github.com/openrpc-go/rpcgen/compiler/internal/amendment"
	"github.com/openrpc-go/rpcgen/compiler/internal/contract"
	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/pin"
	"github.com/openrpc-go/rpcgen/compiler/schema"
	"github.com/openrpc-go/rpcgen/runtime/compiled"
	rt "github.com/openrpc-go/rpcgen/runtime/schema"
)

// Options are the facts that no earlier stage holds. The zero value seals a
// contract without a generated package, an amendment or a server.
type Options struct {
	// GoNames are the Go names of the methods by their index; "" for one that
	// could not be planned, which makes it Uncompiled. nil when nothing was
	// planned.
	GoNames []string
	// Unplanned says, by index, why methods have no Go name.
	Unplanned map[int]diag.List
	// DefaultURL is the trusted default server, "" for none.
	DefaultURL string
	// Amendment is the digest of the amendment's bytes, "" for none.
	Amendment string
}

// Contract returns the compiled form of c, whose schemas are in g. digests and
// j are index-aligned with its methods; without j every method is undecided. A
// method with an error, or without a Go name where there are any, keeps its
// place: Uncompiled, with its diagnostics and without schemas.
func Contract(c *contract.Contract, g *schema.Graph, digests []compiled.Digests, j *amendment.Joined, o Options) *compiled.Contract {
	if len(digests) != len(c.Methods) || j != nil && len(j.Authorities) != len(c.Methods) || o.GoNames != nil && len(o.GoNames) != len(c.Methods) {
		panic(fmt.Sprintf("seal: digests, authorities or names do not belong to the %d methods of %q", len(c.Methods), c.ID))
	}
	s := &sealer{contract: c, graph: g, digests: digests, joined: j, options: o}
	out := &compiled.Contract{Header: s.header()}
	for i := range c.Methods {
		out.Methods = append(out.Methods, s.method(i))
	}
	return out
}

// Name gives the methods of a contract that was sealed before anything was
// planned their Go names, which stand by index. It changes nothing and reports
// false when a method that was sealed has none: then the contract must be sealed
// again, with Options that say so.
func Name(c *compiled.Contract, names []string) bool {
	for i, m := range c.Methods {
		if (m.Authority.State == compiled.Uncompiled) != (names[i] == "") {
			return false
		}
	}
	for i, m := range c.Methods {
		m.GoName = names[i]
	}
	return true
}

type sealer struct {
	contract *contract.Contract
	graph    *schema.Graph
	digests  []compiled.Digests
	joined   *amendment.Joined
	options  Options
}

func (s *sealer) header() compiled.Header {
	c := s.contract
	h := compiled.Header{
		Format:     compiled.Generation,
		ID:         c.ID,
		Protocol:   protocol(c.Format),
		Title:      c.Title,
		Version:    c.Version,
		Document:   compiled.Source{Kind: string(c.Format), Version: c.FormatVersion},
		Amendment:  s.options.Amendment,
		Digest:     pin.Contract(c, s.digests),
		DefaultURL: s.options.DefaultURL,
	}
	if len(c.Files) > 0 {
		h.Document.Digest = c.Files[0].Digest
	}
	return h
}

func protocol(f contract.Format) string {
	if f == contract.OpenAPI {
		return "http"
	}
	return "jsonrpc"
}

func (s *sealer) method(i int) *compiled.Method {
	m := s.contract.Methods[i]
	out := &compiled.Method{
		Name:         m.Name,
		ID:           m.LogicalID,
		Summary:      m.Summary,
		Deprecated:   m.Deprecated,
		Digests:      s.digests[i],
		Positional:   m.Structure == contract.ByPosition,
		Notification: m.Notification(),
		Annotations:  annotations(m),
		Authority:    compiled.Authority{State: compiled.Undecided},
	}
	for _, p := range m.Params {
		out.Params = append(out.Params, compiled.Param{Name: p.Name, Required: p.Required})
	}
	if s.joined != nil {
		out.Authority = s.joined.Authorities[i]
		if s.joined.NoParams != nil {
			out.NoParams = s.joined.NoParams[i]
		}
	}
	if faults, refused := s.refused(i); refused {
		out.Authority = compiled.Authority{State: compiled.Uncompiled}
		out.Diagnostics = diagnostics(faults)
		return out
	}
	if s.options.GoNames != nil {
		out.GoName = s.options.GoNames[i]
	}
	s.schemas(out, m)
	return out
}

// refused returns why a method could not be compiled.
func (s *sealer) refused(i int) (diag.List, bool) {
	m := s.contract.Methods[i]
	if m.Faults.HasErrors() {
		return m.Faults.Errors(), true
	}
	unplanned := s.options.GoNames != nil && s.options.GoNames[i] == ""
	return s.options.Unplanned[i], unplanned
}

func diagnostics(faults diag.List) []compiled.Diagnostic {
	var out []compiled.Diagnostic
	for _, d := range faults {
		out = append(out, compiled.Diagnostic{Code: d.Code, Pointer: string(d.Pointer), Message: d.Message})
	}
	return out
}

// schemas adds the nodes of a method, under the ids of contract.Resolve.
func (s *sealer) schemas(out *compiled.Method, m *contract.Method) {
	out.ParamsNode = s.params(m)
	if m.Result != nil {
		out.ResultNode = s.graph.Node(m.Result.Schema, m.Name+"/result")
	}
	for _, e := range m.Errors {
		declared := compiled.Error{Code: e.Code, Message: e.Message}
		if e.Data != nil {
			declared.Data = s.graph.Node(e.Data, fmt.Sprintf("%s/errors/%d/data", m.Name, e.Code))
		}
		out.Errors = append(out.Errors, declared)
	}
}

// params returns the closed object of a method's params by name; nil when it
// declares none. It is no schema of the document, so it has a path that none
// of them has.
func (s *sealer) params(m *contract.Method) *rt.Node {
	if len(m.Params) == 0 {
		return nil
	}
	id := m.Name + "/params"
	rules := &rt.ObjectRules{Additional: &rt.Node{ID: id + "/*", Never: true}}
	for _, p := range m.Params {
		rules.Properties = append(rules.Properties, rt.Property{
			Name: p.Name, Required: p.Required, Node: s.graph.Node(p.Schema, id+"/"+p.Name),
		})
	}
	return &rt.Node{ID: id, Types: rt.TypeObject, Object: rules}
}

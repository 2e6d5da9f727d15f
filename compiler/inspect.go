package compiler

import (
	"slices"

	"github.com/openrpc-go/rpcgen/compiler/internal/pin"
	"github.com/openrpc-go/rpcgen/runtime/compiled"
)

// Inspection is a contract as compiled: what a package generated today embeds.
type Inspection struct {
	Contract string            `json:"contract"`
	Title    string            `json:"title"`
	Version  string            `json:"version"`
	Document compiled.Source   `json:"document"`
	Digest   string            `json:"digest"`
	Methods  []InspectedMethod `json:"methods"`
	Counts   map[string]int    `json:"counts"`
	Files    []InspectedFile   `json:"files"`
	Servers  []InspectedServer `json:"servers"` // suggestions of the document; they bind nothing
	Default  string            `json:"default_server,omitempty"`
}

// InspectedFile is a file that the contract was compiled from.
type InspectedFile struct {
	Name   string `json:"name"`
	Digest string `json:"digest"`
}

// InspectedServer is a server that the document suggests.
type InspectedServer struct {
	Name string `json:"name"`
	URL  string `json:"url"`
}

// InspectedMethod is one method as compiled.
type InspectedMethod struct {
	Name         string             `json:"name"`
	ID           string             `json:"id"`
	GoName       string             `json:"go_name,omitempty"`
	Structure    string             `json:"param_structure"`
	Defaulted    bool               `json:"param_structure_defaulted"`
	Params       []compiled.Param   `json:"params"`
	Notification bool               `json:"notification"`
	Authority    compiled.Authority `json:"authority"`
	Pin          string             `json:"pin"`
	Text         string             `json:"text"`              // digest of the words, as an entry acknowledges them
	Summary      string             `json:"summary,omitempty"` // the document's words: untrusted
	Digests      compiled.Digests   `json:"digests"`
	Errors       []compiled.Error   `json:"errors"`
	Refusals     []RefusedMethod    `json:"refusals"`
}

// Inspect describes the contract, or the one method called name. It needs a
// compilation that did not fail; an unknown name yields no methods.
func (c *Compilation) Inspect(name string) Inspection {
	s := c.Sealed
	inspection := Inspection{
		Contract: s.ID, Title: s.Title, Version: s.Version, Document: s.Document, Digest: s.Digest,
		Default: s.DefaultURL, Methods: []InspectedMethod{}, Servers: []InspectedServer{}, Counts: map[string]int{},
	}
	for _, f := range c.Files {
		inspection.Files = append(inspection.Files, InspectedFile{f.Name, f.Digest})
	}
	for _, server := range c.Contract.Servers {
		inspection.Servers = append(inspection.Servers, InspectedServer{server.Name, server.URL})
	}
	for i, m := range s.Methods {
		inspection.Counts[string(m.Authority.State)]++
		if name == "" || name == m.Name || name == m.ID {
			inspection.Methods = append(inspection.Methods, c.inspected(i))
		}
	}
	return inspection
}

func (c *Compilation) inspected(i int) InspectedMethod {
	m, declared := c.Sealed.Methods[i], c.Contract.Methods[i]
	view := InspectedMethod{
		Name: m.Name, ID: m.ID, GoName: m.GoName, Notification: m.Notification, Authority: m.Authority,
		Structure: string(declared.Structure), Defaulted: declared.StructureDefault,
		Params: slices.Clip(append([]compiled.Param{}, m.Params...)),
		Errors: slices.Clip(append([]compiled.Error{}, m.Errors...)),
		Pin:    pin.Of(m.Digests), Text: pin.OfText(m.Digests), Summary: m.Summary, Digests: m.Digests, Refusals: []RefusedMethod{},
	}
	for _, d := range declared.Faults.Errors() {
		view.Refusals = append(view.Refusals, refusal(m.Name, d))
	}
	return view
}

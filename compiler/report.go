package compiler

import (
	"encoding/json"
	"slices"

	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/example"
)

// Report is what generate --report writes: per contract what compiled, what was
// refused and where, and how long each stage took. Everything but the times is
// the same for the same input.
type Report struct {
	Contracts []ContractReport `json:"contracts"`
}

// ContractReport is one contract of a Report.
type ContractReport struct {
	Contract     string             `json:"contract"`
	Methods      int                `json:"methods"`
	Compiled     int                `json:"compiled"`
	Refused      []RefusedMethod    `json:"refused"`
	TypeSites    int                `json:"type_sites"`
	RawJSONSites int                `json:"raw_json_sites"`
	RawJSON      []RawSite          `json:"raw_json"`
	Examples     []ExampleFinding   `json:"examples"`                 // examples and defaults that do not fit, all of them
	Unstated     []string           `json:"unstated_param_structure"` // methods whose params travel as the version of the document means, since neither it nor the amendment says
	Stages       map[string]float64 `json:"stages"`                   // seconds
}

// RefusedMethod is one reason why a method was not compiled. A method with
// several reasons has several rows.
type RefusedMethod struct {
	Method  string `json:"method"`
	Code    string `json:"code"`
	Pointer string `json:"pointer"`
	File    string `json:"file"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Message string `json:"message"`
}

// ExampleFinding is an example or a default of the document that does not fit
// its schema or its method.
type ExampleFinding struct {
	Code    string `json:"code"`
	Pointer string `json:"pointer"`
	File    string `json:"file"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Message string `json:"message"`
}

// RawSite is a place whose Go type is raw JSON, and why.
type RawSite struct {
	Schema string `json:"schema"` // id of the schema node
	Reason string `json:"reason"`
}

// JSON prints the report, indented, with a final newline.
func (r Report) JSON() ([]byte, error) {
	text, err := json.MarshalIndent(r, "", "  ")
	return append(text, '\n'), err
}

// Report summarises the compilation. A contract that failed as a whole counts
// no method as compiled and lists its errors without a method name.
func (c *Compilation) Report() ContractReport {
	report := ContractReport{
		Contract: c.Target.ID,
		Refused:  c.refusals(),
		RawJSON:  []RawSite{},
		Examples: c.exampleFindings(),
		Unstated: c.unstated(),
		Stages:   map[string]float64{},
	}
	if c.Contract != nil {
		report.Methods = len(c.Contract.Methods)
	}
	if c.Sealed != nil {
		report.Compiled = c.Compiled()
	}
	if c.Package != nil {
		report.TypeSites = c.Package.Sites.Types
		report.RawJSONSites = len(c.Package.Sites.Raw)
		for _, site := range c.Package.Sites.Raw {
			report.RawJSON = append(report.RawJSON, RawSite{Schema: site.Schema, Reason: string(site.Reason)})
		}
	}
	for _, stage := range c.Stages {
		report.Stages[stage.Name] += stage.Took.Seconds()
	}
	return report
}

// exampleFindings lists the examples and defaults that do not fit.
func (c *Compilation) exampleFindings() []ExampleFinding {
	rows := []ExampleFinding{}
	for _, d := range c.Diagnostics {
		if !example.Found(d.Code) {
			continue
		}
		row := ExampleFinding{Code: d.Code, Pointer: string(d.Pointer), Line: d.Position.Line, Column: d.Position.Column, Message: d.Message}
		if d.Position.File != nil {
			row.File = d.Position.File.Name
		}
		rows = append(rows, row)
	}
	return rows
}

// unstated lists the methods that rely on the default of paramStructure.
func (c *Compilation) unstated() []string {
	names := []string{}
	if c.Contract == nil {
		return names
	}
	for _, m := range c.Contract.Methods {
		if m.StructureDefault && len(m.Params) > 0 {
			names = append(names, m.Name)
		}
	}
	return names
}

// refusals lists why methods were refused, in document order, then what failed
// the contract as a whole.
func (c *Compilation) refusals() []RefusedMethod {
	rows := []RefusedMethod{}
	if c.Contract != nil {
		for _, m := range c.Contract.Methods {
			first := len(rows)
			for _, d := range m.Faults.Errors() {
				if row := refusal(m.Name, d); !slices.Contains(rows[first:], row) { // param and result may lead to one fault
					rows = append(rows, row)
				}
			}
		}
	}
	if c.Package != nil {
		for _, m := range c.Package.Unplanned {
			for _, d := range m.Diagnostics {
				rows = append(rows, refusal(m.Wire, d))
			}
		}
	}
	if c.Failed() {
		for _, d := range c.Diagnostics.Errors() {
			rows = append(rows, refusal("", d))
		}
	}
	return rows
}

func refusal(method string, d diag.Diagnostic) RefusedMethod {
	row := RefusedMethod{
		Method: method, Code: d.Code, Pointer: string(d.Pointer), Message: d.Message,
		Line: d.Position.Line, Column: d.Position.Column,
	}
	if d.Position.File != nil {
		row.File = d.Position.File.Name
	}
	return row
}

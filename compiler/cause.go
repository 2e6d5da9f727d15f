package compiler

import (
	"github.com/openrpc-go/rpcgen/compiler/internal/drift"
)

// Change is a reason why methods moved away from their entries, in lines for
// people, escaped.
type Change struct {
	Lines   []string        `json:"lines"`
	Methods []ChangedMethod `json:"methods"`
}

// ChangedMethod is a method that a Change reaches.
type ChangedMethod struct {
	Name string `json:"name"`
	Side string `json:"side"` // request, response, or both
	Now  string `json:"now,omitzero"`
}

// told turns a cause into lines.
func told(c *drift.Cause) Change {
	out := Change{}
	for _, p := range c.Parts {
		out.Lines = append(out.Lines, Escape(p.Title())+":")
		for _, change := range p.Changes {
			out.Lines = append(out.Lines, "  "+Escape(change.String()))
		}
	}
	for _, m := range c.Methods {
		method := ChangedMethod{Name: m.Method, Side: m.Side.String()}
		if m.Now != "" {
			method.Now = "params now: " + m.Now
		}
		out.Methods = append(out.Methods, method)
	}
	return out
}

// Changes says why entries of the compilation do not fit, by cause, as far as
// the shapes they were pinned to are known. lost names those whose shape is not.
func (p *Project) Changes(c *Compilation) (changes []Change, lost []string, err error) {
	old, err := p.readLock()
	if err != nil {
		return nil, nil, err
	}
	entries, err := p.recall(c, old)
	if err != nil {
		return nil, nil, err
	}
	for _, cause := range c.moved(entries) {
		changes = append(changes, told(cause))
	}
	_, lost = shapes(entries)
	return changes, lost, nil
}

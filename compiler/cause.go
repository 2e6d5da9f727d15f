package compiler

import (
	"fmt"
	"strings"

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

// alike is from how many places on the same change is told once.
const alike = 3

// told turns a cause into lines. What many parts say in the same words is said
// once, with the list of them.
func told(c *drift.Cause) Change {
	out := Change{}
	places := map[string][]string{}
	for _, p := range c.Parts {
		text := changed(p)
		places[text] = append(places[text], Escape(c.Title(p)))
	}
	for _, p := range c.Parts {
		text := changed(p)
		switch at := places[text]; {
		case len(at) >= alike:
			out.Lines = append(out.Lines, fmt.Sprintf("the same in %d places:", len(at)))
			out.Lines = append(out.Lines, strings.Split(text, "\n")...)
			for _, place := range at {
				out.Lines = append(out.Lines, "  in "+place)
			}
		case len(at) > 0:
			out.Lines = append(out.Lines, at[0]+":")
			out.Lines = append(out.Lines, strings.Split(text, "\n")...)
			places[text] = at[1:]
			continue
		}
		delete(places, text)
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

// changed is what a part says, line by line, escaped.
func changed(p *drift.Part) string {
	lines := make([]string, len(p.Changes))
	for i, change := range p.Changes {
		lines[i] = "  " + Escape(change.String())
	}
	return strings.Join(lines, "\n")
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

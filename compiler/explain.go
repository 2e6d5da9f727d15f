package compiler

import (
	"fmt"
	"slices"
	"time"

	"github.com/openrpc-go/rpcgen/compiler/internal/explain"
	"github.com/openrpc-go/rpcgen/runtime/compiled"
	"github.com/openrpc-go/rpcgen/runtime/effect"
)

// CodeText says what a code of a diagnostic means.
type CodeText struct {
	Code  string `json:"code"`
	Means string `json:"means"`
	Do    string `json:"do"`
}

// ExplainCode returns what a code means; false when nothing reports it.
func ExplainCode(code string) (CodeText, bool) {
	text, ok := explain.Code(code)
	return CodeText{code, text.Means, text.Do}, ok
}

// Explained says who may call a method, and why others may not.
type Explained struct {
	Contract string          `json:"contract"`
	Method   string          `json:"method"`
	Entry    string          `json:"entry,omitzero"` // where it stands, "file:line:column"
	State    compiled.State  `json:"state"`
	Go       Standing        `json:"go"`     // callers in Go
	Agents   Standing        `json:"agents"` // callers of tools
	Reasons  []RefusedMethod `json:"reasons,omitzero"`
	Next     string          `json:"next,omitzero"` // "" when nothing is left to do
}

// Standing is what a kind of caller may do.
type Standing struct {
	Open bool   `json:"open"`
	Why  string `json:"why"`
}

func closed(format string, args ...any) Standing { return Standing{Why: fmt.Sprintf(format, args...)} }

// Explain says why the method called name is open or closed as of now; false
// when the contract has none. It needs a compilation that did not fail.
func (c *Compilation) Explain(name string, now time.Time) (Explained, bool) {
	for i, m := range c.Sealed.Methods {
		if m.Name == name || m.ID == name {
			return c.explained(i, now), true
		}
	}
	return Explained{}, false
}

func (c *Compilation) explained(i int, now time.Time) Explained {
	m := c.Sealed.Methods[i]
	out := Explained{Contract: c.Target.ID, Method: m.Name, State: m.Authority.Standing()}
	if e := c.Joined.Entries[i]; e != nil {
		out.Entry = e.Position().String()
	}
	both := func(s Standing) { out.Go, out.Agents = s, s }
	switch m.Authority.State {
	case compiled.Open:
		c.open(&out, m, now)
	case compiled.Refused:
		both(closed("%s", c.refusal(i)))
	case compiled.Undecided:
		both(closed("nobody has decided about it: it has no entry"))
		out.Next = c.decide(m.Name)
	case compiled.Stale:
		both(closed("%s", m.Authority.Reason))
		out.Next = c.review(m.Name)
	case compiled.Uncompiled:
		both(closed("it could not be compiled"))
		for _, r := range c.refusals() {
			if r.Method == m.Name {
				out.Reasons = append(out.Reasons, r)
			}
		}
		out.Next = "mend the document, or correct it in the amendment under corrections, then " + c.Target.Command("generate")
	default:
		panic("no such state: " + string(m.Authority.State))
	}
	return out
}

func (c *Compilation) review(method string) string {
	return c.Target.Command("review", method)
}

// refusal says why nobody may call a method: the owner's reason, or what its
// entry lacks.
func (c *Compilation) refusal(i int) string {
	reason := c.Sealed.Methods[i].Authority.Reason
	if e := c.Joined.Entries[i]; e != nil && e.Refused == "" {
		return reason
	}
	return "the owner refused it: " + reason
}

// decide is how methods get their entries. Those that came after the worksheet
// are not listed in it, and nobody should have to write a pin.
func (c *Compilation) decide(methods ...string) string {
	if c.Target.Amendment == "" {
		return c.Target.Starting()
	}
	if !c.Target.commands.single && slices.ContainsFunc(methods, func(m string) bool { return !c.listed(m) }) {
		return fmt.Sprintf("%s, which adds what %s lacks", c.Target.Starting(), c.Target.Amendment)
	}
	return fmt.Sprintf("decide in %s, then %s", c.Target.Amendment, c.Target.Command("generate"))
}

func (c *Compilation) open(out *Explained, m *compiled.Method, now time.Time) {
	a := m.Authority
	if kind, is := due(a.Until, now, 0); is && kind == Expired {
		out.Go = closed("the last day of its review was %s", a.Until)
		out.Agents = out.Go
		out.Next = c.Target.commands.line("review", []string{c.Target.ID, m.Name}, "--until", "DAY")
		return
	}
	out.Go, out.Agents = decided(a.Effect, "code", a.Code), decided(a.Effect, "agents", a.Agents)
	if len(a.ClosedTo) > 0 {
		out.Agents = closed("its result has moved since the pin")
		out.Next = c.review(m.Name)
	}
}

// decided says what a decision of an entry means for its kind of caller.
func decided(e effect.Effect, member string, d effect.Decision) Standing {
	switch d {
	case effect.Allow:
		return Standing{true, fmt.Sprintf("a %s, called without asking", e)}
	case effect.Ask:
		return Standing{true, fmt.Sprintf("a %s, each call needs an approval", e)}
	case effect.Deny:
		return closed("its entry denies it: %s: deny, said or by default", member)
	default:
		return Standing{true, fmt.Sprintf("a %s, %s: %s", e, member, d)}
	}
}

package amendment

import (
	"fmt"
	"slices"
	"strings"

	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
	"github.com/openrpc-go/rpcgen/runtime/effect"
)

// law lists what may stand beside an effect. Whatever is not listed is a
// contradiction.
type law struct {
	rights   []effect.Right
	code     []effect.Decision
	agents   []effect.Decision
	rollback []effect.RollbackClass
	standing bool // agents: allow needs a standing reason; elsewhere one has no meaning
	allowIf  bool // agents may be allowed by a rule over the params
	changes  bool // there is something to read back, and a call may be repeated by mistake
}

// laws is the table of legal combinations; docs/amendment.md has it for people,
// and a test reads every cell of that table. A read changes nothing, so it needs
// no right to write and nothing to roll back; whatever changes something does.
// No reason makes it safe to let an agent destroy without a person.
var laws = map[effect.Effect]law{
	effect.Read: {
		rights:   []effect.Right{effect.RightRead, effect.RightExecute},
		code:     []effect.Decision{effect.Allow, effect.Ask, effect.Deny},
		agents:   []effect.Decision{effect.Allow, effect.Ask, effect.Deny},
		rollback: []effect.RollbackClass{effect.RollbackNotRequired},
		allowIf:  true,
	},
	effect.Write: {
		rights:   []effect.Right{effect.RightWrite, effect.RightExecute},
		code:     []effect.Decision{effect.Allow, effect.Ask, effect.Deny},
		agents:   []effect.Decision{effect.Allow, effect.Ask, effect.Deny},
		rollback: []effect.RollbackClass{effect.RollbackReversible, effect.RollbackIrreversible, effect.RollbackUnknown},
		standing: true,
		allowIf:  true,
		changes:  true,
	},
	effect.Destructive: {
		rights:   []effect.Right{effect.RightWrite, effect.RightExecute},
		code:     []effect.Decision{effect.Allow, effect.Ask, effect.Deny},
		agents:   []effect.Decision{effect.Ask, effect.Deny},
		rollback: []effect.RollbackClass{effect.RollbackReversible, effect.RollbackIrreversible, effect.RollbackUnknown},
		changes:  true,
	},
}

// contradictions holds what is stated against the table. What is not stated
// takes a default, and every default is legal. A grant without a valid effect
// has a fault of its own already.
func (g *grant) contradictions() diag.List {
	l, ok := laws[g.effect.value]
	if !ok {
		return nil
	}
	var faults diag.List
	add := func(d diag.Diagnostic, ok bool) {
		if !ok {
			faults = append(faults, d.WithRelated(g.effect.node, "the effect is stated here"))
		}
	}
	add(outside(g, "right", g.right, l.rights))
	add(outside(g, "code", g.code, l.code))
	add(outside(g, "agents", g.agents, l.agents))
	add(outside(g, "rollback.class", g.class, l.rollback))
	add(g.ruleLaw(l))
	add(g.standingLaw(l))
	add(g.undoLaw())
	return faults
}

// outside returns the contradiction of a stated value that is not in the list.
func outside[T ~string](g *grant, member string, v stated[T], legal []T) (diag.Diagnostic, bool) {
	if v.node == nil || v.value == "" || slices.Contains(legal, v.value) {
		return diag.Diagnostic{}, true
	}
	names := make([]string, len(legal))
	for i, l := range legal {
		names[i] = string(l)
	}
	return contradiction(v.node, "%s %q contradicts effect %q", member, v.value, g.effect.value).
		WithAdvice(fmt.Sprintf("legal for effect %q: %s", g.effect.value, strings.Join(names, ", "))), false
}

func (g *grant) ruleLaw(l law) (diag.Diagnostic, bool) {
	if g.rule == nil || l.allowIf {
		return diag.Diagnostic{}, true
	}
	return contradiction(g.rule, "allow_if contradicts effect %q: no rule stands for a person there", g.effect.value).
		WithAdvice("say agents: ask"), false
}

// contradictions holds the members that only an entry has against its effect.
func (e *Entry) contradictions(g *grant) diag.List {
	l, ok := laws[g.effect.value]
	if !ok || l.changes {
		return nil
	}
	var faults diag.List
	refuse := func(member string, n *source.Node) {
		d := contradiction(n, "%q contradicts effect %q, which changes nothing", member, g.effect.value)
		faults = append(faults, d.WithAdvice("remove it").WithRelated(g.effect.node, "the effect is stated here"))
	}
	if e.key != nil {
		refuse("idempotency", e.key.at)
	}
	if e.back != nil {
		refuse("read_back", e.back.node)
	}
	return faults
}

func (g *grant) standingLaw(l law) (diag.Diagnostic, bool) {
	needed := l.standing && g.agents.value == effect.Allow
	switch {
	case needed && g.standing.node == nil:
		return contradiction(g.agents.node, "agents %q on a %s needs a standing reason", effect.Allow, g.effect.value).
			WithAdvice(`add standing: "why no person has to be asked", or say agents: ask`), false
	case !needed && g.standing.node != nil:
		return contradiction(g.standing.node, "a standing reason has a meaning only beside agents: allow on a write").
			WithAdvice("remove it"), false
	}
	return diag.Diagnostic{}, true
}

func (g *grant) undoLaw() (diag.Diagnostic, bool) {
	if g.by.node == nil || g.class.value == "" || g.class.value == effect.RollbackReversible {
		return diag.Diagnostic{}, true
	}
	return contradiction(g.by.node, "rollback.by names an undo, but the class is %q", g.class.value).
		WithAdvice("say class: reversible, or remove by"), false
}

func contradiction(n *source.Node, format string, args ...any) diag.Diagnostic {
	return diag.At(n, Contradiction, format, args...)
}

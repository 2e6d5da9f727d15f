package amendment

import (
	"github.com/openrpc-go/rpcgen/compiler/internal/contract"
	"github.com/openrpc-go/rpcgen/compiler/internal/fields"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
	"github.com/openrpc-go/rpcgen/runtime/compiled"
	"github.com/openrpc-go/rpcgen/runtime/effect"
)

// stated is a value with the place where the author stated it; node is nil
// when nobody did.
type stated[T any] struct {
	value T
	node  *source.Node
}

// or returns v, or base when v is not stated.
func (v stated[T]) or(base stated[T]) stated[T] {
	if v.node != nil {
		return v
	}
	return base
}

// grant is what profiles and entries say alike.
type grant struct {
	effect     stated[effect.Effect]
	right      stated[effect.Right]
	code       stated[effect.Decision]
	agents     stated[effect.Decision]
	rule       *source.Node // allow_if, part of agents
	standing   stated[string]
	sends      stated[effect.Label]
	returns    stated[effect.Label]
	class      stated[effect.RollbackClass]
	by         stated[string]
	idempotent stated[bool]
	openWorld  stated[bool]
	results    stated[string]
	notify     stated[string]
	budget     stated[*compiled.Budget]
	limits     stated[*compiled.Limits]
	structure  stated[contract.ParamStructure]
	params     stated[string]
	reason     stated[string]
	note       stated[string]
}

// grantMembers are the names that readGrant answers for.
var grantMembers = []string{
	"effect", "right", "code", "agents", "standing", "flow", "rollback",
	"idempotent", "open_world", "budget", "limits", "results", "notification",
	"param_structure", "params", "reason", "note",
}

func readGrant(r *fields.Reader, o fields.Object) *grant {
	agents, rule := readAgents(r, o)
	g := &grant{
		effect:     enum(o, "effect", effect.Read, effect.Write, effect.Destructive),
		right:      enum(o, "right", effect.RightRead, effect.RightWrite, effect.RightExecute),
		code:       enum(o, "code", effect.Allow, effect.Ask, effect.Deny),
		agents:     agents,
		rule:       rule,
		standing:   text(o, "standing"),
		idempotent: truth(o, "idempotent"),
		openWorld:  truth(o, "open_world"),
		results:    enum(o, "results", "refuse", "report"),
		notify:     enum(o, "notification", "allow"),
		budget:     readBudget(r, o.Get("budget")),
		limits:     readLimits(r, o.Get("limits")),
		structure:  enum(o, "param_structure", contract.ByName, contract.ByPosition, contract.Either),
		params:     enum(o, "params", "omit", "empty"),
		reason:     text(o, "reason"),
		note:       text(o, "note"),
	}
	g.readFlow(r, o.Get("flow"))
	g.readRollback(r, o.Get("rollback"))
	return g
}

func (g *grant) readFlow(r *fields.Reader, n *source.Node) {
	flow := r.Object(n, `"flow"`, "sends", "returns")
	labels := []effect.Label{effect.Public, effect.Internal, effect.Confidential, effect.Secret}
	g.sends = enum(flow, "sends", labels...)
	g.returns = enum(flow, "returns", labels...)
}

func (g *grant) readRollback(r *fields.Reader, n *source.Node) {
	rollback := r.Object(n, `"rollback"`, "class", "by")
	rollback.Require("class")
	g.class = enum(rollback, "class", effect.RollbackNotRequired, effect.RollbackReversible,
		effect.RollbackIrreversible, effect.RollbackUnknown)
	g.by = text(rollback, "by")
}

// over returns g with what it does not state taken from base. Members that
// mean something only together are taken together: a reason to let agents
// write belongs to the agents member it was given for, and by to its class.
func (g *grant) over(base *grant) *grant {
	m := &grant{
		effect:     g.effect.or(base.effect),
		right:      g.right.or(base.right),
		code:       g.code.or(base.code),
		agents:     g.agents.or(base.agents),
		standing:   g.standing.or(base.standing),
		sends:      g.sends.or(base.sends),
		returns:    g.returns.or(base.returns),
		class:      g.class.or(base.class),
		by:         g.by.or(base.by),
		idempotent: g.idempotent.or(base.idempotent),
		openWorld:  g.openWorld.or(base.openWorld),
		results:    g.results.or(base.results),
		notify:     g.notify.or(base.notify),
		budget:     g.budget.or(base.budget),
		limits:     g.limits.or(base.limits),
		structure:  g.structure.or(base.structure),
		params:     g.params.or(base.params),
		reason:     g.reason.or(base.reason),
		note:       g.note.or(base.note),
	}
	m.rule = base.rule
	if g.agents.node != nil {
		m.standing, m.rule = g.standing, g.rule
	}
	if g.class.node != nil {
		m.by = g.by
	}
	return m
}

// authority returns the grant with every default of DESIGN section 6 filled
// in. The grant must be legal.
func (g *grant) authority() compiled.Authority {
	d := defaults[g.effect.value]
	return compiled.Authority{
		State:  compiled.Open,
		Effect: g.effect.value,
		Right:  g.right.otherwise(d.right),
		Code:   g.code.otherwise(d.code),
		Agents: g.agents.otherwise(d.agents),
		Flow: effect.Flow{
			Sends:   g.sends.otherwise(effect.Confidential),
			Returns: g.returns.otherwise(effect.Confidential),
		},
		Rollback:   effect.Rollback{Class: g.class.otherwise(d.rollback), By: g.by.value},
		Idempotent: g.idempotent.otherwise(false),
		Closed:     !g.openWorld.otherwise(true),
		Report:     g.results.value == "report",
		Notify:     g.notify.value == "allow",
		Reason:     g.reason.value,
		Terms:      compiled.Terms{Budget: g.budget.value, Limits: g.limits.value},
	}
}

// otherwise returns the stated value, or def when nobody stated one.
func (v stated[T]) otherwise(def T) T {
	if v.node != nil {
		return v.value
	}
	return def
}

// defaults are what a member is taken for when it is absent; each is the
// strictest that still lets the effect be used as most people use it.
var defaults = map[effect.Effect]struct {
	right        effect.Right
	code, agents effect.Decision
	rollback     effect.RollbackClass
}{
	effect.Read:        {effect.RightRead, effect.Allow, effect.Allow, effect.RollbackNotRequired},
	effect.Write:       {effect.RightWrite, effect.Allow, effect.Ask, effect.RollbackUnknown},
	effect.Destructive: {effect.RightWrite, effect.Deny, effect.Deny, effect.RollbackUnknown},
}

func enum[T ~string](o fields.Object, name string, values ...T) stated[T] {
	return stated[T]{fields.Enum(o, name, values...), o.Get(name)}
}

func text(o fields.Object, name string) stated[string] {
	return stated[string]{o.Text(name), o.Get(name)}
}

func truth(o fields.Object, name string) stated[bool] {
	value, _ := o.Bool(name)
	return stated[bool]{value, o.Get(name)}
}

package amendment

import (
	"slices"

	"github.com/openrpc-go/rpcgen/compiler/internal/fields"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
	"github.com/openrpc-go/rpcgen/runtime/effect"
)

// profile is a grant with a name, for entries to use.
type profile struct {
	grant
	broken bool // it has faults of its own; entries that use it are not judged
}

func (r *reader) readProfiles(n *source.Node) map[string]*profile {
	o := r.Map(n, `"profiles"`)
	if o.Node == nil {
		return nil
	}
	profiles := make(map[string]*profile, len(o.Node.Members))
	for _, m := range o.Node.Members {
		before := len(r.Faults)
		if !fields.IsID(m.Name) {
			r.ReportName(m, BadName, "profile %q has no usable name", m.Name).Advice = fields.IDAdvice
		}
		p := &profile{grant: *r.readProfile(m)}
		p.broken = len(r.Faults) > before
		profiles[m.Name] = p
	}
	return profiles
}

// readProfile reads a profile, which is complete: it is judged as an entry is.
func (r *reader) readProfile(m source.Member) *grant {
	known := grantMembers
	if r.refuseChain(m.Value) {
		known = append(slices.Clip(known), "use") // reported already
	}
	o := r.Object(m.Value, "a profile", known...)
	g := readGrant(&r.Reader, o)
	o.Require("effect")
	if g.effect.value == effect.Destructive {
		r.Report(g.effect.node, Contradiction, "profile %q is destructive, which only a full entry may be", m.Name).
			Advice = "write effect: destructive in the entry of each method, without a profile"
	}
	r.Faults.Add(g.contradictions()...)
	return g
}

func (r *reader) refuseChain(n *source.Node) bool {
	use := n.Get("use")
	if use == nil {
		return false
	}
	r.Report(use, Contradiction, "a profile cannot use another profile").
		Advice = "write out the members: a profile says everything in one place"
	return true
}

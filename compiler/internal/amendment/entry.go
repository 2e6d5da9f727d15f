package amendment

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/fields"
	"github.com/openrpc-go/rpcgen/compiler/internal/pin"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
	"github.com/openrpc-go/rpcgen/runtime/effect"
)

var entryMembers = slices.Concat([]string{"use", "pin", "refused", "review"}, grantMembers, ownMembers)

// besideRefused are the members that still mean something on a refused method.
var besideRefused = []string{"refused", "pin", "review", "note"}

func (r *reader) readEntries(n *source.Node) []*Entry {
	o := r.Map(n, `"methods"`)
	if o.Node == nil {
		return nil
	}
	entries := make([]*Entry, 0, len(o.Node.Members))
	for _, m := range o.Node.Members {
		if strings.TrimSpace(m.Name) == "" {
			r.ReportName(m, BadName, "an entry has no method name")
		}
		entries = append(entries, r.readEntry(m))
	}
	return entries
}

func (r *reader) readEntry(m source.Member) *Entry {
	o := r.Object(m.Value, fmt.Sprintf("the entry of %q", m.Name), entryMembers...)
	e := &Entry{Method: m.Name, Node: m.Value, name: m.Offset}
	e.Review = r.readReview(o.Get("review")).over(r.review)
	r.readPin(e, o)
	if o.Has("refused") {
		r.readRefusal(e, o)
	} else if o.Node != nil {
		r.readGranted(e, o, m)
	}
	return e
}

func (r *reader) readPin(e *Entry, o fields.Object) {
	s := o.Text("pin")
	if s == "" {
		return
	}
	p, err := pin.Parse(s)
	if err != nil {
		d := r.Report(o.Get("pin"), BadPin, "%s", err)
		d.Advice, d.Run = "copy it whole from the worksheet, or remove it", []string{"review"}
		if r.contract != "" {
			d.Run = append(d.Run, r.contract, e.Method)
		}
		return
	}
	e.Pin, e.Pinned = p, true
}

// readRefusal reads an entry that closes its method for good.
func (r *reader) readRefusal(e *Entry, o fields.Object) {
	e.Note = o.Text("note")
	if n := o.Get("refused"); n.Kind == source.String {
		e.Refused = o.Text("refused")
	} else {
		r.Report(n, fields.WrongType, `"refused" must be the reason, as a text`).
			Advice = `say why: refused: "never from here"`
	}
	for _, m := range o.Node.Members {
		if slices.Contains(entryMembers, m.Name) && !slices.Contains(besideRefused, m.Name) {
			d := diag.AtName(m, Contradiction, "%q cannot stand beside \"refused\"", m.Name)
			r.Faults.Add(d.WithAdvice("a refused method is not classified: remove one of the two").
				WithRelated(o.Get("refused"), "refused here"))
		}
	}
}

// readGranted reads an entry that classifies its method.
func (r *reader) readGranted(e *Entry, o fields.Object, m source.Member) {
	e.Use = o.Text("use")
	g := readGrant(&r.Reader, o)
	own := g.rule
	g, sound := r.withProfile(g, o, m)
	e.Granted = g.authority()
	e.Granted.Until = e.Review.Until
	e.Standing, e.Note = g.standing.value, g.note.value
	e.rule, e.ruleShared = g.rule, g.rule != own
	e.structure, e.noParams = g.structure, g.params
	r.readOwn(e, o)
	if sound {
		r.Faults.Add(g.contradictions()...)
		r.Faults.Add(e.contradictions(g)...)
	}
	if g.by.node != nil && g.by.value == m.Name {
		r.Report(g.by.node, Contradiction, "%q cannot be its own undo", m.Name)
	}
}

// withProfile lays the entry over its profile. The result is sound when it can
// be judged: the entry has an effect and its profile no faults of its own.
func (r *reader) withProfile(g *grant, o fields.Object, m source.Member) (_ *grant, sound bool) {
	if !o.Has("use") {
		if !o.Has("effect") {
			r.ReportName(m, fields.MissingKey, "the entry of %q says no effect", m.Name).
				Advice = `add use: with a profile, effect: read, write or destructive, or refused: "why"`
		}
		return g, true
	}
	if g.effect.node != nil {
		r.refuseEffect(g, o)
		return g, false
	}
	p := r.findProfile(o)
	if p == nil {
		return g, false
	}
	return g.over(&p.grant), !p.broken
}

// refuseEffect refuses an effect beside use: who reads "use: lookup" must be
// able to trust that the method is what the profile says.
func (r *reader) refuseEffect(g *grant, o fields.Object) {
	d := contradiction(g.effect.node, `"effect" cannot stand beside "use": the profile says the effect`)
	if g.effect.value == effect.Destructive {
		d.Message = "a destructive method is always a full entry, without a profile"
	}
	r.Faults.Add(d.WithAdvice("remove use and write the entry out, or use a profile of that effect").
		WithRelated(o.Get("use"), "the profile is used here"))
}

func (r *reader) findProfile(o fields.Object) *profile {
	name := o.Text("use")
	if name == "" {
		return nil
	}
	if p := r.profiles[name]; p != nil {
		return p
	}
	known := slices.Sorted(maps.Keys(r.profiles))
	d := r.Report(o.Get("use"), UnknownProfile, "there is no profile %q", name)
	switch near := diag.Nearest(name, known); {
	case near != "":
		d.Advice = fmt.Sprintf("did you mean %q?", near)
	case len(known) > 0:
		d.Advice = "profiles of this file: " + strings.Join(known, ", ")
	default:
		d.Advice = "this file has no profiles: write effect: read, write or destructive"
	}
	return nil
}

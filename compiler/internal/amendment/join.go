package amendment

import (
	"fmt"

	"github.com/openrpc-go/rpcgen/compiler/internal/contract"
	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/pin"
	"github.com/openrpc-go/rpcgen/compiler/schema"
	"github.com/openrpc-go/rpcgen/runtime/compiled"
	"github.com/openrpc-go/rpcgen/runtime/effect"
	rt "github.com/openrpc-go/rpcgen/runtime/schema"
)

// Agent is the kind of caller that loses a method when only its result moved.
const Agent = "agent"

// Joined is what the amendment makes of each method of a contract.
type Joined struct {
	// Contract is the contract with the entries' words on how params travel
	// and on logical ids; its methods are those that were joined.
	Contract    *contract.Contract
	Authorities []compiled.Authority // index-aligned with the contract's methods
	Entries     []*Entry             // index-aligned; nil where the method has none
	Orphans     []*Entry             // entries for no method, in file order
	GoNames     []string             // index-aligned: go_name, "" where none is stated; nil as NoParams
	NoParams    []string             // index-aligned: "omit", "empty", or ""; nil when nothing was joined
	Exact       map[*rt.Node]bool    // numbers that stay exact decimals in Go
	Counts      Counts
}

// Join holds the amendment against the contract, the graph of its schemas and
// today's digests, which are index-aligned with its methods. No amendment (nil) decides nothing: every
// method is undecided. Stale, orphaned and moved entries are warnings; whoever
// gates on them looks at the states. An error means that the file is for
// another contract or says something about a method, as it was reviewed, that
// is not so; nothing of the file may be used then.
func Join(c *contract.Contract, g *schema.Graph, digests []compiled.Digests, a *File) (*Joined, diag.List) {
	if len(digests) != len(c.Methods) {
		panic(fmt.Sprintf("amendment: %d digests for %d methods", len(digests), len(c.Methods)))
	}
	j := &joiner{contract: c, graph: g, digests: digests, objects: map[*contract.Method]*rt.Node{}, joined: &Joined{
		Authorities: make([]compiled.Authority, len(c.Methods)),
		Entries:     make([]*Entry, len(c.Methods)),
		Exact:       map[*rt.Node]bool{},
	}}
	if a != nil && a.Contract != c.ID {
		d := diag.At(a.contract, OtherContract, "the amendment is for contract %q, this is contract %q", a.Contract, c.ID)
		j.faults.Add(d.WithAdvice("name the right amendment in rpcgen.yaml, or correct the contract member"))
		a = nil
	}
	j.run(a)
	j.faults.Sort()
	return j.joined, j.faults
}

type joiner struct {
	contract *contract.Contract
	graph    *schema.Graph
	digests  []compiled.Digests
	joined   *Joined
	index    map[string]int                // wire name -> place in the contract
	entries  map[string]*Entry             // by wire name, orphans included
	objects  map[*contract.Method]*rt.Node // params that were asked for
	faults   diag.List
}

func (j *joiner) run(a *File) {
	j.index = make(map[string]int, len(j.contract.Methods))
	for i, m := range j.contract.Methods {
		j.index[m.Name] = i
	}
	if a != nil {
		j.match(a.Entries)
	}
	j.contract = j.reshape()
	j.joined.Contract = j.contract
	for i, m := range j.contract.Methods {
		authority := j.authority(m, j.joined.Entries[i], i)
		j.joined.Authorities[i] = authority
		j.joined.Counts.add(authority)
	}
}

// match gives each entry to its method. An entry for a method that the config
// leaves out waits for it: it is no orphan.
func (j *joiner) match(entries []*Entry) {
	j.entries = make(map[string]*Entry, len(entries))
	for _, e := range entries {
		j.entries[e.Method] = e
		if i, ok := j.index[e.Method]; ok {
			j.joined.Entries[i] = e
			continue
		}
		if j.contract.LeftOut[e.Method] {
			continue
		}
		j.joined.Orphans = append(j.joined.Orphans, e)
		j.warn(e, OrphanEntry, j.adviceFor(e), "contract %q has no method %q", j.contract.ID, e.Method)
	}
}

// suggestions is how many orphans are held against every name of the contract.
// A file with more was not misspelled, it is for another document.
const suggestions = 20

func (j *joiner) adviceFor(orphan *Entry) string {
	if len(j.joined.Orphans) <= suggestions {
		if near := j.nearMethod(orphan.Method); near != "" {
			return near
		}
	}
	return "remove the entry, or correct its name"
}

func (j *joiner) authority(m *contract.Method, e *Entry, i int) compiled.Authority {
	switch {
	case m.Faults.HasErrors():
		return j.uncompiled(e)
	case e == nil:
		return compiled.Authority{State: compiled.Undecided}
	case e.Refused != "":
		return compiled.Authority{State: compiled.Refused, Reason: e.Refused}
	case !e.Pinned:
		j.review(m, e, MissingPin, "the entry of %q has no pin, so it opens nothing", m.Name)
		return stale("the entry has no pin")
	}
	return j.pinned(m, e, pin.Pin{Wire: j.digests[i].Wire, Result: j.digests[i].Result})
}

func (j *joiner) uncompiled(e *Entry) compiled.Authority {
	if e != nil && e.Refused == "" {
		j.warn(e, UncompiledEntry, "", "%q could not be compiled, so its entry opens nothing", e.Method).Run = []string{"explain", e.Method}
	}
	return compiled.Authority{State: compiled.Uncompiled}
}

// pinned decides by digest alone. A moved request closes the method; a moved
// result closes it to agents, who have no compiler to tell them.
func (j *joiner) pinned(m *contract.Method, e *Entry, today pin.Pin) compiled.Authority {
	if e.Pin.Wire != today.Wire {
		j.review(m, e, StaleEntry, "%q is called in another way than when it was reviewed, so it is closed", m.Name)
		return stale("the contract has moved since the review")
	}
	authority := e.Granted
	if e.Pin.Result != today.Result {
		j.review(m, e, ResultMoved, "%q answers with another result than when it was reviewed, so it is closed to agents", m.Name)
		authority.ClosedTo = []string{Agent}
	}
	if j.notification(m, e) {
		return compiled.Authority{State: compiled.Refused, Reason: "it is a notification, and its entry does not say notification: allow"}
	}
	j.undo(e, &authority)
	b := &binder{joiner: j, entry: e, method: m, fits: e.Pin.Result == today.Result}
	b.terms(&authority)
	return authority
}

// notification says where an entry and a notification do not fit, and whether
// that closes the method.
func (j *joiner) notification(m *contract.Method, e *Entry) (closed bool) {
	switch {
	case m.Notification() && !e.Granted.Notify:
		closed = true
		j.warn(e, ClosedNotification, "add notification: allow, if a call that nobody answers is wanted",
			"%q is a notification, so its entry alone does not open it", m.Name)
	case !m.Notification() && e.Granted.Notify:
		j.warn(e, NoNotification, "remove notification: allow", "%q is answered, so it is no notification", m.Name)
	}
	return closed
}

// undo drops an undo that the contract no longer has: what cannot be undone by
// the named method is not known to be reversible.
func (j *joiner) undo(e *Entry, authority *compiled.Authority) {
	by := authority.Rollback.By
	if by == "" {
		return
	}
	if _, ok := j.index[by]; ok {
		return
	}
	j.warn(e, UnknownRollback, "name a method of the contract, or leave by out",
		"rollback of %q names %q, which contract %q does not have; its class is taken for unknown", e.Method, by, j.contract.ID)
	authority.Rollback = effect.Rollback{Class: effect.RollbackUnknown}
}

func stale(why string) compiled.Authority {
	return compiled.Authority{State: compiled.Stale, Reason: why}
}

// review warns of what a look at the method and a new pin mend.
func (j *joiner) review(m *contract.Method, e *Entry, code, format string, args ...any) {
	j.warn(e, code, "", format, args...).Run = []string{"review", j.contract.ID, m.Name}
}

// warn adds a warning at the name of an entry and returns it.
func (j *joiner) warn(e *Entry, code, advice, format string, args ...any) *diag.Diagnostic {
	d := diag.Warn(e.Node, code, format, args...).WithAdvice(advice)
	d.Position = e.Position()
	j.faults.Add(d)
	return &j.faults[len(j.faults)-1]
}

package compiler

import (
	"fmt"
	"slices"
	"time"

	"github.com/openrpc-go/rpcgen/compiler/internal/amendment"
	"github.com/openrpc-go/rpcgen/compiler/internal/pin"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
	"github.com/openrpc-go/rpcgen/runtime/compiled"
	"github.com/openrpc-go/rpcgen/runtime/effect"
)

// ReviewKind says what a question is about.
type ReviewKind string

const (
	Moved    ReviewKind = "moved"    // the contract moved away from pins
	Unpinned ReviewKind = "unpinned" // entries without a pin
	Words    ReviewKind = "words"    // texts that were acknowledged have changed
	Orphan   ReviewKind = "orphan"   // an entry for no method
	Expired  ReviewKind = "expired"  // reviews whose last day is over
	Expiring ReviewKind = "expiring" // reviews that end soon
	Server   ReviewKind = "server"   // the document moved the default server
)

// Review is what a person has to look at in one contract, question by question.
type Review struct {
	Contract  string     `json:"contract"`
	Document  string     `json:"document"`
	Amendment string     `json:"amendment"`
	Questions []Question `json:"questions"`
	Undecided []string   `json:"undecided"` // methods without an entry

	compilation *Compilation
}

// Question is one reason to look at entries. Confirming it concerns all of its
// methods. Lines are escaped; names are not.
type Question struct {
	Kind    ReviewKind       `json:"kind"`
	Lines   []string         `json:"lines"`
	Methods []ReviewedMethod `json:"methods"`
	Server  string           `json:"server,omitzero"` // the new one
	place   *source.Node     // of the date, for the two kinds about dates
}

// ReviewedMethod is an entry as a question shows it.
type ReviewedMethod struct {
	Name    string             `json:"name"`
	Granted compiled.Authority `json:"granted"` // what the entry gives when its pin fits
	Pin     string             `json:"pin"`     // today's; "" for an orphan
	Text    string             `json:"text,omitzero"`
	Side    string             `json:"side,omitzero"`
	Detail  string             `json:"detail,omitzero"`
}

// Destructive reports whether confirming must be done by name.
func (m ReviewedMethod) Destructive() bool { return m.Granted.Effect == effect.Destructive }

// Gates reports whether something is left that closes methods or that check
// fails on.
func (r *Review) Gates() bool {
	return slices.ContainsFunc(r.Questions, func(q Question) bool { return q.Kind != Words && q.Kind != Expiring })
}

// Review lists what is to be looked at; names keep the questions that concern
// at least one of these methods. It needs a compilation that did not fail.
func (p *Project) Review(c *Compilation, names []string, now time.Time, within time.Duration) (*Review, error) {
	r := &Review{Contract: c.Target.ID, Document: c.Target.Document, Amendment: c.Target.Amendment, Questions: []Question{}, Undecided: []string{}, compilation: c}
	if err := c.known(names); err != nil {
		return nil, err
	}
	old, err := p.readLock()
	if err != nil {
		return nil, err
	}
	entries, err := p.recall(c, old)
	if err != nil {
		return nil, err
	}
	r.server()
	r.moved(entries)
	r.unpinned()
	r.words()
	r.orphans(entries)
	r.dates(now, within)
	for i, m := range c.Sealed.Methods {
		if c.Joined.Entries[i] == nil && m.Authority.State == compiled.Undecided {
			r.Undecided = append(r.Undecided, m.Name)
		}
	}
	r.keep(names)
	return r, nil
}

// known refuses names that are neither methods nor entries.
func (c *Compilation) known(names []string) error {
	for _, name := range names {
		if c.index(name) < 0 && !slices.ContainsFunc(c.Joined.Orphans, func(e *amendment.Entry) bool { return e.Method == name }) {
			return fmt.Errorf("contract %q has neither a method nor an entry %q; to list the methods: %s", c.Target.ID, name, c.Target.Command("inspect"))
		}
	}
	return nil
}

// index returns the place of a method; -1 for none.
func (c *Compilation) index(name string) int {
	return slices.IndexFunc(c.Sealed.Methods, func(m *compiled.Method) bool { return m.Name == name })
}

// keep leaves the questions that concern one of the named methods, and in them
// those methods alone: another one may have a question that is not shown. A
// date holds for whom it holds.
func (r *Review) keep(names []string) {
	if len(names) == 0 {
		return
	}
	others := func(m ReviewedMethod) bool { return !slices.Contains(names, m.Name) }
	kept := []Question{}
	for _, q := range r.Questions {
		named := slices.DeleteFunc(slices.Clone(q.Methods), others)
		if len(named) == 0 {
			continue
		}
		if n := len(q.Methods) - len(named); n > 0 && q.place == nil {
			q.Lines = append(q.Lines, fmt.Sprintf("and other methods that are not asked about here: %d", n))
			q.Methods = named
		}
		kept = append(kept, q)
	}
	r.Questions = kept
	r.Undecided = slices.DeleteFunc(r.Undecided, func(n string) bool { return !slices.Contains(names, n) })
}

// server asks about a default server that is not the one that was taken.
func (r *Review) server() {
	b := r.compilation.Server
	if !b.Moved {
		return
	}
	q := Question{Kind: Server, Server: b.Advertised, Methods: []ReviewedMethod{}}
	switch {
	case b.Advertised == "":
		q.Lines = []string{
			"the document no longer names a server on the host that it came from; it was " + Escape(b.Held),
			"Nothing is bound. Write server: with the right one in " + ConfigName,
		}
	default:
		q.Lines = []string{
			fmt.Sprintf("the document moved its server: %s -> %s", Escape(or(b.Held, "none")), Escape(b.Advertised)),
			"Nothing is bound until that is confirmed, which names it in " + ConfigName,
		}
	}
	r.ask(q)
}

func or(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// method describes the entry of the method at i.
func (r *Review) method(i int) ReviewedMethod {
	c := r.compilation
	return ReviewedMethod{
		Name: c.Sealed.Methods[i].Name, Granted: c.Joined.Entries[i].Granted, Pin: pin.Of(c.Digests[i]),
	}
}

func (r *Review) ask(q Question) { r.Questions = append(r.Questions, q) }

// moved asks once per cause, and once for all entries of which nobody knows
// the shape they were pinned to.
func (r *Review) moved(entries []*pinned) {
	c := r.compilation
	for _, cause := range c.moved(entries) {
		change := told(cause)
		q := Question{Kind: Moved, Lines: change.Lines}
		for _, m := range change.Methods {
			method := r.method(c.index(m.Name))
			method.Side, method.Detail = m.Side, m.Now
			q.Methods = append(q.Methods, method)
		}
		q.Lines = append(q.Lines, c.otherWords(entries, q.Methods)...)
		r.ask(q)
	}
	lost := Question{Kind: Moved, Lines: []string{
		"what changed is not known: neither the lock nor the last package holds the shape that these were pinned to.",
		"Look at each as if it were new: " + c.Target.Command("inspect", "METHOD"),
	}}
	for _, e := range entries {
		if e.was == nil && e.index >= 0 && !e.uncompiled {
			method := r.method(e.index)
			method.Side = moved(e.entry.Pin, c.Digests[e.index])
			lost.Methods = append(lost.Methods, method)
		}
	}
	if len(lost.Methods) > 0 {
		r.ask(lost)
	}
}

// moved says which parts of a pin differ from today's digests.
func moved(p pin.Pin, today compiled.Digests) string {
	switch {
	case p.Wire == today.Wire:
		return "response"
	case p.Result == today.Result:
		return "request"
	default:
		return "request and response"
	}
}

// otherWords tells the summaries that changed with the shapes.
func (c *Compilation) otherWords(entries []*pinned, methods []ReviewedMethod) []string {
	var lines []string
	for _, e := range entries {
		if !e.comparable() {
			continue
		}
		now := c.Sealed.Methods[e.index]
		concerned := slices.ContainsFunc(methods, func(m ReviewedMethod) bool { return m.Name == now.Name })
		if !concerned || e.was.Digests.Text == now.Digests.Text {
			continue
		}
		if e.was.Summary == now.Summary {
			lines = append(lines, fmt.Sprintf("words of %s changed below its summary", Escape(now.Name)))
			continue
		}
		lines = append(lines, fmt.Sprintf("summary of %s:", Escape(now.Name)),
			"  - "+Escape(or(e.was.Summary, "(none)")), "  + "+Escape(or(now.Summary, "(none)")))
	}
	return lines
}

func (r *Review) unpinned() {
	c := r.compilation
	q := Question{Kind: Unpinned, Lines: []string{"no pin says which shape of these methods was looked at"}}
	for i, e := range c.Joined.Entries {
		if e != nil && !e.Pinned && e.Refused == "" && c.Sealed.Methods[i].Authority.State != compiled.Uncompiled {
			q.Methods = append(q.Methods, r.method(i))
		}
	}
	if len(q.Methods) > 0 {
		r.ask(q)
	}
}

// words asks about texts that were acknowledged by their digest.
func (r *Review) words() {
	c := r.compilation
	for i, e := range c.Joined.Entries {
		if e == nil || e.Refused != "" {
			continue
		}
		stated := e.Node.Get("text")
		if stated == nil || stated.Text == pin.OfText(c.Digests[i]) {
			continue
		}
		method := r.method(i)
		method.Text = pin.OfText(c.Digests[i])
		declared := c.Contract.Methods[i]
		r.ask(Question{Kind: Words, Methods: []ReviewedMethod{method}, Lines: []string{
			"the document's words are not those that were read. The summary and the description are now:",
			"  " + Escape(declared.Summary), "  " + Escape(declared.Description),
		}})
	}
}

func (r *Review) orphans(entries []*pinned) {
	for _, e := range r.compilation.Joined.Orphans {
		lines := []string{"no such method is in the contract"}
		if i := slices.IndexFunc(entries, func(p *pinned) bool { return p.entry == e }); i >= 0 && entries[i].was != nil {
			lines = append(lines, "it was: "+Escape(entries[i].was.Summary))
		}
		r.ask(Question{Kind: Orphan, Lines: lines, Methods: []ReviewedMethod{{Name: e.Method, Granted: e.Granted}}})
	}
}

// dates asks once per date that is over, or will soon be.
func (r *Review) dates(now time.Time, within time.Duration) {
	c := r.compilation
	if c.Amendment == nil {
		return
	}
	places := map[*source.Node]int{}
	for i, e := range c.Joined.Entries {
		if e == nil || e.Review.Until == "" || e.Refused != "" {
			continue
		}
		kind, due := due(e.Review.Until, now, within)
		if !due {
			continue
		}
		place := e.Node.Get("review").Get("until")
		if place == nil {
			place = c.Amendment.Source.Root.Get("review").Get("until")
		}
		at, ok := places[place]
		if !ok {
			at = len(r.Questions)
			places[place] = at
			r.ask(Question{Kind: kind, place: place, Lines: []string{
				fmt.Sprintf("the last day of the review is %s (line %d of the amendment)", e.Review.Until, place.Position().Line),
			}})
		}
		r.Questions[at].Methods = append(r.Questions[at].Methods, r.method(i))
	}
}

// due judges the last day of a review.
func due(until string, now time.Time, within time.Duration) (ReviewKind, bool) {
	last, err := time.Parse(time.DateOnly, until)
	if err != nil {
		return "", false // the amendment's reader made sure
	}
	end := last.AddDate(0, 0, 1)
	switch {
	case !now.Before(end):
		return Expired, true
	case end.Sub(now) <= within:
		return Expiring, true
	default:
		return "", false
	}
}

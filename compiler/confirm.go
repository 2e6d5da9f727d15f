package compiler

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/openrpc-go/rpcgen/compiler/internal/amendment"
	"github.com/openrpc-go/rpcgen/compiler/internal/correct"
	"github.com/openrpc-go/rpcgen/compiler/internal/pin"
	"github.com/openrpc-go/rpcgen/compiler/internal/revise"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
	"github.com/openrpc-go/rpcgen/runtime/compiled"
)

// Confirmation is what a person looked at and confirmed: names, and the exact
// digests that were shown.
type Confirmation struct {
	Pins   map[string]string // method -> today's pin
	Texts  map[string]string // method -> today's digest of its words
	Remove []string          // entries for no method
	Renew  []string          // methods whose review holds until Until
	Until  string            // a day, "2027-05-31"
	By     string            // who decided; "" leaves it as it is
	Today  string            // the day of the review
	Server string            // the server that the document names now
}

// Empty reports whether nothing was confirmed.
func (c Confirmation) Empty() bool {
	return len(c.Pins)+len(c.Texts)+len(c.Remove)+len(c.Renew) == 0 && c.Server == ""
}

// Confirm writes what was confirmed into the amendment: the values of pins,
// dates and texts, and the lines of entries that are taken away. Nothing else
// of the file changes, and nothing at all when one part of it cannot be done.
func (p *Project) Confirm(r *Review, answer Confirmation) error {
	c := r.compilation
	config, err := c.withServer(answer.Server)
	if err != nil {
		return err
	}
	if err := p.confirmEntries(r, answer); err != nil || config == nil {
		return err
	}
	return revise.Replace(p.path(ConfigName), c.Target.node.File.Bytes, config)
}

// confirmEntries writes what concerns the amendment.
func (p *Project) confirmEntries(r *Review, answer Confirmation) error {
	c := r.compilation
	if answer.Server = ""; answer.Empty() {
		return nil
	}
	if c.Amendment == nil {
		return fmt.Errorf("contract %q has no amendment; run %s", r.Contract, c.Target.Starting())
	}
	w := &writer{compilation: c, file: revise.New(c.Amendment.Source), answer: answer}
	if err := w.all(r); err != nil {
		return err
	}
	text, err := w.file.Bytes()
	if err != nil {
		return err
	}
	if err := w.check(text); err != nil {
		return fmt.Errorf("the change would damage the amendment, so nothing was written: %w", err)
	}
	return revise.Replace(p.path(c.Target.Amendment), c.Amendment.Source.Bytes, text)
}

// writer turns a confirmation into changes of the file.
type writer struct {
	compilation *Compilation
	file        *revise.Revision
	answer      Confirmation
}

func (w *writer) all(r *Review) error {
	var faults []error
	for _, name := range slices.Sorted(maps.Keys(w.answer.Pins)) {
		faults = append(faults, w.pin(name, w.answer.Pins[name]))
	}
	for _, name := range slices.Sorted(maps.Keys(w.answer.Texts)) {
		faults = append(faults, w.text(name, w.answer.Texts[name]))
	}
	methods := w.compilation.Amendment.Source.Root.Get("methods")
	var orphans []string
	for _, name := range w.answer.Remove {
		if !w.orphan(name) {
			faults = append(faults, fmt.Errorf("%q is not an entry for no method, so its lines stay: remove them by hand", name))
			continue
		}
		orphans = append(orphans, name)
	}
	if len(orphans) > 0 {
		faults = append(faults, w.file.Remove(methods, orphans...))
	}
	if len(w.answer.Renew) > 0 {
		faults = append(faults, w.renew(r))
	}
	return errors.Join(faults...)
}

// entry returns the entry of a method that can be pinned.
func (w *writer) entry(name string) (*amendment.Entry, compiled.Digests, error) {
	c := w.compilation
	i := c.index(name)
	if i < 0 || c.Joined.Entries[i] == nil {
		return nil, compiled.Digests{}, fmt.Errorf("%q has no entry in %s: write one first, as the worksheet shows", name, c.Target.Amendment)
	}
	if c.Joined.Entries[i].Refused != "" {
		return nil, compiled.Digests{}, fmt.Errorf("%q is refused by its entry: a pin would mean nothing", name)
	}
	return c.Joined.Entries[i], c.Digests[i], nil
}

// pin writes a pin, if it is exactly that of today: what was confirmed is a
// shape, and no other shape may take its place.
func (w *writer) pin(name, text string) error {
	e, today, err := w.entry(name)
	if err != nil {
		return err
	}
	if _, err := pin.Parse(text); err != nil {
		return err
	}
	if text != pin.Of(today) {
		return fmt.Errorf("the pin given for %q is not the one of the contract as it is now: look again with %s",
			name, w.compilation.Target.Command("review", name))
	}
	at := e.Node.Get("pin")
	switch {
	case at == nil:
		return w.file.Insert(e.Node, "pin", text)
	case at.Text == text:
		return nil
	default:
		return w.file.Set(at, text)
	}
}

func (w *writer) text(name, text string) error {
	e, today, err := w.entry(name)
	if err != nil {
		return err
	}
	at := e.Node.Get("text")
	if at == nil || text != pin.OfText(today) {
		return fmt.Errorf("the words of %q are not those that were shown: look again with %s",
			name, w.compilation.Target.Command("review", name))
	}
	return w.file.Set(at, text)
}

func (w *writer) orphan(name string) bool {
	return slices.ContainsFunc(w.compilation.Joined.Orphans, func(e *amendment.Entry) bool { return e.Method == name })
}

// renew moves the dates of the methods that were confirmed. A date that holds
// for other methods too stays.
func (w *writer) renew(r *Review) error {
	if _, err := time.Parse(time.DateOnly, w.answer.Until); err != nil {
		return fmt.Errorf("%q is no day of the calendar: write it as 2027-05-31", w.answer.Until)
	}
	if w.answer.Until < w.answer.Today {
		return fmt.Errorf("%s is over already: choose a later day", w.answer.Until)
	}
	var faults []error
	renewed := map[string]bool{}
	for _, q := range r.Questions {
		if q.place == nil {
			continue
		}
		var others []string
		for _, m := range q.Methods {
			if slices.Contains(w.answer.Renew, m.Name) {
				renewed[m.Name] = true
			} else {
				others = append(others, m.Name)
			}
		}
		switch {
		case len(others) == len(q.Methods):
		case len(others) > 0:
			faults = append(faults, fmt.Errorf("%s: this date also holds for %s: name them too, or give each entry a review of its own",
				q.place.Position(), strings.Join(others, ", ")))
		default:
			faults = append(faults, w.date(q.place))
		}
	}
	for _, name := range w.answer.Renew {
		if !renewed[name] {
			faults = append(faults, fmt.Errorf("the review of %q does not end soon: nothing to renew", name))
		}
	}
	return errors.Join(faults...)
}

// date renews one review in the file.
func (w *writer) date(until *source.Node) error {
	review := until.Parent
	faults := []error{w.file.Set(until, w.answer.Until)}
	if on := review.Get("on"); on != nil && on.Text != w.answer.Today {
		faults = append(faults, w.file.Set(on, w.answer.Today))
	}
	if by := review.Get("by"); w.answer.By != "" && (by == nil || by.Text != w.answer.By) {
		if !revise.Plain(w.answer.By) {
			return fmt.Errorf("--by %q: only letters, digits and plain signs", w.answer.By)
		}
		if by == nil {
			faults = append(faults, w.file.Insert(review, "by", w.answer.By))
		} else {
			faults = append(faults, w.file.Set(by, w.answer.By))
		}
	}
	return errors.Join(faults...)
}

// check reads the new text back and wants exactly what was confirmed in it,
// and everything else as it was.
func (w *writer) check(text []byte) error {
	old := w.compilation.Amendment
	file, err := source.ReadOwn(old.Source.Name, text, source.Limits{}, correct.Nulls)
	if err != nil {
		return err
	}
	now, found := amendment.Read(file)
	if found.HasErrors() {
		return errors.New(found.Errors()[0].Message)
	}
	entries := map[string]*amendment.Entry{}
	for _, e := range now.Entries {
		entries[e.Method] = e
	}
	for _, e := range old.Entries {
		after := entries[e.Method]
		if removed := slices.Contains(w.answer.Remove, e.Method); removed != (after == nil) {
			return fmt.Errorf("the entry of %q", e.Method)
		} else if removed {
			continue
		}
		if !w.same(e, after) {
			return fmt.Errorf("the entry of %q", e.Method)
		}
	}
	if len(now.Entries) != len(old.Entries)-len(w.answer.Remove) {
		return errors.New("another number of entries")
	}
	return sameMembers(old.Source.Root, file.Root, "methods", "review")
}

// same holds an entry against what it was, confirmed members apart.
func (w *writer) same(was, now *amendment.Entry) bool {
	if text, ok := w.answer.Pins[was.Method]; ok && (!now.Pinned || now.Pin.String() != text) {
		return false
	}
	if _, ok := w.answer.Pins[was.Method]; !ok && (now.Pin != was.Pin || now.Pinned != was.Pinned) {
		return false
	}
	if text, ok := w.answer.Texts[was.Method]; ok && now.Node.Get("text").Text != text {
		return false
	}
	if !slices.Contains(w.answer.Renew, was.Method) {
		return sameMembers(was.Node, now.Node, "pin", "text") == nil
	}
	return now.Review.Until == w.answer.Until && sameMembers(was.Node, now.Node, "pin", "text", "review") == nil
}

// sameMembers compares two objects, the named members apart.
func sameMembers(was, now *source.Node, apart ...string) error {
	for _, pair := range [][2]*source.Node{{was, now}, {now, was}} {
		for _, m := range pair[0].Members {
			if slices.Contains(apart, m.Name) {
				continue
			}
			if other := pair[1].Get(m.Name); other == nil || !bytes.Equal(other.JSON(), m.Value.JSON()) {
				return fmt.Errorf("the member %q", m.Name)
			}
		}
	}
	return nil
}

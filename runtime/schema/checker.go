package schema

import (
	"errors"
	"sync"

	"github.com/openrpc-go/rpcgen/runtime/internal/scan"
)

// Limits bound what is read. A zero field means its default.
type Limits struct {
	Depth       int // open arrays and objects at once; default 64, at most 10,000
	Members     int // members of one object; default 1,000,000
	StringBytes int // bytes of one string as written; default 16 MiB
}

func (l Limits) scan() scan.Limits {
	return scan.Limits{Depth: l.Depth, Members: l.Members, StringBytes: l.StringBytes, NumberDigits: maxDigits, Exponent: maxExponent}
}

// Checker holds texts against one node. It may be used by any number of
// goroutines.
type Checker struct {
	root      *rule
	limits    scan.Limits
	branching int

	keepUnknown bool // see Codec.KeepUnknown
}

// NewChecker prepares n and all that is reachable from it. It fails for a
// node that the engine cannot run with its full meaning: nothing is ignored.
func NewChecker(n *Node) (*Checker, error) {
	root, err := newProgram().compile(n)
	if err != nil {
		return nil, err
	}
	return newChecker(root), nil
}

func newChecker(root *rule) *Checker {
	return &Checker{root: root, limits: Limits{}.scan().OrDefault(), branching: root.branching()}
}

// WithLimits returns a Checker that has other limits.
func (c *Checker) WithLimits(l Limits) *Checker {
	other := *c
	other.limits = l.scan().OrDefault()
	return &other
}

// Check reports why src is not one JSON value that fits the node: a
// *SyntaxError, an *Error, or a *BudgetError. For a value that fits it
// returns nil and allocates nothing.
func (c *Checker) Check(src []byte) error {
	m := machines.Get().(*machine)
	var err error
	if !c.run(m, src, nil, place{}) {
		err = c.explain(m, src)
	}
	m.clear()
	machines.Put(m)
	return err
}

// run reads src and reports whether it fits.
func (c *Checker) run(m *machine, src []byte, p *plan, at place) bool {
	c.start(m, src)
	end := m.apply(c.root, scan.Space(src, 0), 0, nil, p, at)
	if end < 0 {
		return false
	}
	if end = scan.Space(src, end); end < len(src) {
		m.stop(&scan.Error{Offset: end, Code: scan.TrailingData})
		return false
	}
	return true
}

// CheckAt holds the value that starts at text[start] against the node, in one
// reading, and returns the index behind it. What stands before and behind the
// value is not looked at. It says no more than ok: Check of the value says why
// it does not fit.
func (c *Checker) CheckAt(text []byte, start int) (end int, ok bool) {
	m := machines.Get().(*machine)
	end, ok = c.runAt(m, text, start, nil, place{})
	m.clear()
	machines.Put(m)
	return end, ok
}

// runAt is run for a value within a text. A value that takes more steps than
// its own length allows is refused, as it is by run, whatever else is in text.
func (c *Checker) runAt(m *machine, text []byte, start int, p *plan, at place) (end int, ok bool) {
	c.start(m, text)
	given := m.steps
	end = m.apply(c.root, start, 0, nil, p, at)
	return end, end >= 0 && given-m.steps <= c.budget(end-start)
}

// budget is how many steps a text of n bytes may take: a small multiple of
// what one reading takes, more where the schema has many branches, and never
// more than a few seconds.
func (c *Checker) budget(n int) int {
	const ceiling = 100_000_000
	return min((1024+n)*(32+c.branching), ceiling+64*n)
}

// explain reads src again, after run refused it, and says why.
func (c *Checker) explain(m *machine, src []byte) error {
	if err := c.faultOf(m, src); err != nil {
		return err
	}
	if err := scan.Valid(src, c.limits); err != nil {
		return faultError(err, c.root)
	}
	r := &report{}
	c.start(m, src)
	m.report = r
	m.apply(c.root, scan.Space(src, 0), 0, nil, nil, place{})
	if len(r.found) == 0 { // the budget ended before a cause was found
		r.add(m, c.root, scan.Space(src, 0), "schema", 0)
	}
	return r.error(src)
}

// faultOf returns the error for what ended the run, if it was no mismatch.
func (c *Checker) faultOf(m *machine, src []byte) error {
	if m.fault == nil {
		return nil
	}
	if u := (*unfit)(nil); errors.As(m.fault, &u) {
		if err := scan.Valid(src, c.limits); err != nil {
			return faultError(err, c.root)
		}
		// A value that breaks its schema further on is a violation first.
		c.start(m, src)
		if end := m.apply(c.root, scan.Space(src, 0), 0, nil, nil, place{}); end >= 0 {
			return u.error(src)
		}
		return c.explain(m, src)
	}
	return faultError(m.fault, c.root)
}

func faultError(fault error, root *rule) error {
	if e := (*scan.Error)(nil); errors.As(fault, &e) {
		return syntaxError(e)
	}
	return &BudgetError{Schema: root.id}
}

var machines = sync.Pool{New: func() any { return new(machine) }}

// start makes m ready for a text.
func (c *Checker) start(m *machine, src []byte) {
	m.Scanner.Again(src, c.limits)
	m.steps, m.fault, m.report, m.secret, m.nested = c.budget(len(src)), nil, nil, -1, 0
	m.keepUnknown = c.keepUnknown
	m.wide = m.wide[:0]
}

// clear leaves nothing in m that belongs to a caller, and no memory that one
// huge text asked for.
func (m *machine) clear() {
	m.Text, m.fault, m.report, m.arena, m.strings = nil, nil, nil, nil, nil
	const keep = 1 << 16
	if cap(m.scratch) > keep {
		m.scratch = nil
	}
	if cap(m.unique.slots) > keep {
		m.unique = uniqueness{}
	}
}

package compiler

import (
	"time"

	"github.com/openrpc-go/rpcgen/runtime/compiled"
	"github.com/openrpc-go/rpcgen/runtime/effect"
)

// Status counts the methods of one contract by what the amendment made of them.
type Status struct {
	Contract   string `json:"contract"`
	Methods    int    `json:"methods"`
	Open       int    `json:"open"` // somebody may call it
	Ask        int    `json:"ask"`  // of the open ones: needs an approval from a Go caller or from an agent
	Refused    int    `json:"refused"`
	Undecided  int    `json:"undecided"`
	Stale      int    `json:"stale"`
	Moved      int    `json:"moved"`    // of the open ones: closed to agents, because the result moved
	Orphaned   int    `json:"orphaned"` // entries for no method
	Uncompiled int    `json:"uncompiled"`
	Expired    int    `json:"expired"`  // of the open ones: the review has ended
	Expiring   int    `json:"expiring"` // of the open ones: the review ends within 30 days
	Authority  string `json:"authority"`
	Next       string `json:"next"` // the command to run next; "" when nothing is left to do
}

// soon is how far ahead Status looks for reviews that end.
const soon = 30 * 24 * time.Hour

// Status summarises the compilation as of now. It needs a compilation that did
// not fail.
func (c *Compilation) Status(now time.Time) Status {
	s := Status{
		Contract:  c.Target.ID,
		Methods:   len(c.Sealed.Methods),
		Orphaned:  len(c.Joined.Orphans),
		Authority: c.Joined.Counts.String(),
	}
	var undecided []string
	for _, m := range c.Sealed.Methods {
		s.count(m.Authority, now)
		if m.Authority.State == compiled.Undecided {
			undecided = append(undecided, m.Name)
		}
	}
	s.Next = s.next(c.Target, c.Server.Moved, c.decide(undecided...))
	return s
}

func (s *Status) count(a compiled.Authority, now time.Time) {
	switch a.Standing() {
	case compiled.Open:
		s.Open++
		if a.Code == effect.Ask || a.Agents == effect.Ask {
			s.Ask++
		}
		if len(a.ClosedTo) > 0 {
			s.Moved++
		}
		s.expiry(a.Until, now)
	case compiled.Refused:
		s.Refused++
	case compiled.Undecided:
		s.Undecided++
	case compiled.Stale:
		s.Stale++
	case compiled.Uncompiled:
		s.Uncompiled++
	default:
		panic("no such state: " + string(a.State))
	}
}

// expiry counts a review by its last valid day.
func (s *Status) expiry(until string, now time.Time) {
	last, err := time.Parse(time.DateOnly, until)
	if err != nil {
		return // no end, as the amendment's reader made sure
	}
	end := last.AddDate(0, 0, 1)
	switch {
	case !now.Before(end):
		s.Expired++
	case end.Sub(now) <= soon:
		s.Expiring++
	}
}

// next names what to do first.
func (s *Status) next(t Target, moved bool, decide string) string {
	switch {
	case s.Uncompiled > 0 && s.Uncompiled == s.Methods:
		return t.Command("inspect") + ", which says why nothing of " + s.Contract + " could be compiled"
	case s.Stale+s.Orphaned+s.Expired+s.Moved > 0, moved:
		return t.Command("review")
	case s.Undecided > 0:
		return decide
	case s.Expiring > 0:
		return t.Command("review")
	default:
		return ""
	}
}

package plan

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"unicode/utf8"
)

// scope hands out the names of one Go scope. Two names that differ only in
// case count as one, so that files, anchors and readers tell them apart.
type scope struct {
	taken   map[string]bool // by fold
	renamed []Rename
}

func newScope(reserved ...string) *scope {
	s := &scope{taken: map[string]bool{}}
	for _, name := range reserved {
		s.taken[fold(name)] = true
	}
	return s
}

func fold(name string) string { return strings.ToLower(name) }

// wish is a name that somebody wants. Key is what the name stands for, unique
// among the wishes granted together; it alone decides ties.
type wish struct {
	key   string
	said  string   // how the document spells it
	wants []string // best first, at least one
	grant func(name string)
}

// grantAll gives every wish a name, the same whatever their order. A wish whose
// document spells the name exactly comes first, then the keys in order; one that finds
// all its names taken gets a suffix made from its key, which no other wish can
// move.
func (s *scope) grantAll(wishes []wish) {
	slices.SortFunc(wishes, func(a, b wish) int {
		if x, y := a.exact(), b.exact(); x != y {
			if x {
				return -1
			}
			return 1
		}
		return strings.Compare(a.key, b.key)
	})
	for _, w := range wishes {
		name := s.name(w)
		if name != w.wants[0] {
			s.renamed = append(s.renamed, Rename{Wanted: w.wants[0], Got: name, Of: w.key})
		}
		w.grant(name)
	}
}

func (w wish) exact() bool { return w.said == w.wants[0] }

// nameLimit is how long a name may get, in bytes; cut ones that collide get a
// suffix like all others.
const nameLimit = 100

func (s *scope) name(w wish) string {
	for i, name := range w.wants {
		w.wants[i] = cutName(name)
		if s.take(w.wants[i]) {
			return w.wants[i]
		}
	}
	sum := sha256.Sum256([]byte(w.key))
	suffix := hex.EncodeToString(sum[:])
	for n := 4; n <= len(suffix); n++ {
		if name := w.wants[0] + "_" + suffix[:n]; s.take(name) {
			return name
		}
	}
	panic("plan: two wishes share the key " + w.key)
}

func cutName(name string) string {
	if len(name) <= nameLimit {
		return name
	}
	cut := nameLimit
	for !utf8.RuneStart(name[cut]) {
		cut--
	}
	return name[:cut]
}

// take claims name and reports whether it was free.
func (s *scope) take(name string) bool {
	folded := fold(name)
	if s.taken[folded] {
		return false
	}
	s.taken[folded] = true
	return true
}

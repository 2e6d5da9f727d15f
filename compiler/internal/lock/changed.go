package lock

import (
	"fmt"
	"slices"
	"strings"
)

// counted are the classes that Changed tells about, in its order. A method
// that appears or goes away undecided changes nobody's authority.
var counted = []Class{ClassRead, ClassWrite, ClassDestructive, ClassRefused, ClassStale}

// Changed says what happened to the authority of one contract between two
// locks: "+2 write, -1 read" when two methods became writes that were none and
// one is no read any more. A method that comes and one that goes do not cancel
// out. It is "" when nothing changed, and when was does not know the contract.
func Changed(was, now *Lock, id string) string {
	before, known := find(was, id)
	after, _ := find(now, id)
	if !known {
		return ""
	}
	came, went := map[string]int{}, map[string]int{}
	pair(before.Methods, after.Methods, func(m Method) string { return m.Name }, func(_ string, was, now Method) {
		if was.Class != now.Class {
			came[string(now.Class)]++
			went[string(was.Class)]++
		}
		for _, kind := range now.ClosedTo {
			if !slices.Contains(was.ClosedTo, kind) {
				came[closedTo(kind)]++
			}
		}
		for _, kind := range was.ClosedTo {
			if !slices.Contains(now.ClosedTo, kind) {
				went[closedTo(kind)]++
			}
		}
	})
	return strings.Join(append(signed('+', came), signed('-', went)...), ", ")
}

func find(l *Lock, id string) (Contract, bool) {
	all := contracts(l)
	if i := slices.IndexFunc(all, func(c Contract) bool { return c.ID == id }); i >= 0 {
		return all[i], true
	}
	return Contract{}, false
}

func closedTo(kind string) string { return "closed to " + kind + "s" }

func signed(sign byte, counts map[string]int) []string {
	var words []string
	add := func(word string) {
		if n := counts[word]; n > 0 {
			words = append(words, fmt.Sprintf("%c%d %s", sign, n, word))
		}
	}
	for _, class := range counted {
		add(string(class))
	}
	add(closedTo("agent"))
	return words
}

package lock

import (
	"testing"
)

func TestChanged(t *testing.T) {
	const known = "known"
	of := func(id string, methods ...Method) *Lock {
		return &Lock{Contracts: []Contract{{ID: "other", Methods: []Method{{Name: "x", Class: ClassRead}}}, {ID: id, Methods: methods}}}
	}
	m := func(name string, class Class, closed ...string) Method {
		return Method{Name: name, Class: class, ClosedTo: closed}
	}
	tests := []struct {
		name     string
		was, now *Lock
		want     string
	}{
		{"no lock", nil, of(known, m("a", ClassRead)), ""},
		{"new contract", of("another"), of(known, m("a", ClassRead)), ""},
		{"the same", of(known, m("a", ClassRead)), of(known, m("a", ClassRead)), ""},
		{"two writes, one read less", of(known, m("a", ClassRead), m("b", ClassUndecided)),
			of(known, m("a", ClassWrite), m("b", ClassWrite)), "+2 write, -1 read"},
		{"one for another", of(known, m("a", ClassRead), m("b", ClassUndecided)),
			of(known, m("a", ClassUndecided), m("b", ClassRead)), "+1 read, -1 read"},
		{"stale", of(known, m("a", ClassDestructive)), of(known, m("a", ClassStale)), "+1 stale, -1 destructive"},
		{"gone", of(known, m("a", ClassRefused)), of(known), "-1 refused"},
		{"new and undecided", of(known), of(known, m("a", ClassUndecided)), ""},
		{"closed to agents", of(known, m("a", ClassRead), m("b", ClassRead, "agent")),
			of(known, m("a", ClassRead, "agent"), m("b", ClassRead)), "+1 closed to agents, -1 closed to agents"},
	}
	for _, tt := range tests {
		if got := Changed(tt.was, tt.now, known); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

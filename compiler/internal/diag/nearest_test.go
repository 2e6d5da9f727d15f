package diag

import (
	"strings"
	"testing"
)

func TestNearest(t *testing.T) {
	members := []string{"effect", "right", "code", "agents", "rollback", "idempotent", "open_world", "note"}
	for name, want := range map[string]string{
		"efect": "effect", "efefct": "effect", "Effect": "effect", "rigth": "right", "agent": "agents", "rollback_": "rollback",
		"open-world": "open_world", "openWorld": "open_world", "OPEN WORLD": "open_world", "not": "note", "idempotnet": "idempotent",
		"xyz": "", "": "", "description": "", strings.Repeat("effect", 20): "",
	} {
		if got := Nearest(name, members); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", name, got, want)
		}
	}
	if got := Nearest("ab", []string{"ax", "ay"}); got != "ax" {
		t.Errorf("equally near: %q, want the first", got)
	}
}

func TestDistance(t *testing.T) {
	tests := []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"a", "", 1}, {"", "ab", 2}, {"abc", "abc", 0}, {"abc", "abd", 1},
		{"abc", "acb", 1}, {"abcd", "badc", 2}, {"kitten", "sitting", 3}, {"ca", "abc", 3},
	}
	for _, test := range tests {
		if got := distance(test.a, test.b); got != test.want {
			t.Errorf("distance(%q, %q) = %d, want %d", test.a, test.b, got, test.want)
		}
	}
}

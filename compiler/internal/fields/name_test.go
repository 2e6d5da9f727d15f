package fields

import (
	"strings"
	"testing"
)

func TestIsID(t *testing.T) {
	for s, want := range map[string]bool{
		"a": true, "billing_2": true, "a" + strings.Repeat("b", 63): true,
		"": false, "A": false, "1a": false, "_a": false, "a-b": false, "a.b": false, "\u00e4": false,
		"a\u043e": false, "a" + strings.Repeat("b", 64): false, "a\n": false,
	} {
		if got := IsID(s); got != want {
			t.Errorf("IsID(%q) = %v, want %v", s, got, want)
		}
	}
}

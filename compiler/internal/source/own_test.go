package source_test

import (
	"testing"

	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

func TestReadOwnValues(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"amendment", "version: \"1\"\nreview: {by: ops, on: \"2026-11-30\"} # who\nmax: 50\nrate: -1.50\nopen: true\nper: 24h\n",
			`{"version":"1","review":{"by":"ops","on":"2026-11-30"},"max":50,"rate":-1.50,"open":true,"per":"24h"}`},
		{"names that YAML 1.1 takes for booleans", "on: x\nno: z\ny: w\n", `{"on":"x","no":"z","y":"w"}`},
		{"versions and words", "- 1.2.3\n- v1\n- nothing\n- -x\n- 12ab\n- +plus\n- ...x\n", `["1.2.3","v1","nothing","-x","12ab","+plus","...x"]`},
		{"quoted", "- 'yes'\n- \"0x1\"\n- '~'\n- \"\"\n", `["yes","0x1","~",""]`},
		{"crlf", "a: 1\r\nb: |\r\n  x\r\n", `{"a":1,"b":"x\n"}`},
		{"letters of the world", "note: Müller 日本語 ✓ 😀 # é\n", `{"note":"Müller 日本語 ✓ 😀"}`},
		{"json", "{\"a\": [1, \"x\\ty\"]}", `{"a":[1,"x\ty"]}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f, err := source.ReadOwn("own", []byte(tt.in), source.Limits{})
			if err != nil {
				t.Fatalf("ReadOwn(%q) = %v", tt.in, err)
			}
			if got := string(f.Root.JSON()); got != tt.want {
				t.Errorf("ReadOwn(%q) = %s, want %s", tt.in, got, tt.want)
			}
		})
	}
}

func TestReadOwnRefuses(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"tag", "a: !!str x\n", "1:4 yaml-tag"},
		{"empty tag", "a: ! x\n", "1:4 yaml-tag"},
		{"tag on collection", "a: !!map {}\n", "1:4 yaml-tag"},
		{"tag on key", "!!str a: 1\n", "1:1 yaml-tag"},
		{"anchor", "a: &x 1\n", "1:4 yaml-anchor"},
		{"anchor on key", "&k a: 1\n", "1:1 yaml-anchor"},
		{"alias", "a: &x 1\nb: *x\n", "1:4 yaml-anchor"},
		{"merge", "a:\n  <<: {b: 1}\n", "2:3 yaml-merge-key /a"},
		{"directive", "%YAML 1.2\n---\na: 1\n", "1:1 yaml-directive"},
		{"tag directive", "%TAG ! tag:x,2026:\n---\na: 1\n", "1:1 yaml-directive"},
		{"second document", "a: 1\n---\n", "2:1 second-document"},
		{"null word", "a: null\n", "1:4 null-value /a"},
		{"tilde", "a:\n  - ~\n", "2:5 null-value /a/0"},
		{"nothing", "a:\nb: 1\n", "1:3 null-value /a"},
		{"json null", "{\"a\": [null]}", "1:8 null-value /a/0"},
		{"null document", "---\n", "2:1 null-value"},
		{"yes", "a: yes\n", "1:4 ambiguous-scalar /a"},
		{"No", "a: No\n", "1:4 ambiguous-scalar /a"},
		{"off", "a: off\n", "1:4 ambiguous-scalar /a"},
		{"y", "a: y\n", "1:4 ambiguous-scalar /a"},
		{"True", "a: True\n", "1:4 ambiguous-scalar /a"},
		{"octal", "a: 010\n", "1:4 ambiguous-scalar /a"},
		{"octal 1.2", "a: 0o10\n", "1:4 ambiguous-scalar /a"},
		{"hex", "a: 0x10\n", "1:4 ambiguous-scalar /a"},
		{"binary", "a: 0b11\n", "1:4 ambiguous-scalar /a"},
		{"underscore", "a: 1_000\n", "1:4 ambiguous-scalar /a"},
		{"plus", "a: +1\n", "1:4 ambiguous-scalar /a"},
		{"exponent", "a: 1e3\n", "1:4 ambiguous-scalar /a"},
		{"bare fraction", "a: .5\n", "1:4 ambiguous-scalar /a"},
		{"bare point", "a: 5.\n", "1:4 ambiguous-scalar /a"},
		{"infinity", "a: -.inf\n", "1:4 ambiguous-scalar /a"},
		{"sexagesimal", "a: 12:30\n", "1:4 ambiguous-scalar /a"},
		{"date", "a: 2026-11-30\n", "1:4 ambiguous-scalar /a"},
		{"time stamp", "a: 2026-11-30T10:00:00Z\n", "1:4 ambiguous-scalar /a"},
		{"value key", "a: =\n", "1:4 ambiguous-scalar /a"},
		{"numeric key", "200: x\n", "1:1 yaml-key"},
		{"boolean key", "true: x\n", "1:1 yaml-key"},
		{"null key", "~: x\n", "1:1 yaml-key"},
		{"complex key", "? {a: 1}\n: x\n", "1:3 yaml-key"},

		{"bidi in comment", "a: 1\n# x\u202ey\n", "2:4 forbidden-character"},
		{"zero width in key", "a\u200bb: 1\n", "1:2 forbidden-character"},
		{"soft hyphen", "a: x\u00ady\n", "1:5 forbidden-character"},
		{"tag block", "a: x\U000e0041\n", "1:5 forbidden-character"},
		{"private use", "a: \ue000\n", "1:4 forbidden-character"},
		{"variation selector", "a: x\ufe0f\n", "1:5 forbidden-character"},
		{"hangul filler", "a: \u3164\n", "1:4 forbidden-character"},
		{"escape", "a: \x1b[31m\n", "1:4 forbidden-character"},
		{"delete", "a: \x7f\n", "1:4 forbidden-character"},
		{"next line", "a: 1\u0085b: 2\n", "1:5 forbidden-character"},
		{"line separator", "a: 1 # \u2028b: 2\n", "1:8 forbidden-character"},
		{"lone carriage return", "a: 1 # x\rb: 2\n", "1:9 forbidden-character"},
		{"mark inside", "a: x\ufeffy\n", "1:5 forbidden-character"},
		{"escaped bidi", "a: \"x\\u202ey\"\n", "1:4 forbidden-character"},
		{"escaped control in key", "\"a\\e\": 1\n", "1:1 forbidden-character"},
		{"json escaped bidi", `{"a": "\u202e"}`, "1:7 forbidden-character"},
		{"json escaped nul in key", `{"a\u0000": 1}`, "1:2 forbidden-character"},
		{"merge conflict", "a: 1\n||||||| base\n", "2:1 merge-conflict"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := source.ReadOwn("own", []byte(tt.in), source.Limits{})
			if got := fault(err); got != tt.want {
				t.Errorf("ReadOwn(%q) = %s, want %s (%v)", tt.in, got, tt.want, err)
			}
		})
	}
}

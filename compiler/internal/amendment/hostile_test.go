package amendment

import (
	"strings"
	"testing"

	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

const head = "version: \"1\"\ncontract: billing\n"

// TestReadHostile is the hostile corpus: what an attacker, a careless editor
// or a quirk of YAML can do to the file. Each is refused whole, at its place.
// F4 is TestReadQuirks, F6 and F7 are TestReadTrusted and TestReadTrustedOnce,
// F8 is TestDocumentsGrantNothing, and F9 is the script lock_grants.
func TestReadHostile(t *testing.T) {
	tests := []struct {
		name, text string
		code       string
		line, col  int
	}{
		{"F1 slip in a key", head + "methods:\n  a: {efect: read}\n", "missing-key", 4, 3},
		{"F1 slip in a value", head + "methods:\n  a: {effect: raed}\n", "wrong-value", 4, 15},
		{"F1 slip in one entry of many", head + "methods:\n  a: {effect: read}\n  b: {effect: red}\n", "wrong-value", 5, 15},
		{"F2 null entry", head + "methods:\n  a:\n", source.CodeNull, 4, 5},
		{"F2 tilde entry", head + "methods:\n  a: ~\n", source.CodeNull, 4, 6},
		{"F2 null effect", head + "methods:\n  a: {effect: }\n", source.CodeNull, 4, 15},
		{"F2 empty entry", head + "methods:\n  a: {}\n", "empty-value", 4, 6},
		{"F2 empty effect", head + "methods:\n  a: {effect: \"\"}\n", "wrong-value", 4, 15},
		{"F2 null methods", head + "methods:\n", source.CodeNull, 3, 9},
		{"F2 no methods", head + "methods: {}\n", "empty-value", 3, 10},
		{"F3 anchor", head + "methods:\n  a: &x {effect: read}\n", source.CodeYAMLAnchor, 4, 6},
		{"F3 alias of nothing", head + "methods:\n  a: *x\n", source.CodeSyntaxYAML, 4, 6},
		{"F3 merge key", head + "methods:\n  a:\n    <<: {effect: read}\n", source.CodeYAMLMerge, 5, 5},
		{"F3 tag", head + "methods:\n  a: {effect: !!str read}\n", source.CodeYAMLTag, 4, 15},
		{"F3 binary tag", head + "methods:\n  a: {effect: !!binary cmVhZA==}\n", source.CodeYAMLTag, 4, 15},
		{"F3 own tag", head + "methods: !grant\n  a: {effect: read}\n", source.CodeYAMLTag, 3, 10},
		{"F3 second document", head + "---\nmethods:\n  a: {effect: read}\n", source.CodeSecondDocument, 3, 1},
		{"F3 complex key", head + "methods:\n  ? [a, b]\n  : {effect: read}\n", source.CodeYAMLKey, 4, 5},
		{"F3 key twice", head + "methods:\n  a: {effect: read}\n  a: {effect: write}\n", source.CodeDuplicateKey, 5, 3},
		{"F3 key twice, spelled otherwise", head + "methods:\n  a: {effect: read}\n  \"\\u0061\": {effect: write}\n", source.CodeDuplicateKey, 5, 3},
		{"F3 member twice", head + "methods:\n  a: {effect: read, effect: write}\n", source.CodeDuplicateKey, 4, 21},
		{"F3 JSON member twice", `{"version": "1", "contract": "billing", "contract": "x"}`, source.CodeDuplicateKey, 1, 41},
		{"F3 directive", "%YAML 1.1\n---\n" + head, source.CodeYAMLDirective, 1, 1},
		{"F5 bidi control in a key", head + "methods:\n  \"a\u202e\": {effect: read}\n", source.CodeCharacter, 4, 5},
		{"F5 bidi control, escaped", head + "methods:\n  \"a\\u202e\": {effect: read}\n", source.CodeCharacter, 4, 3},
		{"F5 zero width space", head + "methods:\n  a\u200b: {effect: read}\n", source.CodeCharacter, 4, 4},
		{"F5 tag characters in a comment", head + "# fine \U000e0041\n", source.CodeCharacter, 3, 8},
		{"F5 bidi control in a comment", head + "# \u2066 methods:\n", source.CodeCharacter, 3, 3},
		{"F5 escape sequence in a comment", head + "# \x1b[2K\n", source.CodeCharacter, 3, 3},
		{"F5 carriage return that hides a line", head + "# fine\rmethods: 1\n", source.CodeCharacter, 3, 7},
		{"F5 look-alike in the contract id", "version: \"1\"\ncontract: bi\u0141ling\n", "wrong-value", 2, 11},
		{"F5 look-alike in a profile name", head + "profiles:\n  l\u043eokup: {effect: read}\n", BadName, 4, 3},
		{"F10 merge conflict", head + "<<<<<<< ours\nmethods:\n", source.CodeMergeConflict, 3, 1},
		{"F10 other side of a conflict", head + ">>>>>>> theirs\n", source.CodeMergeConflict, 3, 1},
		{"F10 huge file", strings.Repeat("#", 9<<20), source.CodeTooLarge, 0, 0},
		{"F10 deep file", head + "review: " + strings.Repeat("[", 20000), source.CodeTooDeep, 3, 0},
		{"F10 byte order mark", "\ufeff" + head, source.CodeByteOrderMark, 1, 1},
		{"F10 UTF-16", "\xff\xfev\x00", source.CodeInvalidUTF8, 1, 1},
		{"F10 not UTF-8", head + "# \xff\n", source.CodeInvalidUTF8, 3, 3},
		{"F10 empty file", "", source.CodeEmpty, 1, 1},
		{"F10 comments only", "# nothing\n", source.CodeEmpty, 0, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f, faults := readText(test.text)
			if f != nil || len(faults) == 0 {
				t.Fatal("the file was accepted")
			}
			d := faults[0]
			if d.Code != test.code || test.line > 0 && d.Position.Line != test.line || test.col > 0 && d.Position.Column != test.col {
				t.Errorf("got\n%swant %s at %d:%d", show(faults), test.code, test.line, test.col)
			}
			if d.Position.IsZero() {
				t.Error("the fault names no file")
			}
		})
	}
}

// TestReadQuirks: plain scalars that some reader of YAML takes for another type.
func TestReadQuirks(t *testing.T) {
	for _, member := range []string{
		"idempotent: yes", "idempotent: no", "idempotent: on", "idempotent: off", "idempotent: y", "idempotent: N",
		"idempotent: True", "idempotent: FALSE", "open_world: No", "open_world: 0", "open_world: \"false\"",
		"note: 010", "note: 0o17", "note: 0x1F", "note: 1_000", "note: 1:30", "note: .inf", "note: .NaN", "note: +1", "note: 1.", "note: .5",
		"note: 2026-11-30", "note: 2026-11-30T10:00:00Z", "note: null", "note: Null", "note: ~", "note: NULL", "note: yes", "note: 7", "note: true",
		"review: {until: 2027-05-31}", "review: {by: no}", "rollback: {class: no}", "agents: no", "code: off", "flow: ~", "notification: yes",
		"budget: {calls: 010, per: 24h}", "budget: {calls: 1_000, per: 24h}", "budget: {calls: 0x10, per: 24h}", "budget: {calls: 20, per: ~}",
		"budget: {calls: -1, per: 24h}", "budget: {calls: 1e3, per: 24h}", "budget: {calls: 20, per: 86400}", "budget: {calls: yes, per: 24h}",
		"limits: {timeout: 1:30}", "limits: {response_bytes: 1_024}", "limits: {response_bytes: ~}", "limits: ~", "params: no", "id: 010", "id: on",
		"go_name: ~", "text: null", "exact: [~]", "exact: ~", "param_structure: off", "idempotency: {key: ~}", "read_back: ~",
		"read_back: {method: b, map: {id: ~}}", "agents: {allow_if: ~, otherwise: ask}", "agents: {allow_if: {const: null}, otherwise: ask}",
		"agents: {allow_if: {properties: {n: {maximum: 050}}}, otherwise: ask}", "agents: {allow_if: {required: [a]}, otherwise: no}",
	} {
		text := head + "methods:\n  a:\n    effect: read\n    " + member + "\n"
		f, faults := readText(text)
		if f != nil || len(faults) == 0 {
			t.Errorf("%s: accepted", member)
		}
		for _, d := range faults {
			if d.Position.Line != 6 || len(faults) > 1 && d.Code != Contradiction && d.Code != source.CodeNull {
				t.Errorf("%s: faults:\n%s", member, show(faults))
			}
		}
	}
}

// TestAllAtOnce: what is wrong with the text hides nothing of what is wrong
// with what it says, and no place is reported twice.
func TestAllAtOnce(t *testing.T) {
	_, faults := readText(head + "methods:\n  a: {effect: read, effect: write}\n  a: {effect: raed}\n  b: {effect: read, idempotent: yes, efect: x}\n" +
		"  c: ~\n  d: &x {effect: !!str write, right: read}\n  e: {effect: read, note: 010}\n")
	const want = `4:21: duplicate-key: "effect" is already declared (/methods/a/effect)
    4:7: first declared here
5:3: duplicate-key: "a" is already declared (/methods/a)
    4:3: first declared here
5:15: wrong-value: "effect" must be read, write or destructive, found the text "raed" (/methods/a/effect)
    advice: did you mean "read"?
6:33: ambiguous-scalar: "yes" does not mean the same to every reader of YAML (/methods/b/idempotent)
    advice: write true or false, or put it in quotes if it is text
6:38: unknown-key: the entry of "b" has no member "efect" (/methods/b/efect)
    advice: did you mean "effect"?
7:6: null-value: null where a value is expected (/methods/c)
    advice: write the value, or remove the member
8:6: yaml-anchor: anchors are not allowed here
    advice: this file is read as it stands: write the value out
8:18: yaml-tag: tags are not allowed here
    advice: remove the tag
8:38: contradiction: right "read" contradicts effect "write" (/methods/d/right)
    advice: legal for effect "write": write, execute
    8:18: the effect is stated here
9:27: ambiguous-scalar: "010" does not mean the same to every reader of YAML (/methods/e/note)
    advice: write a number in plain decimals, or put it in quotes if it is text
`
	if got := show(faults); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestReadLineEnds: CR LF is a line end like any other and moves nothing.
func TestReadLineEnds(t *testing.T) {
	f := mustRead(t, strings.ReplaceAll(head+"methods:\n  a: {effect: read}\n", "\n", "\r\n"))
	if p := f.Entries[0].Position(); p.Line != 4 || p.Column != 3 {
		t.Errorf("entry stands at %s, want 4:3", p)
	}
}

// TestReadNullInCorrections: null is a value of the document there, as that
// word and nowhere else.
func TestReadNullInCorrections(t *testing.T) {
	const correction = "corrections:\n  - {at: \"#/a\", reason: \"r\", "
	mustRead(t, head+correction+"was: null, now: {default: null}}\n")
	for _, members := range []string{"was: ~, now: 1", "was: , now: 1", "was: Null, now: 1", "now: 1, shared: null", "now: 1, shared: yes", "now: 010", "now: 1, was: &x 2"} {
		if f, faults := readText(head + correction + members + "}\n"); f != nil || len(faults) != 1 || faults[0].Position.Line != 4 {
			t.Errorf("%s: accepted %v, faults:\n%s", members, f != nil, show(faults))
		}
	}
	if f, _ := readText(head + "corrections: null\n"); f != nil {
		t.Error("no corrections at all are null")
	}
}

package amendment

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/runtime/effect"
)

var (
	effects = []effect.Effect{effect.Read, effect.Write, effect.Destructive}
	rights  = []effect.Right{"", effect.RightRead, effect.RightWrite, effect.RightExecute}
	says    = []effect.Decision{"", effect.Allow, effect.Ask, effect.Deny}
	classes = []effect.RollbackClass{"", effect.RollbackNotRequired, effect.RollbackReversible,
		effect.RollbackIrreversible, effect.RollbackUnknown}
)

// cell is one combination; "" is a member that is absent.
type cell struct {
	effect       effect.Effect
	right        effect.Right
	code, agents effect.Decision
	class        effect.RollbackClass
	standing     bool
}

func (c cell) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "effect: %s", c.effect)
	member := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&b, ", %s: %s", name, value)
		}
	}
	member("right", string(c.right))
	member("code", string(c.code))
	member("agents", string(c.agents))
	if c.class != "" {
		member("rollback", "{class: "+string(c.class)+"}")
	}
	if c.standing {
		member("standing", `"why"`)
	}
	return b.String()
}

// faults counts the members that contradict the effect, spelled out from the
// sentences of the design and not from the table under test.
func (c cell) faults() int {
	n := 0
	count := func(bad bool) {
		if bad {
			n++
		}
	}
	reads := c.effect == effect.Read
	count(reads && c.right == effect.RightWrite)                           // a read needs no right to write
	count(!reads && c.right == effect.RightRead)                           // the right to read changes nothing
	count(!reads && c.class == effect.RollbackNotRequired)                 // a change always has something to roll back
	count(reads && c.class != "" && c.class != effect.RollbackNotRequired) // a read has nothing to roll back
	count(c.effect == effect.Destructive && c.agents == effect.Allow)      // never without a person
	allowedWrite := c.effect == effect.Write && c.agents == effect.Allow
	count(allowedWrite != c.standing) // an agent writes unasked for a reason, and only then is one given
	return n
}

func allCells() []cell {
	var cells []cell
	for _, e := range effects {
		for _, r := range rights {
			for _, code := range says {
				for _, agents := range says {
					for _, class := range classes {
						cells = append(cells, cell{e, r, code, agents, class, false}, cell{e, r, code, agents, class, true})
					}
				}
			}
		}
	}
	return cells
}

// TestLaws reads an entry for every cell of effect x right x code x agents x
// rollback x standing, absent members included.
func TestLaws(t *testing.T) {
	legal := 0
	for _, c := range allCells() {
		f, faults := readText(amend(fmt.Sprintf(`"a": {%s}`, c)))
		if got, want := countCode(faults, Contradiction), c.faults(); got != want || len(faults) != got {
			t.Errorf("{%s}: %d contradictions, want %d:\n%s", c, got, want, show(faults))
		}
		if f != nil {
			legal++
			checkEntry(t, f.Entries[0])
		}
	}
	// read: 3 rights x 4 code x 4 agents x 2 classes; write: 3 x 4 x 4 x 4;
	// destructive: 3 x 4 x 3 x 4; each right and class counts "absent" as one.
	if want := 3*4*4*2 + 3*4*4*4 + 3*4*3*4; legal != want {
		t.Errorf("%d legal cells, want %d", legal, want)
	}
}

// TestLawsOfProfiles: a profile is judged as an entry is, and its entries do
// not repeat its faults.
func TestLawsOfProfiles(t *testing.T) {
	for _, c := range allCells() {
		if c.effect == effect.Destructive {
			continue // TestReadInvalid: never a profile
		}
		text := fmt.Sprintf("version: \"1\"\ncontract: billing\nprofiles:\n  p: {%s}\nmethods:\n  a: {use: p}\n", c)
		_, faults := readText(text)
		if got, want := countCode(faults, Contradiction), c.faults(); got != want || len(faults) != got {
			t.Errorf("profile {%s}: %d contradictions, want %d:\n%s", c, got, want, show(faults))
		}
	}
}

func countCode(l diag.List, code string) int {
	n := 0
	for _, d := range l {
		if d.Code == code {
			n++
		}
	}
	return n
}

// rows reads the rows of a table of the documentation, by their first column.
// head is how the table begins.
func rows(t *testing.T, head string) map[effect.Effect][]string {
	t.Helper()
	text, err := os.ReadFile("../../../docs/amendment.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, found := strings.Cut(string(text), "\n"+head)
	if !found {
		t.Fatalf("docs/amendment.md has no table that begins with %q", head)
	}
	table, _, _ = strings.Cut(table, "\n\n")
	out := map[effect.Effect][]string{}
	for line := range strings.Lines(table) {
		var cells []string
		for _, cell := range strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|") {
			cells = append(cells, strings.Trim(strings.TrimSpace(cell), "`"))
		}
		if e := effect.Effect(cells[0]); e.Valid() {
			out[e] = cells[1:]
		}
	}
	if len(out) != len(effects) {
		t.Fatalf("the table %q has %d rows of effects", head, len(out))
	}
	return out
}

// TestLawsOfTheDocumentation reads an entry for every cell and wants of it what
// the table says that people read, and nothing else.
func TestLawsOfTheDocumentation(t *testing.T) {
	table := rows(t, "| effect | `right` |")
	listed := func(cell, value string) bool {
		return value == "" || slices.Contains(strings.Split(cell, ", "), value)
	}
	for _, c := range allCells() {
		row := table[c.effect]
		want := listed(row[0], string(c.right)) && listed(row[1], string(c.code)) && listed(row[2], string(c.agents)) && listed(row[3], string(c.class))
		switch row[4] {
		case "never":
			want = want && !c.standing
		case "with agents: allow":
			want = want && c.standing == (c.agents == effect.Allow)
		default:
			t.Fatalf("the table says %q about standing", row[4])
		}
		if f, faults := readText(amend(fmt.Sprintf(`"a": {%s}`, c))); (f != nil) != want {
			t.Errorf("{%s}: legal %v, the documentation says %v\n%s", c, f != nil, want, show(faults))
		}
	}
}

// TestTermsOfTheDocumentation does so for the table of the other members.
func TestTermsOfTheDocumentation(t *testing.T) {
	table := rows(t, "| effect | `agents.allow_if` |")
	for column, members := range [][]string{
		{`agents: {allow_if: {required: [a]}, otherwise: ask}`, `agents: {allow_if: {required: [a]}, otherwise: deny}`},
		{`idempotency: {key: /a}`},
		{`read_back: {method: b, map: {a: /result}}`},
		{`budget: {calls: 1, per: 1s}`, `limits: {timeout: 1s}`, `exact: [/result]`, `results: report`, `notification: allow`, `id: x`, `go_name: X`,
			`description: "d"`, `param_structure: either`, `params: empty`, `idempotent: true`, `open_world: false`, `flow: {sends: public, returns: secret}`,
			`note: "n"`, `reason: "r"`, `review: {by: me}`},
	} {
		for _, member := range members {
			for _, e := range effects {
				want := map[string]bool{"may": true, "never": false}
				f, faults := readText(amend(fmt.Sprintf(`"a": {effect: %s, %s}`, e, member)))
				if legal, known := want[table[e][column]]; !known || (f != nil) != legal {
					t.Errorf("effect %s, %s: legal %v, the documentation says %q\n%s", e, member, f != nil, table[e][column], show(faults))
				}
			}
		}
	}
}

// TestLawsOfTerms reads an entry for every cell of effect x member, and for
// allow_if beside every other decision.
func TestLawsOfTerms(t *testing.T) {
	members := map[string]func(law) bool{
		`agents: {allow_if: {required: [a]}, otherwise: ask}`:                  func(l law) bool { return l.allowIf },
		`agents: {allow_if: {required: [a]}, otherwise: deny}`:                 func(l law) bool { return l.allowIf },
		`agents: {allow_if: {required: [a]}, otherwise: ask}, standing: "why"`: func(law) bool { return false },
		`idempotency: {key: /a}`:                                               func(l law) bool { return l.changes },
		`read_back: {method: b, map: {a: /result}}`:                            func(l law) bool { return l.changes },
		`budget: {calls: 1, per: 1s}`:                                          func(law) bool { return true },
		`limits: {timeout: 1s}`:                                                func(law) bool { return true },
		`param_structure: either, params: empty, exact: [/result]`:             func(law) bool { return true },
		`id: x, go_name: X, description: "d", results: report`:                 func(law) bool { return true },
	}
	for member, legal := range members {
		for _, e := range effects {
			f, faults := readText(amend(fmt.Sprintf(`"a": {effect: %s, %s}`, e, member)))
			if want := legal(laws[e]); (f != nil) != want || f == nil && (len(faults) == 0 || countCode(faults, Contradiction) != len(faults)) {
				t.Errorf("effect %s, %s: legal %v, want %v:\n%s", e, member, f != nil, want, show(faults))
			}
		}
	}
}

// TestMembersAreDocumented: every member that the reader knows is named.
func TestMembersAreDocumented(t *testing.T) {
	text, err := os.ReadFile("../../../docs/amendment.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range entryMembers {
		if !strings.Contains(string(text), "`"+name+"`") {
			t.Errorf("docs/amendment.md does not name %q", name)
		}
	}
}

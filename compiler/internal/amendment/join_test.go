package amendment

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/openrpc-go/rpcgen/compiler/internal/contract"
	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/runtime/compiled"
	"github.com/openrpc-go/rpcgen/runtime/effect"
	"github.com/openrpc-go/rpcgen/runtime/schema"
)

func entry(name, members string) string { return fmt.Sprintf("%q: {%s}", name, members) }

func pinned(name, members string) string {
	return entry(name, members+`, pin: "`+pinOf("w", "r")+`"`)
}

func TestJoin(t *testing.T) {
	tests := []struct {
		name   string
		entry  string
		state  compiled.State
		code   string // of the only diagnostic; "" for none
		closed []string
	}{
		{"no entry", pinned("b", "use: lookup"), compiled.Undecided, "", nil},
		{"pin fits", pinned("a", "use: lookup"), compiled.Open, "", nil},
		{"wire moved", entry("a", `use: lookup, pin: "`+pinOf("old", "r")+`"`), compiled.Stale, StaleEntry, nil},
		{"wire and result moved", entry("a", `use: lookup, pin: "`+pinOf("old", "old")+`"`), compiled.Stale, StaleEntry, nil},
		{"result moved", entry("a", `use: lookup, pin: "`+pinOf("w", "old")+`"`), compiled.Open, ResultMoved, []string{"agent"}},
		{"no pin", entry("a", "use: lookup"), compiled.Stale, MissingPin, nil},
		{"refused", entry("a", `refused: "no"`), compiled.Refused, "", nil},
		{"refused, pin moved", entry("a", `refused: "no", pin: "`+pinOf("old", "old")+`"`), compiled.Refused, "", nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c, digests := billing("a", "b")
			j, faults := Join(c, nil, digests, mustRead(t, amend(test.entry)))
			got := j.Authorities[0]
			if got.State != test.state || !slices.Equal(got.ClosedTo, test.closed) {
				t.Errorf("got %+v, want state %s closed to %v", got, test.state, test.closed)
			}
			if (got.Effect != "") != (test.state == compiled.Open) {
				t.Errorf("state %s has effect %q", got.State, got.Effect)
			}
			if codes := codesOf(faults); codes != test.code {
				t.Errorf("diagnostics %q, want %q", codes, test.code)
			}
			for _, d := range faults {
				if d.Severity != diag.Warning || d.Position.Line != 7 || d.Position.Column != 3 || d.Advice == "" && d.Run == nil {
					t.Errorf("diagnostic is not a warning at 7:3 with advice:\n%s", show(faults))
				}
			}
		})
	}
}

func codesOf(l diag.List) string {
	var codes []string
	for _, d := range l {
		codes = append(codes, d.Code)
	}
	return strings.Join(codes, " ")
}

func TestJoinWithoutAmendment(t *testing.T) {
	c, digests := billing("a", "b")
	c.Methods[1].Faults.Add(diag.Diagnostic{Code: "x", Severity: diag.Error})
	j, faults := Join(c, nil, digests, nil)
	want := &Joined{
		Authorities: []compiled.Authority{{State: compiled.Undecided}, {State: compiled.Uncompiled}},
		Entries:     []*Entry{nil, nil},
		GoNames:     []string{"", ""},
		NoParams:    []string{"", ""},
		Exact:       map[*schema.Node]bool{},
		Counts:      Counts{Undecided: 1, Uncompiled: 1},
	}
	want.Contract = j.Contract
	if diff := cmp.Diff(want, j); diff != "" || len(faults) > 0 {
		t.Errorf("joined (-want +got):\n%s\n%s", diff, show(faults))
	}
}

func TestJoinOtherContract(t *testing.T) {
	a := mustRead(t, amend(pinned("a", "use: lookup")))
	c, digests := billing("a")
	c.ID = "ledger"
	j, faults := Join(c, nil, digests, a)
	if j.Counts != (Counts{Undecided: 1}) || j.Entries[0] != nil {
		t.Errorf("something of the file was used: %+v", j)
	}
	want := "2:11: other-contract: the amendment is for contract \"billing\", this is contract \"ledger\" (/contract)\n" +
		"    advice: name the right amendment in rpcgen.yaml, or correct the contract member\n"
	if got := show(faults); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestJoinOrphans(t *testing.T) {
	a := mustRead(t, amend(pinned("invoice.gte", "use: lookup"), pinned("invoice.get", "use: lookup"), pinned("zzz", "use: money")))
	c, digests := billing("invoice.get", "invoice.pay")
	j, faults := Join(c, nil, digests, a)
	if len(j.Orphans) != 2 || j.Orphans[0].Method != "invoice.gte" || j.Orphans[1].Method != "zzz" {
		t.Errorf("orphans %+v", j.Orphans)
	}
	if j.Counts != (Counts{Read: 1, Undecided: 1}) {
		t.Errorf("an orphan closed something: %s", j.Counts)
	}
	want := `7:3: warning orphan-entry: contract "billing" has no method "invoice.gte" (/methods/invoice.gte)
    advice: did you mean "invoice.get"?
9:3: warning orphan-entry: contract "billing" has no method "zzz" (/methods/zzz)
    advice: remove the entry, or correct its name
`
	if got := show(faults); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestJoinUncompiled(t *testing.T) {
	a := mustRead(t, amend(pinned("a", "use: lookup"), entry("b", `refused: "no"`)))
	c, digests := billing("a", "b", "c")
	for _, m := range c.Methods {
		m.Faults.Add(diag.Diagnostic{Code: "beyond", Severity: diag.Error})
	}
	c.Methods[2].Faults[0].Severity = diag.Warning
	digests[0], digests[1] = compiled.Digests{}, compiled.Digests{}
	j, faults := Join(c, nil, digests, a)
	states := []compiled.State{j.Authorities[0].State, j.Authorities[1].State, j.Authorities[2].State}
	if !slices.Equal(states, []compiled.State{compiled.Uncompiled, compiled.Uncompiled, compiled.Undecided}) {
		t.Errorf("states %v", states)
	}
	if codes := codesOf(faults); codes != UncompiledEntry {
		t.Errorf("diagnostics %q", codes)
	}
}

// TestJoinUndoThatIsGone: what the contract cannot undo is not reversible.
func TestJoinUndoThatIsGone(t *testing.T) {
	a := mustRead(t, amend(
		pinned("a", "effect: write, rollback: {class: reversible, by: b}"),
		pinned("b", "effect: write, rollback: {class: reversible, by: gone}")))
	c, digests := billing("a", "b")
	j, faults := Join(c, nil, digests, a)
	if got, want := j.Authorities[0].Rollback, (effect.Rollback{Class: effect.RollbackReversible, By: "b"}); got != want {
		t.Errorf("rollback %+v, want %+v", got, want)
	}
	if got, want := j.Authorities[1].Rollback, (effect.Rollback{Class: effect.RollbackUnknown}); got != want {
		t.Errorf("rollback %+v, want %+v", got, want)
	}
	if codes := codesOf(faults); codes != UnknownRollback {
		t.Errorf("diagnostics %q", codes)
	}
	if a.Entries[1].Granted.Rollback.By != "gone" {
		t.Error("joining changed the file")
	}
}

// TestJoinNotification: an entry does not open a notification by itself.
func TestJoinNotification(t *testing.T) {
	a := mustRead(t, amend(pinned("a", "use: lookup"), pinned("b", "use: lookup, notification: allow"),
		pinned("c", "use: lookup, notification: allow")))
	c, digests := billing("a", "b", "c")
	c.Methods[0].Result, c.Methods[1].Result = nil, nil
	j, faults := Join(c, nil, digests, a)
	if codes := codesOf(faults); codes != ClosedNotification+" "+NoNotification {
		t.Errorf("diagnostics %q", codes)
	}
	if j.Authorities[0].Notify || !j.Authorities[1].Notify {
		t.Errorf("notify %v and %v, want false and true", j.Authorities[0].Notify, j.Authorities[1].Notify)
	}
}

func TestCounts(t *testing.T) {
	a := mustRead(t, amend(
		pinned("r1", "use: lookup"), pinned("r2", "use: lookup, code: deny, agents: deny"),
		entry("r3", `use: lookup, pin: "`+pinOf("w", "old")+`"`),
		pinned("w1", "use: money"), pinned("w2", "effect: write"),
		pinned("d1", "effect: destructive, agents: ask"), pinned("d2", "effect: destructive"), pinned("n1", "use: money"),
		entry("x1", `refused: "no"`),
		entry("s1", "use: lookup"), pinned("orphan", "use: lookup")))
	c, digests := billing("r1", "r2", "r3", "w1", "w2", "d1", "x1", "s1", "u1", "u2", "u3", "broken", "d2", "n1")
	c.Methods[11].Faults.Add(diag.Diagnostic{Severity: diag.Error})
	c.Methods[13].Result = nil // a notification, which its entry does not allow
	j, _ := Join(c, nil, digests, a)
	want := "2 read, 2 write, 1 destructive, 4 refused; unclassified: 3 undecided, 1 stale"
	if got := j.Counts.String(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if j.Counts.Uncompiled != 1 || j.Counts.Open() != 5 {
		t.Errorf("uncompiled %d, open %d", j.Counts.Uncompiled, j.Counts.Open())
	}
}

// TestMovedDigestCloses: no change of wire leaves an entry effective, and none
// of result leaves it to agents, whatever the entry says.
func TestMovedDigestCloses(t *testing.T) {
	for _, c := range allCells() {
		text := amend(pinned("a", c.String()))
		f, _ := readText(text)
		if f == nil {
			continue
		}
		methods, digests := billing("a")
		digests[0].Wire = hash("new")
		if j, _ := Join(methods, nil, digests, f); j.Authorities[0].State != compiled.Stale || j.Authorities[0].Effect != "" {
			t.Errorf("{%s}: wire moved, got %+v", c, j.Authorities[0])
		}
		digests[0] = digestsOf("w", "new")
		if j, _ := Join(methods, nil, digests, f); !slices.Contains(j.Authorities[0].ClosedTo, Agent) {
			t.Errorf("{%s}: result moved, got %+v", c, j.Authorities[0])
		}
		digests[0] = digestsOf("w", "r")
		digests[0].Text, digests[0].Doc = hash("new"), hash("newer")
		if j, faults := Join(methods, nil, digests, f); len(faults) > 0 || j.Authorities[0].ClosedTo != nil {
			t.Errorf("{%s}: only words moved, got %+v", c, j.Authorities[0])
		}
	}
}

func large(n int) (string, *contract.Contract, []compiled.Digests) {
	names, entries := make([]string, n), make([]string, n)
	for i := range n {
		names[i] = fmt.Sprintf("group%d.method%d", i%37, i)
		use := []string{"lookup", "money"}[i%2]
		entries[i] = pinned(names[i], "use: "+use+`, flow: {returns: secret}, note: "kept by hand"`)
	}
	c, digests := billing(names...)
	return amend(entries...), c, digests
}

// TestThousandEntriesAreFast takes the best of a few runs, because the machine
// may be busy with other packages.
func TestThousandEntriesAreFast(t *testing.T) {
	const limit = 100 * time.Millisecond
	text, c, digests := large(1000)
	best := time.Hour
	for range 30 {
		start := time.Now()
		j, faults := Join(c, nil, digests, mustRead(t, text))
		best = min(best, time.Since(start))
		if len(faults) > 0 || j.Counts.Open() != 1000 {
			t.Fatalf("joined %s, faults:\n%s", j.Counts, show(faults))
		}
		if best < limit {
			return
		}
	}
	t.Errorf("1,000 entries take %v, the limit is %v", best, limit)
}

// TestForeignDocumentIsFast: entries for another document stay cheap.
func TestForeignDocumentIsFast(t *testing.T) {
	text, c, digests := large(1000)
	for _, m := range c.Methods {
		m.Name = "other." + m.Name
	}
	start := time.Now()
	j, _ := Join(c, nil, digests, mustRead(t, text))
	if took := time.Since(start); len(j.Orphans) != 1000 || took > 3*time.Second {
		t.Errorf("%d orphans in %v", len(j.Orphans), took)
	}
}

func BenchmarkThousandEntries(b *testing.B) {
	text, c, digests := large(1000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if j, _ := Join(c, nil, digests, mustRead(b, text)); j.Counts.Open() != 1000 {
			b.Fatal(j.Counts)
		}
	}
}

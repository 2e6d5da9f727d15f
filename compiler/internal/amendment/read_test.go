package amendment

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openrpc-go/rpcgen/compiler/internal/pin"
	"github.com/openrpc-go/rpcgen/runtime/compiled"
	"github.com/openrpc-go/rpcgen/runtime/effect"
)

func TestReadEverySupportedMember(t *testing.T) {
	text, err := os.ReadFile("testdata/valid/all.yaml")
	if err != nil {
		t.Fatal(err)
	}
	f := mustRead(t, strings.NewReplacer("PIN", pinOf("w", "r"), "t:TEXT", pin.OfText(digestsOf("w", "r"))).Replace(string(text)))
	got := make(map[string]compiled.Authority)
	for _, e := range f.Entries {
		got[e.Method] = e.Granted
	}
	confidential := effect.Flow{Sends: effect.Confidential, Returns: effect.Confidential}
	want := map[string]compiled.Authority{
		"read.defaults": {
			State: compiled.Open, Effect: effect.Read, Right: effect.RightRead, Code: effect.Allow, Agents: effect.Allow,
			Flow: confidential, Rollback: effect.Rollback{Class: effect.RollbackNotRequired}, Until: "2027-05-31",
		},
		"write.defaults": {
			State: compiled.Open, Effect: effect.Write, Right: effect.RightWrite, Code: effect.Allow, Agents: effect.Ask,
			Flow: confidential, Rollback: effect.Rollback{Class: effect.RollbackUnknown}, Until: "2027-05-31",
		},
		"destructive.defaults": {
			State: compiled.Open, Effect: effect.Destructive, Right: effect.RightWrite, Code: effect.Deny, Agents: effect.Deny,
			Flow: confidential, Rollback: effect.Rollback{Class: effect.RollbackUnknown}, Until: "2027-05-31",
		},
		"everything": {
			State: compiled.Open, Effect: effect.Write, Right: effect.RightExecute, Code: effect.Ask, Agents: effect.Allow,
			Flow:       effect.Flow{Sends: effect.Public, Returns: effect.Secret},
			Rollback:   effect.Rollback{Class: effect.RollbackReversible, By: "write.defaults"},
			Idempotent: true, Closed: true, Report: true, Notify: true,
			Until: "2026-12-31", Reason: "because", Text: "Does everything.", TextRead: digestsOf("w", "r").Text,
			Terms: compiled.Terms{
				Budget: &compiled.Budget{Calls: 20, Seconds: 86400},
				Limits: &compiled.Limits{RequestBytes: 1024, ResponseBytes: 8 << 20, Milliseconds: 120_000},
			},
		},
		"rule": {
			State: compiled.Open, Effect: effect.Write, Right: effect.RightWrite, Code: effect.Allow, Agents: effect.Deny,
			Flow: confidential, Rollback: effect.Rollback{Class: effect.RollbackUnknown}, Until: "2027-05-31",
		},
		"profile.alone": {
			State: compiled.Open, Effect: effect.Write, Right: effect.RightWrite, Code: effect.Allow, Agents: effect.Allow,
			Flow:     effect.Flow{Sends: effect.Secret, Returns: effect.Confidential},
			Rollback: effect.Rollback{Class: effect.RollbackReversible, By: "write.defaults"}, Until: "2027-05-31",
			Reason: "shared",
		},
		"profile.overridden": {
			State: compiled.Open, Effect: effect.Write, Right: effect.RightWrite, Code: effect.Deny, Agents: effect.Ask,
			Flow:     effect.Flow{Sends: effect.Secret, Returns: effect.Internal},
			Rollback: effect.Rollback{Class: effect.RollbackIrreversible}, Until: "2027-05-31",
			Reason: "own",
		},
		"refused": {},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("granted (-want +got):\n%s", diff)
	}
}

func TestReadKeepsWhoDecided(t *testing.T) {
	f := mustRead(t, `
version: "1"
contract: billing
review: {by: ops, on: "2026-11-30", until: "2027-05-31"}
methods:
  a: {effect: read}
  b: {effect: read, review: {by: anna, until: "2026-12-31"}, note: "a note"}
  c: {refused: "never", note: "another"}
`)
	want := []Review{
		{By: "ops", On: "2026-11-30", Until: "2027-05-31"},
		{By: "anna", On: "2026-11-30", Until: "2026-12-31"},
		{By: "ops", On: "2026-11-30", Until: "2027-05-31"},
	}
	for i, e := range f.Entries {
		if e.Review != want[i] {
			t.Errorf("%s: review %+v, want %+v", e.Method, e.Review, want[i])
		}
	}
	if f.Entries[1].Note != "a note" || f.Entries[2].Note != "another" || f.Entries[2].Refused != "never" {
		t.Errorf("notes and reasons are lost: %+v %+v", f.Entries[1], f.Entries[2])
	}
	if p := f.Entries[1].Position(); p.Line != 7 || p.Column != 3 {
		t.Errorf("entry b stands at %s, want 7:3", p)
	}
}

// TestReadNothingDecided: the smallest file decides nothing, and is right.
func TestReadNothingDecided(t *testing.T) {
	f := mustRead(t, "version: \"1\"\ncontract: billing\n")
	if len(f.Entries) != 0 {
		t.Errorf("%d entries", len(f.Entries))
	}
}

// TestReadJSON: the same format in JSON is read alike.
func TestReadJSON(t *testing.T) {
	f := mustRead(t, `{"version": "1", "contract": "billing", "methods": {"a": {"effect": "read"}}}`)
	if f.Entries[0].Granted.Effect != effect.Read {
		t.Errorf("granted %+v", f.Entries[0].Granted)
	}
}

// TestReadInvalid reads files with faults. Each is refused whole, and every
// fault in it is reported in the order of the file.
func TestReadInvalid(t *testing.T) {
	for _, path := range cases(t, "testdata/invalid/*.yaml") {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".yaml"), func(t *testing.T) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			f, faults := readText(string(text))
			if f != nil || !faults.HasErrors() {
				t.Fatal("the file was accepted")
			}
			for _, d := range faults {
				if d.Position.Line == 0 {
					t.Errorf("%s: %s has no position", d.Code, d.Message)
				}
			}
			golden(t, strings.TrimSuffix(path, ".yaml")+".txt", show(faults))
		})
	}
}

func FuzzRead(f *testing.F) {
	for _, pattern := range []string{"testdata/invalid/*.yaml", "testdata/valid/*.yaml"} {
		paths, _ := filepath.Glob(pattern)
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(string(text))
		}
	}
	c, g, digests := published()
	pay, get := pin.Of(digests[0]), pin.Of(digests[1])
	f.Add(amend(`"get": {use: lookup, pin: "` + get + `"}`))
	for _, members := range []string{
		`agents: {otherwise: ask, allow_if: {properties: {amount: {maximum: 5}}, anyOf: [{required: [lines]}, {not: {const: 1}}]}}`,
		`read_back: {method: get, map: {id: /result/id}}, idempotency: {key: /id}, exact: [/params/amount, "/params/lines/*/price"]`,
		`param_structure: by-position, id: x, go_name: Y, budget: {calls: 1, per: 1h}, limits: {timeout: 1s}`,
	} {
		f.Add(amend(`"pay": {effect: write, pin: "`+pay+`", `+members+`}`, `"get": {effect: read, pin: "`+get+`"}`))
	}
	f.Fuzz(func(t *testing.T, text string) {
		file, faults := readText(text)
		if (file == nil) != faults.HasErrors() {
			t.Fatalf("file %v, faults:\n%s", file != nil, show(faults))
		}
		if file == nil {
			return
		}
		for _, e := range file.Entries {
			checkEntry(t, e)
		}
		joined, _ := Join(c, g, digests, file)
		if n := joined.Counts.Open(); n > len(file.Entries) {
			t.Fatalf("%d methods are open with %d entries", n, len(file.Entries))
		}
	})
}

// checkEntry holds an accepted entry against what every accepted entry is.
func checkEntry(t *testing.T, e *Entry) {
	t.Helper()
	if e.Refused != "" {
		if !cmp.Equal(e.Granted, compiled.Authority{}) {
			t.Fatalf("%q is refused and granted %+v", e.Method, e.Granted)
		}
		return
	}
	a := e.Granted
	if !a.Effect.Valid() || !a.Right.Valid() || !a.Code.Valid() || !a.Agents.Valid() || !a.Rollback.Class.Valid() ||
		!a.Flow.Sends.Valid() || !a.Flow.Returns.Valid() {
		t.Fatalf("%q is granted something invalid: %+v", e.Method, a)
	}
	if a.Effect == effect.Destructive && (a.Agents == effect.Allow || e.Use != "") {
		t.Fatalf("%q is destructive: %+v", e.Method, a)
	}
	if a.Effect == effect.Write && a.Agents == effect.Allow && e.Standing == "" {
		t.Fatalf("%q may be written by agents for no reason", e.Method)
	}
}

package lock

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
	"github.com/openrpc-go/rpcgen/runtime/compiled"
	"github.com/openrpc-go/rpcgen/runtime/effect"
)

var update = flag.Bool("update", false, "rewrite the expected lock")

func digest(seed byte) string {
	return "sha256:" + strings.Repeat(fmt.Sprintf("%02x", seed), 32)
}

func digests(seed byte) compiled.Digests {
	return compiled.Digests{Wire: digest(seed), Result: digest(seed + 1), Text: digest(seed + 2), Doc: digest(seed + 3)}
}

func sample() *Lock {
	return &Lock{
		Version: Version,
		Tool:    "v0.1.0",
		Contracts: []Contract{
			{
				ID: "billing", Digest: digest(1), Package: "internal/billing", DefaultServer: "https://billing.example.com/rpc",
				Authority: "1 read, 0 write, 0 destructive, 0 refused; unclassified: 0 undecided, 1 stale",
				Inputs: []Input{
					{"contracts/billing.amend.yaml", Amendment, digest(2)},
					{"contracts/billing.json", Document, digest(3)},
				},
				Outputs: []Output{{"client.go", digest(4)}, {"contract.json", digest(5)}},
				Methods: []Method{
					{Name: "a<b>\u202e\U0001f600\u007f", Class: ClassRead, ClosedTo: []string{"agent"}, Digests: digests(10)},
					{Name: "invoice.pay", Class: ClassStale, Digests: digests(20)},
				},
				Stale: []Shape{{"invoice.pay", "w:x r:y", json.RawMessage(`{"b":1.50,"a":[true,null]}`)}},
			},
			{ID: "empty", Digest: digest(6), Package: "empty", Authority: "none"},
		},
	}
}

func write(t *testing.T, l *Lock) []byte {
	t.Helper()
	b, err := l.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func readText(text []byte) (*Lock, diag.List) {
	f, err := source.Read(Name, text, source.Limits{})
	if err != nil {
		d, _ := diag.From(err)
		return nil, diag.List{d}
	}
	return Read(f)
}

func TestBytes(t *testing.T) {
	got := write(t, sample())
	if *update {
		if err := os.WriteFile("testdata/rpcgen.lock", got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/rpcgen.lock")
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%v, got\n%s", err, got)
	}
	for _, c := range got {
		if c != '\n' && (c < ' ' || c > '~') {
			t.Fatalf("byte %#x in the lock", c)
		}
	}
}

// TestBytesAreDeterministic shuffles every list; the bytes stay.
func TestBytesAreDeterministic(t *testing.T) {
	want := write(t, sample())
	for range 50 {
		l := sample()
		shuffle(l.Contracts)
		for _, c := range l.Contracts {
			shuffle(c.Inputs)
			shuffle(c.Outputs)
			shuffle(c.Methods)
		}
		before := fmt.Sprintf("%v", l)
		if got := write(t, l); !bytes.Equal(got, want) {
			t.Fatalf("got\n%s\nwant\n%s", got, want)
		}
		if fmt.Sprintf("%v", l) != before {
			t.Fatal("Bytes changed the lock")
		}
	}
}

func shuffle[T any](list []T) {
	rand.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
}

func TestReadBack(t *testing.T) {
	l, faults := readText(write(t, sample()))
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	if diff := cmp.Diff(sample(), l); diff != "" {
		t.Errorf("read back (-want +got):\n%s", diff)
	}
	if got := write(t, l); !bytes.Equal(got, write(t, sample())) {
		t.Error("the bytes moved")
	}
}

// TestReadBackNamesOfDocuments: a document may name its methods as it likes.
func TestReadBackNamesOfDocuments(t *testing.T) {
	l := &Lock{Version: Version, Tool: "x", Contracts: []Contract{
		{ID: "a", Digest: digest(1), Package: "a", Authority: "none", DefaultServer: strings.Repeat("s", 10000)}}}
	for _, name := range []string{"", " ", "\t\n", "\u2028", "\u00e4", "\U0001f600", strings.Repeat("n", 10000), `"\`} {
		l.Contracts[0].Methods = append(l.Contracts[0].Methods, Method{Name: name, Class: ClassUndecided, Digests: digests(1)})
	}
	got, faults := readText(write(t, l))
	if len(faults) > 0 || len(Compare(l, got)) > 0 {
		t.Errorf("%d faults, %d changes", len(faults), len(Compare(l, got)))
	}
}

func TestReadInvalid(t *testing.T) {
	good := string(write(t, sample()))
	tests := []struct{ name, old, new, code string }{
		{"not JSON", "{\n", "{{\n", source.CodeSyntaxJSON},
		{"member twice", `"tool": "v0.1.0",`, `"tool": "v0.1.0", "tool": "v0.1.0",`, source.CodeDuplicateKey},
		{"unknown member", `"tool"`, `"tools"`, "unknown-key"},
		{"member missing", `"tool": "v0.1.0",`, ``, "missing-key"},
		{"newer", `"rpcgen_lock": "1"`, `"rpcgen_lock": "2"`, UnsupportedVersion},
		{"short digest", digest(1), digest(1)[:20], BadDigest},
		{"upper-case digest", digest(10), strings.ToUpper(digest(10)), BadDigest},
		{"class nobody knows", `"class": "stale"`, `"class": "open"`, "wrong-value"},
		{"out of order", `"file": "client.go"`, `"file": "z.go"`, Disorder},
		{"file twice", `"file": "client.go"`, `"file": "contract.json"`, Disorder},
		{"id", `"contract": "empty"`, `"contract": "Empty"`, "wrong-value"},
		{"role", `"role": "document"`, `"role": "grant"`, "wrong-value"},
		{"null", `"tool": "v0.1.0"`, `"tool": null`, "empty-value"},
		{"list of another type", `"outputs": []`, `"outputs": {}`, "wrong-type"},
		{"merge conflict", "  \"tool\"", "<<<<<<< ours\n  \"tool\"", source.CodeMergeConflict},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			text := strings.Replace(good, test.old, test.new, 1)
			if text == good {
				t.Fatal("the case changes nothing")
			}
			l, faults := readText([]byte(text))
			if l != nil || !hasCode(faults, test.code) {
				t.Fatalf("read %v, want %s, got %v", l != nil, test.code, faults)
			}
			for _, d := range faults {
				if d.Position.Line == 0 {
					t.Errorf("%s has no position", d.Code)
				}
			}
		})
	}
}

func hasCode(l diag.List, code string) bool {
	for _, d := range l {
		if d.Code == code {
			return true
		}
	}
	return false
}

func TestCompare(t *testing.T) {
	now := sample()
	now.Tool = "v0.2.0"
	b := &now.Contracts[0]
	b.DefaultServer = ""
	b.Inputs[1].Digest = digest(99)
	b.Outputs = append(b.Outputs[:1], Output{"types.go", digest(7)})
	b.Methods[0].ClosedTo = nil
	b.Methods[1] = Method{Name: "invoice.pay", Class: ClassWrite, Digests: digests(20)}
	b.Methods[1].Digests.Text = digest(98)
	now.Contracts = append(now.Contracts[:1], Contract{ID: "new", Package: "new"})
	want := []Change{
		{"", ToolChanged, "", "v0.1.0", "v0.2.0"},
		{"billing", ClassChanged, "invoice.pay", "stale", "write"},
		{"billing", ClosedToChanged, b.Methods[0].Name, "agent", ""},
		{"billing", InputChanged, "contracts/billing.json", digest(3), digest(99)},
		{"billing", OutputChanged, "contract.json", digest(5), ""},
		{"billing", OutputChanged, "types.go", "", digest(7)},
		{"billing", ServerChanged, "", "https://billing.example.com/rpc", ""},
		{"billing", TextChanged, "invoice.pay", digest(22), digest(98)},
		{"empty", ContractChanged, "", "empty", ""},
		{"new", ContractChanged, "", "", "new"},
	}
	if diff := cmp.Diff(want, Compare(sample(), now)); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
	if changes := Compare(sample(), sample()); len(changes) > 0 {
		t.Errorf("a lock differs from itself: %v", changes)
	}
	if changes := Compare(nil, sample()); len(changes) == 0 || changes[0].Was != "" {
		t.Errorf("against nothing: %v", changes)
	}
}

func TestCloses(t *testing.T) {
	for _, test := range []struct {
		was, now Class
		want     bool
	}{
		{ClassRead, ClassStale, true}, {ClassWrite, ClassUncompiled, true}, {ClassDestructive, ClassStale, true},
		{ClassRead, ClassRefused, false}, {ClassRead, ClassUndecided, false}, {ClassRead, ClassWrite, false},
		{ClassStale, ClassUncompiled, false}, {"", ClassStale, false}, {ClassRead, "", false},
	} {
		c := Change{Kind: ClassChanged, Was: string(test.was), Now: string(test.now)}
		if got := c.Closes(); got != test.want {
			t.Errorf("%s -> %s closes: %v", test.was, test.now, got)
		}
	}
}

func TestClassOf(t *testing.T) {
	for want, a := range map[Class]compiled.Authority{
		ClassRead:        {State: compiled.Open, Effect: effect.Read},
		ClassDestructive: {State: compiled.Open, Effect: effect.Destructive},
		ClassRefused:     {State: compiled.Refused},
		ClassUncompiled:  {State: compiled.Uncompiled},
		ClassStale:       {State: compiled.Stale},
		ClassUndecided:   {State: compiled.Undecided},
	} {
		if got := ClassOf(a); got != want {
			t.Errorf("ClassOf(%+v) = %s, want %s", a, got, want)
		}
	}
}

// TestClassOfNobody: what an entry denies to everybody is no open method, and one
// that only agents had is closed when its result moves.
func TestClassOfNobody(t *testing.T) {
	denied := compiled.Authority{State: compiled.Open, Effect: effect.Destructive, Code: effect.Deny, Agents: effect.Deny}
	if got := ClassOf(denied); got != ClassRefused {
		t.Errorf("denied to everybody is %s", got)
	}
	agents := compiled.Authority{State: compiled.Open, Effect: effect.Read, Code: effect.Deny, Agents: effect.Allow}
	was := ClassOf(agents)
	agents.ClosedTo = []string{"agent"}
	if c := (Change{Kind: ClassChanged, Was: string(was), Now: string(ClassOf(agents))}); was != ClassRead || !c.Closes() {
		t.Errorf("a moved result takes a method of agents alone from %s to %s, which closes nothing", c.Was, c.Now)
	}
}

func FuzzRead(f *testing.F) {
	b, err := sample().Bytes()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Add([]byte(`{"rpcgen_lock": "1", "tool": "x", "contracts": []}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		l, faults := readText(text)
		if (l == nil) != faults.HasErrors() {
			t.Fatalf("lock %v, faults %v", l != nil, faults)
		}
		if l == nil {
			return
		}
		again, faults := readText(write(t, l))
		if again == nil {
			t.Fatalf("our own bytes are refused: %v", faults)
		}
		if changes := Compare(l, again); len(changes) > 0 {
			t.Fatalf("moved: %v", changes)
		}
	})
}

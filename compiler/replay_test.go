package compiler_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/openrpc-go/rpcgen/compiler"
)

// ethereum compiles the document that the recordings are held against.
func ethereum(t testing.TB) (c *compiler.Compilation, recordings string) {
	t.Helper()
	shared := filepath.Join("..", "..", "shared", "corpus")
	if _, err := os.Stat(shared); err != nil {
		t.Skipf("no corpus of recordings: %v", err)
	}
	document, err := filepath.Abs(filepath.Join(shared, "openrpc", "ethereum-execution-apis", "openrpc.json"))
	if err != nil {
		t.Fatal(err)
	}
	project, err := compiler.Single{Document: document, Out: "eth"}.Project()
	if err != nil {
		t.Fatal(err)
	}
	c, err = project.Compile(project.Targets[0], time.Now)
	if err != nil || c.Failed() {
		t.Fatalf("the document does not compile: %v", err)
	}
	return c, filepath.Join(shared, "recordings")
}

// TestReplayRecordings replays published recordings. Every misfit is in a list
// with its explanation, and everything in the list occurs.
func TestReplayRecordings(t *testing.T) {
	c, recordings := ethereum(t)
	byRecording := func(folder string) func(compiler.ReplayExchange) string {
		return func(x compiler.ReplayExchange) string {
			name, _ := filepath.Rel(folder, filepath.FromSlash(string(x.File)))
			return filepath.ToSlash(name)
		}
	}
	byMethod := func(x compiler.ReplayExchange) string {
		if x.Method == "" {
			return "-"
		}
		return string(x.Method)
	}
	rows := []struct {
		name   string
		key    func(compiler.ReplayExchange) string
		totals compiler.ReplayTotals
	}{
		{"execution-apis", byRecording(filepath.Join(recordings, "execution-apis")), compiler.ReplayTotals{
			Files: 180, Exchanges: 181, Skipped: 3,
			Requests:  compiler.ReplayRequests{Fit: 158, Misfit: 23, Refused: 11},
			Responses: compiler.ReplayResponses{Fit: 133, Misfit: 1, Declared: 25, Undeclared: 15, Unjudged: 7},
			Methods:   compiler.ReplayMethods{Exercised: 37, Never: 41},
		}},
		{"besu", byMethod, compiler.ReplayTotals{
			Files: 220, Exchanges: 220, Skipped: 2,
			Requests:  compiler.ReplayRequests{Fit: 141, Misfit: 77, Refused: 25, Unsupported: 2},
			Responses: compiler.ReplayResponses{Fit: 134, Misfit: 38, Declared: 10, Undeclared: 34, Unjudged: 2, Unsupported: 2},
			Methods:   compiler.ReplayMethods{Exercised: 39, Never: 39},
		}},
		// These are schemas with examples, no exchanges: all of them are skipped.
		{"core-lightning", byMethod, compiler.ReplayTotals{Skipped: 113, Methods: compiler.ReplayMethods{Never: 78}}},
	}
	for _, row := range rows {
		got, found, err := c.Replay([]string{filepath.Join(recordings, row.name)})
		if err != nil || got == nil {
			t.Fatalf("Replay(%s): %v, %v", row.name, err, found)
		}
		if got.Totals != row.totals {
			t.Errorf("%s: totals are %+v, want %+v", row.name, got.Totals, row.totals)
		}
		misfits := map[string]int{}
		for _, x := range got.Exchanges {
			for _, f := range x.Findings {
				if f.Misfit {
					misfits[fmt.Sprintf("%s %s %s %s %s", row.key(x), f.Side, f.Code, orDash(string(f.Pointer)), orDash(f.Keyword))]++
				}
			}
		}
		compareLists(t, row.name, misfits)
	}
}

func orDash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

// compareLists holds misfits against testdata/replay/NAME.txt.
func compareLists(t *testing.T, name string, got map[string]int) {
	t.Helper()
	want := map[string]int{}
	text, err := os.ReadFile(filepath.Join("testdata", "replay", name+".txt"))
	if err != nil && len(got) > 0 {
		t.Fatal(err)
	}
	explained := false
	for i, line := range strings.Split(string(text), "\n") {
		entry, indented := strings.CutPrefix(line, "  ")
		switch {
		case line == "", strings.HasPrefix(line, "#"):
			explained = false
		case !indented:
			explained = true
		case !explained:
			t.Errorf("%s.txt:%d: nothing explains this misfit", name, i+1)
		default:
			count, key, _ := strings.Cut(entry, " ")
			if want[key], err = strconv.Atoi(count); err != nil {
				t.Errorf("%s.txt:%d: %v", name, i+1, err)
			}
		}
	}
	keys := maps.Clone(want)
	maps.Copy(keys, got)
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		if got[key] != want[key] {
			t.Errorf("%s: %d times %s, the list has %d", name, got[key], key, want[key])
		}
	}
}

// TestReplayFaults: one file that cannot be read leaves no result, and the
// faults of all of them are reported.
func TestReplayFaults(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	document := write("api.json", `{"openrpc":"1.3.2","info":{"title":"a","version":"1"},"methods":[{"name":"m","params":[],"result":{"name":"r","schema":{}}}]}`)
	project, err := compiler.Single{Document: document, Out: filepath.Join(dir, "api")}.Project()
	if err != nil {
		t.Fatal(err)
	}
	c, err := project.Compile(project.Targets[0], time.Now)
	if err != nil {
		t.Fatal(err)
	}
	good := write("good.io", `>> {"jsonrpc":"2.0","id":1,"method":"m"}`)
	replayed, found, err := c.Replay([]string{good, write("b.io", "<< {}"), write("c.jsonl", "{oops")})
	if err != nil || replayed != nil {
		t.Fatalf("Replay of broken files gives %+v, %v", replayed, err)
	}
	var text strings.Builder
	if _, err := found.Print(&text, true); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"b.io:1:4: unmatched-response", "c.jsonl:1:2: json-syntax"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("the faults are\n%swhich lack %s", text.String(), want)
		}
	}
	if _, _, err := c.Replay([]string{filepath.Join(dir, "none")}); err == nil {
		t.Error("a file that is not there is no error")
	}
	if replayed, _, err := c.Replay([]string{good}); err != nil || !replayed.Fits || replayed.Totals.Responses.None != 1 {
		t.Errorf("Replay(good.io) = %+v, %v", replayed, err)
	}
}

// TestForeign: text of a recording reaches JSON and terminals escaped.
func TestForeign(t *testing.T) {
	const hostile = compiler.Foreign("\x1b[31m##[error]\u202e\n::set")
	text, err := hostile.MarshalJSON()
	if want := `"\u001b[31m##\u005berror]\u202e\u000a\u003a\u003aset"`; err != nil || string(text) != want && strings.ContainsAny(string(text), "\x1b\n\u202e") {
		t.Errorf("MarshalJSON = %s, %v", text, err)
	}
	if shown := hostile.String(); strings.ContainsAny(shown, "\x1b\n\u202e") {
		t.Errorf("String = %q", shown)
	}
}

// BenchmarkReplay replays the largest recording there is, 1.5 MB, file reading
// included.
func BenchmarkReplay(b *testing.B) {
	c, recordings := ethereum(b)
	path := filepath.Join(recordings, "besu", "acceptance", "engine", "cancun", "test-cases", "block-production", "08_cancun_send_blob_tx.json")
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(info.Size())
	b.ReportAllocs()
	for b.Loop() {
		if got, _, err := c.Replay([]string{path}); err != nil || got.Totals.Exchanges != 1 {
			b.Fatalf("%+v, %v", got, err)
		}
	}
}

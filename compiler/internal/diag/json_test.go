package diag_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

func jsonText(t testing.TB, l diag.List) string {
	t.Helper()
	var b strings.Builder
	if err := l.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestWriteJSON(t *testing.T) {
	root := read(t, "a.json", "{\"x\":\n 1}").Root
	got := jsonText(t, diag.List{
		diag.At(root.Get("x"), "bad", "%q is bad", "x").WithAdvice("mend it").WithRelated(root, "in here"),
		diag.Warn(nil, "odd", "nowhere"),
		{Code: "gone", Severity: diag.Error, Position: source.Position{File: &source.File{Name: "b"}}, Message: "alone"},
	})
	const want = `{"diagnostics": [
  {"code": "bad", "severity": "error", "file": "a.json", "line": 2, "column": 2, "pointer": "/x", "message": "\"x\" is bad", "advice": "mend it", "related": [{"file": "a.json", "line": 1, "column": 1, "message": "in here"}]},
  {"code": "odd", "severity": "warning", "pointer": "", "message": "nowhere"},
  {"code": "gone", "severity": "error", "file": "b", "pointer": "", "message": "alone"}
], "errors": 2, "warnings": 1, "notes": 0}
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := jsonText(t, nil); got != "{\"diagnostics\": [], \"errors\": 0, \"warnings\": 0, \"notes\": 0}\n" {
		t.Errorf("the empty list is %q", got)
	}
}

// TestWriteJSONHostile wants harmless bytes and exact values at once.
func TestWriteJSONHostile(t *testing.T) {
	got := jsonText(t, hostileList(t))
	checkHarmless(t, got)
	var back struct {
		Diagnostics []struct{ Code, Message, File, Advice string }
	}
	if err := json.Unmarshal([]byte(got), &back); err != nil {
		t.Fatal(err)
	}
	want := strings.ToValidUTF8(hostile, "\ufffd")
	for _, d := range back.Diagnostics {
		if d.Code != want || d.Message != want {
			t.Errorf("got %q, want %q", d.Message, want)
		}
	}
	if back.Diagnostics[0].File != want || back.Diagnostics[0].Advice != want {
		t.Errorf("got %q, want %q", back.Diagnostics[0].File, want)
	}
}

func FuzzWriteJSON(f *testing.F) {
	f.Add(hostile)
	f.Add("\U000e0041::::##a[[")
	f.Fuzz(func(t *testing.T, s string) {
		got := jsonText(t, diag.List{{Code: s, Severity: diag.Note, Message: s, Pointer: source.Pointer(s)}})
		checkHarmless(t, got)
		var back struct {
			Diagnostics []struct{ Code, Message, Pointer string }
		}
		if err := json.Unmarshal([]byte(got), &back); err != nil {
			t.Fatal(err)
		}
		var want strings.Builder
		for _, r := range s { // each broken byte by itself, as encoding/json has it
			want.WriteRune(r)
		}
		if d := back.Diagnostics[0]; d.Code != want.String() || d.Message != want.String() || d.Pointer != want.String() {
			t.Errorf("got %q, want %q", d.Message, want.String())
		}
	})
}

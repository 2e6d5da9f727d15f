package diag_test

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

func text(t testing.TB, o diag.TextOptions, l ...diag.Diagnostic) string {
	t.Helper()
	var b strings.Builder
	if err := diag.List(l).WriteText(&b, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestWriteText is the shape that STYLE section 5 shows.
func TestWriteText(t *testing.T) {
	root := read(t, "ledger.json", "{\"methods\": [\n\t{\"name\": \"a\"},\n\t{\"name\": \"a\"}\n]}").Root
	methods := root.Get("methods").Items
	got := text(t, diag.TextOptions{},
		diag.At(methods[1].Get("name"), "duplicate-method", "%q is already declared", "a").
			WithRelated(methods[0].Get("name"), "first declared here").WithAdvice("rename one of them"),
		diag.Warn(root, "odd-document", "looks odd"),
		diag.Noted(nil, "remark", "no place"),
		diag.Diagnostic{Code: "unreadable-file", Severity: diag.Error, Position: source.Position{File: &source.File{Name: "x.json"}}, Message: "permission denied"},
	)
	const want = `ledger.json:3:11: duplicate-method: "a" is already declared (/methods/1/name)
    ledger.json:2:11: first declared here
    3 |     {"name": "a"}
      |              ^
    advice: rename one of them
ledger.json:1:1: warning: odd-document: looks odd
    1 | {"methods": [
      | ^
note: remark: no place
x.json: unreadable-file: permission denied
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := text(t, diag.TextOptions{NoSource: true}, diag.Warn(root, "odd-document", "looks odd")); got != "ledger.json:1:1: warning: odd-document: looks odd\n" {
		t.Errorf("without source: %q", got)
	}
}

// TestExcerpt checks that the caret stands under the first cell of the value.
func TestExcerpt(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"tabs", "[\n\t \t@]", "        @]"},
		{"marks", "[\"e\u0301e\u0301\", @]", "[\"e\u0301e\u0301\", @]"},
		{"wide", `["日本", @]`, `["日本", @]`},
		{"invisible", "[\"\u202e\u200b\", @, \"\u2066\"]", `["\u202e\u200b", @, "\u2066"]`},
		{"command before", `["##vso[x", @]`, `["#\x23vso[x", @]`},
		{"command after", `[@, "##[error]"]`, `[@, "#\x23[error]"]`},
		{"long", "[" + strings.Repeat(`"abcdefgh",`, 50) + "@," + strings.Repeat(`"ijklmnop",`, 50) + "1]", ""},
		{"long wide", "[" + strings.Repeat(`"日本",`, 5000) + "@," + strings.Repeat(`"日本",`, 5000) + "1]", ""},
		{"long at end", "[" + strings.Repeat(`"abcdefgh",`, 50) + "@]", ""},
		{"long at start", "[@," + strings.Repeat(`"abcdefgh",`, 5000) + "1]", ""},
		{"long and invisible", "[\"" + strings.Repeat("\u202e", 300) + "\",@,\"" + strings.Repeat("\u202e", 300) + "\"]", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			// The value is a word that stands nowhere else in the text.
			root := read(t, "doc", strings.Replace(tt.in, "@", "777", 1)).Root
			var n *source.Node
			for _, item := range root.Items {
				if item.Text == "777" {
					n = item
				}
			}
			lines := strings.Split(text(t, diag.TextOptions{}, diag.At(n, "c", "m")), "\n")
			_, shown, _ := strings.Cut(lines[1], " | ")
			_, caret, _ := strings.Cut(lines[2], " | ")
			before, _, ok := strings.Cut(shown, "777")
			if !ok || width(before) != len(caret)-1 {
				t.Errorf("caret is off:\n%s\n%s", shown, caret)
			}
			if want := strings.Replace(tt.want, "@", "777", 1); want != "" && shown != want {
				t.Errorf("got %q, want %q", shown, want)
			}
			if width(shown) > 110 {
				t.Errorf("%d cells of source", width(shown))
			}
		})
	}
}

// width counts cells for the few kinds of characters in these tests.
func width(s string) int {
	w := 0
	for _, r := range s {
		switch {
		case r == '\u0301':
		case r > 0x2e80:
			w += 2
		default:
			w++
		}
	}
	return w
}

func TestEscape(t *testing.T) {
	tests := []struct{ in, want string }{
		{"plain ä 日本 😀", "plain ä 日本 😀"},
		{"a\nb\r\tc", `a\nb\r\tc`},
		{"\x1b[31m\x00\x7f", `\x1b[31m\x00\x7f`},
		{"\u009b31m", `\u009b31m`},
		{"a\u202eb\u2066\u200b\ufeff\u00ad", `a\u202eb\u2066\u200b\ufeff\u00ad`},
		{"\U000e0041\U0001f3f4", `\U000e0041` + "\U0001f3f4"},
		{"\u2028\u0085", `\u2028\u0085`},
		{"a\xffb\ufffd", `a\xffb\ufffd`},
		{"::error::x", `\x3a:error::x`},
		{"  ::add-mask::x", `  \x3a:add-mask::x`},
		{"a::b", "a::b"},
		{"x ##[error]y", `x #\x23[error]y`},
		{"##vso[task.setvariable]", `#\x23vso[task.setvariable]`},
		{"###teamcity[x]", `##\x23teamcity[x]`},
		{"## heading", "## heading"},
	}
	for _, tt := range tests {
		if got := diag.Escape(tt.in); got != tt.want {
			t.Errorf("Escape(%q) = %s, want %s", tt.in, got, tt.want)
		}
	}
}

// hostile is put into every place that foreign text can come from.
const hostile = "::error::x\n::stop-commands::y\r##[error]z\x1b]8;;u\x07\u202e##vso[task]\xff"

func hostileList(t testing.TB) diag.List {
	f := read(t, hostile, "{\"::error::a ##[x] \u202e \u0085\": 1}")
	d := diag.At(f.Root.Members[0].Value, hostile, "%s", hostile).WithAdvice(hostile).WithRelated(f.Root, hostile)
	d.Pointer = source.Pointer("/" + hostile)
	return diag.List{d, {Code: hostile, Severity: diag.Error, Message: hostile}}
}

func TestWriteTextHostile(t *testing.T) {
	got := text(t, diag.TextOptions{}, hostileList(t)...)
	if lines := strings.Count(got, "\n"); lines != 6 {
		t.Errorf("%d lines, want 6", lines)
	}
	checkHarmless(t, got)
}

func checkHarmless(t *testing.T, s string) {
	t.Helper()
	if !utf8.ValidString(s) {
		t.Errorf("not UTF-8: %q", s)
	}
	for line := range strings.Lines(s) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(strings.TrimLeft(line, " \t"), "::") || strings.Contains(line, "##[") || strings.Contains(line, "##vso[") {
			t.Errorf("a command survives: %q", line)
		}
		for _, r := range line {
			if !source.Visible(r) {
				t.Errorf("%U survives in %q", r, line)
			}
		}
	}
}

func TestWriteTextBoundsNames(t *testing.T) {
	root := read(t, "doc", `{"`+strings.Repeat("ä", 1<<20)+`": 1}`).Root
	got := text(t, diag.TextOptions{}, diag.At(root.Members[0].Value, "c", "m"))
	if len(got) > 5000 {
		t.Errorf("one diagnostic prints %d bytes", len(got))
	}
	checkHarmless(t, got)
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestWriteErrors(t *testing.T) {
	l := hostileList(t)
	if err := l.WriteText(fullDisk{}, diag.TextOptions{}); err == nil {
		t.Error("WriteText hides the error of the writer")
	}
	if err := l.WriteJSON(fullDisk{}); err == nil {
		t.Error("WriteJSON hides the error of the writer")
	}
}

// FuzzExcerpt looks for text that breaks out of its line or off its caret.
func FuzzExcerpt(f *testing.F) {
	f.Add("a\tb\u202e::x", 3)
	f.Add("##[", 1)
	f.Fuzz(func(t *testing.T, s string, offset int) {
		file := &source.File{Name: s, Bytes: []byte(s)}
		d := diag.Diagnostic{Code: "c", Severity: diag.Error, Message: s, Advice: s, Position: file.Position(offset)}
		got := text(t, diag.TextOptions{Width: 40}, d)
		checkHarmless(t, got)
		lines := strings.Split(got, "\n")
		if len(lines) < 3 || !strings.HasSuffix(lines[2], "^") || !strings.HasSuffix(got, "\n") {
			t.Errorf("shape is lost: %q", got)
		}
	})
}

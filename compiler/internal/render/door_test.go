package render

import (
	"go/ast"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/openrpc-go/rpcgen/compiler/internal/plan"
)

func TestCommentText(t *testing.T) {
	long := strings.Repeat("word ", 40)
	tests := []struct{ text, want string }{
		{"plain words", "// plain words"},
		{"two\nlines flow", "// two lines flow"},
		{"one\n\ntwo", "// one\n//\n// two"},
		{"a list:\n- one\n- two\n  goes on\n1. first", "// a list:\n// - one\n// - two goes on\n// 1. first"},
		{"\n\n", ""},
		{"//go:embed x", "// //go:embed x"},
		{"go:embed x", "// go:embed x"},
		{"*/ func init() {} /*", "// */ func init() {} /*"},
		{"+build ignore", "// '+build ignore"},
		{"Deprecated: no\n\nDeprecated: neither", "// Deprecated by the document: no\n//\n// Deprecated by the document: neither"},
		{"a\u202eb\x00c\u200bd", `// a\u{202E}b\u{0000}c\u{200B}d`},
		{"a\u2028b\u0085c\rd\ve\ff", "// a b c d e f"},
		{"\xff\xfe", `// \xff\xfe`},
		{"tab\tand\u00a0space\u3000", "// tab and space"},
		{"größe 名前 😀", "// größe 名前 😀"},
		{"\u3164\ufe0f\U000e0100", `// \u{3164}\u{FE0F}\u{E0100}`},
		{strings.Repeat("x", 200), "// " + strings.Repeat("x", 200)},
	}
	for _, test := range tests {
		if got := commentText(plan.Text{{Words: test.text}}); got != test.want {
			t.Errorf("commentText(%q) = %q, want %q", test.text, got, test.want)
		}
	}
	for line := range strings.SplitSeq(commentText(plan.Text{{Words: long}}), "\n") {
		if utf8.RuneCountInString(line) > commentWidth+3 {
			t.Errorf("line of %d characters: %q", utf8.RuneCountInString(line), line)
		}
	}
	if got := commentText(plan.Text{{Words: "Deprecated: " + long, Ours: true, Whole: true}}); strings.Contains(got, "\n") || !strings.HasPrefix(got, "// Deprecated: ") {
		t.Errorf("our own marker is %q", got)
	}
}

// FuzzComment holds that no text leaves a comment, on its own lines or at the
// end of one.
func FuzzComment(f *testing.F) {
	for _, seed := range []string{"", "a", "\n", "*/ x", "//go:build x", "a\u2028func init() {}", "\r\n+build x", "- a\n- b", "\x00\xff", "Deprecated: x",
		"a\n```\ngo:embed x\n```", "```\n+build x\n```", "```go\n//line x:1\n\n\t*/\n```\n```"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		source := "package p\n\n" + commentText(plan.Text{{Words: text}}) + "\nvar x = 1"
		if c, ok := oneLine(plan.Text{{Words: text}}, 60); ok {
			source += " " + c
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, "p.go", source+"\n", parser.ParseComments)
		if err != nil {
			t.Fatalf("%v in %q", err, source)
		}
		if len(file.Decls) != 1 || len(file.Decls[0].(*ast.GenDecl).Specs) != 1 {
			t.Errorf("%q declares something", text)
		}
		for _, group := range file.Comments {
			for _, c := range group.List {
				if c.Text != "//" && !strings.HasPrefix(c.Text, "// ") && !strings.HasPrefix(c.Text, "//\t") || constraint.IsPlusBuild(c.Text) {
					t.Errorf("%q becomes the comment %q", text, c.Text)
				}
			}
		}
	})
}

// tagOf reads a tag the way the engine does: the convention of reflect, then
// single quotes as in json v2.
func tagOf(t *testing.T, name, option string) string {
	t.Helper()
	source := tag(name, option)
	text, err := strconv.Unquote(source)
	if err != nil {
		t.Fatalf("tag of %q is %s: %v", name, source, err)
	}
	value, ok := reflect.StructTag(text).Lookup("json")
	if !ok {
		t.Fatalf("tag of %q is %s, which has no json", name, source)
	}
	value, found := strings.CutSuffix(value, option)
	if !found {
		t.Fatalf("tag of %q lost its option: %q", name, value)
	}
	inner, isQuoted := strings.CutPrefix(value, "'")
	if !isQuoted {
		return value
	}
	back, err := strconv.Unquote(`"` + strings.TrimSuffix(inner, "'") + `"`)
	if err != nil {
		t.Fatalf("tag of %q is %q: %v", name, value, err)
	}
	return back
}

func FuzzTag(f *testing.F) {
	for _, seed := range []string{"a", "", "-", "a,b", `x"y`, "a'b", `a\b`, "`", "\x00", "名", "omitzero", " ", ",inline", "a\nb", "\u2028"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if !utf8.ValidString(name) {
			t.Skip("member names are UTF-8")
		}
		for _, option := range []string{"", ",omitzero"} {
			if got := tagOf(t, name, option); got != name {
				t.Errorf("tag of %q reads as %q", name, got)
			}
		}
	})
}

func TestIdentifiers(t *testing.T) {
	for name, good := range map[string]bool{
		"Ok": true, "ok_1": true, "Größe": true, "": false, "1a": false, "a b": false, "a;b": false, "func": false, "名": false, "a\nb": false, "a.b": false,
	} {
		p := &printer{}
		p.id(name)
		if (p.err == nil) != good {
			t.Errorf("id(%q): %v", name, p.err)
		}
	}
}

// TestCommentWidth keeps a line of the full width whole and breaks a longer one,
// counting characters; how many spaces the document writes does not matter.
func TestCommentWidth(t *testing.T) {
	full := strings.Repeat("ä", 38) + " " + strings.Repeat("b", commentWidth-39)
	tests := []struct{ text, want string }{
		{full, "// " + full},
		{"  " + strings.Replace(full, " ", " \t\u00a0 ", 1) + " ", "// " + full},
		{full + "b", "// " + strings.Repeat("ä", 38) + "\n// " + strings.Repeat("b", commentWidth-38)},
		{full + " c", "// " + full + "\n// c"},
		{strings.Repeat("w", commentWidth+1), "// " + strings.Repeat("w", commentWidth+1)},
	}
	for _, test := range tests {
		if got := commentText(plan.Text{{Words: test.text}}); got != test.want {
			t.Errorf("commentText(%q) = %q, want %q", test.text, got, test.want)
		}
	}
}

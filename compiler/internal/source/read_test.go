package source_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// TestReadValues holds what is accepted against the JSON that it means.
func TestReadValues(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"json", ` {"a": [1, -0.50e+2, "x\u0041\n", true, null]} `, `{"a":[1,-0.50e+2,"xA\n",true,null]}`},
		{"json keeps digits", `[123456789012345678901234567890.10]`, `[123456789012345678901234567890.10]`},
		{"json surrogates", `["\ud83d\ude00"]`, `["😀"]`},
		{"json escaped name", `{"\u0061/~": 1}`, `{"a/~":1}`},
		{"json bidi text", "[\"\u202e\"]", "[\"\u202e\"]"},
		{"yaml", "a: 1\nb: [x, 'y', \"z\\n\"]\n", `{"a":1,"b":["x","y","z\n"]}`},
		{"yaml crlf", "a: |\r\n  x\r\n  y\r\nb: 2\r\n", `{"a":"x\ny\n","b":2}`},
		{"yaml quoted first key", `"openrpc": "1.3.2"`, `{"openrpc":"1.3.2"}`},
		{"yaml norway", "- no\n- on\n- Yes\n- y\n", `["no","on","Yes","y"]`},
		{"yaml booleans", "- true\n- False\n- TRUE\n- tRUE\n", `[true,false,true,"tRUE"]`},
		{"yaml nulls", "- null\n- ~\n-\n- Null\n- nil\n", `[null,null,null,null,"nil"]`},
		{"yaml dates", "- 2026-11-30\n- 2026-11-30T10:00:00Z\n", `["2026-11-30","2026-11-30T10:00:00Z"]`},
		{"yaml versions", "- 1.3.2\n- 1.3\n- 12:30\n- 1_000\n", `["1.3.2",1.3,"12:30","1_000"]`},
		{"yaml numbers", "- +1\n- .5\n- -.5\n- 2.\n- 1.e3\n- -0\n- 1e5\n- 00x\n", `[1,0.5,-0.5,2.0,1.0e3,-0,1e5,"00x"]`},
		{"yaml based", "- 0x1F\n- 0o17\n- -0x1\n- 0b1\n- 0xfffffffffffffffff\n", `[31,15,"-0x1","0b1",295147905179352825855]`},
		{"yaml status keys", "responses:\n  200: ok\n  no: x\n  null: y\n  1.0: z\n", `{"responses":{"200":"ok","no":"x","null":"y","1.0":"z"}}`},
		{"yaml core tags", "a: !!str 200\nb: !!int 3\nc: !!float 1\nd: ! x\ne: !!map {}\nf: !!seq []\n!!str 7: !!bool true\n",
			`{"a":"200","b":3,"c":1,"d":"x","e":{},"f":[],"7":true}`},
		{"yaml aliases", "a: &x {k: [1]}\nb: *x\nc: [*x, *x]\n", `{"a":{"k":[1]},"b":{"k":[1]},"c":[{"k":[1]},{"k":[1]}]}`},
		{"yaml quoted merge", "'<<': 1", `{"<<":1}`},
		{"yaml scalar", "hello", `"hello"`},
		{"yaml directive", "# x\n\n%YAML 1.2 # y\n---\na: 1\n", `{"a":1}`},
		{"yaml percent", "a: |\n  x\n  %YAML 1.1\nb: 50%\n", `{"a":"x\n%YAML 1.1\n","b":"50%"}`},
		{"yaml document end", "--- {a: 1}\n...\n", `{"a":1}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f, err := source.Read("doc", []byte(tt.in), source.Limits{})
			if err != nil {
				t.Fatalf("Read(%q) = %v", tt.in, err)
			}
			if got := string(f.Root.JSON()); got != tt.want {
				t.Errorf("Read(%q) = %s, want %s", tt.in, got, tt.want)
			}
		})
	}
}

// fault formats an error as "line:column code pointer".
func fault(err error) string {
	if err == nil {
		return "accepted"
	}
	e, ok := errors.AsType[*source.Error](err)
	if !ok {
		return "not a source.Error: " + err.Error()
	}
	s := fmt.Sprintf("%d:%d %s", e.Position.Line, e.Position.Column, e.Code)
	if e.Pointer != "" {
		s += " " + string(e.Pointer)
	}
	if e.Related != nil {
		s += fmt.Sprintf(" <- %d:%d", e.Related.Line, e.Related.Column)
	}
	return s
}

var refusals = []struct{ name, in, want string }{
	{"empty", "", "1:1 empty-file"},
	{"only comments", "# nothing\n", "1:1 empty-file"},
	{"byte order mark", "\ufeff{}", "1:1 byte-order-mark"},
	{"byte order mark inside yaml", "a: 1\n\ufeffb: 2\n", "2:1 byte-order-mark"},
	{"utf-16", "\xff\xfe{\x00}\x00", "1:1 invalid-utf8"},
	{"bad utf-8", "{\n\"ä\": \"\xff\"}", "2:7 invalid-utf8"},
	{"overlong utf-8", "[\"\xc0\xaf\"]", "1:3 invalid-utf8"},
	{"surrogate utf-8", "a: \xed\xa0\x80", "1:4 invalid-utf8"},
	{"merge conflict", "a: 1\n<<<<<<< HEAD\nb: 1\n=======\nb: 2\n>>>>>>> x\n", "2:1 merge-conflict"},
	{"merge conflict from the start", "<<<<<<< HEAD\na: 1\n", "1:1 merge-conflict"},
	{"merge conflict below what looks like one", "a: <<<<<<< b\nc: <<<<<<<<<<<<<<< <<<<<<< d\n>>>>>>> x\n", "3:1 merge-conflict"},

	{"json duplicate", "{\"a\": 1,\n \"b\": 2, \"a\": 3}", "2:10 duplicate-key /a <- 1:2"},
	{"json duplicate escaped", `{"a": 1, "\u0061": 3}`, "1:10 duplicate-key /a <- 1:2"},
	{"json duplicate deep", `[0, {"x": [{"q":1,"q":2}]}]`, "1:19 duplicate-key /1/x/0/q <- 1:13"},
	{"json duplicate after children", `{"a": {"b": [1]}, "c": [2], "a": 0}`, "1:29 duplicate-key /a <- 1:2"},
	{"json second value", `{} {}`, "1:4 second-document"},
	{"json rubbish after", "{}\n}", "2:1 second-document"},
	{"json comment", "{\n  // x\n}", "2:3 json-syntax"},
	{"json trailing comma", `{"a": [1,]}`, "1:9 json-syntax /a/1"},
	{"json cut", `{"a": [1, {"b": `, "1:17 json-syntax /a/1/b"},
	{"json single quotes", `{'a': 1}`, "1:2 json-syntax"},
	{"json leading zero", `[01]`, "1:3 json-syntax /1"},
	{"json plus", `[+1]`, "1:2 json-syntax /0"},
	{"json nan", `[NaN]`, "1:2 json-syntax /0"},
	{"json lone surrogate", `["\ud83d"]`, "1:3 json-syntax /0"},
	{"json raw newline", "[\"a\nb\"]", "1:4 json-syntax /0"},
	{"json nul", "[\x00]", "1:2 json-syntax /0"},
	{"flow yaml is not json", "{openrpc: 1.3.2}", "1:2 json-syntax"},

	{"yaml duplicate", "a: 1\nb: 2\na: 3\n", "3:1 duplicate-key /a <- 1:1"},
	{"yaml duplicate by text", "r:\n  200: x\n  \"200\": y\n", "3:3 duplicate-key /r/200 <- 2:3"},
	{"yaml second document", "a: 1\n---\nb: 2\n", "2:1 second-document"},
	{"yaml merge", "x: &x {k: 1}\na:\n  <<: *x\n", "3:3 yaml-merge-key /a"},
	{"yaml merge tag", "a:\n  !!merge y: {k: 1}\n", "2:3 yaml-merge-key /a"},
	{"yaml complex key", "a:\n  ? [1, 2]\n  : x\n", "2:5 yaml-key /a"},
	{"yaml alias key", "a: &x k\nb:\n  *x : 1\n", "3:3 yaml-key /b"},
	{"yaml empty key", "a:\n  : x\n", "2:3 yaml-key /a"},
	{"yaml binary", "a: [1, !!binary aGk=]\n", "1:8 yaml-tag /a/1"},
	{"yaml timestamp tag", "a: !!timestamp 2026-11-30\n", "1:4 yaml-tag /a"},
	{"yaml own tag", "a: !secret x\n", "1:4 yaml-tag /a"},
	{"yaml wrong tag", "a: !!int x\n", "1:4 yaml-tag /a"},
	{"yaml set", "a: !!set {x}\n", "1:4 yaml-tag /a"},
	{"yaml infinity", "a:\n  - .inf\n", "2:5 yaml-number /a/0"},
	{"yaml nan", "a: .NaN\n", "1:4 yaml-number /a"},
	{"yaml leading zero", "zip: 01234\n", "1:6 yaml-number /zip"},
	{"yaml leading zero fraction", "zip: 00.5\n", "1:6 yaml-number /zip"},
	{"yaml long hex", "a: 0x" + strings.Repeat("f", 65) + "\n", "1:4 yaml-number /a"},
	{"yaml cycle", "a: &a\n  b: *a\n", "2:6 yaml-alias"},
	{"yaml unknown alias", "a: *b\n", "1:4 yaml-syntax"},
	{"yaml 1.1", "%YAML 1.1\n---\na: no\n", "1:1 yaml-directive"},
	{"yaml tag directive", "%YAML 1.2\n%TAG ! tag:x,2026:\n---\na: 1\n", "2:1 yaml-directive"},
	{"yaml tab", "a:\n\tb: 1\n", "2:1 yaml-syntax"},
	{"yaml nul", "a: \x00\n", "1:1 yaml-syntax"},
	{"yaml unclosed", "a: [1\nb: 2\n", "2:2 yaml-syntax"},
	{"yaml lone surrogate", `a: "\ud83d"`, "1:7 yaml-syntax"},
}

func TestReadRefuses(t *testing.T) {
	for _, tt := range refusals {
		t.Run(tt.name, func(t *testing.T) {
			_, err := source.Read("doc", []byte(tt.in), source.Limits{})
			if got := fault(err); got != tt.want {
				t.Errorf("Read(%q) = %s, want %s (%v)", tt.in, got, tt.want, err)
			}
			if _, own := source.ReadOwn("doc", []byte(tt.in), source.Limits{}); own == nil {
				t.Errorf("ReadOwn(%q) accepts what Read refuses", tt.in)
			}
		})
	}
}

// TestDuplicateInLargeObject takes the way through the table of names.
func TestDuplicateInLargeObject(t *testing.T) {
	var b strings.Builder
	b.WriteString("{\"x\": {\n\"a\": 0")
	for i := range 500 {
		fmt.Fprintf(&b, ",\n\"n%d\": 0", i)
	}
	b.WriteString(",\n\"a\": 1}}")
	_, err := source.Read("doc", []byte(b.String()), source.Limits{})
	if got, want := fault(err), "503:1 duplicate-key /x/a <- 2:1"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestDigestAndFormat(t *testing.T) {
	f, err := source.Read("doc.yaml", []byte("{}"), source.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	const want = "sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"
	if f.Digest != want || f.Format != source.JSON || f.Name != "doc.yaml" {
		t.Errorf("got %s %s %s", f.Name, f.Format, f.Digest)
	}
}

package source_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// FuzzRead holds the reader to: no panic, bounds kept, every place inside the
// file, JSON as encoding/json sees it, and what is written reads the same.
func FuzzRead(f *testing.F) {
	for _, tt := range refusals {
		f.Add([]byte(tt.in))
	}
	for _, seed := range []string{
		`{"a": [1, -0.5e2, "x\u0041", true, null]}`, "a: &x [1]\nb: *x\n", "a: |\n  x\n", "- 0x1F\n- .5\n", "? a\n: b\n", "'a': \"b\\x41\"\n",
	} {
		f.Add([]byte(seed))
	}
	limits := source.Limits{Bytes: 1 << 16, Depth: 30, Nodes: 2000}
	f.Fuzz(func(t *testing.T, b []byte) {
		// The fuzzer itself does not notice a reader that never returns.
		watchdog := time.AfterFunc(10*time.Second, func() { panic(fmt.Sprintf("still reading %q", b)) })
		defer watchdog.Stop()
		file, err := source.Read("doc", b, limits)
		own, ownErr := source.ReadOwn("own", b, limits)
		if err != nil {
			checkError(t, err, b)
			if ownErr == nil {
				t.Fatalf("ReadOwn accepts what Read refuses: %v", err)
			}
			return
		}
		if ownErr != nil {
			checkError(t, ownErr, b)
		} else if !sameValue(own.Root, file.Root) {
			t.Fatalf("Read has %s, ReadOwn has %s", file.Root.JSON(), own.Root.JSON())
		}
		checkNodes(t, file, limits)
		checkJSON(t, file)
	})
}

func checkError(t *testing.T, err error, b []byte) {
	t.Helper()
	e, ok := err.(*source.Error)
	if !ok {
		t.Fatalf("%T %v", err, err)
	}
	if e.Position.IsZero() || e.Code == "" || e.Message == "" || e.Position.Offset > len(b) {
		t.Fatalf("incomplete error %+v", e)
	}
	if _, err := e.Pointer.Tokens(); err != nil {
		t.Fatal(err)
	}
	if !utf8.ValidString(e.Message) || strings.ContainsAny(e.Message, "\n\x1b") {
		t.Fatalf("raw text in message %q", e.Message)
	}
}

func checkNodes(t *testing.T, f *source.File, l source.Limits) {
	t.Helper()
	count := 0
	walk(f.Root, func(n *source.Node) {
		count++
		if n.Offset < 0 || n.Offset > len(f.Bytes) || n.File != f {
			t.Fatalf("%s has offset %d", n.Pointer(), n.Offset)
		}
		got, err := f.Root.At(n.Pointer())
		if err != nil || got != n {
			t.Fatalf("%q leads to %v, %v", n.Pointer(), got, err)
		}
		if !utf8.ValidString(n.Text) {
			t.Fatalf("%q is not UTF-8", n.Text)
		}
	})
	if count > l.Nodes {
		t.Fatalf("%d nodes", count)
	}
}

func checkJSON(t *testing.T, f *source.File) {
	t.Helper()
	text := f.Root.JSON()
	got := generic(t, text)
	if f.Format == source.JSON {
		if want := generic(t, f.Bytes); !reflect.DeepEqual(got, want) {
			t.Fatalf("read as %s", text)
		}
	}
	if len(text) == 0 || text[0] != '{' && text[0] != '[' {
		return
	}
	again, err := source.Read("again", text, source.Limits{})
	if err != nil || !sameValue(again.Root, f.Root) {
		t.Fatalf("%s reads as %v", text, err)
	}
}

func generic(t *testing.T, b []byte) any {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("encoding/json refuses %q: %v", b, err)
	}
	return v
}

func FuzzPointer(f *testing.F) {
	for _, seed := range []string{"", "/", "/a~1b", "/~01", "a", "/~", "/a/0/-"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		// Any text is a token, and comes back as itself.
		tokens, err := source.Pointer("").Append(s).Append("x").Tokens()
		if err != nil || len(tokens) != 2 || tokens[0] != s {
			t.Fatalf("token %q came back as %q, %v", s, tokens, err)
		}
		p, err := source.ParsePointer(s)
		if err != nil {
			return
		}
		if tokens, err = p.Tokens(); err != nil {
			t.Fatal(err)
		}
		var again source.Pointer
		for _, token := range tokens {
			again = again.Append(token)
		}
		if again != p {
			t.Fatalf("%q came back as %q", p, again)
		}
	})
}

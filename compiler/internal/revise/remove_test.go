package revise

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// TestRemove has a row for each way in which a file can be written.
func TestRemove(t *testing.T) {
	const lines = "{\n  \"version\": \"1\",\n  \"methods\": {\n    \"a\": {\"note\": \"}, \\\"\"},\n    \"b\": {\"pin\": [1, {}]},\n    \"c\": {}\n  }\n}\n"
	for _, c := range []struct{ name, text, names, want string }{
		{"first of JSON", lines, "a", strings.Replace(lines, "\"a\": {\"note\": \"}, \\\"\"},\n    ", "", 1)},
		{"middle of JSON", lines, "b", strings.Replace(lines, "\"b\": {\"pin\": [1, {}]},\n    ", "", 1)},
		{"last of JSON", lines, "c", strings.Replace(lines, ",\n    \"c\": {}", "", 1)},
		{"two at the end of JSON", lines, "b c", strings.Replace(lines, ",\n    \"b\": {\"pin\": [1, {}]},\n    \"c\": {}", "", 1)},
		{"first and last of JSON", lines, "c a", "{\n  \"version\": \"1\",\n  \"methods\": {\n    \"b\": {\"pin\": [1, {}]}\n  }\n}\n"},
		{"all of JSON", lines, "a b c", "{\n  \"version\": \"1\"\n}\n"},
		{"JSON on one line", `{"methods": {"a": 1,"b":2 , "c" : 3 }}`, "c", `{"methods": {"a": 1,"b":2  }}`},
		{"braces", "version: 1\nmethods: {a: {note: it's, pin: 'x}'}, \"b\": {pin: x},}\n# end\n", "b", "version: 1\nmethods: {a: {note: it's, pin: 'x}'},}\n# end\n"},
		{"all in braces", "version: 1\n# why\nmethods: {a: {pin: x}, b: {pin: x}}\nreview: {by: me}\n", "a b", "version: 1\n# why\nreview: {by: me}\n"},
		{"all of a block", "version: 1\nmethods:   # why\n  # >> g\n  a: {pin: x}\n  # > words\n  #\"b\": {}\n  c:\n    pin: x\n# end\n", "a c",
			"version: 1\n#methods:   # why\n  # >> g\n  # > words\n  #\"b\": {}\n# end\n"},
	} {
		f := read(t, c.text)
		r := New(f)
		if err := r.Remove(f.Root.Get("methods"), strings.Fields(c.names)...); err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got, err := r.Bytes(); err != nil || string(got) != c.want {
			t.Errorf("%s: %v, got\n%s\nwant\n%s", c.name, err, got, c.want)
		}
	}
}

// FuzzRemove: whatever the file and whichever members, what is removed is gone
// when it is read again, and nothing else is another.
func FuzzRemove(f *testing.F) {
	f.Add(file, uint64(2))
	f.Add(`{"methods": {"a": {"pin": "w:1 r:2"}, "b": {}, "c": [{"x": "}"}]}}`, uint64(5))
	f.Add("methods: {a: {pin: x}, 'b': it's,}\n", uint64(1))
	f.Fuzz(func(t *testing.T, text string, mask uint64) {
		file, err := source.ReadOwn("a", []byte(text), source.Limits{})
		if err != nil {
			return
		}
		object := file.Root.Get("methods")
		if object == nil || object.Kind != source.Object || len(object.Members) == 0 {
			return
		}
		var names []string
		var kept []source.Member
		for i, m := range object.Members {
			if mask>>(i%64)&1 == 1 {
				names = append(names, m.Name)
			} else {
				kept = append(kept, m)
			}
		}
		r := New(file)
		if err := r.Remove(object, names...); err != nil {
			var byHand *ByHand
			if !errors.As(err, &byHand) {
				t.Fatal(err)
			}
			return
		}
		out, err := r.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		again, err := source.ReadOwn("a", out, source.Limits{})
		if err != nil {
			if len(kept) == 0 {
				return // a file of nothing; whoever writes reads it back first
			}
			t.Fatalf("%q became %q: %v", text, out, err)
		}
		now := again.Root.Get("methods")
		if len(kept) == 0 {
			if now != nil {
				t.Fatalf("%q became %q", text, out)
			}
			return
		}
		if len(now.Members) != len(kept) {
			t.Fatalf("%q became %q, in which %d of %d members are left", text, out, len(now.Members), len(kept))
		}
		for i, m := range kept {
			if now.Members[i].Name != m.Name || !bytes.Equal(now.Members[i].Value.JSON(), m.Value.JSON()) {
				t.Fatalf("%q became %q, in which %q is another", text, out, m.Name)
			}
		}
	})
}

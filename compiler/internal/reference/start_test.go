package reference_test

import (
	"strings"
	"testing"

	"github.com/openrpc-go/rpcgen/compiler/internal/reference"
)

// TestStart: a pointer that leads to something from another start than the
// standard's is dangling all the same, and the advice says what is there. What
// is advised resolves.
func TestStart(t *testing.T) {
	const text = `{"components": {"schemas": {
  "Room": {"$id": "https://example.com/room.json", "use": {}, "deep": {"use": {}, "definitions": {"Bed": "deep bed"}}},
  "Guest": "guest",
  "Stay": {"use": {}, "items": [{"use": {}}], "definitions": {"Night": "night", "50% off": "half"}},
  "Loose": {"use": {}}
}}}`
	f := read(t, "doc.json", text)
	schemas := f.Root.Get("components").Get("schemas")
	for _, c := range []struct {
		name, schema, path, ref  string
		message, advice, related string
	}{
		{"a $id in between", "Room", "use", "#/components/schemas/Guest",
			`the schema with the $id "https://example.com/room.json" has no member "components"`, "nearest $id: remove that", "2:19 this $id; 3:12 this may be meant"},
		{"nothing anywhere", "Room", "use", "#/components/schemas/Gust",
			`the schema with the $id "https://example.com/room.json" has no member "components"`, "add what is named", ""},
		{"part of the way", "Room", "use", "#/deep/Bed",
			`"/deep" of the schema with the $id "https://example.com/room.json" has no member "Bed"`, "add what is named", ""},
		{"definitions within a $id", "Room", "deep/use", "#/definitions/Bed",
			`the schema with the $id "https://example.com/room.json" has no member "definitions"`,
			`starts at the nearest $id; the schema around this one has it as "#/deep/definitions/Bed"`, "2:106 this may be meant"},
		{"definitions of the schema itself", "Stay", "use", "#/definitions/Night",
			`the file has no member "definitions"`, `"#/components/schemas/Stay/definitions/Night"`, "4:72 this may be meant"},
		{"from further below", "Stay", "items/0/use", "#/definitions/50%25%20off",
			`the file has no member "definitions"`, `"#/components/schemas/Stay/definitions/50%25%20off"`, "4:92 this may be meant"},
		{"definitions of another schema", "Loose", "use", "#/definitions/Night", `the file has no member "definitions"`, "add what is named", ""},
	} {
		s := reference.New(f, reference.Options{})
		s.Use(identify, nil)
		at := schemas.Get(c.schema)
		for token := range strings.SplitSeq(c.path, "/") {
			if next := at.Get(token); next != nil {
				at = next
			} else {
				at = at.Items[0]
			}
		}
		n, fault := s.Resolve(at, c.ref)
		if fault == nil {
			t.Errorf("%s: %s resolves to %s", c.name, c.ref, n.Pointer())
			continue
		}
		if fault.Code != reference.CodeDangling || !strings.Contains(fault.Message, c.message) {
			t.Errorf("%s: %s: %s, want %q", c.name, fault.Code, fault.Message, c.message)
		}
		if (fault.Advice == "") != (c.advice == "") || !strings.Contains(fault.Advice, c.advice) {
			t.Errorf("%s: the advice is %q, want %q", c.name, fault.Advice, c.advice)
		}
		var places []string
		for _, r := range fault.Related {
			places = append(places, strings.TrimPrefix(r.Position.String(), "doc.json:")+" "+r.Message)
		}
		if related := strings.Join(places, "; "); related != c.related {
			t.Errorf("%s: related %q, want %q", c.name, related, c.related)
		}
		if advised := strings.Split(fault.Advice, `"`); len(advised) == 3 {
			if _, fault := s.Resolve(at, advised[1]); fault != nil {
				t.Errorf("%s: what is advised does not resolve: %s", c.name, fault.Message)
			}
		}
	}
}

package schema

import (
	"fmt"
	"strings"
	"testing"

	rt "github.com/openrpc-go/rpcgen/runtime/schema"
)

// TestAnnotations: what changes no verdict and counts for whoever reviews is
// kept on the node, and nothing else is.
func TestAnnotations(t *testing.T) {
	long := strings.Repeat("x", longest)
	for _, c := range []struct{ text, want string }{
		{`{"type": "string", "default": "a"}`, `[{default "a"}]`},
		{`{"default": {"b": 1.0, "a": [2e1]}}`, `[{default {"a":[20],"b":1}}]`},
		{`{"writeOnly": true, "readOnly": false, "default": null}`, `[{default null} {writeOnly true}]`},
		{`{"minLenght": 1, "nullable": true}`, `[{minLenght 1} {nullable true}]`},
		{`{"xml": {"name": "n"}}`, `[{xml {"name":"n"}}]`},
		{`{"title": "t", "description": "d", "examples": [1], "$comment": "c", "deprecated": true, "x-a": 1, "maximum": 3}`, `[]`},
		{`{"default": "` + long + `"}`, `[{default 1026 bytes, sha256:`},
	} {
		node, err := Compile(Draft7, []byte(c.text), Options{})
		if node == nil {
			t.Fatal(err)
		}
		got := fmt.Sprint(node.Annotations)
		if strings.Contains(c.want, "bytes") {
			got = got[:len(c.want)]
		}
		if got != c.want {
			t.Errorf("%.60s: annotations %.100s, want %s", c.text, got, c.want)
		}
	}
	a, b := annotatedDefault(t, long+"a"), annotatedDefault(t, long+"b")
	if a == b {
		t.Errorf("two long values are told alike: %s", a.Value)
	}
}

func annotatedDefault(t *testing.T, value string) rt.Annotation {
	t.Helper()
	node, err := Compile(Draft7, []byte(fmt.Sprintf(`{"default": %q}`, value)), Options{})
	if node == nil {
		t.Fatal(err)
	}
	return node.Annotations[0]
}

package compiler_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"
)

// TestRoundTrip decodes every recorded result of the execution APIs into its
// generated type and encodes it again: what satisfies its contract comes out
// equal as canonical JSON.
func TestRoundTrip(t *testing.T) {
	dir, recordings := corpus(t, "openrpc"), corpus(t, "recordings/execution-apis")
	module := hostModule(t)
	harness(t, module, "eth", "roundtrip_test.go", generateClosed(t, dir, executionAPIs, module, "eth"))

	t.Setenv("RECORDINGS", recordings)
	printed := goTool(t, module, "test", "-count=1", "-v", "./...")
	_, after, ok := strings.Cut(printed, "REPORT ")
	if !ok {
		t.Fatalf("no report in:\n%s", printed)
	}
	var r struct {
		Results, Equal, Violating int
		Different                 map[string]string
		Undeclared                []string
	}
	if err := json.Unmarshal([]byte(firstLine(after)), &r); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d recorded results: %d come out equal, %d break their contract, %d come out different; undeclared members in %q",
		r.Results, r.Equal, r.Violating, len(r.Different), r.Undeclared)
	if r.Equal < 100 || r.Equal+r.Violating+len(r.Different) != r.Results {
		t.Errorf("the results were not all read: %+v", r)
	}
	for _, name := range slices.Sorted(maps.Keys(r.Different)) {
		t.Errorf("%s: %s", name, r.Different[name])
	}
}

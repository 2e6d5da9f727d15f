package schema

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// expectQuick fails the test when what was just done, from started on, took
// longer than limit. A machine that is busy, or that looks for races, is given
// the time that it takes for plain schemas as well: on an idle one the limit
// is some hundred times that.
func expectQuick(t *testing.T, what string, started time.Time, limit time.Duration) {
	t.Helper()
	took := time.Since(started)
	if took <= limit {
		return
	}
	const usual = 15 * time.Millisecond // for the plain schemas
	plain := plainSchemas(t)
	if slowness := max(1, plain.Seconds()/usual.Seconds()); took.Seconds() > slowness*limit.Seconds() {
		t.Errorf("%s: took %v, and plain schemas %v", what, took, plain)
	}
}

// plainSchemas returns how long 8,000 schemas take that have nothing to them.
func plainSchemas(t *testing.T) time.Duration {
	var b strings.Builder
	for i := range 8_000 {
		fmt.Fprintf(&b, `"p%d": {"type": "string"},`, i)
	}
	text := []byte(`{"properties": {` + strings.TrimSuffix(b.String(), ",") + `}}`)
	started := time.Now()
	if _, err := Compile(Draft7, text, Options{}); err != nil {
		t.Fatal(err)
	}
	return time.Since(started)
}

// The plain schemas are quick enough on any machine to be a measure.
func TestPlainSchemasAreQuick(t *testing.T) {
	if took := plainSchemas(t); took > time.Minute {
		t.Errorf("took %v", took)
	} else {
		t.Log(took)
	}
}

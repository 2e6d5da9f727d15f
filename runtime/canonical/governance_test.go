package canonical

import (
	"testing"

	"github.com/openrpc-go/rpcgen/runtime/internal/governance"
)

// TestGovernance shows the rows that canonical JSON answers for.
func TestGovernance(t *testing.T) {
	governance.Run(t, "canonical", func(show governance.Show) {
		show("P4 T21", "values that are one, and twins that are not", testPairs)
		show("P4", "what has no canonical form", testJSONRefuses)
		show("T22", "the order of keys", testJSON)
		show("T22", "the order of keys, against another implementation", testAgainstJCS)
	})
}

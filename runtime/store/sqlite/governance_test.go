//go:build unix

package sqlite

import (
	"testing"

	"github.com/openrpc-go/rpcgen/runtime/internal/governance"
)

// TestGovernance shows the rows that need a store which outlives a process.
func TestGovernance(t *testing.T) {
	governance.Run(t, "store/sqlite", func(show governance.Show) {
		show("P1 P10", "one winner among processes", testProcesses)
		show("P9", "a process killed at every step", testCrash)
		show("P11", "an old copy that is put back", testRestore)
	})
}

package main

import (
	"os"
	"runtime/debug"
)

// spendMemory trades memory for time: a command that ends in seconds need not
// collect garbage as a server does. The heap may grow to the limit; near it the
// collector works as hard as it has to. Most runs end far below it. Whoever sets
// GOGC or GOMEMLIMIT decides otherwise.
func spendMemory() {
	const limit = 1100 << 20
	if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetGCPercent(-1)
		debug.SetMemoryLimit(limit)
	}
}

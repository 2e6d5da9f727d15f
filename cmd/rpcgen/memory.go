package main

import (
	"os"
	"runtime/debug"
)

// spendMemory trades memory for time: a command that ends in seconds need not
// collect garbage as often as a server. Below the limit the heap may grow to
// eleven times what is in use; near it the collector works as hard as it has to.
// Whoever sets GOGC or GOMEMLIMIT decides otherwise.
func spendMemory() {
	const percent, limit = 1000, 1100 << 20
	if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
	}
}

package diag

// Quote returns s as a JSON string that is safe on a terminal and in the log of
// a CI system: what is not visible, and what would start a command, is written
// with JSON escapes, so that the value is exact.
func Quote(s string) string { return quote(s) }

//go:build unix

package amendment_test

import (
	"syscall"
	"testing"
	"time"
)

// spent is the processor time that the tests have used: other programs on a
// busy machine do not count.
func spent(t testing.TB) time.Duration {
	t.Helper()
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		t.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

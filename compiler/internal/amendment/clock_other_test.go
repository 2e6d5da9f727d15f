//go:build !unix

package amendment_test

import (
	"testing"
	"time"
)

var began = time.Now()

// spent is the time since the tests began.
func spent(t testing.TB) time.Duration { return time.Since(began) }

//go:build !unix

package sqlite

import "testing"

func beChild() {}

func TestProcesses(t *testing.T) { testProcesses(t) }

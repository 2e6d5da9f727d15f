package main

import (
	"os"
	"syscall"
)

// interactive reports whether a person can answer on f.
func interactive(f *os.File) bool {
	var mode uint32
	return syscall.GetConsoleMode(syscall.Handle(f.Fd()), &mode) == nil
}

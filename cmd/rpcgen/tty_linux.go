package main

import (
	"os"
	"syscall"
	"unsafe"
)

// interactive reports whether a person can answer on f.
func interactive(f *os.File) bool {
	var settings syscall.Termios
	_, _, err := syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), syscall.TCGETS, uintptr(unsafe.Pointer(&settings)))
	return err == 0
}

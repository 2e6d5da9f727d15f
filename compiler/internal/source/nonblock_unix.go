//go:build unix

package source

import "syscall"

// nonblock keeps a pipe that took the place of a file from holding us.
const nonblock = syscall.O_NONBLOCK

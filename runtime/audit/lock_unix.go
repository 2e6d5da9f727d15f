//go:build unix && !solaris && !aix

package audit

import (
	"os"
	"syscall"
)

func lock(f *os.File) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) }

func syncDirectory(d *os.File) error { return d.Sync() }

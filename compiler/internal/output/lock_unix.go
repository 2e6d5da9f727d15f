//go:build unix && !solaris && !aix && !illumos

package output

import (
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"
)

// lock waits for other runs on the same folder. It locks the folder itself, so
// nothing is left behind, and the system unlocks what a killed run held.
func lock(root *os.Root) (unlock func(), err error) {
	dir, err := root.Open(".")
	if err != nil {
		return nil, err
	}
	for range lockTries {
		err = syscall.Flock(int(dir.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return func() { dir.Close() }, nil
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) {
			break
		}
		time.Sleep(lockPause)
	}
	dir.Close()
	return nil, fmt.Errorf("%s is in use by another run: %w", root.Name(), err)
}

// syncDir makes the names in a folder durable.
func syncDir(root *os.Root, name string) error {
	dir, err := root.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}

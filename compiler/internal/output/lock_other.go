//go:build !unix || solaris || aix || illumos

package output

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"
)

// lockFile marks a folder as in use where folders cannot be locked.
const lockFile = ".rpcgen-busy"

// lock waits for other runs on the same folder. A mark that outlives the whole
// wait is taken for one of a killed run and removed by hand, never by us: two
// runs that both thought so would meet.
func lock(root *os.Root) (unlock func(), err error) {
	for range lockTries {
		f, err := root.OpenFile(lockFile, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if err == nil {
			f.Close()
			return func() { root.Remove(lockFile) }, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
		time.Sleep(lockPause)
	}
	return nil, fmt.Errorf("%s is in use by another run; if none is running, remove %s in it", root.Name(), lockFile)
}

// syncDir does nothing: these systems make names durable by themselves.
func syncDir(*os.Root, string) error { return nil }

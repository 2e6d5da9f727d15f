//go:build unix

package sqlite

import (
	"fmt"
	"os"
	"syscall"
)

// identity names the file itself: a copy has another inode. The device does not
// count, its number may change whenever the host starts.
func identity(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return "", nil
	}
	return fmt.Sprintf("inode:%d", s.Ino), nil
}

//go:build unix

package sqlite

import (
	"fmt"
	"os"
	"syscall"
)

// othersWrite reports whether somebody beside the owner may write.
func othersWrite(info os.FileInfo) bool { return info.Mode().Perm()&0o022 != 0 }

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

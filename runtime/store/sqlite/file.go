package sqlite

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// prepare checks the place of the file and makes it where there is none. SQLite
// gives its further files the permissions of this one.
func prepare(name string) (string, error) {
	path, err := localFile(name)
	if err != nil {
		return "", err
	}
	if err := checkFolder(filepath.Dir(path)); err != nil {
		return "", err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil {
		return path, f.Close()
	}
	if !errors.Is(err, fs.ErrExist) {
		return "", err
	}
	return path, checkFile(path)
}

// localFile returns the whole path of a file on this host.
func localFile(name string) (string, error) {
	if name == "" || strings.HasPrefix(name, ":") || strings.HasPrefix(name, "file:") || strings.Contains(name, "://") ||
		strings.HasPrefix(name, `\\`) || strings.HasPrefix(name, "//") || strings.ContainsRune(name, 0) {
		return "", fmt.Errorf("%q is not the name of a local file", name)
	}
	return filepath.Abs(name)
}

// checkFile wants a regular file that nobody else may write to.
func checkFile(path string) error {
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is not a regular file", path)
	case othersWrite(info):
		return fmt.Errorf("%s may be written by others", path)
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return f.Close()
}

// checkFolder refuses folders in which others may replace the file, and file
// systems whose locks are known not to hold.
func checkFolder(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if othersWrite(info) && info.Mode()&fs.ModeSticky == 0 {
		return fmt.Errorf("the folder %s may be written by others", path)
	}
	if kind := network(path); kind != "" {
		return fmt.Errorf("the folder %s is on a network file system (%s), whose locks do not hold", path, kind)
	}
	return nil
}

// mark is a file beside the database that holds how many approvals were spent.
// It is written, durably, before the transaction that spends one commits, while
// that has the write lock. A database that was put back knows fewer.
type mark struct{ f *os.File }

// digits is the fixed width of the number, so that it is written over at once.
const digits = 20

func openMark(path string) (*mark, error) {
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", path)
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	return &mark{f}, nil
}

func (m *mark) write(n int64) error {
	if _, err := m.f.WriteAt(fmt.Appendf(nil, "%0*d\n", digits, n), 0); err != nil {
		return err
	}
	return m.f.Sync()
}

// read returns -1 for what no write left behind.
func (m *mark) read() (int64, error) {
	b := make([]byte, digits+2)
	n, _ := m.f.ReadAt(b, 0)
	if n != digits+1 || b[digits] != '\n' {
		return -1, nil
	}
	v, err := strconv.ParseInt(string(b[:digits]), 10, 64)
	if err != nil {
		return -1, nil
	}
	return v, nil
}

func (m *mark) close() error { return m.f.Close() }

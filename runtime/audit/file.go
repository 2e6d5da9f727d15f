package audit

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/openrpc-go/rpcgen/runtime/outcome"
)

// Options of a File.
type Options struct {
	// Reads records reads too. Without it they are left out.
	Reads bool
	// Now is the clock; nil is time.Now. Only tests set it.
	Now func() time.Time
}

// File is an audit in a file of its own, and an outcome.Observer. An intent is
// on the disk before the call is sent. After a write that failed it takes
// nothing any more: what the system does with such a page is not known. One
// process has it open at a time. It may be used by any number of goroutines.
type File struct {
	mu     sync.Mutex
	f      *os.File
	head   Head
	reads  bool
	now    func() time.Time
	failed error
}

// Open opens an audit for appending, or makes one. A row that was cut off when
// a process ended is removed: nobody was told that it was there. Everything
// before it is verified.
func Open(name string, o Options) (*File, error) {
	f, err := openFile(name)
	if err != nil {
		return nil, err
	}
	a := &File{f: f, reads: o.Reads, now: o.Now}
	if a.now == nil {
		a.now = time.Now
	}
	if err := a.begin(name); err != nil {
		f.Close()
		return nil, fmt.Errorf("audit: %w", err)
	}
	return a, nil
}

func openFile(name string) (*os.File, error) {
	if info, err := os.Lstat(name); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("audit: %s is not a regular file", name)
	} else if err == nil && info.Mode().Perm()&0o022 != 0 {
		return nil, fmt.Errorf("audit: %s may be written by others", name)
	}
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("audit: %w", err)
	}
	if err := lock(f); err != nil {
		f.Close()
		return nil, fmt.Errorf("audit: another process writes to %s, or it cannot be locked", name)
	}
	return f, nil
}

// begin goes on where the file ends.
func (a *File) begin(name string) error {
	whole, torn, err := wholeLength(a.f)
	if err != nil {
		return err
	}
	if torn > 0 {
		if err := a.f.Truncate(whole); err != nil {
			return err
		}
	}
	report, err := Verify(io.NewSectionReader(a.f, 0, whole))
	switch {
	case err != nil:
		return err
	case len(report.Heads) > 1:
		return errors.New("the file has rows of several writers")
	case len(report.Heads) == 1:
		a.head = report.Heads[0]
	default:
		a.head.Writer = rand.Text()
	}
	return errors.Join(a.append(a.now(), Opened, map[string]int64{"bytes_cut_off": torn}), syncFolder(filepath.Dir(name)))
}

// wholeLength returns where the last whole line ends and how much follows.
func wholeLength(f *os.File) (whole, torn int64, err error) {
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return 0, 0, err
	}
	tail := make([]byte, min(size, maxLine+1))
	if _, err := f.ReadAt(tail, size-int64(len(tail))); err != nil && err != io.EOF {
		return 0, 0, err
	}
	end := int64(bytes.LastIndexByte(tail, '\n') + 1)
	if end == 0 && int64(len(tail)) < size {
		return 0, 0, fmt.Errorf("the last row is longer than %d bytes", maxLine)
	}
	torn = int64(len(tail)) - end
	return size - torn, torn, nil
}

// Intent records what is about to be sent.
func (a *File) Intent(_ context.Context, i outcome.Intent) error {
	if a.leftOut(i) {
		return nil
	}
	return a.append(i.At, Intent, i)
}

// Outcome records how it ended.
func (a *File) Outcome(_ context.Context, i outcome.Intent, o outcome.Outcome) error {
	if a.leftOut(i) {
		return nil
	}
	return a.append(a.now(), Outcome, o.Public())
}

func (a *File) leftOut(i outcome.Intent) bool { return i.Effect == "read" && !a.reads }

func (a *File) append(at time.Time, kind Kind, data any) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.failed != nil {
		return a.failed
	}
	next, line, err := a.head.Next(at, kind, data)
	if err != nil {
		return err
	}
	if len(line) >= maxLine {
		return fmt.Errorf("audit: a row of %d bytes", len(line))
	}
	if _, err = a.f.Write(append(line, '\n')); err == nil {
		err = a.f.Sync()
	}
	if err != nil {
		a.failed = errors.New("audit: a row could not be written; nothing more is taken")
		return a.failed
	}
	a.head = next
	return nil
}

// Head returns where the chain stands. Kept outside of the host, its digest
// shows later whether the tail was cut.
func (a *File) Head() Head {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.head
}

// Close closes the file.
func (a *File) Close() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.failed == nil {
		a.failed = errors.New("audit: it is closed")
	}
	return a.f.Close()
}

// syncFolder makes the name of a new file durable.
func syncFolder(name string) error {
	d, err := os.Open(name)
	if err != nil {
		return err
	}
	defer d.Close()
	return syncDirectory(d)
}

// requestID reads the one member that intents and outcomes share.
func requestID(data []byte) string {
	var r struct {
		RequestID string `json:"request_id"`
	}
	if json.Unmarshal(data, &r) != nil {
		return ""
	}
	return r.RequestID
}

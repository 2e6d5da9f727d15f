package source

import (
	"errors"
	"io"
	"io/fs"
	"os"
)

// ReadFile opens path and reads it like [Read]; name is what people are shown.
// Links are followed, but what is read is a regular file and never longer than
// the limit: a device, a pipe or a file without end is refused without waiting.
func ReadFile(path, name string, l Limits) (*File, error) {
	return readFile(hostFiles{}, path, name, l.withDefaults(defaultBytes), rules{})
}

// ReadFileIn is ReadFile for a path below root, which links cannot leave.
func ReadFileIn(root *os.Root, path, name string, l Limits) (*File, error) {
	return readFile(root, path, name, l.withDefaults(defaultBytes), rules{})
}

// ReadOwnFile is ReadFile with the rules of [ReadOwn].
func ReadOwnFile(path, name string, l Limits) (*File, error) {
	return readFile(hostFiles{}, path, name, l.withDefaults(defaultOwnBytes), rules{own: true})
}

// ReadOwnFileIn is ReadFileIn with the rules of [ReadOwn].
func ReadOwnFileIn(root *os.Root, path, name string, l Limits, nulls ...Pointer) (*File, error) {
	return readFile(root, path, name, l.withDefaults(defaultOwnBytes), rules{own: true, nulls: nulls})
}

// opener is the part of os.Root that reading needs.
type opener interface {
	Stat(name string) (fs.FileInfo, error)
	OpenFile(name string, flag int, perm fs.FileMode) (*os.File, error)
}

type hostFiles struct{}

func (hostFiles) Stat(name string) (fs.FileInfo, error) { return os.Stat(name) }

func (hostFiles) OpenFile(name string, flag int, perm fs.FileMode) (*os.File, error) {
	return os.OpenFile(name, flag, perm)
}

func readFile(files opener, path, name string, l Limits, whose rules) (*File, error) {
	b, err := load(files, path, name, l.Bytes)
	if err != nil {
		return nil, err
	}
	return read(name, b, l, whose)
}

// load looks at the file twice: before opening, because opening a device can
// act on it, and after, because the name may have been given to another file.
func load(files opener, path, name string, limit int64) ([]byte, error) {
	info, err := files.Stat(path)
	if err != nil {
		return nil, unreadable(name, err)
	}
	if err := regular(name, info, limit); err != nil {
		return nil, err
	}
	file, err := files.OpenFile(path, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil, unreadable(name, err)
	}
	defer file.Close()
	if info, err = file.Stat(); err != nil {
		return nil, unreadable(name, err)
	}
	if err := regular(name, info, limit); err != nil {
		return nil, err
	}
	return readBounded(file, name, info.Size(), limit)
}

func regular(name string, info fs.FileInfo, limit int64) error {
	f := &File{Name: name}
	switch mode := info.Mode(); {
	case mode.IsDir():
		return f.fail(0, CodeNotRegular, "is a folder, not a file")
	case mode&fs.ModeDevice != 0:
		return f.fail(0, CodeNotRegular, "is a device, not a file")
	case mode&fs.ModeNamedPipe != 0:
		return f.fail(0, CodeNotRegular, "is a named pipe, not a file").
			advise("save what it delivers in a file first")
	case !mode.IsRegular():
		return f.fail(0, CodeNotRegular, "is not a regular file")
	case info.Size() > limit:
		return tooLarge(name, info.Size(), limit)
	}
	return nil
}

// readBounded does not trust size: it is zero for files the system makes up.
func readBounded(r io.Reader, name string, size, limit int64) ([]byte, error) {
	b := make([]byte, 0, size+1)
	r = io.LimitReader(r, limit+1)
	for {
		n, err := r.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, unreadable(name, err)
		}
		if len(b) == cap(b) {
			b = append(b, 0)[:len(b)]
		}
	}
	if int64(len(b)) > limit {
		return nil, tooLarge(name, 0, limit)
	}
	return b, nil
}

// unreadable reports without the path of the machine, which PathError repeats.
func unreadable(name string, err error) error {
	reason := err
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		reason = p.Err
	}
	e := (&File{Name: name}).fail(0, CodeUnreadable, "%s", reason)
	e.cause = err
	return e
}

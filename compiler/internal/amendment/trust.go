package amendment

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/openrpc-go/rpcgen/compiler/internal/correct"
	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/fields"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// ReadTrusted reads the amendment at path below root, once; name is what
// people are shown. The file opens methods, so nobody but the owner may be
// able to put words into it: it is a regular file, no link leads out of root,
// and neither it nor a folder on its way is writable by everybody.
func ReadTrusted(root *os.Root, path, name string) (*File, diag.List) {
	if d, ok := trusted(root, path, name); !ok {
		return nil, diag.List{d}
	}
	f, err := source.ReadOwnFileIn(root, path, name, source.Limits{}, correct.Nulls)
	if err != nil {
		return nil, refused(err, name)
	}
	return Read(f)
}

// refused is everything that is wrong with a file whose text is at fault.
func refused(err error, name string) diag.List {
	faults, ok := fields.Refused(err, func(f *source.File) diag.List {
		_, found := Read(f)
		return found
	})
	if !ok {
		return diag.List{untrusted(name, err.Error())}
	}
	return faults
}

// linkLimit bounds a chain of links, as the system does.
const linkLimit = 16

// trusted follows links by hand, those of folders too, so that the folders that
// hold the bytes are looked at as well as those that hold a link to them.
func trusted(root *os.Root, path, name string) (diag.Diagnostic, bool) {
	for range linkLimit {
		if !filepath.IsLocal(path) {
			return untrusted(name, "it lies outside the folder of the config"), false
		}
		at, link := firstLink(root, path)
		if open, ok := openToAll(root, at); ok {
			return untrusted(name, "everybody may write to "+open), false
		}
		if !link {
			return diag.Diagnostic{}, true // where nothing is, reading it says so
		}
		target, err := root.Readlink(at)
		if err != nil || filepath.IsAbs(target) || target != filepath.Clean(target) {
			return untrusted(name, "it is a link out of the folder of the config, or one that goes round about"), false
		}
		rest, _ := filepath.Rel(at, path) // at is a prefix of path
		path = filepath.Join(filepath.Dir(at), target, rest)
	}
	return untrusted(name, "it is a link to a link without end"), false
}

// firstLink returns the shortest part of path that is a link, or path itself.
func firstLink(root *os.Root, path string) (at string, link bool) {
	path = filepath.Clean(path)
	for i := range len(path) + 1 {
		if i < len(path) && !os.IsPathSeparator(path[i]) {
			continue
		}
		info, err := root.Lstat(path[:i])
		if err != nil {
			break
		}
		if info.Mode()&fs.ModeSymlink != 0 {
			return path[:i], true
		}
	}
	return path, false
}

// openToAll finds the file or folder on the way to path that everybody may
// write to. A folder with the sticky bit keeps what others own, so it is fine.
func openToAll(root *os.Root, path string) (string, bool) {
	if runtime.GOOS == "windows" {
		return "", false // mode bits say nothing about rights there
	}
	const everybody = 0o002
	for at := path; ; at = filepath.Dir(at) {
		info, err := root.Lstat(at)
		link := err == nil && info.Mode()&fs.ModeSymlink != 0 // the bits of a link mean nothing
		sticky := err == nil && info.IsDir() && info.Mode()&fs.ModeSticky != 0
		if err == nil && info.Mode().Perm()&everybody != 0 && !link && !sticky {
			return described(at, info), true
		}
		if at == "." {
			return "", false
		}
	}
}

func described(path string, info fs.FileInfo) string {
	switch {
	case path == ".":
		return "the folder of the config"
	case info.IsDir():
		return "its folder " + filepath.ToSlash(path)
	default:
		return "it"
	}
}

func untrusted(name, why string) diag.Diagnostic {
	return diag.Diagnostic{
		Code:     Untrusted,
		Severity: diag.Error,
		Position: source.Position{File: &source.File{Name: name}},
		Message:  "the amendment cannot be trusted: " + why,
		Advice:   "keep it as a regular file below the folder of the config; chmod o-w takes the right to write from others",
	}
}

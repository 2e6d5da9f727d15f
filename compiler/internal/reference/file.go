package reference

import (
	"bytes"
	"errors"
	"io/fs"
	"net/url"
	"path"
	"sort"
	"strings"

	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// relative joins a reference without a scheme to the file that base names.
// It is not left to RFC 3986, which turns "../../x" at the top into "/x".
func (s *Set) relative(at *source.Node, ref string, base, u *url.URL) (*url.URL, *diag.Diagnostic) {
	switch {
	case u.Host != "" || u.User != nil:
		return nil, fault(at, ref, CodeRemote, "%q names another host; references are never fetched", clip(ref))
	case u.RawQuery != "" || u.ForceQuery:
		return nil, fault(at, ref, CodeSyntax, "%q has a query, which a file reference cannot have", clip(ref))
	case path.IsAbs(u.Path):
		return nil, advise(fault(at, ref, CodeOutside, "%q is an absolute path", clip(ref)),
			"write the path relative to this file")
	}
	beside := path.Join(path.Dir(base.Path[1:]), u.Path)
	below := path.Clean(u.Path)
	if s.known(beside) || !s.known(below) && (s.exists(beside) || !s.exists(below)) {
		below = beside
	}
	if below == ".." || strings.HasPrefix(below, "../") {
		return nil, advise(fault(at, ref, CodeOutside, "%q leads out of the folder that references may reach", clip(ref)),
			"declare a root: above it in the config, or vendor the file beside the document")
	}
	return fileURI(below), nil
}

// known reports whether a path is loaded, or stated as a relative $id.
func (s *Set) known(where string) bool {
	return s.paths[where] != nil || s.uris[fileURI(where).String()] != nil
}

func (s *Set) exists(where string) bool {
	if s.options.Root == nil || !fs.ValidPath(where) {
		return false
	}
	_, err := s.options.Root.Stat(where)
	return err == nil || !errors.Is(err, fs.ErrNotExist)
}

// file returns the root of a file below Root, read once.
func (s *Set) file(at *source.Node, ref, where string) (*source.Node, *diag.Diagnostic) {
	if f := s.paths[where]; f != nil {
		return f.Root, nil
	}
	if s.options.Root == nil {
		return nil, fault(at, ref, CodeOutside, "%q names another file, and no folder is open to references", clip(ref))
	}
	if !s.exists(where) {
		return nil, s.missing(at, ref, where)
	}
	f, err := source.ReadFileIn(s.options.Root, where, s.shown(where), s.options.Limits)
	if err != nil {
		return nil, unreadable(at, ref, err)
	}
	return s.adopt(where, f).Root, nil
}

// adopt takes a file in, unless it is the document under another path.
func (s *Set) adopt(where string, f *source.File) *source.File {
	if f.Digest == s.document.Digest && path.Base(where) == path.Base(slashed(s.document.Name)) {
		f = s.document
		s.paths[where] = f
		s.uris[fileURI(where).String()] = f.Root
		return f
	}
	if s.options.Mend != nil {
		f = s.options.Mend(where, f)
	}
	s.paths[where] = f
	s.files = append(s.files, f)
	s.index(f, fileURI(where))
	return f
}

// shown is the name of a file as people are told it: the document's own name
// with the way from its folder.
func (s *Set) shown(where string) string {
	name, dir := slashed(s.document.Name), path.Clean("/"+s.options.Dir)
	prefix := path.Dir(name)
	for dir != "/" && dir != "." {
		if path.Base(prefix) != path.Base(dir) {
			return where
		}
		prefix, dir = path.Dir(prefix), path.Dir(dir)
	}
	return path.Join(prefix, where)
}

func (s *Set) missing(at *source.Node, ref, where string) *diag.Diagnostic {
	d := fault(at, ref, CodeDangling, "%q names the file %q, which does not exist", clip(ref), clip(where))
	if written, _, _ := strings.Cut(ref, "#"); path.Dir(path.Clean(written)) != "." && !strings.HasPrefix(written, "..") {
		return advise(d, "references are relative to the file they stand in; where they are meant from a folder above, declare it as root: in the config")
	}
	folder, err := s.options.Root.Open(path.Dir(where))
	if err != nil {
		return d
	}
	defer folder.Close()
	entries, _ := folder.ReadDir(1000)
	return s.suggest(advise(d, "vendor the file there, under this name"), path.Base(where), "a file %q beside it", func(yield func(string) bool) {
		for i := 0; i < len(entries) && yield(entries[i].Name()); i++ {
		}
	})
}

// published finds a URI among remotes and library, then among the $id of files
// below Root.
func (s *Set) published(at *source.Node, ref string, u *url.URL) (*source.Node, *diag.Diagnostic) {
	key := u.String()
	if n, d := s.shelf(at, ref, u, s.options.Remotes, true); n != nil || d != nil {
		return n, d
	}
	if n, d := s.shelf(at, ref, u, s.library, false); n != nil || d != nil {
		return n, d
	}
	if d := s.openRemotes(at, ref); d != nil {
		return nil, d
	}
	if s.twins[key] == nil && s.uris[key] != nil {
		return s.uris[key], nil
	}
	switch where := s.stated()[key]; {
	case len(where) == 1:
		if _, d := s.file(at, ref, where[0]); d != nil {
			return nil, d
		}
		if n := s.uris[key]; n != nil {
			return n, nil
		}
	case len(where) > 1:
		return nil, fault(at, ref, CodeAmbiguous, "the files %q and %q both state the URI %q", where[0], where[1], clip(key))
	}
	if n, d := s.besideFile(at, ref); n != nil || d != nil {
		return n, d
	}
	return nil, advise(fault(at, ref, CodeRemote, "%q is not stated as $id by any schema here; references are never fetched", clip(ref)),
		"vendor the file below the document's folder, with this $id or under a relative path")
}

// besideFile finds what a relative reference names beside the file that holds
// it. A $id makes it relative to a URI; where no schema states the URI that this
// gives, the file is where it was read from (RFC 3986 section 5.1.3), and files
// that were published together are kept together.
func (s *Set) besideFile(at *source.Node, ref string) (*source.Node, *diag.Diagnostic) {
	written, _, _ := strings.Cut(ref, "#")
	u, err := url.Parse(written)
	if err != nil || u.Scheme != "" || u.Host != "" || u.RawQuery != "" || u.Path == "" || path.IsAbs(u.Path) {
		return nil, nil
	}
	var places []string
	for where, f := range s.paths {
		if f == at.File {
			places = append(places, where)
		}
	}
	sort.Strings(places)
	for _, where := range places {
		if beside := path.Join(path.Dir(where), u.Path); beside != ".." && !strings.HasPrefix(beside, "../") && (s.paths[beside] != nil || s.exists(beside)) {
			return s.file(at, ref, beside)
		}
	}
	return nil, nil
}

// shelf opens one document that is kept by URI.
func (s *Set) shelf(at *source.Node, ref string, u *url.URL, shelf map[string][]byte, used bool) (*source.Node, *diag.Diagnostic) {
	key := u.String()
	b, ok := shelf[key]
	if !ok || s.loaded[key] {
		return nil, nil
	}
	s.loaded[key] = true
	f, err := source.Read(key, b, s.options.Limits)
	if err != nil {
		return nil, unreadable(at, ref, err)
	}
	if used {
		s.files = append(s.files, f)
	}
	s.index(f, u)
	return s.uris[key], nil
}

// openRemotes reads every remote, because a URI may be stated inside of one.
func (s *Set) openRemotes(at *source.Node, ref string) *diag.Diagnostic {
	keys := make([]string, 0, len(s.options.Remotes))
	for key := range s.options.Remotes {
		if !s.loaded[key] && bytes.Contains(s.options.Remotes[key], []byte(`id`)) {
			keys = append(keys, key)
		}
	}
	sort.Strings(keys)
	for _, key := range keys {
		u, err := url.Parse(key)
		if err != nil {
			return fault(at, ref, CodeSyntax, "the remote %q is not named by a URI", clip(key))
		}
		if _, d := s.shelf(at, ref, u, s.options.Remotes, true); d != nil {
			return d
		}
	}
	return nil
}

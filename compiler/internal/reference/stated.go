package reference

import (
	"bytes"
	"io"
	"io/fs"
	"net/url"
	"path"
	"strings"

	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// The search for files that state a $id is bounded: a project keeps its
// schemas together, and whoever has more than this names the file.
const (
	searchEntries = 5_000
	searchBytes   = 64 << 20
)

// stated looks once through the folder that references may reach and returns
// the files whose root states a $id, by URI. Files that cannot be read or are
// no JSON or YAML are passed over: nobody has named them.
func (s *Set) stated() map[string][]string {
	if s.declared != nil || s.options.Root == nil {
		return s.declared
	}
	s.declared = map[string][]string{}
	entries, room := 0, int64(searchBytes)
	walk := func(where string, e fs.DirEntry, err error) error {
		if entries++; entries > searchEntries || room <= 0 {
			return fs.SkipAll
		}
		switch {
		case err != nil || e.IsDir() && where != "." && passedOver(e.Name()):
			return fs.SkipDir
		case e.Type().IsRegular() && isDocument(where):
			room -= s.state(where, room)
		}
		return nil
	}
	_ = fs.WalkDir(s.options.Root.FS(), ".", walk) // walk returns no error of its own
	return s.declared
}

func passedOver(folder string) bool {
	return strings.HasPrefix(folder, ".") || folder == "node_modules" || folder == "testdata"
}

func isDocument(where string) bool {
	switch path.Ext(where) {
	case ".json", ".yaml", ".yml":
		return true
	}
	return false
}

// state records the $id of one file and returns how many bytes it read.
func (s *Set) state(where string, room int64) int64 {
	f, err := s.options.Root.Open(where)
	if err != nil {
		return 0
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, room))
	if err != nil || s.paths[where] != nil || !bytes.Contains(b, []byte("$id")) {
		return int64(len(b))
	}
	file, err := source.Read(where, b, s.options.Limits)
	if err != nil {
		return int64(len(b))
	}
	if id := file.Root.Get("$id"); id != nil && id.Kind == source.String {
		if u, err := url.Parse(id.Text); err == nil && u.IsAbs() {
			u.Fragment, u.RawFragment = "", ""
			s.declared[u.String()] = append(s.declared[u.String()], where)
		}
	}
	return int64(len(b))
}

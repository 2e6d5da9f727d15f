package output

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
)

// Hidden folders of a write; the go command does not look into them.
const (
	stageDir  = ".rpcgen-stage"
	commitDir = ".rpcgen-commit"
)

// survey compares what a folder holds with what it should hold.
type survey struct {
	root    *os.Root
	files   []File
	foreign []string
	owned   []string // Go files of ours
	other   []string // present data files that do not open as ours do: ours only beside Go files of ours
	report  Report
}

// look reads the folder. Files that are neither Go nor generated are none of
// our business; Go files without our header, links in our places and
// subfolders are foreign.
func look(root *os.Root, files []File) (*survey, error) {
	s := &survey{root: root, files: files}
	entries, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if err := s.entry(e); err != nil {
			return nil, err
		}
	}
	if len(s.owned) == 0 {
		s.foreign = append(s.foreign, s.other...)
	}
	slices.Sort(s.foreign)
	if len(s.foreign) > 0 {
		return nil, &ForeignError{Dir: root.Name(), Names: s.foreign}
	}
	return s, s.compare()
}

func (s *survey) entry(e fs.DirEntry) error {
	name := e.Name()
	generated := slices.ContainsFunc(s.files, func(f File) bool { return f.Name == name })
	switch {
	case e.IsDir() && (name == stageDir || name == commitDir):
		return nil
	case e.IsDir():
		s.foreign = append(s.foreign, name+"/")
	case !isGo(name) && !generated:
		return nil
	case !e.Type().IsRegular():
		s.foreign = append(s.foreign, name)
	case isGo(name):
		return s.goFile(name)
	default:
		return s.dataFile(name)
	}
	return nil
}

// dataFile looks at a file in the place of generated data. One that opens as
// ours does is ours, also when every Go file beside it was deleted.
func (s *survey) dataFile(name string) error {
	i := slices.IndexFunc(s.files, func(f File) bool { return f.Name == name })
	head := opening(s.files[i].Data)
	got, err := readHead(s.root, name, len(head)+len("\r\r"))
	if err != nil {
		return err
	}
	if !bytes.Equal(opening(got), head) {
		s.other = append(s.other, name)
	}
	return nil
}

// opening is the first two lines, line ends aside: a brace, and the member that
// no other format opens with.
func opening(data []byte) []byte {
	first, rest, _ := bytes.Cut(data, []byte("\n"))
	second, _, _ := bytes.Cut(rest, []byte("\n"))
	return slices.Concat(bytes.TrimSuffix(first, []byte("\r")), []byte("\n"), bytes.TrimSuffix(second, []byte("\r")), []byte("\n"))
}

// goFile looks at the header of a Go file.
func (s *survey) goFile(name string) error {
	ours, err := ownGo(s.root, name)
	if ours {
		s.owned = append(s.owned, name)
	} else {
		s.foreign = append(s.foreign, name)
	}
	return err
}

func ownGo(root *os.Root, name string) (bool, error) {
	head, err := readHead(root, name, len(Header)+2)
	return headed(head), err
}

// readHead reads at most n bytes from the start of a file.
func readHead(root *os.Root, name string, n int) ([]byte, error) {
	f, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, int64(n)))
}

// compare fills the report.
func (s *survey) compare() error {
	for _, f := range s.files {
		same, err := s.same(f)
		if err != nil {
			return err
		}
		if same {
			s.report.Unchanged = append(s.report.Unchanged, f.Name)
		} else {
			s.report.Written = append(s.report.Written, f.Name)
		}
	}
	for _, name := range s.owned {
		if !slices.ContainsFunc(s.files, func(f File) bool { return f.Name == name }) {
			s.report.Removed = append(s.report.Removed, name)
		}
	}
	return nil
}

// same compares without reading a file of another size.
func (s *survey) same(f File) (bool, error) {
	info, err := s.root.Lstat(f.Name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil || info.Size() != int64(len(f.Data)) {
		return false, err
	}
	data, err := s.root.ReadFile(f.Name)
	return bytes.Equal(data, f.Data), err
}

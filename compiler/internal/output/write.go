package output

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
)

// Write makes dir hold exactly the generated files, creating it when needed,
// and reports what changed. Files that are as they should be are not touched;
// Go files of ours that are no longer generated are removed. Nothing is written
// when dir holds foreign files (*ForeignError).
func Write(dir string, files []File) (Report, error) {
	if err := checkFiles(files); err != nil {
		return Report{}, err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return Report{}, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return Report{}, err
	}
	defer root.Close()
	unlock, err := lock(root)
	if err != nil {
		return Report{}, err
	}
	defer unlock()
	if err := finish(root); err != nil {
		return Report{}, err
	}
	s, err := look(root, files)
	if err != nil || s.report.Fresh() {
		return reportOf(s), err
	}
	return s.report, s.commit()
}

// Compare reports what Write would change and writes nothing. A dir that does
// not exist is an empty one.
func Compare(dir string, files []File) (Report, error) {
	if err := checkFiles(files); err != nil {
		return Report{}, err
	}
	root, err := os.OpenRoot(dir)
	if errors.Is(err, fs.ErrNotExist) {
		var all Report
		for _, f := range files {
			all.Written = append(all.Written, f.Name)
		}
		return all, nil
	}
	if err != nil {
		return Report{}, err
	}
	defer root.Close()
	s, err := look(root, files)
	if err != nil {
		return Report{}, err
	}
	_, err = root.Lstat(commitDir)
	s.report.Interrupted = err == nil
	return s.report, nil
}

func reportOf(s *survey) Report {
	if s == nil {
		return Report{}
	}
	return s.report
}

// removals is the file of a staged write that lists what to remove; no
// generated file can have its name.
const removals = "REMOVE"

// commit stages what changes, commits it and moves it into place.
func (s *survey) commit() error {
	if err := s.stage(); err != nil {
		return errors.Join(err, s.root.RemoveAll(stageDir))
	}
	if err := s.root.Rename(stageDir, commitDir); err != nil {
		return errors.Join(err, s.root.RemoveAll(stageDir))
	}
	if err := syncDir(s.root, "."); err != nil {
		return err
	}
	return finish(s.root)
}

func (s *survey) stage() error {
	if err := s.root.Mkdir(stageDir, 0o777); err != nil {
		return err
	}
	if err := s.stageFiles(); err != nil {
		return err
	}
	list := []byte(strings.Join(s.report.Removed, "\n"))
	if err := writeSynced(s.root, stageDir+"/"+removals, list); err != nil {
		return err
	}
	return syncDir(s.root, stageDir)
}

// writers is how many files are written at once: each waits for the disk.
const writers = 4

func (s *survey) stageFiles() error {
	var wait sync.WaitGroup
	errs := make([]error, len(s.files))
	slots := make(chan struct{}, writers)
	for i, f := range s.files {
		if !slices.Contains(s.report.Written, f.Name) {
			continue
		}
		wait.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			errs[i] = writeSynced(s.root, stageDir+"/"+f.Name, f.Data)
		})
	}
	wait.Wait()
	return errors.Join(errs...)
}

func writeSynced(root *os.Root, name string, data []byte) error {
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Sync(), f.Close())
}

// finish moves a committed write into place, if there is one, and clears a
// staged one that never was committed. It may be repeated any number of times.
func finish(root *os.Root) error {
	if err := root.RemoveAll(stageDir); err != nil {
		return err
	}
	entries, err := fs.ReadDir(root.FS(), commitDir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, name := range moveOrder(entries) {
		if err := root.Rename(commitDir+"/"+name, name); err != nil {
			return err
		}
	}
	if err := removeListed(root); err != nil {
		return err
	}
	if err := syncDir(root, "."); err != nil {
		return err
	}
	return root.RemoveAll(commitDir)
}

// moveOrder lists the staged files, what is embedded after the code that
// knows its digest.
func moveOrder(entries []fs.DirEntry) []string {
	var code, rest []string
	for _, e := range entries {
		switch name := e.Name(); {
		case !e.Type().IsRegular() || !fileName.MatchString(name):
		case isGo(name):
			code = append(code, name)
		default:
			rest = append(rest, name)
		}
	}
	return append(code, rest...)
}

// removeListed removes the listed files that are there and ours.
func removeListed(root *os.Root) error {
	list, err := root.ReadFile(commitDir + "/" + removals)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for name := range strings.SplitSeq(string(list), "\n") {
		if !fileName.MatchString(name) || !isGo(name) {
			continue
		}
		ours, err := ownGo(root, name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		if ours {
			if err := root.Remove(name); err != nil {
				return err
			}
		}
	}
	return nil
}

package traffic

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Source is a file to read.
type Source struct {
	Path string
	Name string // as shown to people
	// Found says that the file was found in a folder, not named: when it is of
	// no known format it is skipped.
	Found bool
}

// List returns the files that paths name, and those below the folders among
// them, sorted by name within each folder. Links in folders are not followed.
func List(paths []string, l Limits) ([]Source, []Skip, error) {
	w := walk{limit: l.withDefaults().Files}
	for _, path := range paths {
		info, err := os.Stat(path)
		switch {
		case err != nil:
			return nil, nil, err
		case info.IsDir():
			err = filepath.WalkDir(path, w.visit)
		default:
			err = w.add(Source{Path: path, Name: filepath.ToSlash(path)})
		}
		if err != nil {
			return nil, nil, err
		}
	}
	return w.files, w.skipped, nil
}

type walk struct {
	limit   int
	files   []Source
	skipped []Skip
}

func (w *walk) visit(path string, entry fs.DirEntry, err error) error {
	switch {
	case err != nil:
		return err
	case entry.IsDir():
		return nil
	}
	name := filepath.ToSlash(path)
	switch {
	case !entry.Type().IsRegular():
		return w.skip(name, "not a regular file")
	case formatOf(name) == unknown:
		return w.skip(name, unknownFormat)
	default:
		return w.add(Source{Path: path, Name: name, Found: true})
	}
}

func (w *walk) add(s Source) error {
	w.files = append(w.files, s)
	return w.count()
}

func (w *walk) skip(name, reason string) error {
	w.skipped = append(w.skipped, Skip{Place{File: name}, reason})
	return w.count()
}

func (w *walk) count() error {
	if len(w.files)+len(w.skipped) > w.limit {
		return fmt.Errorf("more than %d files of traffic", w.limit)
	}
	return nil
}

// format is how a file records traffic.
type format uint8

const (
	unknown format = iota
	arrows         // .io
	lines          // JSON Lines
	archive        // HAR
	value          // .json: a pair or an archive, told by the content
)

const unknownFormat = "none of the formats .io, .jsonl, .ndjson, .har, or .json with a request or a log"

func formatOf(name string) format {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".io":
		return arrows
	case ".jsonl", ".ndjson":
		return lines
	case ".har":
		return archive
	case ".json":
		return value
	default:
		return unknown
	}
}

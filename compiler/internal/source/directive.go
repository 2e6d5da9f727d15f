package source

import (
	"bytes"
	"regexp"
)

var yaml12 = regexp.MustCompile(`^%YAML[ \t]+1\.2[ \t]*(#.*)?$`)

// stripDirective returns the text for the YAML library, which knows version
// 1.1 only: a line that says 1.2 becomes a comment of the same length. Any
// other directive changes how the text is read and is refused, and our own
// files have none at all.
func (f *File) stripDirective(own bool) ([]byte, error) {
	text := f.Bytes
	for at := 0; at < len(text); {
		line, _, _ := bytes.Cut(text[at:], []byte("\n"))
		next := at + len(line) + 1
		line = bytes.TrimRight(line, "\r")
		words := bytes.TrimLeft(line, " \t")
		switch {
		case len(words) == 0, words[0] == '#', bytes.HasPrefix(line, []byte("...")):
		case line[0] != '%':
			return text, nil
		case own:
			return nil, f.fail(at, CodeYAMLDirective, "directives are not allowed here").
				advise("remove the lines that start with %")
		case !yaml12.Match(line):
			return nil, f.fail(at, CodeYAMLDirective, "directive %q is not read", clip(string(line))).
				advise("files are read as YAML 1.2, remove the line and check what it changes")
		default:
			text = bytes.Clone(text)
			text[at] = '#'
		}
		at = next
	}
	return text, nil
}

package traffic

import (
	"fmt"

	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// Read reads the file. Its error is a *source.Error.
func (s Source) Read(l Limits) (*Log, error) {
	l = l.withDefaults()
	if formatOf(s.Name) == unknown {
		return s.unknown()
	}
	text, err := source.ReadText(s.Path, s.Name, l.source())
	if err != nil {
		return nil, err
	}
	return s.read(text, l)
}

func (s Source) read(text *source.File, l Limits) (*Log, error) {
	switch formatOf(s.Name) {
	case arrows:
		return readArrows(text, l)
	case lines:
		return readLines(text, l)
	}
	if at, ok := opens(text.Bytes); !ok {
		return nil, fail(text, at, source.CodeSyntaxJSON, "expected a JSON object")
	}
	f, err := source.Read(s.Name, text.Bytes, l.source())
	switch {
	case err != nil:
		return nil, err
	case formatOf(s.Name) == archive || f.Root.Get("log") != nil:
		return readArchive(f, l)
	case isPair(f.Root):
		return readPair(f)
	default:
		return s.unknown()
	}
}

// isPair tells a recorded pair from the many other files that have a member
// request: its request is a batch or has one of the members of a message.
func isPair(n *source.Node) bool {
	request := n.Get("request")
	return request != nil && (request.Kind == source.Array || request.Get("jsonrpc") != nil || request.Get("method") != nil)
}

// unknown skips a file that was found and refuses one that was named.
func (s Source) unknown() (*Log, error) {
	if s.Found {
		return &Log{Skipped: []Skip{{Place{File: s.Name}, unknownFormat}}}, nil
	}
	at := source.Position{File: &source.File{Name: s.Name}}
	return nil, &source.Error{Code: CodeUnknownFormat, Position: at, Message: unknownFormat}
}

// opens reports whether the first value of a text is an object or an array,
// so that source reads it as JSON, and where it starts.
func opens(text []byte) (at int, ok bool) {
	for at < len(text) {
		switch text[at] {
		case ' ', '\t', '\r', '\n':
			at++
		case '{', '[':
			return at, true
		default:
			return at, false
		}
	}
	return at, false
}

// fail returns a fault at an offset of the file.
func fail(f *source.File, offset int, code, format string, args ...any) *source.Error {
	return &source.Error{Code: code, Position: f.Position(offset), Message: fmt.Sprintf(format, args...)}
}

// failAt returns a fault at a value.
func failAt(n *source.Node, format string, args ...any) *source.Error {
	return &source.Error{Code: CodeShape, Position: n.Position(), Pointer: n.Pointer(), Message: fmt.Sprintf(format, args...)}
}

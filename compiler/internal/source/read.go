package source

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// Read reads a document that somebody else wrote. Text that starts with { or [
// is JSON, everything else is YAML; the name plays no part. The File keeps b,
// which must not change afterwards. The error is an [*Error].
func Read(name string, b []byte, l Limits) (*File, error) {
	return read(name, b, l.withDefaults(defaultBytes), rules{})
}

// ReadOwn reads a file of a format that we define. Beyond Read it refuses
// whatever could look different from what it means: control, format and
// invisible characters anywhere, tags, anchors, aliases, merge keys, null, and
// plain scalars that the versions of YAML read differently. Below one of the
// pointers nulls the word null is a value: there the file repeats a document.
func ReadOwn(name string, b []byte, l Limits, nulls ...Pointer) (*File, error) {
	return read(name, b, l.withDefaults(defaultOwnBytes), rules{own: true, nulls: nulls})
}

// rules say whose file is read.
type rules struct {
	own   bool
	nulls []Pointer // of our own file: where null may stand
}

// nullAt reports whether null may stand at p.
func (r rules) nullAt(p Pointer) bool {
	for _, top := range r.nulls {
		if strings.HasPrefix(string(p), string(top)+"/") {
			return true
		}
	}
	return false
}

func read(name string, b []byte, l Limits, whose rules) (*File, error) {
	if int64(len(b)) > l.Bytes {
		return nil, tooLarge(name, int64(len(b)), l.Bytes)
	}
	if b == nil {
		b = []byte{}
	}
	f := &File{Name: name, Bytes: b}
	digest := make(chan string, 1)
	go func() { digest <- digestOf(b) }() // it takes a third of the time of reading
	err := f.build(l, whose)
	f.Digest = <-digest
	if err != nil {
		return nil, err
	}
	return f, nil
}

// build makes the tree of a file.
func (f *File) build(l Limits, whose rules) error {
	if err := f.checkText(whose.own); err != nil {
		return err
	}
	builder := &builder{file: f, limits: l, rules: whose}
	if err := builder.whole(builder.read(whose.own)); err != nil {
		return err
	}
	f.Root = builder.root
	return nil
}

func (b *builder) read(own bool) error {
	text := bytes.TrimLeft(b.file.Bytes, " \t\r\n")
	if len(text) > 0 && (text[0] == '{' || text[0] == '[') {
		b.file.Format = JSON
		return b.readJSON(own)
	}
	b.file.Format = YAML
	return b.readYAML(own)
}

func tooLarge(name string, size, limit int64) *Error {
	f := &File{Name: name}
	if size > limit {
		return f.fail(0, CodeTooLarge, "%d bytes, the limit is %d", size, limit)
	}
	return f.fail(0, CodeTooLarge, "more than %d bytes", limit)
}

const utf8Advice = "save the file as UTF-8 without a byte order mark"

// checkText holds the bytes against the rules that stand above both grammars.
func (f *File) checkText(own bool) error {
	switch {
	case bytes.HasPrefix(f.Bytes, []byte("\xef\xbb\xbf")):
		return f.fail(0, CodeByteOrderMark, "the file starts with a byte order mark").advise(utf8Advice)
	case bytes.HasPrefix(f.Bytes, []byte("\xff\xfe")), bytes.HasPrefix(f.Bytes, []byte("\xfe\xff")):
		return f.fail(0, CodeInvalidUTF8, "the file looks like UTF-16").advise(utf8Advice)
	}
	if at := invalidUTF8(f.Bytes); at >= 0 {
		return f.fail(at, CodeInvalidUTF8, "byte 0x%02x is not UTF-8 here", f.Bytes[at]).advise(utf8Advice)
	}
	if at := conflictMarker(f.Bytes); at >= 0 {
		return f.fail(at, CodeMergeConflict, "marker of an unfinished merge").
			advise("finish the merge: keep one side and delete the markers")
	}
	if own {
		return f.checkCharacters()
	}
	return nil
}

func invalidUTF8(b []byte) int {
	if utf8.Valid(b) {
		return -1
	}
	for i := 0; i < len(b); {
		r, size := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}

// conflictMarker finds the first line that a version control system left
// behind. Seven equal signs alone are no proof, the angle brackets are.
func conflictMarker(b []byte) int {
	for _, marker := range []string{"<<<<<<< ", ">>>>>>> ", "||||||| "} {
		if at := lineStart(b, []byte(marker)); at >= 0 {
			return at
		}
	}
	return -1
}

// lineStart finds the first line that starts with text. It looks for the text,
// which is rare, and not for line breaks.
func lineStart(b, text []byte) int {
	for from := 0; ; {
		next := bytes.Index(b[from:], text)
		if next < 0 {
			return -1
		}
		at := from + next
		if at == 0 || b[at-1] == '\n' {
			return at
		}
		from = at + len(text)
	}
}

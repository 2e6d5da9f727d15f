package source

import (
	"bytes"
	"errors"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// readJSON builds the tree from the token stream. Names are checked by the
// builder, which knows where the first one stood.
func (b *builder) readJSON(own bool) error {
	r := jsonReader{
		builder: b,
		text:    string(b.file.Bytes),
		own:     own,
		tokens:  jsontext.NewDecoder(bytes.NewBuffer(b.file.Bytes), jsontext.AllowDuplicateNames(true)),
	}
	for b.root == nil || len(b.open) > 0 {
		if err := r.next(); err != nil {
			return err
		}
	}
	return r.finish()
}

type jsonReader struct {
	*builder
	text   string // the file once more, so that strings can share it
	own    bool
	tokens *jsontext.Decoder
}

func (r *jsonReader) next() error {
	switch kind := r.tokens.PeekKind(); kind {
	case '{', '[', '}', ']':
		if _, err := r.tokens.ReadToken(); err != nil {
			return r.syntax(err)
		}
		switch kind {
		case '{':
			return r.begin(Object, r.offset()-1)
		case '[':
			return r.begin(Array, r.offset()-1)
		default:
			return r.end()
		}
	default:
		return r.scalar()
	}
}

func (r *jsonReader) offset() int { return int(r.tokens.InputOffset()) }

func (r *jsonReader) scalar() error {
	raw, err := r.tokens.ReadValue()
	if err != nil {
		return r.syntax(err)
	}
	end := r.offset()
	start := end - len(raw)
	switch raw[0] {
	case '"':
		return r.str(raw, start, end)
	case 'n':
		if r.own && !r.rules.nullAt(r.pointer()) {
			if err := r.fault(nullValue(r.file, start).at(r.pointer())); err != nil {
				return err
			}
		}
		_, err = r.value(Null, "", start)
	case 't', 'f':
		_, err = r.value(Bool, r.text[start:end], start)
	default:
		_, err = r.value(Number, r.text[start:end], start)
	}
	return err
}

func (r *jsonReader) str(raw []byte, start, end int) error {
	text := r.text[start+1 : end-1]
	if bytes.IndexByte(raw, '\\') >= 0 {
		decoded, err := jsontext.AppendUnquote(make([]byte, 0, len(raw)), raw)
		if err != nil {
			return r.syntax(err)
		}
		text = string(decoded)
		if r.own {
			if err := r.file.checkDecoded(text, start); err != nil {
				return err
			}
		}
	}
	if r.wantsName() {
		r.name(text, start)
		return nil
	}
	_, err := r.value(String, text, start)
	return err
}

func (r *jsonReader) finish() error {
	end := r.offset()
	_, err := r.tokens.ReadToken()
	if err == io.EOF {
		return nil
	}
	rest := bytes.TrimLeft(r.file.Bytes[end:], " \t\r\n")
	at := len(r.file.Bytes) - len(rest)
	return r.file.fail(at, CodeSecondDocument, "there is more after the end of the JSON value").
		advise("one file holds one document")
}

const jsonAdvice = "text that starts with { or [ is read as JSON: no comments, no trailing commas, names in double quotes"

func (r *jsonReader) syntax(err error) error {
	offset, message := r.offset(), err.Error()
	if s, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		offset = int(s.ByteOffset)
		message = s.Err.Error()
	}
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		offset, message = len(r.file.Bytes), "the file ends in the middle of a value"
	}
	if closes := bytes.TrimLeft(r.file.Bytes[min(offset, len(r.file.Bytes)):], ", \t\r\n"); len(closes) > 0 &&
		r.file.Bytes[offset] == ',' && (closes[0] == ']' || closes[0] == '}') {
		message = "a comma before a closing bracket"
	}
	e := r.file.fail(offset, CodeSyntaxJSON, "%s", message).at(r.pointer()).advise(jsonAdvice)
	e.cause = err
	return e
}

func nullValue(f *File, offset int) *Error {
	return f.fail(offset, CodeNull, "null where a value is expected").
		advise("write the value, or remove the member")
}

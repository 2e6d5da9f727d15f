package envelope

import (
	"bytes"
	"errors"
	"sync"

	"github.com/openrpc-go/rpcgen/runtime/internal/scan"
)

// member is a known member's value, as a range of the body.
type member struct{ start, end int }

func (m member) found() bool           { return m.end > 0 }
func (m member) of(body []byte) []byte { return body[m.start:m.end] }

// The members that have a meaning, of an envelope and of its error object.
const (
	version = iota
	identity
	result
	failure
	method
	params
	code
	message
	data
	known // how many there are
)

// members are the values of the known members.
type members [known]member

// reserved is a name that has a meaning.
type reserved struct {
	name  string
	which int
}

var envelopeNames = []reserved{
	{"jsonrpc", version}, {"id", identity}, {"result", result}, {"error", failure}, {"method", method},
}

var requestNames = append(envelopeNames[:len(envelopeNames):len(envelopeNames)], reserved{"params", params})

var errorNames = []reserved{{"code", code}, {"message", message}, {"data", data}}

var errReserved = errors.New("a name that differs from a reserved one in case only")

// unreserved is which member a name is that has no meaning.
const unreserved = -1

// find returns which member a name is, given with quotes. A name that another
// reader could take for a reserved one is none: Result, and the same with
// U+017F.
func find(quoted []byte, names []reserved) (which int, err error) {
	name := quoted[1 : len(quoted)-1]
	if bytes.IndexByte(name, '\\') >= 0 {
		name = scan.Unquote(nil, quoted)
	}
	for _, r := range names {
		if string(name) == r.name {
			return r.which, nil
		}
	}
	for _, r := range names {
		if bytes.EqualFold(name, []byte(r.name)) {
			return unreserved, errReserved
		}
	}
	return unreserved, nil
}

// split checks the whole body and notes the members of the envelope that have
// one of the names, in one pass.
func split(body []byte, names []reserved) (members, *Violation) {
	m, _, v := splitReading(body, names, nil)
	return m, v
}

// splitReading is split with a reader of the result; refused says that it did
// not take the result, and that nothing behind it was looked at.
func splitReading(body []byte, names []reserved, r ResultReader) (m members, refused bool, v *Violation) {
	w := walks.Get().(*walk)
	w.Reset(body, scan.Limits{Depth: Depth + 1})
	w.names, w.reader, w.members, w.misnamed, w.refused = names, r, members{}, false, false
	v = w.body()
	m, refused = w.members, w.refused
	w.reader = nil
	w.Reset(nil, scan.Limits{})
	walks.Put(w)
	return m, refused, v
}

// walk is one reading of a body.
type walk struct {
	scan.Scanner
	names    []reserved
	reader   ResultReader // nil: the result is checked like everything else
	members  members
	misnamed bool // there is a name that differs from a reserved one in case only
	refused  bool // by the reader: all else is void
}

var walks = sync.Pool{New: func() any { return new(walk) }}

// body reads all of it.
func (w *walk) body() *Violation {
	b := w.Text
	i := scan.Space(b, 0)
	object := i < len(b) && b[i] == '{'
	var end int
	var err error
	if object {
		end, err = w.object(i)
	} else {
		end, err = w.Value(i, 0)
	}
	if w.refused {
		return nil
	}
	if err == nil {
		if end = scan.Space(b, end); end < len(b) {
			err = &scan.Error{Offset: end, Code: scan.TrailingData}
		}
	}
	switch {
	case err != nil:
		return &Violation{Reason: NotJSON, JSON: err.(*scan.Error)} // the scanner has no other
	case w.misnamed:
		return &Violation{Reason: ReservedName}
	case object:
		return nil
	case b[i] == '[':
		return &Violation{Reason: Batch}
	default:
		return &Violation{Reason: NotObject}
	}
}

// object reads the object at i. A bad name does not end it: what is not JSON is
// reported as that first.
func (w *walk) object(i int) (end int, err error) {
	b := w.Text
	i = scan.Space(b, i+1)
	if i < len(b) && b[i] == '}' {
		return i + 1, nil
	}
	mark := w.Names.Open()
	for more := true; more; {
		value, err := w.Name(mark, i)
		if err != nil {
			return i, err
		}
		end, err := w.member(i, value)
		if err != nil || w.refused {
			return end, err
		}
		if i, more, err = scan.Next(b, end, '}'); err != nil {
			return i, err
		}
	}
	w.Names.Close(mark)
	return i, nil
}

// member reads the value of the member whose name stands at i.
func (w *walk) member(i, value int) (end int, err error) {
	quoted, _, _ := scan.String(w.Text, i)
	which, bad := find(w.Text[i:quoted], w.names)
	if bad != nil {
		w.misnamed = true
	}
	if which == result && w.reader != nil {
		var ok bool
		if end, ok = w.reader.ReadResult(w.Text, value); !ok {
			w.refused = true
			return end, nil
		}
	} else if end, err = w.Value(value, 1); err != nil {
		return end, err
	}
	if which != unreserved {
		w.members[which] = member{value, end}
	}
	return end, nil
}

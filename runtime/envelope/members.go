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

// put notes the value of a reserved name, given with quotes. Other names are
// passed over, unless another reader could take them for reserved ones:
// Result, and the same with U+017F.
func (m *members) put(quoted []byte, value member, names []reserved) error {
	name := quoted[1 : len(quoted)-1]
	if bytes.IndexByte(name, '\\') >= 0 {
		name = scan.Unquote(nil, quoted)
	}
	for _, r := range names {
		if string(name) == r.name {
			m[r.which] = value
			return nil
		}
	}
	for _, r := range names {
		if bytes.EqualFold(name, []byte(r.name)) {
			return errReserved
		}
	}
	return nil
}

var scanners = sync.Pool{New: func() any { return new(scan.Scanner) }}

// split checks the whole body and notes the members of the envelope that have
// one of the names, in one pass.
func split(body []byte, names []reserved) (members, *Violation) {
	s := scanners.Get().(*scan.Scanner)
	s.Reset(body, scan.Limits{Depth: Depth + 1})
	m, v := splitWith(s, body, names)
	s.Reset(nil, scan.Limits{})
	scanners.Put(s)
	return m, v
}

func splitWith(s *scan.Scanner, body []byte, names []reserved) (m members, v *Violation) {
	i := scan.Space(body, 0)
	object := i < len(body) && body[i] == '{'
	var end int
	var err error
	var name error
	if object {
		end, name, err = m.walk(s, i, names)
	} else {
		end, err = s.Value(i, 0)
	}
	if err == nil {
		if end = scan.Space(body, end); end < len(body) {
			err = &scan.Error{Offset: end, Code: scan.TrailingData}
		}
	}
	switch {
	case err != nil:
		return m, &Violation{Reason: NotJSON, JSON: err.(*scan.Error)} // the scanner has no other
	case name != nil:
		return m, &Violation{Reason: ReservedName}
	case object:
		return m, nil
	case body[i] == '[':
		return m, &Violation{Reason: Batch}
	default:
		return m, &Violation{Reason: NotObject}
	}
}

// walk reads the object at i. A bad name does not end it: what is not JSON is
// reported as that first.
func (m *members) walk(s *scan.Scanner, i int, names []reserved) (end int, name, err error) {
	b := s.Text
	i = scan.Space(b, i+1)
	if i < len(b) && b[i] == '}' {
		return i + 1, nil, nil
	}
	mark := s.Names.Open()
	for more := true; more; {
		value, err := s.Name(mark, i)
		if err != nil {
			return i, nil, err
		}
		end, err := s.Value(value, 1)
		if err != nil {
			return end, nil, err
		}
		quoted, _, _ := scan.String(b, i)
		if bad := m.put(b[i:quoted], member{value, end}, names); bad != nil {
			name = bad
		}
		if i, more, err = scan.Next(b, end, '}'); err != nil {
			return i, nil, err
		}
	}
	s.Names.Close(mark)
	return i, name, nil
}

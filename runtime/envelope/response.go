package envelope

import (
	"strconv"
	"unicode/utf8"

	"github.com/openrpc-go/rpcgen/runtime/internal/scan"
)

// Tolerance admits two habits of widely used servers. The zero value admits
// none of them.
type Tolerance struct {
	// NullError admits a null error beside a result, and a null result beside
	// an error, as in JSON-RPC 1.0.
	NullError bool
	// NoVersion admits a response without the jsonrpc member. A wrong one is
	// never admitted.
	NoVersion bool
}

// Depth is how deep the result of a response may nest.
const Depth = 64

// Bounds of what is kept of an error object.
const (
	MaxMessage = 4 << 10
	MaxData    = 64 << 10
)

// Response is a valid response to the request it was read for: a Result or an
// Error, never both.
type Response struct {
	Result []byte // JSON, a part of the body; nil when Error is set
	Error  *Error
}

// Error is the error object of a response. All of it is the remote side's
// word and untrusted.
type Error struct {
	Code      int32
	Message   string // at most MaxMessage bytes
	Data      []byte // JSON, a part of the body; nil when absent or over MaxData
	Truncated bool   // Message was cut or Data left out
}

// Reason is a stable code for what makes a response invalid.
type Reason string

const (
	NotJSON       Reason = "json"          // see Violation.JSON
	Batch         Reason = "batch"         // an array
	NotObject     Reason = "not_object"    // another value
	ReservedName  Reason = "reserved_name" // a member that differs from a reserved one in case only
	IsRequest     Reason = "request"       // it has a method
	Version       Reason = "version"       // jsonrpc is missing or not "2.0"
	BothMembers   Reason = "both"          // result and error
	NeitherMember Reason = "neither"       // no result, no error
	ErrorShape    Reason = "error_shape"   // not an object of an int32 code, a message and data
	MethodShape   Reason = "method"        // of a request: missing, or not a string
	ParamsShape   Reason = "params"        // of a request: neither an array nor an object
	IDShape       Reason = "id_shape"      // of a request: neither a string, a number nor null
	IDMissing     Reason = "id_missing"
	IDMismatch    Reason = "id_mismatch"
	IDNull        Reason = "id_null"           // an error for no request in particular
	Unparsed      Reason = "rejected_unparsed" // IDNull with the code of a parse error: the request was not understood
)

// Violation says why a body is not a valid envelope. Its text holds nothing
// of the body.
type Violation struct {
	Reason Reason
	JSON   *scan.Error // with NotJSON
	// Remote is the error object of a response that failed by its id alone.
	Remote *Error
}

// Error names the reason.
func (v *Violation) Error() string {
	if v.JSON != nil {
		return "invalid envelope: " + v.JSON.Error()
	}
	return "invalid envelope: " + string(v.Reason)
}

// Read reads the response to the request with the given id. Members may stand
// in any order and unknown ones are passed over, but everything is checked:
// grammar, UTF-8, repeated names at any depth, and limits. Its error is a
// *Violation.
func Read(body []byte, id string, t Tolerance) (Response, error) {
	m, v := split(body, envelopeNames)
	return m.judge(body, id, t, v)
}

// ResultReader reads a result in place: the value that starts at body[start]
// and ends before body[end]. It must accept no value that Read would not, and
// the caller must hand out nothing of what it read before ReadInto says so: by
// then neither the version nor the id may have been seen. Without ok nothing
// was read.
type ResultReader interface {
	ReadResult(body []byte, start int) (end int, ok bool)
}

// ReadInto is Read in one pass over the body: r reads the result where it
// stands, and all else is checked around it. It reports whether the Response
// has the result that r read; where r refused it, the whole body was read again
// by Read, so that what is wrong is found in the same order.
func ReadInto(body []byte, id string, t Tolerance, r ResultReader) (answer Response, read bool, err error) {
	m, refused, v := splitReading(body, envelopeNames, r)
	if refused {
		answer, err = Read(body, id, t)
		return answer, false, err
	}
	answer, err = m.judge(body, id, t, v)
	return answer, err == nil && answer.Error == nil, err
}

// judge takes the response out of a body that was split, or broke with v.
func (m *members) judge(body []byte, id string, t Tolerance, v *Violation) (Response, error) {
	if v == nil {
		v = m.check(body, t)
	}
	if v != nil {
		return Response{}, v
	}
	return m.answer(body, m.checkID(body, id))
}

// answer takes the response out of a frame that holds, unless its id does not.
func (m *members) answer(body []byte, v *Violation) (Response, error) {
	if v != nil {
		if m[failure].found() {
			v.Remote, _ = readError(body, m[failure])
		}
		if v.Reason == IDNull && v.Remote != nil && v.Remote.Code == -32700 {
			v.Reason = Unparsed
		}
		return Response{}, v
	}
	if !m[failure].found() {
		return Response{Result: m[result].of(body)}, nil
	}
	e, v := readError(body, m[failure])
	if v != nil {
		return Response{}, v
	}
	return Response{Error: e}, nil
}

// check judges the frame and drops a null member that t admits.
func (m *members) check(body []byte, t Tolerance) *Violation {
	if m[method].found() {
		return &Violation{Reason: IsRequest}
	}
	if m[version].found() && string(m[version].of(body)) != `"2.0"` || !m[version].found() && !t.NoVersion {
		return &Violation{Reason: Version}
	}
	if m[result].found() && m[failure].found() && t.NullError {
		switch {
		case string(m[failure].of(body)) == "null":
			m[failure] = member{}
		case string(m[result].of(body)) == "null":
			m[result] = member{}
		}
	}
	switch {
	case m[result].found() && m[failure].found():
		return &Violation{Reason: BothMembers}
	case !m[result].found() && !m[failure].found():
		return &Violation{Reason: NeitherMember}
	default:
		return nil
	}
}

// checkID compares bytes: "1", 1 and 1.0 are three ids, and an escape in a
// string makes another one.
func (m *members) checkID(body []byte, id string) *Violation {
	if !m[identity].found() {
		return &Violation{Reason: IDMissing}
	}
	got := m[identity].of(body)
	if len(got) == len(id)+2 && got[0] == '"' && string(got[1:len(got)-1]) == id {
		return nil
	}
	return m.otherID(body)
}

// otherID names what is wrong with an id that is not the request's.
func (m *members) otherID(body []byte) *Violation {
	if string(m[identity].of(body)) == "null" && m[failure].found() {
		return &Violation{Reason: IDNull}
	}
	return &Violation{Reason: IDMismatch}
}

// readError reads an error object. Code must be an int32 in plain digits:
// 1.0, 1e2 and true are none.
func readError(body []byte, at member) (*Error, *Violation) {
	if body[at.start] != '{' {
		return nil, &Violation{Reason: ErrorShape}
	}
	var m members
	err := scan.Members(body, at.start, func(name []byte, start, end int) error {
		which, err := find(name, errorNames)
		if which != unreserved {
			m[which] = member{start, end}
		}
		return err
	})
	if err != nil {
		return nil, &Violation{Reason: ReservedName}
	}
	number, err := strconv.ParseInt(string(m[code].of(body)), 10, 32)
	if err != nil || !m[message].found() || body[m[message].start] != '"' {
		return nil, &Violation{Reason: ErrorShape}
	}
	e := &Error{Code: int32(number)}
	e.Message, e.Truncated = cut(scan.Unquote(nil, m[message].of(body)))
	if m[data].end-m[data].start > MaxData {
		e.Truncated = true
	} else if m[data].found() {
		e.Data = m[data].of(body)
	}
	return e, nil
}

// cut bounds a message at a character's border.
func cut(text []byte) (string, bool) {
	if len(text) <= MaxMessage {
		return string(text), false
	}
	n := MaxMessage
	for !utf8.RuneStart(text[n]) {
		n--
	}
	return string(text[:n]), true
}

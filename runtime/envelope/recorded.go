package envelope

import "github.com/openrpc-go/rpcgen/runtime/internal/scan"

// Request is a request that somebody else framed, taken apart.
type Request struct {
	Method string
	Params []byte // JSON, a part of the body: an array or an object; nil when left off
	ID     []byte // JSON, a part of the body: a string, a number or null; nil for a notification
}

// Named reports whether the params are an object.
func (r Request) Named() bool { return len(r.Params) > 0 && r.Params[0] == '{' }

// Values returns the params in the order they stand in, each a part of the
// body. It is for a Request that ReadRequest returned.
func (r Request) Values() [][]byte {
	var values [][]byte
	add := func(start, end int) error {
		values = append(values, r.Params[start:end])
		return nil
	}
	switch {
	case len(r.Params) == 0:
	case r.Named():
		scan.Members(r.Params, 0, func(_ []byte, start, end int) error { return add(start, end) })
	default:
		scan.Elements(r.Params, 0, add)
	}
	return values
}

// ReadRequest reads a request, as strictly as Read reads a response. Of t it
// heeds NoVersion. Its error is a *Violation.
func ReadRequest(body []byte, t Tolerance) (Request, error) {
	m, v := split(body, requestNames)
	if v == nil {
		v = m.checkRequest(body, t)
	}
	if v != nil {
		return Request{}, v
	}
	r := Request{Method: string(scan.Unquote(nil, m[method].of(body)))}
	if m[params].found() {
		r.Params = m[params].of(body)
	}
	if m[identity].found() {
		r.ID = m[identity].of(body)
	}
	return r, nil
}

func (m *members) checkRequest(body []byte, t Tolerance) *Violation {
	switch {
	case m[version].found() && string(m[version].of(body)) != `"2.0"`, !m[version].found() && !t.NoVersion:
		return &Violation{Reason: Version}
	case !m[method].found(), body[m[method].start] != '"':
		return &Violation{Reason: MethodShape}
	case m[result].found(), m[failure].found():
		return &Violation{Reason: BothMembers}
	case m[params].found() && body[m[params].start] != '[' && body[m[params].start] != '{':
		return &Violation{Reason: ParamsShape}
	case m[identity].found() && !scalarID(m[identity].of(body)):
		return &Violation{Reason: IDShape}
	default:
		return nil
	}
}

// scalarID admits what the specification calls an id: a string, a number or
// null. It discourages null and fractions, and does not forbid them.
func scalarID(id []byte) bool {
	switch id[0] {
	case '{', '[', 't', 'f':
		return false
	default:
		return true
	}
}

// ReadReply is Read for a request whose id is not one of NewID: id is JSON, as
// the request holds it. Strings are compared as what they stand for, everything
// else byte for byte: 1 and 1.0 are two ids.
func ReadReply(body, id []byte, t Tolerance) (Response, error) {
	m, v := split(body, envelopeNames)
	if v == nil {
		v = m.check(body, t)
	}
	switch {
	case v != nil:
		return Response{}, v
	case !m[identity].found():
		return m.answer(body, &Violation{Reason: IDMissing})
	case !sameID(m[identity].of(body), id):
		return m.answer(body, m.otherID(body))
	default:
		return m.answer(body, nil)
	}
}

func sameID(a, b []byte) bool {
	if len(b) == 0 || a[0] != '"' || b[0] != '"' {
		return string(a) == string(b)
	}
	return string(scan.Unquote(nil, a)) == string(scan.Unquote(nil, b))
}

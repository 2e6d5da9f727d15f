package runtime

import (
	"errors"
	"sync/atomic"

	"github.com/openrpc-go/rpcgen/runtime/compiled"
	"github.com/openrpc-go/rpcgen/runtime/schema"
)

// bound keeps the codecs of a Method. It is a pointer to an any because a
// Method knows its types only at the call.
type bound = atomic.Pointer[any]

// codecs move one method's params and result between Go and JSON. A nil one
// means that there is nothing to move.
type codecs[R, P any] struct {
	params *schema.Codec[P]
	result *schema.Codec[R]
}

// typedCall is the work of Call and Notify.
type typedCall[R, P any] struct {
	m      *Method
	in     *P
	out    *R // nil for a notification
	codecs *codecs[R, P]
}

func typed[R, P any](m *Method, in *P, out *R) *typedCall[R, P] {
	return &typedCall[R, P]{m: m, in: in, out: out}
}

func (t *typedCall[R, P]) wireName() string               { return t.m.name }
func (t *typedCall[R, P]) keepsBody() bool                { return false } // decoding copies
func (t *typedCall[R, P]) digest() string                 { return t.m.source.digest }
func (t *typedCall[R, P]) notifies(*compiled.Method) bool { return t.out == nil }

// params binds both types before anything is sent, so that a result can be read
// when it comes.
func (t *typedCall[R, P]) params(m *method) ([]byte, error) {
	if held := t.m.bound.Load(); held != nil {
		t.codecs, _ = (*held).(*codecs[R, P])
	}
	if t.codecs == nil {
		c, err := bind[R, P](m.m, t.m.source, t.out != nil)
		if err != nil {
			return nil, &useError{"the Go types do not fit the contract: " + err.Error()}
		}
		held := any(c)
		t.codecs = c
		t.m.bound.Store(&held)
	}
	if t.codecs.params == nil {
		return nil, nil
	}
	return t.codecs.params.Encode(nil, t.in)
}

// result decodes what came back. Where the amendment says results: report, one
// that breaks its schema only by values that enums do not list is handed over
// with the error.
func (t *typedCall[R, P]) result(m *method, raw []byte) error {
	v, err := t.codecs.result.Decode(raw)
	var broken *schema.Error
	switch {
	case err == nil:
		*t.out = v
	case m.m.Authority.Report && errors.As(err, &broken):
		if v, unlisted := t.codecs.result.KeepUnknown().Decode(raw); unlisted == nil {
			*t.out = v
		}
	}
	return err
}

func bind[R, P any](m *compiled.Method, s *Source, hasResult bool) (*codecs[R, P], error) {
	c := &codecs[R, P]{}
	unions, err := s.unions()
	if err != nil {
		return nil, err
	}
	var none P
	_, noParams := any(none).(NoParams)
	if noParams != (m.ParamsNode == nil) {
		return nil, &useError{"NoParams is for methods without params, and only for them"}
	}
	if !noParams {
		if c.params, err = schema.Bind[P](m.ParamsNode, unions); err != nil {
			return nil, err
		}
	}
	if hasResult && m.ResultNode == nil {
		return nil, &useError{"the contract has no schema for the result"}
	}
	if hasResult {
		c.result, err = schema.Bind[R](m.ResultNode, unions)
	}
	return c, err
}

// untyped is the work of Do.
type untyped struct {
	name          string
	input, output []byte
}

func (u *untyped) wireName() string                 { return u.name }
func (u *untyped) keepsBody() bool                  { return true }
func (u *untyped) digest() string                   { return "" }
func (u *untyped) notifies(m *compiled.Method) bool { return m.Notification }

// params checks what came from outside. A method without declared params takes
// none, and an empty object is none.
func (u *untyped) params(m *method) ([]byte, error) {
	params, result, err := m.checkers()
	switch {
	case err != nil:
		return nil, &useError{"the contract's schema cannot be checked: " + err.Error()}
	case result == nil && !m.m.Notification:
		return nil, &useError{"the contract has no schema for the result"}
	}
	object := u.input
	if string(object) == "null" {
		object = nil
	}
	if params == nil {
		if len(object) == 0 || string(object) == "{}" {
			return nil, nil
		}
		return nil, errNoParams
	}
	if len(object) == 0 {
		object = []byte("{}")
	}
	return object, params.Check(object)
}

func (u *untyped) result(m *method, raw []byte) error {
	if err := m.result.Check(raw); err != nil {
		return err
	}
	u.output = raw
	return nil
}

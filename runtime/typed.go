package runtime

import (
	"errors"
	"reflect"
	"sync/atomic"

	"github.com/openrpc-go/rpcgen/runtime/compiled"
	"github.com/openrpc-go/rpcgen/runtime/schema"
)

// bound keeps the codecs of a Method, which knows its types only at the call.
type bound = atomic.Pointer[codecs]

// codecs move one method's params and result between Go and JSON. A nil one
// means that there is nothing to move.
type codecs struct {
	in, out        reflect.Type // that they are for
	params, result *schema.TypeCodec
}

// typedCall is the work of Call and Notify. It holds pointers to the values
// and no type parameters: what is compiled per method is compiled in every
// generated package for every method.
type typedCall struct {
	m       *Method
	in, out any // pointers; out is nil for a notification
	codecs  *codecs
	room    [128]byte // for params, which mostly are short
}

func (t *typedCall) wireName() string               { return t.m.name }
func (t *typedCall) keepsBody() bool                { return false } // decoding copies
func (t *typedCall) digest() string                 { return t.m.source.digest }
func (t *typedCall) notifies(*compiled.Method) bool { return t.out == nil }

// params binds both types before anything is sent, so that a result can be read
// when it comes.
func (t *typedCall) params(m *method) ([]byte, error) {
	in, out := reflect.TypeOf(t.in), reflect.TypeOf(t.out)
	if held := t.m.bound.Load(); held != nil && held.in == in && held.out == out {
		t.codecs = held
	} else {
		c, err := bind(m.m, t.m.source, in, out)
		if err != nil {
			return nil, &useError{"the Go types do not fit the contract: " + err.Error()}
		}
		t.codecs = c
		t.m.bound.Store(c)
	}
	if t.codecs.params == nil {
		return nil, nil
	}
	return t.codecs.params.Encode(t.room[:0], t.in)
}

func (t *typedCall) read(_ *method, body []byte, start int) (end int, ok bool) {
	return t.codecs.result.DecodeAt(body, start, t.out)
}

// result decodes what came back. Where the amendment says results: report, one
// that breaks its schema only by values that enums do not list is handed over
// with the error.
func (t *typedCall) result(m *method, raw []byte) error {
	err := t.codecs.result.Decode(raw, t.out)
	var broken *schema.Error
	if err != nil && m.m.Authority.Report && errors.As(err, &broken) {
		_ = t.codecs.result.KeepUnknown().Decode(raw, t.out) // else it stays zero
	}
	return err
}

// bind binds the types that in and out point to; no out is a notification.
func bind(m *compiled.Method, s *Source, in, out reflect.Type) (*codecs, error) {
	c := &codecs{in: in, out: out}
	unions, err := s.unions()
	if err != nil {
		return nil, err
	}
	noParams := in == reflect.TypeFor[*NoParams]()
	if noParams != (m.ParamsNode == nil) {
		return nil, &useError{"NoParams is for methods without params, and only for them"}
	}
	if !noParams {
		if c.params, err = schema.BindType(in.Elem(), m.ParamsNode, unions); err != nil {
			return nil, err
		}
	}
	if out != nil && m.ResultNode == nil {
		return nil, &useError{"the contract has no schema for the result"}
	}
	if out != nil {
		c.result, err = schema.BindType(out.Elem(), m.ResultNode, unions)
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

func (u *untyped) read(m *method, body []byte, start int) (end int, ok bool) {
	if end, ok = m.result.CheckAt(body, start); ok {
		u.output = body[start:end]
	}
	return end, ok
}

func (u *untyped) result(m *method, raw []byte) error {
	if err := m.result.Check(raw); err != nil {
		return err
	}
	u.output = raw
	return nil
}

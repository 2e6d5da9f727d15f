package runtimetest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/openrpc-go/rpcgen/runtime"
	"github.com/openrpc-go/rpcgen/runtime/canonical"
	"github.com/openrpc-go/rpcgen/runtime/compiled"
	"github.com/openrpc-go/rpcgen/runtime/envelope"
	"github.com/openrpc-go/rpcgen/runtime/schema"
)

// method is a method of the contract with its rows.
type method struct {
	*compiled.Method
	params, result *schema.Checker // nil: there is none
	rows           []*prepared
}

// prepared is a row that was checked.
type prepared struct {
	params []byte // canonical; nil is any
	member string // of the response
	value  []byte
	raw    func(http.ResponseWriter, *http.Request, []byte)
}

// method reads a method of the contract, once.
func (s *Service) method(name string) (*method, error) {
	if m := s.methods[name]; m != nil {
		return m, nil
	}
	loaded, err := s.contract.Method(name)
	if err != nil {
		return nil, err
	}
	m := &method{Method: loaded}
	if loaded.Authority.State == compiled.Uncompiled {
		return nil, errors.New("the document's method could not be compiled")
	}
	if m.params, err = checker(loaded.ParamsNode); err != nil {
		return nil, err
	}
	if m.result, err = checker(loaded.ResultNode); err != nil {
		return nil, err
	}
	s.methods[name] = m
	return m, nil
}

func checker(n *schema.Node) (*schema.Checker, error) {
	if n == nil {
		return nil, nil
	}
	return schema.NewChecker(n)
}

func (s *Service) add(row Row) error {
	m, err := s.method(row.Method)
	if err != nil {
		return err
	}
	p := &prepared{raw: row.Raw}
	if row.Params != "" {
		if p.params, err = m.named([]byte(row.Params)); err != nil {
			return fmt.Errorf("params: %w", err)
		}
		if p.params == nil {
			p.params = []byte{} // exactly none
		}
	}
	if err := p.answers(m, row); err != nil {
		return err
	}
	m.rows = append(m.rows, p)
	return nil
}

// answers wants exactly one answer, and that the service may give it.
func (p *prepared) answers(m *method, row Row) (err error) {
	given := 0
	for _, is := range []bool{row.Result != "", row.Error != nil, row.Raw != nil} {
		if is {
			given++
		}
	}
	switch {
	case m.Notification && row.Result == "" && row.Error == nil:
		return nil
	case m.Notification:
		return errors.New("a notification has no answer")
	case given != 1:
		return errors.New("it needs one of Result, Error and Raw")
	case row.Error != nil:
		p.member = "error"
		p.value, err = failure(m.Method, row.Error)
	case row.Result != "":
		p.member, p.value = "result", []byte(row.Result)
		if err = m.result.Check(p.value); err != nil {
			err = fmt.Errorf("result: %w", err)
		}
	}
	return err
}

// failure is the error object. Data that come with a declared error must be what
// the method declares; servers answer errors that nobody declared too.
func failure(m *compiled.Method, e *runtime.RemoteError) ([]byte, error) {
	for _, declared := range m.Errors {
		if declared.Code != int64(e.Code) || declared.Data == nil || e.Data == nil {
			continue
		}
		c, err := schema.NewChecker(declared.Data)
		if err == nil {
			err = c.Check(e.Data)
		}
		if err != nil {
			return nil, fmt.Errorf("data of error %d: %w", e.Code, err)
		}
	}
	return json.Marshal(struct {
		Code    int32           `json:"code"`
		Message string          `json:"message"`
		Data    json.RawMessage `json:"data,omitempty"`
	}{e.Code, e.Message, e.Data})
}

// rowFor returns the first row that is for the params.
func (m *method) rowFor(params []byte) *prepared {
	for _, p := range m.rows {
		if p.params == nil || string(p.params) == string(params) {
			return p
		}
	}
	if m.Notification {
		return &prepared{}
	}
	return nil
}

// read takes a request apart and holds it against the contract.
func (s *Service) read(w http.ResponseWriter, r *http.Request) (q envelope.Request, m *method, params []byte, err error) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 8<<20))
	if err != nil {
		return q, nil, nil, err
	}
	if q, err = envelope.ReadRequest(body, envelope.Tolerance{}); err != nil {
		return q, nil, nil, err
	}
	s.mu.Lock()
	m, err = s.method(q.Method)
	s.mu.Unlock()
	if err != nil {
		return q, nil, nil, err
	}
	if m.Notification != (q.ID == nil) {
		return q, nil, nil, fmt.Errorf("%q has the id %s, and notification is %v", q.Method, q.ID, m.Notification)
	}
	object := q.Params
	if len(object) > 0 && m.Positional {
		if object, err = m.byName(q); err != nil {
			return q, nil, nil, fmt.Errorf("%q: %w", q.Method, err)
		}
	}
	if params, err = m.named(object); err != nil {
		return q, nil, nil, fmt.Errorf("the params of %q: %w", q.Method, err)
	}
	return q, m, params, nil
}

// named checks params by name and returns them as canonical JSON, nil for none.
func (m *method) named(object []byte) ([]byte, error) {
	if m.params == nil {
		if len(object) == 0 || string(object) == "{}" {
			return nil, nil
		}
		return nil, errors.New("the method takes none")
	}
	if len(object) == 0 {
		object = []byte("{}")
	}
	if err := m.params.Check(object); err != nil {
		return nil, err
	}
	return canonical.JSON(nil, object)
}

// byName gives positional params their names.
func (m *method) byName(q envelope.Request) ([]byte, error) {
	if q.Named() {
		return nil, errors.New("its params travel by position and came by name")
	}
	values := q.Values()
	if len(values) > len(m.Params) {
		return nil, fmt.Errorf("%d params came, %d are declared", len(values), len(m.Params))
	}
	object := []byte{'{'}
	for i, value := range values {
		if i > 0 {
			object = append(object, ',')
		}
		name, err := json.Marshal(m.Params[i].Name)
		if err != nil {
			return nil, err
		}
		object = append(append(append(object, name...), ':'), value...)
	}
	return append(object, '}'), nil
}

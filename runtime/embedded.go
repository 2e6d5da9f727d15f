package runtime

import (
	"errors"
	"fmt"
	"sync"

	"github.com/openrpc-go/rpcgen/runtime/compiled"
	"github.com/openrpc-go/rpcgen/runtime/outcome"
	"github.com/openrpc-go/rpcgen/runtime/schema"
)

// Source is the contract that a generated package embeds. Nothing of it is
// read before it is used.
type Source struct {
	digest string
	load   func() (*Contract, error)
	unions func() (*schema.Unions, error)
}

// Embedded returns the Source of an embedded contract.json with the digest
// that was computed when the code was generated, and the unions among the
// package's types. It is for generated code.
func Embedded(text, digest string, unions ...schema.Union) *Source {
	s := &Source{digest: digest}
	s.unions = sync.OnceValues(func() (*schema.Unions, error) { return schema.NewUnions(unions...) })
	s.load = sync.OnceValues(func() (*Contract, error) {
		b := []byte(text)
		if got := compiled.Digest(b); got != digest {
			return nil, fmt.Errorf("contract.json has the digest %s, the code was generated for %s: generate it again", got, digest)
		}
		return Open(b)
	})
	return s
}

// Load reads the contract, once, and checks its digest.
func (s *Source) Load() (*Contract, error) { return s.load() }

// Fits returns an error unless caller's endpoint is registered with exactly
// this contract and caller holds some right there.
func (s *Source) Fits(caller *Caller) error {
	if _, err := s.load(); err != nil {
		return err
	}
	if caller == nil {
		return errors.New("there is no caller")
	}
	return caller.fits(s.digest)
}

// Method returns the method with a wire name. It reads nothing; a name that
// the contract does not have is refused at the call.
func (s *Source) Method(wireName string) *Method {
	return &Method{source: s, name: wireName}
}

// Error returns the declared error with a code, to compare with errors.Is.
func (s *Source) Error(code int64) *DeclaredError {
	return &DeclaredError{source: s, Code: code}
}

// Method is a method of one contract, bound to Go types at its first call.
type Method struct {
	source *Source
	name   string
	bound  bound
}

// Name returns the wire name.
func (m *Method) Name() string { return m.name }

// DeclaredError is an error that a contract declares. A *CallError that
// carries its code, from an endpoint with the same contract, matches it under
// errors.Is; Data reads what came with it.
type DeclaredError struct {
	source *Source
	Code   int64
}

// Error names the contract and the code.
func (e *DeclaredError) Error() string {
	id := "contract"
	if c, err := e.source.load(); err == nil {
		id = c.header.ID
	}
	return fmt.Sprintf("%s: declared error %d", id, e.Code)
}

// matches reports whether a call ended with this error.
func (e *DeclaredError) matches(c *CallError) bool {
	return c.Outcome.Status == outcome.JSONRPCError && c.Remote != nil &&
		int64(c.Remote.Code) == e.Code && c.contract == e.source.digest
}

// ErrorData returns the data that came with a declared error, checked against
// the schema that the method declares for it. It fails when err is not that
// error, when the method declares no data for it, and when the data do not fit.
func ErrorData[D any](err error, declared *DeclaredError) (D, error) {
	var zero D
	var call *CallError
	if !errors.As(err, &call) || !declared.matches(call) {
		return zero, fmt.Errorf("not this error: %w", declared)
	}
	c, err := declared.source.load()
	if err != nil {
		return zero, err
	}
	m, err := c.file.Method(call.Outcome.Method)
	if err != nil {
		return zero, err
	}
	unions, err := declared.source.unions()
	if err != nil {
		return zero, err
	}
	for _, e := range m.Errors {
		if e.Code != declared.Code || e.Data == nil {
			continue
		}
		codec, err := schema.Bind[D](e.Data, unions)
		if err != nil {
			return zero, err
		}
		data, err := codec.Decode(call.Remote.Data)
		if err != nil {
			return zero, &dataError{declared, err}
		}
		return data, nil
	}
	return zero, fmt.Errorf("the method declares no data for it: %w", declared)
}

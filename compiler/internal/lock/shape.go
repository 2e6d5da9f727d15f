package lock

import (
	"encoding/json"
	"fmt"

	"github.com/openrpc-go/rpcgen/runtime/compiled"
)

// NewShape keeps a method as it was when an entry was pinned to it: compiled,
// with every schema that it reaches. It is for showing and nothing else, so it
// says nothing of who may call the method.
func NewShape(h compiled.Header, m *compiled.Method, pin string) (Shape, error) {
	bare := *m
	bare.Authority = compiled.Authority{State: compiled.Undecided}
	text, err := compiled.Marshal(&compiled.Contract{
		Header:  compiled.Header{ID: h.ID, Protocol: h.Protocol, Version: h.Version, Document: h.Document, Digest: h.Digest},
		Methods: []*compiled.Method{&bare},
	})
	if err != nil {
		return Shape{}, fmt.Errorf("keep the shape of %.80q: %w", m.Name, err)
	}
	return Shape{Method: m.Name, Pin: pin, Shape: json.RawMessage(text)}, nil
}

// Compiled reads the method back. It is an error when the shape is damaged or
// is that of another method.
func (s Shape) Compiled() (*compiled.Method, error) {
	file, err := compiled.Read(s.Shape)
	if err != nil {
		return nil, fmt.Errorf("the shape of %.80q in the lock: %w", s.Method, err)
	}
	return file.Method(s.Method)
}

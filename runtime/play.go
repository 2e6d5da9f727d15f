package runtime

import (
	"bytes"
	"context"

	"github.com/openrpc-go/rpcgen/runtime/compiled"
	"github.com/openrpc-go/rpcgen/runtime/internal/scan"
	"github.com/openrpc-go/rpcgen/runtime/schema"
)

// Play calls one method of a client with params by name and returns its result
// as JSON, both by way of their Go types.
type Play[C any] func(ctx context.Context, client C, s *Source, m *compiled.Method, params []byte) ([]byte, error)

// Plays is the Play of a method with params and a result.
func Plays[C, R, P any](call func(C, context.Context, P, ...CallOption) (R, error)) Play[C] {
	return func(ctx context.Context, client C, s *Source, m *compiled.Method, params []byte) ([]byte, error) {
		p, err := decoded[P](s, m.ParamsNode, params)
		if err != nil {
			return nil, err
		}
		result, err := call(client, ctx, p)
		return encoded(s, m.ResultNode, &result, err)
	}
}

// PlaysBare is the Play of a method without params.
func PlaysBare[C, R any](call func(C, context.Context, ...CallOption) (R, error)) Play[C] {
	return func(ctx context.Context, client C, s *Source, m *compiled.Method, _ []byte) ([]byte, error) {
		result, err := call(client, ctx)
		return encoded(s, m.ResultNode, &result, err)
	}
}

// PlaysNotice is the Play of a notification.
func PlaysNotice[C, P any](call func(C, context.Context, P, ...CallOption) error) Play[C] {
	return func(ctx context.Context, client C, s *Source, m *compiled.Method, params []byte) ([]byte, error) {
		p, err := decoded[P](s, m.ParamsNode, params)
		if err != nil {
			return nil, err
		}
		return nil, call(client, ctx, p)
	}
}

// PlaysBareNotice is the Play of a notification without params.
func PlaysBareNotice[C any](call func(C, context.Context, ...CallOption) error) Play[C] {
	return func(ctx context.Context, client C, _ *Source, _ *compiled.Method, _ []byte) ([]byte, error) {
		return nil, call(client, ctx)
	}
}

func decoded[P any](s *Source, n *schema.Node, params []byte) (p P, err error) {
	codec, err := codecOf[P](s, n)
	if err != nil {
		return p, err
	}
	if len(params) == 0 {
		params = []byte("{}")
	}
	return codec.Decode(params)
}

func encoded[R any](s *Source, n *schema.Node, result *R, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	codec, err := codecOf[R](s, n)
	if err != nil {
		return nil, err
	}
	return codec.Encode(nil, result)
}

func codecOf[T any](s *Source, n *schema.Node) (*schema.Codec[T], error) {
	unions, err := s.unions()
	if err != nil {
		return nil, err
	}
	return schema.Bind[T](n, unions)
}

// within reports whether part is whole, or lacks only members of objects. Both
// are canonical.
func within(part, whole []byte) bool {
	if len(part) == 0 || len(whole) == 0 || part[0] != whole[0] {
		return false
	}
	switch part[0] {
	case '{':
		held := membersOf(whole)
		for name, value := range membersOf(part) {
			if other, ok := held[name]; !ok || !within(value, other) {
				return false
			}
		}
		return true
	case '[':
		values, others := elementsOf(part), elementsOf(whole)
		for i := range min(len(values), len(others)) {
			if !within(values[i], others[i]) {
				return false
			}
		}
		return len(values) == len(others)
	default:
		return bytes.Equal(part, whole)
	}
}

func membersOf(object []byte) map[string][]byte {
	members := map[string][]byte{}
	_ = scan.Members(object, 0, func(name []byte, start, end int) error { // canonical, so it can be read
		members[string(name)] = object[start:end]
		return nil
	})
	return members
}

func elementsOf(array []byte) (elements [][]byte) {
	_ = scan.Elements(array, 0, func(start, end int) error {
		elements = append(elements, array[start:end])
		return nil
	})
	return elements
}

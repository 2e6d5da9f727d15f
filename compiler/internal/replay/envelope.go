package replay

import (
	"errors"

	"github.com/openrpc-go/rpcgen/compiler/internal/source"
	"github.com/openrpc-go/rpcgen/runtime/envelope"
)

// violation reports what the envelope's reader says.
func (s *side) violation(err error) envelope.Reason {
	v, ok := errors.AsType[*envelope.Violation](err)
	if !ok {
		panic("replay: the envelope's reader failed with " + err.Error())
	}
	if v.Reason == envelope.Batch {
		return v.Reason
	}
	f := Finding{Code: CodeEnvelope, Misfit: true, Keyword: string(v.Reason), Message: explain(v.Reason)}
	f.Pointer = placeOf(v.Reason)
	if v.JSON != nil {
		f.Keyword, f.Message = v.JSON.Code, "no JSON that can be taken: "+v.JSON.Error()
		f.Place = s.message.At(v.JSON.Offset)
	}
	s.add(f)
	return v.Reason
}

// explain says in words what is wrong with an envelope.
func explain(r envelope.Reason) string {
	switch r {
	case envelope.NotJSON:
		return "no JSON that can be taken"
	case envelope.NotObject:
		return "expected a JSON object"
	case envelope.ReservedName:
		return "a member differs from one of JSON-RPC in case only"
	case envelope.IsRequest:
		return "a response has no method"
	case envelope.Version:
		return `expected "jsonrpc": "2.0"`
	case envelope.BothMembers:
		return "members that exclude each other"
	case envelope.NeitherMember:
		return "expected a result or an error"
	case envelope.ErrorShape:
		return "expected an error with a code of 32 bits and a message"
	case envelope.MethodShape:
		return "expected a method, a string"
	case envelope.ParamsShape:
		return "expected params in an array or an object"
	case envelope.IDShape:
		return "expected an id that is a string, a number or null"
	case envelope.IDMissing:
		return "the response has no id"
	case envelope.IDMismatch:
		return "the id is not the one of the request"
	case envelope.IDNull:
		return "the error is for no request in particular: its id is null"
	case envelope.Unparsed:
		return "the server did not understand the request: the id is null"
	default:
		panic("no such reason: " + string(r))
	}
}

// placeOf is the member that a reason is about.
func placeOf(r envelope.Reason) source.Pointer {
	switch r {
	case envelope.IsRequest, envelope.MethodShape:
		return "/method"
	case envelope.Version:
		return "/jsonrpc"
	case envelope.ErrorShape:
		return "/error"
	case envelope.ParamsShape:
		return "/params"
	case envelope.IDShape, envelope.IDMismatch, envelope.IDNull, envelope.Unparsed:
		return "/id"
	default:
		return ""
	}
}

// Package envelope is the wire form of JSON-RPC 2.0: it frames params into a
// request and takes a response apart, strictly. It works on bytes, knows
// neither HTTP nor schemas, and trusts nothing it reads. Start with
// AppendRequest and Read.
package envelope

import (
	"crypto/rand"
	"encoding/hex"

	"github.com/openrpc-go/rpcgen/runtime/internal/scan"
)

// NewID returns 128 random bits as 32 hexadecimal digits. Nobody who cannot
// see the request can answer it.
func NewID() string {
	var b [16]byte
	rand.Read(b[:]) // never fails
	var text [2 * len(b)]byte
	hex.Encode(text[:], b[:])
	return string(text[:])
}

// Prefix returns the part of a request that all calls of a method share.
func Prefix(method string) []byte {
	b := append([]byte(nil), `{"jsonrpc":"2.0","method":`...)
	return scan.AppendQuote(b, method)
}

// AppendRequest appends a request: the method's Prefix, params exactly as
// given, and id. Empty params leave the member out, which null would not. An
// empty id makes it a notification. id must be one of NewID.
func AppendRequest(dst, prefix, params []byte, id string) []byte {
	dst = append(dst, prefix...)
	if len(params) > 0 {
		dst = append(append(dst, `,"params":`...), params...)
	}
	if id != "" {
		dst = append(append(append(dst, `,"id":"`...), id...), '"')
	}
	return append(dst, '}')
}

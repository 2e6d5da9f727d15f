package canonical

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
)

// Sum is a SHA-256 hash of a kind and parts. Its text form is the digest that
// files and reports show.
type Sum [sha256.Size]byte

// String returns "sha256:" and the hash in lower-case hexadecimal.
func (s Sum) String() string { return "sha256:" + hex.EncodeToString(s[:]) }

// Hash hashes parts under a kind: the kind keeps the hashes of different
// things apart, the length before each part keeps ("ab", "c") and ("a", "bc")
// apart. Its input is "rpcgen/<kind>/v1", a zero byte, and for each part its
// length as eight bytes, big end first, and its bytes.
func Hash(kind string, parts ...[]byte) Sum {
	size := len("rpcgen/") + len(kind) + len("/v1") + 1
	for _, p := range parts {
		size += 8 + len(p)
	}
	b := make([]byte, 0, size)
	b = append(b, "rpcgen/"...)
	b = append(b, kind...)
	b = append(b, "/v1\x00"...)
	for _, p := range parts {
		b = binary.BigEndian.AppendUint64(b, uint64(len(p)))
		b = append(b, p...)
	}
	return sha256.Sum256(b)
}

// Digest is the text form of Hash.
func Digest(kind string, parts ...[]byte) string { return Hash(kind, parts...).String() }

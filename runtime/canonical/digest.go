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
	var h hasher
	h.begin(kind)
	for _, p := range parts {
		h.part(p)
	}
	return h.sum()
}

// Digest is the text form of Hash.
func Digest(kind string, parts ...[]byte) string { return Hash(kind, parts...).String() }

// hasher collects the input of Hash, which is short as a rule. It may be used
// again.
type hasher struct{ input []byte }

func (h *hasher) begin(kind string) {
	if h.input == nil {
		h.input = make([]byte, 0, 512)
	}
	h.input = append(append(append(h.input[:0], "rpcgen/"...), kind...), "/v1\x00"...)
}

func (h *hasher) part(p []byte) {
	h.size(len(p))
	h.input = append(h.input, p...)
}

func (h *hasher) size(n int) { h.input = binary.BigEndian.AppendUint64(h.input, uint64(n)) }

// edge adds the part of an edge: its label, a zero byte, and the hash of its
// target.
func (h *hasher) edge(label string, to *Sum) {
	h.size(len(label) + 1 + len(to))
	h.input = append(append(append(h.input, label...), 0), to[:]...)
}

func (h *hasher) sum() Sum { return sha256.Sum256(h.input) }

// Package source reads the files people hand us, strictly, into one tree of
// nodes in which every value keeps the place where it was written.
//
// It knows bytes, lines and pointers and never what the bytes mean. JSON goes
// through jsontext and YAML through yaml/v4; neither shows at the border, and
// JSON never passes a YAML parser. What is not plainly one UTF-8 document with
// unique keys within the limits is refused with an [Error]; nothing is repaired.
//
// Start with [Read] or [ReadFile] for documents of third parties and with
// [ReadOwn] for the files that we define ourselves.
package source

import (
	"crypto/sha256"
	"encoding/hex"
	"sync"
)

// Format says which grammar a file was read with.
type Format string

const (
	JSON Format = "json"
	YAML Format = "yaml"
)

// File is one file as it was read. It is complete and read-only when Read
// returns it, and safe for concurrent use.
type File struct {
	Name   string // as shown to people; never opened
	Bytes  []byte // exactly as read
	Digest string // "sha256:" and the lower-case hex digest of Bytes
	Format Format
	Root   *Node

	once  sync.Once
	lines lineIndex
}

func digestOf(b []byte) string {
	sum := sha256.Sum256(b)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// Limits bound what one file may cost. A member that is zero or negative
// means its default: 32 MiB (8 MiB for our own files), 200 levels, 4,000,000
// nodes. Nodes counts values after aliases are expanded.
type Limits struct {
	Bytes int64
	Depth int
	Nodes int
}

const (
	defaultBytes    = 32 << 20
	defaultOwnBytes = 8 << 20
	defaultDepth    = 200
	defaultNodes    = 4_000_000
)

func (l Limits) withDefaults(bytes int64) Limits {
	if l.Bytes <= 0 {
		l.Bytes = bytes
	}
	if l.Depth <= 0 {
		l.Depth = defaultDepth
	}
	if l.Nodes <= 0 {
		l.Nodes = defaultNodes
	}
	return l
}

// Package traffic reads recorded JSON-RPC traffic into exchanges: a request
// and the response to it, each as the bytes that travelled.
//
// It knows the formats of recordings and nothing of contracts; whether a
// message is a good one is not its business. Four formats are read:
//
//   - .io files: a line ">> MESSAGE" was sent, "<< MESSAGE" came back, "//" starts
//     a comment line. A message is any text on one line.
//   - .jsonl and .ndjson files: JSON Lines. A line is a pair
//     {"request": MESSAGE, "response": MESSAGE, "statusCode": 200}, of which
//     only request must be there, or one message: what has a method is a
//     request, everything else a response.
//   - .json files that hold one such pair.
//   - .har files, and .json files with a log: HTTP archives of version 1.2. An
//     entry counts when its postData is a JSON-RPC message; every other one is
//     skipped with the reason. Bodies in base64 are decoded.
//
// Where requests and responses are messages of their own, a response belongs
// to the open request with its id. A response without one belongs to the
// message directly before it, if that is a request without a response: whoever
// reads the exchange sees that the ids differ. Everything else is a fault: a
// response is never guessed to a request.
//
// Faults are [source.Error]s, with line and column. Start with [List].
package traffic

import (
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// Codes of the faults that this package reports, beside those of source.
const (
	CodeUnknownFormat = "unknown-traffic-format" // a file of none of the formats
	CodeLine          = "traffic-line"           // a line that is none of the format
	CodeShape         = "traffic-shape"          // a value that the format has no place for
	CodeUnmatched     = "unmatched-response"     // a response to no request
	CodeRepeatedID    = "repeated-request-id"    // two open requests with one id
	CodeTooMuch       = "too-much-traffic"       // more files, lines or exchanges than the limit
)

// Limits bound what is read. A zero field means its default.
type Limits struct {
	Bytes     int64 // of one file; default 64 MiB
	Files     int   // of all folders together; default 100,000
	Exchanges int   // of one file, and lines of it; default 1,000,000
}

func (l Limits) withDefaults() Limits {
	if l.Bytes <= 0 {
		l.Bytes = 64 << 20
	}
	if l.Files <= 0 {
		l.Files = 100_000
	}
	if l.Exchanges <= 0 {
		l.Exchanges = 1_000_000
	}
	return l
}

func (l Limits) source() source.Limits { return source.Limits{Bytes: l.Bytes} }

// Log is what one file recorded, in the order of the requests.
type Log struct {
	Exchanges []Exchange
	Skipped   []Skip
}

// Exchange is one request and what came back. Response is nil when none was
// recorded. Status is the HTTP status, 0 when that was not recorded.
type Exchange struct {
	Request  *Message
	Response *Message
	Status   int
}

// Skip is something that was passed over, and why.
type Skip struct {
	Place  Place
	Reason string
}

// Place is where something stands in a recording, in plain values, so that
// what is said of a recording does not keep it in memory. Line and column start
// at 1, columns count code points; Line 0 names the file alone.
type Place struct {
	File         string
	Line, Column int
}

func placeOf(p source.Position) Place { return Place{p.File.Name, p.Line, p.Column} }

// Message is one JSON-RPC message, or what stands in the place of one.
type Message struct {
	Body []byte // as it travelled; read-only

	file   *source.File
	offset int  // of the message in the file
	exact  bool // Body is a part of the file, not the value of a string in it
}

// At returns where the byte at offset of the body stands in the file, or where
// the whole message stands when the file holds it in another spelling.
func (m *Message) At(offset int) Place {
	if !m.exact {
		offset = 0
	}
	return placeOf(m.file.Position(m.offset + offset))
}

// part returns the message that stands at from in the file, up to to.
func part(f *source.File, from, to int) *Message {
	return &Message{Body: f.Bytes[from:to:to], file: f, offset: from, exact: true}
}

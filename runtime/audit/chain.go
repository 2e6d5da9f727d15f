// Package audit is the append-only record of what was about to be sent and how
// it ended: rows of JSON, each chained to the one before by its digest. File
// writes them, Verify finds a row that was changed, removed or put elsewhere,
// and, given a head that was kept outside of the host, a tail that was cut. It
// holds digests and never params. Start with Open and Verify.
package audit

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/openrpc-go/rpcgen/runtime/canonical"
)

// Kind says what a row records.
type Kind string

const (
	Opened     Kind = "opened"     // a writer began, or went on after it ended
	Intent     Kind = "intent"     // outcome.Intent
	Outcome    Kind = "outcome"    // outcome.Outcome
	Request    Kind = "request"    // somebody is asked
	Decided    Kind = "decision"   // and has answered
	Resolution Kind = "resolution" // an operator's word on an outcome that nobody knows
	Freeze     Kind = "freeze"
	Thaw       Kind = "thaw"
	Generation Kind = "generation" // an endpoint has another authority
	Epoch      Kind = "epoch"      // another life of a store
)

// Row is one row without its digest, which is over exactly these members.
type Row struct {
	Writer   string          `json:"writer"`
	Sequence uint64          `json:"sequence"` // of the writer, from 1
	Previous string          `json:"previous"` // digest of the row before; "" for the first
	At       time.Time       `json:"at"`
	Kind     Kind            `json:"kind"`
	Data     json.RawMessage `json:"data"`
}

// Head is where the chain of a writer stands.
type Head struct {
	Writer   string
	Sequence uint64
	Digest   string
}

// Next appends a row to the chain: it returns the new head and the row's line,
// without a newline. h does not change.
func (h Head) Next(at time.Time, kind Kind, data any) (Head, []byte, error) {
	b, err := json.Marshal(data)
	if err != nil {
		return h, nil, err
	}
	row, err := json.Marshal(Row{h.Writer, h.Sequence + 1, h.Digest, at.UTC(), kind, b})
	if err != nil {
		return h, nil, err
	}
	next := Head{h.Writer, h.Sequence + 1, digest(row)}
	line := make([]byte, 0, len(row)+len(before)+len(next.Digest)+2)
	line = append(append(append(line, before...), next.Digest...), `",`...)
	return next, append(line, row[1:]...), nil
}

// A line is the object of a row with its digest as the first member.
const before = `{"digest":"`

const digestLength = len("sha256:") + 64

func digest(row []byte) string { return canonical.Digest("audit", row) }

// Position says where in which chain a row stands, from its line without a
// newline. A line that does not have its digest is an error.
func Position(line []byte) (Head, error) {
	row, digest, err := parse(line)
	return Head{row.Writer, row.Sequence, digest}, err
}

// parse takes a line apart and holds it against its own digest.
func parse(line []byte) (Row, string, error) {
	const head = len(before) + digestLength
	if len(line) < head+3 || string(line[:len(before)]) != before || string(line[head:head+2]) != `",` {
		return Row{}, "", fmt.Errorf("not a row of an audit")
	}
	claimed := string(line[len(before):head])
	object := append([]byte{'{'}, line[head+2:]...)
	if digest(object) != claimed {
		return Row{}, claimed, fmt.Errorf("the row was changed: it does not have its digest")
	}
	var row Row
	d := json.NewDecoder(strings.NewReader(string(object)))
	d.DisallowUnknownFields()
	if err := d.Decode(&row); err != nil || row.Writer == "" || row.Sequence == 0 {
		return Row{}, claimed, fmt.Errorf("not a row of an audit")
	}
	return row, claimed, nil
}

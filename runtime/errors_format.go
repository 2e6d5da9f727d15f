package runtime

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"strconv"
	"time"

	"github.com/openrpc-go/rpcgen/runtime/outcome"
)

// Whatever prints, encodes or logs an error of a call gets its text and what is
// ours. The remote side's words, and params, are to be had from the fields by
// whoever asks for them.

// Format prints the text of the error under every verb.
func (e CallError) Format(f fmt.State, verb rune) { formatText(f, verb, e.Error()) }

// MarshalJSON encodes the text and the outcome.
func (e CallError) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Error   string          `json:"error"`
		Outcome outcome.Outcome `json:"outcome"`
	}{e.Error(), e.Outcome.Public()})
}

// LogValue logs the text and the outcome.
func (e CallError) LogValue() slog.Value {
	o := e.Outcome
	return slog.GroupValue(
		slog.String("error", e.Error()), slog.String("endpoint_id", o.Endpoint), slog.String("method", quoteName(o.Method)),
		slog.String("request_id", o.RequestID), slog.String("status", string(o.Status)), slog.String("code", o.Code),
		slog.String("delivery", string(o.Delivery)), slog.Int("http_status", o.HTTPStatus), slog.Bool("secret_reflected", o.Reflected))
}

// Format prints the text of the error under every verb.
func (e PendingError) Format(f fmt.State, verb rune) { formatText(f, verb, e.Error()) }

// MarshalJSON encodes the text and which approval it is. Approval itself
// encodes as all that a person is asked.
func (e PendingError) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Error    string    `json:"error"`
		Approval string    `json:"approval_id"`
		Expires  time.Time `json:"expires"`
	}{e.Error(), e.ID, e.Expires})
}

// LogValue logs the text and which approval it is.
func (e PendingError) LogValue() slog.Value {
	return slog.GroupValue(slog.String("error", e.Error()), slog.String("approval_id", e.ID), slog.Time("expires", e.Expires))
}

func formatText(f fmt.State, verb rune, text string) {
	if verb == 'q' || verb == 'v' && f.Flag('#') {
		text = strconv.Quote(text)
	}
	io.WriteString(f, text)
}

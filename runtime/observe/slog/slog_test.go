package slog

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/openrpc-go/rpcgen/runtime/outcome"
)

func TestObserver(t *testing.T) {
	var b bytes.Buffer
	o := New(slog.New(slog.NewJSONHandler(&b, &slog.HandlerOptions{Level: slog.LevelDebug})))
	i := outcome.Intent{RequestID: "r", Principal: "bot", Endpoint: "billing", Method: "pay", Params: "hmac-sha256:p", Generation: 3}
	ok := outcome.Outcome{Status: outcome.OK, Delivery: outcome.Completed, Duration: time.Second}
	lost := outcome.Outcome{Status: outcome.TransportError, Code: "timeout", Delivery: outcome.Unknown, Reflected: true}
	for _, err := range []error{o.Intent(t.Context(), i), o.Outcome(t.Context(), i, ok), o.Outcome(t.Context(), i, lost)} {
		if err != nil {
			t.Error(err)
		}
	}
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	for n, want := range []map[string]any{
		{"level": "DEBUG", "msg": "call", "request_id": "r", "method": "pay", "params": "hmac-sha256:p", "generation": 3.0},
		{"level": "INFO", "msg": "call ended", "request_id": "r", "status": "ok", "delivery": "completed", "secret_reflected": false},
		{"level": "WARN", "msg": "call ended", "status": "transport_error", "code": "timeout", "delivery": "unknown", "secret_reflected": true},
	} {
		var got map[string]any
		if err := json.Unmarshal([]byte(lines[n]), &got); err != nil {
			t.Fatal(err)
		}
		for key, value := range want {
			if got[key] != value {
				t.Errorf("line %d: %s is %v, want %v", n, key, got[key], value)
			}
		}
	}
}

package slog

import (
	"log/slog"
	"strings"
	"testing"

	"github.com/openrpc-go/rpcgen/runtime/internal/governance"
	"github.com/openrpc-go/rpcgen/runtime/outcome"
)

// TestGovernance shows the row that a writer of logs answers for.
func TestGovernance(t *testing.T) {
	governance.Run(t, "observe/slog", func(show governance.Show) {
		show("C8", "names that others chose", testHostileNames)
	})
}

// Names that a document, a caller or an operator chose make no line of their
// own, forge no field and paint nothing.
func testHostileNames(t *testing.T) {
	const hostile = "a\nlevel=ERROR msg=forged\r\x1b[2J\" b=\"c\u202e\x00"
	i := outcome.Intent{RequestID: hostile, Principal: hostile, Kind: hostile, Endpoint: hostile, Method: hostile, ApprovalID: hostile}
	for name, handler := range map[string]func(*strings.Builder) slog.Handler{
		"text": func(b *strings.Builder) slog.Handler {
			return slog.NewTextHandler(b, &slog.HandlerOptions{Level: slog.LevelDebug})
		},
		"json": func(b *strings.Builder) slog.Handler {
			return slog.NewJSONHandler(b, &slog.HandlerOptions{Level: slog.LevelDebug})
		},
	} {
		var b strings.Builder
		o := New(slog.New(handler(&b)))
		if err := o.Intent(t.Context(), i); err != nil {
			t.Error(err)
		}
		if err := o.Outcome(t.Context(), i, outcome.Outcome{Code: hostile, Status: hostile, Delivery: hostile}); err != nil {
			t.Error(err)
		}
		if n := strings.Count(b.String(), "\n"); n != 2 {
			t.Errorf("%s: %d lines for two events: %q", name, n, b.String())
		}
		if strings.ContainsAny(b.String(), "\r\x1b\x00") || strings.Contains(b.String(), ` b="c`) {
			t.Errorf("%s: %q", name, b.String())
		}
	}
}

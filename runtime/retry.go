package runtime

import (
	"context"
	"time"

	"github.com/openrpc-go/rpcgen/runtime/outcome"
	"github.com/openrpc-go/rpcgen/runtime/transport"
)

// transient reports whether an attempt ended in a way that may pass by itself:
// nobody answered, or the answer was cut off. A whole answer is one, and so is
// what is no HTTP; and a certificate that was not accepted gets no better.
func transient(end outcome.Outcome) bool {
	if end.Status != outcome.TransportError {
		return false
	}
	switch transport.Code(end.Code) {
	case transport.Malformed, transport.HeaderTooLarge, transport.Certificate, transport.ProxyRefused:
		return false
	default:
		return true
	}
}

// pause waits before another attempt: 100 ms, then twice as long each time.
func pause(ctx context.Context, done int) error {
	t := time.NewTimer(100 * time.Millisecond << done)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

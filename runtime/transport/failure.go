package transport

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
)

// Code is a stable name for why an exchange failed.
type Code string

const (
	Dial            Code = "dial"             // no connection
	TLS             Code = "tls"              // no encrypted connection
	Certificate     Code = "tls_certificate"  // the certificate was not accepted
	ProxyFailed     Code = "proxy"            // the proxy was not reached, or not understood
	ProxyRefused    Code = "proxy_refused"    // the proxy answered, and opened no tunnel
	Timeout         Code = "timeout"          // the deadline passed
	Canceled        Code = "canceled"         // the caller gave up
	Closed          Code = "closed"           // the connection ended early
	Reset           Code = "reset"            // the connection was reset
	Malformed       Code = "malformed"        // not an HTTP/1.1 response
	HeaderTooLarge  Code = "header_too_large" // more than 64 KiB of headers
	TooLarge        Code = "too_large"        // the body is over the limit
	ContentEncoding Code = "content_encoding" // the body is encoded although nobody asked
)

// Failure says that an exchange had no usable end. It holds a code and never
// a text of the remote side, an address or a URL.
type Failure struct {
	Code     Code
	Started  bool  // a byte of the request left; false: nothing can have happened
	Status   int   // of the HTTP answer, 0 when there was none
	Sent     int64 // body bytes that left
	Received int64 // body bytes that came
	cause    error // context.Canceled or context.DeadlineExceeded, or nil
}

// Error names the code.
func (f *Failure) Error() string { return "transport: " + string(f.Code) }

// Unwrap returns the context's error where that ended the exchange.
func (f *Failure) Unwrap() error { return f.cause }

// ConfigError says that an exchange could not be prepared. Nothing was sent.
// Its text holds no secret and no URL.
type ConfigError struct {
	Subject string // "header Authorization", "address", "request"
	Reason  string
	cause   error // a context error, or nil
}

// Error says what is wrong with what.
func (e *ConfigError) Error() string { return fmt.Sprintf("%s: %s", e.Subject, e.Reason) }

// Unwrap returns the context's error where that ended the preparation.
func (e *ConfigError) Unwrap() error { return e.cause }

// errHeaders is what a connection's reader returns past the header limit.
var errHeaders = errors.New("header limit")

// diagnose maps an error of a connection to its code.
func diagnose(ctx context.Context, err error, otherwise Code) (Code, error) {
	var verification *tls.CertificateVerificationError
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		return Canceled, context.Canceled
	case ctx.Err() != nil, errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, context.DeadlineExceeded):
		return Timeout, context.DeadlineExceeded
	case otherwise == ProxyFailed || otherwise == ProxyRefused:
		return otherwise, nil
	case errors.Is(err, errHeaders):
		return HeaderTooLarge, nil
	case errors.As(err, &verification), errors.Is(err, errKey):
		return Certificate, nil
	case otherwise == Dial || otherwise == TLS:
		return otherwise, nil
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return Reset, nil
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return Closed, nil
	default:
		return otherwise, nil
	}
}

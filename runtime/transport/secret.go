package transport

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
)

// maxValue bounds a header value and a secret.
const maxValue = 8192

const redacted = "[redacted]"

// Secret says where a header value comes from: the environment, a file, a
// function, or plain text. It is resolved once per call, last of all, and
// prints as [redacted] under every verb and encoding. The zero Secret cannot
// be resolved.
type Secret struct {
	reference string // "env:NAME": part of the authority digest, never the value
	resolve   func(context.Context) (string, error)
}

// Env takes the value from an environment variable at every call.
func Env(name string) Secret {
	return Secret{"env:" + name, func(context.Context) (string, error) {
		value, ok := os.LookupEnv(name)
		if !ok {
			return "", errors.New("the environment variable is not set")
		}
		return value, nil
	}}
}

// File takes the value from a file at every call; one newline at its end is
// no part of the value.
func File(path string) Secret {
	return Secret{"file:" + path, func(context.Context) (string, error) { return readSecret(path) }}
}

// Func takes the value from f at every call. The name stands for the source
// in digests; change it when f means another secret.
func Func(name string, f func(context.Context) (string, error)) Secret {
	if f == nil {
		return Secret{}
	}
	return Secret{"func:" + name, f}
}

// Text is a fixed value. It is redacted like every other Secret.
func Text(value string) Secret {
	return Secret{"text", func(context.Context) (string, error) { return value, nil }}
}

func readSecret(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return "", errors.New("the file is missing or not a regular file")
	}
	f, err := os.Open(path)
	if err != nil {
		return "", errors.New("the file cannot be opened")
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxValue+3))
	if err != nil {
		return "", errors.New("the file cannot be read")
	}
	value, _ := strings.CutSuffix(string(b), "\n")
	value, _ = strings.CutSuffix(value, "\r")
	return value, nil
}

// Reference names the source without the value, such as "env:BILLING_TOKEN".
func (s Secret) Reference() string { return s.reference }

// Resolve returns the value, for whoever computes a signature with it.
func (s Secret) Resolve(ctx context.Context) (string, error) { return s.value(ctx) }

func (s Secret) value(ctx context.Context) (string, error) {
	if s.resolve == nil {
		return "", errors.New("no source is given")
	}
	value, err := s.resolve(ctx)
	if err != nil {
		return "", err
	}
	return value, checkValue(value)
}

// checkValue admits what may stand in a header: visible ASCII, with spaces
// and tabs inside only.
func checkValue(value string) error {
	switch {
	case value == "":
		return errors.New("the value is empty")
	case len(value) > maxValue:
		return fmt.Errorf("the value is longer than %d bytes", maxValue)
	case strings.Trim(value, " \t") != value:
		return errors.New("the value begins or ends with white space")
	}
	for i := range len(value) {
		if c := value[i]; c != '\t' && (c < ' ' || c > '~') {
			return errors.New("the value holds a byte that is not visible ASCII")
		}
	}
	return nil
}

// String, GoString, Format, MarshalJSON, MarshalText and LogValue all say
// [redacted].
func (s Secret) String() string { return redacted }

// GoString redacts.
func (s Secret) GoString() string { return redacted }

// Format redacts under every verb.
func (s Secret) Format(f fmt.State, _ rune) { io.WriteString(f, redacted) }

// MarshalJSON redacts.
func (s Secret) MarshalJSON() ([]byte, error) { return []byte(`"` + redacted + `"`), nil }

// MarshalText redacts.
func (s Secret) MarshalText() ([]byte, error) { return []byte(redacted), nil }

// LogValue redacts.
func (s Secret) LogValue() slog.Value { return slog.StringValue(redacted) }

// Header is one header that every request to an endpoint carries.
type Header struct {
	Name   string
	Prefix string // such as "Bearer "; not secret
	Value  Secret
}

// Field is one header a Sign hook adds.
type Field struct{ Name, Value string }

// reservedHeaders are set by the transport alone, or carry meaning that a
// configuration must not smuggle in: net/http, for one, repeats a POST by
// itself when it sees an idempotency key.
var reservedHeaders = map[string]bool{
	"accept": true, "accept-encoding": true, "connection": true, "content-encoding": true,
	"content-length": true, "content-type": true, "cookie": true, "cookie2": true, "expect": true,
	"host": true, "idempotency-key": true, "keep-alive": true, "range": true, "te": true,
	"trailer": true, "transfer-encoding": true, "upgrade": true, "x-idempotency-key": true,
}

// checkHeaderName wants a token that is not reserved.
func checkHeaderName(name string) error {
	if name == "" || len(name) > 128 || strings.ContainsFunc(name, notToken) {
		return fmt.Errorf("header %q: the name is not a token of 1 to 128 bytes", name)
	}
	lower := strings.ToLower(name)
	if reservedHeaders[lower] || strings.HasPrefix(lower, "proxy-") || strings.HasPrefix(lower, "sec-") {
		return fmt.Errorf("header %q: the name is reserved", name)
	}
	return nil
}

func notToken(r rune) bool {
	letter := 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
	return !letter && !strings.ContainsRune("!#$%&'*+-.^_`|~", r)
}

package pin

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/openrpc-go/rpcgen/runtime/canonical"
	"github.com/openrpc-go/rpcgen/runtime/compiled"
)

// Pin is what an amendment entry was written for. Wire and Result are digests
// ("sha256:..."), as in compiled.Digests.
type Pin struct{ Wire, Result string }

// encoding has one spelling for every hash: no padding, no stray bits.
var encoding = base64.RawURLEncoding.Strict()

// String returns the pin as it is written: "w:<base64url> r:<base64url>".
func (p Pin) String() string { return "w:" + short(p.Wire) + " r:" + short(p.Result) }

// Of returns the written pin of today's digests.
func Of(d compiled.Digests) string { return Pin{d.Wire, d.Result}.String() }

// Parse reads a written pin. There is one spelling of each; anything else,
// a hash of another kind included, is an error.
func Parse(s string) (Pin, error) {
	wire, result, ok := strings.Cut(s, " ")
	if !ok {
		return Pin{}, fmt.Errorf("pin %.120q is not of the form %q", s, "w:... r:...")
	}
	var p Pin
	var err error
	if p.Wire, err = long("w:", wire); err != nil {
		return Pin{}, fmt.Errorf("pin %.120q: %w", s, err)
	}
	if p.Result, err = long("r:", result); err != nil {
		return Pin{}, fmt.Errorf("pin %.120q: %w", s, err)
	}
	return p, nil
}

// OfText returns the written form of a text digest: "t:<base64url>". An
// amendment repeats it to say that these very words were read.
func OfText(d compiled.Digests) string { return "t:" + short(d.Text) }

// ParseText reads what OfText writes, and returns the digest.
func ParseText(s string) (string, error) {
	digest, err := long("t:", s)
	if err != nil {
		return "", fmt.Errorf("text digest %.120q: %w", s, err)
	}
	return digest, nil
}

const sha256 = "sha256:"

// short spells a digest of this package in base64url.
func short(digest string) string {
	b, err := hex.DecodeString(strings.TrimPrefix(digest, sha256))
	if err != nil || !strings.HasPrefix(digest, sha256) || len(b) != len(canonical.Sum{}) {
		panic(fmt.Sprintf("pin: %q is not a digest", digest))
	}
	return encoding.EncodeToString(b)
}

func long(prefix, s string) (string, error) {
	text, ok := strings.CutPrefix(s, prefix)
	if !ok {
		return "", fmt.Errorf("%.60q does not start with %q", s, prefix)
	}
	b, err := encoding.DecodeString(text)
	if err != nil || len(b) != len(canonical.Sum{}) || strings.ContainsAny(text, "\r\n") {
		return "", fmt.Errorf("%.60q is not a SHA-256 hash in base64url", text)
	}
	return sha256 + hex.EncodeToString(b), nil
}

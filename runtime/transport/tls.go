package transport

import (
	"crypto/sha256"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
)

// newTLS returns the client's settings. There is no way to skip verification,
// and the server name is the URL's host whatever address is dialled.
func newTLS(host string, c Config) (*tls.Config, error) {
	settings := &tls.Config{
		MinVersion:   tls.VersionTLS12,
		ServerName:   host,
		RootCAs:      c.Roots,
		Certificates: c.Certificates,
		NextProtos:   []string{"http/1.1"},
	}
	if len(c.PublicKeys) == 0 {
		return settings, nil
	}
	accepted := map[[sha256.Size]byte]bool{}
	for _, key := range c.PublicKeys {
		text, ok := strings.CutPrefix(key, "sha256/")
		sum, err := base64.StdEncoding.Strict().DecodeString(text)
		if !ok || err != nil || len(sum) != sha256.Size {
			return nil, fmt.Errorf("public key %q is not sha256/ and the base64 of 32 bytes", key)
		}
		accepted[[sha256.Size]byte(sum)] = true
	}
	settings.VerifyConnection = func(state tls.ConnectionState) error {
		for _, chain := range state.VerifiedChains {
			for _, certificate := range chain {
				if accepted[sha256.Sum256(certificate.RawSubjectPublicKeyInfo)] {
					return nil
				}
			}
		}
		return errKey
	}
	return settings, nil
}

var errKey = errors.New("no certificate of the chain has an accepted public key")

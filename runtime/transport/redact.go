package transport

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"net/url"
)

// minRedacted is how long a secret must be to be looked for: shorter ones occur
// by chance.
const minRedacted = 8

// Redact returns text with every secret of this request replaced, where a
// server sent one back: as it is, in base64, hexadecimal or URL-encoded. Text
// that holds none comes back as it is.
func (p *Prepared) Redact(text []byte) []byte {
	for _, secret := range p.secrets {
		for _, form := range spellings(secret) {
			if bytes.Contains(text, form) {
				text = bytes.ReplaceAll(text, form, []byte(redacted))
			}
		}
	}
	return text
}

func spellings(secret string) [][]byte {
	b := []byte(secret)
	var list [][]byte
	for _, form := range []string{
		secret, url.QueryEscape(secret), url.PathEscape(secret), hex.EncodeToString(b),
		base64.RawStdEncoding.EncodeToString(b), base64.RawURLEncoding.EncodeToString(b),
	} {
		list = append(list, []byte(form))
	}
	return list
}

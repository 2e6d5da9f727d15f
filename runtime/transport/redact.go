package transport

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
)

// minRedacted is how long a secret must be to be looked for: shorter ones occur
// by chance.
const minRedacted = 8

// Redact returns text with every secret of this request replaced, where a
// server sent one back: as it is, in base64, hexadecimal, URL-encoded or as a
// JSON string. Text that holds none comes back as it is.
func (p *Prepared) Redact(text []byte) []byte {
	for _, form := range p.needles() {
		if bytes.Contains(text, form) {
			text = bytes.ReplaceAll(text, form, []byte(redacted))
		}
	}
	return text
}

// Reflects reports whether text holds a secret of this request.
func (p *Prepared) Reflects(text []byte) bool {
	return slices.ContainsFunc(p.needles(), func(form []byte) bool { return bytes.Contains(text, form) })
}

// needles are the spellings of some secrets. An endpoint keeps those of its
// last request, because its secrets rarely change.
type needles struct {
	secrets []string
	forms   [][]byte
}

// needles returns what to look for, the longest first, so that no part of a
// secret is left over.
func (p *Prepared) needles() [][]byte {
	if len(p.secrets) == 0 {
		return nil
	}
	kept := p.endpoint.needles.Load()
	if kept == nil || !slices.Equal(kept.secrets, p.secrets) {
		kept = &needles{secrets: p.secrets}
		for _, secret := range p.secrets {
			for _, part := range partsOf(secret) {
				kept.forms = append(kept.forms, spellings(part)...)
			}
		}
		slices.SortFunc(kept.forms, func(a, b []byte) int { return len(b) - len(a) })
		kept.forms = slices.CompactFunc(kept.forms, bytes.Equal)
		p.endpoint.needles.Store(kept)
	}
	return kept.forms
}

// partsOf returns a secret and what it is made of: the token after a scheme,
// and the password of basic authentication.
func partsOf(secret string) []string {
	parts := []string{secret}
	token := secret
	if _, rest, ok := strings.Cut(secret, " "); ok {
		token = rest
		parts = append(parts, token)
	}
	if pair, err := base64.StdEncoding.DecodeString(token); err == nil {
		if _, password, ok := strings.Cut(string(pair), ":"); ok {
			parts = append(parts, string(pair), password)
		}
	}
	return slices.DeleteFunc(parts, func(s string) bool { return len(s) < minRedacted })
}

func spellings(secret string) (list [][]byte) {
	b := []byte(secret)
	quoted, _ := json.Marshal(secret) // with < > & escaped
	forms := []string{
		secret, url.QueryEscape(secret), url.PathEscape(secret), hex.EncodeToString(b), strings.ToUpper(hex.EncodeToString(b)),
		base64.RawStdEncoding.EncodeToString(b), base64.RawURLEncoding.EncodeToString(b),
		string(quoted[1 : len(quoted)-1]), strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(secret), strings.ReplaceAll(secret, "/", `\/`),
	}
	slices.Sort(forms)
	for _, form := range slices.Compact(forms) {
		list = append(list, []byte(form))
	}
	return list
}

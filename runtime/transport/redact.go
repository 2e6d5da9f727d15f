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
	if !p.Reflects(text) {
		return text
	}
	for _, form := range p.needles().forms {
		text = bytes.ReplaceAll(text, form, []byte(redacted))
	}
	return text
}

// Reflects reports whether text holds a secret of this request.
func (p *Prepared) Reflects(text []byte) bool {
	n := p.needles()
	return n != nil && n.in(text)
}

// needles are the spellings of some secrets, and a table for finding any of
// them in one pass (Wu and Manber): how far a search may go on when the last two
// bytes of its window are such that no spelling ends there. Every answer pays
// for it, and most hold nothing.
type needles struct {
	secrets []string
	forms   [][]byte // the longest first, so that no part of a secret is left over
	least   int      // bytes of a window: the shortest form, or less
	shift   [1 << 12]uint8
}

// needles returns what to look for; nil is nothing. An endpoint keeps that of
// its last request, because its secrets rarely change.
func (p *Prepared) needles() *needles {
	if len(p.secrets) == 0 {
		return nil
	}
	kept := p.endpoint.needles.Load()
	if kept == nil || !slices.Equal(kept.secrets, p.secrets) {
		kept = newNeedles(p.secrets)
		p.endpoint.needles.Store(kept)
	}
	return kept
}

func newNeedles(secrets []string) *needles {
	n := &needles{secrets: secrets}
	for _, secret := range secrets {
		for _, part := range partsOf(secret) {
			n.forms = append(n.forms, spellings(part)...)
		}
	}
	slices.SortFunc(n.forms, func(a, b []byte) int { return len(b) - len(a) })
	n.least = min(len(n.forms[len(n.forms)-1]), 200)
	for i := range n.shift {
		n.shift[i] = uint8(n.least - 1)
	}
	for _, form := range n.forms {
		for i := range n.least - 1 {
			at := pair(form[i], form[i+1])
			n.shift[at] = min(n.shift[at], uint8(n.least-2-i))
		}
	}
	return n
}

func pair(a, b byte) int { return (int(a)<<5 ^ int(b)) & (1<<12 - 1) }

func (n *needles) in(text []byte) bool {
	for i := n.least - 2; i+1 < len(text); {
		if s := n.shift[pair(text[i], text[i+1])]; s > 0 {
			i += int(s)
			continue
		}
		window := text[i-n.least+2:]
		if slices.ContainsFunc(n.forms, func(form []byte) bool { return bytes.HasPrefix(window, form) }) {
			return true
		}
		i++
	}
	return false
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

// spellings are those of one secret: in what encodes bytes, and each as it
// stands in a string of JSON, and in one within one.
func spellings(secret string) (list [][]byte) {
	b := []byte(secret)
	forms := []string{
		secret, url.QueryEscape(secret), url.PathEscape(secret), hex.EncodeToString(b), strings.ToUpper(hex.EncodeToString(b)),
		base64.RawStdEncoding.EncodeToString(b), base64.RawURLEncoding.EncodeToString(b),
	}
	for range 2 {
		for _, form := range forms {
			quoted, _ := json.Marshal(form) // with < > & escaped
			forms = append(forms, string(quoted[1:len(quoted)-1]), quoteMarks.Replace(form), strings.ReplaceAll(quoteMarks.Replace(form), "/", `\/`))
		}
		slices.Sort(forms)
		forms = slices.Compact(forms)
	}
	for _, form := range forms {
		list = append(list, []byte(form))
	}
	return list
}

var quoteMarks = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

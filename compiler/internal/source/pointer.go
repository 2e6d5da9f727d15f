package source

import (
	"fmt"
	"strconv"
	"strings"
)

// Pointer is a JSON Pointer (RFC 6901) in its string form: empty for the whole
// document, else tokens led by slashes, with ~1 for a slash and ~0 for a tilde.
// It is never percent-encoded.
type Pointer string

// ParsePointer checks that s is a JSON Pointer.
func ParsePointer(s string) (Pointer, error) {
	p := Pointer(s)
	if _, err := p.Tokens(); err != nil {
		return "", err
	}
	return p, nil
}

// Append returns p with one more reference token, which is given unescaped.
func (p Pointer) Append(token string) Pointer {
	return p + "/" + Pointer(escapeToken(token))
}

// Tokens returns the unescaped reference tokens, none for the empty pointer.
func (p Pointer) Tokens() ([]string, error) {
	if p == "" {
		return nil, nil
	}
	if p[0] != '/' {
		return nil, fmt.Errorf("pointer %q does not start with a slash", clip(string(p)))
	}
	tokens := strings.Split(string(p[1:]), "/")
	for i, token := range tokens {
		t, ok := unescapeToken(token)
		if !ok {
			return nil, fmt.Errorf("pointer %q has a ~ that is not ~0 or ~1", clip(string(p)))
		}
		tokens[i] = t
	}
	return tokens, nil
}

var tokenEscaper = strings.NewReplacer("~", "~0", "/", "~1")

func escapeToken(token string) string {
	if !strings.ContainsAny(token, "~/") {
		return token
	}
	return tokenEscaper.Replace(token)
}

// unescapeToken replaces in one pass: ~01 is ~1, never a slash.
func unescapeToken(token string) (string, bool) {
	if strings.IndexByte(token, '~') < 0 {
		return token, true
	}
	out := make([]byte, 0, len(token))
	for i := 0; i < len(token); i++ {
		c := token[i]
		if c == '~' {
			if i++; i == len(token) || token[i] != '0' && token[i] != '1' {
				return "", false
			}
			c = "~/"[token[i]-'0']
		}
		out = append(out, c)
	}
	return string(out), true
}

// arrayIndex reads a token as RFC 6901 section 4 has it: digits without a
// leading zero. "-", signs and spaces name no element.
func arrayIndex(token string) (int, bool) {
	if token == "" || len(token) > 1 && token[0] == '0' {
		return 0, false
	}
	for i := range len(token) {
		if token[i] < '0' || token[i] > '9' {
			return 0, false
		}
	}
	i, err := strconv.Atoi(token)
	return i, err == nil
}

// clip bounds foreign text inside a message.
func clip(s string) string {
	const most = 120
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "..."
}

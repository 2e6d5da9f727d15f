package schema

import (
	"net/netip"
	"strings"
	"unicode/utf8"
)

// isURI holds s against RFC 3986: absolute asks for a scheme. international
// also admits the characters of RFC 3987.
func isURI(s string, absolute, international bool) bool {
	s, fragment, _ := strings.Cut(s, "#")
	s, query, _ := strings.Cut(s, "?")
	if international {
		query = strings.Map(dropPrivate, query)
	}
	if !isURIPart(fragment, "/?:@", international) || !isURIPart(query, "/?:@", international) {
		return false
	}
	if k := strings.IndexAny(s, ":/"); k >= 0 && s[k] == ':' {
		if !isScheme(s[:k]) { // also a colon in the first segment of a relative path
			return false
		}
		s = s[k+1:]
	} else if absolute {
		return false
	}
	if rest, ok := strings.CutPrefix(s, "//"); ok {
		authority := rest
		s = ""
		if k := strings.IndexByte(rest, '/'); k >= 0 {
			authority, s = rest[:k], rest[k:]
		}
		if !isAuthority(authority, international) {
			return false
		}
	}
	return isURIPart(s, "/:@", international)
}

var isScheme = matches(`[A-Za-z][A-Za-z0-9+\-.]*`)

func isAuthority(s string, international bool) bool {
	if k := strings.IndexByte(s, '@'); k >= 0 {
		if !isURIPart(s[:k], ":", international) {
			return false
		}
		s = s[k+1:]
	}
	host, port := s, ""
	if end := strings.IndexByte(s, ']'); strings.HasPrefix(s, "[") && end > 0 {
		if !isIPLiteral(s[1:end]) {
			return false
		}
		host, port = "", s[end+1:]
		if port != "" && port[0] != ':' {
			return false
		}
	} else if k := strings.IndexByte(s, ':'); k >= 0 {
		host, port = s[:k], s[k:]
	}
	return isURIPart(host, "", international) && strings.Trim(port, "0123456789") == strings.Repeat(":", min(len(port), 1))
}

var isFutureIP = matches(`[vV][0-9A-Fa-f]+\.[A-Za-z0-9\-._~!$&'()*+,;=:]+`)

func isIPLiteral(s string) bool {
	a, err := netip.ParseAddr(s)
	return err == nil && a.Is6() && a.Zone() == "" || isFutureIP(s)
}

// isURIPart reports whether s is made of unreserved characters, sub-delims,
// escapes and the characters of more.
func isURIPart(s, more string, international bool) bool {
	for k := 0; k < len(s); {
		c, n := utf8.DecodeRuneInString(s[k:])
		switch {
		case c == '%':
			if k+2 >= len(s) || !isHex(s[k+1]) || !isHex(s[k+2]) {
				return false
			}
			n = 3
		case c < utf8.RuneSelf:
			letter := c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9'
			if !letter && !strings.ContainsRune("-._~!$&'()*+,;=", c) && !strings.ContainsRune(more, c) {
				return false
			}
		case !international || !isUCS(c):
			return false
		}
		k += n
	}
	return true
}

func isHex(c byte) bool { return c-'0' <= 9 || c|0x20 >= 'a' && c|0x20 <= 'f' }

// isUCS reports whether c is a ucschar of RFC 3987.
func isUCS(c rune) bool {
	switch {
	case c < 0xA0, c > 0xEFFFD, c >= 0xE000 && c <= 0xF8FF, c >= 0xFDD0 && c <= 0xFDEF, c&0xFFFE == 0xFFFE, c >= 0xFFF0 && c <= 0xFFFF:
		return false
	default:
		return c < 0xE0000 || c >= 0xE1000
	}
}

// dropPrivate drops the characters that RFC 3987 admits in a query alone.
func dropPrivate(c rune) rune {
	if c >= 0xE000 && c <= 0xF8FF || c >= 0xF0000 && c&0xFFFE != 0xFFFE {
		return -1
	}
	return c
}

var isTemplateExpression = matches(`[+#./;?&=,!@|]?` + templateVariable + `(,` + templateVariable + `)*`)

const (
	templateName     = `([A-Za-z0-9_]|%[0-9A-Fa-f]{2})(\.?([A-Za-z0-9_]|%[0-9A-Fa-f]{2}))*`
	templateVariable = templateName + `(:[1-9][0-9]{0,3}|\*)?`
)

// isURITemplate holds s against RFC 6570.
func isURITemplate(s string) bool {
	for s != "" {
		k := strings.IndexAny(s, "{}")
		literal := s
		if k >= 0 {
			literal = s[:k]
		}
		if strings.ContainsAny(literal, "\"<>\\^`| ") || !isURIPart(literal, "/?:@#[]", true) {
			return false
		}
		if k < 0 {
			return true
		}
		end := strings.IndexByte(s, '}')
		if s[k] == '}' || end < 0 || !isTemplateExpression(s[k+1:end]) {
			return false
		}
		s = s[end+1:]
	}
	return true
}

package transport

import (
	"errors"
	"fmt"
	"net/netip"
	"strconv"
	"strings"
)

// target is a checked URL, taken apart once.
type target struct {
	encrypted bool
	host      string     // lower-case name or canonical address, without brackets
	address   netip.Addr // valid when host is an address
	port      uint16
	authority string // as the Host header says it
	path      string // request target: path and query
}

// parseTarget accepts https://host[:port]/path[?query] in normal form and
// nothing else. It does not use net/url, which takes 127.1 and 0x7f.1 for
// names, and good@evil for a host with a user.
func parseTarget(text string) (target, error) {
	var t target
	rest, encrypted := strings.CutPrefix(text, "https://")
	if !encrypted {
		var plain bool
		if rest, plain = strings.CutPrefix(text, "http://"); !plain {
			return t, errors.New("must start with https://")
		}
	}
	t.encrypted = encrypted
	authority, path := rest, "/"
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		if rest[i] != '/' {
			return t, errors.New("needs a path before a query, and takes no fragment")
		}
		authority, path = rest[:i], rest[i:]
	}
	if err := t.readAuthority(authority); err != nil {
		return t, err
	}
	t.path = path
	return t, checkPath(path)
}

func (t *target) readAuthority(authority string) error {
	if strings.Contains(authority, "@") {
		return errors.New("must not name a user")
	}
	host, port, err := splitPort(authority)
	if err != nil {
		return err
	}
	if t.host, t.address, err = readHost(host); err != nil {
		return err
	}
	t.port, err = readPort(port, t.encrypted)
	t.authority = authority
	return err
}

// splitPort returns host and port of an authority; port is "" when absent and
// ":" when there is a colon and nothing after it.
func splitPort(authority string) (host, port string, err error) {
	if strings.HasPrefix(authority, "[") {
		end := strings.IndexByte(authority, ']')
		if end < 0 {
			return "", "", errors.New("has an unclosed bracket")
		}
		host, port = authority[:end+1], authority[end+1:]
		if port != "" && port[0] != ':' {
			return "", "", errors.New("has text after the bracket")
		}
	} else if i := strings.IndexByte(authority, ':'); i >= 0 {
		host, port = authority[:i], authority[i:]
	} else {
		host = authority
	}
	if port == "" {
		return host, "", nil
	}
	if port == ":" {
		return "", "", errors.New("has an empty port")
	}
	return host, port[1:], nil
}

func readPort(text string, encrypted bool) (uint16, error) {
	usual := uint16(80)
	if encrypted {
		usual = 443
	}
	if text == "" {
		return usual, nil
	}
	n, err := strconv.ParseUint(text, 10, 16)
	if err != nil || n == 0 || strconv.FormatUint(n, 10) != text {
		return 0, errors.New("has a port that is not 1 to 65535 in plain digits")
	}
	if uint16(n) == usual {
		return 0, fmt.Errorf("names the default port: leave out :%d", usual)
	}
	return uint16(n), nil
}

func readHost(text string) (string, netip.Addr, error) {
	if inner, ok := strings.CutPrefix(text, "["); ok {
		inner = strings.TrimSuffix(inner, "]")
		a, err := netip.ParseAddr(inner)
		if err != nil || !a.Is6() || a.Zone() != "" || a.Is4In6() || a.String() != inner {
			return "", a, errors.New("has an address that is not a canonical IPv6 address without zone")
		}
		return inner, a, nil
	}
	if a, err := netip.ParseAddr(text); err == nil {
		if !a.Is4() || a.String() != text {
			return "", a, errors.New("has an address that is not canonical")
		}
		return text, a, nil
	}
	return text, netip.Addr{}, checkName(text)
}

// checkName wants a lower-case ASCII host name whose last label cannot be
// taken for a number by any resolver.
func checkName(name string) error {
	if name == "" || len(name) > 253 {
		return errors.New("has no host, or one longer than 253 bytes")
	}
	labels := strings.Split(name, ".")
	for _, label := range labels {
		if label == "" || len(label) > 63 || label[0] == '-' || label[len(label)-1] == '-' {
			return errors.New("has a host with an empty, overlong or hyphen-bordered label")
		}
		for i := range len(label) {
			c := label[i]
			if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' {
				return errors.New("has a host with bytes other than a-z, 0-9, hyphen and dot")
			}
		}
	}
	if numeric(labels[len(labels)-1]) {
		return errors.New("has a host that could be read as an address")
	}
	return nil
}

func numeric(label string) bool {
	digits := "0123456789"
	if rest, hex := strings.CutPrefix(label, "0x"); hex {
		label, digits = rest, "0123456789abcdef"
	}
	return strings.Trim(label, digits) == ""
}

// pathBytes are the bytes RFC 3986 admits in a path, percent aside.
const pathBytes = "-._~!$&'()*+,;=:@/"

func checkPath(path string) error {
	if len(path) > 8192 {
		return errors.New("has a path longer than 8192 bytes")
	}
	plain, query, _ := strings.Cut(path, "?")
	if strings.HasPrefix(plain, "//") {
		return errors.New("has an empty first path segment")
	}
	for segment := range strings.SplitSeq(plain, "/") {
		if dots := strings.ReplaceAll(strings.ToLower(segment), "%2e", "."); dots == "." || dots == ".." {
			return errors.New("has a dot segment")
		}
	}
	if err := checkEscaped(plain, ""); err != nil {
		return err
	}
	return checkEscaped(query, "?")
}

func checkEscaped(text, more string) error {
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		case strings.IndexByte(pathBytes, c) >= 0, more != "" && more[0] == c:
		case c == '%' && i+2 < len(text) && upperHex(text[i+1]) && upperHex(text[i+2]):
			i += 2
		default:
			return errors.New("has a byte that a path must escape as %XX")
		}
	}
	return nil
}

func upperHex(c byte) bool { return '0' <= c && c <= '9' || 'A' <= c && c <= 'F' }

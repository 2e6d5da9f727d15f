package schema

import (
	"net/netip"
	"strings"
)

var isLabel = matches(`[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?`)

// isHostname holds s against RFC 1123.
func isHostname(s string) bool {
	if s == "" || len(s) > 253 {
		return false
	}
	for label := range strings.SplitSeq(s, ".") {
		if !isLabel(label) || len(label) > 3 && label[2:4] == "--" {
			return false
		}
	}
	return true
}

var isLocalPart = matches("[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*|\"([ !#-\\[\\]-~]|\\\\[ -~])*\"")

// isEmail holds s against the Mailbox of RFC 5321.
func isEmail(s string) bool {
	at := strings.LastIndexByte(s, '@')
	if at <= 0 || !isLocalPart(s[:at]) {
		return false
	}
	domain := s[at+1:]
	inner, ok := strings.CutPrefix(domain, "[")
	if !ok {
		return isHostname(domain)
	}
	if inner, ok = strings.CutSuffix(inner, "]"); !ok {
		return false
	}
	if six, ok := strings.CutPrefix(inner, "IPv6:"); ok {
		return isIPv6(six)
	}
	a, err := netip.ParseAddr(inner)
	return err == nil && a.Is4()
}

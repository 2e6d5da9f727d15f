package schema

import (
	"net/netip"
	"regexp"

	"github.com/openrpc-go/rpcgen/runtime/schema/ecma"
)

// formats holds the formats that can be asserted. A schema that asserts
// another one is refused, as its values could not be decided. Host names with
// internationalised labels (xn--…) are judged unfit: the tables for them are
// not here.
var formats = map[string]func(string) bool{
	"date-time":             isDateTime,
	"date":                  isDate,
	"time":                  isTime,
	"duration":              matches(`P(\d+W|(\d+Y(\d+M(\d+D)?)?|\d+M(\d+D)?|\d+D)(T(\d+H(\d+M(\d+S)?)?|\d+M(\d+S)?|\d+S))?|T(\d+H(\d+M(\d+S)?)?|\d+M(\d+S)?|\d+S))`),
	"ipv4":                  func(s string) bool { a, err := netip.ParseAddr(s); return err == nil && a.Is4() },
	"ipv6":                  isIPv6,
	"uuid":                  matches(`[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}`),
	"json-pointer":          matches(`(/([^~/]|~[01])*)*`),
	"relative-json-pointer": matches(`(0|[1-9][0-9]*)(#|(/([^~/]|~[01])*)*)`),
	"uri":                   func(s string) bool { return isURI(s, true, false) },
	"uri-reference":         func(s string) bool { return isURI(s, false, false) },
	"iri":                   func(s string) bool { return isURI(s, true, true) },
	"iri-reference":         func(s string) bool { return isURI(s, false, true) },
	"uri-template":          isURITemplate,
	"hostname":              isHostname,
	"email":                 isEmail,
	"regex":                 func(s string) bool { return ecma.Check(s) == nil },
}

// matches returns the test for a whole string.
func matches(expression string) func(string) bool {
	return regexp.MustCompile(`\A(?s:` + expression + `)\z`).MatchString
}

func isIPv6(s string) bool {
	a, err := netip.ParseAddr(s)
	return err == nil && a.Is6() && a.Zone() == ""
}

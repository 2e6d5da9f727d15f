package schema

import (
	"net/netip"
	"regexp"
	"strings"
	"time"
)

// formats holds the formats that can be asserted.
var formats = map[string]func(string) bool{
	"date-time":     isDateTime,
	"date":          func(s string) bool { _, err := time.Parse(time.DateOnly, s); return err == nil && len(s) == 10 },
	"time":          func(s string) bool { return isDateTime("1970-01-01T" + s) },
	"ipv4":          func(s string) bool { a, err := netip.ParseAddr(s); return err == nil && a.Is4() },
	"ipv6":          func(s string) bool { a, err := netip.ParseAddr(s); return err == nil && a.Is6() && a.Zone() == "" },
	"uuid":          regexp.MustCompile(`\A[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}\z`).MatchString,
	"duration":      isDuration,
	"json-pointer":  isPointer,
	"uri":           func(s string) bool { return uriShape.MatchString(s) && strings.Contains(s, ":") && hasScheme(s) },
	"uri-reference": uriShape.MatchString,
	"hostname":      isHostname,
	"email":         isEmail,
}

var uriShape = regexp.MustCompile(`\A([A-Za-z0-9\-._~:/?#@!$&'()*+,;=\[\]]|%[0-9A-Fa-f]{2})*\z`)

func hasScheme(s string) bool {
	scheme, _, _ := strings.Cut(s, ":")
	return regexpScheme.MatchString(scheme)
}

var regexpScheme = regexp.MustCompile(`\A[A-Za-z][A-Za-z0-9+\-.]*\z`)

var dateTimeShape = regexp.MustCompile(`\A\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)\z`)

// isDateTime holds s against RFC 3339. A leap second is admitted where it can
// be one: at 23:59:60 UTC.
func isDateTime(s string) bool {
	if !dateTimeShape.MatchString(s) {
		return false
	}
	s = strings.ToUpper(s)
	leap := s[17:19] == "60"
	if leap {
		s = s[:17] + "59" + s[19:]
	}
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return false
	}
	t = t.UTC()
	return !leap || t.Hour() == 23 && t.Minute() == 59
}

var durationShape = regexp.MustCompile(`\AP(\d+W|(\d+Y(\d+M(\d+D)?)?|\d+M(\d+D)?|\d+D)?(T(\d+H(\d+M(\d+S)?)?|\d+M(\d+S)?|\d+S))?)\z`)

func isDuration(s string) bool { return durationShape.MatchString(s) && s != "P" }

var pointerShape = regexp.MustCompile(`\A(/([^~/]|~[01])*)*\z`)

func isPointer(s string) bool { return pointerShape.MatchString(s) }

var labelShape = regexp.MustCompile(`\A[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\z`)

func isHostname(s string) bool {
	if s == "" || len(s) > 253 {
		return false
	}
	for label := range strings.SplitSeq(s, ".") {
		if !labelShape.MatchString(label) || len(label) > 3 && label[2:4] == "--" {
			return false
		}
	}
	return true
}

var localShape = regexp.MustCompile("\\A[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*\\z")

func isEmail(s string) bool {
	at := strings.LastIndexByte(s, '@')
	return at > 0 && localShape.MatchString(s[:at]) && isHostname(s[at+1:])
}

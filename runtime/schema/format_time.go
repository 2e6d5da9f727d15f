package schema

import (
	"strings"
	"time"
)

func isDate(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil && len(s) == len(time.DateOnly)
}

func isTime(s string) bool { return isDateTime("1970-01-01T" + s) }

var dateTimeShape = matches(`\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)`)

// isDateTime holds s against RFC 3339. A leap second is admitted where it can
// be one: at 23:59:60 UTC.
func isDateTime(s string) bool {
	if !dateTimeShape(s) {
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

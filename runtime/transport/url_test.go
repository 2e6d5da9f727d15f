package transport

import (
	"strings"
	"testing"
)

var targetRows = []struct {
	row, url string
	want     string // authority and path; "" is refused
}{
	{"plain", "https://billing.example.com/rpc", "billing.example.com /rpc"},
	{"no path", "https://billing.example.com", "billing.example.com /"},
	{"port", "https://billing.example.com:8443/", "billing.example.com:8443 /"},
	{"query", "https://a.example/rpc?x=1&y=%20", "a.example /rpc?x=1&y=%20"},
	{"address", "https://192.0.2.1/rpc", "192.0.2.1 /rpc"},
	{"address6", "https://[2001:db8::1]:8443/rpc", "[2001:db8::1]:8443 /rpc"},
	{"one label", "https://billing/rpc", "billing /rpc"},
	{"a-label", "https://xn--bcher-kva.example/", "xn--bcher-kva.example /"},
	{"http", "http://localhost:8080/", "localhost:8080 /"},
	{"escape", "https://a.example/a%2Fb", "a.example /a%2Fb"},

	{"A5 zone", "https://[fe80::1%25eth0]/", ""},
	{"A7 decimal", "https://2130706433/", ""},
	{"A7 hex", "https://0x7f.1/", ""},
	{"A7 hex alone", "https://0x7f000001/", ""},
	{"A7 octal", "https://0177.0.0.1/", ""},
	{"A7 short", "https://127.1/", ""},
	{"A7 leading zero", "https://127.0.0.01/", ""},
	{"A7 numeric last label", "https://example.123/", ""},
	{"A8 user", "https://good@evil.example/", ""},
	{"A8 user and password", "https://good:x@evil.example/", ""},
	{"A8 opaque", "https:billing.example.com/rpc", ""},
	{"A8 fragment", "https://a.example/rpc#x", ""},
	{"A8 no scheme", "//a.example/rpc", ""},
	{"A8 scheme case", "HTTPS://a.example/", ""},
	{"A8 other scheme", "ftp://a.example/", ""},
	{"A13 unix", "unix:///tmp/x.sock", ""},
	{"A13 file", "file:///etc/passwd", ""},
	{"A8 empty host", "https:///rpc", ""},
	{"A8 port zero", "https://a.example:0/", ""},
	{"A8 port leading zero", "https://a.example:0443/", ""},
	{"A8 port range", "https://a.example:99999/", ""},
	{"A8 port empty", "https://a.example:/", ""},
	{"A8 port default", "https://a.example:443/", ""},
	{"A8 port text", "https://a.example:80x/", ""},
	{"A8 trailing dot", "https://a.example./", ""},
	{"A8 upper case", "https://A.example/", ""},
	{"A8 bracket", "https://[a.example]/", ""},
	{"A8 bracket tail", "https://[2001:db8::1]x/", ""},
	{"A8 bracket open", "https://[2001:db8::1/", ""},
	{"A8 mapped", "https://[::ffff:127.0.0.1]/", ""},
	{"A8 not canonical", "https://[2001:DB8::1]/", ""},
	{"A8 not shortest", "https://[2001:db8:0::1]/", ""},
	{"A8 backslash", "https://a.example\\@evil.example/", ""},
	{"A8 space", "https://a.example /", ""},
	{"A8 newline", "https://a.example/\r\nX: y", ""},
	{"A8 query without path", "https://a.example?x", ""},
	{"A8 dot segment", "https://a.example/a/../b", ""},
	{"A8 escaped dot segment", "https://a.example/a/%2E%2e/b", ""},
	{"A8 lower escape", "https://a.example/a%2fb", ""},
	{"A8 half escape", "https://a.example/a%2", ""},
	{"A8 double slash", "https://a.example//evil.example", ""},
	{"A9 non-ASCII", "https://bücher.example/", ""},
	{"A9 ideographic stop", "https://a。example/", ""},
	{"A9 full width", "https://ａ.example/", ""},
	{"A9 underscore", "https://a_b.example/", ""},
	{"long label", "https://" + strings.Repeat("a", 64) + ".example/", ""},
	{"long name", "https://" + strings.Repeat("a.", 130) + "example/", ""},
	{"empty label", "https://a..example/", ""},
	{"hyphen", "https://-a.example/", ""},
	{"empty", "", ""},
}

// parses holds the URLs of one row of the tables, or with "" those of none.
func parses(id string) func(*testing.T) {
	return func(t *testing.T) {
		n := 0
		for _, row := range targetRows {
			if !concerns(row.row, id) {
				continue
			}
			n++
			target, err := parseTarget(row.url)
			got := ""
			if err == nil {
				got = target.authority + " " + target.path
			}
			if got != row.want {
				t.Errorf("%s: parseTarget(%q) = %q, %v, want %q", row.row, row.url, got, err, row.want)
			}
		}
		if n == 0 {
			t.Error("no URL")
		}
	}
}

func TestParseTarget(t *testing.T) { parses("")(t) }

func FuzzParseTarget(f *testing.F) {
	f.Add("https://billing.example.com:8443/rpc?x=1")
	f.Add("http://[::1]:80/")
	f.Fuzz(func(t *testing.T, text string) {
		target, err := parseTarget(text)
		if err != nil {
			return
		}
		scheme := "http://"
		if target.encrypted {
			scheme = "https://"
		}
		if whole := scheme + target.authority + target.path; whole != text && whole != text+"/" {
			t.Errorf("parseTarget(%q) reads %q", text, whole)
		}
		if strings.ContainsAny(target.authority, "@/?#\\ \r\n\t") || strings.ContainsAny(target.path, "#\\ \r\n\t") {
			t.Errorf("parseTarget(%q) lets a delimiter through", text)
		}
	})
}

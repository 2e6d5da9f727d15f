package schema

import (
	"strings"
	"testing"
)

func TestFormats(t *testing.T) {
	for name, c := range map[string]struct{ good, bad string }{
		"date-time":             {`2024-02-29T23:59:59Z|2024-01-01t00:00:00.123z|1998-12-31T23:59:60Z|1998-12-31T15:59:60.5-08:00`, `2024-02-30T00:00:00Z|2024-01-01 00:00:00Z|1998-12-31T22:59:60Z|2024-01-01T24:00:00Z|2024-01-01T00:00:00+24:00|2024-01-01T00:00:00`},
		"date":                  {`2024-02-29`, `2023-02-29|2024-1-1|`},
		"time":                  {`08:30:06Z|23:59:60Z|08:30:06.283185+01:00`, `08:30:06|24:00:00Z|08:30:06+1:00|08:30:06+00:60`},
		"duration":              {`P4DT12H30M5S|PT1M|P1M|P4W|P1Y2M3D`, `P|PT|P1Y2W|1D|PT1D|P1DT`},
		"ipv4":                  {`127.0.0.1`, `127.0.0.256|01.2.3.4|1.2.3|::1`},
		"ipv6":                  {`::1|::ffff:1.2.3.4`, `fe80::1%eth0|12345::|1.2.3.4`},
		"uuid":                  {`2EB8AA08-aa98-11ea-B4aa-73b441d16380`, `2eb8aa08-aa98-11ea-b4aa73b441d16380|2eb8aa08-aa98-11ea-b4aa-73b441d1638`},
		"json-pointer":          {`|/a~0b/~1|/é`, `a|/~|/~2`},
		"relative-json-pointer": {`0|1/a|0#|120/~0`, `-1|01|#|0##|/a`},
		"uri":                   {`http://u:p@h.example:80/a;b?c=d#e|urn:x:y|mailto:a@b|http://[::1]:8/|ldap://[v1.x]/`, `//h/p|a b|http://h:x/|http://[::g]/|\\\\h|:a|http://a/[b]|http://a@b@c/|é:x|http://h/%4`},
		"uri-reference":         {`/a|#f||?q|//h/p|a/b:c`, `a:b:c d|1a:b|\\a|[x]`},
		"iri":                   {`http://ü.example/é?q`, `/é|http://x/\ue000`},
		"iri-reference":         {`é`, `\`},
		"uri-template":          {`/a{/b,c*}{?d:3}|a'b|`, `{|}|{a|{a b}|{a:0}|a b`},
		"hostname":              {`a|a-b.example|1.2`, `|-a|a-|a..b|a_b|` + strings.Repeat("a", 64) + `|xn--x`},
		"email":                 {`a.b+c@d.example|"a b"@d|a@[127.0.0.1]|a@[IPv6:::1]`, `a|@b|a..b@c|.a@b|a@b_c|a@[127.0.0.1|a@[::1]`},
		"regex":                 {`^a(?=b)\1?()$|\p{L}`, `(|a**|\Z`},
	} {
		for _, s := range strings.Split(c.good, "|") {
			if !formats[name](s) {
				t.Errorf("%s refuses %q", name, s)
			}
		}
		for _, s := range strings.Split(c.bad, "|") {
			if formats[name](s) {
				t.Errorf("%s accepts %q", name, s)
			}
		}
	}
}

package ecma

import (
	"errors"
	"regexp"
	"strings"
	"testing"
)

func TestTranslate(t *testing.T) {
	for _, c := range []struct {
		source    string
		match, no []string
	}{
		{``, []string{"", "x"}, nil},
		{`a|`, []string{"", "b"}, nil},
		{`^abc$`, []string{"abc"}, []string{"abc\n", "xabc", "ab"}},
		{`^a$|^b$`, []string{"a", "b"}, []string{"ab"}},
		{`(^a)?b`, []string{"ab", "b"}, []string{"a"}},
		{`^.$`, []string{"a", "é", "😀", "\x00", "\u0085"}, []string{"", "\n", "\r", "\u2028", "\u2029", "ab"}},
		{`^[^]$`, []string{"\n", "a", "😀"}, []string{"", "ab"}},
		{`^[]$`, nil, []string{"", "a"}},
		{`^[]?$`, []string{""}, []string{"a"}},
		{`^\s$`, []string{" ", "\t", "\v", "\u00a0", "\ufeff", "\u2003", "\u2029"}, []string{"\u200b", "x", "\u0085", "\u180e"}},
		{`^\S$`, []string{"a", "\u200b"}, []string{" ", "\ufeff"}},
		{`^\d$`, []string{"5"}, []string{"\u0665", "a"}},
		{`^\D$`, []string{"\u0665"}, []string{"5"}},
		{`^\w+$`, []string{"aZ_9"}, []string{"é", "a-b", ""}},
		{`^\W$`, []string{"é", "-"}, []string{"a"}},
		{`\bfoo\b`, []string{"foo", "a foo.", "éfooé"}, []string{"foobar", "afoo"}},
		{`^\Bo`, nil, []string{"o"}},
		{`^\cC\cc$`, []string{"\x03\x03"}, []string{"cC"}},
		{`^\x41\u0042\u{43}\0$`, []string{"ABC\x00"}, nil},
		{`^\u{1F600}$`, []string{"😀"}, []string{"u"}},
		{`^\ud83d\ude00$`, []string{"😀"}, nil},
		{`^[\ud83d\ude00-\ud83d\ude02]$`, []string{"😁"}, []string{"😃"}},
		{`\ud83d`, nil, []string{"😀", "", "\ufffd"}},
		{`^[\ud800-\uffff]$`, []string{"\ue000"}, []string{"a"}},
		{`^\t\n\v\f\r$`, []string{"\t\n\v\f\r"}, nil},
		{`^\/\-\_\"\'\:\@\ \#\.$`, []string{`/-_"':@ #.`}, nil},
		{`^[\b]$`, []string{"\b"}, []string{"b"}},
		{`^[\w-.]+$`, []string{"a-."}, []string{"a+"}},
		{`^[a-]+$`, []string{"-a"}, []string{"b"}},
		{`^[-a]+$`, []string{"-a"}, []string{"b"}},
		{`^[\d-x]+$`, []string{"1-x"}, []string{"2w"}},
		{`^[^\D5]$`, []string{"4"}, []string{"5", "a"}},
		{`^[^\W\d]$`, []string{"a", "_"}, []string{"1", "-"}},
		{`^[[:alpha:]]$`, []string{"[]", "a]", ":]"}, []string{"b]", "a"}},
		{`^[&|~[]$`, []string{"&", "~", "|", "["}, []string{"a"}},
		{`^[^-\^]$`, []string{"a"}, []string{"^", "-"}},
		{`^\p{L}+$`, []string{"aé"}, []string{"1"}},
		{`^\p{Letter}cole$`, []string{"école"}, nil},
		{`^\P{L}$`, []string{"1"}, []string{"a"}},
		{`^[\p{Lu}\d]$`, []string{"A", "1"}, []string{"a"}},
		{`^[^\p{Lu}\d]$`, []string{"a"}, []string{"A", "1"}},
		{`^\p{Script=Greek}$`, []string{"α"}, []string{"a"}},
		{`^\p{gc=Decimal_Number}$`, []string{"5", "\u0665"}, []string{"a"}},
		{`^\p{Alphabetic}$`, []string{"a", "ⅷ"}, []string{"1"}},
		{`^[\P{Alphabetic}]$`, []string{"1"}, []string{"a"}},
		{`^\p{ASCII}$`, []string{"a"}, []string{"é"}},
		{`^\P{Any}$`, nil, []string{"é", ""}},
		{`^(?<year>\d{4})-(?:x)$`, []string{"2024-x"}, nil},
		{`^a{2}$`, []string{"aa"}, []string{"a", "aaa"}},
		{`^a{2,}$`, []string{"aaa"}, []string{"a"}},
		{`^a{0}$`, []string{""}, []string{"a"}},
		{`^a{1500}$`, []string{strings.Repeat("a", 1500)}, []string{strings.Repeat("a", 1499), strings.Repeat("a", 1501)}},
		{`^(ab){1,2500}$`, []string{"ab", strings.Repeat("ab", 2500)}, []string{"", strings.Repeat("ab", 2501)}},
		{`^[a-f]{1001,}$`, []string{strings.Repeat("f", 1001), strings.Repeat("f", 5000)}, []string{strings.Repeat("f", 1000)}},
		{`^(?:(?:a{50}){50})$`, []string{strings.Repeat("a", 2500)}, []string{strings.Repeat("a", 2450)}},
		{`^a{`, []string{"a{"}, []string{"a"}},
		{`^{a}]$`, []string{"{a}]"}, nil},
		{`^x{,5}$`, []string{"x{,5}"}, []string{"x"}},
		{`a+?b*?c??`, []string{"a"}, []string{"b"}},
		{`(?:a|b)c`, []string{"ac", "bc"}, []string{"c"}},
		{`^(?:a|b|)$`, []string{"", "a"}, []string{"c"}},
		{`^ab|cd$`, []string{"abx", "xcd"}, []string{"xabx"}},
		{`(?:a|b)+c|d`, []string{"abc", "d"}, []string{"ab"}},
		{`^\$\(\)\*\+\?\[\]\{\}\|\^\\$`, []string{`$()*+?[]{}|^\`}, nil},
		{"^`é~\u2028$", []string{"`é~\u2028"}, nil},
		{`^(?:x{0,3}){2}$`, []string{"", "xxxxxx"}, []string{"xxxxxxx"}},
	} {
		re2, err := Translate(c.source)
		if err != nil {
			t.Errorf("Translate(%q): %v", c.source, err)
			continue
		}
		re, err := regexp.Compile(re2)
		if err != nil {
			t.Errorf("Translate(%q) = %q: %v", c.source, re2, err)
			continue
		}
		for _, s := range c.match {
			if !re.MatchString(s) {
				t.Errorf("%q as %.80q does not match %.20q", c.source, re2, s)
			}
		}
		for _, s := range c.no {
			if re.MatchString(s) {
				t.Errorf("%q as %.80q matches %.20q", c.source, re2, s)
			}
		}
	}
}

func TestTranslateRefuses(t *testing.T) {
	for source, want := range map[string]struct {
		unsupported bool
		message     string
	}{
		`(?=a)b`:                 {true, "lookahead"},
		`^(?!x)`:                 {true, "lookahead"},
		`(?<=a)b`:                {true, "lookbehind"},
		`(?<!a)b`:                {true, "lookbehind"},
		`(a)\1`:                  {true, "back reference"},
		`(?<n>a)\k<n>`:           {true, "back reference"},
		`(?i:a)`:                 {true, "modifiers"},
		`\p{Nonsense}`:           {true, "property"},
		`\p{scx=Grek}`:           {true, "property"},
		`(?:a{999}){999999}`:     {true, "too large"},
		`(?:(?:a{999}){999}){9}`: {true, "too large"},
		`(?=a`:                   {false, "unclosed group"},
		`\1`:                     {false, "does not exist"},
		`\k<n>`:                  {false, "does not exist"},
		`(`:                      {false, "unclosed"},
		`)`:                      {false, "unmatched"},
		`[a`:                     {false, "unclosed ["},
		`[b-a]`:                  {false, "out of order"},
		`a{2,1}`:                 {false, "out of order"},
		`*a`:                     {false, "nothing to repeat"},
		`a**`:                    {false, "nothing to repeat"},
		`^*`:                     {false, "nothing to repeat"},
		`\b+`:                    {false, "nothing to repeat"},
		`{1}`:                    {false, "nothing to repeat"},
		`(?P<n>a)`:               {false, "invalid group"},
		`(?i)a`:                  {false, "invalid group"},
		`\Aa\Z`:                  {false, `unknown escape \A`},
		`\a`:                     {false, `unknown escape \a`},
		`[\h]`:                   {false, `unknown escape \h`},
		`\x4`:                    {false, "escape"},
		`\u12g4`:                 {false, "hexadecimal"},
		`\u{110000}`:             {false, "beyond"},
		`\u{}`:                   {false, "invalid"},
		`\c1`:                    {false, "letter"},
		`\01`:                    {false, "octal"},
		`\p`:                     {false, "braces"},
		`\`:                      {false, "at the end"},
		"\xff":                   {false, "UTF-8"},
		`(?<1a>x)`:               {false, "group name"},
		`(?<a>x)(?<a>y)`:         {false, "two groups"},
		strings.Repeat("(", 300): {false, "too deep"},
	} {
		_, err := Translate(source)
		var e *Error
		if !errors.As(err, &e) || e.Unsupported != want.unsupported || !strings.Contains(e.Message, want.message) {
			t.Errorf("Translate(%.40q) = %v, want %+v", source, err, want)
		}
		if err := Check(source); (err == nil) != want.unsupported {
			t.Errorf("Check(%.40q) = %v", source, err)
		}
	}
}

// FuzzTranslate: no panic, and what is accepted compiles.
func FuzzTranslate(f *testing.F) {
	for _, s := range []string{`^[a-z\d-_]{1,1500}$`, `(?<n>a)\k<n>`, `[^]`, `\p{L}\P{Lu}`, `\u{1F600}|\ud83d\ude00`, `a{2,1}`, `(?:(?:a{50}){50})`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, source string) {
		re2, err := Translate(source)
		if err != nil {
			if e := (*Error)(nil); !errors.As(err, &e) {
				t.Fatalf("Translate(%q) = %T", source, err)
			}
			return
		}
		if _, err := regexp.Compile(re2); err != nil {
			t.Fatalf("Translate(%q) = %q: %v", source, re2, err)
		}
	})
}

package schema

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

func tableOf(re2 string) *dfa {
	_, prog, err := compileRE2(re2)
	if err != nil {
		return nil
	}
	return newDFA(prog, new(int))
}

func runsOf(re2 string) *runs {
	tree, _, err := compileRE2(re2)
	if err != nil {
		return nil
	}
	return newRuns(tree)
}

func TestRuns(t *testing.T) {
	for re2, texts := range map[string]string{
		`\A\z`:                        `| |a`,
		`\A`:                          `|a|é`,
		`\Aab`:                        `ab|abc|a|xab|abé`,
		`\A0x[0-9a-f]{4}\z`:           `0x12af|0x12a|0x12aff|0x12aF|1x12af|0x12aé`,
		`\A[A-Z]{4}-[0-9]{2,3}\z`:     `ABCD-12|ABCD-123|ABCD-1|ABCD-1234|ABCD12`,
		`\A[a-z]+:[0-9]*\z`:           `a:|:1|ab:12|ab:12x`,
		`\A[a-z]*[0-9]?[.]x{0,2}\z`:   `.|a.|1.|a1.xx|a12.|a.xxx`,
		`\A[a-z]{2}[a-f]{2}\z`:        `zzff|zzgg|zf`,
		`\A(?:[a-c]{1,3}(?:d|d)e)\z`:  `abde|de|abcde`,
		`\A[a-z]+`:                    `a|1|a1|é`,
		"\\A[\\x{0}-\\x{7f}]{1,2}\\z": "a|é|\x00\n|aé",
	} {
		re := regexp.MustCompile(re2)
		r := runsOf(re2)
		if r == nil {
			t.Errorf("runsOf(%q) = nil", re2)
			continue
		}
		for _, s := range strings.Split(texts, "|") {
			if got, want := r.match([]byte(s)), re.MatchString(s); got != want {
				t.Errorf("%q on %q = %v, want %v", re2, s, got, want)
			}
		}
	}
	for _, re2 := range []string{`a`, `a\z`, `\A[a-z]*[a-f]\z`, `\A[a-z]?x?a\z`, `\A(?:ab)*\z`, `\Aé\z`, `\A.\z`, `\A(?i)k\z`, `\A\z\z`, `\Aa|b\z`} {
		if runsOf(re2) != nil {
			t.Errorf("runsOf(%q) is not nil", re2)
		}
	}
}

func TestDFA(t *testing.T) {
	for re2, texts := range map[string]string{
		``:                            `| |a`,
		`a`:                           `|a|ba|ab|b|é`,
		`\Aa\z`:                       `|a|aa|a` + "\n",
		`\A(?:latest|0x[0-9a-f]+)\z`:  `latest|0x|0x1f|0x1g|xlatest|latestx`,
		`\A0x[0-9a-f]{64}\z`:          `0x` + strings.Repeat("a", 64) + `|0x` + strings.Repeat("a", 65) + `|0x`,
		`[^\n\r\x{2028}\x{2029}]{2}`:  "é|éé|a\u2028b|\u2028\u2029|😀a|\ud7ff\ue000",
		`\p{Greek}\P{Greek}`:          `π1|1π|ππ|π-|😀π😀`,
		`\Aab|cd\z`:                   `abx|xcd|xab|cdx`,
		`a*\z`:                        `|a|b|ba`,
		`(?:\Aa)?b`:                   `b|ab|xb|a`,
		`\A[\x{80}-\x{10ffff}]*\z`:    "é😀\uffff\U0010ffff|a",
		`[\x{e000}-\x{ffff}]`:         "\ue000|\uffff|\ud7ff|😀",
		`x{0,5}y{3,7}z`:               `yyyz|yyz|xxxxxyyyyyyyz|yyyyyyyyz`,
		`\A(?:a|ab)(?:c|bcd)(?:d*)\z`: `abcd|acd|abbcd|abc|ab`,
		`\A[a-z0-9._%+-]+@[a-z0-9.-]+\.[a-z]{2,}\z`: `a@b.co|a@b|@b.co|a.b+c@d-e.f.gh`,
	} {
		d := tableOf(re2)
		if d == nil {
			t.Errorf("tableOf(%q) = nil", re2)
			continue
		}
		re := regexp.MustCompile(re2)
		for _, s := range strings.Split(texts, "|") {
			if got, want := d.match([]byte(s)), re.MatchString(s); got != want {
				t.Errorf("%q on %q = %v, want %v", re2, s, got, want)
			}
		}
	}
	for _, re2 := range []string{`\bword\b`, `\p{L}\P{L}`, `[ab]*a[ab]{20}`, `(?i)k`, `\A(?:.{0,1000}){20}\z`} {
		if tableOf(re2) != nil {
			t.Errorf("tableOf(%q) is not nil", re2)
		}
	}
}

// TestDFAOnEveryCharacter holds the cutting of ranges into bytes against
// package regexp.
func TestDFAOnEveryCharacter(t *testing.T) {
	for _, re2 := range []string{
		`\A[\x{7f}-\x{82}\x{7fe}-\x{803}\x{fffd}-\x{10002}]\z`, `\A[\x{3f}-\x{12345}]\z`, `\A[^\x{81}-\x{54321}]\z`, `\A\p{Lu}\z`, `\A[\x{1000}-\x{1fff}\x{40000}-\x{10ffff}]\z`,
	} {
		d, re := tableOf(re2), regexp.MustCompile(re2)
		if d == nil {
			t.Fatalf("tableOf(%q) = nil", re2)
		}
		var buf []byte
		for c := rune(0); c <= utf8.MaxRune; c++ {
			if !utf8.ValidRune(c) {
				continue
			}
			buf = utf8.AppendRune(buf[:0], c)
			if d.match(buf) != re.Match(buf) {
				t.Fatalf("%q on %U: the table says %v", re2, c, d.match(buf))
			}
		}
	}
}

// FuzzDFA holds tables and runs against package regexp.
func FuzzDFA(f *testing.F) {
	for _, seed := range [][2]string{{`\A(?:a|ab)*c\z`, "aabc"}, {`[^é-ü]+x`, "aüéx"}, {`(?:\Aa|b\z){2}`, "abab"}, {`a{2,5}?`, "aaa"}, {`\Aab[0-9]{2,3}x*\z`, "ab123xx"}, {`\A[a-f]+[g-z]?`, "abz"}} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, re2, s string) {
		if len(re2) > 60 || !utf8.ValidString(s) {
			return
		}
		re, err := regexp.Compile(re2)
		if err != nil {
			return
		}
		if r := runsOf(re2); r != nil && r.match([]byte(s)) != re.MatchString(s) {
			t.Fatalf("%q on %q: the runs say %v", re2, s, !re.MatchString(s))
		}
		if d := tableOf(re2); d != nil && d.match([]byte(s)) != re.MatchString(s) {
			t.Fatalf("%q on %q: the table says %v", re2, s, !re.MatchString(s))
		}
	})
}

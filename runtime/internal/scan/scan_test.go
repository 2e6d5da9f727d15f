package scan

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

func TestValid(t *testing.T) {
	many := func(n int, member func(k int) string) string {
		var b strings.Builder
		for k := range n {
			fmt.Fprintf(&b, ",%s:0", member(k))
		}
		return "{" + strings.TrimPrefix(b.String(), ",") + "}"
	}
	distinct := func(k int) string { return fmt.Sprintf(`"k%d"`, k) }
	for _, c := range []struct{ name, text, code string }{
		{"null", `null`, ""},
		{"space around", " \t\r\n[ ] \n", ""},
		{"empty", ``, UnexpectedEnd},
		{"byte order mark", "\uFEFF{}", UnexpectedByte},
		{"NaN", `NaN`, UnexpectedByte},
		{"infinity", `-Infinity`, UnexpectedByte},
		{"leading zero", `01`, LeadingZero},
		{"negative leading zero", `-01`, LeadingZero},
		{"plus", `+1`, UnexpectedByte},
		{"no fraction", `1.`, UnexpectedEnd},
		{"no exponent", `1e`, UnexpectedEnd},
		{"number", `-0.0e-10`, ""},
		{"64 digits", strings.Repeat("9", 64), ""},
		{"65 digits", strings.Repeat("9", 65), NumberTooLong},
		{"exponent 400", `1E+400`, ""},
		{"exponent 401", `1e-401`, NumberTooLong},
		{"exponent beyond int", `1e99999999999999999999`, NumberTooLong},
		{"literal cut", `tru`, UnexpectedEnd},
		{"literal wrong", `nulL`, UnexpectedByte},
		{"trailing data", `{} {}`, TrailingData},
		{"trailing comma", `[1,]`, UnexpectedByte},
		{"missing comma", `[1 2]`, UnexpectedByte},
		{"comment", `[/**/]`, UnexpectedByte},
		{"unclosed", `[[]`, UnexpectedEnd},
		{"wrong bracket", `[}`, UnexpectedByte},
		{"name not string", `{1:2}`, UnexpectedByte},
		{"no colon", `{"a" 1}`, UnexpectedByte},
		{"string cut", `"abcdefghijkl`, UnexpectedEnd},
		{"control", "\"abcdefgh\x01\"", ControlByte},
		{"DEL is allowed", "\"\x7f\"", ""},
		{"escapes", `"\"\\\/\b\f\n\r\t\u00e9"`, ""},
		{"bad escape", `"\x"`, InvalidEscape},
		{"bad hex", `"\u00g0"`, InvalidEscape},
		{"pair", `"\ud83d\ude00"`, ""},
		{"lone high", `"\ud83d"`, LoneSurrogate},
		{"lone low", `"\ude00"`, LoneSurrogate},
		{"two highs", `"\ud83d\ud83d"`, LoneSurrogate},
		{"invalid UTF-8", "\"\xff\"", InvalidUTF8},
		{"surrogate in UTF-8", "\"\xed\xa0\x80\"", InvalidUTF8},
		{"overlong", "\"\xc0\x80\"", InvalidUTF8},
		{"UTF-16", "\xfe\xff\x00{", UnexpectedByte},
		{"duplicate", `{"a":1,"a":2}`, DuplicateMember},
		{"duplicate by escape", `{"a":1,"\u0061":2}`, DuplicateMember},
		{"duplicate in nested", `[{"b":{"a":1,"c":2,"a":1}}]`, DuplicateMember},
		{"same name in siblings", `[{"a":1},{"a":{"a":1}}]`, ""},
		{"many members", many(5000, distinct), ""},
		{"many members, last repeats", many(5000, func(k int) string { return distinct(k % 4999) }), DuplicateMember},
		{"17 members, escaped repeat", many(18, func(k int) string {
			if k == 17 {
				return `"\u006b3"`
			}
			return distinct(k)
		}), DuplicateMember},
		{"64 deep", strings.Repeat("[", 64) + strings.Repeat("]", 64), ""},
		{"65 deep", strings.Repeat("[", 65) + strings.Repeat("]", 65), TooDeep},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := Valid([]byte(c.text), Limits{})
			var e *Error
			if errors.As(err, &e) != (c.code != "") || e != nil && e.Code != c.code {
				t.Fatalf("Valid(%.60q) = %v, want code %q", c.text, err, c.code)
			}
		})
	}
}

func TestNestedLargeObjects(t *testing.T) {
	var large strings.Builder
	for k := range 40 {
		fmt.Fprintf(&large, `,"k%d":%d`, k, k)
	}
	inner := "{" + large.String()[1:] + "}"
	outer := "{" + large.String()[1:] + `,"inner":` + inner + `,"list":[` + inner + "," + inner + "]"
	if err := Valid([]byte(outer+"}"), Limits{}); err != nil {
		t.Errorf("distinct names: %v", err)
	}
	for _, again := range []string{"k0", "k39", "inner"} {
		if Valid([]byte(outer+`,"`+again+`":1}`), Limits{}) == nil {
			t.Errorf("repeated %q was accepted", again)
		}
	}
}

func TestLimits(t *testing.T) {
	for _, c := range []struct {
		text string
		l    Limits
		code string
	}{
		{`{"a":1,"b":2}`, Limits{Members: 2}, ""},
		{`{"a":1,"b":2,"c":3}`, Limits{Members: 2}, TooManyMembers},
		{`"abc"`, Limits{StringBytes: 3}, ""},
		{`"abcd"`, Limits{StringBytes: 3}, StringTooLong},
		{`{"abcd":1}`, Limits{StringBytes: 3}, StringTooLong},
		{`[[1]]`, Limits{Depth: 1}, TooDeep},
		{`[123.4]`, Limits{NumberDigits: 3}, NumberTooLong},
		{`1e9`, Limits{Exponent: 8}, NumberTooLong},
		{strings.Repeat("[", 20_000), Limits{Depth: 1 << 30}, TooDeep},
	} {
		err := Valid([]byte(c.text), c.l)
		var e *Error
		if errors.As(err, &e) != (c.code != "") || e != nil && e.Code != c.code {
			t.Errorf("Valid(%.20q, %+v) = %v, want code %q", c.text, c.l, err, c.code)
		}
	}
}

func TestQuote(t *testing.T) {
	for _, s := range []string{"", "plain", "\"\\/\b\f\n\r\t\x00\x1f\x7f", "é \u2028 😀 \uFFFD", "<&>"} {
		quoted := AppendQuote(nil, s)
		if err := Valid(quoted, Limits{}); err != nil {
			t.Errorf("AppendQuote(%q) = %s: %v", s, quoted, err)
		}
		if got := string(Unquote(nil, quoted)); got != s {
			t.Errorf("Unquote(AppendQuote(%q)) = %q", s, got)
		}
	}
	if got := string(AppendQuote(nil, "a\xffb")); got != "\"a\uFFFDb\"" {
		t.Errorf("AppendQuote of invalid UTF-8 = %q", got)
	}
	if got := string(Unquote(nil, []byte(`"\ud83d\ude00\u00e9\/"`))); got != "😀é/" {
		t.Errorf("Unquote = %q", got)
	}
}

func TestWalks(t *testing.T) {
	text := []byte(`{ "a" : [1, {"x":"]}"}] , "b\n":-1e5,"c":"q\"" }`)
	var got []string
	err := Members(text, 0, func(name []byte, start, end int) error {
		got = append(got, string(name)+"="+string(text[start:end]))
		return nil
	})
	want := `"a"=[1, {"x":"]}"}] "b\n"=-1e5 "c"="q\""`
	if s := strings.Join(got, " "); err != nil || s != want {
		t.Errorf("Members = %s, %v, want %s", s, err, want)
	}
	got = nil
	list := []byte(`[ 1,[2,[]] , "]" ,true]`)
	err = Elements(list, 0, func(start, end int) error {
		got = append(got, string(list[start:end]))
		return nil
	})
	if s := strings.Join(got, " "); err != nil || s != `1 [2,[]] "]" true` {
		t.Errorf("Elements = %s, %v", s, err)
	}
	stop := errors.New("stop")
	if err := Members(text, 0, func([]byte, int, int) error { return stop }); err != stop {
		t.Errorf("Members = %v, want the error of f", err)
	}
}

func TestValidAllocatesNothing(t *testing.T) {
	if raceDetector {
		t.Skip("the race detector makes sync.Pool forget")
	}
	text := []byte(`{"id":"x","list":[1,2.5,{"a\u0062":null}],"deep":{"a":{"b":[true,"é"]}}}`)
	if n := testing.AllocsPerRun(100, func() {
		if err := Valid(text, Limits{}); err != nil {
			t.Fatal(err)
		}
	}); n > 0 {
		t.Errorf("Valid allocates %v times", n)
	}
}

// FuzzValid holds the scanner against jsontext: same verdict on every input.
func FuzzValid(f *testing.F) {
	for _, s := range []string{
		`{"a":[1,-0.5e+3,"\ud83d\ude00"],"b":null}`, `{"a":1,"\u0061":2}`, "\"\xff\"", `[01]`, ` [true , false] `, `"\ud800"`,
		`{"a":{"a":{"a":1}}}`, "\uFEFF1", `1 2`, `{"":0,"\u0000":1}`, "\"12345678\\\"é\x7f\"",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		err := Valid(b, Limits{Depth: MaxDepth, NumberDigits: 1 << 30, Exponent: 1 << 30, StringBytes: 1 << 30, Members: 1 << 30})
		if want := jsontext.Value(b).IsValid(); (err == nil) != want {
			t.Fatalf("Valid(%q) = %v, jsontext says %v", b, err, want)
		}
		if err != nil {
			return
		}
		i := Space(b, 0)
		end, err := Skip(b, i)
		if err != nil || Space(b, end) != len(b) {
			t.Fatalf("Skip(%q) = %d, %v", b, end, err)
		}
		checkStrings(t, b)
	})
}

// checkStrings holds Unquote and AppendQuote against jsontext.
func checkStrings(t *testing.T, b []byte) {
	d := jsontext.NewDecoder(bytes.NewReader(b))
	for {
		v, err := d.ReadToken()
		if err != nil {
			return
		}
		if v.Kind() != '"' {
			continue
		}
		s := v.String()
		quoted := AppendQuote(nil, s)
		if back := string(Unquote(nil, quoted)); back != s {
			t.Fatalf("Unquote(AppendQuote(%q)) = %q", s, back)
		}
		want, _ := jsontext.AppendQuote(nil, s)
		if back := string(Unquote(nil, want)); back != s {
			t.Fatalf("Unquote(%s) = %q, want %q", want, back, s)
		}
	}
}

func BenchmarkValid(b *testing.B) {
	text := []byte("[" + strings.Repeat(`{"id":100001,"name":"customer 17","hash":"0x00ff","value":12.5,"active":true,"kind":"open"},`, 5000) + "0]")
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if err := Valid(text, Limits{}); err != nil {
			b.Fatal(err)
		}
	}
}

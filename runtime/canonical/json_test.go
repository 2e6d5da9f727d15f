package canonical

import (
	"bytes"
	"encoding/json"
	"math/big"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/go-json-experiment/json/jsontext"
)

func testJSON(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"scalars at the top", ` null `, `null`},
		{"true", "\n\ttrue\r\n", `true`},
		{"false", `false`, `false`},
		{"string", `"x"`, `"x"`},
		{"empty containers", `{ "b" : [ ] , "a" : { } }`, `{"a":{},"b":[]}`},
		{"nested order", `{"b":[{"d":1,"c":2}],"a":{"z":1,"y":{"x":1,"w":2}}}`, `{"a":{"y":{"w":2,"x":1},"z":1},"b":[{"c":2,"d":1}]}`},
		{"prefix first", `{"ab":1,"a":2,"":3}`, `{"":3,"a":2,"ab":1}`},
		{"escapes shortened", `"\u0041\/\u00e9\u20ac\ud83d\ude00"`, "\"A/é€\U0001F600\""},
		{"short escapes", `"\u0008\u0009\u000a\u000c\u000d\u0022\u005c"`, `"\b\t\n\f\r\"\\"`},
		{"other controls", `"\u0000\u001F\u007f\u2028"`, "\"\\u0000\\u001f\u007f\u2028\""},
		{"escaped name sorts by its text", `{"\u0062":1,"a":2}`, `{"a":2,"b":1}`},
		{"no normalisation", "\"e\u0301\u00e9\"", "\"e\u0301\u00e9\""},
		// RFC 8785 section 3.2.3: the order of UTF-16 units is not that of code points.
		{"utf-16 order", "{\"\u20ac\":1,\"\\r\":2,\"\ufb33\":3,\"1\":4,\"\U0001F600\":5,\"\u0080\":6,\"\u00f6\":7}",
			"{\"\\r\":2,\"1\":4,\"\u0080\":6,\"\u00f6\":7,\"\u20ac\":1,\"\U0001F600\":5,\"\ufb33\":3}"},
		{"big integers stay exact", `[9007199254740993,18446744073709551616]`, `[9007199254740993,18446744073709551616]`},
		{"64 deep", strings.Repeat("[", 64) + strings.Repeat("]", 64), strings.Repeat("[", 64) + strings.Repeat("]", 64)},
	} {
		got, err := JSON([]byte("prefix"), []byte(tt.in))
		if err != nil || string(got) != "prefix"+tt.want {
			t.Errorf("%s: JSON(%q) = %q, %v; want %q", tt.name, tt.in, got, err, "prefix"+tt.want)
		}
	}
}

// testPairs is the golden table: values that are one value, and near-miss twins
// that are not.
func testPairs(t *testing.T) {
	for _, tt := range []struct {
		one, two string
		equal    bool
	}{
		{`1`, `1.0`, true}, {`1`, `1e0`, true}, {`100`, `1e2`, true}, {`0`, `-0`, true}, {`0.10`, `1e-1`, true},
		{`1E2`, `100.000`, true}, {`1e21`, `1000000000000000000000`, true},
		{`"A"`, `"\u0041"`, true}, {`"/"`, `"\/"`, true}, {`"\ud83d\ude00"`, "\"\U0001F600\"", true},
		{`{"a":1,"b":2}`, "{ \"b\" : 2,\r\n\"a\":1 }", true}, {`{"a":{"x":1,"y":[]}}`, `{"a":{"y":[ ],"x":1.0}}`, true},

		{`9007199254740992`, `9007199254740993`, false}, {`9007199254740992`, `9007199254740992.5`, false},
		{`18446744073709551615`, `18446744073709551616`, false}, {`0`, `1e-400`, false}, {`1e399`, `1e400`, false},
		{`0.1`, `0.1000000000000000055511151231257827`, false}, {`1`, `"1"`, false}, {`1`, `-1`, false},
		{`null`, `"null"`, false}, {`{}`, `{"a":null}`, false}, {`[]`, `{}`, false}, {`[1,2]`, `[2,1]`, false},
		{`[[1],2]`, `[[1,2]]`, false}, {`{"a":{"b":1}}`, `{"a.b":1}`, false}, {`{"a":1}`, `{"A":1}`, false},
		{"\"\u00e9\"", "\"e\u0301\"", false}, {"\"a\"", "\"a\u200b\"", false}, {`"a"`, `"a "`, false}, {`"\n"`, `"\\n"`, false},
		{`false`, `0`, false}, {`true`, `"true"`, false}, {`[]`, `[null]`, false},
	} {
		one, err1 := JSON(nil, []byte(tt.one))
		two, err2 := JSON(nil, []byte(tt.two))
		if err1 != nil || err2 != nil || (string(one) == string(two)) != tt.equal {
			t.Errorf("%s and %s: %s (%v) and %s (%v), want equal %v", tt.one, tt.two, one, err1, two, err2, tt.equal)
		}
	}
}

func testJSONRefuses(t *testing.T) {
	for _, tt := range []struct{ name, in string }{
		{"empty", ""},
		{"two values", "1 2"},
		{"byte order mark", "\ufeff1"},
		{"invalid UTF-8", "\"\xff\""},
		{"surrogate bytes", "\"\xed\xa0\x80\""},
		{"overlong", "\"\xc0\xaf\""},
		{"lone high surrogate", `"\ud83d"`},
		{"lone low surrogate", `"\ude00"`},
		{"reversed surrogates", `"\ude00\ud83d"`},
		{"control in a string", "\"\n\""},
		{"bad escape", `"\x41"`},
		{"duplicate", `{"a":1,"a":2}`},
		{"duplicate after unescaping", `{"a":1,"\u0061":2}`},
		{"leading zero", "[01]"},
		{"plus", "[+1]"},
		{"no digits after the point", "1."},
		{"not a number", "NaN"},
		{"trailing comma", "[1,]"},
		{"comment", "[1/*x*/]"},
		{"65 deep", strings.Repeat("[", 65) + strings.Repeat("]", 65)},
		{"very deep", strings.Repeat("[", 100_000)},
		{"65 digits", strings.Repeat("9", 65)},
		{"exponent 401", "1e401"},
		{"exponent -401", "1e-401"},
		{"exponent that wraps", "1e18446744073709551617"},
		{"canonical exponent 401", "10e400"},
		{"canonical digits 65", strings.Repeat("1", 60) + "e-65"},
	} {
		got, err := JSON([]byte("kept"), []byte(tt.in))
		if err == nil || string(got) != "kept" {
			t.Errorf("%s: JSON(%.40q) = %q, %v; want an error and dst as it was", tt.name, tt.in, got, err)
		}
	}
}

func TestNumber(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"0", "0"}, {"-0", "0"}, {"0.0", "0"}, {"0e400", "0"}, {"-0.00e-3", "0"},
		{"1", "1"}, {"1.0", "1"}, {"1e0", "1"}, {"10e-1", "1"}, {"0.1e1", "1"}, {"1E+0", "1"}, {"100e-2", "1"},
		{"-1.50", "-1.5"}, {"1e2", "100"}, {"123456789012345678901", "123456789012345678901"},
		{"999999999999999999999", "999999999999999999999"},
		{"1000000000000000000000", "1e+21"}, {"1e21", "1e+21"}, {"1e20", "100000000000000000000"},
		{"1234567890123456789012", "1.234567890123456789012e+21"},
		{"0.000001", "0.000001"}, {"0.0000001", "1e-7"}, {"0.00000123", "0.00000123"}, {"0.000000123", "1.23e-7"},
		{"9007199254740993", "9007199254740993"}, {"9007199254740992.5", "9007199254740992.5"},
		{"0.1", "0.1"}, {"0.30000000000000004", "0.30000000000000004"}, {"1e-400", "1e-400"}, {"1e400", "1e+400"},
		{strings.Repeat("9", 64), "9." + strings.Repeat("9", 63) + "e+63"},
	} {
		got, err := Number(tt.in)
		if err != nil || got != tt.want {
			t.Errorf("Number(%q) = %q, %v; want %q", tt.in, got, err, tt.want)
		}
	}
	for _, in := range []string{"", " 1", "1 ", "01", "+1", ".5", "1.", "1e", "0x1", "1_000", "true", "--1", "1e401", "10e400", "0.1e-400"} {
		if got, err := Number(in); err == nil {
			t.Errorf("Number(%q) = %q; want an error", in, got)
		}
	}
}

// testAgainstJCS holds the output against RFC 8785 as another library
// implements it, for values that a float64 keeps exactly.
func testAgainstJCS(t *testing.T) {
	for _, in := range []string{
		`{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/","literals":[null,true,false]}`,
		`{"\u20ac":"Euro Sign","\r":"Carriage Return","\ufb33":"Hebrew","1":"One","\ud83d\ude00":"Smiley","\u0080":"Control","\u00f6":"o"}`,
		`[1e21,1e20,0.000001,1e-7,-0,9007199254740992,4.35,1.7976931348623157e308,5e-324]`,
		`{"peach":"This sorting order","péché":"is wrong according to French","pêche":"but canonicalization MUST","sin":"ignore locale"}`,
		`{"1":{"f":{"f":"hi","F":5},"\n":56.0},"10":{},"":"empty","a":{},"111":[{"e":"yes","E":"no"}],"A":{}}`,
	} {
		want := jsontext.Value(in)
		if err := want.Canonicalize(); err != nil {
			t.Fatal(err)
		}
		// The reference rounds to float64 first; these inputs are the shortest
		// spelling of theirs, but for this one.
		text := strings.ReplaceAll(in, "333333333.33333329", "333333333.3333333")
		got, err := JSON(nil, []byte(text))
		if err != nil || string(got) != string(want) {
			t.Errorf("JSON(%s)\n got %s, %v\nwant %s", in, got, err, want)
		}
	}
}

func FuzzJSON(f *testing.F) {
	for _, s := range []string{`{"b":[1.0,2e3,-0],"a":"\u0041\ud83d\ude00"}`, `"x"`, `[[[]]]`, `{"\u0061":1,"a":2}`, `0.1e-400`, "{\"\U0001F600\":1,\"\ufb33\":2}"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		got, err := JSON(nil, src)
		if err != nil {
			return
		}
		again, err := JSON(nil, got)
		if err != nil || !bytes.Equal(again, got) {
			t.Fatalf("JSON(%q) = %q, whose canonical form is %q, %v", src, got, again, err)
		}
		if want := model(t, src); string(got) != want {
			t.Fatalf("JSON(%q) = %q, the model says %q", src, got, want)
		}
	})
}

// model is the slow way to say the same: the standard library's reader,
// rational numbers, and strings cut into UTF-16.
func model(t *testing.T, src []byte) string {
	d := json.NewDecoder(bytes.NewReader(src))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("the standard library refuses %q: %v", src, err)
	}
	return modelValue(v)
}

func modelValue(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		if v {
			return "true"
		}
		return "false"
	case json.Number:
		return modelNumber(v.String())
	case string:
		return modelString(v)
	case []any:
		var parts []string
		for _, e := range v {
			parts = append(parts, modelValue(e))
		}
		return "[" + strings.Join(parts, ",") + "]"
	}
	object := v.(map[string]any)
	var names []string
	for name := range object {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		return slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b)))
	})
	for i, name := range names {
		names[i] = modelString(name) + ":" + modelValue(object[name])
	}
	return "{" + strings.Join(names, ",") + "}"
}

func modelString(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		return err.Error()
	}
	return strings.NewReplacer(`\u2028`, "\u2028", `\u2029`, "\u2029", `\\`, `\\`).Replace(strings.TrimSuffix(b.String(), "\n"))
}

func modelNumber(literal string) string {
	r, _ := new(big.Rat).SetString(literal)
	if r.Sign() == 0 {
		return "0"
	}
	sign := ""
	if r.Sign() < 0 {
		sign, r = "-", new(big.Rat).Neg(r)
	}
	low, _ := new(big.Rat).SetString("1e-6")
	high, _ := new(big.Rat).SetString("1e21")
	if r.Cmp(low) >= 0 && r.Cmp(high) < 0 {
		text := r.FloatString(600)
		return sign + strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
	}
	ten, e := big.NewRat(10, 1), 0
	for ; r.Cmp(ten) >= 0; e++ {
		r = new(big.Rat).Quo(r, ten)
	}
	for ; r.Cmp(big.NewRat(1, 1)) < 0; e-- {
		r = new(big.Rat).Mul(r, ten)
	}
	text := strings.TrimSuffix(strings.TrimRight(r.FloatString(600), "0"), ".")
	plus := ""
	if e > 0 {
		plus = "+"
	}
	return sign + text + "e" + plus + big.NewInt(int64(e)).String()
}

func BenchmarkJSON(b *testing.B) {
	src := []byte(`{"request_id":"c2f1","invoice":{"total":12.50,"currency":"EUR","lines":[{"id":1,"text":"Caf\u00e9"},{"id":2,"text":"x"}]},"approved":true}`)
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	var dst []byte
	for b.Loop() {
		dst, _ = JSON(dst[:0], src)
	}
}

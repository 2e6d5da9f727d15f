package plan

import (
	"go/token"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestNamed(t *testing.T) {
	tests := []struct{ text, want string }{
		{"balance", "Balance"},
		{"getBalance", "GetBalance"},
		{"eth_getBlockByHash", "EthGetBlockByHash"},
		{"invoice.get", "InvoiceGet"},
		{"GET /invoices/{id}", "GETInvoicesID"},
		{"Page<Item>", "PageItem"},
		{"BlockNumberOrTag", "BlockNumberOrTag"},

		// initialisms, and words that only look like one
		{"userId", "UserID"}, {"user_ids", "UserIDs"}, {"userIDs", "UserIDs"}, {"apiUrl", "APIURL"}, {"html_id", "HTMLID"},
		{"valid", "Valid"}, {"identity", "Identity"}, {"HTMLParser", "HTMLParser"}, {"HTTPServerURL", "HTTPServerURL"},
		{"urls", "URLs"}, {"URLsByHost", "URLsByHost"}, {"https", "HTTPS"}, {"Https", "HTTPS"}, {"jsonrpc", "Jsonrpc"},
		{"TXN_STATUS", "TxnStatus"}, {"BLOCK_ID", "BlockID"}, {"SUCCEEDED", "Succeeded"}, {"failed: NOT_FOUND", "FailedNotFound"}, {"TXN", "TXN"}, {"A_B", "AB"}, {"TxN_STATUS", "TxNSTATUS"},
		{"is", "Is"}, {"ids", "IDs"}, {"as", "As"}, {"css", "CSS"}, {"status", "Status"},

		// digits
		{"sha256Sum", "Sha256Sum"}, {"32bit", "N32bit"}, {"3DSecure", "N3DSecure"}, {"v1_2", "V12"}, {"0", "N0"},

		// Go words: an exported name is none of them
		{"type", "Type"}, {"func", "Func"}, {"string", "String"}, {"nil", "Nil"}, {"error", "Error"}, {"context", "Context"},
		{"runtime", "Runtime"}, {"schema", "Schema"}, {"params", "Params"}, {"_", "Underscore"}, {"init", "Init"},

		// nothing to make a name of
		{"", "Empty"}, {"-", "Minus"}, {"<=", "LessEqual"}, {"...", "DotDotDot"}, {" ", "Space"}, {"*", "Star"}, {"\x00", "U0000"},

		// other letters
		{"größe", "Grösse"}, {"ÅngströmUnit", "ÅngströmUnit"}, {"été", "Été"}, {"straße", "Strasse"},
		{"с", "U0441"}, {"名前", "U540DU524D"}, {"o\u0308", "OU0308"}, {"ı", "U0131"}, {"\u212a", "U212A"}, {"\u017f", "U017F"},
		{"a\u202eb", "AU202EB"}, {"x\xff", "XUFFFD"},
	}
	for _, test := range tests {
		if got := named(test.text); got != test.want {
			t.Errorf("named(%q) = %q, want %q", test.text, got, test.want)
		}
	}
}

func TestConstantNames(t *testing.T) {
	tests := []struct {
		values []string
		want   []string
	}{
		{[]string{"", "AK"}, []string{"TEmpty", "TAK"}},
		{[]string{"<", "<=", "==", "GMT+1", "GMT-1"}, []string{"TLess", "TLessEqual", "TEqualEqual", "TGMTPlus1", "TGMT1"}},
		{[]string{"*", "@", "@value", "-value", "value"}, []string{"TStar", "TAt", "TAtValue", "TMinusValue", "TValue"}},
		{[]string{"32bit", "64bit", "7"}, []string{"T32bit", "T64bit", "T7"}},
		{[]string{"1", "-1", "0"}, []string{"T1", "TMinus1", "T0"}},
		{[]string{"-", "_", ".", "/"}, []string{"TMinus", "TUnderscore", "TDot", "TSlash"}},
		{[]string{"a-b", "a_b", "a.b"}, []string{"TAB", "TAUnderscoreB", "TADotB"}},
		{[]string{"up", "UP", "Up"}, []string{"TUp_75a2", "TUP", "TUp_5549"}},
	}
	for _, test := range tests {
		got := make([]string, len(test.values))
		var wishes []wish
		for i, v := range test.values {
			wishes = append(wishes, wish{v, "", constantNames("T", v), func(name string) { got[i] = name }})
		}
		newScope().grantAll(wishes)
		seen := map[string]bool{}
		for i, name := range got {
			if seen[fold(name)] {
				t.Errorf("constants of %q: %q is there twice", test.values, name)
			}
			seen[fold(name)] = true
			if name != test.want[i] {
				t.Errorf("constant %q of %q = %q, want %q", test.values[i], test.values, name, test.want[i])
			}
		}
	}
}

// TestGrantAll holds the rules of one scope: who keeps the plain name, that
// order does not matter, and that a new name moves no other.
func TestGrantAll(t *testing.T) {
	grant := func(keys ...string) map[string]string {
		got := map[string]string{}
		var wishes []wish
		for _, k := range keys {
			wishes = append(wishes, wish{k, k, []string{named(k)}, func(name string) { got[k] = name }})
		}
		newScope("Client", "NewClient", "Contract").grantAll(wishes)
		return got
	}
	all := []string{"employee_id", "employeeId", "EmployeeID", "client", "Client", "contract", "ok"}
	got := grant(all...)
	if got["EmployeeID"] != "EmployeeID" || got["ok"] != "Ok" {
		t.Errorf("grantAll = %v: the exact spelling and what nobody contests stay plain", got)
	}
	seen := map[string]string{}
	for k, name := range got {
		if other, taken := seen[fold(name)]; taken {
			t.Errorf("%q and %q are both called %s", k, other, name)
		}
		seen[fold(name)] = k
		if fold(name) == "client" || fold(name) == "contract" {
			t.Errorf("%q took the reserved name %s", k, name)
		}
	}
	for i := range all {
		turned := append(append([]string(nil), all[i:]...), all[:i]...)
		for k, name := range grant(turned...) {
			if got[k] != name {
				t.Errorf("%q is called %s or %s, by the order of its neighbours", k, got[k], name)
			}
		}
		rest := append(append([]string(nil), all[:i]...), all[i+1:]...)
		for k, name := range grant(rest...) {
			if got[k] != name && fold(named(k)) != fold(named(all[i])) {
				t.Errorf("without %q, %q is called %s instead of %s", all[i], k, name, got[k])
			}
		}
	}
}

func TestLongNames(t *testing.T) {
	long := strings.Repeat("é", 80)
	got := map[string]bool{}
	var wishes []wish
	for _, key := range []string{long, long + "a", long + "b", "short"} {
		wishes = append(wishes, wish{key, key, []string{named(key)}, func(name string) { got[name] = true }})
	}
	newScope().grantAll(wishes)
	if len(got) != 4 || !got["Short"] {
		t.Errorf("names %v, want four", got)
	}
	for name := range got {
		if len(name) > nameLimit+5 || !utf8.ValidString(name) {
			t.Errorf("name of %d bytes: %q", len(name), name)
		}
	}
}

func FuzzNamed(f *testing.F) {
	for _, seed := range []string{"", "a", "GET /x", "größe", "\xff", "名", "ǅ", "ß", "9", "URLs", "aUrlS"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		name := named(text)
		if !token.IsIdentifier(name) || !token.IsExported(name) {
			t.Errorf("named(%q) = %q, which is no exported identifier", text, name)
		}
		for _, r := range name {
			if r > 0x17F {
				t.Errorf("named(%q) = %q holds %U", text, name, r)
			}
		}
		if !utf8.ValidString(name) {
			t.Errorf("named(%q) is not UTF-8", text)
		}
	})
}

// TestLowered holds what is shouted against the runs that an expression finds.
func TestLowered(t *testing.T) {
	runs := regexp.MustCompile(`[\pL\pN_]+`)
	for _, text := range []string{
		"", "_", "A", "AB", "ABCDEF", "ABCDE", "TXN_STATUS", "txn_STATUS", "SUCCEEDED now", "it SUCCEEDED", "it SUCCEEDED, or FAILED_OFTEN!",
		"ÄÖÜABCDEF", "ABCDEF-ÄÖÜ", "A_B C_D", "ABCDEF\xffGHIJKL", "ABCDEF١", "x\x00ABCDEF", "ABCDEF１２",
	} {
		want := runs.ReplaceAllStringFunc(text, func(run string) string {
			if shouted(run) {
				return strings.ToLower(run)
			}
			return run
		})
		if got := lowered(text); got != want {
			t.Errorf("lowered(%q) = %q, want %q", text, got, want)
		}
	}
}

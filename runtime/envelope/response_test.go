package envelope

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/openrpc-go/rpcgen/runtime/internal/scan"
)

const id = "0123456789abcdef0123456789abcdef"

// frame builds a response with the right version and id around members.
func frame(members string) string {
	return `{"jsonrpc":"2.0","id":"` + id + `",` + members + `}`
}

var deep = strings.Repeat("[", Depth) + strings.Repeat("]", Depth)

// wireRules are bytes and the verdict about them, a row for each sentence of
// the protocol; named by the row of the tables of threats that it shows.
var wireRules = []struct {
	row    string
	body   string
	result string // wanted result, or
	code   int32  // wanted error code, or
	reason Reason // wanted refusal
}{
	{row: "valid plain", body: frame(`"result":{"a":1}`), result: `{"a":1}`},
	{row: "valid order", body: `{"result":[1, 2],"id":"` + id + `","jsonrpc":"2.0"}`, result: `[1, 2]`},
	{row: "valid space", body: " \r\n\t{ \"jsonrpc\" : \"2.0\" , \"id\" : \"" + id + "\" , \"result\" : 1 } \n", result: `1`},
	{row: "valid escaped name", body: frame(`"\u0072esult":7`), result: `7`},
	{row: "valid error", body: frame(`"error":{"code":-32000,"message":"no"}`), code: -32000},
	{row: "valid error data", body: frame(`"error":{"data":{"x":[]},"message":"","code":3}`), code: 3},

	{row: "J1 utf8", body: frame("\"result\":\"\xff\""), reason: NotJSON},
	{row: "J1 bom", body: "\ufeff" + frame(`"result":1`), reason: NotJSON},
	{row: "J1 nul", body: frame("\"result\":\"\x00\""), reason: NotJSON},
	{row: "J1 nan", body: frame(`"result":NaN`), reason: NotJSON},
	{row: "J1 infinity", body: frame(`"result":-Infinity`), reason: NotJSON},
	{row: "J1 zero", body: frame(`"result":01`), reason: NotJSON},
	{row: "J1 surrogate", body: frame(`"result":"\ud800"`), reason: NotJSON},
	{row: "J1 trailing", body: frame(`"result":1`) + "x", reason: NotJSON},
	{row: "J1 utf16", body: "{\x00}\x00", reason: NotJSON},
	{row: "J1 empty", body: "", reason: NotJSON},
	{row: "J1 html", body: "<html>", reason: NotJSON},
	{row: "J2 result twice", body: frame(`"result":1,"result":1`), reason: NotJSON},
	{row: "J2 escaped twice", body: frame(`"result":1,"resul\u0074":1`), reason: NotJSON},
	{row: "J2 id twice", body: `{"jsonrpc":"2.0","id":"` + id + `","id":"` + id + `","result":1}`, reason: NotJSON},
	{row: "J2 inside", body: frame(`"result":{"a":{"b":1,"b":2}}`), reason: NotJSON},
	{row: "J2 in error data", body: frame(`"error":{"code":1,"message":"","data":{"b":1,"b":2}}`), reason: NotJSON},
	{row: "J3 deepest", body: frame(`"result":` + deep), result: deep},
	{row: "J3 deeper", body: frame(`"result":[` + deep + `]`), reason: NotJSON},
	{row: "J3 digits", body: frame(`"result":` + strings.Repeat("9", 65)), reason: NotJSON},
	{row: "J3 exponent", body: frame(`"result":1e401`), reason: NotJSON},
	{row: "J4 case", body: frame(`"Result":1`), reason: ReservedName},
	{row: "J4 case beside", body: frame(`"result":1,"RESULT":2`), reason: ReservedName},
	{row: "J4 long s", body: frame(`"re\u017fult":1`), reason: ReservedName},
	{row: "J4 long s in version", body: `{"jſonrpc":"2.0","id":"` + id + `","result":1}`, reason: ReservedName},
	{row: "J4 Error beside", body: frame(`"result":1,"Error":null`), reason: ReservedName},
	{row: "J4 code", body: frame(`"error":{"code":1,"message":"","Code":2}`), reason: ReservedName},
	{row: "J4 unrelated", body: frame(`"result":1,"warnings":[],"":0`), result: `1`},
	{row: "J5 both", body: frame(`"result":1,"error":{"code":1,"message":""}`), reason: BothMembers},
	{row: "J5 neither", body: `{"jsonrpc":"2.0","id":"` + id + `"}`, reason: NeitherMember},
	{row: "J5 null result", body: frame(`"result":null`), result: `null`},
	{row: "J5 null error beside", body: frame(`"result":1,"error":null`), reason: BothMembers},
	{row: "J5 null error alone", body: frame(`"error":null`), reason: ErrorShape},
	{row: "J6 missing", body: `{"id":"` + id + `","result":1}`, reason: Version},
	{row: "J6 number", body: `{"jsonrpc":2.0,"id":"` + id + `","result":1}`, reason: Version},
	{row: "J6 2.00", body: `{"jsonrpc":"2.00","id":"` + id + `","result":1}`, reason: Version},
	{row: "J6 1.0", body: `{"jsonrpc":"1.0","id":"` + id + `","result":1}`, reason: Version},
	{row: "J7 other", body: `{"jsonrpc":"2.0","id":"x","result":1}`, reason: IDMismatch},
	{row: "J7 number", body: `{"jsonrpc":"2.0","id":1,"result":1}`, reason: IDMismatch},
	{row: "J7 fraction", body: `{"jsonrpc":"2.0","id":1.0,"result":1}`, reason: IDMismatch},
	{row: "J7 escaped", body: `{"jsonrpc":"2.0","id":"\u0030` + id[1:] + `","result":1}`, reason: IDMismatch},
	{row: "J7 upper", body: `{"jsonrpc":"2.0","id":"` + strings.ToUpper(id) + `","result":1}`, reason: IDMismatch},
	{row: "J7 missing", body: `{"jsonrpc":"2.0","result":1}`, reason: IDMissing},
	{row: "J7 null beside result", body: `{"jsonrpc":"2.0","id":null,"result":1}`, reason: IDMismatch},
	{row: "J7 null beside error", body: `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":""}}`, reason: IDNull},
	{row: "J7 parse error", body: `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":""}}`, reason: Unparsed},
	{row: "J8 batch", body: `[` + frame(`"result":1`) + `]`, reason: Batch},
	{row: "J8 empty batch", body: `[]`, reason: Batch},
	{row: "J8 string", body: `"x"`, reason: NotObject},
	{row: "J8 null", body: `null`, reason: NotObject},
	{row: "J8 request", body: frame(`"method":"m","params":[]`), reason: IsRequest},
	{row: "J8 notification", body: `{"jsonrpc":"2.0","method":"m"}`, reason: IsRequest},
	{row: "J8 two", body: frame(`"result":1`) + frame(`"result":1`), reason: NotJSON},
	{row: "J8 empty object", body: `{}`, reason: Version},
	{row: "J9 fraction", body: frame(`"error":{"code":1.0,"message":""}`), reason: ErrorShape},
	{row: "J9 exponent", body: frame(`"error":{"code":1e2,"message":""}`), reason: ErrorShape},
	{row: "J9 true", body: frame(`"error":{"code":true,"message":""}`), reason: ErrorShape},
	{row: "J9 text", body: frame(`"error":{"code":"1","message":""}`), reason: ErrorShape},
	{row: "J9 int32", body: frame(`"error":{"code":-2147483648,"message":""}`), code: -2147483648},
	{row: "J9 over int32", body: frame(`"error":{"code":2147483648,"message":""}`), reason: ErrorShape},
	{row: "J9 no code", body: frame(`"error":{"message":""}`), reason: ErrorShape},
	{row: "J9 no message", body: frame(`"error":{"code":1}`), reason: ErrorShape},
	{row: "J9 message null", body: frame(`"error":{"code":1,"message":null}`), reason: ErrorShape},
	{row: "J9 bare text", body: frame(`"error":"cursor_invalid"`), reason: ErrorShape},
	{row: "J9 number", body: frame(`"error":5`), reason: ErrorShape},
	{row: "J10 proto", body: frame(`"__proto__":1,"constructor":2,"result":{"__proto__":{},"":1,"𝄞":2}`), result: `{"__proto__":{},"":1,"𝄞":2}`},
	{row: "J11 big", body: frame(`"result":[9007199254740993,-0,1.0,1e2]`), result: `[9007199254740993,-0,1.0,1e2]`},
}

// reads runs the rows whose names begin with a word.
func reads(word string) func(*testing.T) {
	return func(t *testing.T) {
		n := 0
		for _, row := range wireRules {
			if first, _, _ := strings.Cut(row.row, " "); first != word {
				continue
			}
			n++
			t.Run(row.row, func(t *testing.T) {
				r, err := Read([]byte(row.body), id, Tolerance{})
				readsAlike(t, []byte(row.body), Tolerance{})
				var v *Violation
				switch {
				case row.reason != "":
					if !errors.As(err, &v) || v.Reason != row.reason {
						t.Fatalf("Read(%s) = %v, want reason %q", row.body, err, row.reason)
					}
				case err != nil:
					t.Fatalf("Read(%s) = %v", row.body, err)
				case row.result != "":
					if string(r.Result) != row.result || r.Error != nil {
						t.Fatalf("Read(%s) = %s, %v, want result %s", row.body, r.Result, r.Error, row.result)
					}
				case r.Error == nil || r.Error.Code != row.code || r.Result != nil:
					t.Fatalf("Read(%s) = %s, %v, want error code %d", row.body, r.Result, r.Error, row.code)
				}
			})
		}
		if n == 0 {
			t.Error("no row")
		}
	}
}

// inPlace reads results as strictly as Read does, or refuses them all.
type inPlace struct {
	refuses bool
	text    string // of the last one
}

func (p *inPlace) ReadResult(body []byte, start int) (end int, ok bool) {
	end, err := scan.Value(body, start, scan.Limits{Depth: Depth})
	if err != nil || p.refuses {
		return 0, false
	}
	p.text = string(body[start:end])
	return end, true
}

// readsAlike holds ReadInto, with a reader that takes every result and with one
// that takes none, against Read.
func readsAlike(t *testing.T, body []byte, tolerance Tolerance) {
	t.Helper()
	want, wanted := Read(body, id, tolerance)
	for _, p := range []*inPlace{{}, {refuses: true}} {
		got, read, err := ReadInto(body, id, tolerance, p)
		if !reflect.DeepEqual(got, want) || !reflect.DeepEqual(err, wanted) {
			t.Errorf("ReadInto(%q, %+v), refuses %v = %+v, %v; Read = %+v, %v", body, tolerance, p.refuses, got, err, want, wanted)
		}
		if hands := err == nil && want.Error == nil && !p.refuses; read != hands || read && p.text != string(want.Result) {
			t.Errorf("ReadInto(%q, %+v), refuses %v: read %v of %q; the result is %q, %v", body, tolerance, p.refuses, read, p.text, want.Result, wanted)
		}
	}
}

func testTolerance(t *testing.T) {
	null, version := Tolerance{NullError: true}, Tolerance{NoVersion: true}
	rows := []struct {
		body     string
		t        Tolerance
		accepted bool
	}{
		{frame(`"result":1,"error":null`), null, true},
		{frame(`"result":null,"error":null`), null, true},
		{frame(`"result":null,"error":{"code":1,"message":""}`), null, true},
		{frame(`"result":1,"error":{"code":1,"message":""}`), null, false},
		{frame(`"result":1,"error":null`), version, false},
		{frame(`"error":null`), null, false},
		{`{"id":"` + id + `","result":1}`, version, true},
		{`{"id":"` + id + `","result":1}`, null, false},
		{`{"jsonrpc":"1.0","id":"` + id + `","result":1}`, version, false},
		{`{"jsonrpc":null,"id":"` + id + `","result":1}`, version, false},
	}
	for _, row := range rows {
		_, err := Read([]byte(row.body), id, row.t)
		readsAlike(t, []byte(row.body), row.t)
		if (err == nil) != row.accepted {
			t.Errorf("Read(%s, %+v) = %v, want accepted %v", row.body, row.t, err, row.accepted)
		}
	}
}

func testRemoteErrorOfAWrongID(t *testing.T) {
	_, err := Read([]byte(`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"too long"}}`), id, Tolerance{})
	var v *Violation
	if !errors.As(err, &v) || v.Remote == nil || v.Remote.Code != -32700 || v.Remote.Message != "too long" {
		t.Fatalf("got %v", err)
	}
}

func testErrorBounds(t *testing.T) {
	body := frame(`"error":{"code":1,"message":"` + strings.Repeat("é", MaxMessage) + `","data":"` + strings.Repeat("x", MaxData) + `"}`)
	r, err := Read([]byte(body), id, Tolerance{})
	if err != nil {
		t.Fatal(err)
	}
	if e := r.Error; !e.Truncated || e.Data != nil || len(e.Message) != MaxMessage || strings.Trim(e.Message, "é") != "" {
		t.Errorf("message of %d bytes, data of %d, truncated %v", len(e.Message), len(e.Data), e.Truncated)
	}
}

func TestErrorTextHoldsNothingOfTheBody(t *testing.T) {
	for _, body := range []string{"SECRET", frame(`"SECRET":1`), frame(`"error":{"code":"SECRET"}`), `{"jsonrpc":"SECRET"}`} {
		if _, err := Read([]byte(body), id, Tolerance{}); err == nil || strings.Contains(err.Error(), "SECRET") {
			t.Errorf("Read(%s) = %v", body, err)
		}
	}
}

func TestResultIsAPartOfTheBody(t *testing.T) {
	body := []byte(frame(`"result":[1,2,3]`))
	r, err := Read(body, id, Tolerance{})
	if err != nil {
		t.Fatal(err)
	}
	if at := bytes.Index(body, r.Result); &body[at] != &r.Result[0] {
		t.Error("the result was copied")
	}
	w := walk{names: envelopeNames}
	if n := testing.AllocsPerRun(100, func() {
		w.Reset(body, scan.Limits{})
		w.body()
	}); n > 0 {
		t.Errorf("%v allocations for a valid response, want none", n)
	}
}

func TestAppendRequest(t *testing.T) {
	rows := []struct{ method, params, id, want string }{
		{"a.b", `{"x":1}`, "7", `{"jsonrpc":"2.0","method":"a.b","params":{"x":1},"id":"7"}`},
		{"a.b", ``, "7", `{"jsonrpc":"2.0","method":"a.b","id":"7"}`},
		{"a.b", `[1]`, "", `{"jsonrpc":"2.0","method":"a.b","params":[1]}`},
		{"\"\n</é", ``, "", `{"jsonrpc":"2.0","method":"\"\n</é"}`},
	}
	for _, row := range rows {
		if got := string(AppendRequest(nil, Prefix(row.method), []byte(row.params), row.id)); got != row.want {
			t.Errorf("AppendRequest(%q, %s, %q) = %s, want %s", row.method, row.params, row.id, got, row.want)
		}
	}
}

func testNewID(t *testing.T) {
	seen := map[string]bool{}
	for range 1000 {
		n := NewID()
		if len(n) != 32 || strings.Trim(n, "0123456789abcdef") != "" || seen[n] {
			t.Fatalf("NewID() = %q", n)
		}
		seen[n] = true
	}
}

func BenchmarkRead(b *testing.B) {
	for _, n := range []int{1, 100, 10_000} {
		body := []byte(frame(`"result":[` + strings.TrimSuffix(strings.Repeat(`{"id":12345,"name":"some name","paid":true},`, n), ",") + `]`))
		b.Run(fmt.Sprint(len(body)), func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Read(body, id, Tolerance{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

package runtime

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/openrpc-go/rpcgen/runtime/compiled"
	"github.com/openrpc-go/rpcgen/runtime/internal/governance"
	"github.com/openrpc-go/rpcgen/runtime/outcome"
	"github.com/openrpc-go/rpcgen/runtime/schema"
)

// body is what a server answers, in which "ID" is the id of the request, and
// what becomes of it.
type body struct {
	text   string
	status outcome.Status
	code   string
}

// bodies holds what servers answer against what callers are told: for a read
// and a write, as JSON and typed, whatever the layers below say of it. The
// reader of envelopes has many more.
func bodies(list ...body) func(*testing.T) {
	return func(t *testing.T) {
		src := source(func(m map[string]*compiled.Method) {
			m["ping"].ResultNode, m["invoice.pay"].ResultNode = &schema.Node{ID: "ping/any"}, &schema.Node{ID: "pay/any"}
		})
		for _, row := range list {
			s := serve(t, func(w http.ResponseWriter, q request) { fmt.Fprint(w, replaceID(row.text, q)) })
			_, c := setup(t, src, s.binding(), code("x"), Options{})
			judge := func(how string, err error, end outcome.Outcome) {
				t.Helper()
				if end.Status != row.status || end.Code != row.code || (err == nil) != (row.status == outcome.OK) {
					t.Errorf("%s, %.80s: %+v, %v, want %s (%s)", how, row.text, end, err, row.status, row.code)
				}
				want := map[outcome.Status]outcome.Delivery{outcome.OK: outcome.Completed, outcome.JSONRPCError: outcome.Answered}[row.status]
				if want == "" {
					want = outcome.Unknown
				}
				if end.Delivery != want {
					t.Errorf("%s, %.80s: delivery %s, want %s", how, row.text, end.Delivery, want)
				}
			}
			for _, call := range bothWays {
				var end outcome.Outcome
				_, err := c.Do(t.Context(), call.method, []byte(call.params), Into(&end))
				judge(call.method, err, end)
			}
			var end outcome.Outcome
			judge("typed", callError[schema.Raw](c, src.Method("ping"), NoParams{}, Into(&end)), end)
		}
	}
}

func invalid(code, text string) body { return body{text, outcome.InvalidResponse, code} }

func valid(text string) body { return body{text, outcome.OK, ""} }

func answered(text string) body { return body{text, outcome.JSONRPCError, "remote"} }

// around is a frame with the right version and id around members.
func around(members string) string { return `{"jsonrpc":"2.0","id":"ID",` + members + `}` }

// showEnvelopes shows what becomes of each kind of body.
func showEnvelopes(show governance.Show) {
	deep := func(n int) string { return around(`"result":` + strings.Repeat("[", n) + strings.Repeat("]", n)) }
	show("J1", "what is no JSON", bodies(
		invalid("json", "\xff"),
		invalid("json", around("\"result\":\"\xff\"")),
		invalid("json", "\ufeff"+around(`"result":1`)),
		invalid("json", around("\"result\":\"\x00\"")),
		invalid("json", around(`"result":NaN`)),
		invalid("json", around(`"result":01`)),
		invalid("json", around(`"result":1`)+"x")))
	show("J2", "members that come twice", bodies(
		invalid("json", around(`"result":1,"result":1`)),
		invalid("json", around(`"result":{"a":1,"\u0061":1}`)),
		invalid("json", around(`"result":[[{"b":{"c":1,"c":2}}]]`)),
		invalid("json", around(`"error":{"code":1,"message":"","data":{"b":1,"b":2}}`))))
	show("J3", "depth and digits", bodies(
		valid(deep(60)),
		invalid("json", deep(100)),
		invalid("json", strings.Repeat("[", 100_000)),
		invalid("json", around(`"result":1`+strings.Repeat("0", 100))),
		invalid("json", around(`"result":1e999`))))
	show("J4", "names in another case", bodies(
		valid(around(`"result":1,"warnings":[]`)),
		invalid("reserved_name", around(`"Result":1`)),
		invalid("reserved_name", around(`"result":1,"ERROR":null`)),
		invalid("reserved_name", around(`"re\u017fult":1`))))
	show("J5", "exactly one of result and error", bodies(
		valid(around(`"result":null`)),
		invalid("both", around(`"result":1,"error":{"code":1,"message":""}`)),
		invalid("both", around(`"result":1,"error":null`)),
		invalid("neither", `{"jsonrpc":"2.0","id":"ID"}`),
		invalid("error_shape", around(`"error":null`))))
	show("J5", "servers that say null", testTolerance)
	show("J6", "the version", bodies(
		invalid("version", `{"id":"ID","result":1}`),
		invalid("version", `{"jsonrpc":2.0,"id":"ID","result":1}`),
		invalid("version", `{"jsonrpc":"2.00","id":"ID","result":1}`)))
	show("J7", "the id", bodies(
		invalid("id_mismatch", `{"jsonrpc":"2.0","id":"x","result":1}`),
		invalid("id_mismatch", `{"jsonrpc":"2.0","id":1,"result":1}`),
		invalid("id_mismatch", `{"jsonrpc":"2.0","id":1.0,"result":1}`),
		invalid("id_mismatch", `{"jsonrpc":"2.0","id":null,"result":1}`),
		invalid("id_missing", `{"jsonrpc":"2.0","result":1}`),
		invalid("id_null", `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":""}}`),
		invalid("rejected_unparsed", `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":""}}`)))
	show("J8", "other messages", bodies(
		invalid("batch", `[`+around(`"result":1`)+`]`),
		invalid("batch", `[]`),
		invalid("request", `{"jsonrpc":"2.0","id":"ID","method":"m"}`),
		invalid("request", `{"jsonrpc":"2.0","method":"m"}`),
		invalid("json", around(`"result":1`)+around(`"result":1`)),
		invalid("not_object", `"x"`)))
	show("J9", "error objects", bodies(
		answered(around(`"error":{"code":-32000,"message":"m","data":[1]}`)),
		answered(around(`"error":{"code":1,"message":"`+strings.Repeat("x", 9000)+`"}`)),
		invalid("error_shape", around(`"error":{"code":1.0,"message":""}`)),
		invalid("error_shape", around(`"error":{"code":2147483648,"message":""}`)),
		invalid("error_shape", around(`"error":"cursor_invalid"`))))
	show("J9", "data of declared errors", testDeclaredErrors)
	show("J10", "names that are special elsewhere", testNoSpecialNames)
	show("J11 T51", "numbers", testExactNumbers)
	show("J12 T52", "results that break their schema", testBrokenResults)
	show("J13 T48", "error statuses", testErrorStatuses)
}

// Names that are special elsewhere are members like any other, and come through
// whole.
func testNoSpecialNames(t *testing.T) {
	const value = `{"__proto__":{"admin":true},"constructor":1,"":2,"𝄞":3,"$ref":4,"toString":null}`
	src := source(func(m map[string]*compiled.Method) { m["ping"].ResultNode = &schema.Node{ID: "any"} })
	s := serve(t, result(value))
	_, c := setup(t, src, s.binding(), code("x"), Options{})
	if got, err := c.Do(t.Context(), "ping", nil); err != nil || string(got) != value {
		t.Errorf("got %s, %v", got, err)
	}
	kept, err := Call[map[string]schema.Raw](t.Context(), c, src.Method("ping"), NoParams{})
	if err != nil || len(kept) != 6 || string(kept["__proto__"]) != `{"admin":true}` || string(kept["𝄞"]) != "3" {
		t.Errorf("got %s, %v", kept, err)
	}
}

// Numbers stay what they are: exact, or an error, never rounded, in both
// directions.
func testExactNumbers(t *testing.T) {
	s := serve(t, nil)
	src := source(func(m map[string]*compiled.Method) {
		m["ping"].ResultNode = integer("ping/result")
		m["invoice.get"].ResultNode = &schema.Node{ID: "get/result", Types: schema.TypeNumber}
	})
	_, c := setup(t, src, s.binding(), code("x"), Options{})
	ping := src.Method("ping")
	for text, want := range map[string]string{
		"9007199254740993": "9007199254740993", "-9223372036854775808": "-9223372036854775808", "1.0": "1", "1e3": "1000", "-0": "0", "12300e-2": "123",
		"9223372036854775808": "unfit", "1e30": "unfit", "1.5": "broken", "1e-1": "broken", `"1"`: "broken", "true": "broken", "null": "broken",
	} {
		s.answer = result(text)
		got, err := Call[int64](t.Context(), c, ping, NoParams{})
		var unfit *schema.Unrepresentable
		var broken *schema.Error
		switch {
		case want == "unfit" && errors.As(err, &unfit), want == "broken" && errors.As(err, &broken):
		case err != nil || fmt.Sprint(got) != want:
			t.Errorf("%s is read as %d, %v, want %s", text, got, err, want)
		}
	}
	for _, text := range []string{"9007199254740993", "0.1000000000000000055511151231257827", "123456789012345678901234567890.5"} {
		s.answer = result(text)
		if got, err := Call[schema.Decimal](t.Context(), c, src.Method("invoice.get"), GetParams{ID: "a"}); err != nil || string(got) != text {
			t.Errorf("%s is read as %s, %v", text, got, err)
		}
		if got, err := c.Do(t.Context(), "invoice.get", []byte(`{"id":"a"}`)); err != nil || string(got) != text {
			t.Errorf("%s is handed over as %s, %v", text, got, err)
		}
	}
	s.answer = result("[]")
	if _, err := c.Do(t.Context(), "range", []byte(`{"from":9007199254740993}`)); err != nil || s.last(t) != "[9007199254740993]" {
		t.Errorf("sent %s, %v", s.last(t), err)
	}
}

// A result that breaks its schema is an effect that happened: said to be
// completed, with a zero value, and nobody fills a gap.
func testBrokenResults(t *testing.T) {
	s := serve(t, nil)
	src := source(nil)
	_, c := setup(t, src, s.binding(), code("x"), Options{})
	for _, text := range []string{`{"id":"a"}`, `{"id":"a","total":null}`, `{"id":1,"total":1}`, `{"id":"a","total":1,"more":1}`, `[]`, `null`, `"a"`} {
		s.answer = result(text)
		var end outcome.Outcome
		v, err := Call[Invoice](t.Context(), c, src.Method("invoice.get"), GetParams{ID: "a"}, Into(&end))
		if end.Status != outcome.ContractViolation || end.Code != "schema" || end.Delivery != outcome.Completed || v != (Invoice{}) || Delivery(err) != outcome.Completed {
			t.Errorf("%s: got %+v, %+v, %v", text, v, end, err)
		}
		s.answer = result(strings.ReplaceAll(text, `"total"`, `"x"`))
		got, err := c.Do(t.Context(), "invoice.pay", []byte(`{"id":"a","amount":1}`), Into(&end))
		if end.Status != outcome.ContractViolation || end.Delivery != outcome.Completed || got != nil || err == nil {
			t.Errorf("a write, %s: got %s, %+v, %v", text, got, end, err)
		}
	}
}

// An error status keeps its name whatever the body says; a valid error of
// JSON-RPC in it is attached, a result is not.
func testErrorStatuses(t *testing.T) {
	for _, status := range []int{400, 401, 403, 404, 429, 500, 503} {
		for text, attached := range map[string]bool{
			around(`"error":{"code":-32000,"message":"m"}`):                     true,
			around(`"result":true`):                                             false,
			`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"m"}}`: true,
			`{"jsonrpc":"2.0","id":"ID","error":{"code":"x","message":"m"}}`:    false,
			`<html>`: false, ``: false, `[]`: false,
		} {
			s := serve(t, func(w http.ResponseWriter, q request) {
				w.Header().Set("Content-Type", "text/html")
				w.WriteHeader(status)
				fmt.Fprint(w, replaceID(text, q))
			})
			_, c := setup(t, source(nil), s.binding(), code("x"), Options{})
			for _, call := range bothWays {
				var end outcome.Outcome
				_, err := c.Do(t.Context(), call.method, []byte(call.params), Into(&end))
				var failed *CallError
				if !errors.As(err, &failed) || end.Status != outcome.HTTPError || end.HTTPStatus != status || (failed.Remote != nil) != attached {
					t.Errorf("%d %s: %+v, %v", status, text, end, err)
				}
				if (end.Delivery == outcome.Unknown) != (call.method == "invoice.pay") {
					t.Errorf("%d %s of %s: delivery %s", status, text, call.method, end.Delivery)
				}
			}
		}
	}
}

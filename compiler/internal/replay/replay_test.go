package replay

import (
	"strings"
	"testing"

	"github.com/openrpc-go/rpcgen/runtime/compiled"
)

const document = `{
 "openrpc": "1.3.2", "info": {"title": "shop", "version": "1"},
 "methods": [
  {"name": "pay", "paramStructure": "by-position",
   "params": [
    {"name": "to/whom", "required": true, "schema": {"type": "string", "maxLength": 5}},
    {"name": "sum", "required": true, "schema": {"type": "object", "properties": {"cents": {"type": "integer"}}, "required": ["cents"]}},
    {"name": "note", "schema": {"type": "string"}}],
   "result": {"name": "r", "schema": {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"], "additionalProperties": false}},
   "errors": [
    {"code": 7, "message": "broke", "data": {"type": "integer"}},
    {"code": 8, "message": "closed"}]},
  {"name": "find", "paramStructure": "by-name",
   "params": [{"name": "a/b", "required": true, "schema": {"type": "integer"}}, {"name": "c", "schema": {"type": "array", "items": {"type": "boolean"}}}],
   "result": {"name": "r", "schema": {"type": ["string", "null"]}}},
  {"name": "both", "params": [{"name": "x", "schema": {"type": "integer"}}], "result": {"name": "r", "schema": true}},
  {"name": "ping", "params": [], "result": {"name": "r", "schema": {"const": "pong"}}},
  {"name": "log", "params": [{"name": "text", "required": true, "schema": {"type": "string"}}]},
  {"name": "broken", "params": [], "result": {"name": "r", "schema": {"$ref": "#/none"}}}
 ]}`

// exchange writes one exchange as an .io file; members are added to the frame.
func exchange(request, response string) string {
	text := `>> {"jsonrpc":"2.0","id":1,` + request + "}\n"
	if response != "" {
		text += `<< {"jsonrpc":"2.0","id":1,` + response + "}\n"
	}
	return text
}

func call(method, params string) string {
	if params == "" {
		return `"method":"` + method + `"`
	}
	return `"method":"` + method + `","params":` + params
}

const (
	pong     = `"result":"pong"`
	goodPay  = `["me",{"cents":1}]`
	paid     = `"result":{"id":"p"}`
	raw      = ">> "
	respond  = "\n<< "
	pingText = `{"jsonrpc":"2.0","id":1,"method":"ping"}`
)

func TestVerdicts(t *testing.T) {
	rows := []struct{ name, text, want string }{
		{"by position", exchange(call("pay", goodPay), paid), "fit, fit"},
		{"by position, all", exchange(call("pay", `["me",{"cents":1},"x"]`), paid), "fit, fit"},
		{"by name", exchange(call("find", `{"c":[true],"a/b":1}`), `"result":null`), "fit, fit"},
		{"either by name", exchange(call("both", `{"x":1}`), `"result":[]`), "fit, fit"},
		{"either by position", exchange(call("both", `[1]`), `"result":[]`), "fit, fit"},
		{"optional left off", exchange(call("both", ""), `"result":[]`), "fit, fit"},
		{"no params", exchange(call("ping", ""), pong), "fit, fit"},
		{"empty array for none", exchange(call("ping", "[]"), pong), "fit, fit"},
		{"empty object for none", exchange(call("ping", "{}"), pong), "fit, fit"},
		{"notification", `>> {"jsonrpc":"2.0","method":"log","params":["x"]}`, "fit, none"},
		{"declared error", exchange(call("pay", goodPay), `"error":{"code":7,"message":"","data":5}`), "fit, declared_error"},
		{"declared error without data", exchange(call("pay", goodPay), `"error":{"code":7,"message":""}`), "fit, declared_error"},
		{"declared error, any data", exchange(call("pay", goodPay), `"error":{"code":8,"message":"","data":[]}`), "fit, declared_error"},
		{"undeclared error", exchange(call("pay", goodPay), `"error":{"code":9,"message":""}`),
			"fit, undeclared_error\nresponse 2:44 /error/code note undeclared-error"},
		{"not recorded", exchange(call("ping", ""), ""), "fit, none\nrequest 1:4  note no-response"},
		{"result not asked for", `>> {"jsonrpc":"2.0","method":"ping"}`, "fit, none\nrequest 1:4  note sent-as-notification"},

		{"unknown method", exchange(call("nope", ""), `"result":1`), "misfit, unjudged\nrequest 1:37 /method unknown-method"},
		{"unknown method, refused", exchange(call("nope", ""), `"error":{"code":-32601,"message":""}`), "misfit, undeclared_error\nrequest 1:37 /method unknown-method"},
		{"uncompiled method", exchange(call("broken", ""), `"result":1`), "misfit, unjudged\nrequest 1:37 /method uncompiled-method"},
		{"array for names", exchange(call("find", "[1]"), `"result":""`), "misfit, fit\nrequest 1:53 /params params-shape"},
		{"object for places", exchange(call("pay", `{"to/whom":"me","sum":{"cents":1}}`), paid), "misfit, fit\nrequest 1:52 /params params-shape"},
		{"too many params", exchange(call("pay", `["me",{"cents":1},"x",4,5]`), paid), "misfit, fit\nrequest 1:52 /params too-many-params"},
		{"params for none", exchange(call("ping", "[1]"), pong), "misfit, fit\nrequest 1:53 /params too-many-params"},
		{"named params for none", exchange(call("ping", `{"a":1}`), pong), "misfit, fit\nrequest 1:53 /params unknown-param"},
		{"missing by position", exchange(call("pay", `["me"]`), paid), "misfit, fit\nrequest 1:52 /params missing-param"},
		{"missing by name", exchange(call("find", `{}`), `"result":""`), "misfit, fit\nrequest 1:53 /params missing-param"},
		{"missing, all left off", exchange(call("find", ""), `"result":""`), "misfit, fit\nrequest 1:4 /params missing-param"},
		{"unknown by name", exchange(call("find", `{"a/b":1,"d":2}`), `"result":""`), "misfit, fit\nrequest 1:66 /params/d unknown-param"},
		{"wrong by position", exchange(call("pay", `["longer",{"cents":1.5}]`), paid),
			"misfit, fit\nrequest 1:71 /params/1/cents schema type of pay/params/sum/cents\nrequest 1:53 /params/0 schema maxLength of pay/params/to/whom"},
		{"wrong deep inside by name", exchange(call("find", `{"a/b":"x","c":[true,0]}`), `"result":""`),
			"misfit, fit\nrequest 1:74 /params/c/1 schema type of find/params/c[]\nrequest 1:60 /params/a~1b schema type of find/params/a/b"},
		{"null for an optional param", exchange(call("pay", `["me",{"cents":1},null]`), paid), "misfit, fit\nrequest 1:70 /params/2 schema type of pay/params/note"},

		{"wrong result", exchange(call("ping", ""), `"result":"pang"`), "fit, misfit\nresponse 2:37 /result schema enum of ping/result"},
		{"wrong inside the result", exchange(call("pay", goodPay), `"result":{"ID":"p"}`),
			"fit, misfit\nresponse 2:43 /result/ID schema false of pay/result/*\nresponse 2:37 /result schema required of pay/result"},
		{"wrong error data", exchange(call("pay", goodPay), `"error":{"code":7,"message":"","data":"x"}`),
			"fit, misfit\nresponse 2:66 /error/data schema type of pay/errors/7/data"},

		{"batch", ">> [" + pingText + "]" + respond + "[]", "unsupported, unsupported\nrequest 1:4  batch"},
		{"batch for one", raw + pingText + respond + "[]", "fit, misfit\nresponse 2:4  batch"},
		{"request is no JSON", raw + "{oops" + respond + `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":""}}`,
			"misfit, undeclared_error\nrequest 1:5  envelope unexpected-byte"},
		{"request is no object", raw + "1", "misfit, none\nrequest 1:4  envelope not_object"},
		{"request without version", raw + `{"id":1,"method":"ping","params":[1]}` + respond + `{"id":1,"result":1}`,
			"misfit, misfit\nrequest 1:4 /jsonrpc envelope version\nrequest 1:37 /params too-many-params\n" +
				"response 2:4 /jsonrpc envelope version\nresponse 2:21 /result schema enum of ping/result"},
		{"another version", raw + `{"jsonrpc":"1.0","id":1,"method":"ping"}` + respond + `{"jsonrpc":"2.0","id":1,"result":1}`,
			"misfit, unjudged\nrequest 1:15 /jsonrpc envelope version"},
		{"request with null params", exchange(call("ping", "null"), pong), "misfit, unjudged\nrequest 1:53 /params envelope params"},
		{"request with an id of no kind", raw + `{"jsonrpc":"2.0","id":{},"method":"ping"}`, "misfit, none\nrequest 1:26 /id envelope id_shape"},
		{"request with two methods", raw + `{"jsonrpc":"2.0","method":"a","method":"b"}`, "misfit, none\nrequest 1:34  envelope duplicate-member"},
		{"notification with an id", exchange(call("log", `["x"]`), ""), "misfit, none\nrequest 1:26 /id id-of-notification\nrequest 1:4  note no-response"},
		{"answered notification", `>> {"jsonrpc":"2.0","method":"log","params":["x"]}` + respond + `{"jsonrpc":"2.0","id":1,"result":1}`,
			"fit, misfit\nresponse 2:4  answered-notification"},

		{"another id", raw + pingText + respond + `{"jsonrpc":"2.0","id":"1","result":"pong"}`, "fit, misfit\nresponse 2:26 /id envelope id_mismatch"},
		{"no id", raw + pingText + respond + `{"jsonrpc":"2.0","result":"pong"}`, "fit, misfit\nresponse 2:4  envelope id_missing"},
		{"null id", raw + pingText + respond + `{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":""}}`, "fit, misfit\nresponse 2:26 /id envelope id_null"},
		{"not understood", raw + pingText + respond + `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":""}}`, "fit, misfit\nresponse 2:26 /id envelope rejected_unparsed"},
		{"response is no JSON", raw + pingText + respond + "<html>", "fit, misfit\nresponse 2:4  envelope unexpected-byte"},
		{"response is a request", raw + pingText + "\n", "fit, none\nrequest 1:4  note no-response"},
		{"result and error", exchange(call("ping", ""), `"result":"pong","error":{"code":1,"message":""}`), "fit, misfit\nresponse 2:4  envelope both"},
		{"result and null error", exchange(call("ping", ""), `"result":"pang","error":null`),
			"fit, misfit\nresponse 2:4  envelope both\nresponse 2:37 /result schema enum of ping/result"},
		{"neither", exchange(call("ping", ""), `"x":1`), "fit, misfit\nresponse 2:4  envelope neither"},
		{"error of no shape", exchange(call("ping", ""), `"error":"no"`), "fit, misfit\nresponse 2:36 /error envelope error_shape"},
		{"case", exchange(call("ping", ""), `"Result":1`), "fit, misfit\nresponse 2:4  envelope reserved_name"},
	}
	c, o := compile(t, document)
	r, err := New(c, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		log := record(t, "a.io", row.text)
		if len(log.Exchanges) != 1 {
			t.Fatalf("%s: %d exchanges", row.name, len(log.Exchanges))
		}
		v := r.Judge(log.Exchanges[0])
		if got := spell(v); got != row.want {
			t.Errorf("%s: Judge(%s) =\n%s\nwant\n%s", row.name, row.text, got, row.want)
		}
		misfits := false
		for _, f := range v.Findings {
			misfits = misfits || f.Misfit
			if f.Message == "" && f.Expected == "" {
				t.Errorf("%s: nothing is said about %+v", row.name, f)
			}
		}
		if holds := v.Holds(); holds == misfits {
			t.Errorf("%s: Holds() = %v, misfits: %v", row.name, holds, misfits)
		}
	}
}

func TestStatus(t *testing.T) {
	const fault = `{"jsonrpc":"2.0","id":1,"error":{"code":9,"message":""}}`
	rows := []struct{ name, status, response, want string }{
		{"fine", "204", `{"jsonrpc":"2.0","id":1,"result":"pong"}`, "fit, fit"},
		{"error with a body", "500", fault, "fit, undeclared_error\nresponse 1:104 /error/code note undeclared-error"},
		{"error without a body", "500", "null", "fit, none\nrequest 1:12  note no-response"},
		{"error of another kind", "502", `{"oops":1}`, "fit, misfit\nresponse 1:64  http-status"},
		{"result under an error", "500", `{"jsonrpc":"2.0","id":1,"result":"pong"}`, "fit, misfit\nresponse 1:97 /result http-status"},
		{"redirect", "302", `""`, "fit, misfit\nresponse 1:64  http-status"},
	}
	c, o := compile(t, document)
	r, err := New(c, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		log := record(t, "a.jsonl", `{"request":`+pingText+`,"response":`+row.response+`,"statusCode":`+row.status+"}")
		if got := spell(r.Judge(log.Exchanges[0])); got != row.want {
			t.Errorf("%s: got\n%s\nwant\n%s", row.name, got, row.want)
		}
	}
}

// TestLargeData: what calls do not keep they cannot judge.
func TestLargeData(t *testing.T) {
	c, o := compile(t, document)
	r, _ := New(c, o)
	log := record(t, "a.io", exchange(call("pay", goodPay), `"error":{"code":7,"message":"","data":"`+strings.Repeat("x", 70<<10)+`"}`))
	if got := spell(r.Judge(log.Exchanges[0])); got != "fit, misfit\nresponse 2:66 /error/data undecided" {
		t.Errorf("got %s", got)
	}
}

// TestSecrets: no recorded text is in a verdict beyond a few letters.
func TestSecrets(t *testing.T) {
	for _, secret := range []string{"s3cret-99", strings.Repeat("s3cret", 20)} {
		testSecret(t, secret)
	}
}

func testSecret(t *testing.T, secret string) {
	c, o := compile(t, document)
	r, _ := New(c, o)
	for _, text := range []string{
		exchange(call("pay", `["`+secret+`",{"cents":"`+secret+`"}]`), `"result":{"id":["`+secret+`"]}`),
		exchange(call("pay", goodPay), `"error":{"code":7,"message":"`+secret+`","data":"`+secret+`"}`),
		exchange(call("ping", `{"a":"`+secret+`"}`), `"error":{"code":9,"message":"`+secret+`"}`),
		raw + secret + respond + secret,
		exchange(call("find", `{"a/b":"`+secret+`"}`), `"result":5`),
	} {
		v := r.Judge(record(t, "a.io", text).Exchanges[0])
		for _, f := range v.Findings {
			if strings.Contains(f.Message+f.Expected+f.Found+string(f.Pointer), secret) {
				t.Errorf("a recorded value is in %+v", f)
			}
		}
	}
}

func TestReport(t *testing.T) {
	c, o := compile(t, document)
	r, _ := New(c, o)
	report := NewReport(c)
	if !report.Holds() || len(report.Never()) != 6 {
		t.Errorf("an empty report says %v, %q", report.Holds(), report.Never())
	}
	log := record(t, "a.io", exchange(call("ping", ""), pong)+"<< {\"method\":\"hello\"}\n"+exchange(call("pay", goodPay), `"error":{"code":7,"message":""}`))
	report.Skip(log.Skipped...)
	var verdicts []*Verdict
	for _, x := range log.Exchanges {
		verdicts = append(verdicts, r.Judge(x))
	}
	report.File(verdicts)
	report.File(nil)
	if !report.Holds() {
		t.Error("a declared error does not hold")
	}
	report.File([]*Verdict{
		r.Judge(record(t, "b.io", exchange(call("ping", "[1]"), `"error":{"code":9,"message":""}`)).Exchanges[0]),
		r.Judge(record(t, "b.io", exchange(call("nope", ""), `"result":9`)).Exchanges[0]),
		r.Judge(record(t, "b.io", ">> []").Exchanges[0]),
	})
	want := Totals{
		Files: 2, Exchanges: 5, Skipped: 1, RequestsFit: 2, RequestsMisfit: 2, RequestsUnsupported: 1, Refused: 1,
		ResponsesFit: 1, ErrorsDeclared: 1, ErrorsUndeclared: 1, ResponsesUnjudged: 1, NotRecorded: 1,
	}
	if report.Totals != want {
		t.Errorf("totals are %+v, want %+v", report.Totals, want)
	}
	if report.Holds() || strings.Join(report.Never(), " ") != "find both log broken" {
		t.Errorf("the report says %v, %q", report.Holds(), report.Never())
	}
}

func TestOtherProtocol(t *testing.T) {
	if _, err := New(&compiled.Contract{Header: compiled.Header{Protocol: "http"}}, Options{}); err == nil {
		t.Error("traffic of a contract of another protocol was taken")
	}
}

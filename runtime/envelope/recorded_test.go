package envelope

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

func TestReadRequestTable(t *testing.T) {
	const head = `{"jsonrpc":"2.0","method":"m"`
	rows := []struct {
		name, body string
		tolerance  Tolerance
		want       Request
		reason     Reason
	}{
		{name: "by position", body: head + `,"params":[1],"id":1}`, want: Request{"m", []byte("[1]"), []byte("1")}},
		{name: "by name", body: head + `,"params":{"a":1},"id":"x"}`, want: Request{"m", []byte(`{"a":1}`), []byte(`"x"`)}},
		{name: "notification", body: head + `}`, want: Request{Method: "m"}},
		{name: "null id", body: head + `,"id":null}`, want: Request{Method: "m", ID: []byte("null")}},
		{name: "fractional id", body: head + `,"id":1.5}`, want: Request{Method: "m", ID: []byte("1.5")}},
		{name: "escaped method", body: `{"jsonrpc":"2.0","method":"\u006d","x":1}`, want: Request{Method: "m"}},
		{name: "no version", body: `{"method":"m"}`, reason: Version},
		{name: "no version, tolerated", body: `{"method":"m"}`, tolerance: Tolerance{NoVersion: true}, want: Request{Method: "m"}},
		{name: "wrong version, tolerated", body: `{"jsonrpc":"1.0","method":"m"}`, tolerance: Tolerance{NoVersion: true}, reason: Version},
		{name: "no method", body: `{"jsonrpc":"2.0","id":1}`, reason: MethodShape},
		{name: "method is a number", body: `{"jsonrpc":"2.0","method":1}`, reason: MethodShape},
		{name: "null params", body: head + `,"params":null}`, reason: ParamsShape},
		{name: "params are a string", body: head + `,"params":"x"}`, reason: ParamsShape},
		{name: "id is an object", body: head + `,"id":{}}`, reason: IDShape},
		{name: "id is true", body: head + `,"id":true}`, reason: IDShape},
		{name: "result beside method", body: head + `,"result":1}`, reason: BothMembers},
		{name: "error beside method", body: head + `,"error":null}`, reason: BothMembers},
		{name: "Params", body: head + `,"Params":[]}`, reason: ReservedName},
		{name: "repeated member", body: head + `,"id":1,"id":1}`, reason: NotJSON},
		{name: "repeated deep inside", body: head + `,"params":[{"a":1,"a":2}]}`, reason: NotJSON},
		{name: "batch", body: `[` + head + `}]`, reason: Batch},
		{name: "scalar", body: `1`, reason: NotObject},
		{name: "empty", body: ``, reason: NotJSON},
		{name: "more behind it", body: head + `}}`, reason: NotJSON},
	}
	for _, row := range rows {
		got, err := ReadRequest([]byte(row.body), row.tolerance)
		if reason(err) != row.reason {
			t.Errorf("%s: ReadRequest(%s) = %v, want reason %q", row.name, row.body, err, row.reason)
		}
		if got.Method != row.want.Method || string(got.Params) != string(row.want.Params) || string(got.ID) != string(row.want.ID) {
			t.Errorf("%s: ReadRequest(%s) = %q, want %q", row.name, row.body, got, row.want)
		}
		if err == nil && ((got.Params == nil) != (row.want.Params == nil) || (got.ID == nil) != (row.want.ID == nil)) {
			t.Errorf("%s: absent and empty are mixed up: %q", row.name, got)
		}
	}
}

func TestRequestValues(t *testing.T) {
	for params, want := range map[string]string{
		``: ``, `[]`: ``, `{}`: ``, `[ 1 , "a,]" , [2]]`: `1|"a,]"|[2]`, `{"b": {"c":1} ,"a":null}`: `{"c":1}|null`,
	} {
		r := Request{Params: []byte(params)}
		if got := string(bytes.Join(r.Values(), []byte("|"))); got != want {
			t.Errorf("Values of %s are %s, want %s", params, got, want)
		}
		if got := r.Named(); got != strings.HasPrefix(params, "{") {
			t.Errorf("Named of %s is %v", params, got)
		}
	}
}

func reason(err error) Reason {
	if v := (*Violation)(nil); errors.As(err, &v) {
		return v.Reason
	}
	return ""
}

func TestReadReplyTable(t *testing.T) {
	rows := []struct {
		name, id, body string
		reason         Reason
	}{
		{name: "number", id: "1", body: `{"jsonrpc":"2.0","id":1,"result":0}`},
		{name: "another spelling of a number", id: "1", body: `{"jsonrpc":"2.0","id":1.0,"result":0}`, reason: IDMismatch},
		{name: "number as string", id: "1", body: `{"jsonrpc":"2.0","id":"1","result":0}`, reason: IDMismatch},
		{name: "string", id: `"a"`, body: `{"jsonrpc":"2.0","id":"a","result":0}`},
		{name: "string with an escape", id: `"a"`, body: `{"jsonrpc":"2.0","id":"\u0061","result":0}`},
		{name: "another string", id: `"a"`, body: `{"jsonrpc":"2.0","id":"b","result":0}`, reason: IDMismatch},
		{name: "null for null", id: `null`, body: `{"jsonrpc":"2.0","id":null,"result":0}`},
		{name: "missing", id: `1`, body: `{"jsonrpc":"2.0","result":0}`, reason: IDMissing},
		{name: "error for nobody", id: `1`, body: `{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":""}}`, reason: IDNull},
		{name: "request not understood", id: `1`, body: `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":""}}`, reason: Unparsed},
		{name: "to a notification", id: ``, body: `{"jsonrpc":"2.0","id":1,"result":0}`, reason: IDMismatch},
		{name: "params are no name of responses", id: `1`, body: `{"jsonrpc":"2.0","id":1,"result":0,"Params":1}`},
		{name: "batch", id: `1`, body: `[]`, reason: Batch},
	}
	for _, row := range rows {
		got, err := ReadReply([]byte(row.body), []byte(row.id), Tolerance{})
		if reason(err) != row.reason {
			t.Errorf("%s: ReadReply(%s, %s) = %v, want reason %q", row.name, row.body, row.id, err, row.reason)
		}
		if err == nil && string(got.Result) != "0" {
			t.Errorf("%s: ReadReply(%s, %s) has result %q", row.name, row.body, row.id, got.Result)
		}
	}
}

// FuzzReadRequest holds what is accepted against the second reader of FuzzRead.
func FuzzReadRequest(f *testing.F) {
	for _, s := range []string{`{"jsonrpc":"2.0","method":"m","params":[1,{"a":null}],"id":1}`, `{"method":"\u006d"}`, `[]`, `{"jsonrpc":"2.0","METHOD":1}`} {
		f.Add([]byte(s), false)
		f.Add([]byte(s), true)
	}
	f.Fuzz(func(t *testing.T, body []byte, noVersion bool) {
		got, err := ReadRequest(body, Tolerance{NoVersion: noVersion})
		if err != nil {
			return
		}
		members, ok := slowObject(body)
		if !ok || members["params"] != string(got.Params) || members["id"] != string(got.ID) || members["method"] == "" {
			t.Fatalf("ReadRequest(%q) = %q, the second reader has %q", body, got, members)
		}
		reply := append(append([]byte(`{"jsonrpc":"2.0","id":`), got.ID...), `,"result":null}`...)
		if _, err := ReadReply(reply, got.ID, Tolerance{}); err != nil && got.ID != nil {
			t.Fatalf("ReadReply(%q, %q): %v", reply, got.ID, err)
		}
	})
}

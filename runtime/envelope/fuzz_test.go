package envelope

import (
	"bytes"
	"errors"
	"io"
	"math/big"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/openrpc-go/rpcgen/runtime/internal/scan"
)

// FuzzRead holds Read, and ReadInto with it, against a second reader that
// shares no code with them: slow, token by token, on another library's tokenizer.
func FuzzRead(f *testing.F) {
	for _, s := range []string{
		frame(`"result":{"a":[1,"é",null]}`), frame(`"error":{"code":1,"message":"m","data":1}`), frame(`"Result":1`),
		frame(`"result":1,"error":null`), `[]`, `{}`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":""}}`,
		frame(`"method":1`), frame(`"result":1,"result":2`), frame(`"re\u017fult":1`), "\ufeff{}",
	} {
		f.Add([]byte(s), false, false)
		f.Add([]byte(s), true, true)
	}
	f.Fuzz(func(t *testing.T, body []byte, nullError, noVersion bool) {
		tolerance := Tolerance{nullError, noVersion}
		readsAlike(t, body, tolerance)
		got, err := Read(bytes.Clone(body), id, tolerance)
		var v *Violation
		if errors.As(err, &v) && v.JSON != nil {
			switch v.JSON.Code {
			case scan.TooDeep, scan.TooManyMembers, scan.StringTooLong, scan.NumberTooLong:
				return // our bounds, which the other reader does not have
			}
		}
		want, ok := slowRead(body, tolerance)
		if ok != (err == nil) {
			t.Fatalf("Read(%q, %+v) = %v, the second reader accepts: %v", body, tolerance, err, ok)
		}
		if err != nil {
			return
		}
		if want.failed != (got.Error != nil) || !want.failed && want.result != string(got.Result) {
			t.Fatalf("Read(%q) = %+v, the second reader has %+v", body, got, want)
		}
		if got.Error != nil && int64(got.Error.Code) != want.code {
			t.Fatalf("Read(%q): code %d, the second reader has %d", body, got.Error.Code, want.code)
		}
	})
}

type slowResponse struct {
	result string
	failed bool
	code   int64
}

func slowRead(body []byte, t Tolerance) (r slowResponse, ok bool) {
	members, ok := slowObject(body)
	if !ok {
		return r, false
	}
	for name := range members {
		for _, known := range []string{"jsonrpc", "id", "result", "error", "method"} {
			if name != known && strings.EqualFold(name, known) {
				return r, false
			}
		}
	}
	if _, has := members["method"]; has {
		return r, false
	}
	if v, has := members["jsonrpc"]; v != `"2.0"` && (has || !t.NoVersion) {
		return r, false
	}
	if members["id"] != `"`+id+`"` {
		return r, false
	}
	result, hasResult := members["result"]
	problem, hasError := members["error"]
	if t.NullError && hasResult && hasError {
		if problem == "null" {
			hasError = false
		} else if result == "null" {
			hasResult = false
		}
	}
	if hasResult == hasError {
		return r, false
	}
	if hasResult {
		return slowResponse{result: result}, true
	}
	fields, ok := slowObject([]byte(problem))
	for name := range fields {
		for _, known := range []string{"code", "message", "data"} {
			if name != known && strings.EqualFold(name, known) {
				return r, false
			}
		}
	}
	code, integer := new(big.Int).SetString(fields["code"], 10)
	if !ok || !integer || !code.IsInt64() || code.Int64() != int64(int32(code.Int64())) || !strings.HasPrefix(fields["message"], `"`) {
		return r, false
	}
	return slowResponse{failed: true, code: code.Int64()}, true
}

// slowObject returns the members of an object as they are written.
func slowObject(body []byte) (map[string]string, bool) {
	d := jsontext.NewDecoder(bytes.NewReader(body))
	if d.PeekKind() != '{' {
		return nil, false
	}
	if _, err := d.ReadToken(); err != nil {
		return nil, false
	}
	members := map[string]string{}
	for d.PeekKind() != '}' {
		name, err := d.ReadToken()
		if err != nil {
			return nil, false
		}
		key := name.String()
		value, err := d.ReadValue()
		if err != nil {
			return nil, false
		}
		members[key] = string(value)
	}
	if _, err := d.ReadToken(); err != nil {
		return nil, false
	}
	_, err := d.ReadToken()
	return members, err == io.EOF
}

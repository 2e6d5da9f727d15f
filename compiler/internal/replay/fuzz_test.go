package replay

import (
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/openrpc-go/rpcgen/compiler/internal/traffic"
)

// FuzzJudge gives the judge any two bodies. It never panics, a side has a
// misfit exactly when it does not hold, and a second judge says the same.
func FuzzJudge(f *testing.F) {
	for _, s := range [][2]string{
		{pingText, `{"jsonrpc":"2.0","id":1,"result":"pong"}`},
		{`{"jsonrpc":"2.0","id":1,"method":"pay","params":["me",{"cents":1},null,4]}`, `{"jsonrpc":"2.0","id":1,"error":{"code":7,"message":"","data":{}}}`},
		{`{"jsonrpc":"2.0","id":1,"method":"find","params":{"a/b":1,"c":[0],"\u0000":1}}`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":""}}`},
		{`{"jsonrpc":"2.0","method":"log","params":["x"]}`, `[]`},
		{`[{"method":"ping"}]`, `{"id":1,"result":1,"error":null,"Result":1}`},
		{`{"id":{},"method":"nope","params":1}`, "\xff"},
	} {
		f.Add([]byte(s[0]), []byte(s[1]), 200)
		f.Add([]byte(s[0]), []byte(s[1]), 500)
	}
	c, o := compile(f, document)
	f.Fuzz(func(t *testing.T, request, response []byte, status int) {
		log := archived(t, request, response, status)
		if log == nil {
			return
		}
		for _, x := range log.Exchanges {
			first, _ := New(c, o)
			again, _ := New(c, o)
			v := first.Judge(x)
			if got, want := spell(v), spell(again.Judge(x)); got != want {
				t.Fatalf("judged twice, judged differently:\n%s\n%s", got, want)
			}
			misfit := slices.ContainsFunc(v.Findings, func(f Finding) bool { return f.Misfit })
			if v.Holds() == misfit {
				t.Fatalf("Judge(%q, %q) holds: %v, and found\n%s", request, response, v.Holds(), spell(v))
			}
			for _, found := range v.Findings {
				if found.Place.Line == 0 || found.Message == "" && found.Expected == "" {
					t.Fatalf("Judge(%q, %q) says nothing, or from nowhere: %+v", request, response, found)
				}
			}
		}
	})
}

// archived puts two bodies of any bytes through an HTTP archive; nil when its
// reader refuses them.
func archived(t *testing.T, request, response []byte, status int) *traffic.Log {
	t.Helper()
	body := func(b []byte) map[string]any {
		return map[string]any{"text": base64.StdEncoding.EncodeToString(b), "encoding": "base64"}
	}
	entry := map[string]any{
		"request":  map[string]any{"postData": body(request)},
		"response": map[string]any{"status": status, "content": body(response)},
	}
	text, err := json.Marshal(map[string]any{"log": map[string]any{"entries": []any{entry}}})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "a.har")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	log, err := traffic.Source{Path: path, Name: "a.har"}.Read(traffic.Limits{})
	if err != nil {
		return nil
	}
	return log
}

package transport

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestSecretsPrintRedacted(t *testing.T) {
	const value = "hunter2-hunter2"
	secret := Text(value)
	things := []any{
		secret, &secret, Header{"Authorization", "Bearer ", secret}, []Header{{"Authorization", "", secret}},
		Config{URL: "https://a.example/", Headers: []Header{{"Authorization", "", secret}}},
		map[string]Secret{"x": secret},
	}
	e, err := New(Config{URL: "https://8.8.8.8/", Headers: []Header{{"Authorization", "Bearer ", secret}}})
	if err != nil {
		t.Fatal(err)
	}
	p, err := e.Prepare(context.Background(), Request{Body: []byte("{}")})
	if err != nil {
		t.Fatal(err)
	}
	things = append(things, p, *p, e)
	for _, thing := range things {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%t", "%T", "%10.3s"} {
			if text := fmt.Sprintf(verb, thing); strings.Contains(text, value) || strings.Contains(text, "68756e746572") {
				t.Errorf("%s of %T shows the secret", verb, thing)
			}
		}
		if b, err := json.Marshal(thing); err == nil && strings.Contains(string(b), value) {
			t.Errorf("JSON of %T shows the secret: %s", thing, b)
		}
		var log strings.Builder
		slog.New(slog.NewTextHandler(&log, nil)).Info("x", "thing", thing)
		slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "thing", thing)
		if strings.Contains(log.String(), value) {
			t.Errorf("a log of %T shows the secret", thing)
		}
	}
}

func TestSecretSources(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	t.Setenv("RPCGEN_TEST_SECRET", "from env")
	t.Setenv("RPCGEN_TEST_EMPTY", "")
	rows := []struct {
		name   string
		secret Secret
		want   string // "" is an error
	}{
		{"env", Env("RPCGEN_TEST_SECRET"), "from env"},
		{"env unset", Env("RPCGEN_TEST_NOWHERE"), ""},
		{"env empty", Env("RPCGEN_TEST_EMPTY"), ""},
		{"file", File(write("a", "from file\n")), "from file"},
		{"file crlf", File(write("b", "from file\r\n")), "from file"},
		{"file two lines", File(write("c", "a\nb\n")), ""},
		{"file two newlines", File(write("d", "a\n\n")), ""},
		{"file largest", File(write("e", strings.Repeat("x", maxValue)+"\n")), strings.Repeat("x", maxValue)},
		{"file larger", File(write("f", strings.Repeat("x", maxValue+1))), ""},
		{"file missing", File(filepath.Join(dir, "nowhere")), ""},
		{"file device", File(os.DevNull), ""},
		{"folder", File(dir), ""},
		{"func", Func("f", func(context.Context) (string, error) { return "from func", nil }), "from func"},
		{"func fails", Func("f", func(context.Context) (string, error) { return "x", errors.New("no") }), ""},
		{"func nil", Func("f", nil), ""},
		{"zero", Secret{}, ""},
		{"C3 newline", Text("a\r\nX: y"), ""},
		{"C3 nul", Text("a\x00"), ""},
		{"C3 non-ASCII", Text("é"), ""},
		{"leading space", Text(" a"), ""},
		{"tab inside", Text("a\tb"), "a\tb"},
	}
	for _, row := range rows {
		got, err := row.secret.value(t.Context())
		if err != nil {
			got = ""
		}
		if got != row.want || (err == nil) != (row.want != "") {
			t.Errorf("%s: %q, %v, want %q", row.name, got, err, row.want)
		}
	}
}

func TestHeaderNames(t *testing.T) {
	for _, name := range []string{
		"Host", "content-length", "Transfer-Encoding", "Connection", "Proxy-Authorization", "Cookie", "Trailer", "TE",
		"Sec-Fetch-Mode", "Idempotency-Key", "X-Idempotency-Key", "Expect", "Upgrade", "Accept-Encoding", "Range",
		"", "a b", "a:b", "a\r\nb", "é", strings.Repeat("a", 129),
	} {
		if _, err := New(Config{URL: "https://a.example/", Headers: []Header{{name, "", Text("x")}}}); err == nil {
			t.Errorf("header %q is accepted", name)
		}
	}
	twice := []Header{{"X-Key", "", Text("x")}, {"x-key", "", Text("x")}}
	if _, err := New(Config{URL: "https://a.example/", Headers: twice}); err == nil {
		t.Error("a header given twice in another case is accepted")
	}
	if _, err := New(Config{URL: "https://a.example/", Headers: []Header{{"X-Key", "a\n", Text("x")}}}); err == nil {
		t.Error("a prefix with a newline is accepted")
	}
}

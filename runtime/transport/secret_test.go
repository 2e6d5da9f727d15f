package transport

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	mathrand "math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func testSecretsPrintRedacted(t *testing.T) {
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

func testSecretSources(t *testing.T) {
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

func testHeaderNames(t *testing.T) {
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

// Secrets are resolved once for each request, after the address is known.
func testSecretsOnceAndLast(t *testing.T) {
	for _, lead := range []answers{{"8.8.8.8"}, {"10.0.0.1"}} {
		resolved := 0
		e, err := New(Config{URL: "https://a.example/", Resolver: lead, Headers: []Header{{"X-Key", "", Func("k", func(context.Context) (string, error) {
			resolved++
			return "value", nil
		})}}})
		if err != nil {
			t.Fatal(err)
		}
		if resolved != 0 {
			t.Error("a secret is read when an endpoint is made")
		}
		want := 0
		if p, err := e.Prepare(t.Context(), Request{}); err == nil {
			want = 1
			p.Redact([]byte("x"))
			p.Release()
		}
		if resolved != want {
			t.Errorf("an address %v: resolved %d times, want %d", lead, resolved, want)
		}
	}
}

// A secret that came back is found in every spelling, with the token and the
// password it holds.
func testReflected(t *testing.T) {
	const password, odd = "correct horse battery", `a"b/c\d<e>&f`
	pair := base64.StdEncoding.EncodeToString([]byte("me:" + password))
	e := open(t, Config{URL: "http://127.0.0.1:1/", SignName: "s", Headers: []Header{
		{"Authorization", "Basic ", Text(pair)}, {"X-Key", "", Text("Bearer token-12345")}, {"X-Odd", "", Text(odd)}, {"X-Short", "", Text("short")},
	}, Sign: func(context.Context, Outgoing) ([]Field, error) {
		return []Field{{"X-Signature", "signature-12345"}}, nil
	}})
	p, err := e.Prepare(t.Context(), Request{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Release()
	escaped, _ := json.Marshal(odd)
	for text, want := range map[string]string{
		"token-12345!": "[redacted]!", "Bearer token-12345": "[redacted]", password: "[redacted]", "me:" + password: "[redacted]",
		pair: "[redacted]", url.QueryEscape(password): "[redacted]", url.PathEscape(password): "[redacted]",
		hex.EncodeToString([]byte("token-12345")): "[redacted]", base64.RawURLEncoding.EncodeToString([]byte(password)): "[redacted]",
		odd: "[redacted]", string(escaped): `"[redacted]"`, `a\"b/c\\d<e>&f`: "[redacted]", "signature-12345": "[redacted]",
		"short": "short", "token": "token", "": "",
	} {
		if got := string(p.Redact([]byte(text))); got != want {
			t.Errorf("Redact(%s) = %s, want %s", text, got, want)
		}
		if got := p.Reflects([]byte("x" + text + "x")); got != (text != want) {
			t.Errorf("Reflects(%s) = %v", text, got)
		}
	}
}

// Whatever stands around a secret, it is found, and nothing else is.
func TestReflectsIsExact(t *testing.T) {
	random := mathrand.New(mathrand.NewPCG(1, 2))
	word := func(n int, letters string) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = letters[random.IntN(len(letters))]
		}
		return string(b)
	}
	for range 2000 {
		letters := []string{"ab", "abcdef0123456789", "abcdefghijklmnopqrstuvwxyz./+= \"<"}[random.IntN(3)]
		var secrets []string
		for range 1 + random.IntN(3) {
			if s := strings.TrimSpace(word(8+random.IntN(300), letters)); len(s) >= minRedacted {
				secrets = append(secrets, s)
			}
		}
		if len(secrets) == 0 {
			continue
		}
		n := newNeedles(secrets)
		text := []byte(word(random.IntN(400), letters))
		if random.IntN(2) == 0 {
			form := n.forms[random.IntN(len(n.forms))]
			at := random.IntN(len(text) + 1)
			text = slices.Concat(text[:at], form, text[at:])
		}
		want := slices.ContainsFunc(n.forms, func(form []byte) bool { return bytes.Contains(text, form) })
		if got := n.in(text); got != want {
			t.Fatalf("secrets %q in %q: %v, want %v", secrets, text, got, want)
		}
	}
}

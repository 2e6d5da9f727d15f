package rpcgen_test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/openrpc-go/rpcgen/runtime/envelope"
)

// blocks returns the fenced blocks of a page in one language.
func blocks(t *testing.T, page, language string) []string {
	t.Helper()
	b, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, m := range regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllStringSubmatch(string(b), -1) {
		list = append(list, m[1])
	}
	return list
}

// replaced wants exactly the number of replacements, so that the page and the
// test cannot drift apart.
func replaced(t *testing.T, text, old, by string, times int) string {
	t.Helper()
	if n := strings.Count(text, old); n != times {
		t.Fatalf("%q stands there %d times, not %d:\n%s", old, n, times, text)
	}
	return strings.ReplaceAll(text, old, by)
}

// beginner is somebody with an empty module and the vendor's document.
type beginner struct {
	t    *testing.T
	dir  string
	tool string // go tool rpcgen
}

func newBeginner(t *testing.T) *beginner {
	t.Helper()
	repository, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	b := &beginner{t, t.TempDir(), filepath.Join(t.TempDir(), "rpcgen.exe")}
	if err := os.Mkdir(filepath.Join(b.dir, "contracts"), 0o700); err != nil {
		t.Fatal(err)
	}
	for from, to := range map[string]string{"examples/billing/contracts/billing.openrpc.json": "contracts/billing.openrpc.json", "go.sum": "go.sum"} {
		text, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		b.write(to, string(text))
	}
	b.write("go.mod", moduleFile(t, repository))
	b.run(repository, "go", "build", "-o", b.tool, "./cmd/rpcgen")
	return b
}

func (b *beginner) write(name, text string) {
	b.t.Helper()
	if err := os.WriteFile(filepath.Join(b.dir, name), []byte(text), 0o600); err != nil {
		b.t.Fatal(err)
	}
}

// run runs a command and returns what it prints.
func (b *beginner) run(in, name string, args ...string) string {
	b.t.Helper()
	cmd := exec.CommandContext(b.t.Context(), name, args...)
	cmd.Dir, cmd.Env = in, append(os.Environ(), "GOPROXY=off", "GOWORK=off")
	var out, errors bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errors
	if err := cmd.Run(); err != nil {
		b.t.Fatalf("%s %v: %v\n%s%s", name, args, err, &out, &errors)
	}
	return out.String()
}

// follow does what a block of commands says. go.mod stands for go get.
func (b *beginner) follow(block string) {
	b.t.Helper()
	for line := range strings.Lines(block) {
		switch words := strings.Fields(line); {
		case len(words) >= 4 && slices.Equal(words[:3], []string{"go", "tool", "rpcgen"}):
			b.run(b.dir, b.tool, words[3:]...)
		case len(words) < 2 || words[1] != "get":
			b.t.Fatalf("an unknown command: %q", line)
		}
	}
}

// decide opens invoice.get as the page says.
func (b *beginner) decide() {
	b.t.Helper()
	const name = "contracts/billing.amend.yaml"
	sheet, err := os.ReadFile(filepath.Join(b.dir, name))
	if err != nil {
		b.t.Fatal(err)
	}
	text := replaced(b.t, string(sheet), "#methods:", "methods:", 1)
	b.write(name, replaced(b.t, text, `#"invoice.get": {use: PROFILE`, `"invoice.get": {use: lookup`, 1))
}

// vendor answers the one call of the page.
func vendor(t *testing.T) *httptest.Server {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body bytes.Buffer
		body.ReadFrom(r.Body)
		q, err := envelope.ReadRequest(body.Bytes(), envelope.Tolerance{})
		if err != nil || q.Method != "invoice.get" || string(q.Params) != `{"invoice_id":"inv_0002"}` {
			t.Errorf("the service is asked %s, %v", body.String(), err)
		}
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"id":"inv_0002","status":"open","total":{"currency":"EUR","cents":1250},"customer_id":"cus_7","lines":[],"issued_at":"2026-11-30T12:00:00Z","note":null}}`, q.ID)
	}))
	t.Cleanup(s.Close)
	return s
}

// TestQuickstart does what docs/quickstart.md says, from an empty module on:
// its commands, its decision, its program against a service of the document,
// and its test.
func TestQuickstart(t *testing.T) {
	const page = "docs/quickstart.md"
	commands, sources := blocks(t, page, "sh"), blocks(t, page, "go")
	if len(commands) != 2 || len(sources) != 2 {
		t.Fatalf("%d blocks of commands and %d of Go", len(commands), len(sources))
	}
	b := newBeginner(t)
	b.follow(commands[0])
	b.decide()
	b.follow(commands[1])
	b.write("main.go", replaced(t, sources[0], `URL: "https://billing.example.com/rpc"`, fmt.Sprintf("Development: true, URL: %q", vendor(t).URL+"/"), 1))
	b.write("main_test.go", sources[1])
	if got := b.run(b.dir, "go", "run", "-mod=mod", "."); got != "inv_0002 is open: 1250 cents\n" {
		t.Errorf("the program prints %q", got)
	}
	b.run(b.dir, "go", "test", "-mod=mod", ".")
}

// moduleFile is a module that takes this repository, and what that needs, from
// this machine.
func moduleFile(t *testing.T, repository string) string {
	t.Helper()
	b, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	json := regexp.MustCompile(`(?m)^\s*(github\.com/go-json-experiment/json v\S+)`).FindSubmatch(b)
	version := regexp.MustCompile(`(?m)^go \S+`).Find(b)
	if json == nil || version == nil {
		t.Fatal("go.mod does not say what it said")
	}
	return fmt.Sprintf("module example.com/shop\n\n%s\n\nrequire (\n\tgithub.com/openrpc-go/rpcgen v0.0.0\n\t%s\n)\n\nreplace github.com/openrpc-go/rpcgen => %s\n",
		version, json[1], repository)
}

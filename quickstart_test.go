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

// TestQuickstart does what docs/quickstart.md says, from an empty module on:
// its commands, its decision, its program against a service of the document,
// and its test.
func TestQuickstart(t *testing.T) {
	const page = "docs/quickstart.md"
	repository, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	run := func(in, name string, args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), name, args...)
		cmd.Dir, cmd.Env = in, append(os.Environ(), "GOPROXY=off", "GOWORK=off")
		var out, errors bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errors
		if err := cmd.Run(); err != nil {
			t.Fatalf("%s %v: %v\n%s%s", name, args, err, out.String(), errors.String())
		}
		return out.String()
	}
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	document, err := os.ReadFile("examples/billing/contracts/billing.openrpc.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "contracts"), 0o700); err != nil {
		t.Fatal(err)
	}
	write("contracts/billing.openrpc.json", string(document))
	write("go.mod", moduleFile(t, repository))
	sums, err := os.ReadFile("go.sum")
	if err != nil {
		t.Fatal(err)
	}
	write("go.sum", string(sums))

	tool := filepath.Join(t.TempDir(), "rpcgen.exe")
	run(repository, "go", "build", "-o", tool, "./cmd/rpcgen")
	commands := blocks(t, page, "sh")
	if len(commands) != 2 {
		t.Fatalf("%d blocks of commands", len(commands))
	}
	for i, block := range commands {
		for line := range strings.Lines(block) {
			words := strings.Fields(line)
			if i == 0 && words[1] == "get" {
				continue // go.mod stands for it
			}
			run(dir, tool, words[3:]...)
		}
		if i == 0 {
			sheet, err := os.ReadFile(filepath.Join(dir, "contracts", "billing.amend.yaml"))
			if err != nil {
				t.Fatal(err)
			}
			text := replaced(t, string(sheet), "#methods:", "methods:", 1)
			write("contracts/billing.amend.yaml", replaced(t, text, `#"invoice.get": {use: PROFILE`, `"invoice.get": {use: lookup`, 1))
		}
	}

	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body bytes.Buffer
		body.ReadFrom(r.Body)
		q, err := envelope.ReadRequest(body.Bytes(), envelope.Tolerance{})
		if err != nil || q.Method != "invoice.get" || string(q.Params) != `{"invoice_id":"inv_0002"}` {
			t.Errorf("the service is asked %s, %v", body.String(), err)
		}
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"id":"inv_0002","status":"open","total":{"currency":"EUR","cents":1250},"customer_id":"cus_7","lines":[],"issued_at":"2026-11-30T12:00:00Z","note":null}}`, q.ID)
	}))
	defer service.Close()
	sources := blocks(t, page, "go")
	if len(sources) != 2 {
		t.Fatalf("%d blocks of Go", len(sources))
	}
	write("main.go", replaced(t, sources[0], `URL: "https://billing.example.com/rpc"`, fmt.Sprintf("Development: true, URL: %q", service.URL+"/"), 1))
	write("main_test.go", sources[1])
	if got := run(dir, "go", "run", "-mod=mod", "."); got != "inv_0002 is open: 1250 cents\n" {
		t.Errorf("the program prints %q", got)
	}
	run(dir, "go", "test", "-mod=mod", ".")
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

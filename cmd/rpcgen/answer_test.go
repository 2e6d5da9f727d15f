package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// prompted hands on what is printed and tells when a prompt was.
type prompted struct {
	bytes.Buffer
	prompts chan string
}

func (p *prompted) Write(b []byte) (int, error) {
	n, err := p.Buffer.Write(b)
	if strings.Contains(string(b), "?") || strings.HasSuffix(string(b), ": ") {
		p.prompts <- string(b)
	}
	return n, err
}

// staleShop is a project in which two causes wait for a person, in a folder of
// its own; it returns the folder and the amendment.
func staleShop(t *testing.T) (dir, amendment string) {
	t.Helper()
	dir = t.TempDir()
	document := func(kind string) string {
		return `{"openrpc": "1.3.2", "info": {"title": "Shop", "version": "1"}, "methods": [
			{"name": "a.get", "params": [{"name": "p", "schema": {"type": "` + kind + `"}}], "result": {"name": "r", "schema": {"type": "string"}}},
			{"name": "b.get", "params": [], "result": {"name": "r", "schema": {"type": "` + kind + `"}}}]}`
	}
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	must := func(args ...string) {
		var out bytes.Buffer
		if code := run(context.Background(), append(args, "-C", dir), terminal{out: &out, err: &out, now: time.Now}); code != exitClean {
			t.Fatalf("%v: exit %d\n%s", args, code, &out)
		}
	}
	write("shop.json", document("string"))
	must("init", filepath.Join(dir, "shop.json"))
	amendment = filepath.Join(dir, "shop.amend.yaml")
	text, err := os.ReadFile(amendment)
	if err != nil {
		t.Fatal(err)
	}
	write("shop.amend.yaml", strings.NewReplacer("\n#methods:", "\nmethods:", `#"a.get": {use: PROFILE`, `"a.get": {use: lookup`,
		`#"b.get": {use: PROFILE`, `"b.get": {use: lookup`).Replace(string(text)))
	must("generate")
	write("shop.json", document("integer"))
	return dir, amendment
}

// TestReviewIsInterrupted: whoever leaves in the middle has confirmed nothing,
// also what was answered with yes before.
func TestReviewIsInterrupted(t *testing.T) {
	dir, amendment := staleShop(t)
	before, err := os.ReadFile(amendment)
	if err != nil {
		t.Fatal(err)
	}
	in, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	ctx, interrupt := context.WithCancel(context.Background())
	screen := &prompted{prompts: make(chan string, 9)}
	ended := make(chan int)
	go func() {
		ended <- run(ctx, []string{"review", "-C", dir}, terminal{out: io.Discard, err: screen, ask: in, now: time.Now})
	}()
	<-screen.prompts
	if _, err := out.WriteString("y\n"); err != nil {
		t.Fatal(err)
	}
	<-screen.prompts
	interrupt() // without another line
	if code := <-ended; code != exitFailed || !strings.Contains(screen.String(), "interrupted: nothing was written about shop") {
		t.Errorf("exit %d\n%s", code, screen)
	}
	if after, err := os.ReadFile(amendment); err != nil || !bytes.Equal(after, before) {
		t.Errorf("the amendment was written to (%v):\n%s", err, after)
	}
}

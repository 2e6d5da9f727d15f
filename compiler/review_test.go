package compiler_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/openrpc-go/rpcgen/compiler"
	"github.com/openrpc-go/rpcgen/compiler/internal/revise"
)

// shop is a project of one method, whose params a test can change.
type shop struct {
	t   *testing.T
	dir string
}

const shopAmendment = `version: "1"
contract: shop
profiles:
  lookup: {effect: read}
methods:
  "item.get": {use: lookup, pin: "PIN"} # mine
`

func newShop(t *testing.T) *shop {
	s := &shop{t: t, dir: t.TempDir()}
	s.write("rpcgen.yaml", "version: \"1\"\ncontracts:\n  shop: {document: shop.json, amendment: shop.amend.yaml, package: out/shop}\n")
	s.params(`{"type": "string"}`)
	s.write("shop.amend.yaml", strings.Replace(shopAmendment, `, pin: "PIN"`, "", 1))
	return s
}

func (s *shop) write(name, text string) {
	s.t.Helper()
	if err := os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

func (s *shop) read(name string) string {
	s.t.Helper()
	text, err := os.ReadFile(filepath.Join(s.dir, name))
	if err != nil {
		s.t.Fatal(err)
	}
	return string(text)
}

func (s *shop) params(schema string) {
	s.write("shop.json", `{"openrpc": "1.3.2", "info": {"title": "t", "version": "1"}, "methods": [
		{"name": "item.get", "params": [{"name": "id", "schema": `+schema+`}], "result": {"name": "r", "schema": {}}}]}`)
}

func (s *shop) generate() *compiler.Generated {
	s.t.Helper()
	p := s.project()
	g, err := p.Generate(compiler.GenerateOptions{Tool: "test", Now: time.Now, AllowClosing: true, SkipTypeCheck: true})
	if err != nil || !g.Written {
		s.t.Fatalf("%+v, %v", g, err)
	}
	return g
}

func (s *shop) project() *compiler.Project {
	s.t.Helper()
	p, _, err := compiler.Open(s.dir, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	return p
}

func (s *shop) review() (*compiler.Project, *compiler.Review) {
	s.t.Helper()
	p := s.project()
	c, err := p.Compile(p.Targets[0], time.Now)
	if err != nil || c.Failed() {
		s.t.Fatal(err)
	}
	r, err := p.Review(c, nil, time.Now(), 0)
	if err != nil {
		s.t.Fatal(err)
	}
	return p, r
}

// pin confirms today's pin.
func (s *shop) pin() {
	s.t.Helper()
	p, r := s.review()
	if err := p.Confirm(r, compiler.Confirmation{Pins: map[string]string{"item.get": r.Questions[0].Methods[0].Pin}}); err != nil {
		s.t.Fatal(err)
	}
}

func (s *shop) lines() string {
	_, r := s.review()
	if len(r.Questions) != 1 {
		s.t.Fatalf("%d questions, want 1", len(r.Questions))
	}
	return strings.Join(r.Questions[0].Lines, "\n")
}

// TestShapeIsKept: the difference is to the shape that was pinned, however
// often the contract moved since and whatever became of the package.
func TestShapeIsKept(t *testing.T) {
	s := newShop(t)
	s.pin()
	s.generate()
	s.params(`{"type": "integer"}`)
	if got := s.lines(); !strings.Contains(got, "type: string -> integer") {
		t.Errorf("before generate: %s", got)
	}
	s.generate()
	s.params(`{"type": "boolean"}`)
	if g := s.generate(); len(g.Contracts[0].Changes) != 1 || len(g.Contracts[0].Lost) > 0 {
		t.Errorf("changes %v, lost %v", g.Contracts[0].Changes, g.Contracts[0].Lost)
	}
	if err := os.RemoveAll(filepath.Join(s.dir, "out")); err != nil {
		t.Fatal(err)
	}
	if got := s.lines(); !strings.Contains(got, "type: string -> boolean") {
		t.Errorf("after two moves: %s", got)
	}
	s.pin()
	s.generate()
	if strings.Contains(s.read("rpcgen.lock"), `"shape"`) {
		t.Error("the lock keeps a shape that was reviewed")
	}
}

// TestShapeIsLost: with neither lock nor package it is said that nobody knows.
func TestShapeIsLost(t *testing.T) {
	s := newShop(t)
	s.pin()
	s.params(`{"type": "integer"}`)
	if g := s.generate(); len(g.Contracts[0].Lost) != 1 || g.Contracts[0].Lost[0] != "item.get" {
		t.Errorf("lost %v", g.Contracts[0].Lost)
	}
	if got := s.lines(); !strings.Contains(got, "what changed is not known") {
		t.Errorf("got %s", got)
	}
}

// TestConfirmNeedsTheSameFile: what somebody wrote meanwhile is never lost.
func TestConfirmNeedsTheSameFile(t *testing.T) {
	s := newShop(t)
	p, r := s.review()
	changed := s.read("shop.amend.yaml") + "# somebody was here\n"
	s.write("shop.amend.yaml", changed)
	err := p.Confirm(r, compiler.Confirmation{Pins: map[string]string{"item.get": r.Questions[0].Methods[0].Pin}})
	if !errors.Is(err, revise.ErrChanged) || s.read("shop.amend.yaml") != changed {
		t.Errorf("got %v and\n%s", err, s.read("shop.amend.yaml"))
	}
}

// TestConfirmKeepsTheRest: one value is another and no other byte.
func TestConfirmKeepsTheRest(t *testing.T) {
	s := newShop(t)
	s.pin()
	_, r := s.review()
	if len(r.Questions) != 0 {
		t.Errorf("%d questions are left", len(r.Questions))
	}
	head, _, _ := strings.Cut(shopAmendment, "use: lookup")
	got := s.read("shop.amend.yaml")
	if !strings.HasPrefix(got, head+`pin: "w:`) || !strings.HasSuffix(got, "\", use: lookup} # mine\n") {
		t.Errorf("got\n%s", got)
	}
}

// TestShapeOutlivesRefusal: a method that cannot be compiled for a while is
// compared with what it was before that.
func TestShapeOutlivesRefusal(t *testing.T) {
	s := newShop(t)
	s.pin()
	s.generate()
	s.params(`{"$ref": "#/none"}`)
	if g := s.generate(); len(g.Contracts[0].Lost) > 0 || len(g.Contracts[0].Changes) > 0 {
		t.Errorf("changes %v, lost %v", g.Contracts[0].Changes, g.Contracts[0].Lost)
	}
	if _, r := s.review(); len(r.Questions) > 0 {
		t.Errorf("%d questions about what cannot be compiled", len(r.Questions))
	}
	s.params(`{"type": "integer"}`)
	if got := s.lines(); !strings.Contains(got, "type: string -> integer") {
		t.Errorf("got %s", got)
	}
}

// TestInvisibleWords: what does not show in a text is spelled out.
func TestInvisibleWords(t *testing.T) {
	s := newShop(t)
	s.pin()
	s.generate()
	s.write("shop.json", `{"openrpc": "1.3.2", "info": {"title": "t", "version": "1"}, "methods": [
		{"name": "item.get", "summary": "safe\u202e\u200b\u001b[2J", "params": [{"name": "id", "schema": {"type": "string"}}, {"name": "\u202eid", "schema": {}}], "result": {"name": "r", "schema": {}}}]}`)
	got := s.lines()
	for _, want := range []string{`safe\u202e\u200b\x1b[2J`, `\u202eid`} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%q", want, got)
		}
	}
	for _, r := range got {
		if r == '\u202e' || r == '\u200b' || r == '\x1b' {
			t.Errorf("%U is shown as it is", r)
		}
	}
}

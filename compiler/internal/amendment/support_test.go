package amendment

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/openrpc-go/rpcgen/compiler/internal/contract"
	"github.com/openrpc-go/rpcgen/compiler/internal/correct"
	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/openrpc"
	"github.com/openrpc-go/rpcgen/compiler/internal/pin"
	"github.com/openrpc-go/rpcgen/compiler/internal/reference"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
	"github.com/openrpc-go/rpcgen/compiler/schema"
	"github.com/openrpc-go/rpcgen/runtime/compiled"
)

var update = flag.Bool("update", false, "rewrite the expected diagnostics")

// readText reads text as the file of an owner; a fault of the text itself
// counts as a diagnostic like any other.
func readText(text string) (*File, diag.List) {
	f, err := source.ReadOwn("a.yaml", []byte(text), source.Limits{}, correct.Nulls)
	if err != nil {
		return nil, refused(err, "a.yaml")
	}
	return Read(f)
}

func mustRead(t testing.TB, text string) *File {
	t.Helper()
	f, faults := readText(text)
	if f == nil || len(faults) > 0 {
		t.Fatalf("read:\n%s\nfaults:\n%s", text, show(faults))
	}
	return f
}

// show prints diagnostics for comparison: place, code, message, pointer, then
// advice and related places.
func show(l diag.List) string {
	var b strings.Builder
	for _, d := range l {
		word := ""
		if d.Severity != diag.Error {
			word = d.Severity.String() + " "
		}
		fmt.Fprintf(&b, "%d:%d: %s%s: %s", d.Position.Line, d.Position.Column, word, d.Code, d.Message)
		if d.Pointer != "" {
			fmt.Fprintf(&b, " (%s)", d.Pointer)
		}
		b.WriteString("\n")
		if d.Run != nil {
			fmt.Fprintf(&b, "    run: %s\n", strings.Join(d.Run, " "))
		}
		if d.Advice != "" {
			fmt.Fprintf(&b, "    advice: %s\n", d.Advice)
		}
		for _, r := range d.Related {
			fmt.Fprintf(&b, "    %d:%d: %s\n", r.Position.Line, r.Position.Column, r.Message)
		}
	}
	return b.String()
}

// golden compares got with a file, or rewrites the file.
func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != got {
		t.Errorf("%s: got\n%s\nwant\n%s", path, got, want)
	}
}

func cases(t *testing.T, pattern string) []string {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) == 0 {
		t.Fatalf("no cases at %s: %v", pattern, err)
	}
	return paths
}

// digestsOf makes digests that differ by their seeds alone.
func digestsOf(wire, result string) compiled.Digests {
	return compiled.Digests{Wire: hash(wire), Result: hash(result), Text: hash("text"), Doc: hash("doc")}
}

func hash(s string) string {
	f, err := source.Read("x", fmt.Appendf(nil, "%q", s), source.Limits{})
	if err != nil {
		panic(err)
	}
	return f.Digest
}

func pinOf(wire, result string) string { return pin.Of(digestsOf(wire, result)) }

// billing is a contract of the named methods, with the digests "w" and "r".
func billing(names ...string) (*contract.Contract, []compiled.Digests) {
	c := &contract.Contract{ID: "billing"}
	digests := make([]compiled.Digests, len(names))
	for i, name := range names {
		c.Methods = append(c.Methods, &contract.Method{Name: name, Result: &contract.Descriptor{}})
		digests[i] = digestsOf("w", "r")
	}
	return c, digests
}

// amend is an amendment of billing with two profiles and the entries given.
func amend(entries ...string) string {
	return "version: \"1\"\ncontract: billing\nprofiles:\n" +
		"  lookup: {effect: read}\n  money: {effect: write, rollback: {class: reversible}}\n" +
		"methods:\n  " + strings.Join(entries, "\n  ") + "\n"
}

// published is a contract that was read from a document, with its schemas.
func published() (*contract.Contract, *schema.Graph, []compiled.Digests) {
	const document = `{"openrpc": "1.3.2", "info": {"title": "t", "version": "1"}, "methods": [
		{"name": "pay", "params": [
			{"name": "id", "required": true, "schema": {"type": "string"}},
			{"name": "amount", "required": true, "schema": {"type": "number"}},
			{"name": "lines", "schema": {"type": "array", "items": {"$ref": "#/components/schemas/Line"}}}],
		 "result": {"name": "r", "schema": {"type": "object", "properties": {"id": {"type": "string"}}}}},
		{"name": "get", "params": [{"name": "id", "required": true, "schema": {"type": "string"}}], "result": {"name": "r", "schema": true}}],
		"components": {"schemas": {"Line": {"type": "object", "properties": {"price": {"type": "number"}, "next": {"$ref": "#/components/schemas/Line"}}}}}}`
	f, err := source.Read("doc.json", []byte(document), source.Limits{})
	if err != nil {
		panic(err)
	}
	refs := reference.New(f, reference.Options{})
	c, _ := openrpc.Read("billing", f, refs)
	g := schema.NewGraph(refs, c.Dialect)
	c = contract.Resolve(c, g)
	return c, g, pin.Digests(c, g)
}

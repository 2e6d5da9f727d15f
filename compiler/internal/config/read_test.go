package config

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

var update = flag.Bool("update", false, "rewrite the expected diagnostics")

func readText(text string) (*Config, diag.List) {
	f, err := source.ReadOwn("rpcgen.yaml", []byte(text), source.Limits{})
	if err != nil {
		d, ok := diag.From(err)
		if !ok {
			panic(err)
		}
		return nil, diag.List{d}
	}
	return Read(f)
}

func mustRead(t testing.TB, text string) *Config {
	t.Helper()
	c, faults := readText(text)
	if c == nil || len(faults) > 0 {
		t.Fatalf("read:\n%s\nfaults:\n%s", text, show(faults))
	}
	return c
}

func show(l diag.List) string {
	var b strings.Builder
	for _, d := range l {
		fmt.Fprintf(&b, "%d:%d: %s: %s (%s)\n", d.Position.Line, d.Position.Column, d.Code, d.Message, d.Pointer)
		if d.Advice != "" {
			fmt.Fprintf(&b, "    advice: %s\n", d.Advice)
		}
		for _, r := range d.Related {
			fmt.Fprintf(&b, "    %d:%d: %s\n", r.Position.Line, r.Position.Column, r.Message)
		}
	}
	return b.String()
}

func TestRead(t *testing.T) {
	c := mustRead(t, `
version: "1"
contracts:
  billing:
    document: contracts/billing.openrpc.json
    amendment: ./contracts/billing.amend.yaml
    kind: openrpc
    package: internal/billing
    server: https://billing.example.com/rpc
    origin: https://docs.example.com/billing/openrpc.json
    include: ["invoice.*"]
    exclude: ["invoice.internal.*"]
    root: contracts
    undecided: fail
    refused: fail
    text: allow
  ledger:
    document: ledger.yaml
    package: ledger
    server: http://127.0.0.1:8080
`)
	want := []*Contract{
		{
			ID: "billing", Document: "contracts/billing.openrpc.json", Amendment: "contracts/billing.amend.yaml",
			Kind: OpenRPC, Package: "internal/billing", Server: "https://billing.example.com/rpc",
			Origin:  "https://docs.example.com/billing/openrpc.json",
			Include: []string{"invoice.*"}, Exclude: []string{"invoice.internal.*"},
			Root: "contracts", Undecided: Fail, Refused: Fail, Text: Allow,
		},
		{
			ID: "ledger", Document: "ledger.yaml", Package: "ledger", Server: "http://127.0.0.1:8080",
			Root: ".", Undecided: Warn, Refused: Allow, Text: Warn,
		},
	}
	if diff := cmp.Diff(want, c.Contracts, cmpopts.IgnoreFields(Contract{}, "Node")); diff != "" {
		t.Errorf("contracts (-want +got):\n%s", diff)
	}
	if name := c.Contracts[0].PackageName(); name != "billing" {
		t.Errorf("package name %q", name)
	}
	if name := c.Contracts[1].PackageName(); name != "ledger" {
		t.Errorf("package name %q", name)
	}
}

func TestReadInvalid(t *testing.T) {
	paths, err := filepath.Glob("testdata/invalid/*.yaml")
	if err != nil || len(paths) == 0 {
		t.Fatal("no cases", err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		c, faults := readText(string(text))
		if c != nil || !faults.HasErrors() {
			t.Errorf("%s was accepted", path)
		}
		got, golden := show(faults), strings.TrimSuffix(path, ".yaml")+".txt"
		if *update {
			if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if want, err := os.ReadFile(golden); err != nil || string(want) != got {
			t.Errorf("%s: %v, got\n%s\nwant\n%s", path, err, got, want)
		}
	}
}

// one returns the faults of a config whose only contract has the member, in
// place of a good one.
func one(member, value string) diag.List {
	members := map[string]string{"document": "d/a.json", "package": "p"}
	members[member] = value
	text := "version: \"1\"\ncontracts:\n  a:\n"
	for _, name := range []string{"document", "package", member} {
		if v, ok := members[name]; ok {
			text += fmt.Sprintf("    %s: %q\n", name, v)
			delete(members, name)
		}
	}
	_, faults := readText(text)
	return faults
}

func TestPaths(t *testing.T) {
	for path, good := range map[string]bool{
		"a.json": true, "a/b.json": true, "./a.json": true, "a/./b": true, "a b.json": true, "..a/b": true, "a..": true, "d/\u00e4.json": true,
		"/etc/passwd": false, "../a": false, "a/../b": false, "a/..": false, "..": false, `a\b`: false, "C:/a": false, "c:a": false,
		"https://example.com/a": false, "file:a": false, "": false, " ": false, " a": false, "a\nb": false, "//a": false, `\\host\a`: false,
	} {
		for _, member := range []string{"document", "amendment"} {
			if faults := one(member, path); (len(faults) == 0) != good {
				t.Errorf("%s %q: good %v, want %v\n%s", member, path, !good, good, show(faults))
			}
		}
	}
}

func TestPackages(t *testing.T) {
	for path, good := range map[string]bool{
		"billing": true, "internal/billing": true, "Billing2": true, "a/b_c": true, "testdata/billing": true, "x9": true, "./a": true,
		"func": false, "internal/type": false, "a/range": false, "http": false, "a/context": false, "runtime": false, "internal/json": false,
		"error": false, "a/string": false, "any": false, "main": false, "init": false, "a/b_test": false, "a-b": false, "9a": false,
		"a.b": false, "_a": false, "_a/b": false, ".a/b": false, "vendor/a": false, "\u00e4": false, "p\u043e": false, ".": false, "_": false,
		"a/b/": true, "../a": false, "/a": false,
	} {
		if faults := one("package", path); (len(faults) == 0) != good {
			t.Errorf("package %q: good %v, want %v\n%s", path, !good, good, show(faults))
		}
	}
	for _, folder := range []string{"", "/", "a//b", "."} {
		PackageFault(folder) // does not panic
	}
}

func TestURLs(t *testing.T) {
	for url, good := range map[string]bool{
		"https://billing.example.com/rpc": true, "http://127.0.0.1:8080": true, "https://[::1]:8443/": true, "https://a.b/c?d=e": true,
		"HTTPS://a.b": true, "https://a.b:65535": true,
		"": false, "billing.example.com": false, "//a.b": false, "/rpc": false, "ftp://a.b": false, "ws://a.b": false, "https://": false,
		"https:///a": false, "https:a.b": false, "https://u:p@a.b": false, "https://u@a.b": false, "https://a.b#f": false, "https://a.b#": false,
		"https://{host}/a": false, "https://a b": false, "https://a.b:": false, "https://a.b:0": false, "https://a.b:65536": false,
		"https://a.b:x": false, "https://a.b/%zz": false, "javascript:alert(1)": false, "file:///etc/passwd": false,
	} {
		for _, member := range []string{"server", "origin"} {
			if faults := one(member, url); (len(faults) == 0) != good {
				t.Errorf("%s %q: good %v, want %v\n%s", member, url, !good, good, show(faults))
			}
		}
	}
}

func TestSelects(t *testing.T) {
	tests := []struct {
		include, exclude []string
		in, out          []string
	}{
		{nil, nil, []string{"a", ""}, nil},
		{[]string{"invoice.*"}, nil, []string{"invoice.get", "invoice."}, []string{"invoice", "xinvoice.get", "invoices.get"}},
		{[]string{"a", "b*c"}, nil, []string{"a", "bc", "b\nc", "bxc"}, []string{"aa", "b", "bcd"}},
		{nil, []string{"*.delete"}, []string{"a.get"}, []string{"a.delete", ".delete"}},
		{[]string{"a.*"}, []string{"a.b"}, []string{"a.c"}, []string{"a.b", "b"}},
		{[]string{"a*b*a"}, nil, []string{"aba", "axbxa", "abba"}, []string{"a", "ab", "ba", "aa"}},
		{[]string{"**"}, nil, []string{"", "a"}, nil},
		{[]string{"(a|b)+"}, nil, []string{"(a|b)+"}, []string{"a", "ab"}},
	}
	for _, test := range tests {
		c := &Contract{Include: test.include, Exclude: test.exclude}
		for _, name := range slices.Concat(test.in, test.out) {
			if got, want := c.Selects(name), slices.Contains(test.in, name); got != want {
				t.Errorf("include %q exclude %q: Selects(%q) = %v", test.include, test.exclude, name, got)
			}
		}
	}
}

// TestStandard holds the list against the library that we are built with.
func TestStandard(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", "{{.ImportPath}} {{.Name}}", "std").Output()
	if err != nil {
		t.Skip("no go command:", err)
	}
	for line := range strings.Lines(string(out)) {
		path, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		if strings.HasPrefix(path, "vendor/") || slices.Contains(strings.Split(path, "/"), "internal") || name == "main" {
			continue
		}
		if !slices.Contains(standard, name) {
			t.Errorf("%s (%s) is not in the list", path, name)
		}
	}
	if !slices.IsSorted(standard) {
		t.Error("the list is not sorted")
	}
}

func TestStarter(t *testing.T) {
	for _, s := range []Starter{
		{ID: "billing", Document: "contracts/billing.json", Amendment: "contracts/billing.amend.yaml", Package: "internal/billing"},
		{ID: "b", Document: "a \"b\" \u00e4#.json", Amendment: "x, 'y'.yaml", Package: "b",
			Server: "https://a.b/rpc?x=1", Origin: "https://a.b/openrpc.json"},
	} {
		c := mustRead(t, string(s.Write())).Contracts[0]
		got := Starter{c.ID, c.Document, c.Amendment, c.Package, c.Server, c.Origin}
		if diff := cmp.Diff(s, got); diff != "" {
			t.Errorf("starter (-want +got):\n%s", diff)
		}
	}
}

func FuzzRead(f *testing.F) {
	paths, _ := filepath.Glob("testdata/invalid/*.yaml")
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Add("version: \"1\"\ncontracts: {a: {document: a.json, package: a, include: [\"*\"]}}\n")
	f.Fuzz(func(t *testing.T, text string) {
		c, faults := readText(text)
		if (c == nil) != faults.HasErrors() {
			t.Fatalf("config %v, faults:\n%s", c != nil, show(faults))
		}
		if c == nil {
			return
		}
		for _, k := range c.Contracts {
			if !filepath.IsLocal(k.Document) || !filepath.IsLocal(k.Package) || !filepath.IsLocal(k.Root) || PackageFault(k.Package) != "" {
				t.Fatalf("accepted %+v", k)
			}
			k.Selects(k.ID)
		}
	})
}

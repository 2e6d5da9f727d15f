package openrpc_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/openrpc-go/rpcgen/compiler/internal/contract"
	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/openrpc"
	"github.com/openrpc-go/rpcgen/compiler/internal/reference"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

var update = flag.Bool("update", false, "rewrite what the cases under testdata want")

// Every archive under testdata holds the files of one case, the document
// first, and last the section "want": the contract and all diagnostics.
func TestCases(t *testing.T) {
	names, err := filepath.Glob("testdata/*/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatalf("no cases under testdata: %v", err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.ToSlash(name[len("testdata/"):]), ".txtar"), func(t *testing.T) {
			testCase(t, name)
		})
	}
}

func testCase(t *testing.T, name string) {
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	archive := txtar.Parse(b)
	last := len(archive.Files) - 1
	if last < 1 || archive.Files[last].Name != "want" {
		t.Fatalf("%s has no documents or does not end with the section want", name)
	}
	got := readFiles(t, archive.Files[:last])
	if *update {
		archive.Files[last].Data = []byte(got)
		if err := os.WriteFile(name, txtar.Format(archive), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(archive.Files[last].Data), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
	invalid := strings.Contains(filepath.ToSlash(name), "/invalid/")
	if has := errorLine.MatchString(got); has != invalid {
		t.Errorf("%s: errors: %v, want %v", name, has, invalid)
	}
}

var errorLine = regexp.MustCompile(`(?m)^ *error `)

func readFiles(t *testing.T, files []txtar.File) string {
	t.Helper()
	dir := t.TempDir()
	for _, f := range files {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(f.Name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	f, err := source.Read(files[0].Name, files[0].Data, source.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	c, list := openrpc.Read("test", f, reference.New(f, reference.Options{Root: root}))
	var b bytes.Buffer
	show(&b, c)
	showDiagnostics(&b, "", list)
	return b.String()
}

func show(b *bytes.Buffer, c *contract.Contract) {
	if c == nil {
		b.WriteString("no contract\n")
		return
	}
	fmt.Fprintf(b, "%s %s %q %q\n", c.Format, c.FormatVersion, c.Title, c.Version)
	showServers(b, "", c.Servers)
	for _, m := range c.Methods {
		showMethod(b, m)
	}
	for _, f := range c.Files[1:] {
		fmt.Fprintf(b, "file %s\n", f.Name)
	}
}

func showMethod(b *bytes.Buffer, m *contract.Method) {
	fmt.Fprintf(b, "method %q %s %s", m.Name, m.LogicalID, m.Structure)
	if m.StructureDefault {
		b.WriteString(" by default")
	}
	if m.Deprecated {
		b.WriteString(" deprecated")
	}
	fmt.Fprintf(b, " at %s\n", where(m.Node))
	for _, p := range m.Params {
		showDescriptor(b, "param", p)
	}
	if m.Notification() {
		b.WriteString("  no result\n")
	} else {
		showDescriptor(b, "result", *m.Result)
	}
	for _, e := range m.Errors {
		fmt.Fprintf(b, "  declares %d %q%s\n", e.Code, e.Message, schemaOf(e.Data))
	}
	if len(m.Tags) > 0 {
		fmt.Fprintf(b, "  tags %q\n", m.Tags)
	}
	showServers(b, "  ", m.Servers)
	for _, e := range m.Examples {
		fmt.Fprintf(b, "  example %q", e.Name)
		for _, p := range e.Params {
			fmt.Fprintf(b, " %s=%s", p.Name, p.Value.JSON())
		}
		if e.Result != nil {
			fmt.Fprintf(b, " -> %s", e.Result.JSON())
		}
		b.WriteByte('\n')
	}
	showMembers(b, "  extension", m.Extensions)
	showMembers(b, "  unknown", m.Unknown)
	showDiagnostics(b, "  ", m.Faults)
}

func showDescriptor(b *bytes.Buffer, word string, d contract.Descriptor) {
	fmt.Fprintf(b, "  %s %q", word, d.Name)
	for _, flag := range []struct {
		word string
		on   bool
	}{{"made-up", d.MadeUp}, {"required", d.Required}, {"deprecated", d.Deprecated}} {
		if flag.on {
			fmt.Fprintf(b, " %s", flag.word)
		}
	}
	fmt.Fprintf(b, "%s\n", schemaOf(d.Schema))
	showMembers(b, "    extension", d.Extensions)
	showMembers(b, "    unknown", d.Unknown)
}

func schemaOf(n *source.Node) string {
	if n == nil {
		return ""
	}
	return fmt.Sprintf(" schema %s", n.JSON())
}

func showMembers(b *bytes.Buffer, word string, members []source.Member) {
	for _, m := range members {
		fmt.Fprintf(b, "%s %q %s\n", word, m.Name, m.Value.JSON())
	}
}

func showServers(b *bytes.Buffer, indent string, servers []contract.Server) {
	for _, s := range servers {
		fmt.Fprintf(b, "%sserver %q %s\n", indent, s.Name, s.URL)
		showMembers(b, indent+"  variable", s.Variables)
	}
}

func showDiagnostics(b *bytes.Buffer, indent string, list diag.List) {
	for _, d := range list {
		fmt.Fprintf(b, "%s%s %s: %s: %s (%s)\n", indent, d.Severity, d.Position, d.Code, d.Message, d.Pointer)
		for _, r := range d.Related {
			fmt.Fprintf(b, "%s    %s: %s\n", indent, r.Position, r.Message)
		}
		if d.Advice != "" {
			fmt.Fprintf(b, "%s    %s\n", indent, d.Advice)
		}
	}
}

func where(n *source.Node) string { return n.Position().String() }

func read(t *testing.T, text string) (*contract.Contract, diag.List) {
	t.Helper()
	f, err := source.Read("in.json", []byte(text), source.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return openrpc.Read("test", f, nil)
}

// The version decides what a method means that does not say.
func TestVersionDefaults(t *testing.T) {
	for _, c := range []struct {
		version      string
		structure    contract.ParamStructure
		notification bool
	}{
		{"1.0.0-rc0", contract.ByPosition, false},
		{"1.0.0-rc1", contract.ByPosition, false},
		{"1.0.0", contract.ByPosition, false},
		{"1.1.10", contract.ByPosition, false},
		{"1.1.12", contract.ByPosition, false},
		{"1.2.0", contract.ByPosition, false},
		{"1.2.4", contract.ByPosition, false},
		{"1.2.5", contract.Either, false},
		{"1.2.6", contract.Either, false},
		{"1.3.0", contract.Either, true},
		{"1.3.2", contract.Either, true},
		{"1.4.0", contract.Either, true},
		{"1.4.1", contract.Either, true},
	} {
		text := fmt.Sprintf(`{"openrpc":%q,"info":{"title":"t","version":"1"},"methods":[{"name":"m","params":[]},
			{"name":"n","params":[],"paramStructure":"by-name","result":{"name":"r","schema":true}}]}`, c.version)
		contract, list := read(t, text)
		if contract == nil || len(list) > 0 {
			t.Errorf("%s: contract %v, list %v", c.version, contract, list)
			continue
		}
		m, n := contract.Methods[0], contract.Methods[1]
		if m.Structure != c.structure || !m.StructureDefault {
			t.Errorf("%s: structure %s (default %v), want %s by default", c.version, m.Structure, m.StructureDefault, c.structure)
		}
		if n.Structure != "by-name" || n.StructureDefault || n.Faults.HasErrors() {
			t.Errorf("%s: structure %s (default %v), want by-name as stated", c.version, n.Structure, n.StructureDefault)
		}
		if ok := !m.Faults.HasErrors(); ok != c.notification {
			t.Errorf("%s: a method without result is accepted: %v, want %v", c.version, ok, c.notification)
		}
	}
}

func TestUnknownVersions(t *testing.T) {
	for _, version := range []string{`"1.5.0"`, `"2.0.0"`, `"0.9.0"`, `"1.2"`, `"1"`, `""`, `"v1.2.6"`, `"1.2.6 "`, `"1.2.6.1"`, `"01.2.6"`, `1.2`, `null`, `["1.2.6"]`} {
		c, list := read(t, `{"openrpc":`+version+`,"info":{"title":"t","version":"1"},"methods":[]}`)
		if c != nil || !list.HasErrors() {
			t.Errorf("openrpc %s: got a contract, want an error", version)
		}
		for _, d := range list {
			if d.Pointer != "/openrpc" || d.Advice == "" {
				t.Errorf("openrpc %s: diagnostic at %q with advice %q", version, d.Pointer, d.Advice)
			}
		}
	}
}

func TestEndpointID(t *testing.T) {
	f, err := source.Read("in.json", []byte(`{"openrpc":"1.2.6","info":{"title":"t","version":"1"},"methods":[]}`), source.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if c, list := openrpc.Read("Not An Id", f, nil); c != nil || !list.HasErrors() {
		t.Errorf("Read with a bad id gave %v, %v", c, list)
	}
}

// A name found once must not depend on which methods stand around it.
func TestDuplicateMethodIsRefusedInAnyOrder(t *testing.T) {
	a := `{"name":"m","params":[],"result":{"name":"r","schema":true}}`
	b := `{"name":"m","params":[],"result":{"name":"r","schema":false}}`
	for _, methods := range []string{a + "," + b, b + "," + a, a + "," + a + "," + b} {
		c, _ := read(t, `{"openrpc":"1.2.6","info":{"title":"t","version":"1"},"methods":[`+methods+`]}`)
		if len(c.Methods) != 1 || !c.Methods[0].Faults.HasErrors() {
			t.Errorf("%s: got %d methods, want one that is refused", methods, len(c.Methods))
		}
	}
}

// The order of members means nothing: turned round in every object, a document
// gives the same contract at other positions.
func TestMemberOrderMeansNothing(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/valid/full.txtar")
	if err != nil {
		t.Fatal(err)
	}
	f, err := source.Read("openrpc.json", archive.Files[0].Data, source.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	shape := func(text []byte) string {
		got := readFiles(t, []txtar.File{{Name: "openrpc.json", Data: text}})
		return positionForm.ReplaceAllString(got, "openrpc.json")
	}
	if diff := cmp.Diff(shape(f.Root.JSON()), shape(turned(nil, f.Root))); diff != "" {
		t.Errorf("turned round (-as written +turned):\n%s", diff)
	}
}

var positionForm = regexp.MustCompile(`openrpc\.json:\d+:\d+`)

// turned appends the JSON of n with the members of every object in reverse,
// but for those that are data and shown as they are.
func turned(b []byte, n *source.Node) []byte {
	switch n.Kind {
	case source.Array:
		b = append(b, '[')
		for i, item := range n.Items {
			if i > 0 {
				b = append(b, ',')
			}
			b = turned(b, item)
		}
		return append(b, ']')
	case source.Object:
		b = append(b, '{')
		for i := range n.Members {
			m := n.Members[len(n.Members)-1-i]
			if i > 0 {
				b = append(b, ',')
			}
			b = append(strconv.AppendQuote(b, m.Name), ':')
			if m.Name == "variables" {
				b = append(b, m.Value.JSON()...)
				continue
			}
			b = turned(b, m.Value)
		}
		return append(b, '}')
	default:
		return append(b, n.JSON()...)
	}
}

// What a document refers to many times must be read once: each of these is
// small and would be millions of members, names or comparisons otherwise.
func TestManyReferencesToSomethingLarge(t *testing.T) {
	many := func(n int, format string) string {
		var parts []string
		for i := range n {
			parts = append(parts, strings.ReplaceAll(format, "#N", strconv.Itoa(i)))
		}
		return strings.Join(parts, ",")
	}
	const uses, size = 4000, 4000
	const head = `{"openrpc":"1.2.4","info":{"title":"t","version":"1"},`
	for name, text := range map[string]string{
		"descriptor": head + `"components":{"contentDescriptors":{"D":{"name":"d","schema":true,` + many(size, `"u#N":1`) + `}}},"methods":[` +
			many(uses, `{"name":"m#N","params":[{"$ref":"#/components/contentDescriptors/D"}],"result":{"$ref":"#/components/contentDescriptors/D"}}`) + `]}`,
		"alternatives": head + `"components":{"contentDescriptors":{"D":{"oneOf":[` + many(size, `{"name":"a#N","schema":true}`) + `]}}},"methods":[` +
			many(uses, `{"name":"m#N","params":[{"$ref":"#/components/contentDescriptors/D"}],"result":{"name":"r","schema":true}}`) + `]}`,
		"tag": head + `"components":{"tags":{"T":{"name":"t",` + many(size, `"x-allow-#N":1`) + `}}},"methods":[{"name":"m","params":[],"tags":[` +
			many(uses, `{"$ref":"#/components/tags/T"}`) + `]}]}`,
		"example": head + `"components":{"examplePairings":{"E":{"params":[` + many(size, `{"value":#N}`) + `]}}},"methods":[{"name":"m","params":[],"examples":[` +
			many(uses, `{"$ref":"#/components/examplePairings/E"}`) + `]}]}`,
		"duplicates": head + `"m":{"name":"m","params":[],"x":[` + many(size, `#N`) + `]},"methods":[{"name":"m","params":[],"x":[` + many(size, `#N`) + `]},` +
			many(uses, `{"$ref":"#/m"}`) + `]}`,
		"errors": head + `"e":{"code":1,"message":"m","data":{"enum":[` + many(size, `#N`) + `]}},"methods":[{"name":"m","params":[],"errors":[{"code":1,"message":"m","data":{"enum":[` +
			many(size, `#N`) + `]}},` + many(uses, `{"$ref":"#/e"}`) + `]}]}`,
		"component keys": head + `"components":{"schemas":{` + many(size*4, `"a b#N":true`) + `}},"methods":[]}`,
	} {
		start := time.Now()
		c, list := read(t, text)
		if c == nil {
			t.Errorf("%s: no contract: %v", name, list)
		}
		if took := time.Since(start); took > 3*time.Second {
			t.Errorf("%s: %d bytes took %v", name, len(text), took)
		}
	}
}

func FuzzRead(f *testing.F) {
	names, _ := filepath.Glob("testdata/*/*.txtar")
	for _, name := range names {
		if archive, err := txtar.ParseFile(name); err == nil {
			f.Add(archive.Files[0].Data)
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		file, err := source.Read("in", b, source.Limits{Bytes: 1 << 16, Depth: 40, Nodes: 5000})
		if err != nil {
			return
		}
		c, list := openrpc.Read("test", file, nil)
		if c == nil {
			if !list.HasErrors() {
				t.Fatal("no contract and no error")
			}
			return
		}
		seen := map[string]bool{}
		for _, m := range c.Methods {
			if seen[m.Name] || seen["\x00"+m.LogicalID] {
				t.Errorf("method %q (%s) is there twice", m.Name, m.LogicalID)
			}
			seen[m.Name], seen["\x00"+m.LogicalID] = true, true
			checkMethod(t, "in", m)
			list = append(list, m.Faults...)
		}
		for _, d := range list {
			if d.Position.Line < 1 || d.Code == "" {
				t.Errorf("diagnostic without a place: %+v", d)
			}
		}
	})
}

func BenchmarkRead(b *testing.B) {
	for _, n := range []int{100, 10000} {
		var text bytes.Buffer
		text.WriteString(`{"openrpc":"1.3.2","info":{"title":"t","version":"1"},"methods":[`)
		for i := range n {
			if i > 0 {
				text.WriteByte(',')
			}
			fmt.Fprintf(&text, `{"name":"group%d.item%d","summary":"Gets item %d.","tags":[{"name":"t%d"}],
				"params":[{"name":"id","required":true,"schema":{"type":"string"}},{"name":"limit","schema":{"type":"integer","minimum":%d}}],
				"result":{"name":"item","schema":{"type":"object","properties":{"id":{"type":"string"},"n":{"type":"integer"}}}},
				"errors":[{"code":%d,"message":"not found"}]}`, i/10, i, i, i%7, i, i%100)
		}
		text.WriteString(`]}`)
		f, err := source.Read("in.json", text.Bytes(), source.Limits{})
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("methods=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if c, _ := openrpc.Read("test", f, nil); len(c.Methods) != n {
					b.Fatal("methods are missing")
				}
			}
		})
	}
}

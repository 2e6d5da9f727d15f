package compiler_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/openrpc-go/rpcgen/compiler"
	"github.com/openrpc-go/rpcgen/compiler/internal/output"
	"github.com/openrpc-go/rpcgen/compiler/internal/pin"
	"github.com/openrpc-go/rpcgen/compiler/internal/render"
	"github.com/openrpc-go/rpcgen/compiler/internal/verify"
	"github.com/openrpc-go/rpcgen/runtime/compiled"
)

// poisons are texts that mean something to Go, to its tools, to terminals or to
// readers. Each is put into every text of a document in turn.
var poisons = []string{
	"\n", "a\nb", "*/", "/*", "`", "//go:embed x", "\n//go:embed x\n", "\n//go:generate x", "\r//go:linkname a b", "//line x:1",
	"\"; func init() {", "\n}\nfunc init() {", "\u202e", "\u2066", "\x00", "\u2028", "\ufeff", "\\u000a", "%s%d", "${x}", "import \"C\"",
}

// everything together.
var allPoisons = "x" + strings.Join(poisons, "") + "x"

// TestHostileText puts all poisons together into each text and each name of a
// document with every construct, then each poison into all free texts and the
// names of all components at once. The result is a refusal, or exactly the
// declarations of the document with harmless texts in the same places.
func TestHostileText(t *testing.T) {
	document := everything(t)
	free := sweep(t, document, []string{allPoisons})
	flood(t, document, append([]string{allPoisons}, poisons...), free)
}

// TestEverythingIsThere holds that the swept document has whatever is read of a
// document: each member of OpenRPC, each keyword of draft 7, and keywords of
// other dialects.
func TestEverythingIsThere(t *testing.T) {
	there := map[string]bool{}
	walk(everything(t), func(text string) string { there[text] = true; return text })
	for _, name := range strings.Fields(`
		openrpc info title version description termsOfService contact name url email license externalDocs servers variables summary
		methods params result errors links tags paramStructure by-name by-position deprecated required schema examples method server
		code message data value externalValue components contentDescriptors schemas examplePairingObjects examplePairings
		$ref $id $schema $comment definitions $defs type enum const default example readOnly writeOnly
		minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern format contentEncoding contentMediaType
		items additionalItems contains minItems maxItems uniqueItems
		properties patternProperties additionalProperties propertyNames minProperties maxProperties dependencies
		allOf anyOf oneOf not if then else null boolean integer number string array object
		nullable discriminator $anchor unevaluatedProperties`) {
		if !there[name] {
			t.Errorf("the document has no %q", name)
		}
	}
	c := compileText(t, string(marshal(t, everything(t))))
	c.refused()
	c.checks()
}

// visiblePoisons are those that an amendment may hold: it is refused for any
// character that does not show.
func visiblePoisons() string {
	shows := func(text string) bool {
		return !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r >= 0x7f })
	}
	return "x" + strings.Join(slices.DeleteFunc(slices.Clone(poisons), func(p string) bool { return !shows(p) }), " ") + "x"
}

// TestHostileAmendment puts poisons into each text of an amendment in turn: the
// owner is trusted, and a text is still a text.
func TestHostileAmendment(t *testing.T) {
	document := string(marshal(t, everything(t)))
	amendment := map[string]any{
		"version": "1", "contract": "inline",
		"review":   map[string]any{"by": "ops", "on": "2026-11-30"},
		"profiles": map[string]any{"lookup": map[string]any{"effect": "read", "flow": map[string]any{"returns": "confidential"}}},
		"methods": map[string]any{
			"thing.get":  map[string]any{"use": "lookup", "go_name": "FetchThing", "id": "fetch_thing", "description": "Reads a thing.", "note": "N"},
			"thing.put":  map[string]any{"effect": "destructive", "right": "execute", "code": "deny", "agents": "ask", "rollback": map[string]any{"class": "irreversible"}, "reason": "Gone."},
			"thing.seen": map[string]any{"refused": "never from here"},
		},
		"corrections": []any{
			map[string]any{"at": "#/methods/thing.get/description", "was": "Returns it. Twice.", "now": "Returns it once.", "reason": "typo"},
			map[string]any{"at": "#/components/schemas/Named/properties/nick", "now": map[string]any{"title": "Nick", "description": "D", "enum": []any{"a", "b"}}, "shared": true, "reason": "left out"},
		},
	}
	compile := func(value any) *inline {
		return compileFiles(t, map[string]string{"doc.json": document}, string(marshal(t, value)))
	}
	before := compile(amendment)
	before.refused()
	entries := amendment["methods"].(map[string]any)
	for i, m := range before.Sealed.Methods {
		if e, ok := entries[m.Name].(map[string]any); ok && e["refused"] == nil {
			e["pin"] = pin.Of(before.Digests[i])
		}
	}
	same, refused := 0, 0
	for at, text := range spotsOf(amendment) {
		for _, poison := range []string{allPoisons, visiblePoisons()} {
			c := compile(poisoned(amendment, poison, map[int]bool{at: true}))
			if err := shown(c.Compilation); err != nil {
				t.Errorf("%q poisoned: %v", text, err)
			}
			if c.Failed() || c.Findings().HasErrors() {
				refused++
				continue
			}
			got, err := inventory(t, c.Compilation)
			if err != nil {
				t.Fatalf("%q poisoned: %v", text, err)
			}
			harmless := compile(poisoned(amendment, "harmless", map[int]bool{at: true}))
			want, err := inventory(t, harmless.Compilation)
			if err != nil || !maps.Equal(got, want) {
				t.Errorf("%q poisoned: declarations %v, with a harmless text %v: %v", text, got, want, err)
			}
			same++
		}
	}
	t.Logf("%d texts: %d compile to the planned declarations, %d are refused", same+refused, same, refused)
	if same < 6 || refused == 0 {
		t.Error("a sweep that always ends in one way proves nothing")
	}
}

// TestHostileTextWhole puts each poison alone into each text, and all of them
// into those of a real document.
func TestHostileTextWhole(t *testing.T) {
	long(t)
	sweep(t, everything(t), poisons)
	text, err := os.ReadFile(filepath.Join(corpus(t, "openrpc"), "hathor/openrpc.json"))
	if err != nil {
		t.Fatal(err)
	}
	document := parsed(t, text)
	flood(t, document, append([]string{allPoisons}, poisons...), sweep(t, document, []string{allPoisons}))
}

func everything(t *testing.T) any {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "hostile", "everything.json"))
	if err != nil {
		t.Fatal(err)
	}
	return parsed(t, text)
}

func parsed(t *testing.T, text []byte) (value any) {
	t.Helper()
	if err := json.Unmarshal(text, &value); err != nil {
		t.Fatal(err)
	}
	return value
}

// verdicts counts what became of poisoned documents.
type verdicts struct{ same, fewer, refused int }

// judge compiles a document with a poison and with a harmless text, and
// compares the declarations. It tells whether all methods are there.
func (v *verdicts) judge(t *testing.T, poisoned, harmless any, twin *map[string]int) (whole bool) {
	t.Helper()
	text := marshal(t, poisoned)
	result, err := world(t, text)
	if err != nil {
		t.Errorf("%v\n%s", err, text)
	}
	if result == nil {
		v.refused++
		return false
	}
	if *twin == nil {
		if *twin, err = world(t, marshal(t, harmless)); err != nil {
			t.Fatal(err)
		}
	}
	switch {
	case maps.Equal(result, *twin):
		v.same++
		return true
	case result["methods"] < (*twin)["methods"]:
		v.fewer++
	default:
		t.Errorf("declarations %v, with a harmless text %v\n%s", result, *twin, text)
	}
	return false
}

func (v *verdicts) log(t *testing.T, what string) {
	t.Helper()
	t.Logf("%s: %d documents: %d compile to the planned declarations, %d with fewer methods, %d are refused",
		what, v.same+v.fewer+v.refused, v.same, v.fewer, v.refused)
}

// sweep poisons one spot after the other. It returns the spots whose text may
// be anything: with all poisons there, every method still compiles.
func sweep(t *testing.T, document any, texts []string) (free map[int]bool) {
	t.Helper()
	base, err := world(t, marshal(t, document))
	if err != nil || base == nil {
		t.Fatalf("the document itself: %v, %v", base, err)
	}
	free = map[int]bool{}
	var v verdicts
	for at := range spotsOf(document) {
		one := map[int]bool{at: true}
		var twin map[string]int
		for _, poison := range texts {
			if v.judge(t, poisoned(document, poison, one), poisoned(document, "harmless", one), &twin) && twin["methods"] == base["methods"] {
				free[at] = true
			}
		}
	}
	v.log(t, "one spot")
	if v.same == 0 || v.refused == 0 {
		t.Error("a sweep without refusals, or with nothing else, proves nothing")
	}
	return free
}

// flood poisons all free spots and the names of all components at once.
func flood(t *testing.T, document any, texts []string, free map[int]bool) {
	t.Helper()
	var v verdicts
	var twin map[string]int
	for _, poison := range texts {
		whole := func(text string) any { return renamed(poisoned(document, text, free), text) }
		v.judge(t, whole(poison), whole("harmless"), &twin)
	}
	v.log(t, fmt.Sprintf("%d spots at once", len(free)))
	if v.same < len(texts)/2 {
		t.Errorf("only %d of %d floods compile, so they prove little", v.same, len(texts))
	}
}

// renamed adds a text to the names of all components and to the references to
// them.
func renamed(value any, text string) any {
	escape := strings.NewReplacer("~", "~0", "/", "~1")
	var follow func(value any) any
	follow = func(value any) any {
		switch v := value.(type) {
		case map[string]any:
			out := map[string]any{}
			for name, member := range v {
				if ref, ok := member.(string); ok && name == "$ref" && strings.HasPrefix(ref, "#/components/") {
					member = ref + url.PathEscape(escape.Replace(text))
				}
				out[name] = follow(member)
			}
			return out
		case []any:
			out := make([]any, len(v))
			for i := range v {
				out[i] = follow(v[i])
			}
			return out
		default:
			return v
		}
	}
	document := follow(value).(map[string]any)
	components, _ := document["components"].(map[string]any)
	for kind, entries := range components {
		named := map[string]any{}
		for name, entry := range entries.(map[string]any) {
			named[name+text] = entry
		}
		components[kind] = named
	}
	return document
}

// spotsOf lists the texts of a document: each string and each name.
func spotsOf(value any) []string {
	var spots []string
	walk(value, func(text string) string { spots = append(spots, text); return text })
	return spots
}

// poisoned adds a text to the spots with these numbers.
func poisoned(value any, poison string, spots map[int]bool) any {
	i := -1
	return walk(value, func(text string) string {
		if i++; spots[i] {
			return text + poison
		}
		return text
	})
}

// walk returns a copy of a value in which f has seen every text, in a fixed
// order.
func walk(value any, f func(string) string) any {
	switch v := value.(type) {
	case map[string]any:
		names := make([]string, 0, len(v))
		for name := range v {
			names = append(names, name)
		}
		slices.Sort(names)
		out := map[string]any{}
		for _, name := range names {
			out[f(name)] = walk(v[name], f)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = walk(v[i], f)
		}
		return out
	case string:
		return f(v)
	default:
		return v
	}
}

func marshal(t *testing.T, value any) []byte {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// rendered prints the package of a compilation.
func rendered(t *testing.T, c *compiler.Compilation) []output.File {
	t.Helper()
	contract, err := compiled.Marshal(c.Sealed)
	if err != nil {
		t.Fatal(err)
	}
	files, err := render.Files(c.Package, render.Contract{Data: contract, Digest: compiled.Digest(contract)})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// world compiles a document and holds the printed files against what the plan
// says and what any package of ours may be, with eyes of its own: imports,
// directives, kinds and number of declarations. It returns nil for a refusal.
func world(t *testing.T, text []byte) (map[string]int, error) {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, "doc.json", string(text))
	tgt := compiler.Target{ID: "hostile", Document: "doc.json", Output: "hostile", Package: "hostile"}
	project := only(dir, tgt)
	c, err := project.Compile(tgt, time.Now)
	if err != nil {
		return nil, err
	}
	if c.Failed() {
		if !c.Findings().HasErrors() {
			return nil, fmt.Errorf("failed without a diagnostic")
		}
		return nil, shown(c)
	}
	if err := shown(c); err != nil {
		return nil, err
	}
	return inventory(t, c)
}

// shown holds that diagnostics print without anything that a terminal obeys.
func shown(c *compiler.Compilation) error {
	var b bytes.Buffer
	if _, err := c.Findings().Print(&b, true); err != nil {
		return err
	}
	for _, r := range b.String() {
		if r != '\n' && (r < ' ' || r == 0x7f || r == '\u202e' || r == '\u2066' || r == '\u2028' || r == '\ufeff') {
			return fmt.Errorf("a diagnostic prints %q", r)
		}
	}
	return nil
}

// allowedImports are all that generated code may import.
var allowedImports = []string{
	"context", "embed", "github.com/openrpc-go/rpcgen/runtime",
	"github.com/openrpc-go/rpcgen/runtime/effect", "github.com/openrpc-go/rpcgen/runtime/schema",
}

// inventory parses the printed files and counts their declarations against the
// plan.
func inventory(t *testing.T, c *compiler.Compilation) (map[string]int, error) {
	t.Helper()
	files := rendered(t, c)
	if err := verify.Check(c.Package, files, verify.Options{}); err != nil {
		return nil, err
	}
	set := token.NewFileSet()
	got := map[string]int{}
	for _, f := range files {
		if f.Name == "contract.json" {
			continue
		}
		for i, b := range f.Data {
			if b < ' ' && b != '\n' && b != '\t' {
				return nil, fmt.Errorf("%s holds the byte %#x at %d", f.Name, b, i)
			}
		}
		file, err := parser.ParseFile(set, f.Name, f.Data, parser.ParseComments)
		if err != nil {
			return nil, fmt.Errorf("%s does not parse: %w", f.Name, err)
		}
		if err := count(file, got); err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	if want := planned(c); !maps.Equal(got, want) {
		return nil, fmt.Errorf("declarations %v, want %v", got, want)
	}
	return got, nil
}

// count adds the declarations of a file by kind and refuses what no file of
// ours may hold.
func count(file *ast.File, n map[string]int) error {
	for _, group := range file.Comments {
		for _, comment := range group.List {
			switch {
			case comment.Text == "//go:embed contract.json":
				n["directives"]++
			case !strings.HasPrefix(comment.Text, "// ") && comment.Text != "//":
				return fmt.Errorf("comment %q", comment.Text)
			}
		}
	}
	for _, spec := range file.Imports {
		if path, _ := strconv.Unquote(spec.Path.Value); !slices.Contains(allowedImports, path) {
			return fmt.Errorf("import %q", path)
		}
	}
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if d.Name.Name == "init" || d.Name.Name == "main" {
				return fmt.Errorf("func %s", d.Name.Name)
			}
			n[kindOf(d)]++
		case *ast.GenDecl:
			if d.Tok == token.TYPE {
				n["types"] += len(d.Specs)
			}
		}
	}
	return nil
}

// kindOf tells the methods of the client, the marks of union variants and the
// functions apart.
func kindOf(d *ast.FuncDecl) string {
	switch {
	case d.Recv == nil:
		return "functions"
	case strings.HasPrefix(d.Name.Name, "is"):
		return "marks"
	default:
		return "methods"
	}
}

// planned counts what the plan declares: the client and its constructor, the
// contract's function, a method a call, the types and their marks.
func planned(c *compiler.Compilation) map[string]int {
	n := map[string]int{"directives": 1, "functions": 2, "methods": len(c.Package.Methods), "types": 1}
	for _, f := range c.Package.Files {
		n["types"] += len(f.Types)
	}
	for _, m := range c.Package.Methods {
		if m.Params != nil {
			n["types"]++
		}
	}
	for _, u := range c.Package.Unions {
		n["marks"] += len(u.Variants)
	}
	for _, e := range c.Package.Errors {
		n["functions"] += len(e.Data)
	}
	maps.DeleteFunc(n, func(_ string, many int) bool { return many == 0 })
	return n
}

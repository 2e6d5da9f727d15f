// Package rpcgen_test holds the structure of the module against its rules.
package rpcgen_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/openrpc-go/rpcgen/"

// allowed says which of our packages a package may import, and why. A package
// that is not listed is a finding: a new room is put on the map first.
var allowed = []struct {
	pkg     string
	imports []string
	reason  string
}{
	{"runtime/effect", nil, "the vocabulary of authority is a leaf"},
	{"runtime/outcome", nil, "shared by both halves, so that nothing imports upward"},
	{"runtime/internal/scan", nil, "the byte scanner knows only bytes"},
	{"runtime/internal/governance", nil, "threats by their ids, for tests only"},
	{"runtime/schema/ecma", nil, "regular expressions know no schemas"},
	{"runtime/schema", []string{"runtime/internal/scan", "runtime/schema/ecma", "runtime/schema/internal/*"}, "the engine knows nodes, bytes and Go values"},
	{"runtime/canonical", []string{"runtime/internal/scan"}, "canonical JSON knows no schemas"},
	{"runtime/compiled", []string{"runtime/effect", "runtime/schema", "runtime/canonical", "runtime/internal/scan"}, "the format of contract.json stands over the leaves"},
	{"runtime/envelope", []string{"runtime/internal/scan"}, "the wire rules know no HTTP, no policy, no generated types"},
	{"runtime/transport", []string{"runtime/outcome"}, "bounds and sockets know no JSON"},
	{"runtime/policy", []string{"runtime/effect"}, "effects and rights in, decision out"},
	{"runtime/store", []string{"runtime/outcome", "runtime/effect"}, "who approved which digest, not how they were asked"},
	{"runtime/store/storetest", []string{"runtime/store", "runtime/outcome", "runtime/effect", "runtime/audit"}, "the conformance suite of every store"},
	{"runtime/store/internal/sqlstore", []string{"runtime/store", "runtime/outcome", "runtime/audit", "runtime/canonical"}, "the SQL stands once and knows no driver"},
	{"runtime/store/internal/calltest", []string{"runtime", "runtime/compiled", "runtime/effect", "runtime/schema", "runtime/store"}, "what tests of durable stores call"},
	{"runtime/store/sqlite", []string{"runtime/store/internal/sqlstore", "runtime/audit"}, "one driver and what it needs, so that nobody links another"},
	{"runtime/store/postgres", []string{"runtime/store/internal/sqlstore", "runtime/audit"}, "one driver and what it needs, so that nobody links another"},
	{"runtime/audit", []string{"runtime/outcome", "runtime/canonical"}, "rows and their digests; who calls is not its business"},
	{"runtime/notify", []string{"runtime/store", "runtime/transport"}, "carries messages beside the calls; decides nothing"},
	{"runtime/observe/*", []string{"runtime/outcome"}, "adapters of events, each for one library"},
	{"runtime/runtimetest", []string{"runtime", "runtime/canonical", "runtime/compiled", "runtime/envelope", "runtime/schema"}, "for tests of hosts: the path of every call, against a service that answers from a table"},
	{"runtime", []string{"runtime/canonical", "runtime/compiled", "runtime/effect", "runtime/envelope", "runtime/internal/*", "runtime/outcome", "runtime/policy", "runtime/schema", "runtime/store", "runtime/transport"}, "what hosts and generated code touch; never the compiler, and no driver of a database"},

	{"compiler/internal/source", nil, "bytes, lines, pointers: a leaf"},
	{"compiler/internal/diag", []string{"compiler/internal/source"}, "diagnostics know only where things stand"},
	{"compiler/internal/reference", []string{"compiler/internal/source", "compiler/internal/diag"}, "resolving a reference needs no meaning of its target"},
	{"compiler/schema", []string{"compiler/internal/source", "compiler/internal/diag", "compiler/internal/reference", "runtime/schema", "runtime/schema/ecma", "runtime/canonical"}, "dialects in, nodes out; no methods, no Go"},
	{"compiler/internal/contract", []string{"compiler/internal/source", "compiler/internal/diag", "compiler/schema"}, "what a document promises, without formats or Go"},
	{"compiler/internal/metaschema", []string{"compiler/internal/source", "compiler/internal/diag"}, "checks shapes, builds nothing"},
	{"compiler/internal/openrpc", []string{"compiler/internal/source", "compiler/internal/diag", "compiler/internal/reference", "compiler/internal/contract", "compiler/internal/metaschema", "compiler/schema"}, "one document format; no other, no Go, no effects"},
	{"compiler/internal/fields", []string{"compiler/internal/source", "compiler/internal/diag"}, "reads objects of our own files: shapes, never meanings"},
	{"compiler/internal/pin", []string{"compiler/internal/contract", "compiler/internal/source", "compiler/internal/diag", "compiler/schema", "runtime/schema", "runtime/canonical", "runtime/compiled"}, "digests of what is promised, whoever allows it"},
	{"compiler/internal/correct", []string{"compiler/internal/source", "compiler/internal/diag", "compiler/internal/fields", "runtime/canonical"}, "changes trees; it knows no contract"},
	{"compiler/internal/config", []string{"compiler/internal/source", "compiler/internal/diag", "compiler/internal/fields", "compiler/internal/contract", "templates"}, "rpcgen.yaml names files; it opens none"},
	{"compiler/internal/amendment", []string{"compiler/internal/source", "compiler/internal/diag", "compiler/internal/fields", "compiler/internal/correct", "compiler/internal/contract", "compiler/internal/pin", "compiler/schema", "runtime/effect", "runtime/schema", "runtime/compiled", "runtime/canonical", "templates"}, "what the owner allows, not how a method is called"},
	{"compiler/internal/seal", []string{"compiler/internal/source", "compiler/internal/diag", "compiler/internal/contract", "compiler/internal/amendment", "compiler/internal/pin", "compiler/schema", "runtime/schema", "runtime/compiled", "runtime/canonical", "runtime/effect"}, "what is embedded, without Go types"},
	{"compiler/internal/plan", []string{"compiler/internal/source", "compiler/internal/diag", "compiler/internal/contract", "compiler/internal/amendment", "compiler/schema", "runtime/schema", "runtime/compiled", "runtime/effect", "runtime/canonical"}, "every Go decision; no output text, no disk"},
	{"compiler/internal/render", []string{"compiler/internal/plan", "compiler/internal/output", "templates"}, "prints the plan and decides nothing"},
	{"compiler/internal/verify", []string{"compiler/internal/plan", "compiler/internal/output", "compiler/internal/render"}, "holds the output against the plan"},
	{"compiler/internal/output", nil, "writes files, whatever they say"},
	{"compiler/internal/lock", []string{"compiler/internal/source", "compiler/internal/diag", "compiler/internal/fields", "runtime/compiled", "runtime/effect"}, "a record of digests; grants nothing"},
	{"compiler/internal/example", []string{"compiler/internal/source", "compiler/internal/diag", "compiler/internal/contract", "compiler/schema", "runtime/schema"}, "examples against schemas; no files, no Go"},
	{"compiler/internal/revise", []string{"compiler/internal/source"}, "changes texts where nodes stand; it knows no amendment"},
	{"compiler/internal/explain", nil, "text about codes"},
	{"compiler/internal/download", []string{"runtime/transport"}, "the only way out of the compiler, by the rules of the runtime"},
	{"compiler/internal/drift", []string{"runtime/schema", "runtime/compiled", "runtime/canonical"}, "two compiled contracts against each other; no documents, no authority"},
	{"compiler/internal/traffic", []string{"compiler/internal/source"}, "formats of recordings in, exchanges out; no contracts"},
	{"compiler/internal/replay", []string{"compiler/internal/source", "compiler/internal/traffic", "runtime/compiled", "runtime/schema", "runtime/envelope"}, "exchanges against a compiled contract, by the readers of calls; no files, no formats"},
	{"templates", nil, "embedded fixed text"},
	{"compiler", []string{"compiler/*", "runtime/compiled", "runtime/effect", "runtime/canonical", "templates"}, "the driver runs the stages in order"},
	{"cmd/rpcgen", []string{"compiler", "compiler/internal/*", "runtime/compiled", "runtime/audit", "runtime/store/sqlite", "runtime/store/postgres"}, "flags, exit codes, printing"},
	{"examples/*", []string{"examples/*", "runtime", "runtime/effect", "runtime/schema", "runtime/store"}, "a host touches the runtime and what it shows"},
}

// homes names the one package on each side that may import a library.
var homes = map[string][]string{
	"github.com/dave/jennifer":           {"compiler/internal/render"},
	"github.com/kaptinlin/jsonschema":    {"compiler/internal/metaschema"},
	"github.com/go-json-experiment/json": {"compiler/internal/source", "runtime/compiled"},
	"go.yaml.in/yaml/v4":                 {"compiler/internal/source"},
	"golang.org/x/tools":                 {"compiler/internal/verify"},
	"github.com/spf13/cobra":             {"cmd/rpcgen"},
	"modernc.org/sqlite":                 {"runtime/store/sqlite"},
	"github.com/jackc/pgx/v5":            {"runtime/store/postgres"},
	"go.opentelemetry.io/otel":           {"runtime/observe/otel"},
}

// TestImports holds every import of non-test code against the two tables.
func TestImports(t *testing.T) {
	used := map[string]bool{}
	eachImport(t, func(pkg, file, target string) {
		rule, ok := ruleFor(pkg)
		if !ok {
			t.Errorf("%s: package %s is not on the map of imports_test.go", file, pkg)
			return
		}
		used[rule.pkg] = true
		switch {
		case strings.HasPrefix(target, module):
			target = strings.TrimPrefix(target, module)
			if !matchesAny(rule.imports, target) {
				t.Errorf("%s: %s must not import %s: %s", file, pkg, target, rule.reason)
			}
		case strings.Contains(strings.SplitN(target, "/", 2)[0], "."):
			if home, ok := homeOf(target); !ok || !slices.Contains(home, pkg) {
				t.Errorf("%s: %s imports %s, whose home is %v", file, pkg, target, home)
			}
		}
	})
}

func ruleFor(pkg string) (rule struct {
	pkg     string
	imports []string
	reason  string
}, ok bool) {
	for _, r := range allowed {
		if matches(r.pkg, pkg) {
			return r, true
		}
	}
	return rule, false
}

func homeOf(target string) ([]string, bool) {
	for library, home := range homes {
		if target == library || strings.HasPrefix(target, library+"/") {
			return home, true
		}
	}
	return nil, false
}

func matches(pattern, pkg string) bool {
	if prefix, ok := strings.CutSuffix(pattern, "/*"); ok {
		return strings.HasPrefix(pkg, prefix+"/")
	}
	return pattern == pkg
}

func matchesAny(patterns []string, pkg string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return matches(p, pkg) })
}

// eachImport calls f for every import of every non-test file of the module.
func eachImport(t *testing.T, f func(pkg, file, target string)) {
	t.Helper()
	err := filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (entry.Name() == "testdata" || (len(entry.Name()) > 1 && strings.HasPrefix(entry.Name(), "."))) {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range parsed.Imports {
			target, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			f(path.Dir(filepath.ToSlash(name)), name, target)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

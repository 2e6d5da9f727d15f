package schema_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/openrpc-go/rpcgen/compiler/schema"
	rt "github.com/openrpc-go/rpcgen/runtime/schema"
)

// The official JSON Schema test suite, read from the corpus beside the
// repository: every mandatory case must be right.

const suiteFolder = "../../../shared/corpus/jsonschema-suite"

type suiteGroup struct {
	Description string
	Schema      json.RawMessage
	Tests       []struct {
		Description string
		Data        json.RawMessage
		Valid       bool
	}
}

var suites = []struct {
	name    string
	folder  string
	dialect schema.Dialect
	total   int // of the mandatory cases, when this was written
}{
	{"draft7", "draft7", schema.Draft7, 927},
	{"2020-12", "draft2020-12", schema.Draft2020, 1299},
	{"draft4", "draft4", schema.Draft4, 618},
}

func TestSuite(t *testing.T) {
	remotes := suiteRemotes(t)
	for _, s := range suites {
		t.Run(s.name, func(t *testing.T) {
			files, err := filepath.Glob(filepath.Join(suiteFolder, "tests", s.folder, "*.json"))
			if err != nil || len(files) == 0 {
				t.Fatalf("no files: %v", err)
			}
			right, total := 0, 0
			for _, file := range files {
				r := runSuiteFile(t, file, s.dialect, schema.Options{Remotes: remotes}, true)
				right, total = right+r.right, total+r.total
			}
			fmt.Printf("suite %s: %d/%d\n", s.name, right, total)
			if total < s.total {
				t.Errorf("%d cases, want %d at least: the suite was not read whole", total, s.total)
			}
		})
	}
}

// wronglyAccepted counts the optional cases whose value is admitted although
// the suite says it is invalid, by file, each file with its reason. Refusing a
// schema that is not understood is no such case.
var wronglyAccepted = map[string]struct {
	cases  int
	reason string
}{
	"draft7/optional/content.json": {4, "contentEncoding and contentMediaType are annotations here, as 2020-12 has them"},
}

func TestSuiteOptional(t *testing.T) {
	remotes := suiteRemotes(t)
	seen := map[string]bool{}
	for _, s := range suites {
		root := filepath.Join(suiteFolder, "tests", s.folder, "optional")
		err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			rel, _ := filepath.Rel(filepath.Join(suiteFolder, "tests"), path)
			rel = filepath.ToSlash(rel)
			o := schema.Options{Remotes: remotes, AssertFormats: strings.Contains(rel, "/format/")}
			r := runSuiteFile(t, path, s.dialect, o, false)
			fmt.Printf("optional %-58s %d/%d, %d refused, %d wrongly accepted\n", rel, r.right, r.total, r.refused, r.accepted)
			if known := wronglyAccepted[rel]; r.accepted != known.cases {
				t.Errorf("%s: %d values wrongly accepted, want %d (%s)", rel, r.accepted, known.cases, known.reason)
			}
			seen[rel] = true
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for file := range wronglyAccepted {
		if !seen[file] {
			t.Errorf("%s is not there", file)
		}
	}
}

// suiteResult counts cases.
type suiteResult struct {
	total, right int
	refused      int // the schema does not compile
	accepted     int // a value that the suite calls invalid
}

func runSuiteFile(t *testing.T, file string, d schema.Dialect, o schema.Options, mandatory bool) (r suiteResult) {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var groups []suiteGroup
	if err := json.Unmarshal(b, &groups); err != nil {
		t.Fatal(err)
	}
	for _, g := range groups {
		var checker *rt.Checker
		node, err := schema.Compile(d, g.Schema, o)
		if err == nil {
			checker, err = rt.NewChecker(node)
		}
		for _, c := range g.Tests {
			r.total++
			name := filepath.Base(file) + ": " + g.Description + ": " + c.Description
			if err != nil {
				r.refused++
				if mandatory {
					t.Errorf("%s: does not compile: %v", name, err)
				}
				continue
			}
			verdict := checker.Check(c.Data)
			if mandatory && plainCheck(node, c.Data) != c.Valid {
				t.Errorf("%s: the translation is wrong", name)
			}
			if verdict == nil && !c.Valid {
				r.accepted++
			}
			switch {
			case (verdict == nil) == c.Valid:
				r.right++
			case mandatory:
				t.Errorf("%s: valid is %v, got %v", name, c.Valid, verdict)
			case testing.Verbose():
				t.Logf("%s: valid is %v, got %v", name, c.Valid, verdict)
			}
		}
	}
	return r
}

// suiteRemotes serves the suite's remotes as http://localhost:1234/.
func suiteRemotes(t *testing.T) map[string][]byte {
	t.Helper()
	root := filepath.Join(suiteFolder, "remotes")
	if _, err := os.Stat(root); err != nil {
		t.Skip("the JSON Schema test suite is not at " + suiteFolder)
	}
	remotes := map[string][]byte{}
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		remotes["http://localhost:1234/"+filepath.ToSlash(rel)], err = os.ReadFile(path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return remotes
}

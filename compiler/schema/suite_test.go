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
				r, n := runSuiteFile(t, file, s.dialect, schema.Options{Remotes: remotes}, true)
				right, total = right+r, total+n
			}
			fmt.Printf("suite %s: %d/%d\n", s.name, right, total)
			if total < s.total {
				t.Errorf("%d cases, want %d at least: the suite was not read whole", total, s.total)
			}
		})
	}
}

// optionalRefusals are the optional files in which schemas may be refused, and
// what is not understood in them. Nothing may be accepted wrongly.
var optionalRefusals = map[string]string{
	"draft7/optional/content.json":                "contentEncoding and contentMediaType are annotations",
	"draft2020-12/optional/cross-draft.json":      "draft 2019-09 is not known",
	"draft7/optional/cross-draft.json":            "draft 2019-09 is not known",
	"draft7/optional/ecmascript-regex.json":       "patterns without an RE2 equal are refused",
	"draft4/optional/ecmascript-regex.json":       "patterns without an RE2 equal are refused",
	"draft2020-12/optional/ecmascript-regex.json": "patterns without an RE2 equal are refused",
}

func TestSuiteOptional(t *testing.T) {
	remotes := suiteRemotes(t)
	for _, s := range suites {
		root := filepath.Join(suiteFolder, "tests", s.folder, "optional")
		err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			o := schema.Options{Remotes: remotes, AssertFormats: strings.Contains(path, "format"+string(filepath.Separator))}
			right, total := runSuiteFile(t, path, s.dialect, o, false)
			rel, _ := filepath.Rel(filepath.Join(suiteFolder, "tests"), path)
			fmt.Printf("optional %-58s %d/%d\n", filepath.ToSlash(rel), right, total)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

func runSuiteFile(t *testing.T, file string, d schema.Dialect, o schema.Options, mandatory bool) (right, total int) {
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
			total++
			name := filepath.Base(file) + ": " + g.Description + ": " + c.Description
			if err != nil {
				if mandatory {
					t.Errorf("%s: does not compile: %v", name, err)
				}
				continue
			}
			verdict := checker.Check(c.Data)
			if mandatory && plainCheck(node, c.Data) != c.Valid {
				t.Errorf("%s: the translation is wrong", name)
			}
			switch {
			case (verdict == nil) == c.Valid:
				right++
			case mandatory:
				t.Errorf("%s: valid is %v, got %v", name, c.Valid, verdict)
			case testing.Verbose():
				t.Logf("%s: valid is %v, got %v", name, c.Valid, verdict)
			}
		}
	}
	return right, total
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

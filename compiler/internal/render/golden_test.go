package render_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/openrpc-go/rpcgen/compiler/internal/verify"
)

var update = flag.Bool("update", false, "rewrite the expected packages under testdata")

// goldenCase is a document and the whole package that is expected of it.
type goldenCase struct {
	name     string
	document []byte
}

func cases(t testing.TB) []goldenCase {
	t.Helper()
	dirs, err := filepath.Glob("testdata/valid/*")
	if err != nil || len(dirs) == 0 {
		t.Fatalf("no cases under testdata: %v", err)
	}
	var out []goldenCase
	for _, dir := range dirs {
		document, err := os.ReadFile(filepath.Join(dir, "document.json"))
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, goldenCase{filepath.Base(dir), document})
	}
	return out
}

// opened are the methods of the cases that an amendment has classified.
var opened = []string{"ledger.getBalance"}

// TestGolden compares whole packages. The folder want holds them with the
// suffix .txt, so that the go command does not take them for packages.
func TestGolden(t *testing.T) {
	for _, c := range cases(t) {
		t.Run(c.name, func(t *testing.T) {
			p, files := rendered(t, c.name, c.document, opened...)
			if err := verify.Check(p, files, verify.Options{}); err != nil {
				t.Error(err)
			}
			want := filepath.Join("testdata", "valid", c.name, "want")
			if *update {
				os.RemoveAll(want)
				os.MkdirAll(want, 0o755)
			}
			names := map[string]bool{}
			for _, f := range files {
				if !strings.HasSuffix(f.Name, ".go") {
					continue
				}
				path := filepath.Join(want, f.Name+".txt")
				names[path] = true
				if *update {
					os.WriteFile(path, f.Data, 0o644)
					continue
				}
				expected, err := os.ReadFile(path)
				if err != nil || string(expected) != string(f.Data) {
					t.Errorf("%s differs (%v); run with -update and read the diff; got\n%s", path, err, f.Data)
				}
			}
			old, _ := filepath.Glob(filepath.Join(want, "*"))
			for _, path := range old {
				if !names[path] {
					t.Errorf("%s is expected and was not printed", path)
				}
			}
		})
	}
}

package amendment_test

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/openrpc-go/rpcgen/compiler/internal/amendment"
	"github.com/openrpc-go/rpcgen/compiler/internal/contract"
	"github.com/openrpc-go/rpcgen/compiler/internal/openrpc"
	"github.com/openrpc-go/rpcgen/compiler/internal/pin"
	"github.com/openrpc-go/rpcgen/compiler/internal/reference"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
	"github.com/openrpc-go/rpcgen/compiler/schema"
	"github.com/openrpc-go/rpcgen/runtime/compiled"
)

// corpus is a folder of documents as they are published, beside the repository.
const corpus = "../../../../shared/corpus"

// TestWorksheetsOfPublishedDocuments: the worksheet of every published
// document decides nothing as it is; with a profile in every line it opens
// every method that compiles, and nothing else.
func TestWorksheetsOfPublishedDocuments(t *testing.T) {
	manifest, err := os.ReadFile(filepath.Join(corpus, "MANIFEST.tsv"))
	if err != nil {
		t.Skip("the corpus of documents is not beside the repository")
	}
	documents, methods := 0, 0
	for line := range strings.Lines(string(manifest)) {
		name, _, _ := strings.Cut(line, "\t")
		if !strings.HasPrefix(name, "openrpc/") || !strings.Contains(line, "\tOpenRPC") {
			continue
		}
		c, digests := compile(t, name)
		if c == nil {
			continue // not an OpenRPC document after all; package openrpc says why
		}
		documents++
		methods += holdWorksheet(t, name, c, digests)
	}
	if documents == 0 || methods == 0 {
		t.Fatalf("%d documents with %d methods", documents, methods)
	}
	t.Logf("%d worksheets open %d methods", documents, methods)
}

func compile(t *testing.T, name string) (*contract.Contract, []compiled.Digests) {
	t.Helper()
	family := path.Join(strings.SplitN(name, "/", 3)[:2]...)
	root, err := os.OpenRoot(filepath.Join(corpus, family))
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	inside := strings.TrimPrefix(name, family+"/")
	f, err := source.ReadFileIn(root, inside, name, source.Limits{})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	refs := reference.New(f, reference.Options{Root: root, Dir: path.Dir(inside)})
	c, _ := openrpc.Read("published", f, refs)
	if c == nil {
		return nil, nil
	}
	g := schema.NewGraph(refs, c.Dialect)
	c = contract.Resolve(c, g)
	return c, pin.Digests(c, g)
}

func holdWorksheet(t *testing.T, name string, c *contract.Contract, digests []compiled.Digests) (open int) {
	t.Helper()
	sheet := string(amendment.Worksheet(c, digests))
	if got := join(t, name, sheet, c, digests); got.Open() != 0 || got.Refused != 0 || got.Stale != 0 {
		t.Errorf("%s: untouched: %s", name, got)
	}
	sheet = strings.Replace(sheet, "\n#methods:", "\nmethods:", 1)
	sheet = regexp.MustCompile(`(?m)^  #"`).ReplaceAllString(sheet, `  "`)
	if !strings.Contains(sheet, "{use: PROFILE") {
		return 0 // nothing in the document compiles
	}
	got := join(t, name, strings.ReplaceAll(sheet, "PROFILE", "lookup"), c, digests)
	if got.Undecided != 0 || got.Read != len(c.Methods)-got.Uncompiled {
		t.Errorf("%s: decided: %s, %d of %d uncompiled", name, got, got.Uncompiled, len(c.Methods))
	}
	return got.Read
}

func join(t *testing.T, name, text string, c *contract.Contract, digests []compiled.Digests) amendment.Counts {
	t.Helper()
	f, err := source.ReadOwn(name, []byte(text), source.Limits{})
	if err != nil {
		t.Fatalf("%s: the worksheet cannot be read: %v", name, err)
	}
	a, faults := amendment.Read(f)
	if a == nil {
		t.Fatalf("%s: %s", name, faults[0].Message)
	}
	j, faults := amendment.Join(c, nil, digests, a)
	for _, d := range faults {
		t.Errorf("%s:%d: %s: %s", name, d.Position.Line, d.Code, d.Message)
	}
	return j.Counts
}

package openrpc_test

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/openrpc-go/rpcgen/compiler/internal/contract"
	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/openrpc"
	"github.com/openrpc-go/rpcgen/compiler/internal/reference"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// corpus is a folder of documents as they are published, beside the repository.
const corpus = "../../../../shared/corpus"

// documents returns the OpenRPC documents that the corpus lists.
func documents(t testing.TB) []string {
	t.Helper()
	manifest, err := os.ReadFile(filepath.Join(corpus, "MANIFEST.tsv"))
	if err != nil {
		t.Skip("the corpus of documents is not beside the repository")
	}
	var names []string
	for line := range bytes.Lines(manifest) {
		columns := strings.Split(string(line), "\t")
		if strings.HasPrefix(columns[0], "openrpc/") && len(columns) > 1 && strings.HasPrefix(columns[1], "OpenRPC") {
			names = append(names, columns[0])
		}
	}
	if len(names) == 0 {
		t.Fatal("the corpus lists no OpenRPC documents")
	}
	return names
}

// open reads a document whose references may reach its family's folder.
func open(t testing.TB, name string) (*source.File, *reference.Set) {
	t.Helper()
	family := path.Join(strings.SplitN(name, "/", 3)[:2]...)
	root, err := os.OpenRoot(filepath.Join(corpus, filepath.FromSlash(family)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	inside, err := filepath.Rel(family, name)
	if err != nil {
		t.Fatal(err)
	}
	f, err := source.ReadFileIn(root, inside, name, source.Limits{})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return f, reference.New(f, reference.Options{Root: root, Dir: path.Dir(filepath.ToSlash(inside))})
}

func TestCorpus(t *testing.T) {
	total, refused := 0, 0
	codes := map[string]int{}
	names := documents(t)
	for _, name := range names {
		f, refs := open(t, name)
		start := time.Now()
		c, list := openrpc.Read("corpus", f, refs)
		took := time.Since(start)
		if c == nil && !list.HasErrors() {
			t.Errorf("%s: no contract and no error", name)
			continue
		}
		if c == nil {
			c = &contract.Contract{}
		}
		bad := 0
		for _, m := range c.Methods {
			list = append(list, m.Faults...)
			if m.Faults.HasErrors() {
				bad++
			}
			checkMethod(t, name, m)
		}
		for _, d := range list {
			codes[fmt.Sprintf("%-8s %s", d.Severity, d.Code)]++
			if d.Position.Line < 1 || d.Message == "" {
				t.Errorf("%s: diagnostic without a place or words: %+v", name, d)
			}
		}
		total, refused = total+len(c.Methods), refused+bad
		t.Logf("%-62s %-9s %3d methods %3d refused %3d files %v", name, c.FormatVersion, len(c.Methods), bad, len(c.Files), took.Round(time.Millisecond))
		for _, d := range list {
			if d.Severity == diag.Error {
				t.Logf("    %s: %s: %s (%s)", d.Position, d.Code, d.Message, d.Pointer)
			}
		}
	}
	t.Logf("%d documents, %d methods read, %d refused", len(names), total, refused)
	for _, code := range slices.Sorted(maps.Keys(codes)) {
		t.Logf("%6d %s", codes[code], code)
	}
}

// checkMethod holds what every method that is not refused must be.
func checkMethod(t *testing.T, name string, m *contract.Method) {
	t.Helper()
	if m.Name == "" || m.LogicalID == "" || m.Node == nil {
		t.Errorf("%s: incomplete method %+v", name, m)
	}
	if m.Faults.HasErrors() {
		return
	}
	descriptors := slices.Clone(m.Params)
	if m.Result != nil {
		descriptors = append(descriptors, *m.Result)
	}
	for _, d := range descriptors {
		if d.Name == "" || d.Schema == nil || d.Node == nil || d.Use == nil {
			t.Errorf("%s: %s: incomplete descriptor %+v", name, m.Name, d)
		}
	}
}

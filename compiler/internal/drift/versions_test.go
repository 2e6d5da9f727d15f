package drift_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/openrpc-go/rpcgen/compiler/internal/contract"
	"github.com/openrpc-go/rpcgen/compiler/internal/drift"
	"github.com/openrpc-go/rpcgen/compiler/internal/openrpc"
	"github.com/openrpc-go/rpcgen/compiler/internal/pin"
	"github.com/openrpc-go/rpcgen/compiler/internal/reference"
	"github.com/openrpc-go/rpcgen/compiler/internal/seal"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
	"github.com/openrpc-go/rpcgen/compiler/schema"
	"github.com/openrpc-go/rpcgen/runtime/compiled"
)

// versions are published documents, oldest first.
var versions = []struct {
	project string
	file    string
	order   []string
}{
	{"massa", "openrpc.json", nil},
	{"hiero-relay", "openrpc.json", nil},
	{"near", "openrpc.json", nil},
	{"celestia", "openrpc.json", nil},
	{"lotus-full", "full.json", nil},
	{"starknet-api", "api/starknet_api_openrpc.json", []string{"v0.7.1", "v0.8.1", "v0.9.0", "v0.10.3"}},
	{"execution-apis", "refs-openrpc.json.gz", []string{"v1.0.0-beta.7", "main-2026-08-07"}},
}

// large is the number of stale entries from which review may ask no more than
// a tenth as many questions.
const large = 30

// TestVersions accepts every method of one version and looks at the next one:
// how many entries are stale, by what, and about how many causes review asks.
func TestVersions(t *testing.T) {
	root := filepath.Join("..", "..", "..", "..", "shared", "corpus", "versions")
	if _, err := os.Stat(root); err != nil {
		t.Skipf("no corpus of versions: %v", err)
	}
	t.Logf("%-16s %-36s %7s %6s %6s %6s %6s %6s %8s", "project", "from .. to", "methods", "wire", "result", "text", "stale", "causes", "took")
	for _, v := range versions {
		order := v.order
		if order == nil {
			dirs, _ := filepath.Glob(filepath.Join(root, v.project, "*"))
			for _, d := range dirs {
				order = append(order, filepath.Base(d))
			}
		}
		var last *compiled.Contract
		for i, version := range order {
			now := compile(t, filepath.Join(root, v.project, version, filepath.FromSlash(v.file)))
			if i > 0 {
				compare(t, v.project, order[i-1]+" .. "+version, last, now)
			}
			last = now
		}
	}
}

func compare(t *testing.T, project, name string, was, now *compiled.Contract) {
	t.Helper()
	wire, result, text, stale, common := 0, 0, 0, 0, 0
	var pairs []drift.Pair
	for _, p := range drift.Methods(was, now) {
		if p.Was == nil || p.Now == nil || p.Was.Authority.State == compiled.Uncompiled {
			continue
		}
		common++
		if p.Side != 0 {
			stale++
			pairs = append(pairs, p)
		}
		if p.Side&drift.Request != 0 {
			wire++
		}
		if p.Side&drift.Response != 0 {
			result++
		}
		if p.Was.Digests.Text != p.Now.Digests.Text {
			text++
		}
	}
	began := time.Now()
	causes := drift.Compare(pairs)
	t.Logf("%-16s %-36s %7d %6d %6d %6d %6d %6d %8s", project, name, common, wire, result, text, stale, len(causes), time.Since(began).Round(time.Millisecond))
	reached := map[string]bool{}
	for _, c := range causes {
		for _, m := range c.Methods {
			reached[m.Method] = true
		}
		for _, p := range c.Parts {
			if slices.ContainsFunc(p.Changes, func(change drift.Change) bool { return change.Kind == drift.Unseen }) {
				t.Errorf("%s: %s: nothing shows what changed in %v", project, name, c.Names())
			}
		}
	}
	for _, p := range pairs {
		if !reached[p.Name] {
			t.Errorf("%s: %s: %s is stale and no cause says why", project, name, p.Name)
		}
	}
	if len(causes) > stale {
		t.Errorf("%s: %s: %d causes for %d stale entries", project, name, len(causes), stale)
	}
	if stale >= large && len(causes) > (stale+9)/10 {
		t.Errorf("%s: %s: %d causes for %d stale entries", project, name, len(causes), stale)
	}
}

func compile(t *testing.T, path string) *compiled.Contract {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasSuffix(path, ".gz") {
		r, err := gzip.NewReader(bytes.NewReader(b))
		if err != nil {
			t.Fatal(err)
		}
		if b, err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
	}
	f, err := source.Read(filepath.Base(path), b, source.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	refs := reference.New(f, reference.Options{Root: root})
	c, found := openrpc.Read("versions", f, refs)
	if c == nil {
		t.Fatal(found.Errors()[0].Message)
	}
	g := schema.NewGraph(refs, c.Dialect)
	c = contract.Resolve(c, g)
	return seal.Contract(c, g, pin.Digests(c, g), nil, seal.Options{})
}

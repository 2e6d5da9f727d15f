//go:build unix

package reference_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/openrpc-go/rpcgen/compiler/internal/reference"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// Files that do not end, lead out or are no documents are refused, fast.
func TestHostileFiles(t *testing.T) {
	root := folder(t, map[string]string{
		"deep.json":  strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000),
		"large.json": `"` + strings.Repeat("x", 5_000) + `"`,
		"bytes.json": "\"\xff\"",
	})
	outside := filepath.Join(t.TempDir(), "secret.json")
	if err := os.WriteFile(outside, []byte(`"secret"`), 0o600); err != nil {
		t.Fatal(err)
	}
	link := func(target, name string) {
		if err := os.Symlink(target, filepath.Join(root.Name(), name)); err != nil {
			t.Skip(err)
		}
	}
	link(outside, "link.json")
	link("/dev/zero", "zero.json")
	if err := syscall.Mkfifo(filepath.Join(root.Name(), "pipe.json"), 0o600); err != nil {
		t.Skip(err)
	}
	started := time.Now()
	for _, name := range []string{"deep.json", "large.json", "bytes.json", "link.json", "zero.json", "pipe.json"} {
		f := document(t, "doc.json", name)
		n, fault := reference.New(f, reference.Options{Root: root, Limits: source.Limits{Bytes: 45_000, Depth: 100}}).Resolve(f.Root.Get("use"), name)
		if name == "large.json" && fault == nil {
			continue // within this limit; below with a smaller one
		}
		if fault == nil || fault.Code != reference.CodeUnreadable {
			t.Errorf("%s: %v, %v", name, n, fault)
		}
	}
	f := document(t, "doc.json", "large.json")
	if _, fault := reference.New(f, reference.Options{Root: root, Limits: source.Limits{Bytes: 4_000}}).Resolve(f.Root.Get("use"), "large.json"); fault == nil || !strings.Contains(fault.Message, "file-too-large") {
		t.Errorf("large.json: %v", fault)
	}
	if took := time.Since(started); took > 2*time.Second {
		t.Errorf("took %v", took)
	}
}

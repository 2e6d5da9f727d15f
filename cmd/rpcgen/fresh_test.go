package main

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestExampleIsFresh generates the example from its contracts alone and
// compares every file with the one that is checked in, the lock included.
func TestExampleIsFresh(t *testing.T) {
	kept, dir := filepath.Join("..", "..", "examples", "billing"), t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "contracts"), os.DirFS(filepath.Join(kept, "contracts"))); err != nil {
		t.Fatal(err)
	}
	config, err := os.ReadFile(filepath.Join(kept, "rpcgen.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "rpcgen.yaml"), config, 0o644); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	if code := run(context.Background(), []string{"generate", "-C", dir}, terminal{out: &out, err: &errs, now: time.Now}); code != exitClean {
		t.Fatalf("generate: exit %d\n%s%s", code, &out, &errs)
	}
	compared := 0
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		fresh, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if was, err := os.ReadFile(filepath.Join(kept, name)); err != nil || !bytes.Equal(was, fresh) {
			t.Errorf("examples/billing/%s is not what generate writes (%v): run rpcgen generate -C examples/billing", name, err)
		}
		compared++
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if compared < 7 { // config, two contracts, lock, client, types, contract.json
		t.Errorf("only %d files were compared", compared)
	}
}

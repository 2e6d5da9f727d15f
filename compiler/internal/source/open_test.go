package source_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

func TestReadFile(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.json"), `{"a": 1}`)
	write(t, filepath.Join(dir, "own.yaml"), "a: yes\n")
	link(t, "a.json", filepath.Join(dir, "link.json"))

	for _, name := range []string{"a.json", "link.json"} {
		f, err := source.ReadFile(filepath.Join(dir, name), "shown", source.Limits{})
		if err != nil || f.Name != "shown" || string(f.Bytes) != `{"a": 1}` {
			t.Errorf("ReadFile(%s) = %v, %v", name, f, err)
		}
	}
	if _, err := source.ReadFile(filepath.Join(dir, "own.yaml"), "own", source.Limits{}); err != nil {
		t.Error(err)
	}
	if _, err := source.ReadOwnFile(filepath.Join(dir, "own.yaml"), "own", source.Limits{}); fault(err) != "1:4 ambiguous-scalar /a" {
		t.Error(err)
	}
}

func TestReadFileRefuses(t *testing.T) {
	dir := t.TempDir()
	sparse(t, filepath.Join(dir, "huge.json"), 100<<20)
	link(t, os.DevNull, filepath.Join(dir, "null.json"))
	link(t, "/dev/zero", filepath.Join(dir, "zero.json"))
	link(t, "loop.json", filepath.Join(dir, "loop.json"))
	tests := []struct{ path, code, says string }{
		{filepath.Join(dir, "huge.json"), source.CodeTooLarge, "104857600 bytes"},
		{filepath.Join(dir, "null.json"), source.CodeNotRegular, "device"},
		{filepath.Join(dir, "zero.json"), source.CodeNotRegular, "device"},
		{"/dev/zero", source.CodeNotRegular, "device"},
		{filepath.Join(dir, "loop.json"), source.CodeUnreadable, ""},
		{filepath.Join(dir, "absent.json"), source.CodeUnreadable, ""},
		{dir, source.CodeNotRegular, "folder"},
	}
	for _, tt := range tests {
		t.Run(filepath.Base(tt.path), func(t *testing.T) {
			e := refusedFast(t, func() error {
				_, err := source.ReadFile(tt.path, "doc", source.Limits{})
				return err
			})
			if e.Code != tt.code || !strings.Contains(e.Message, tt.says) || e.Position.String() != "doc" {
				t.Errorf("got %v, want %s %q", e, tt.code, tt.says)
			}
			if strings.Contains(e.Message, dir) {
				t.Errorf("message tells the path of the machine: %q", e.Message)
			}
		})
	}
	_, err := source.ReadFile(filepath.Join(dir, "absent.json"), "doc", source.Limits{})
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v is not fs.ErrNotExist", err)
	}
}

// TestReadFileWithoutSize reads files that claim to be empty and are not.
func TestReadFileWithoutSize(t *testing.T) {
	const path = "/proc/self/status"
	if _, err := os.Stat(path); err != nil {
		t.Skip("this system makes up no files")
	}
	if _, err := source.ReadFile(path, "doc", source.Limits{Bytes: 100}); err == nil || err.(*source.Error).Code != source.CodeTooLarge {
		t.Errorf("got %v, want %s", err, source.CodeTooLarge)
	}
}

func TestReadFileIn(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "secret.json"), `{}`)
	below := filepath.Join(dir, "below")
	if err := os.Mkdir(below, 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(below, "a.json"), `{}`)
	link(t, "../secret.json", filepath.Join(below, "out.json"))
	link(t, "/dev/zero", filepath.Join(below, "zero.json"))
	root, err := os.OpenRoot(below)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()

	for _, read := range []func(*os.Root, string, string, source.Limits) (*source.File, error){source.ReadFileIn, func(root *os.Root, path, name string, l source.Limits) (*source.File, error) {
		return source.ReadOwnFileIn(root, path, name, l)
	}} {
		if _, err := read(root, "a.json", "a", source.Limits{}); err != nil {
			t.Error(err)
		}
		for _, path := range []string{"../secret.json", "out.json", "zero.json", filepath.Join(dir, "secret.json"), "."} {
			refusedFast(t, func() error {
				_, err := read(root, path, "doc", source.Limits{})
				return err
			})
		}
	}
}

// refusedFast fails the test when read waits for a file that never ends.
func refusedFast(t *testing.T, read func() error) *source.Error {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- read() }()
	select {
	case err := <-done:
		e, ok := errors.AsType[*source.Error](err)
		if !ok {
			t.Fatalf("got %v, want a source.Error", err)
		}
		return e
	case <-time.After(10 * time.Second):
		t.Fatal("still reading after 10 s")
		return nil
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func link(t *testing.T, to, path string) {
	t.Helper()
	if err := os.Symlink(to, path); err != nil {
		t.Skip("no links here:", err)
	}
}

func sparse(t *testing.T, path string, size int64) {
	t.Helper()
	write(t, path, "{")
	if err := os.Truncate(path, size); err != nil {
		t.Fatal(err)
	}
}

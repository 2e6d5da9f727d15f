package output

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

func generated(name, body string) File {
	return File{Name: name, Data: []byte(Header + "\n\npackage p\n\n// " + body + "\n")}
}

// set is a package of a few files whose every byte depends on version.
func set(version string) []File {
	files := []File{generated("client.go", version), generated("types.go", strings.Repeat(version, 2000))}
	return append(files, File{Name: "contract.json", Data: []byte(`{"v":"` + version + `"}`)})
}

func mustWrite(t *testing.T, dir string, files []File) Report {
	t.Helper()
	r, err := Write(dir, files)
	if err != nil {
		t.Fatalf("Write: %v", err)
	}
	return r
}

// holds compares a folder with files, hidden folders left out.
func holds(dir string, files []File) error {
	for _, f := range files {
		got, err := os.ReadFile(filepath.Join(dir, f.Name))
		if err != nil {
			return err
		}
		if string(got) != string(f.Data) {
			return fmt.Errorf("%s has other bytes", f.Name)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.IsDir() && strings.HasPrefix(e.Name(), ".rpcgen-") {
			continue
		}
		if !slices.ContainsFunc(files, func(f File) bool { return f.Name == e.Name() }) {
			return fmt.Errorf("%s is left over", e.Name())
		}
	}
	return nil
}

func TestWrite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	r := mustWrite(t, dir, set("1"))
	if len(r.Written) != 3 || r.Fresh() {
		t.Errorf("first Write reports %+v, want three written", r)
	}
	if err := holds(dir, set("1")); err != nil {
		t.Error(err)
	}
	if r := mustWrite(t, dir, set("1")); !r.Fresh() || len(r.Unchanged) != 3 {
		t.Errorf("second Write reports %+v, want nothing changed", r)
	}
	entries, _ := os.ReadDir(dir)
	if len(entries) != 3 {
		t.Errorf("Write left %d entries, want 3", len(entries))
	}
}

func TestWriteLeavesUnchangedFilesAlone(t *testing.T) {
	dir := t.TempDir()
	files := []File{generated("client.go", "same"), generated("types.go", "old")}
	mustWrite(t, dir, files)
	old := time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)
	if err := os.Chtimes(filepath.Join(dir, "client.go"), old, old); err != nil {
		t.Fatal(err)
	}
	r := mustWrite(t, dir, []File{files[0], generated("types.go", "new")})
	if !slices.Equal(r.Written, []string{"types.go"}) {
		t.Errorf("Write wrote %v, want types.go", r.Written)
	}
	info, err := os.Stat(filepath.Join(dir, "client.go"))
	if err != nil || !info.ModTime().Equal(old) {
		t.Errorf("client.go was touched: %v, %v", info.ModTime(), err)
	}
}

func TestWriteRemovesStaleFilesOfOurs(t *testing.T) {
	dir := t.TempDir()
	mustWrite(t, dir, append(set("1"), generated("errors.go", "gone")))
	r := mustWrite(t, dir, set("1"))
	if !slices.Equal(r.Removed, []string{"errors.go"}) {
		t.Errorf("Write removed %v, want errors.go", r.Removed)
	}
	if err := holds(dir, set("1")); err != nil {
		t.Error(err)
	}
}

// Somebody deletes the Go files to have them written anew: what is left still
// opens as the generated file does, whatever its line ends became.
func TestWriteKnowsItsDataAlone(t *testing.T) {
	data := "{\n \"rpcgen\": 1,\n \"contract\": \"a\"\n}\n"
	for _, left := range []string{data, strings.Replace(data, `"a"`, `"b"`, 1), strings.ReplaceAll(data, "\n", "\r\n")} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "contract.json"), []byte(left), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := Write(dir, []File{{Name: "contract.json", Data: []byte(data)}}); err != nil {
			t.Errorf("beside %q: %v", left, err)
		}
	}
}

func TestWriteRefusesForeignFiles(t *testing.T) {
	ours := Header + "\npackage p\n"
	tests := []struct {
		name    string
		prepare func(dir string) error
		foreign string // "" is none
	}{
		{"a Go file", func(d string) error { return os.WriteFile(d+"/main.go", []byte("package p\n"), 0o644) }, "main.go"},
		{"an empty Go file", func(d string) error { return os.WriteFile(d+"/main.go", nil, 0o644) }, "main.go"},
		{"a Go file in our place", func(d string) error { return os.WriteFile(d+"/client.go", []byte("package p\n"), 0o644) }, "client.go"},
		{"a header further down", func(d string) error { return os.WriteFile(d+"/x.go", []byte("\n"+ours), 0o644) }, "x.go"},
		{"a longer header line", func(d string) error { return os.WriteFile(d+"/x.go", []byte(Header+" really\n"), 0o644) }, "x.go"},
		{"a subfolder", func(d string) error { return os.Mkdir(d+"/sub", 0o755) }, "sub/"},
		{"a repository", func(d string) error { return os.Mkdir(d+"/.git", 0o755) }, ".git/"},
		{"a folder in our place", func(d string) error { return os.Mkdir(d+"/client.go", 0o755) }, "client.go/"},
		{"a link in our place", func(d string) error { return os.Symlink("/etc/passwd", d+"/client.go") }, "client.go"},
		{"a link for the contract", func(d string) error { return os.Symlink("/etc/passwd", d+"/contract.json") }, "contract.json"},
		{"a contract alone", func(d string) error { return os.WriteFile(d+"/contract.json", []byte("{}"), 0o644) }, "contract.json"},
		{"our own file", func(d string) error { return os.WriteFile(d+"/old.go", []byte(ours), 0o644) }, ""},
		{"our own file with CR LF", func(d string) error {
			return os.WriteFile(d+"/old.go", []byte(strings.ReplaceAll(ours, "\n", "\r\n")), 0o644)
		}, ""},
		{"the lock", func(d string) error { return os.WriteFile(d+"/rpcgen.lock", nil, 0o644) }, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			if err := test.prepare(dir); err != nil {
				t.Skip(err)
			}
			before := listing(t, dir)
			_, err := Write(dir, set("1"))
			var foreign *ForeignError
			if !errors.As(err, &foreign) {
				if test.foreign != "" || err != nil {
					t.Fatalf("Write: %v, want a ForeignError about %q", err, test.foreign)
				}
				return
			}
			if !slices.Equal(foreign.Names, []string{test.foreign}) {
				t.Errorf("Write refuses %q, want %q", foreign.Names, test.foreign)
			}
			if after := listing(t, dir); !slices.Equal(before, after) {
				t.Errorf("Write changed the folder from %v to %v", before, after)
			}
		})
	}
}

func listing(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestWriteRefusesNames(t *testing.T) {
	names := []string{"", ".", "..", "../x.go", "a/b.go", `a\b.go`, "/x.go", "x.GO", "X.go", "x.go ", ".x.go", "_x.go", "con", "x.txt", "REMOVE", "é.go"}
	for _, name := range names {
		f := generated(name, "")
		if _, err := Write(t.TempDir(), []File{f}); err == nil {
			t.Errorf("Write(%q) succeeded", name)
		}
	}
	if _, err := Write(t.TempDir(), []File{{Name: "x.go", Data: []byte("package p")}}); err == nil {
		t.Error("Write of a Go file without header succeeded")
	}
	if _, err := Write(t.TempDir(), []File{generated("x.go", "1"), generated("x.go", "2")}); err == nil {
		t.Error("Write of one name twice succeeded")
	}
}

func TestCompare(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "p")
	r, err := Compare(dir, set("1"))
	if err != nil || len(r.Written) != 3 {
		t.Errorf("Compare with no folder = %+v, %v; want three to write", r, err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Error("Compare made the folder")
	}
	mustWrite(t, dir, append(set("1"), generated("errors.go", "gone")))
	r, err = Compare(dir, set("2"))
	if err != nil || len(r.Written) != 3 || !slices.Equal(r.Removed, []string{"errors.go"}) {
		t.Errorf("Compare = %+v, %v", r, err)
	}
	if err := holds(dir, append(set("1"), generated("errors.go", "gone"))); err != nil {
		t.Errorf("Compare wrote: %v", err)
	}
}

// TestWriteFinishesCommit covers every state that a killed run can leave after
// its commit: any number of files already moved.
func TestWriteFinishesCommit(t *testing.T) {
	for moved := range 4 {
		dir := t.TempDir()
		mustWrite(t, dir, append(set("1"), generated("errors.go", "gone")))
		commit := filepath.Join(dir, commitDir)
		if err := os.Mkdir(commit, 0o755); err != nil {
			t.Fatal(err)
		}
		for i, f := range set("2") {
			place := commit
			if i < moved {
				place = dir
			}
			if err := os.WriteFile(filepath.Join(place, f.Name), f.Data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(filepath.Join(commit, removals), []byte("errors.go\n../evil.go\nmissing.go"), 0o644); err != nil {
			t.Fatal(err)
		}
		if r, err := Compare(dir, set("2")); err != nil || !r.Interrupted {
			t.Errorf("%d moved: Compare = %+v, %v; want interrupted", moved, r, err)
		}
		if r := mustWrite(t, dir, set("2")); !r.Fresh() {
			t.Errorf("%d moved: Write = %+v, want all in place after finishing", moved, r)
		}
		if err := holds(dir, set("2")); err != nil {
			t.Errorf("%d moved: %v", moved, err)
		}
	}
}

// TestWritePlantedCommit shows that a commit folder from elsewhere brings
// nothing in: what it moves is overwritten, removed or refused.
func TestWritePlantedCommit(t *testing.T) {
	dir := t.TempDir()
	mustWrite(t, dir, set("1"))
	commit := filepath.Join(dir, commitDir)
	os.Mkdir(commit, 0o755)
	os.WriteFile(filepath.Join(commit, "evil.go"), []byte(Header+"\npackage p\nfunc init() {}\n"), 0o644)
	os.WriteFile(filepath.Join(commit, "client.go"), []byte(Header+"\npackage evil\n"), 0o644)
	os.Symlink("/etc/passwd", filepath.Join(commit, "types.go"))
	mustWrite(t, dir, set("1"))
	if err := holds(dir, set("1")); err != nil {
		t.Error(err)
	}
}

func TestWriteInParallel(t *testing.T) {
	dir := t.TempDir()
	var wait sync.WaitGroup
	for i := range 8 {
		wait.Go(func() {
			for j := range 5 {
				if _, err := Write(dir, set(fmt.Sprint(i, j))); err != nil {
					t.Errorf("Write: %v", err)
				}
			}
		})
	}
	wait.Wait()
	for i := range 8 {
		for j := range 5 {
			if holds(dir, set(fmt.Sprint(i, j))) == nil {
				return
			}
		}
	}
	t.Error("the folder holds no whole version")
}

func TestWriteFollowsNoLinkOut(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need rights there")
	}
	dir, outside := t.TempDir(), t.TempDir()
	if err := os.Symlink(outside, filepath.Join(dir, stageDir)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(outside, "kept"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	mustWrite(t, dir, set("1"))
	if names := listing(t, outside); !slices.Equal(names, []string{"kept"}) {
		t.Errorf("Write went through the link: %v", names)
	}
}

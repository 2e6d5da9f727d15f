package amendment

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// folder is a folder of a config with an amendment in it and one beside it.
func folder(t *testing.T) (dir string, root *os.Root) {
	t.Helper()
	outside := t.TempDir()
	dir = filepath.Join(outside, "project")
	text := []byte(head + "methods:\n  a: {effect: read}\n")
	for _, path := range []string{"project/contracts/a.yaml", "outside.yaml"} {
		path = filepath.Join(outside, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	return dir, root
}

// TestReadTrusted is F6 of the hostile corpus: what others could have written,
// or could swap, is refused whole.
func TestReadTrusted(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("mode bits say nothing about rights there")
	}
	must := func(t *testing.T, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	tests := []struct {
		name    string
		prepare func(t *testing.T, dir string)
		path    string
		code    string // "" when the file is read
		message string
	}{
		{name: "plain file", path: "contracts/a.yaml"},
		{name: "writable by the group", path: "contracts/a.yaml", prepare: func(t *testing.T, dir string) {
			must(t, os.Chmod(dir+"/contracts/a.yaml", 0o664))
		}},
		{name: "writable by everybody", path: "contracts/a.yaml", prepare: func(t *testing.T, dir string) {
			must(t, os.Chmod(dir+"/contracts/a.yaml", 0o666))
		}, code: Untrusted, message: "everybody may write to it"},
		{name: "folder writable by everybody", path: "contracts/a.yaml", prepare: func(t *testing.T, dir string) {
			must(t, os.Chmod(dir+"/contracts", 0o777))
		}, code: Untrusted, message: "everybody may write to its folder contracts"},
		{name: "sticky folder", path: "contracts/a.yaml", prepare: func(t *testing.T, dir string) {
			must(t, os.Chmod(dir+"/contracts", 0o777|os.ModeSticky))
		}},
		{name: "folder of the config writable by everybody", path: "contracts/a.yaml", prepare: func(t *testing.T, dir string) {
			must(t, os.Chmod(dir, 0o777))
		}, code: Untrusted, message: "everybody may write to the folder of the config"},
		{name: "link that stays inside", path: "link.yaml", prepare: func(t *testing.T, dir string) {
			must(t, os.Symlink("contracts/a.yaml", dir+"/link.yaml"))
		}},
		{name: "link into a folder writable by everybody", path: "link.yaml", prepare: func(t *testing.T, dir string) {
			must(t, os.Symlink("contracts/a.yaml", dir+"/link.yaml"))
			must(t, os.Chmod(dir+"/contracts", 0o777))
		}, code: Untrusted, message: "everybody may write to its folder contracts"},
		{name: "link out", path: "link.yaml", prepare: func(t *testing.T, dir string) {
			must(t, os.Symlink("../outside.yaml", dir+"/link.yaml"))
		}, code: Untrusted, message: "it lies outside the folder of the config"},
		{name: "absolute link", path: "link.yaml", prepare: func(t *testing.T, dir string) {
			must(t, os.Symlink(dir+"/contracts/a.yaml", dir+"/link.yaml"))
		}, code: Untrusted, message: "it is a link out of the folder of the config, or one that goes round about"},
		{name: "link round about", path: "link.yaml", prepare: func(t *testing.T, dir string) {
			must(t, os.Symlink("contracts/../contracts/a.yaml", dir+"/link.yaml"))
		}, code: Untrusted, message: "it is a link out of the folder of the config, or one that goes round about"},
		{name: "folder that is a link to one inside", path: "again/a.yaml", prepare: func(t *testing.T, dir string) {
			must(t, os.Symlink("contracts", dir+"/again"))
		}},
		{name: "folder that is a link to one writable by everybody", path: "again/a.yaml", prepare: func(t *testing.T, dir string) {
			must(t, os.Symlink("contracts", dir+"/again"))
			must(t, os.Chmod(dir+"/contracts", 0o777))
		}, code: Untrusted, message: "everybody may write to its folder contracts"},
		{name: "link in circles", path: "link.yaml", prepare: func(t *testing.T, dir string) {
			must(t, os.Symlink("link.yaml", dir+"/link.yaml"))
		}, code: Untrusted, message: "it is a link to a link without end"},
		{name: "folder that is a link out", path: "out/outside.yaml", prepare: func(t *testing.T, dir string) {
			must(t, os.Symlink("..", dir+"/out"))
		}, code: Untrusted, message: "it lies outside the folder of the config"},
		{name: "step up", path: "../outside.yaml", code: Untrusted, message: "it lies outside the folder of the config"},
		{name: "absolute path", path: "/etc/hosts", code: Untrusted, message: "it lies outside the folder of the config"},
		{name: "folder", path: "contracts", code: source.CodeNotRegular},
		{name: "nothing there", path: "contracts/b.yaml", code: source.CodeUnreadable},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir, root := folder(t)
			if test.prepare != nil {
				test.prepare(t, dir)
			}
			f, faults := ReadTrusted(root, test.path, "shown.yaml")
			if (f != nil) != (test.code == "") || f == nil && len(faults) == 0 {
				t.Fatalf("read %v, faults:\n%s", f != nil, show(faults))
			}
			if f != nil {
				if f.Source.Name != "shown.yaml" || len(f.Entries) != 1 {
					t.Errorf("read %+v", f)
				}
				return
			}
			if d := faults[0]; d.Code != test.code || !strings.HasSuffix(d.Message, test.message) || d.Position.File.Name != "shown.yaml" {
				t.Errorf("got\n%swant %s: ... %s", show(faults), test.code, test.message)
			}
		})
	}
}

// TestReadTrustedOnce is F7: what is used are the bytes that were read and hashed,
// whatever stands in the file later.
func TestReadTrustedOnce(t *testing.T) {
	dir, root := folder(t)
	f, faults := ReadTrusted(root, "contracts/a.yaml", "a.yaml")
	if f == nil {
		t.Fatal(show(faults))
	}
	digest, entries := f.Source.Digest, len(f.Entries)
	if err := os.WriteFile(dir+"/contracts/a.yaml", []byte(amend(`"b": {effect: write}`, `"c": {effect: read}`)), 0o600); err != nil {
		t.Fatal(err)
	}
	again, err := source.ReadOwn("again", f.Source.Bytes, source.Limits{})
	if err != nil || again.Digest != digest || len(f.Entries) != entries {
		t.Errorf("the file that was read has changed: %v", err)
	}
}

package compiler_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// hostModule makes a module that uses this one from the working tree, the way
// a host would use a release. Nothing is fetched.
func hostModule(t *testing.T) string {
	t.Helper()
	repo, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile(filepath.Join(repo, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write(t, dir, "go.sum", string(sums))
	write(t, dir, "go.mod", "module host.test\n\ngo "+goVersion(t, repo)+"\n\n"+
		"require github.com/openrpc-go/rpcgen v0.0.0\n\n"+
		"require github.com/go-json-experiment/json "+requirement(t, repo, "github.com/go-json-experiment/json")+" // indirect\n\n"+
		"replace github.com/openrpc-go/rpcgen => "+repo+"\n")
	return dir
}

// goVersion is the language version that go.mod of this module declares.
func goVersion(t *testing.T, repo string) string { return requirement(t, repo, "go") }

// requirement is the word after name in a line of this module's go.mod.
func requirement(t *testing.T, repo, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(repo, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if words := strings.Fields(line); len(words) > 1 && words[0] == name {
			return words[1]
		}
	}
	t.Fatalf("go.mod does not mention %s", name)
	return ""
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// goTool runs the go command in a module and returns what it printed. It is
// never allowed to fetch anything.
func goTool(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOPROXY=off", "GOFLAGS=-mod=readonly", "GOWORK=off", "GOTOOLCHAIN=local")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

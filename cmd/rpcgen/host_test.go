package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestHost runs scripts in which a module of its own uses this one, the way a
// host does. The go command builds for real and fetches nothing.
func TestHost(t *testing.T) {
	repo, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	cmds := commands()
	cmds["hostmod"] = func(ts *testscript.TestScript, _ bool, args []string) { hostmod(ts, repo, args) }
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "host"),
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		Cmds:                cmds,
		Setup:               goEnvironment,
	})
}

// goEnvironment lets a script use the caches of this machine and no proxy.
func goEnvironment(env *testscript.Env) error {
	home, err := os.UserHomeDir()
	if err != nil {
		return err
	}
	for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOPATH", "GOROOT"} {
		if value := os.Getenv(name); value != "" {
			env.Setenv(name, value)
		}
	}
	env.Setenv("HOME", home)
	env.Setenv("GOPROXY", "off")
	env.Setenv("GOTOOLCHAIN", "local")
	env.Setenv("GOWORK", "off")
	env.Setenv("GOFLAGS", "-mod=readonly")
	return nil
}

// hostmod writes go.mod and go.sum of a host that has rpcgen as a tool: what
// "go get -tool" of a release would leave, with this working tree in its place.
func hostmod(ts *testscript.TestScript, repo string, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: hostmod MODULE")
	}
	ours, err := os.ReadFile(filepath.Join(repo, "go.mod"))
	ts.Check(err)
	sums, err := os.ReadFile(filepath.Join(repo, "go.sum"))
	ts.Check(err)
	var b strings.Builder
	fmt.Fprintf(&b, "module %s\n\n", args[0])
	for line := range strings.Lines(string(ours)) {
		if !strings.HasPrefix(line, "module ") {
			b.WriteString(line)
		}
	}
	fmt.Fprintf(&b, "\ntool %s/cmd/rpcgen\n\nrequire %s v0.0.0\n\nreplace %s => %s\n", module, module, module, repo)
	ts.Check(os.WriteFile(ts.MkAbs("go.mod"), []byte(b.String()), 0o644))
	ts.Check(os.WriteFile(ts.MkAbs("go.sum"), sums, 0o644))
}

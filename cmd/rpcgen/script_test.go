package main

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite the expected output in testdata/script")

// TestMain lets scripts run this command as rpcgen.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"rpcgen": scripted})
}

// TestScript runs the command lines of testdata/script. A bug report can be
// pasted in as a case.
func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds:                commands(),
	})
}

// commands are what scripts need beside the usual.
func commands() map[string]func(*testscript.TestScript, bool, []string) {
	return map[string]func(*testscript.TestScript, bool, []string){
		"code":      code,
		"edit":      edit,
		"age":       age,
		"aged":      aged,
		"names":     names,
		"cut":       cut,
		"decide":    decide,
		"interrupt": interrupt,
	}
}

// code runs a program and wants an exit code: code 4 rpcgen generate.
func code(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 || len(args[0]) != 1 {
		ts.Fatalf("usage: code EXITCODE PROGRAM...")
	}
	got := "0"
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		got = strings.TrimPrefix(err.Error(), "exit status ")
	}
	if got != args[0] {
		ts.Fatalf("exit %s, want %s", got, args[0])
	}
}

// edit replaces a text that a file holds exactly once.
func edit(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: edit FILE OLD NEW")
	}
	path, text := ts.MkAbs(args[0]), ts.ReadFile(args[0])
	if n := strings.Count(text, args[1]); n != 1 {
		ts.Fatalf("%s holds %q %d times, want once", args[0], args[1], n)
	}
	ts.Check(os.WriteFile(path, []byte(strings.Replace(text, args[1], args[2], 1)), 0o644))
}

var long = time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)

// age makes files look as if nobody had written them for years.
func age(ts *testscript.TestScript, _ bool, args []string) {
	for _, name := range args {
		ts.Check(os.Chtimes(ts.MkAbs(name), long, long))
	}
}

// aged wants that nobody wrote the files since age; ! aged, that somebody did.
func aged(ts *testscript.TestScript, neg bool, args []string) {
	for _, name := range args {
		info, err := os.Stat(ts.MkAbs(name))
		ts.Check(err)
		if old := info.ModTime().Equal(long); old == neg {
			ts.Fatalf("%s was last written at %v", name, info.ModTime())
		}
	}
}

// names wants that a folder holds exactly these names: names DIR NAME...
func names(ts *testscript.TestScript, _ bool, args []string) {
	entries, err := os.ReadDir(ts.MkAbs(args[0]))
	ts.Check(err)
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if g, w := strings.Join(got, " "), strings.Join(args[1:], " "); g != w {
		ts.Fatalf("%s holds %q, want %q", args[0], g, w)
	}
}

// cut leaves out of a file everything from a text on: what differs every time.
func cut(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: cut FILE TEXT")
	}
	kept, _, found := strings.Cut(ts.ReadFile(args[0]), args[1])
	if !found {
		ts.Fatalf("%s does not hold %q", args[0], args[1])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.TrimRight(kept, " ")+"\n"), 0o644))
}

package main

import (
	"os"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// decide takes methods of a worksheet out of their comments, as a person does:
// decide FILE PROFILE METHOD...
func decide(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: decide FILE PROFILE METHOD...")
	}
	text := strings.Replace(ts.ReadFile(args[0]), "\n#methods:", "\nmethods:", 1)
	for _, method := range args[2:] {
		line := `#"` + method + `": {use: PROFILE,`
		if strings.Count(text, line) != 1 {
			ts.Fatalf("%s does not list %s once", args[0], method)
		}
		text = strings.Replace(text, line, `"`+method+`": {use: `+args[1]+`,`, 1)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o644))
}

// interrupt writes what a terminal sends for Ctrl-C: interrupt FILE
func interrupt(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: interrupt FILE")
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte("\x03"), 0o644))
}

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/openrpc-go/rpcgen/compiler"
)

// scripted is rpcgen as scripts run it: every command that it prints is run
// too, in a copy of the folder, once in a script. One that is no command, or
// that looks for something that is not there, fails the script.
func scripted() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var said bytes.Buffer
	t := terminal{out: io.MultiWriter(os.Stdout, &said), err: io.MultiWriter(os.Stderr, &said), ask: answerer(os.Stdin), now: time.Now}
	code := run(ctx, os.Args[1:], t)
	help := slices.Contains(os.Args, "--help") || slices.Contains(os.Args, "help") // examples
	if _, err := os.Stat(compiler.ConfigName); slices.Contains(os.Args, "explain") && err != nil {
		help = true // a code is explained without a project
	}
	if work := os.Getenv("WORK"); work != "" && !help {
		for _, args := range printed(said.String()) {
			if fault := helps(work, args); fault != "" {
				fmt.Fprintf(os.Stderr, "a command that does not work as printed: rpcgen %s\n%s\n", strings.Join(args, " "), fault)
				code = 99
			}
		}
	}
	os.Exit(code)
}

// command is a command line of ours within other words: it ends with the line,
// with a mark that ends a clause, or with the quotes it stands in.
var command = regexp.MustCompile(`\brpcgen (?:init|generate|status|inspect|review|check|explain)(?: (?:'(?:[^']|'\\'')*'|[^ '"\n;]+)+)*`)

// printed finds the commands in what was printed, as words.
func printed(text string) [][]string {
	var out [][]string
	for _, line := range command.FindAllString(strings.ReplaceAll(text, " \\\n   ", ""), -1) {
		words := split(strings.TrimRight(line, ",.)"))
		if clause := slices.IndexFunc(words, func(w string) bool { return strings.HasSuffix(w, ",") }); clause >= 0 {
			words = append(words[:clause:clause], strings.TrimSuffix(words[clause], ","))
		}
		out = append(out, words[1:])
	}
	return out
}

// split reads words as a shell does.
func split(line string) []string {
	var words []string
	var word strings.Builder
	quoted := false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\'':
			quoted = !quoted
		case quoted:
			word.WriteByte(c)
		case c == '\\' && i+1 < len(line):
			i++
			word.WriteByte(line[i])
		case c == ' ':
			words = append(words, word.String())
			word.Reset()
		default:
			word.WriteByte(c)
		}
	}
	return append(words, word.String())
}

// missing are words by which a command says that it looks for something that
// is not there.
var missing = []string{"no such file", "declares no contract", "neither a method", "lies outside", "is not the one of the contract", "is not the server"}

// helps runs a command in a copy of the script's folder; "" is how it should go.
func helps(work string, args []string) string {
	if slices.ContainsFunc(args, func(w string) bool { return w == "METHOD" || w == "CONTRACT" }) {
		return "" // to be filled in
	}
	for i := range args {
		args[i] = strings.ReplaceAll(args[i], "DAY", "2199-01-01")
	}
	if tried(work, strings.Join(args, "\x00")) {
		return ""
	}
	here, err := os.Getwd()
	if err != nil {
		return err.Error()
	}
	dir, err := copied(work)
	defer os.RemoveAll(dir)
	if err != nil {
		return "" // what the script made of the folder cannot be copied
	}
	below, err := filepath.Rel(work, here)
	if err != nil || os.Chdir(filepath.Join(dir, below)) != nil {
		return "cannot run below " + here
	}
	defer os.Chdir(here)
	var out bytes.Buffer
	code := run(context.Background(), args, terminal{out: &out, err: &out, now: time.Now})
	if code == exitUsage || slices.ContainsFunc(missing, func(m string) bool { return strings.Contains(out.String(), m) }) {
		return fmt.Sprintf("exit %d\n%s", code, &out)
	}
	return ""
}

// tried notes a command and reports whether it was noted before.
func tried(work, line string) bool {
	name := filepath.Join(work, ".tmp", "tried")
	before, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) || slices.Contains(strings.Split(string(before), "\n"), line) {
		return true
	}
	return os.WriteFile(name, append(before, line+"\n"...), 0o600) != nil
}

// copied copies a script's folder, apart from what is there for the machine.
func copied(work string) (string, error) {
	dir, err := os.MkdirTemp("", "helps")
	if err != nil {
		return "", err
	}
	names, err := os.ReadDir(work)
	for _, n := range names {
		switch from, to := filepath.Join(work, n.Name()), filepath.Join(dir, n.Name()); {
		case n.Name() == ".tmp" || err != nil:
		case n.IsDir():
			err = os.CopyFS(to, os.DirFS(from))
		case n.Type().IsRegular():
			var b []byte
			if b, err = os.ReadFile(from); err == nil {
				err = os.WriteFile(to, b, 0o644)
			}
		}
	}
	return dir, err
}

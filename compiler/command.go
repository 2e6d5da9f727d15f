package compiler

import (
	"path/filepath"
	"slices"
	"strings"
)

// commands spells the commands that help, so that they work as they are
// printed: with the flags by which the project was named.
type commands struct {
	flags  []string // "-C", "examples/billing"
	single bool     // one document without a config, whose contract takes no name
}

// line is one command line for a POSIX shell: names, which are foreign, and
// flags of ours. A name that looks like a flag stands behind "--".
func (c commands) line(verb string, names []string, flags ...string) string {
	words := slices.Concat(names, flags, c.flags)
	if slices.ContainsFunc(names, func(n string) bool { return strings.HasPrefix(n, "-") }) {
		words = slices.Concat(flags, c.flags, []string{"--"}, names)
	}
	line := "rpcgen " + verb
	for _, word := range words {
		line += " " + shellWord(word)
	}
	return line
}

// unquoted are the characters that no shell takes for its own.
const unquoted = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:@%+,="

// shellWord quotes a word where a shell would read it as something else.
func shellWord(s string) string {
	if s != "" && strings.Trim(s, unquoted) == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// Command is the line that runs a command with some flags on this project.
func (p *Project) Command(verb string, flags ...string) string {
	return p.commands.line(verb, nil, flags...)
}

// Command is the line that runs a command on methods of this contract, which is
// named where the command takes its name.
func (t Target) Command(verb string, methods ...string) string {
	if verb == "review" || !t.commands.single && verb != "explain" && verb != "inspect" {
		methods = append([]string{t.ID}, methods...)
	}
	return t.commands.line(verb, methods)
}

// Command is the line that runs a command on the contract of the review.
func (r *Review) Command(verb string) string { return r.compilation.Target.Command(verb) }

// Decide says how the undecided methods get their entries.
func (r *Review) Decide() string { return r.compilation.decide(r.Undecided...) }

// Command is the line that runs a command with some flags on what was begun.
func (b *Begun) Command(verb string, flags ...string) string {
	return b.commands.line(verb, nil, flags...)
}

// Starting is the command that gives the contract an amendment.
func (t Target) Starting() string {
	folder := "."
	if t.commands.single {
		folder = filepath.Dir(t.Document)
	} else if i := slices.Index(t.commands.flags, "-C"); i >= 0 {
		folder = t.commands.flags[i+1]
	}
	document, flags := t.Document, []string(nil)
	if folder != "." {
		flags = []string{"-C", folder}
		if !t.commands.single {
			document = filepath.Join(folder, filepath.FromSlash(document))
		}
	}
	return commands{flags: flags}.line("init", []string{document}, "--name", t.ID)
}

// flagsOf are the flags that name the project of one document.
func (s Single) flagsOf() []string {
	var flags []string
	for _, f := range [][2]string{
		{"--document", s.Document}, {"--out", s.Out}, {"--package", s.Package}, {"--amendment", s.Amendment}, {"--root", s.Root},
	} {
		if f[1] != "" {
			flags = append(flags, f[:]...)
		}
	}
	return flags
}

// flagsOf are the flags that name the folder of a config.
func flagsOf(dir string) []string {
	if filepath.Clean(dir) == "." {
		return nil
	}
	return []string{"-C", dir}
}

package diag

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// Escape returns foreign text so that a terminal and the log of a CI system
// show it and do nothing else: what is not visible is spelled out, and no
// command of a CI system survives at the start of the text or inside it.
func Escape(s string) string { return defuse(spell(s)) }

// spell replaces what a reader would not see as itself: controls, line ends,
// format and bidi characters, broken UTF-8.
func spell(s string) string {
	if visible(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if source.Visible(r) {
			b.WriteString(s[i : i+size])
		} else {
			b.WriteString(spellRune(r, s[i:i+size]))
		}
		i += size
	}
	return b.String()
}

func visible(s string) bool {
	for _, r := range s {
		if !source.Visible(r) {
			return false
		}
	}
	return true
}

func spellRune(r rune, raw string) string {
	switch {
	case r == utf8.RuneError && len(raw) == 1:
		return fmt.Sprintf(`\x%02x`, raw[0])
	case r == '\n':
		return `\n`
	case r == '\r':
		return `\r`
	case r == '\t':
		return `\t`
	case r < utf8.RuneSelf:
		return fmt.Sprintf(`\x%02x`, r)
	case r > 0xffff:
		return fmt.Sprintf(`\U%08x`, r)
	default:
		return fmt.Sprintf(`\u%04x`, r)
	}
}

// defuse breaks the command markers of CI systems in one printed line. Runners
// look for "::" after leading blanks and for "##word[" anywhere.
func defuse(line string) string {
	if trimmed := strings.TrimLeft(line, " \t"); strings.HasPrefix(trimmed, "::") {
		line = line[:len(line)-len(trimmed)] + `\x3a` + trimmed[1:]
	}
	if !strings.Contains(line, "##") {
		return line
	}
	var b strings.Builder
	for i := range len(line) {
		if commandAt(line, i) {
			b.WriteString(commandMark)
			continue
		}
		b.WriteByte(line[i])
	}
	return b.String()
}

// commandMark stands for the second number sign of a command.
const commandMark = `\x23`

// commandAt reports whether the byte at i is the second number sign of
// "##word[", where word may be empty.
func commandAt(line string, i int) bool {
	if line[i] != '#' || i == 0 || line[i-1] != '#' {
		return false
	}
	const word = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_"
	return strings.HasPrefix(strings.TrimLeft(line[i+1:], word), "[")
}

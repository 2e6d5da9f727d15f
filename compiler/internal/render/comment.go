package render

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/openrpc-go/rpcgen/compiler/internal/plan"
)

// The comment writer is the first of the three doors through which document
// text reaches Go source. Every line begins with "// " and holds printable
// text only, so that no directive, no line break and no invisible character
// passes.

// Width of a comment's text. Words longer than it stay whole.
const commentWidth = 77

// commentText returns a comment block, "" for no text.
func commentText(text plan.Text) string {
	var lines []string
	for _, p := range text {
		for _, paragraph := range paragraphs(p) {
			if len(lines) > 0 {
				lines = append(lines, "//")
			}
			for _, line := range paragraph {
				if isCode(line) {
					lines = append(lines, strings.TrimRight("//"+line, "\t"))
				} else if p.Whole {
					lines = append(lines, "// "+line)
				} else {
					lines = append(lines, wrap(line)...)
				}
			}
		}
	}
	for i, line := range lines {
		if rest := strings.TrimLeft(line[2:], " \t"); strings.HasPrefix(rest, "+build") {
			lines[i] = strings.TrimSuffix(line, rest) + "'" + rest // else go vet takes it for a constraint
		}
	}
	return strings.Join(lines, "\n")
}

// oneLine returns the text as a comment that can stand at the end of a line;
// ok is false when it is longer than limit or several lines.
func oneLine(text plan.Text, limit int) (comment string, ok bool) {
	if len(text) != 1 {
		return "", false
	}
	all := paragraphs(text[0])
	if len(all) != 1 || len(all[0]) != 1 {
		return "", false
	}
	line := strings.TrimLeft(all[0][0], " \t")
	if strings.HasPrefix(line, "+build") || utf8.RuneCountInString(line) > limit {
		return "", false
	}
	return "// " + line, true
}

// paragraphs cuts clean text at blank lines, and within a paragraph at the
// items of a list; everything else flows, but for code, which stays as it is.
func paragraphs(p plan.Paragraph) [][]string {
	var out [][]string
	var current []string
	flush := func() {
		if len(current) > 0 {
			out = append(out, current)
		}
		current = nil
	}
	lines := strings.Split(clean(strings.ReplaceAll(p.Words, "\t", tab)), "\n")
	for i := 0; i < len(lines); i++ {
		line := singleSpaced(lines[i])
		before, end := fence(line, lines[i+1:])
		if end >= 0 {
			line = before
		}
		switch {
		case line == "":
			flush()
		case len(current) == 0 || listItem(line):
			current = append(current, line)
		default:
			current[len(current)-1] += " " + line
		}
		if end >= 0 {
			flush()
			current = code(lines[i+1 : i+1+end])
			flush()
			i += 1 + end
		}
	}
	flush()
	if !p.Ours {
		disarm(out)
	}
	return out
}

// listItem reports whether a line begins an item of a list.
func listItem(line string) bool {
	mark, _, found := strings.Cut(line, " ")
	if !found {
		return false
	}
	if mark == "-" || mark == "*" || mark == "+" {
		return true
	}
	digits := strings.TrimRight(mark, ".)")
	return digits != mark && digits != "" && strings.Trim(digits, "0123456789") == ""
}

// disarm keeps the document's words from being read as our markers.
func disarm(text [][]string) {
	for _, paragraph := range text {
		for i, line := range paragraph {
			if rest, marked := strings.CutPrefix(line, "Deprecated:"); marked {
				paragraph[i] = "Deprecated by the document:" + rest
			}
		}
	}
}

// singleSpaced returns clean text without spaces but single ones between words.
func singleSpaced(line string) string {
	if !strings.HasPrefix(line, " ") && !strings.HasSuffix(line, " ") && !strings.Contains(line, "  ") {
		return line
	}
	return strings.Join(strings.Fields(line), " ")
}

// wrap breaks a line of clean, single-spaced text into comment lines.
func wrap(line string) []string {
	if line != "" && utf8.RuneCountInString(line) <= commentWidth {
		return []string{"// " + line}
	}
	var out []string
	current, width := "//", 0
	for _, word := range strings.Fields(line) {
		n := utf8.RuneCountInString(word) + 1
		if width > 0 && width+n > commentWidth+1 {
			out = append(out, current)
			current, width = "//", 0
		}
		current += " " + word
		width += n
	}
	return append(out, current)
}

// clean replaces every character that is not plainly printable: breaks become
// newlines, spaces become spaces, the rest its code point in words.
func clean(text string) string {
	if plain(text) {
		return text
	}
	var b strings.Builder
	b.Grow(len(text))
	for i, r := range text {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(text[i:], "\uFFFD"):
			fmt.Fprintf(&b, `\x%02x`, text[i])
		case lineBreak(r):
			b.WriteByte('\n')
		case r == '\t' || unicode.Is(unicode.Zs, r):
			b.WriteByte(' ')
		case !unicode.IsPrint(r) || invisible(r):
			fmt.Fprintf(&b, `\u{%04X}`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// plain reports whether text is printable ASCII and newlines.
func plain(text string) bool {
	for i := range len(text) {
		if c := text[i]; (c < ' ' || c > '~') && c != '\n' {
			return false
		}
	}
	return true
}

func lineBreak(r rune) bool {
	switch r {
	case '\n', '\r', '\v', '\f', 0x85, 0x2028, 0x2029:
		return true
	default:
		return false
	}
}

// invisible reports letters and marks that print as nothing; the format and
// bidi controls are no printable characters to begin with.
func invisible(r rune) bool {
	switch {
	case r == 0x034F, r == 0x115F, r == 0x1160, r == 0x17B4, r == 0x17B5, r == 0x2800, r == 0x3164, r == 0xFFA0:
		return true
	case 0x180B <= r && r <= 0x180F, 0xFE00 <= r && r <= 0xFE0F, 0xE0100 <= r && r <= 0xE01EF:
		return true
	default:
		return false
	}
}

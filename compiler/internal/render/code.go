package render

import "strings"

// Documents show code between lines of three backticks, as Markdown does. In a
// Go comment it is indented.

const (
	fenceMark = "```"
	tab       = "    " // what a tab in a text is
)

// isCode reports whether a line of a paragraph is code.
func isCode(line string) bool { return strings.HasPrefix(line, "\t") }

// fence reports where code ends that line opens, as an index of the lines
// after it, -1 when it opens none that they close; before is what stands ahead
// of the mark.
func fence(line string, after []string) (before string, end int) {
	before, info, found := strings.Cut(line, fenceMark)
	if !found || strings.ContainsAny(info, "` ") || before != "" && !strings.HasSuffix(before, " ") {
		return "", -1
	}
	for i, line := range after {
		if strings.TrimSpace(line) == fenceMark {
			return strings.TrimSuffix(before, " "), i
		}
	}
	return "", -1
}

// code is the paragraph of what stands between two marks: a tab before every
// line, and no more common indentation than that.
func code(lines []string) []string {
	for len(lines) > 0 && strings.TrimSpace(lines[0]) == "" {
		lines = lines[1:]
	}
	for len(lines) > 0 && strings.TrimSpace(lines[len(lines)-1]) == "" {
		lines = lines[:len(lines)-1]
	}
	common := -1
	for _, line := range lines {
		if indent := len(line) - len(strings.TrimLeft(line, " ")); strings.TrimSpace(line) != "" && (common < 0 || indent < common) {
			common = indent
		}
	}
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = "\t"
		if strings.TrimSpace(line) != "" {
			out[i] += strings.TrimRight(line[common:], " ")
		}
	}
	return out
}

package render

import (
	"go/doc/comment"
	"strings"

	"github.com/openrpc-go/rpcgen/compiler/internal/plan"
)

// docText returns the comment above a declaration or a field, laid out as
// gofmt lays out doc comments: lists and headings have a form of their own.
func docText(text plan.Text) string {
	lines := commentText(text)
	if lines == "" || plainDoc(lines) {
		return lines
	}
	var words strings.Builder
	for line := range strings.SplitSeq(lines, "\n") {
		words.WriteString(strings.TrimPrefix(strings.TrimPrefix(line, "//"), " "))
		words.WriteByte('\n')
	}
	var parser comment.Parser
	var printer comment.Printer
	doc := parser.Parse(words.String())
	keepSentences(doc, words.String())
	return commented(strings.TrimSuffix(string(printer.Comment(doc)), "\n"))
}

// keepSentences undoes what Go does to a short paragraph between others: where
// it begins with a capital and ends without a full stop, it is taken for a
// heading. Documents write their descriptions like that; who means a heading
// marks it. With a full stop it stays the sentence that it is.
func keepSentences(doc *comment.Doc, words string) {
	for i, block := range doc.Content {
		h, ok := block.(*comment.Heading)
		if !ok || len(h.Text) != 1 {
			continue
		}
		text, ok := h.Text[0].(comment.Plain)
		if ok && !strings.Contains("\n"+words, "\n# "+string(text)+"\n") {
			doc.Content[i] = &comment.Paragraph{Text: []comment.Text{text + "."}}
		}
	}
}

// commented puts the comment's mark before every line.
func commented(text string) string {
	if text == "" {
		return ""
	}
	var b strings.Builder
	for line := range strings.SplitSeq(text, "\n") {
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		switch {
		case line == "":
			b.WriteString("//")
		case line[0] == '\t':
			b.WriteString("//" + line)
		default:
			b.WriteString("// " + line)
		}
	}
	return b.String()
}

// plainDoc reports whether comment lines surely stay as they are: one paragraph
// whose lines begin with a letter and that holds nothing with a meaning.
func plainDoc(lines string) bool {
	if strings.ContainsAny(lines, "[`'") {
		return false
	}
	for line := range strings.SplitSeq(lines, "\n") {
		if len(line) < 4 || line[2] != ' ' || !letter(line[3]) {
			return false
		}
	}
	return true
}

func letter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

package plan

import "strings"

// Text is document text for a doc comment, not yet escaped: the comment writer
// of render does that. Paragraphs are separate.
type Text []Paragraph

// Paragraph is one paragraph. Ours says that we wrote it, the marker at its
// start included; every other paragraph is the document's. Whole keeps it on
// one line, so that a command in it can be copied.
type Paragraph struct {
	Words string
	Ours  bool
	Whole bool
}

// Limits of document text in comments, in runes. The whole text stays in the
// document; a comment is for orientation.
const (
	textLimit  = 1000
	fieldLimit = 400
)

// words makes the document's text paragraphs of at most limit runes together.
func words(limit int, texts ...string) Text {
	var out Text
	for _, text := range texts {
		text = strings.TrimSpace(text)
		if text == "" || contains(out, text) {
			continue
		}
		short, cut := cutRunes(text, limit)
		out = append(out, Paragraph{Words: short})
		if limit -= len(short); cut || limit <= 0 {
			break
		}
	}
	return out
}

// contains reports whether a text was already said, as documents often give
// the same words as title, summary and description.
func contains(said Text, text string) bool {
	for _, p := range said {
		if strings.TrimRight(p.Words, ". ") == strings.TrimRight(text, ". ") {
			return true
		}
	}
	return false
}

// cutRunes shortens text to limit runes at a space where there is one.
func cutRunes(text string, limit int) (string, bool) {
	if len(text) <= limit { // in bytes, of which a rune has one at least
		return text, false
	}
	runes := []rune(text)
	if len(runes) <= limit {
		return text, false
	}
	short := string(runes[:limit])
	if i := strings.LastIndexAny(short, " \n\t"); i > len(short)/2 {
		short = short[:i]
	}
	return short + " ...", true
}

func ours(words string) Paragraph { return Paragraph{Words: words, Ours: true} }

// lead joins a Go name and the document's first words the way Go doc comments
// begin, as in "GetBalance returns the balance" or "GetBalance: the balance".
func lead(name, text string) string {
	first, rest, _ := strings.Cut(text, " ")
	if verb(first) {
		return name + " " + strings.ToLower(first) + " " + rest
	}
	return name + ": " + text
}

// verb guesses whether word is a verb in the third person at the start of a
// sentence: "Returns", "Gets", not "This", "Address" or "URLs".
func verb(word string) bool {
	if len(word) < 4 || !strings.HasSuffix(word, "s") || strings.HasSuffix(word, "ss") || word == "This" {
		return false
	}
	for i, c := range []byte(word) {
		upper := 'A' <= c && c <= 'Z'
		if upper != (i == 0) || !upper && (c < 'a' || c > 'z') {
			return false
		}
	}
	return true
}

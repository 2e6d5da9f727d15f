package plan

import (
	"fmt"
	"strings"
	"unicode"
)

// initialisms are written in capitals as one word. The list is pinned:
// changing it renames exported API.
var initialisms = wordSet(`ACL API ASCII CPU CSS DNS EOF GUID HTML HTTP HTTPS ID IP JSON JWT LHS QPS RAM RHS RPC SLA SMTP
	SQL SSH TCP TLS TTL UDP UI UID UUID URI URL UTF8 VM XML XMPP XSRF XSS`)

func wordSet(list string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(list) {
		set[w] = true
	}
	return set
}

// spelled gives punctuation a word where it carries the meaning.
var spelled = map[rune]string{
	'!': "Not", '"': "Quote", '#': "Hash", '$': "Dollar", '%': "Percent", '&': "And", '\'': "Apostrophe",
	'(': "Open", ')': "Close", '*': "Star", '+': "Plus", ',': "Comma", '-': "Minus", '.': "Dot", '/': "Slash",
	':': "Colon", ';': "Semicolon", '<': "Less", '=': "Equal", '>': "Greater", '?': "Question", '@': "At",
	'[': "OpenBracket", '\\': "Backslash", ']': "CloseBracket", '^': "Caret", '_': "Underscore", '`': "Backquote",
	'{': "OpenBrace", '|': "Or", '}': "CloseBrace", '~': "Tilde", ' ': "Space",
}

// style says what punctuation becomes.
type style uint8

const (
	plain   style = iota // separates words
	valued               // separators separate, operators are words: for enum values
	literal              // every mark is a word: the last resort before a digest
)

// exported makes an exported Go identifier of any text: only ASCII letters and
// digits and the accented Latin letters come through; other letters become
// their code points, so that names that look alike differ. It is "" when the
// text holds nothing to make a name of.
func exported(text string, s style) string {
	name := joined(text, s)
	if name != "" && name[0] >= '0' && name[0] <= '9' {
		return "N" + name
	}
	return name
}

// joined is exported for text that follows another name.
func joined(text string, s style) string {
	var b strings.Builder
	for _, w := range split(text, s) {
		b.WriteString(capital(w))
	}
	return b.String()
}

// named is exported with the fallbacks that always give a name.
func named(text string) string {
	if name := exported(text, plain); name != "" {
		return name
	}
	if name := exported(text, literal); name != "" {
		return name
	}
	return "Empty"
}

// capital writes one word as part of an exported name.
func capital(w string) string {
	upper := strings.ToUpper(w)
	if initialisms[upper] {
		return upper
	}
	if singular, ok := strings.CutSuffix(upper, "S"); ok && initialisms[singular] && len(w) > 2 {
		return singular + "s"
	}
	r := []rune(w)
	r[0] = unicode.ToUpper(r[0])
	return string(r)
}

// split cuts text into words: at punctuation, and where camel case turns.
func split(text string, s style) []string {
	text = lowered(text)
	var words []string
	var word []rune
	flush := func() {
		words = append(words, camel(word)...)
		word = word[:0]
	}
	for i, r := range text {
		switch {
		case letter(r) || digit(r):
			word = append(word, r)
		case r == 'ß':
			word = append(word, 's', 's')
		case r < 0x80:
			flush()
			if mark := markWord(text, i, r, s); mark != "" {
				words = append(words, mark)
			}
		default:
			flush()
			words = append(words, fmt.Sprintf("U%04X", r))
		}
	}
	flush()
	return words
}

// lowered writes what is shouted in text in small letters.
func lowered(text string) string {
	var b strings.Builder
	copied, start := 0, -1 // of the run of letters and digits at hand
	end := func(at int) {
		if start >= 0 && shouted(text[start:at]) {
			b.WriteString(text[copied:start])
			b.WriteString(strings.ToLower(text[start:at]))
			copied = at
		}
		start = -1
	}
	for i, r := range text {
		if r != '_' && !unicode.IsLetter(r) && !unicode.IsNumber(r) {
			end(i)
		} else if start < 0 {
			start = i
		}
	}
	end(len(text))
	if copied == 0 {
		return text
	}
	return b.String() + text[copied:]
}

// shouted reports whether a run of letters is words all in capitals, or a long
// one: "TXN_STATUS", "SUCCEEDED". A short one is an acronym.
func shouted(run string) bool {
	const acronym = 5
	letters, marks := 0, false
	for _, r := range run {
		switch {
		case 'A' <= r && r <= 'Z':
			letters++
		case digit(r):
		case r == '_':
			marks = true
		default:
			return false
		}
	}
	return letters > acronym || letters > 1 && marks
}

// markWord is the word for the ASCII mark r at text[i:], "" for a separator.
func markWord(text string, i int, r rune, s style) string {
	switch {
	case s == plain:
		return ""
	case s == literal && spelled[r] == "":
		return fmt.Sprintf("U%04X", r) // a control character
	case s == literal:
		return spelled[r]
	case r == '-' && i == 0:
		return spelled[r] // a sign
	case strings.ContainsRune("-_./: ,", r):
		return ""
	default:
		return spelled[r]
	}
}

// camel cuts a run of letters and digits where the case turns: "userID" gives
// user, ID; "HTMLParser" HTML, Parser; "sha256Sum" sha256, Sum; "URLs" stays.
func camel(word []rune) []string {
	var out []string
	start := 0
	for i := 1; i < len(word); i++ {
		if i > start && turns(word, start, i) {
			out = append(out, string(word[start:i]))
			start = i
		}
	}
	if start < len(word) {
		out = append(out, string(word[start:]))
	}
	return out
}

func turns(word []rune, start, i int) bool {
	if !unicode.IsUpper(word[i]) {
		return false
	}
	if !unicode.IsUpper(word[i-1]) {
		return true
	}
	next := i + 1
	return next < len(word) && unicode.IsLower(word[next]) && !plural(word[start:], next-start)
}

// plural reports whether the word is an initialism with a plural s at index i
// and ends, or turns, right after it.
func plural(word []rune, i int) bool {
	if word[i] != 's' || !initialisms[string(word[:i])] {
		return false
	}
	return i+1 == len(word) || unicode.IsUpper(word[i+1])
}

func digit(r rune) bool { return '0' <= r && r <= '9' }

// letter admits ASCII and the accented letters of Latin-1 and Latin Extended-A
// that cannot be taken for another letter and have both cases.
func letter(r rune) bool {
	switch {
	case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z':
		return true
	case r < 0xC0 || r > 0x17E:
		return false
	}
	cased := unicode.ToUpper(r) != r || unicode.ToLower(r) != r
	return cased && !strings.ContainsRune("ıİÿŸ", r)
}

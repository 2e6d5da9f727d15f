package plan

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// declaredError is one code and all that the document says about it.
type declaredError struct {
	code     int64
	messages []string // different ones, in document order
	methods  []string // wire names, in document order
	data     []*dataShape
}

// maxMessages is how many different messages of one code are looked at.
const maxMessages = 8

// declared collects the errors of the planned methods by code, in order of codes.
func (b *builder) declared() []*declaredError {
	byCode := map[int64]*declaredError{}
	var all []*declaredError
	for _, m := range b.methods {
		for _, e := range m.source.Errors {
			d := byCode[e.Code]
			if d == nil {
				d = &declaredError{code: e.Code}
				byCode[e.Code] = d
				all = append(all, d)
			}
			if e.Message != "" && len(d.messages) <= maxMessages && !slices.Contains(d.messages, e.Message) {
				d.messages = append(d.messages, e.Message)
			}
			// Methods come one after another, so a repeat is the last one.
			if n := len(d.methods); n == 0 || d.methods[n-1] != m.Wire {
				d.methods = append(d.methods, m.Wire)
			}
		}
	}
	slices.SortFunc(all, func(x, y *declaredError) int {
		switch {
		case x.code < y.code:
			return -1
		case x.code > y.code:
			return 1
		}
		return 0
	})
	return all
}

// nameWords is how many words of a message still make a name.
const nameWords = 8

// names are the Go names an error may get: the words of its message when there
// is one message and it is short, else its code.
func (d *declaredError) names() []string {
	code := "ErrCode" + joined(strconv.FormatInt(d.code, 10), valued)
	if len(d.messages) != 1 {
		return []string{code}
	}
	message := strings.Map(unadorned, d.messages[0])
	word := joined(message, plain)
	if word == "" || len(word) > 50 || len(split(message, plain)) > nameWords || strings.ContainsFunc(message, foreign) {
		return []string{code}
	}
	return []string{"Err" + word, code}
}

// unadorned takes dashes, quotes and pictures of other alphabets for spaces.
func unadorned(r rune) rune {
	if r >= 0x80 && !unicode.IsLetter(r) {
		return ' '
	}
	return r
}

// foreign reports a letter that names cannot hold: it would be written by its
// number.
func foreign(r rune) bool { return unicode.IsLetter(r) && !letter(r) && r != 'ß' }

// listed is how many methods a doc comment names.
const listed = 3

// doc begins without the Go name, which comes in front.
func (d *declaredError) doc() Text {
	line := "is error code " + strconv.FormatInt(d.code, 10) + " of " + methodList(d.methods)
	for i, message := range d.messages {
		line += []string{": ", "; "}[min(i, 1)] + message
	}
	return words(fieldLimit, line)
}

// methodList names the first few of methods.
func methodList(methods []string) string {
	var line string
	for i, m := range methods {
		if i == listed {
			return line + " and " + strconv.Itoa(len(methods)-listed) + " more"
		}
		if i > 0 {
			line += ", "
		}
		line += quoteName(m)
	}
	return line
}

package render

import (
	"fmt"
	"go/token"
	"strconv"
	"strings"
)

// quoted is the second door: an interpreted string literal in ASCII.
func quoted(s string) string { return strconv.QuoteToASCII(s) }

// raw is quoted for JSON, which is easier to read between back quotes. What is
// not printable ASCII, and a back quote, is never printed that way.
func raw(s string) string {
	for _, c := range []byte(s) {
		if c < ' ' || c > '~' || c == '`' {
			return quoted(s)
		}
	}
	return "`" + s + "`"
}

// tag writes the struct tag of a member. A plain name stands as Go programmers
// write it; any other is quoted as json v2 does, in ASCII, with the comma and
// the quotes escaped so that no reader of tags cuts it in two.
func tag(name, option string) string {
	if plainTag(name) {
		return "`json:\"" + name + option + "\"`"
	}
	inner := "'" + escapeTag(name) + "'"
	return strconv.QuoteToASCII("json:" + strconv.QuoteToASCII(inner+option))
}

// inlineTag is the tag of the field that keeps all other members.
const inlineTag = "`json:\",inline\"`"

// plainTag reports whether every reader of tags takes name as it stands:
// printable ASCII without quotes, backslash and comma.
func plainTag(name string) bool {
	if name == "" || name == "-" {
		return false
	}
	for _, c := range []byte(name) {
		if c < ' ' || c > '~' || strings.IndexByte("\"'`,\\", c) >= 0 {
			return false
		}
	}
	return true
}

// escapeTag writes name as the inside of a single-quoted Go string.
func escapeTag(name string) string {
	inner := strconv.QuoteToASCII(name)
	inner = inner[1 : len(inner)-1]
	inner = strings.ReplaceAll(inner, `\"`, `\x22`)
	inner = strings.ReplaceAll(inner, `'`, `\x27`)
	return strings.ReplaceAll(inner, `,`, `\x2c`)
}

// id is the third door: an identifier of the letters that the plan admits. Any
// other is a bug in the plan, and no file is printed.
func (p *printer) id(name string) string {
	if !admitted(name) {
		p.fail(fmt.Errorf("render: the plan names something %q, which is no admitted identifier", name))
		return "_"
	}
	return name
}

func admitted(name string) bool {
	if !token.IsIdentifier(name) {
		return false
	}
	for _, r := range name {
		if r > 0x17F {
			return false
		}
	}
	return true
}

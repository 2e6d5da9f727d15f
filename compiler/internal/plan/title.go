package plan

import (
	"strings"

	rt "github.com/openrpc-go/rpcgen/runtime/schema"
)

// Titles beyond these bounds are sentences, not names.
const (
	titleLimit = 40
	titleWords = 6
)

// generic titles say what JSON is, not what the value means.
var generic = wordSet(`any array bool boolean data false float int integer item items list map name nil null number object
	objects params properties property response result root schema string title true tuple type types unknown value values void`)

// plurals are written behind a word, as in "Address(es)".
var plurals = strings.NewReplacer("(s)", "", "(es)", "")

// titleName is the name that a title makes, "" for one that is none.
func titleName(title string) string {
	title = plurals.Replace(strings.TrimSpace(title))
	name := exported(title, plain)
	if len(name) > titleLimit || len(split(title, plain)) > titleWords || generic[fold(name)] || strings.HasSuffix(title, ".") {
		return ""
	}
	return name
}

// titled shares one type among the inline schemas that have the same title and
// say the same: key is what they share, "" for a schema that shares nothing.
func (s *shaper) titled(f *form, o *origin) (key string) {
	switch f.class {
	case structClass, tupleClass, enumClass, unionClass:
	default:
		return ""
	}
	if f.class == structClass && f.empty() {
		return ""
	}
	if o.component != "" || o.title == "" {
		return ""
	}
	return o.title + "\x00" + s.likeness.of(o.node)
}

// titleOf is the name that the title of an inline schema makes.
func (s *shaper) titleOf(n *rt.Node) string { return titleName(s.title(n)) }

// titles counts the types that want the name of a title: only one that nobody
// else has may become a name.
func (s *shaper) titles(used []*Decl) map[string]int {
	count := map[string]int{}
	for _, d := range used {
		if title := s.origins[d].title; title != "" {
			count[fold(title)]++
		}
	}
	return count
}

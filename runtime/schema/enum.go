package schema

import (
	"github.com/openrpc-go/rpcgen/runtime/internal/scan"
)

// enumRule is a set of admitted values.
type enumRule struct {
	types   Types
	texts   []string // as written
	list    []string // short sets of strings, by what they stand for
	strings map[string]struct{}
	scalars map[string]bool // true, false, null
	numbers []decimal
	others  [][]byte // arrays and objects
}

// shortSet is the size up to which strings are compared one after the other.
const shortSet = 8

func (p *program) enum(n *Node) *enumRule {
	if n.Enum == nil {
		return nil
	}
	r := &enumRule{texts: n.Enum, scalars: map[string]bool{}, strings: map[string]struct{}{}}
	for _, text := range n.Enum {
		b := []byte(text)
		if err := scan.Valid(b, scan.Limits{Depth: scan.MaxDepth}); err != nil {
			p.refuse(n, "enum value is not JSON: %v", err)
			continue
		}
		r.add(b[scan.Space(b, 0):])
	}
	if len(r.strings) <= shortSet {
		for _, text := range n.Enum { // in document order
			if s, ok := unquoted(text); ok {
				r.list = append(r.list, s)
			}
		}
		r.strings = nil
	}
	return r
}

func unquoted(text string) (string, bool) {
	if len(text) == 0 || text[0] != '"' {
		return "", false
	}
	return string(scan.Unquote(nil, []byte(text))), true
}

func (r *enumRule) add(b []byte) {
	switch b[0] {
	case '"':
		r.types |= TypeString
		r.strings[string(scan.Unquote(nil, b))] = struct{}{}
	case 't', 'f':
		r.types |= TypeBoolean
		r.scalars[string(b)] = true
	case 'n':
		r.types |= TypeNull
		r.scalars[string(b)] = true
	case '[':
		r.types |= TypeArray
		r.others = append(r.others, b)
	case '{':
		r.types |= TypeObject
		r.others = append(r.others, b)
	default:
		d := decimalOf(string(b))
		if r.types |= TypeInteger; !d.integer() {
			r.types |= TypeNumber
		}
		r.numbers = append(r.numbers, *d)
	}
}

// hasString reports whether the set holds s.
func (r *enumRule) hasString(s []byte) bool {
	if r.strings != nil {
		_, ok := r.strings[string(s)]
		return ok
	}
	for _, v := range r.list {
		if v == string(s) {
			return true
		}
	}
	return false
}

func (r *enumRule) hasNumber(d *decimal) bool {
	for k := range r.numbers {
		if d.compare(&r.numbers[k]) == 0 {
			return true
		}
	}
	return false
}

// listsString reports whether the set holds s, or whether it may go without.
func (m *machine) listsString(r *enumRule, s []byte) bool {
	return r.hasString(s) || m.keepUnknown && r.several(TypeString)
}

func (m *machine) listsNumber(r *enumRule, d *decimal) bool {
	return r.hasNumber(d) || m.keepUnknown && r.several(TypeNumber|TypeInteger)
}

func (m *machine) listsInt(r *enumRule, n int64) bool {
	var d decimal
	d.setInt(n)
	return m.listsNumber(r, &d)
}

// several reports whether r lists more than one value and some are of kind.
func (r *enumRule) several(kind Types) bool { return len(r.texts) > 1 && r.types&kind != 0 }

// hasContainer reports whether the set holds the array or object b[i:].
func (m *machine) hasContainer(r *enumRule, i int) bool {
	for _, v := range r.others {
		if m.equal(m.Text, i, v, 0) {
			return true
		}
	}
	return false
}

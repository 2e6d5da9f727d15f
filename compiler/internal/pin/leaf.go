package pin

import (
	"encoding/binary"

	rt "github.com/openrpc-go/rpcgen/runtime/schema"
)

// leaves are the forms of schemas that lead to no other. Nearly all schemas of a
// document are such, and most of them say the same few things: what says the
// same has one form.
type leaves struct {
	reader reader
	known  map[*rt.Node]int
	saying map[string]int // by all that a form says
	form   form           // of the schema at hand
	key    []byte
}

// below returns the number of the form of a schema that stands below another.
// Branches are not below: they apply to the same value and are counted, so that
// each keeps a form of its own.
func (s *shapes) below(n *rt.Node) int {
	if !leaf(n) {
		return s.number(n)
	}
	l := &s.leaves
	if i, ok := l.known[n]; ok {
		return i
	}
	l.form = form{node: n}
	l.reader.begin(&l.form)
	l.reader.all(n)
	key := l.spell(&l.form)
	i, ok := l.saying[string(key)]
	if !ok {
		kept := l.form
		kept.rules = l.reader.texts()
		i = len(s.forms)
		s.forms = append(s.forms, &kept)
		l.saying[string(key)] = i
	}
	l.known[n] = i
	return i
}

// spell spells all that a form without links and branches says.
func (l *leaves) spell(f *form) []byte {
	key := append(l.key[:0], 0)
	if f.nullable {
		key[0] = 1
	}
	key = binary.AppendUvarint(key, uint64(len(f.usage)))
	for _, u := range f.usage {
		key = append(binary.AppendUvarint(key, uint64(len(u))), u...)
	}
	for _, rule := range l.reader.inOrder() {
		key = append(binary.AppendUvarint(key, uint64(len(rule))), rule...)
	}
	l.key = key
	return key
}

// leaf reports whether a schema leads to no other.
func leaf(n *rt.Node) bool {
	if len(n.AllOf)+len(n.AnyOf)+len(n.OneOf) > 0 || n.Not != nil || n.If != nil || n.Then != nil || n.Else != nil || n.Discriminator != nil {
		return false
	}
	if a := n.Array; a != nil && (len(a.Prefix) > 0 || a.Items != nil || a.Contains != nil || a.Unevaluated != nil) {
		return false
	}
	o := n.Object
	return o == nil || len(o.Properties)+len(o.Patterns)+len(o.DependentSchemas) == 0 && o.Additional == nil && o.Names == nil && o.Unevaluated == nil
}

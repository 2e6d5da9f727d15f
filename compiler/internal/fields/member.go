package fields

import (
	"fmt"
	"strings"

	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// Get returns the value of the member, or nil.
func (o Object) Get(name string) *source.Node { return o.Node.Get(name) }

// Has reports whether the member is there, whatever its value.
func (o Object) Has(name string) bool { return o.Node.Get(name) != nil }

// Require reports the members that are missing.
func (o Object) Require(names ...string) {
	if o.Node == nil {
		return
	}
	for _, name := range names {
		if !o.Has(name) {
			o.r.Report(o.Node, MissingKey, "%s has no %q", o.what, name)
		}
	}
}

// Text returns the member's text; "" when it is absent or faulty.
func (o Object) Text(name string) string {
	n := o.Get(name)
	if n == nil {
		return ""
	}
	return o.r.Text(n, quote(name))
}

// Foreign returns the member's text as it is, for words that are repeated from
// elsewhere: they may be blank or long. It is "" when absent or faulty.
func (o Object) Foreign(name string) string {
	n := o.Get(name)
	if n == nil {
		return ""
	}
	if n.Kind != source.String {
		o.r.wrongType(n, quote(name), "a text")
		return ""
	}
	return n.Text
}

// Items returns the items of a list member; none when it is absent or faulty.
func (o Object) Items(name string) []*source.Node {
	n := o.Get(name)
	if n == nil {
		return nil
	}
	if n.Kind != source.Array {
		o.r.wrongType(n, quote(name), "a list")
		return nil
	}
	return n.Items
}

// Texts returns the texts of a list member that must not be empty.
func (o Object) Texts(name string) []string {
	items := o.Items(name)
	if n := o.Get(name); n != nil && n.Kind == source.Array && len(items) == 0 {
		o.r.Report(n, Empty, "%q is empty", name).Advice = "give it items, or remove it"
	}
	var texts []string
	for _, item := range items {
		if s := o.r.Text(item, "an item of "+quote(name)); s != "" {
			texts = append(texts, s)
		}
	}
	return texts
}

// Bool returns the member's value, and whether it is there and right.
func (o Object) Bool(name string) (value, ok bool) {
	n := o.Get(name)
	if n == nil {
		return false, false
	}
	if n.Kind != source.Bool {
		o.r.wrongType(n, quote(name), "true or false")
		return false, false
	}
	return n.Text == "true", true
}

// Enum returns the member's value when it is one of those given, else the
// zero value.
func Enum[T ~string](o Object, name string, values ...T) T {
	n := o.Get(name)
	if n == nil {
		return ""
	}
	return EnumAt(o.r, n, quote(name), values...)
}

// EnumAt reads n, described by what, as one of the values.
func EnumAt[T ~string](r *Reader, n *source.Node, what string, values ...T) T {
	names := make([]string, len(values))
	for i, v := range values {
		if n.Kind == source.String && n.Text == string(v) {
			return v
		}
		names[i] = string(v)
	}
	d := r.Report(n, WrongValue, "%s must be %s, found %s", what, orList(names), describe(n))
	if n.Kind == source.String {
		if near := diag.Nearest(n.Text, names); near != "" {
			d.Advice = fmt.Sprintf("did you mean %q?", near)
		}
	}
	return ""
}

// Text reads n, described by what, as a text that is not empty.
func (r *Reader) Text(n *source.Node, what string) string {
	switch {
	case n.Kind != source.String:
		r.wrongType(n, what, "a text")
		return ""
	case strings.TrimSpace(n.Text) == "":
		r.Report(n, Empty, "%s is empty", what).Advice = "give it a text, or remove it"
		return ""
	case len(n.Text) > TextLimit:
		r.Report(n, WrongValue, "%s is longer than %d bytes", what, TextLimit)
		return ""
	}
	return n.Text
}

func quote(name string) string { return fmt.Sprintf("%q", name) }

// orList joins names as a person would: a, b or c.
func orList(names []string) string {
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

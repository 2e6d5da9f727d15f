package openrpc

import (
	"strings"

	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// object reads the members of one JSON object. What it finds wrong goes to
// report: a fault that cannot change a call is a warning, others are errors.
type object struct {
	reader *reader
	node   *source.Node
	what   string // for messages: "method", "content descriptor"
	report func(diag.Diagnostic)
}

func (r *reader) object(n *source.Node, what string, report func(diag.Diagnostic)) object {
	return object{reader: r, node: n, what: what, report: report}
}

// role is an object and what it is read as.
type role struct {
	node *source.Node
	what string
}

// split is the part of an object's members that its kind does not define.
type split struct{ extensions, unknown []source.Member }

// text returns the string member name, or "" when it is absent or not a string.
func (o object) text(name string) string {
	n := o.node.Get(name)
	if n == nil {
		return ""
	}
	if n.Kind != source.String {
		o.report(diag.Warn(n, CodeWrongType, "%q of the %s is %s, not a string; it is left out", name, o.what, kindOf(n)))
		return ""
	}
	return n.Text
}

// flag returns the boolean member name, false when it is absent. A wrong
// type is an error when the flag bears on calls.
func (o object) flag(name string, bears bool) bool {
	n := o.node.Get(name)
	switch {
	case n == nil:
		return false
	case n.Kind == source.Bool:
		return n.Text == "true"
	case bears:
		o.report(diag.At(n, CodeWrongType, "%q of the %s is %s, not true or false", name, o.what, kindOf(n)))
	default:
		o.report(diag.Warn(n, CodeWrongType, "%q of the %s is %s, not true or false; it is taken as false", name, o.what, kindOf(n)))
	}
	return false
}

// list returns the items of the array member name. A wrong type is an error
// when the list bears on calls.
func (o object) list(name string, bears bool) []*source.Node {
	n := o.node.Get(name)
	switch {
	case n == nil:
		return nil
	case n.Kind == source.Array:
		return n.Items
	case bears:
		o.report(diag.At(n, CodeWrongType, "%q of the %s is %s, not an array", name, o.what, kindOf(n)))
	default:
		o.report(diag.Warn(n, CodeWrongType, "%q of the %s is %s, not an array; it is left out", name, o.what, kindOf(n)))
	}
	return nil
}

// rest splits the members that known does not list into extensions and
// unknown ones. It reports the unknown ones, which may be spelling mistakes,
// and extensions that look as if they wanted to grant something, once for an
// object that many methods refer to.
func (o object) rest(known []string) (extensions, unknown []source.Member) {
	key := role{o.node, o.what}
	s, ok := o.reader.splits[key]
	if !ok {
		s = o.split(known)
		if len(o.node.Members) > 16 || len(s.extensions)+len(s.unknown) > 0 {
			o.reader.splits[key] = s
		}
	}
	return s.extensions, s.unknown
}

func (o object) split(known []string) (s split) {
	for _, m := range o.node.Members {
		switch {
		case has(known, m.Name):
		case strings.HasPrefix(m.Name, "x-"):
			s.extensions = append(s.extensions, m)
			if looksLikeGrant(m.Name) {
				o.report(atName(m, diag.Note, CodeGrantIgnored, "%q of the %s grants nothing: only the amendment does", m.Name, o.what))
			}
		default:
			s.unknown = append(s.unknown, m)
			d := atName(m, diag.Warning, CodeUnknownMember, "the %s has a member %q that OpenRPC does not know", o.what, m.Name)
			if near := diag.Nearest(m.Name, known); near != "" {
				d = d.WithAdvice("did you mean " + quote(near) + "?")
			}
			o.report(d)
		}
	}
	return s
}

// atName returns a diagnostic at the name of a member.
func atName(m source.Member, s diag.Severity, code, format string, args ...any) diag.Diagnostic {
	d := diag.AtName(m, code, format, args...)
	d.Severity = s
	return d
}

// grantWords are the words by which documents have tried to say who may call
// a method, or how harmless it is.
var grantWords = []string{
	"access", "agent", "agents", "allow", "allowed", "approval", "approve", "approved", "auth", "authority",
	"authorization", "authorize", "authorized", "capability", "capabilities", "destructive", "effect", "effects",
	"grant", "granted", "grants", "harmless", "idempotent", "mutation", "permission", "permissions", "permit",
	"policy", "privilege", "readonly", "right", "rights", "role", "roles", "rpcgen", "safe", "scope", "scopes",
	"sideeffect", "sideeffects", "trust", "trusted",
}

func looksLikeGrant(name string) bool {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return r < 'a' || r > 'z' })
	for i, w := range words {
		if has(grantWords, w) || w == "only" && i > 0 && words[i-1] == "read" {
			return true
		}
	}
	return false
}

func has(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// same reports whether two values are the same word for word.
func same(a, b *source.Node) bool {
	if a == nil || b == nil || a == b {
		return a == b
	}
	if a.Kind != b.Kind || a.Text != b.Text || len(a.Items) != len(b.Items) || len(a.Members) != len(b.Members) {
		return false
	}
	for i := range a.Items {
		if !same(a.Items[i], b.Items[i]) {
			return false
		}
	}
	for i := range a.Members {
		if a.Members[i].Name != b.Members[i].Name || !same(a.Members[i].Value, b.Members[i].Value) {
			return false
		}
	}
	return true
}

// kindOf names the kind of a value for messages.
func kindOf(n *source.Node) string {
	switch n.Kind {
	case source.Null:
		return "null"
	case source.Bool:
		return "a boolean"
	case source.Number:
		return "a number"
	case source.String:
		return "a string"
	case source.Array:
		return "an array"
	case source.Object:
		return "an object"
	}
	return "of an unknown kind"
}

func quote(s string) string { return "\"" + s + "\"" }

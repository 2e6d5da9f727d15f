package amendment

import (
	"regexp"
	"slices"
	"strconv"

	rt "github.com/openrpc-go/rpcgen/runtime/schema"
)

// every stands in a pointer for all elements of a list.
const every = "*"

// anything is the schema of a place that nothing is said about.
var anything = &rt.Node{}

// reach returns the schemas of the place that tokens lead to from n, none when
// the schema has no such place. What a branch of a union declares counts.
func reach(n *rt.Node, tokens []string) []*rt.Node {
	at := []*rt.Node{n}
	for _, token := range tokens {
		at = step(at, token)
	}
	return at
}

// step takes one step from any of the schemas, which hold for one place.
func step(sites []*rt.Node, token string) []*rt.Node {
	w := stepper{token: token, seen: map[*rt.Node]bool{}}
	for _, n := range sites {
		w.visit(n)
	}
	if len(w.found) == 0 && w.free() {
		return []*rt.Node{anything}
	}
	return w.found
}

// stepper collects the schemas one step away, and whether anything would have
// been admitted there.
type stepper struct {
	token    string
	seen     map[*rt.Node]bool
	found    []*rt.Node
	declares bool // some schema on the way names members or elements of its own
	closed   bool // some schema on the way admits nothing else
	holds    bool // a list or an object is admitted
}

// free reports whether the schemas say nothing about members or elements:
// what was not declared cannot be mistyped.
func (w *stepper) free() bool { return w.holds && !w.declares && !w.closed }

func (w *stepper) visit(n *rt.Node) {
	if n == nil || w.seen[n] {
		return
	}
	w.seen[n] = true
	if n.Object != nil {
		w.object(n.Object)
	}
	if n.Array != nil {
		w.array(n.Array)
	}
	w.holds = w.holds || kinds(n)&(rt.TypeObject|rt.TypeArray) != 0
	for _, branch := range applied(n) {
		w.visit(branch)
	}
}

// applied lists the schemas that may hold for the same place as n.
func applied(n *rt.Node) []*rt.Node {
	all := slices.Concat(n.AllOf, n.AnyOf, n.OneOf)
	all = append(all, n.Then, n.Else)
	if n.Object != nil {
		for _, d := range n.Object.DependentSchemas {
			all = append(all, d.Node)
		}
	}
	return all
}

func (w *stepper) add(n *rt.Node) {
	if !slices.Contains(w.found, n) {
		w.found = append(w.found, n)
	}
}

func (w *stepper) object(o *rt.ObjectRules) {
	w.declares = w.declares || len(o.Properties) > 0 || len(o.Patterns) > 0
	known := false
	for _, p := range o.Properties {
		if p.Name == w.token || w.token == every {
			known = true
			w.add(p.Node)
		}
	}
	for _, p := range o.Patterns {
		if re, err := regexp.Compile(p.Pattern.RE2); err == nil && re.MatchString(w.token) || w.token == every {
			known = true
			w.add(p.Node)
		}
	}
	switch {
	case o.Additional != nil && o.Additional.Never:
		w.closed = true
	case o.AdditionalDeclared && !known:
		w.add(orAnything(o.Additional))
	}
}

func (w *stepper) array(a *rt.ArrayRules) {
	i, err := strconv.Atoi(w.token)
	if w.token == every {
		for _, n := range a.Prefix {
			w.add(n)
		}
	} else if err != nil || i < 0 {
		return
	} else if i < len(a.Prefix) {
		w.add(a.Prefix[i])
		return
	}
	if a.Items != nil && !a.Items.Never {
		w.add(a.Items)
	}
	w.declares = w.declares || a.Items != nil || len(a.Prefix) > 0
}

func orAnything(n *rt.Node) *rt.Node {
	if n == nil {
		return anything
	}
	return n
}

// Sets of types that rules are about.
const (
	allTypes = rt.TypeNull | rt.TypeBoolean | rt.TypeInteger | rt.TypeNumber | rt.TypeString | rt.TypeArray | rt.TypeObject
	numbers  = rt.TypeInteger | rt.TypeNumber
)

// kinds returns the types that a schema can admit; it may name one too many,
// never one too few.
func kinds(n *rt.Node) rt.Types { return kindsWithin(n, 32) }

func kindsWithin(n *rt.Node, depth int) rt.Types {
	if n == nil || depth == 0 {
		return allTypes
	}
	if n.Never {
		return 0
	}
	k := n.Types
	if k == 0 {
		k = allTypes
	}
	if k&rt.TypeNumber != 0 {
		k |= rt.TypeInteger
	}
	if n.Enum != nil {
		var listed rt.Types
		for _, literal := range n.Enum {
			listed |= rt.TypeOf(literal)
		}
		if listed&rt.TypeInteger != 0 {
			listed |= numbers
		}
		k &= listed
	}
	for _, part := range n.AllOf {
		k &= kindsWithin(part, depth-1)
	}
	for _, union := range [][]*rt.Node{n.AnyOf, n.OneOf} {
		if len(union) == 0 {
			continue
		}
		var any rt.Types
		for _, branch := range union {
			any |= kindsWithin(branch, depth-1)
		}
		k &= any
	}
	return k
}

// kindsOf is kinds of schemas of which any may hold.
func kindsOf(sites []*rt.Node) rt.Types {
	var k rt.Types
	for _, n := range sites {
		k |= kinds(n)
	}
	return k
}

// typeNames are the words for types, in the order in which they are listed.
var typeNames = []struct {
	t    rt.Types
	name string
}{
	{rt.TypeNull, "null"}, {rt.TypeBoolean, "boolean"}, {rt.TypeNumber, "number"}, {rt.TypeInteger, "integer"},
	{rt.TypeString, "string"}, {rt.TypeArray, "array"}, {rt.TypeObject, "object"},
}

// spellTypes names a set of types: "string or null".
func spellTypes(k rt.Types) string {
	if k&rt.TypeNumber != 0 {
		k &^= rt.TypeInteger
	}
	out := ""
	for _, t := range typeNames {
		if k&t.t == 0 {
			continue
		}
		if out != "" {
			out += " or "
		}
		out += t.name
	}
	if out == "" {
		return "nothing"
	}
	return out
}

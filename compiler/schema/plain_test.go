package schema_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/openrpc-go/rpcgen/runtime/canonical"
	rt "github.com/openrpc-go/rpcgen/runtime/schema"
)

// plain is the meaning of a node spelled out as simply as possible, over
// decoded values: slow, without errors and without limits. It tells a wrong
// translation from a wrong engine.
type plain struct {
	members  map[string]bool // evaluated
	elements map[int]bool
}

func (p *plain) take(q plain) {
	for name := range q.members {
		p.members[name] = true
	}
	for i := range q.elements {
		p.elements[i] = true
	}
}

func plainCheck(n *rt.Node, src []byte) bool {
	d := json.NewDecoder(bytes.NewReader(src))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return false
	}
	_, ok := plainNode(n, v)
	return ok
}

func plainNode(n *rt.Node, v any) (plain, bool) {
	p := plain{map[string]bool{}, map[int]bool{}}
	if n.Never || !plainType(n, v) || n.Enum != nil && !slices.Contains(n.Enum, plainJSON(v)) {
		return p, false
	}
	ok := true
	switch v := v.(type) {
	case json.Number:
		ok = n.Number == nil || plainNumber(n.Number, string(v))
	case string:
		ok = n.String == nil || plainString(n.String, v)
	case []any:
		ok = n.Array == nil || plainArray(n.Array, v, &p)
	case map[string]any:
		ok = n.Object == nil || plainObject(n.Object, v, &p)
	}
	return p, plainBranches(n, v, &p) && ok && plainUnevaluated(n, v, &p)
}

func plainBranches(n *rt.Node, v any, p *plain) bool {
	ok := true
	for _, b := range n.AllOf {
		q, fits := plainNode(b, v)
		ok = ok && fits
		p.take(q)
	}
	count := func(branches []*rt.Node) (fit int) {
		for _, b := range branches {
			if q, fits := plainNode(b, v); fits {
				fit++
				p.take(q)
			}
		}
		return fit
	}
	ok = (n.AnyOf == nil || count(n.AnyOf) > 0) && (n.OneOf == nil || count(n.OneOf) == 1) && ok
	if n.Not != nil {
		_, fits := plainNode(n.Not, v)
		ok = ok && !fits
	}
	if n.If != nil {
		q, fits := plainNode(n.If, v)
		then := n.Else
		if fits {
			p.take(q)
			then = n.Then
		}
		if then != nil {
			q, fits := plainNode(then, v)
			ok = ok && fits
			p.take(q)
		}
	}
	return ok
}

func plainUnevaluated(n *rt.Node, v any, p *plain) bool {
	ok := true
	if list, is := v.([]any); is && n.Array != nil && n.Array.Unevaluated != nil {
		for i, item := range list {
			if !p.elements[i] {
				_, fits := plainNode(n.Array.Unevaluated, item)
				ok = ok && fits
				p.elements[i] = true
			}
		}
	}
	if object, is := v.(map[string]any); is && n.Object != nil && n.Object.Unevaluated != nil {
		for name, item := range object {
			if !p.members[name] {
				_, fits := plainNode(n.Object.Unevaluated, item)
				ok = ok && fits
				p.members[name] = true
			}
		}
	}
	return ok
}

func plainType(n *rt.Node, v any) bool {
	if n.Types == 0 {
		return true
	}
	switch v := v.(type) {
	case nil:
		return n.Types&rt.TypeNull != 0
	case bool:
		return n.Types&rt.TypeBoolean != 0
	case string:
		return n.Types&rt.TypeString != 0
	case []any:
		return n.Types&rt.TypeArray != 0
	case map[string]any:
		return n.Types&rt.TypeObject != 0
	default:
		literal := string(v.(json.Number))
		whole := rat(literal).IsInt() && !(n.StrictInteger && strings.ContainsAny(literal, ".eE"))
		return n.Types&rt.TypeNumber != 0 || n.Types&rt.TypeInteger != 0 && whole
	}
}

func rat(literal string) *big.Rat {
	r, ok := new(big.Rat).SetString(literal)
	if !ok {
		panic("not a number: " + literal)
	}
	return r
}

func plainNumber(r *rt.NumberRules, literal string) bool {
	v := rat(literal)
	if r.MultipleOf != "" && !new(big.Rat).Quo(v, rat(r.MultipleOf)).IsInt() {
		return false
	}
	return (r.Minimum == "" || v.Cmp(rat(r.Minimum)) >= 0) && (r.Maximum == "" || v.Cmp(rat(r.Maximum)) <= 0) &&
		(r.ExclusiveMinimum == "" || v.Cmp(rat(r.ExclusiveMinimum)) > 0) &&
		(r.ExclusiveMaximum == "" || v.Cmp(rat(r.ExclusiveMaximum)) < 0)
}

func plainString(r *rt.StringRules, s string) bool {
	return between(utf8.RuneCountInString(s), r.MinLength, r.MaxLength) &&
		(r.Pattern == nil || regexp.MustCompile(r.Pattern.RE2).MatchString(s))
}

func between(n int, low, high *uint64) bool {
	return (low == nil || uint64(n) >= *low) && (high == nil || uint64(n) <= *high)
}

func plainJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	out, err := canonical.JSON(nil, b)
	if err != nil {
		return "no canonical form"
	}
	return string(out)
}

func plainArray(r *rt.ArrayRules, list []any, p *plain) bool {
	ok := between(len(list), r.MinItems, r.MaxItems)
	seen, contained := map[string]bool{}, 0
	for i, item := range list {
		n := r.Items
		if i < len(r.Prefix) {
			n = r.Prefix[i]
		}
		if n != nil {
			_, fits := plainNode(n, item)
			ok = ok && fits
			p.elements[i] = true
		}
		ok = ok && !(r.Unique && seen[plainJSON(item)])
		seen[plainJSON(item)] = true
		if r.Contains != nil {
			if _, fits := plainNode(r.Contains, item); fits {
				contained++
				p.elements[i] = true
			}
		}
	}
	low := r.MinContains
	if one := uint64(1); low == nil {
		low = &one
	}
	return ok && (r.Contains == nil || between(contained, low, r.MaxContains))
}

func plainObject(r *rt.ObjectRules, object map[string]any, p *plain) bool {
	ok := between(len(object), r.MinProperties, r.MaxProperties)
	named := map[string]bool{}
	check := func(n *rt.Node, name string) {
		_, fits := plainNode(n, object[name])
		ok = ok && fits
		named[name], p.members[name] = true, true
	}
	for _, property := range r.Properties {
		if _, there := object[property.Name]; there {
			check(property.Node, property.Name)
		} else if property.Required {
			ok = false
		}
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		for _, pattern := range r.Patterns {
			if regexp.MustCompile(pattern.Pattern.RE2).MatchString(name) {
				check(pattern.Node, name)
			}
		}
		if !named[name] && r.Additional != nil {
			check(r.Additional, name)
		}
		if r.Names != nil {
			_, fits := plainNode(r.Names, name)
			ok = ok && fits
		}
	}
	return plainRequired(r, object, p) && ok
}

func plainRequired(r *rt.ObjectRules, object map[string]any, p *plain) bool {
	there := func(name string) bool { _, ok := object[name]; return ok }
	ok := true
	for _, name := range r.Required {
		ok = ok && there(name)
	}
	for _, d := range r.DependentRequired {
		for _, name := range d.Needs {
			ok = ok && (there(name) || !there(d.Name))
		}
	}
	for _, d := range r.DependentSchemas {
		if there(d.Name) {
			q, fits := plainNode(d.Node, object)
			ok = ok && fits
			p.take(q)
		}
	}
	return ok
}

package plan

import (
	"strings"

	rt "github.com/openrpc-go/rpcgen/runtime/schema"
)

func (v *view) array() *form {
	a := v.elements()
	switch {
	case a == nil:
	case len(v.arrays) > 1:
		return raw(v, ReasonAllOf)
	case len(a.Prefix) > 0 && uniform(a) == nil:
		return &form{class: arrayClass, view: v, reason: ReasonTuple}
	}
	return &form{class: arrayClass, view: v}
}

// uniform is the one node of all elements of a tuple, nil when they differ, or
// when more may follow that nobody describes.
func uniform(a *rt.ArrayRules) *rt.Node {
	first := a.Prefix[0]
	for _, n := range a.Prefix[1:] {
		if !alike(n, first) {
			return nil
		}
	}
	switch {
	case a.Items == nil && plainScalar(first) == nil, a.Items != nil && !a.Items.Never && !alike(a.Items, first):
		return nil
	default:
		return first
	}
}

// alike reports whether two elements surely have one Go type.
func alike(a, b *rt.Node) bool {
	if a == b {
		return true
	}
	x, y := plainScalar(a), plainScalar(b)
	return x != nil && x == y && nullable(a) == nullable(b)
}

// plainScalar is the Go type of an inline scalar without enum, nil of others.
func plainScalar(n *rt.Node) Type {
	v := viewOf(n)
	if v.never || v.listed || len(v.unions) > 0 || !strings.Contains(n.ID, "/") {
		return nil
	}
	switch f := plainForm(v); f.class {
	case boolClass, integerClass, numberClass, stringClass:
		return f.base
	default:
		return nil
	}
}

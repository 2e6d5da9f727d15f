package schema

import "slices"

// Constant returns the only value that nodes admit together, as canonical
// JSON: what their enums, and those of the parts of their allOf, have in
// common. It is false where there are several values, or none, and for null,
// which a Go type has of its own.
func Constant(nodes ...*Node) (literal string, ok bool) {
	if len(nodes) == 1 && len(nodes[0].AllOf) == 0 && len(nodes[0].Enum) != 1 {
		return "", false // most of them
	}
	var c constants
	for _, n := range nodes {
		c.add(n)
	}
	if !c.listed || c.over || len(c.values) != 1 || c.values[0] == "null" {
		return "", false
	}
	return c.values[0], true
}

type constants struct {
	values []string
	listed bool
	over   bool
	seen   []*Node // at most maxParts
}

func (c *constants) add(n *Node) {
	if slices.Contains(c.seen, n) || c.over {
		return
	}
	if len(c.seen) == maxParts {
		c.over = true
		return
	}
	c.seen = append(c.seen, n)
	if n.Enum != nil && !c.listed {
		c.values, c.listed = n.Enum, true
	} else if n.Enum != nil {
		c.values = slices.DeleteFunc(slices.Clone(c.values), func(v string) bool { return !slices.Contains(n.Enum, v) })
	}
	for _, part := range n.AllOf {
		c.add(part)
	}
}

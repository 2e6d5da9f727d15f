package drift

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/openrpc-go/rpcgen/runtime/schema"
)

// keyword is a rule of a node that is not a schema itself. value spells it; ""
// is a rule that is not there.
type keyword struct {
	name  string
	value func(n *schema.Node) string
}

// keywords is what a node can say itself, in the order in which it is told.
var keywords = []keyword{
	{"never", func(n *schema.Node) string { return truth(n.Never) }},
	{"type", func(n *schema.Node) string { return types(n.Types) }},
	{"strictInteger", func(n *schema.Node) string { return truth(n.StrictInteger) }},
	{"enum", func(n *schema.Node) string { return list(n.Enum) }},

	number("minimum", func(r *schema.NumberRules) string { return r.Minimum }),
	number("maximum", func(r *schema.NumberRules) string { return r.Maximum }),
	number("exclusiveMinimum", func(r *schema.NumberRules) string { return r.ExclusiveMinimum }),
	number("exclusiveMaximum", func(r *schema.NumberRules) string { return r.ExclusiveMaximum }),
	number("multipleOf", func(r *schema.NumberRules) string { return r.MultipleOf }),

	text("minLength", func(r *schema.StringRules) string { return count(r.MinLength) }),
	text("maxLength", func(r *schema.StringRules) string { return count(r.MaxLength) }),
	text("pattern", func(r *schema.StringRules) string {
		if r.Pattern == nil {
			return ""
		}
		return r.Pattern.Source
	}),
	text("format", func(r *schema.StringRules) string { return r.Format }),
	text("assertFormat", func(r *schema.StringRules) string { return truth(r.AssertFormat) }),
	text("contentEncoding", func(r *schema.StringRules) string { return r.ContentEncoding }),
	text("contentMediaType", func(r *schema.StringRules) string { return r.ContentMediaType }),

	array("minItems", func(r *schema.ArrayRules) string { return count(r.MinItems) }),
	array("maxItems", func(r *schema.ArrayRules) string { return count(r.MaxItems) }),
	array("uniqueItems", func(r *schema.ArrayRules) string { return truth(r.Unique) }),
	array("minContains", func(r *schema.ArrayRules) string { return count(r.MinContains) }),
	array("maxContains", func(r *schema.ArrayRules) string { return count(r.MaxContains) }),

	object("minProperties", func(r *schema.ObjectRules) string { return count(r.MinProperties) }),
	object("maxProperties", func(r *schema.ObjectRules) string { return count(r.MaxProperties) }),
	object("required", func(r *schema.ObjectRules) string { return names(r.Required) }),
	object("dependentRequired", func(r *schema.ObjectRules) string {
		parts := make([]string, len(r.DependentRequired))
		for i, d := range r.DependentRequired {
			parts[i] = quote(d.Name) + ": " + names(d.Needs)
		}
		return strings.Join(parts, ", ")
	}),
	object("extra members may be sent", func(r *schema.ObjectRules) string { return truth(r.AdditionalDeclared) }),

	{"discriminator", func(n *schema.Node) string {
		if n.Discriminator == nil {
			return ""
		}
		return n.Discriminator.Property
	}},
}

func number(name string, value func(*schema.NumberRules) string) keyword {
	return keyword{name, func(n *schema.Node) string {
		if n.Number == nil {
			return ""
		}
		return value(n.Number)
	}}
}

func text(name string, value func(*schema.StringRules) string) keyword {
	return keyword{name, func(n *schema.Node) string {
		if n.String == nil {
			return ""
		}
		return value(n.String)
	}}
}

func array(name string, value func(*schema.ArrayRules) string) keyword {
	return keyword{name, func(n *schema.Node) string {
		if n.Array == nil {
			return ""
		}
		return value(n.Array)
	}}
}

func object(name string, value func(*schema.ObjectRules) string) keyword {
	return keyword{name, func(n *schema.Node) string {
		if n.Object == nil {
			return ""
		}
		return value(n.Object)
	}}
}

func truth(b bool) string {
	if b {
		return "true"
	}
	return ""
}

func count(n *uint64) string {
	if n == nil {
		return ""
	}
	return strconv.FormatUint(*n, 10)
}

// typeNames are in the order in which people list types.
var typeNames = []struct {
	bit  schema.Types
	name string
}{
	{schema.TypeObject, "object"}, {schema.TypeArray, "array"}, {schema.TypeString, "string"},
	{schema.TypeNumber, "number"}, {schema.TypeInteger, "integer"}, {schema.TypeBoolean, "boolean"}, {schema.TypeNull, "null"},
}

func types(t schema.Types) string {
	if t&schema.TypeNumber != 0 {
		t &^= schema.TypeInteger // number says so
	}
	var out []string
	for _, n := range typeNames {
		if t&n.bit != 0 {
			out = append(out, n.name)
		}
	}
	return strings.Join(out, " or ")
}

// list spells values in no order.
func list(values []string) string {
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	return strings.Join(sorted, ", ")
}

func names(list []string) string {
	quoted := make([]string, len(list))
	for i, name := range list {
		quoted[i] = quote(name)
	}
	slices.Sort(quoted)
	return strings.Join(quoted, ", ")
}

// quote spells a name as JSON does.
func quote(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err) // a string is always written
	}
	return string(b)
}

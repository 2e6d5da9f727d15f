package compiled

import "github.com/openrpc-go/rpcgen/runtime/schema"

// member is one member of a node in contract.json. The table below is the
// whole format of a node: Marshal writes the members in its order and Read
// takes no other, no unknown one, and none that says nothing.
type member struct {
	name   string
	has    func(n *schema.Node) bool
	encode func(e *encoder, dst []byte, n *schema.Node) ([]byte, error)
	decode func(d *decoder, n *schema.Node, at value) error
	// children calls use with every node that the member refers to.
	children func(n *schema.Node, use func(*schema.Node))
}

var (
	members      []member
	memberNumber = map[string]int{} // by name
)

func init() { // a table that refers to functions that refer to it
	members = []member{
		boolean("never", own(func(n *schema.Node) *bool { return &n.Never })),
		typesMember("type"),
		boolean("strictInteger", own(func(n *schema.Node) *bool { return &n.StrictInteger })),
		enumMember("enum"),

		literal("minimum", number(func(r *schema.NumberRules) *string { return &r.Minimum })),
		literal("maximum", number(func(r *schema.NumberRules) *string { return &r.Maximum })),
		literal("exclusiveMinimum", number(func(r *schema.NumberRules) *string { return &r.ExclusiveMinimum })),
		literal("exclusiveMaximum", number(func(r *schema.NumberRules) *string { return &r.ExclusiveMaximum })),
		literal("multipleOf", number(func(r *schema.NumberRules) *string { return &r.MultipleOf })),

		count("minLength", text(func(r *schema.StringRules) **uint64 { return &r.MinLength })),
		count("maxLength", text(func(r *schema.StringRules) **uint64 { return &r.MaxLength })),
		patternMember("pattern"),
		word("format", text(func(r *schema.StringRules) *string { return &r.Format })),
		boolean("assertFormat", text(func(r *schema.StringRules) *bool { return &r.AssertFormat })),
		word("contentEncoding", text(func(r *schema.StringRules) *string { return &r.ContentEncoding })),
		word("contentMediaType", text(func(r *schema.StringRules) *string { return &r.ContentMediaType })),

		nodes("prefixItems", array(func(r *schema.ArrayRules) *[]*schema.Node { return &r.Prefix })),
		node("items", array(func(r *schema.ArrayRules) **schema.Node { return &r.Items })),
		count("minItems", array(func(r *schema.ArrayRules) **uint64 { return &r.MinItems })),
		count("maxItems", array(func(r *schema.ArrayRules) **uint64 { return &r.MaxItems })),
		boolean("uniqueItems", array(func(r *schema.ArrayRules) *bool { return &r.Unique })),
		node("contains", array(func(r *schema.ArrayRules) **schema.Node { return &r.Contains })),
		count("minContains", array(func(r *schema.ArrayRules) **uint64 { return &r.MinContains })),
		count("maxContains", array(func(r *schema.ArrayRules) **uint64 { return &r.MaxContains })),
		node("unevaluatedItems", array(func(r *schema.ArrayRules) **schema.Node { return &r.Unevaluated })),

		propertiesMember("properties"),
		requiredMember("required"), // after properties: it marks them
		patternPropertiesMember("patternProperties"),
		node("additionalProperties", object(func(r *schema.ObjectRules) **schema.Node { return &r.Additional })),
		boolean("additionalDeclared", object(func(r *schema.ObjectRules) *bool { return &r.AdditionalDeclared })),
		node("propertyNames", object(func(r *schema.ObjectRules) **schema.Node { return &r.Names })),
		count("minProperties", object(func(r *schema.ObjectRules) **uint64 { return &r.MinProperties })),
		count("maxProperties", object(func(r *schema.ObjectRules) **uint64 { return &r.MaxProperties })),
		dependentRequiredMember("dependentRequired"),
		dependentSchemasMember("dependentSchemas"),
		node("unevaluatedProperties", object(func(r *schema.ObjectRules) **schema.Node { return &r.Unevaluated })),

		nodes("allOf", own(func(n *schema.Node) *[]*schema.Node { return &n.AllOf })),
		nodes("anyOf", own(func(n *schema.Node) *[]*schema.Node { return &n.AnyOf })),
		nodes("oneOf", own(func(n *schema.Node) *[]*schema.Node { return &n.OneOf })),
		node("not", own(func(n *schema.Node) **schema.Node { return &n.Not })),
		node("if", own(func(n *schema.Node) **schema.Node { return &n.If })),
		node("then", own(func(n *schema.Node) **schema.Node { return &n.Then })),
		node("else", own(func(n *schema.Node) **schema.Node { return &n.Else })),
		discriminatorMember("discriminator"),

		boolean("sensitive", own(func(n *schema.Node) *bool { return &n.Sensitive })),
		annotationsMember("annotations"),
	}
	for i, m := range members {
		memberNumber[m.name] = i
	}
}

// eachChild calls use with every node that n refers to.
func eachChild(n *schema.Node, use func(*schema.Node)) {
	for i := range members {
		if m := &members[i]; m.children != nil && m.has(n) {
			m.children(n, use)
		}
	}
}

// place finds a field of a node, or nil when the rules that hold it are absent
// and are not to be made.
type place[T any] func(n *schema.Node, create bool) *T

func own[T any](pick func(*schema.Node) *T) place[T] {
	return func(n *schema.Node, _ bool) *T { return pick(n) }
}

func number[T any](pick func(*schema.NumberRules) *T) place[T] {
	return within(func(n *schema.Node) **schema.NumberRules { return &n.Number }, pick)
}

func text[T any](pick func(*schema.StringRules) *T) place[T] {
	return within(func(n *schema.Node) **schema.StringRules { return &n.String }, pick)
}

func array[T any](pick func(*schema.ArrayRules) *T) place[T] {
	return within(func(n *schema.Node) **schema.ArrayRules { return &n.Array }, pick)
}

func object[T any](pick func(*schema.ObjectRules) *T) place[T] {
	return within(func(n *schema.Node) **schema.ObjectRules { return &n.Object }, pick)
}

func within[R, T any](rules func(*schema.Node) **R, pick func(*R) *T) place[T] {
	return func(n *schema.Node, create bool) *T {
		r := rules(n)
		if *r == nil {
			if !create {
				return nil
			}
			*r = new(R)
		}
		return pick(*r)
	}
}

// get returns the field, or its zero value when there is none.
func (p place[T]) get(n *schema.Node) (v T) {
	if f := p(n, false); f != nil {
		return *f
	}
	return v
}

package compiled

import (
	"errors"
	"fmt"
	"slices"

	"github.com/openrpc-go/rpcgen/runtime/canonical"
	"github.com/openrpc-go/rpcgen/runtime/internal/scan"
	"github.com/openrpc-go/rpcgen/runtime/schema"
)

type typeName struct {
	bit  schema.Types
	name string
}

var typeNames = []typeName{
	{schema.TypeNull, "null"}, {schema.TypeBoolean, "boolean"}, {schema.TypeInteger, "integer"},
	{schema.TypeNumber, "number"}, {schema.TypeString, "string"}, {schema.TypeArray, "array"}, {schema.TypeObject, "object"},
}

// typesMember is the set of types: one as a string, more as an array.
func typesMember(name string) member {
	return member{
		name: name,
		has:  func(n *schema.Node) bool { return n.Types != 0 },
		encode: func(_ *encoder, dst []byte, n *schema.Node) ([]byte, error) {
			var names []string
			rest := n.Types
			for _, t := range typeNames {
				if n.Types&t.bit != 0 {
					names = append(names, t.name)
					rest &^= t.bit
				}
			}
			if rest != 0 {
				return nil, fmt.Errorf("unknown type bits %b", rest)
			}
			if len(names) == 1 {
				return scan.AppendQuote(dst, names[0]), nil
			}
			return appendStrings(dst, names)
		},
		decode: func(d *decoder, n *schema.Node, v value) error {
			names, err := d.stringOrStrings(v)
			if err != nil {
				return err
			}
			at := -1
			for _, s := range names {
				i := slices.IndexFunc(typeNames, func(t typeName) bool { return t.name == s })
				if i <= at {
					return d.fail(v, "is not a set of types in order")
				}
				at = i
				n.Types |= typeNames[i].bit
			}
			return nil
		},
	}
}

func appendStrings(dst []byte, list []string) ([]byte, error) {
	return appendArray(dst, list, func(dst []byte, _ int, s string) ([]byte, error) { return appendText(dst, s) })
}

// enumMember lists values. An empty list is not the same as none.
func enumMember(name string) member {
	return member{
		name: name,
		has:  func(n *schema.Node) bool { return n.Enum != nil },
		encode: func(_ *encoder, dst []byte, n *schema.Node) ([]byte, error) {
			return appendArray(dst, n.Enum, func(dst []byte, _ int, s string) ([]byte, error) {
				out, err := canonical.JSON(dst, []byte(s))
				if err == nil && string(out[len(dst):]) != s {
					err = errors.New("is not canonical JSON")
				}
				if err != nil {
					return nil, fmt.Errorf("value %.80q: %w", s, err)
				}
				return out, nil
			})
		},
		decode: func(d *decoder, n *schema.Node, v value) error {
			n.Enum = []string{}
			return d.elements(v, func(_ int, v value) error {
				b, err := canonical.JSON(nil, d.raw(v))
				n.Enum = append(n.Enum, string(b))
				return err
			})
		},
	}
}

// patternMember is the source alone when RE2 spells it alike.
func patternMember(name string) member {
	at := text(func(r *schema.StringRules) **schema.Pattern { return &r.Pattern })
	return member{
		name: name,
		has:  func(n *schema.Node) bool { return at.get(n) != nil },
		encode: func(_ *encoder, dst []byte, n *schema.Node) ([]byte, error) {
			return appendPattern(dst, *at.get(n))
		},
		decode: func(d *decoder, n *schema.Node, v value) error {
			p, err := d.pattern(v)
			*at(n, true) = &p
			return err
		},
	}
}

func appendPattern(dst []byte, p schema.Pattern) ([]byte, error) {
	if p.Source == p.RE2 {
		return appendText(dst, p.Source)
	}
	return appendObject(dst, []word2{{"source", p.Source}, {"re2", p.RE2}}, word2.first, func(dst []byte, w word2) ([]byte, error) {
		return appendText(dst, w[1])
	})
}

// word2 is a member whose name and value are both texts.
type word2 [2]string

func (w word2) first() string { return w[0] }

func (d *decoder) pattern(v value) (p schema.Pattern, err error) {
	if d.src[v.start] == '"' {
		p.Source, err = d.text(v)
		p.RE2 = p.Source
		return p, err
	}
	err = d.members(v, []string{"source", "re2"}, func(name string, v value) error {
		s, err := d.text(v)
		if name == "source" {
			p.Source = s
		} else {
			p.RE2 = s
		}
		return err
	})
	if err == nil && p.Source == p.RE2 {
		err = d.fail(v, "says one pattern twice")
	}
	return p, err
}

var properties = object(func(r *schema.ObjectRules) *[]schema.Property { return &r.Properties })

// propertiesMember keeps the order of the document in the order of members.
func propertiesMember(name string) member {
	return propertyList(name, properties)
}

func dependentSchemasMember(name string) member {
	return propertyList(name, object(func(r *schema.ObjectRules) *[]schema.Property { return &r.DependentSchemas }))
}

func propertyList(name string, at place[[]schema.Property]) member {
	path := func(n *schema.Node, of string) string {
		if name == "properties" {
			return n.ID + property(of)
		}
		return n.ID + "/" + name + property(of)
	}
	return member{
		name: name,
		has:  func(n *schema.Node) bool { return len(at.get(n)) > 0 },
		children: func(n *schema.Node, use func(*schema.Node)) {
			for _, p := range at.get(n) {
				use(p.Node)
			}
		},
		encode: func(e *encoder, dst []byte, n *schema.Node) ([]byte, error) {
			return appendObject(dst, at.get(n), func(p schema.Property) string { return p.Name }, func(dst []byte, p schema.Property) ([]byte, error) {
				return e.node(dst, p.Node, path(n, p.Name))
			})
		},
		decode: func(d *decoder, n *schema.Node, v value) error {
			list := at(n, true)
			return d.members(v, nil, func(name string, v value) error {
				child, err := d.node(v, path(n, name))
				*list = append(*list, schema.Property{Name: name, Node: child})
				return err
			})
		},
	}
}

// requiredMember names the properties that are required, in their order, and
// then the required names that have no property, in theirs.
func requiredMember(name string) member {
	return member{
		name: name,
		has:  func(n *schema.Node) bool { return len(required(n)) > 0 },
		encode: func(_ *encoder, dst []byte, n *schema.Node) ([]byte, error) {
			return appendStrings(dst, required(n))
		},
		decode: func(d *decoder, n *schema.Node, v value) error {
			names, err := d.strings(v)
			if err != nil {
				return err
			}
			list := *properties(n, true)
			next := 0
			for _, name := range names {
				for next < len(list) && list[next].Name != name {
					next++
				}
				if next < len(list) {
					list[next].Required = true
				} else {
					n.Object.Required = append(n.Object.Required, name)
				}
			}
			return d.checkRequired(v, n)
		},
	}
}

func required(n *schema.Node) []string {
	if n.Object == nil {
		return nil
	}
	var names []string
	for _, p := range n.Object.Properties {
		if p.Required {
			names = append(names, p.Name)
		}
	}
	return append(names, n.Object.Required...)
}

// checkRequired refuses a required name that has a property but did not come
// in the order of properties.
func (d *decoder) checkRequired(v value, n *schema.Node) error {
	for _, p := range n.Object.Properties {
		if slices.Contains(n.Object.Required, p.Name) {
			return d.fail(v, "is not in the order of properties")
		}
	}
	return nil
}

// patternPropertiesMember is an array of {"pattern", "schema"}: its order is
// that of the document, and one pattern may stand there twice.
func patternPropertiesMember(name string) member {
	at := object(func(r *schema.ObjectRules) *[]schema.PatternProperty { return &r.Patterns })
	return member{
		name: name,
		has:  func(n *schema.Node) bool { return len(at.get(n)) > 0 },
		children: func(n *schema.Node, use func(*schema.Node)) {
			for _, p := range at.get(n) {
				use(p.Node)
			}
		},
		encode: func(e *encoder, dst []byte, n *schema.Node) ([]byte, error) {
			return appendArray(dst, at.get(n), func(dst []byte, i int, p schema.PatternProperty) ([]byte, error) {
				dst, err := appendPattern(append(dst, `{"pattern":`...), p.Pattern)
				if err != nil {
					return nil, err
				}
				dst, err = e.node(append(dst, `,"schema":`...), p.Node, n.ID+"/{"+escaper.Replace(p.Pattern.Source)+"}")
				return append(dst, '}'), err
			})
		},
		decode: func(d *decoder, n *schema.Node, v value) error {
			list := at(n, true)
			return d.elements(v, func(i int, v value) error {
				var p schema.PatternProperty
				err := d.members(v, []string{"pattern", "schema"}, func(member string, v value) (err error) {
					if member == "pattern" {
						p.Pattern, err = d.pattern(v)
					} else {
						p.Node, err = d.node(v, n.ID+"/{"+escaper.Replace(p.Pattern.Source)+"}")
					}
					return err
				})
				*list = append(*list, p)
				return err
			})
		},
	}
}

func dependentRequiredMember(name string) member {
	at := object(func(r *schema.ObjectRules) *[]schema.Dependency { return &r.DependentRequired })
	return member{
		name: name,
		has:  func(n *schema.Node) bool { return len(at.get(n)) > 0 },
		encode: func(_ *encoder, dst []byte, n *schema.Node) ([]byte, error) {
			return appendObject(dst, at.get(n), func(x schema.Dependency) string { return x.Name }, func(dst []byte, x schema.Dependency) ([]byte, error) {
				return appendStrings(dst, x.Needs)
			})
		},
		decode: func(d *decoder, n *schema.Node, v value) error {
			list := at(n, true)
			return d.members(v, nil, func(name string, v value) error {
				needs, err := d.strings(v)
				*list = append(*list, schema.Dependency{Name: name, Needs: needs})
				return err
			})
		},
	}
}

// annotationsMember is an array of [name, value], both texts: a value may be a
// short form that is no JSON.
func annotationsMember(name string) member {
	return member{
		name: name,
		has:  func(n *schema.Node) bool { return len(n.Annotations) > 0 },
		encode: func(_ *encoder, dst []byte, n *schema.Node) ([]byte, error) {
			return appendArray(dst, n.Annotations, func(dst []byte, _ int, a schema.Annotation) ([]byte, error) {
				return appendStrings(dst, []string{a.Name, a.Value})
			})
		},
		decode: func(d *decoder, n *schema.Node, v value) error {
			return d.elements(v, func(_ int, v value) error {
				pair, err := d.strings(v)
				if err != nil {
					return err
				}
				if len(pair) != 2 {
					return d.fail(v, "is not a name and a value")
				}
				n.Annotations = append(n.Annotations, schema.Annotation{Name: pair[0], Value: pair[1]})
				return nil
			})
		},
	}
}

func discriminatorMember(name string) member {
	return member{
		name: name,
		has:  func(n *schema.Node) bool { return n.Discriminator != nil },
		children: func(n *schema.Node, use func(*schema.Node)) {
			for _, c := range n.Discriminator.Mapping {
				use(c.Node)
			}
		},
		encode: func(e *encoder, dst []byte, n *schema.Node) ([]byte, error) {
			dst, err := appendText(append(dst, `{"property":`...), n.Discriminator.Property)
			if err != nil {
				return nil, err
			}
			dst, err = appendObject(append(dst, `,"mapping":`...), n.Discriminator.Mapping,
				func(c schema.DiscriminatorCase) string { return c.Value },
				func(dst []byte, c schema.DiscriminatorCase) ([]byte, error) {
					return e.node(dst, c.Node, n.ID+"/"+name+property(c.Value))
				})
			return append(dst, '}'), err
		},
		decode: func(d *decoder, n *schema.Node, v value) error {
			n.Discriminator = new(schema.Discriminator)
			return d.members(v, []string{"property", "mapping"}, func(member string, v value) (err error) {
				if member == "property" {
					n.Discriminator.Property, err = d.text(v)
					return err
				}
				return d.members(v, nil, func(text string, v value) error {
					child, err := d.node(v, n.ID+"/"+name+property(text))
					n.Discriminator.Mapping = append(n.Discriminator.Mapping, schema.DiscriminatorCase{Value: text, Node: child})
					return err
				})
			})
		},
	}
}

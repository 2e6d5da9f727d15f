package schema

import "strings"

// Types is a set of JSON types. The zero value means every type.
type Types uint8

const (
	TypeNull Types = 1 << iota
	TypeBoolean
	TypeInteger // a number with a zero fraction, 1.0 included
	TypeNumber  // every number; implies TypeInteger
	TypeString
	TypeArray
	TypeObject
)

// TypeOf is the type of a value in canonical JSON, as Node.Enum holds them:
// TypeInteger for an integer, TypeNumber for every other number.
func TypeOf(literal string) Types {
	switch literal[0] {
	case 'n':
		return TypeNull
	case 't', 'f':
		return TypeBoolean
	case '"':
		return TypeString
	case '[':
		return TypeArray
	case '{':
		return TypeObject
	}
	if strings.ContainsAny(literal, ".eE") {
		return TypeNumber
	}
	return TypeInteger
}

// Node is one dialect-free schema, fully resolved: a reference is a pointer to
// the node it names, so a recursive schema is a cyclic graph. A Node says what
// JSON Schema 2020-12 says with the same keyword unless noted; keywords of
// other dialects are translated into these before a Node exists.
//
// A Node is immutable once built and may be shared by any number of
// goroutines. Limits that are nil are absent.
type Node struct {
	// ID is stable across runs: the component's name, or the path of the place
	// that declares the node ("invoice.get/params/id", "Invoice/total").
	// It is unique within a contract; errors name it.
	ID string

	// Never admits nothing (the boolean schema false, an empty enum).
	Never bool

	Types Types
	// StrictInteger refuses 1.0 for TypeInteger (draft 4).
	StrictInteger bool

	// Enum lists the admitted values as canonical JSON; nil means any.
	// const is an Enum of one.
	Enum []string

	Number *NumberRules
	String *StringRules
	Array  *ArrayRules
	Object *ObjectRules

	AllOf, AnyOf, OneOf []*Node
	Not                 *Node
	If, Then, Else      *Node
	Discriminator       *Discriminator

	// Sensitive keeps every value below this node out of error texts.
	Sensitive bool

	// Annotations are keywords that change no verdict and yet are part of what
	// a reviewer looked at, sorted by name: defaults, readOnly and writeOnly,
	// and keywords that nobody knows. The engine does not read them.
	Annotations []Annotation
}

// Annotation is a keyword with its value as canonical JSON; a value that is
// long, or has no canonical form, is told in a short form that differs when the
// value does. It is the document's word: untrusted.
type Annotation struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// NumberRules bound a number. Literals are exact JSON number texts.
type NumberRules struct {
	Minimum, Maximum                   string // "" is absent
	ExclusiveMinimum, ExclusiveMaximum string
	MultipleOf                         string
}

// StringRules bound a string. Lengths count Unicode code points.
type StringRules struct {
	MinLength, MaxLength *uint64
	Pattern              *Pattern
	Format               string // annotation unless AssertFormat
	AssertFormat         bool
	ContentEncoding      string // annotation; "base64" makes the Go type []byte
	ContentMediaType     string // annotation
}

// Pattern is an ECMA-262 regular expression and its RE2 equal.
type Pattern struct {
	Source string // as written in the document
	RE2    string // of equal meaning, decided when the schema was compiled
}

// ArrayRules bound an array.
type ArrayRules struct {
	Prefix                   []*Node // by position
	Items                    *Node   // every element after Prefix; nil admits any
	MinItems, MaxItems       *uint64
	Unique                   bool
	Contains                 *Node
	MinContains, MaxContains *uint64 // nil MinContains means 1 where Contains is set
	Unevaluated              *Node
}

// ObjectRules bound an object.
type ObjectRules struct {
	Properties                   []Property        // in document order, names unique
	Patterns                     []PatternProperty // in document order
	Additional                   *Node             // members named by neither; nil admits any
	Names                        *Node             // every member name, as a string
	MinProperties, MaxProperties *uint64
	// AdditionalDeclared says that the schema wrote additionalProperties
	// itself and that it is not false, so extra members may be sent.
	AdditionalDeclared bool
	DependentRequired  []Dependency // sorted by name
	DependentSchemas   []Property   // sorted by name
	Unevaluated        *Node
	// Required lists names that must be present and have no Property of their
	// own; a Property carries its own Required.
	Required []string
}

// Property is a named member and its schema. Node is never nil.
type Property struct {
	Name     string
	Required bool
	Node     *Node
}

// PatternProperty applies Node to every member whose name matches.
type PatternProperty struct {
	Pattern Pattern
	Node    *Node
}

// Dependency says that a member needs others beside it.
type Dependency struct {
	Name  string
	Needs []string
}

// Discriminator picks a branch of OneOf or AnyOf by the value of one property.
type Discriminator struct {
	Property string
	Mapping  []DiscriminatorCase // sorted by value
}

// DiscriminatorCase maps one value to one of the branches.
type DiscriminatorCase struct {
	Value string
	Node  *Node
}

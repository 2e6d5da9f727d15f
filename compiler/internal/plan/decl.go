package plan

// Decl is one declared type.
type Decl struct {
	Go   string
	Kind Kind
	Doc  Text
	// Of says where the type comes from: a component, or the path of an inline
	// schema. It is document text and only reports show it.
	Of string

	Fields   []Field // Struct
	Type     Type    // Defined, Alias, Enum: the type behind the name
	Consts   []Const // Enum, in document order
	Marker   string  // Union: name of its unexported method
	Variants []Variant
	// Implements lists the markers of the unions that the type is a variant of,
	// sorted.
	Implements []string
}

// Kind is what a Decl declares.
type Kind uint8

const (
	Struct  Kind = iota + 1
	Defined      // type T U
	Alias        // type T = U
	Enum         // type T string with constants
	UnionInterface
)

// Field is one field of a struct.
type Field struct {
	Go       string
	Wire     string // member name; "" for Extra
	Type     Type
	Optional bool // may be absent: the tag says omitzero
	Extra    bool // holds the members that no other field names
	Doc      Text
}

// Const is one value of an enum: exactly one of Text and Number is meant, by
// the base type of the enum.
type Const struct {
	Go     string
	Text   string
	Number int64
}

// Type is a Go type as the plan decides it. The set of implementations is
// closed: Basic, Named, Runtime, Slice, Map, Pointer, Nullable, Empty.
type Type interface{ isType() }

// Basic is a predeclared type.
type Basic string

const (
	String  Basic = "string"
	Bool    Basic = "bool"
	Int64   Basic = "int64"
	Uint64  Basic = "uint64"
	Float64 Basic = "float64"
	Byte    Basic = "byte"
)

// Named is a type of the generated package.
type Named struct{ Decl *Decl }

// Runtime is a type of package runtime/schema.
type Runtime string

const (
	Raw     Runtime = "Raw"
	Time    Runtime = "Time"
	Integer Runtime = "Integer"
	Decimal Runtime = "Decimal"
	Null    Runtime = "Null"
)

// Slice is []Elem.
type Slice struct{ Elem Type }

// Map is map[string]Elem.
type Map struct{ Elem Type }

// Pointer is *Elem.
type Pointer struct{ Elem Type }

// Nullable is schema.Nullable[Elem].
type Nullable struct{ Elem Type }

// Empty is struct{}: an object that has no members.
type Empty struct{}

func (Empty) isType()    {}
func (Basic) isType()    {}
func (Named) isType()    {}
func (Runtime) isType()  {}
func (Slice) isType()    {}
func (Map) isType()      {}
func (Pointer) isType()  {}
func (Nullable) isType() {}

// Package schema is the one engine for JSON values: it checks bytes against a
// compiled schema, decodes them into Go values and encodes Go values to bytes.
// It knows no documents, no dialects and no references: compiler/schema
// resolves those into Nodes. Start with Node, then Checker and Codec.
//
// # What is refused
//
// A text must be one value of strict RFC 8259 JSON in UTF-8: no repeated
// member, no lone surrogate, no byte order mark, nothing behind the value.
// Depth, members, string bytes, digits (64) and exponents (400) are limited,
// and so are the steps that a schema with branches may take over a value. A
// keyword that cannot be run makes NewChecker and Bind fail; none is ignored.
//
// # How Go types hold values
//
//	string, and types of that kind   strings, enums of strings; Time keeps RFC 3339 text
//	bool                             true and false
//	int64, int32, … uint64, …        integers; 1.0 and 1e2 are integers too
//	Integer, Decimal                 numbers of any size, as written
//	float64                          numbers; a fraction is rounded to the nearest, an integer never
//	[]byte                           strings whose node says contentEncoding base64
//	[]T                              arrays; decoded ones are never nil, a nil one encodes as []
//	map[string]T                     objects without properties
//	struct                           objects, a field for every property; arrays, a field for every position
//	an interface in a Union          oneOf and anyOf: the variant that fits
//	Null                             null alone
//	Raw                              anything, as it was written
//
// A field is named by its json tag, as in encoding/json/v2: `json:"name"`,
// `json:"'a,b'"` for a name that cannot stand bare. A required property has a
// field of the type itself; if it may be null, a pointer, a Nullable, or a
// map or interface that is nil then. An optional property has a pointer,
// slice, map, interface or Raw, nil when absent; if it may be null, a
// Nullable, which tells absent from null. A required property that admits one
// constant alone needs no field: it is checked on decoding and written on
// encoding. A field with the tag `json:",inline"` and a map type holds members
// that are no properties; they are encoded where the schema declares
// additionalProperties itself. Without such a field they are checked and
// left out.
//
// The fields of a struct for an array whose elements differ by position have
// the json tags "0", "1" and so on, and those beyond minItems are optional;
// an inline slice holds the elements behind them, which are encoded where the
// schema says what they are. Of a slice, the elements that the schema says
// nothing about take the type of those that it describes.
//
// The variants of an interface are those that Variants lists: a struct for one
// holds the members that the schema names beside its oneOf or anyOf as well.
//
// A value that fits its schema and not its Go type is an *Unrepresentable and
// keeps its text: it is no fault of the other side.
package schema

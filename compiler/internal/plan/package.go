// Package plan takes every Go decision about a generated package: names, types,
// files, doc comments. Nothing is printed here and nothing is written; render
// prints a Package, verify holds the print against it. Document text reaches
// Go only as identifiers made by this package, as Text and as literals.
// Start with Build.
package plan

import (
	"strings"

	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
)

// Package is a generated package, decided. It is a finished value.
type Package struct {
	Name       string // package clause
	ImportPath string // "" when nobody said; only reports use it
	Contract   string // endpoint id of the config
	Header     Header
	Files      []File   // in printing order
	Methods    []Method // compiled methods, in document order
	Unions     []Union  // in order of their names
	Errors     []Error  // in order of their codes
	Unplanned  []Unplanned
	Renamed    []Rename // names that had to yield, in order of their wishes
	Sites      Sites
	Tests      *Tests // nil: no tests are generated

	// GoNames holds the Go name of every method of the contract, by its index
	// there; "" for one that could not be planned.
	GoNames []string
}

// Header is what the top of client.go says about its inputs. The strings are
// safe to print there: anything else was left out.
type Header struct {
	Version         string // of the document
	Document        string // digest of the document
	Amendment       string // name of the amendment, "" when there is none
	AmendmentDigest string
}

// File is one Go file. Its name never comes from the document.
type File struct {
	Name    string
	Kind    FileKind
	Imports []Import // sorted by path
	Types   []*Decl  // of a TypesFile and of a ClientFile: declared types in order
	Methods []int    // of a ClientFile: indices into Package.Methods
}

// FileKind says what a File holds besides its types.
type FileKind uint8

const (
	ClientFile FileKind = iota + 1 // the client itself, and methods
	CallsFile                      // more methods of a large client
	TypesFile
	ErrorsFile
	TestsFile
)

// Import is one import of a File. Blank imports serve a directive.
type Import struct {
	Path  string
	Blank bool
}

// Standard reports whether the import is of the standard library.
func (i Import) Standard() bool {
	first, _, _ := strings.Cut(i.Path, "/")
	return !strings.Contains(first, ".")
}

// Method is one client method.
type Method struct {
	Index        int    // in contract.Contract.Methods
	Wire         string // wire name
	Go           string
	Var          string // variable that holds the runtime's method value
	Doc          Text
	Params       *Decl // nil: the method declares no params
	Result       Type  // nil for a notification
	Notification bool
	// Effect is what the amendment opened the method for, "" when it is closed.
	Effect string
	// Marker is the text of the Deprecated paragraph, "" when there is none.
	Marker string
}

// Unplanned is a method that is not in the client, and why.
type Unplanned struct {
	Index       int
	Wire        string
	Diagnostics diag.List
}

// Error is a declared error value.
type Error struct {
	Go   string
	Code int64
	Doc  Text
	Data []ErrorData
}

// Union is a sealed interface and its variants, as runtime/schema binds them:
// one variant a branch, in document order, branches that admit only null or
// nothing left out.
type Union struct {
	Go       string
	Variants []Variant
}

// Variant is one Go type of a Union and the way to write its zero value.
type Variant struct {
	Go   string
	Zero Zero
}

// Zero is the form of a zero value.
type Zero uint8

const (
	ZeroStruct Zero = iota + 1 // T{}
	ZeroText                   // T("")
	ZeroNumber                 // T(0)
	ZeroFalse                  // T(false)
	ZeroNil                    // T(nil)
)

// Rename records a name that yielded to another.
type Rename struct {
	Wanted, Got string
	Of          string // the wire name, component or path it stands for
}

// Sites counts the places of the package where a schema became a Go type.
type Sites struct {
	Types int
	Raw   []RawSite // in order of discovery
}

// RawSite is a place that stays raw JSON, checked against its schema all the same.
type RawSite struct {
	Schema string // id of the node
	Reason Reason
}

// Reason says why a place stays raw JSON.
type Reason string

const (
	ReasonAny       Reason = "any value is admitted"
	ReasonNever     Reason = "no value is admitted"
	ReasonKinds     Reason = "several JSON types without a union"
	ReasonEnum      Reason = "enum of mixed or structured values"
	ReasonAllOf     Reason = "allOf without one Go type"
	ReasonUnion     Reason = "union that Go types cannot tell apart"
	ReasonBothSides Reason = "members beside a union that adds more"
	ReasonDeep      Reason = "schemas nested beyond the bounds of a Go type"
)

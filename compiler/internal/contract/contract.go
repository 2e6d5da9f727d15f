// Package contract is the one model of what a document promises, whatever its
// format was: how methods are called, never who may call them. It knows no
// file formats and no Go identifiers. Start with Contract.
package contract

import (
	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
	"github.com/openrpc-go/rpcgen/compiler/schema"
)

// Contract is a document read whole. Methods keep document order.
type Contract struct {
	ID            string // endpoint id, [a-z][a-z0-9_]{0,63}
	Format        Format
	FormatVersion string // as written: "1.2.6"
	Dialect       schema.Dialect
	Title         string
	Version       string
	Description   string
	Methods       []*Method
	Servers       []Server
	LeftOut       map[string]bool // wire names of methods that Select left out
	Files         []*source.File  // the document first, then files it refers to, in first-use order; schemas may lead to more
}

// Format is the kind of document a contract was read from.
type Format string

const (
	OpenRPC Format = "openrpc"
	OpenAPI Format = "openapi"
)

// Method is one callable. Faults with severity error refuse it: it keeps its
// name and place so that reports and contract.json can show it.
type Method struct {
	Name        string // wire name, unique within the contract
	LogicalID   string // [a-z0-9_]{1,64}, unique within the contract; LogicalIDs
	Summary     string
	Description string
	Tags        []string
	Deprecated  bool

	Structure        ParamStructure
	StructureDefault bool // the document did not say; Structure is the version's default
	Params           []Descriptor

	Result *Descriptor // nil: a notification
	Errors []Error     // codes unique

	Servers    []Server
	Examples   []Example
	Extensions []source.Member // x- members
	Unknown    []source.Member // members nobody knows; part of the wire digest

	Node   *source.Node // the method object; positions and pointers
	Faults diag.List
}

// Notification reports whether the method has no result.
func (m *Method) Notification() bool { return m.Result == nil }

// ParamStructure says how params are laid out on the wire.
type ParamStructure string

const (
	ByName     ParamStructure = "by-name"     // an object
	ByPosition ParamStructure = "by-position" // an array in declared order
	Either     ParamStructure = "either"      // the server takes both; an object is sent
)

// Descriptor is a content descriptor: a named, described param or result.
type Descriptor struct {
	Name        string
	MadeUp      bool // the document gives no name; Name is a label, never a key on the wire
	Summary     string
	Description string
	Required    bool
	Deprecated  bool
	Schema      *source.Node    // the schema as written; resolve it through the schema graph
	Extensions  []source.Member // x- members
	Unknown     []source.Member // members nobody knows; part of the digest
	Node        *source.Node    // where the descriptor stands, references followed
	Use         *source.Node    // where the method names it: Node itself or a reference to it
}

// Error is a declared error.
type Error struct {
	Code    int64
	Message string
	Data    *source.Node    // schema of data; nil when the document declares none
	Unknown []source.Member // members nobody knows; part of the digest
	Node    *source.Node
}

// Server is a server as the document suggests it; it binds nothing.
type Server struct {
	Name      string
	URL       string          // as written: relative, templated, or absolute
	Variables []source.Member // the variables of a templated URL; each value is an object
	Node      *source.Node
}

// Example is one example pairing: params by name or position, and a result.
type Example struct {
	Name   string
	Params []ExampleParam
	Result *source.Node // nil: none given
	Node   *source.Node
}

// ExampleParam is one example value.
type ExampleParam struct {
	Name  string
	Value *source.Node
}

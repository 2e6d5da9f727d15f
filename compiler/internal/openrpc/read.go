// Package openrpc reads OpenRPC documents, versions 1.0 to 1.4, into the
// contract model. It knows that format alone: no Go names, no effects, no
// other document format. It never contacts a server that a document names and
// takes no word of a document as a grant.
//
// Start with Read.
package openrpc

import (
	"slices"

	"github.com/openrpc-go/rpcgen/compiler/internal/contract"
	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/metaschema"
	"github.com/openrpc-go/rpcgen/compiler/internal/reference"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
	"github.com/openrpc-go/rpcgen/compiler/schema"
)

// Read reads the OpenRPC document f. id is the endpoint id that the contract
// gets; refs resolves the document's references, nil stands for references
// within f alone.
//
// A fault refuses what depends on it and nothing else:
//
//   - one of the whole document is an error in the list and the contract is nil;
//   - one of a method is in that method's Faults, where errors refuse it;
//   - one of a method whose name cannot be read is an error in the list beside
//     a contract; that method is not in the contract, the others are;
//   - one that no call depends on (texts, tags, examples, contact) is a warning.
//
// The published meta-schema speaks last and only about places where the reader
// itself had nothing to say, so that no fault is told twice.
func Read(id string, f *source.File, refs *reference.Set) (*contract.Contract, diag.List) {
	if refs == nil {
		refs = reference.New(f, reference.Options{})
	}
	r := newReader(refs)
	found := make(chan diag.List, 1)
	go func() { found <- metaschema.OpenRPC(f) }() // it looks at the document alone
	c := r.document(id, f)
	if c == nil {
		return nil, r.list
	}
	r.list = append(r.list, metaschema.Complement(all(c, r.list), warnings(<-found))...)
	r.list.Sort()
	return c, r.list
}

// reader is one reading of one document. What many methods refer to is read
// once: a document may refer a hundred thousand times to something large.
type reader struct {
	version version
	refs    *reference.Set
	list    diag.List // what belongs to no method

	splits      map[role]split
	siblings    map[*source.Node]bool // references whose siblings were reported
	descriptors map[*source.Node]sharedDescriptor
	pairings    map[*source.Node]*contract.Example // nil: cannot be used
}

func newReader(refs *reference.Set) *reader {
	return &reader{
		refs:        refs,
		splits:      map[role]split{},
		siblings:    map[*source.Node]bool{},
		descriptors: map[*source.Node]sharedDescriptor{},
		pairings:    map[*source.Node]*contract.Example{},
	}
}

func (r *reader) report(d diag.Diagnostic) { r.list = append(r.list, d) }

// all returns every diagnostic of the reading, those of methods included.
func all(c *contract.Contract, list diag.List) diag.List {
	list = slices.Clone(list)
	for _, m := range c.Methods {
		list = append(list, m.Faults...)
	}
	return list
}

// warnings lowers what the meta-schema says: every part that a call depends
// on has been checked by the reader, with a better message.
func warnings(list diag.List) diag.List {
	for i := range list {
		list[i].Severity = diag.Warning
	}
	return list
}

// rootMembers are the members of an OpenRPC object.
var rootMembers = []string{"$schema", "openrpc", "info", "externalDocs", "servers", "methods", "components"}

func (r *reader) document(id string, f *source.File) *contract.Contract {
	if err := contract.CheckID(id); err != nil {
		r.report(diag.At(f.Root, CodeEndpointID, "%s", err.Error()))
		return nil
	}
	if f.Root.Kind != source.Object {
		r.report(diag.At(f.Root, CodeNotOpenRPC, "the document is %s, not an object", kindOf(f.Root)))
		return nil
	}
	if !r.oneKind(f.Root) {
		return nil
	}
	v, broken := readVersion(f.Root)
	if broken != nil {
		r.report(*broken)
		return nil
	}
	r.version = v
	c := &contract.Contract{ID: id, Format: contract.OpenRPC, FormatVersion: v.text, Dialect: schema.Draft7}
	if !r.methods(c, f.Root) {
		return nil
	}
	root := r.object(f.Root, "document", r.report)
	r.info(c, root)
	c.Servers = r.servers(root)
	root.rest(rootMembers)
	c.Files = r.refs.Files()
	return c
}

// oneKind refuses a document that says to be of two kinds at once: a reader of
// the other kind would see other methods in it.
func (r *reader) oneKind(root *source.Node) bool {
	for _, other := range []string{"openapi", "swagger"} {
		if m, ok := root.Member(other); ok && root.Get("openrpc") != nil {
			r.report(diag.AtName(m, CodeTwoKinds, "the document says to be OpenRPC and has a member %q as well", other).
				WithAdvice("remove one of the two members"))
			return false
		}
	}
	return true
}

func (r *reader) info(c *contract.Contract, root object) {
	n := root.node.Get("info")
	if n == nil || n.Kind != source.Object {
		at, found := root.node, "absent"
		if n != nil {
			at, found = n, kindOf(n)
		}
		r.report(diag.Warn(at, CodeMissingInfo, "\"info\" is %s; the contract has no title and no version", found).
			WithAdvice("OpenRPC wants \"info\": {\"title\": ..., \"version\": ...}"))
		return
	}
	o := r.object(n, "info", r.report)
	c.Title, c.Version, c.Description = o.text("title"), o.text("version"), o.text("description")
	for _, name := range []string{"title", "version"} {
		if n.Get(name) == nil {
			r.report(diag.Warn(n, CodeMissingInfo, "\"info\" has no %q", name))
		}
	}
	o.rest([]string{"title", "version", "description", "termsOfService", "contact", "license"})
}

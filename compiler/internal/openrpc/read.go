// Package openrpc reads OpenRPC documents, versions 1.0 to 1.4, into the
// contract model. It knows that format alone: no Go names, no effects, no
// other document format. It never contacts a server that a document names and
// takes no word of a document as a grant.
//
// Start with Read.
package openrpc

import (
	"fmt"
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
	c := r.document(id, f)
	if c == nil {
		return nil, r.list
	}
	r.list = append(r.list, metaschema.Complement(all(c, r.list), warnings(metaschema.OpenRPC(f)))...)
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
		r.report(diag.At(f.Root, "endpoint-id", "%s", err.Error()))
		return nil
	}
	if f.Root.Kind != source.Object {
		r.report(diag.At(f.Root, "not-openrpc", "the document is %s, not an object", kindOf(f.Root)))
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
			r.report(diag.AtName(m, "two-kinds", "the document says to be OpenRPC and has a member %q as well", other).
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
		r.report(diag.Warn(at, "missing-info", "\"info\" is %s; the contract has no title and no version", found).
			WithAdvice("OpenRPC wants \"info\": {\"title\": ..., \"version\": ...}"))
		return
	}
	o := r.object(n, "info", r.report)
	c.Title, c.Version, c.Description = o.text("title"), o.text("version"), o.text("description")
	for _, name := range []string{"title", "version"} {
		if n.Get(name) == nil {
			r.report(diag.Warn(n, "missing-info", "\"info\" has no %q", name))
		}
	}
	o.rest([]string{"title", "version", "description", "termsOfService", "contact", "license"})
}

// methods reads all methods; it reports false when there is no list of them.
func (r *reader) methods(c *contract.Contract, root *source.Node) bool {
	list := root.Get("methods")
	if list == nil {
		r.report(diag.At(root, "missing-methods", "the document has no \"methods\"").WithAdvice("a document without methods says \"methods\": []"))
		return false
	}
	if list.Kind != source.Array {
		r.report(diag.At(list, "wrong-type", "\"methods\" is %s, not an array", kindOf(list)))
		return false
	}
	seen := make(map[string]place, len(list.Items))
	for i, item := range list.Items {
		node := r.follow(item, fmt.Sprintf("method %d", i+1), r.report)
		if node == nil {
			continue
		}
		name, ok := r.methodName(node, i)
		if !ok {
			continue
		}
		if first, ok := seen[name.Text]; ok {
			repeated(first, place{method: first.method, item: item, node: node})
			continue
		}
		m := r.method(name.Text, node)
		seen[m.Name] = place{method: m, item: item, node: node, equal: map[*source.Node]bool{node: true}}
		c.Methods = append(c.Methods, m)
	}
	for _, m := range c.Methods {
		m.Faults.Sort()
	}
	setLogicalIDs(c.Methods)
	return true
}

// place is where a method was declared: the item of methods and, references
// followed, the method object.
type place struct {
	method *contract.Method
	item   *source.Node
	node   *source.Node
	equal  map[*source.Node]bool // of the first place: what node was compared with
}

// name is where to point for the name.
func (p place) name() *source.Node {
	if p.item != p.node {
		return p.item
	}
	return p.node.Get("name")
}

// repeated records that again declares the name of first once more. The same
// text twice is one method. Anything else leaves nobody to say which one the
// server means, so the name is refused altogether.
func repeated(first, again place) {
	m := first.method
	d := diag.At(again.name(), "duplicate-method", "%q is already declared with another meaning; neither is used", m.Name).
		WithAdvice("remove or rename one of the two")
	equal, compared := first.equal[again.node]
	if !compared {
		equal = same(first.node, again.node)
		first.equal[again.node] = equal
	}
	if equal {
		d = diag.Warn(again.name(), "repeated-method", "%q is already declared, word for word the same", m.Name).
			WithAdvice("remove one of the two")
	}
	m.Faults = append(m.Faults, d.WithRelated(first.name(), "first declared here"))
}

func (r *reader) methodName(node *source.Node, i int) (*source.Node, bool) {
	name := node.Get("name")
	switch {
	case name == nil:
		r.report(diag.At(node, "missing-name", "method %d has no name", i+1))
	case name.Kind != source.String:
		r.report(diag.At(name, "wrong-type", "the name of method %d is %s, not a string", i+1, kindOf(name)))
	case name.Text == "":
		r.report(diag.At(name, "missing-name", "the name of method %d is empty", i+1))
	default:
		return name, true
	}
	return nil, false
}

func setLogicalIDs(methods []*contract.Method) {
	names := make([]string, len(methods))
	for i, m := range methods {
		names[i] = m.Name
	}
	for i, id := range contract.LogicalIDs(names) {
		methods[i].LogicalID = id
	}
}

package plan

import (
	"slices"
	"strings"

	"github.com/openrpc-go/rpcgen/compiler/internal/amendment"
	"github.com/openrpc-go/rpcgen/compiler/internal/contract"
	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/schema"
	"github.com/openrpc-go/rpcgen/runtime/compiled"
	rt "github.com/openrpc-go/rpcgen/runtime/schema"
)

// EndlessType is the code of a type that no finite value fits.
const EndlessType = "endless-type"

// Build plans the package of a contract. Methods with errors among their
// Faults are left out; those that Build itself cannot plan are in Unplanned.
// The list holds errors only when there is no Package.
func Build(c *contract.Contract, g *schema.Graph, j *amendment.Joined, o Options) (*Package, diag.List) {
	if o.Package == "" {
		o.Package = c.ID
	}
	if err := checkPackage(o.Package); err != nil {
		return nil, diag.List{{Code: "package-name", Severity: diag.Error, Message: err.Error()}}
	}
	b := &builder{contract: c, joined: j, shaper: newShaper(g), names: newScope(reserved...), pkg: &Package{
		Name: o.Package, ImportPath: o.ImportPath, Contract: c.ID, Header: header(c, o),
		GoNames: make([]string, len(c.Methods)),
	}}
	if j != nil {
		b.shaper.forms.exact = j.Exact
	}
	b.nameMethods()
	b.components()
	b.shape()
	b.finish()
	return b.pkg, nil
}

// MethodNames returns the Go names of the contract's methods by their index;
// "" where the client has no such method.
func (p *Package) MethodNames() []string { return slices.Clone(p.GoNames) }

type builder struct {
	contract *contract.Contract
	joined   *amendment.Joined
	shaper   *shaper
	names    *scope // of the package
	calls    *scope // of the client's methods
	goNames  []string
	methods  []*shaped
	pkg      *Package

	declaredErrors []*declaredError // of the methods that are planned
}

// shaped is a method with its types, not yet named.
type shaped struct {
	Method
	source *contract.Method
	used   []*Decl // what its types name; all that these lead to is used too
	sites  Sites   // of the result
}

// uses notes a declaration that a type of the method names; nil is none.
func (m *shaped) uses(d *Decl) {
	if d != nil {
		m.used = append(m.used, d)
	}
}

// vetNames are methods whose signature go vet or a reader takes for granted.
var vetNames = []string{
	"Error", "String", "GoString", "Format", "Is", "As", "Unwrap", "GobDecode", "GobEncode", "MarshalJSON", "MarshalXML",
	"MarshalText", "ReadByte", "ReadRune", "UnmarshalJSON", "UnmarshalXML", "UnmarshalText", "UnreadByte", "UnreadRune", "WriteByte",
}

// nameMethods names every method of the contract, those that are refused too:
// mending one must not rename another. Names that the amendment states come
// first.
func (b *builder) nameMethods() {
	b.calls = newScope(vetNames...)
	b.goNames = make([]string, len(b.contract.Methods))
	var stated, derived []wish
	for i, m := range b.contract.Methods {
		grant := func(name string) { b.goNames[i] = name }
		if name := b.stated(i); name != "" {
			stated = append(stated, wish{m.Name, name, []string{name}, grant})
		} else {
			derived = append(derived, wish{m.Name, m.Name, methodNames(b.contract.ID, m.Name), grant})
		}
	}
	b.calls.grantAll(stated)
	b.calls.grantAll(derived)
}

// stated is the Go name that the amendment gives method i, "" for none.
func (b *builder) stated(i int) string {
	if b.joined == nil || b.joined.GoNames == nil {
		return ""
	}
	return b.joined.GoNames[i]
}

// methodNames are the names a method may get: without the contract's id in
// front, where the wire name repeats it.
func methodNames(id, wire string) []string {
	full := named(wire)
	names := []string{full}
	if slices.Contains(vetNames, full) {
		names = append(names, full+"Call")
	}
	prefix, rest, found := strings.Cut(wire, ".")
	if !found {
		prefix, rest, found = strings.Cut(wire, "_")
	}
	if short := exported(rest, plain); found && fold(prefix) == fold(id) && short != "" {
		names = append([]string{short}, names...)
	}
	return names
}

// components shapes the components that any method reaches, in the order of
// their ids, so that what lies inside them is named after them.
func (b *builder) components() {
	var found []*rt.Node
	walk := &walker{seen: make(map[*rt.Node]bool, b.shaper.graph.Len()), visit: func(n *rt.Node) {
		if b.shaper.component(n) != "" {
			found = append(found, n)
		}
	}}
	for _, m := range b.contract.Methods {
		if m.Faults.HasErrors() {
			continue
		}
		for _, n := range b.roots(m) {
			walk.from(n)
		}
	}
	slices.SortFunc(found, func(x, y *rt.Node) int { return strings.Compare(x.ID, y.ID) })
	var nobody Sites
	for _, n := range found {
		b.shaper.typeOf([]*rt.Node{n}, place{sites: &nobody})
		b.shaper.settle()
	}
}

func (b *builder) roots(m *contract.Method) []*rt.Node {
	var roots []*rt.Node
	for i := range m.Params {
		roots = append(roots, b.param(m, &m.Params[i]))
	}
	if m.Result != nil {
		roots = append(roots, b.result(m))
	}
	for i := range m.Errors {
		if m.Errors[i].Data != nil {
			roots = append(roots, b.errorData(m, &m.Errors[i]))
		}
	}
	return roots
}

func (b *builder) param(m *contract.Method, p *contract.Descriptor) *rt.Node {
	return b.shaper.graph.Node(p.Schema, m.Name+"/params/"+p.Name)
}

func (b *builder) result(m *contract.Method) *rt.Node {
	return b.shaper.graph.Node(m.Result.Schema, m.Name+"/result")
}

// shape makes the types of every method and drops the methods that have none.
func (b *builder) shape() {
	for i, m := range b.contract.Methods {
		if !m.Faults.HasErrors() {
			b.methods = append(b.methods, b.method(i, m))
		}
	}
	b.shapeErrors()
	var all used
	for _, m := range b.methods {
		for _, d := range m.used {
			all.add(d, b.shaper.origins)
		}
	}
	if bad := endless(all.decls); len(bad) > 0 {
		b.methods = slices.DeleteFunc(b.methods, func(m *shaped) bool { return b.refuse(m, bad) })
		b.shapeErrors()
	}
}

// refuse takes a method out that uses an endless type.
func (b *builder) refuse(m *shaped, bad map[*Decl]bool) bool {
	var reached used
	for _, d := range m.used {
		reached.add(d, b.shaper.origins)
	}
	var found diag.List
	for _, d := range reached.decls {
		if bad[d] {
			at := m.source.Node
			if info := b.shaper.graph.Info(b.shaper.origins[d].node); info != nil && info.Source != nil {
				at = info.Source
			}
			found.Add(diag.At(at, EndlessType, "%q requires a value of itself within itself, so no finite value fits", d.Of).
				WithAdvice("make one of the members on the way optional, nullable, or an array"))
		}
	}
	if len(found) > 0 {
		b.pkg.Unplanned = append(b.pkg.Unplanned, Unplanned{Index: m.Index, Wire: m.Wire, Diagnostics: found.Sort()})
	}
	return len(found) > 0
}

// method shapes one method.
func (b *builder) method(i int, m *contract.Method) *shaped {
	out := &shaped{source: m, Method: Method{
		Index: i, Wire: m.Name, Go: b.goNames[i], Var: "method" + b.goNames[i], Notification: m.Notification(),
	}}
	if len(m.Params) > 0 {
		out.Params = b.params(m, out.Go)
		out.uses(out.Params)
	}
	if m.Result != nil {
		at := place{name: out.Go + "Result", top: true, sites: &out.sites}
		out.Result = b.shaper.element(b.result(m), at)
	}
	b.shaper.settle()
	out.uses(declOf(out.Result))
	return out
}

// params makes the struct of a method's params, in declared order.
func (b *builder) params(m *contract.Method, goName string) *Decl {
	s := b.shaper
	d := s.declare(Struct, origin{key: m.Name + "/params", prefix: goName, place: place{name: goName + "Params"}})
	members := make([]member, len(m.Params))
	for i := range m.Params {
		p := &m.Params[i]
		members[i] = member{
			wire: p.Name, required: p.Required, top: true,
			nodes: []*rt.Node{b.param(m, p)}, doc: s.paramDoc(p),
		}
	}
	s.fields(d, members)
	return d
}

// finish names everything and lays out the files.
func (b *builder) finish() {
	var all used
	for _, m := range b.methods {
		for _, d := range m.used {
			all.add(d, b.shaper.origins)
		}
	}
	for _, e := range b.declaredErrors {
		for _, d := range e.data {
			b.pkg.Sites.add(d.sites)
		}
	}
	indirect(all.decls)
	b.shaper.nameTypes(all.decls, b.names)
	for _, m := range b.methods {
		b.document(m)
		b.pkg.Sites.add(m.sites)
		b.pkg.GoNames[m.Index] = m.Go
		b.pkg.Methods = append(b.pkg.Methods, m.Method)
	}
	for _, d := range all.decls {
		b.shaper.document(d)
		b.pkg.Sites.add(b.shaper.origins[d].sites)
	}
	b.errors()
	b.unions(all.decls)
	b.files(all.decls)
	b.pkg.Renamed = append(b.calls.renamed, b.names.renamed...)
	slices.SortFunc(b.pkg.Renamed, func(x, y Rename) int {
		return strings.Compare(x.Wanted+"\x00"+x.Of, y.Wanted+"\x00"+y.Of)
	})
}

// unions lists the sealed interfaces for the runtime, in order of their names.
func (b *builder) unions(decls []*Decl) {
	for _, d := range decls {
		if d.Kind == UnionInterface {
			b.pkg.Unions = append(b.pkg.Unions, Union{Go: d.Go, Variants: d.Variants})
		}
	}
	slices.SortFunc(b.pkg.Unions, func(x, y Union) int { return strings.Compare(x.Go, y.Go) })
}

// state is what the amendment made of method i.
func (b *builder) authority(i int) compiled.Authority {
	if b.joined == nil {
		return compiled.Authority{State: compiled.Undecided}
	}
	return b.joined.Authorities[i]
}

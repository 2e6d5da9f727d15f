package openrpc

import (
	"fmt"
	"strings"

	"github.com/openrpc-go/rpcgen/compiler/internal/contract"
	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/reference"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

var methodMembers = []string{
	"name", "tags", "summary", "description", "externalDocs", "params", "result",
	"deprecated", "servers", "errors", "links", "paramStructure", "examples",
}

// methodReader reads one method; what it finds wrong is the method's own.
type methodReader struct {
	*reader
	method *contract.Method
	self   object // the method object
}

func (r *reader) method(name string, node *source.Node) *contract.Method {
	m := &contract.Method{Name: name, Node: node}
	mr := &methodReader{reader: r, method: m}
	mr.self = r.object(node, "method", mr.report)
	mr.reserved()
	m.Summary, m.Description = mr.self.text("summary"), mr.self.text("description")
	m.Deprecated = mr.self.flag("deprecated", false)
	mr.structure()
	mr.params()
	mr.result()
	mr.errors()
	m.Tags = mr.tags()
	m.Examples = mr.examples()
	mr.links()
	m.Servers = r.servers(mr.self)
	m.Extensions, m.Unknown = mr.self.rest(methodMembers)
	m.Faults = append(m.Faults, m.StructureFaults()...)
	return m
}

func (r *methodReader) report(d diag.Diagnostic) {
	r.method.Faults = append(r.method.Faults, d)
}

// reserved notes names that OpenRPC keeps for itself.
func (r *methodReader) reserved() {
	if strings.HasPrefix(r.method.Name, "rpc.") && r.method.Name != discover {
		r.report(diag.Warn(r.self.node.Get("name"), CodeReservedName, "names that start with \"rpc.\" are reserved; %q is none of those that OpenRPC defines", r.method.Name))
	}
}

var structures = []string{string(contract.ByName), string(contract.ByPosition), string(contract.Either)}

func (r *methodReader) structure() {
	m := r.method
	m.Structure, m.StructureDefault = r.version.structure(), true
	n := r.self.node.Get("paramStructure")
	if n == nil {
		return
	}
	m.StructureDefault = false
	if n.Kind == source.String && has(structures, n.Text) {
		m.Structure = contract.ParamStructure(n.Text)
		return
	}
	found := kindOf(n)
	advice := "write by-name, by-position or either"
	if n.Kind == source.String {
		found = fmt.Sprintf("%q", n.Text)
		if near := diag.Nearest(n.Text, structures); near != "" {
			advice = "did you mean " + quote(near) + "?"
		}
	}
	r.report(diag.At(n, CodeParamStructure, "\"paramStructure\" is %s, not by-name, by-position or either", found).WithAdvice(advice))
}

// params reads the declared params. One that cannot be read leaves a fault
// that refuses the method: leaving it out would move all later ones.
func (r *methodReader) params() {
	if r.self.node.Get("params") == nil {
		r.report(diag.At(r.self.node, CodeMissingParams, "%q has no \"params\"", r.method.Name).
			WithAdvice("a method without params says \"params\": []"))
		return
	}
	items := r.self.list("params", true)
	r.method.Params = make([]contract.Descriptor, 0, len(items))
	first := make(map[string]*source.Node, len(items))
	for i, item := range items {
		what := label{kind: "param", number: i + 1, method: r.method.Name}
		p, ok := r.descriptor(item, what)
		if !ok {
			continue
		}
		if p.Name == "" {
			p.Name, p.MadeUp = fmt.Sprintf("param%d", i+1), true
		}
		if earlier, again := first[p.Name]; again {
			r.report(diag.At(p.Use, CodeDuplicateParam, "%s is called %q, as an earlier param is", what, p.Name).
				WithAdvice("give every param a name of its own").WithRelated(earlier, "first declared here"))
			continue
		}
		first[p.Name] = p.Use
		r.method.Params = append(r.method.Params, p)
	}
	r.nested(len(items))
}

// nested warns of a method whose only param is called "params": its author may
// mean the whole params member of a request, which content descriptors cannot
// describe as one.
func (r *methodReader) nested(declared int) {
	m := r.method
	if declared != 1 || len(m.Params) != 1 || m.Params[0].Name != "params" || m.Structure == contract.ByPosition {
		return
	}
	r.report(diag.Warn(m.Params[0].Use, CodeNestedParams, "the only param of %q is called \"params\", so a request says \"params\": {\"params\": ...}", m.Name).
		WithAdvice("if the server takes the inner value as the params, declare its members as params; a correction of the method's params can do so"))
}

func (r *methodReader) result() {
	n := r.self.node.Get("result")
	if n == nil {
		r.noResult()
		return
	}
	d, ok := r.descriptor(n, label{kind: "the result", method: r.method.Name})
	if !ok {
		return
	}
	if d.Name == "" {
		d.Name, d.MadeUp = "result", true
	}
	if r.method.Name == discover {
		d.Schema = r.discovery(d.Schema)
	}
	r.method.Result = &d
}

// noResult applies the rule of the document's version for a method without result.
func (r *methodReader) noResult() {
	at, name := r.self.node, r.method.Name
	if r.version.resultRequired() {
		r.report(diag.At(at, CodeMissingResult, "%q has no \"result\", which OpenRPC %s requires", name, r.version.text).
			WithAdvice("declare a result; only from OpenRPC 1.3.0 on a method without one is a notification"))
		return
	}
	r.report(diag.Noted(at, CodeNotification, "%q has no \"result\": from OpenRPC 1.3.0 on it may only be called as a notification, which nobody answers", name))
}

// discover is the method by which a server hands out its own document.
const discover = "rpc.discover"

// discovery replaces a schema that leads to a meta-schema out on the network:
// the specification says what rpc.discover returns, and a schema of documents
// would only lead round in circles. The result is then any JSON.
func (r *methodReader) discovery(n *source.Node) *source.Node {
	ref := n.Get("$ref")
	if ref == nil || ref.Kind != source.String {
		return n
	}
	if _, broken := r.refs.Resolve(n, ref.Text); broken == nil || broken.Code != reference.CodeRemote {
		return n
	}
	r.report(diag.Noted(ref, CodeDiscoveryRaw, "the result of %q is an OpenRPC document, taken as raw JSON", discover))
	return &source.Node{Kind: source.Bool, Text: "true", File: n.File, Offset: n.Offset, Parent: n.Parent}
}

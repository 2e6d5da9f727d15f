package openrpc

import (
	"strings"

	"github.com/openrpc-go/rpcgen/compiler/internal/contract"
	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

var descriptorMembers = []string{"name", "summary", "description", "required", "schema", "deprecated"}

// sharedDescriptor is a content descriptor that was read by way of a reference.
type sharedDescriptor struct {
	contract.Descriptor
	broken *diag.Diagnostic // why it cannot be used; nil when it can
}

// descriptor reads the content descriptor that item is or refers to. It
// reports false when there is none to use; the fault is then reported. The
// name may be empty.
func (r *methodReader) descriptor(item *source.Node, what label) (contract.Descriptor, bool) {
	node := r.follow(item, what, r.report)
	if node == nil {
		return contract.Descriptor{}, false
	}
	if known, ok := r.descriptors[node]; ok {
		return r.again(known, item, what)
	}
	var broken *diag.Diagnostic
	d := r.read(node, what, func(d diag.Diagnostic) {
		if d.Severity == diag.Error && broken == nil {
			broken = &d
		}
		r.report(d)
	})
	d.Node, d.Use = node, item
	if node != item {
		r.descriptors[node] = sharedDescriptor{d, broken}
	}
	return d, broken == nil
}

// again uses a descriptor that another place has led to before.
func (r *methodReader) again(known sharedDescriptor, item *source.Node, what label) (contract.Descriptor, bool) {
	d := known.Descriptor
	d.Use = item
	if known.broken == nil {
		return d, true
	}
	fault := diag.At(item, known.broken.Code, "%s refers to a content descriptor that cannot be used", what)
	fault.Related = []diag.Related{{Position: known.broken.Position, Message: known.broken.Message}}
	r.report(fault)
	return d, false
}

func (r *methodReader) read(node *source.Node, what label, report func(diag.Diagnostic)) contract.Descriptor {
	if alternatives := node.Get("oneOf"); alternatives != nil && node.Get("schema") == nil {
		return r.alternatives(node, alternatives, what, report)
	}
	o := r.object(node, "content descriptor", report)
	d := contract.Descriptor{
		Name: o.text("name"), Summary: o.text("summary"), Description: o.text("description"),
		Required: o.flag("required", true), Deprecated: o.flag("deprecated", false), Schema: node.Get("schema"),
	}
	d.Extensions, d.Unknown = o.rest(descriptorMembers)
	checkSchema(d.Schema, node, what, report)
	return d
}

func checkSchema(n, descriptor *source.Node, what label, report func(diag.Diagnostic)) {
	switch {
	case n == nil:
		d := diag.At(descriptor, CodeMissingSchema, "%s has no \"schema\"", what).WithAdvice("a value of any kind says \"schema\": true")
		if descriptor.Get("type") != nil || descriptor.Get("properties") != nil {
			d = d.WithAdvice("this looks like a schema: a content descriptor is {\"name\": ..., \"schema\": ...}")
		}
		report(d)
	case n.Kind != source.Object && n.Kind != source.Bool:
		report(diag.At(n, CodeWrongType, "the schema of %s is %s, not an object, true or false", what, kindOf(n)))
	}
}

// alternatives reads oneOf in place of a content descriptor. The value fits
// exactly one of the alternatives' schemas; it is required when all of them
// are. Where they disagree about the name there is none to send it under, and
// only an array can carry it.
func (r *methodReader) alternatives(node, list *source.Node, what label, report func(diag.Diagnostic)) contract.Descriptor {
	if !r.version.descriptorOneOf() {
		report(diag.At(list, CodeDescriptorOneOf, "%s is a \"oneOf\", which OpenRPC %s no longer has in place of a content descriptor", what, r.version.text).
			WithAdvice("write one content descriptor whose schema has the oneOf"))
		return contract.Descriptor{}
	}
	if list.Kind != source.Array || len(list.Items) == 0 {
		report(diag.At(list, CodeWrongType, "\"oneOf\" of %s is not an array of content descriptors", what))
		return contract.Descriptor{}
	}
	joined := contract.Descriptor{Required: true}
	schemas := make([]*source.Node, 0, len(list.Items))
	var names []string
	for i, item := range list.Items {
		d, ok := r.alternative(item, label{kind: "alternative", number: i + 1, whole: &what}, report)
		if !ok {
			return contract.Descriptor{}
		}
		joined.Required = joined.Required && d.Required
		joined.Unknown = append(joined.Unknown, d.Unknown...)
		schemas = append(schemas, d.Schema)
		if !has(names, d.Name) && len(names) < maxNames {
			names = append(names, d.Name)
		}
	}
	joined.Name, joined.MadeUp = strings.Join(names, "_or_"), len(names) > 1
	joined.Schema = oneOf(node, list, schemas)
	return joined
}

// maxNames bounds how many alternatives give their name to the label of the whole.
const maxNames = 4

// alternative is a content descriptor that is not a oneOf again.
func (r *methodReader) alternative(item *source.Node, what label, report func(diag.Diagnostic)) (contract.Descriptor, bool) {
	node := r.follow(item, what, report)
	if node == nil {
		return contract.Descriptor{}, false
	}
	if nested := node.Get("oneOf"); nested != nil && node.Get("schema") == nil {
		report(diag.At(nested, CodeDescriptorOneOf, "%s is a \"oneOf\" within a \"oneOf\"", what))
		return contract.Descriptor{}, false
	}
	usable := true
	d := r.read(node, what, func(d diag.Diagnostic) {
		usable = usable && d.Severity != diag.Error
		report(d)
	})
	return d, usable
}

// oneOf builds the schema {"oneOf": schemas} in the place of list.
func oneOf(node, list *source.Node, schemas []*source.Node) *source.Node {
	joined := &source.Node{Kind: source.Object, File: node.File, Offset: node.Offset, Parent: node}
	items := &source.Node{Kind: source.Array, Items: schemas, File: list.File, Offset: list.Offset, Parent: joined}
	joined.Members = []source.Member{{Name: "oneOf", Offset: list.Offset, Value: items}}
	return joined
}

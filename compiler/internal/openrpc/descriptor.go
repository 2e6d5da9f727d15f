package openrpc

import (
	"fmt"
	"strings"

	"github.com/openrpc-go/rpcgen/compiler/internal/contract"
	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

var descriptorMembers = []string{"name", "summary", "description", "required", "schema", "deprecated"}

// descriptor reads the content descriptor that item is or refers to. It
// reports false when there is none to use; the fault is then reported. The
// name may be empty.
func (r *methodReader) descriptor(item *source.Node, what string) (contract.Descriptor, bool) {
	node := r.follow(item, what, r.report)
	if node == nil {
		return contract.Descriptor{}, false
	}
	if alternatives := node.Get("oneOf"); alternatives != nil && node.Get("schema") == nil {
		return r.alternatives(item, node, alternatives, what)
	}
	o := object{node, "content descriptor", r.report}
	d := contract.Descriptor{
		Name: o.text("name"), Summary: o.text("summary"), Description: o.text("description"),
		Required: o.flag("required", true), Deprecated: o.flag("deprecated", false),
		Schema: node.Get("schema"), Node: node, Use: item,
	}
	d.Extensions, d.Unknown = o.rest(descriptorMembers)
	return d, r.checkSchema(d.Schema, node, what)
}

func (r *methodReader) checkSchema(n, descriptor *source.Node, what string) bool {
	switch {
	case n == nil:
		d := diag.At(descriptor, "missing-schema", "%s has no \"schema\"", what).WithAdvice("a value of any kind says \"schema\": true")
		if descriptor.Get("type") != nil || descriptor.Get("properties") != nil {
			d = d.WithAdvice("this looks like a schema: a content descriptor is {\"name\": ..., \"schema\": ...}")
		}
		r.report(d)
	case n.Kind == source.Object || n.Kind == source.Bool:
		return true
	default:
		r.report(diag.At(n, "wrong-type", "the schema of %s is %s, not an object, true or false", what, kindOf(n)))
	}
	return false
}

// alternatives reads oneOf in place of a content descriptor. The value fits
// exactly one of the alternatives' schemas; it is required when all of them
// are. Where they disagree about the name there is none to send it under, and
// only an array can carry it.
func (r *methodReader) alternatives(item, node, list *source.Node, what string) (contract.Descriptor, bool) {
	if !r.version.descriptorOneOf() {
		r.report(diag.At(list, "descriptor-one-of", "%s is a \"oneOf\", which OpenRPC %s no longer has in place of a content descriptor", what, r.version.text).
			WithAdvice("write one content descriptor whose schema has the oneOf"))
		return contract.Descriptor{}, false
	}
	if list.Kind != source.Array || len(list.Items) == 0 {
		r.report(diag.At(list, "wrong-type", "\"oneOf\" of %s is not an array of content descriptors", what))
		return contract.Descriptor{}, false
	}
	joined := contract.Descriptor{Required: true, Node: node, Use: item}
	schemas := make([]*source.Node, 0, len(list.Items))
	var names []string
	for i, alternative := range list.Items {
		d, ok := r.alternative(alternative, fmt.Sprintf("alternative %d of %s", i+1, what))
		if !ok {
			return contract.Descriptor{}, false
		}
		joined.Required = joined.Required && d.Required
		joined.Unknown = append(joined.Unknown, d.Unknown...)
		schemas = append(schemas, d.Schema)
		if !has(names, d.Name) {
			names = append(names, d.Name)
		}
	}
	joined.Name, joined.MadeUp = strings.Join(names, "_or_"), len(names) > 1
	joined.Schema = oneOf(node, list, schemas)
	return joined, true
}

// alternative is a content descriptor that is not a oneOf again.
func (r *methodReader) alternative(item *source.Node, what string) (contract.Descriptor, bool) {
	node := r.follow(item, what, r.report)
	if node == nil {
		return contract.Descriptor{}, false
	}
	if nested := node.Get("oneOf"); nested != nil && node.Get("schema") == nil {
		r.report(diag.At(nested, "descriptor-one-of", "%s is a \"oneOf\" within a \"oneOf\"", what))
		return contract.Descriptor{}, false
	}
	return r.descriptor(item, what)
}

// oneOf builds the schema {"oneOf": schemas} in the place of list.
func oneOf(node, list *source.Node, schemas []*source.Node) *source.Node {
	joined := &source.Node{Kind: source.Object, File: node.File, Offset: node.Offset, Parent: node}
	items := &source.Node{Kind: source.Array, Items: schemas, File: list.File, Offset: list.Offset, Parent: joined}
	joined.Members = []source.Member{{Name: "oneOf", Offset: list.Offset, Value: items}}
	return joined
}

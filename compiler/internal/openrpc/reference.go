package openrpc

import (
	"fmt"
	"slices"

	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/reference"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// maxHops bounds a chain of references that have other members beside them.
const maxHops = 32

// follow returns the object that n is or refers to. what names the thing in
// messages, "param 2 of \"invoice.get\"". OpenRPC reads nothing beside $ref,
// so members that stand there and would mean something are reported.
//
// What a reference names is judged by its shape and not by the folder it lies
// in: real documents keep content descriptors under components/schemas.
func (r *reader) follow(n *source.Node, what label, report func(diag.Diagnostic)) *source.Node {
	start := n
	var seen []*source.Node
	for {
		if n.Kind != source.Object {
			report(diag.At(n, CodeWrongType, "%s is %s, not an object", what, kindOf(n)))
			return nil
		}
		ref := n.Get("$ref")
		if ref == nil {
			return n
		}
		if ref.Kind != source.String {
			report(diag.At(ref, CodeWrongType, "\"$ref\" is %s, not a string", kindOf(ref)))
			return nil
		}
		if len(seen) == maxHops || slices.Contains(seen, n) {
			report(diag.At(start, reference.CodeCycle, "%s: the reference leads round in a circle or through more than %d others", what, maxHops).
				WithRelated(n, "by way of this reference"))
			return nil
		}
		seen = append(seen, n)
		r.reportSiblings(n, report)
		target, broken := r.refs.Resolve(n, ref.Text)
		if broken != nil {
			d := *broken
			d.Message = fmt.Sprintf("%s: %s", what, d.Message)
			report(d)
			return nil
		}
		n = target
	}
}

// silentSiblings are members beside $ref that change nothing when ignored.
var silentSiblings = []string{"$ref", "description", "summary", "title", "deprecated", "examples", "externalDocs"}

func (r *reader) reportSiblings(n *source.Node, report func(diag.Diagnostic)) {
	if len(n.Members) == 1 || r.siblings[n] {
		return
	}
	r.siblings[n] = true
	for _, m := range n.Members {
		if has(silentSiblings, m.Name) {
			continue
		}
		report(atName(m, diag.Warning, CodeRefSibling, "%q beside \"$ref\" is ignored, as OpenRPC says", m.Name).
			WithAdvice("write it where the reference leads, or write the object out here"))
	}
}

// asWarning returns a report that lowers errors to warnings, for places that
// no call depends on.
func asWarning(report func(diag.Diagnostic)) func(diag.Diagnostic) {
	return func(d diag.Diagnostic) {
		if d.Severity == diag.Error {
			d.Severity = diag.Warning
		}
		report(d)
	}
}

package openrpc

import (
	"fmt"
	"strconv"

	"github.com/openrpc-go/rpcgen/compiler/internal/contract"
	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// errors reads the declared errors. Codes are unique: real documents declare
// one code once per message, which is one error; two meanings of data under
// one code are a fault.
func (r *methodReader) errors() {
	seen, told := make(map[int64]int), make(map[*source.Node]bool)
	for i, item := range r.self.list("errors", true) {
		e, ok := r.declaredError(item, label{kind: "error", number: i + 1, method: r.method.Name})
		if !ok {
			continue
		}
		at, again := seen[e.Code]
		if !again {
			seen[e.Code] = len(r.method.Errors)
			r.method.Errors = append(r.method.Errors, e)
			continue
		}
		if !told[e.Node] {
			told[e.Node] = true
			r.repeatedError(r.method.Errors[at], e, item)
		}
	}
}

func (r *methodReader) repeatedError(first, again contract.Error, use *source.Node) {
	if same(first.Data, again.Data) {
		text := fmt.Sprintf("code %d of %q is already declared with the message %q; this message is not kept", again.Code, r.method.Name, first.Message)
		if first.Message == again.Message {
			text = fmt.Sprintf("code %d of %q is already declared with the same message", again.Code, r.method.Name)
		}
		r.report(diag.Warn(use, CodeRepeatedError, "%s", text).WithRelated(first.Node, "first declared here"))
		return
	}
	r.report(diag.At(use, CodeDuplicateError, "code %d of %q is already declared with other data", again.Code, r.method.Name).
		WithAdvice("declare a code once; where its data has several shapes, give data a oneOf").
		WithRelated(first.Node, "first declared here"))
}

func (r *methodReader) declaredError(item *source.Node, what label) (contract.Error, bool) {
	node := r.follow(item, what, r.report)
	if node == nil {
		return contract.Error{}, false
	}
	o := r.object(node, "error", r.report)
	e := contract.Error{Message: o.text("message"), Data: dataSchema(node.Get("data")), Node: node}
	_, e.Unknown = o.rest([]string{"code", "message", "data"})
	if node.Get("message") == nil {
		r.report(diag.Warn(node, CodeMissingMessage, "%s has no \"message\"", what))
	}
	code := node.Get("code")
	if code == nil {
		r.report(diag.At(node, CodeErrorCode, "%s has no \"code\"", what).WithAdvice("an error is known by its code, a whole number"))
		return e, false
	}
	n, err := strconv.ParseInt(code.Text, 10, 64)
	if code.Kind != source.Number || err != nil {
		r.report(diag.At(code, CodeErrorCode, "the code of %s is %s, not a whole number of 64 bits", what, shown(code)))
		return e, false
	}
	e.Code = n
	return e, true
}

func shown(n *source.Node) string {
	switch n.Kind {
	case source.Number, source.Bool:
		return n.Text
	case source.String:
		return strconv.Quote(n.Text)
	default:
		return kindOf(n)
	}
}

// dataSchema returns the schema of an error's data, nil when there is none.
// The specification lets data be any value, so documents hold schemas and
// sample values alike. An object that says what JSON Schema says is a schema;
// anything else is a sample, which promises nothing.
func dataSchema(n *source.Node) *source.Node {
	if n == nil || n.Kind != source.Object || !saysSchema(n) {
		return nil
	}
	return n
}

var jsonTypes = []string{"null", "boolean", "integer", "number", "string", "array", "object"}

func saysSchema(n *source.Node) bool {
	for _, m := range n.Members {
		kind := m.Value.Kind
		switch m.Name {
		case "type":
			if kind == source.String && has(jsonTypes, m.Value.Text) || kind == source.Array {
				return true
			}
		case "$ref":
			if kind == source.String {
				return true
			}
		case "properties", "not":
			if kind == source.Object {
				return true
			}
		case "oneOf", "anyOf", "allOf", "enum":
			if kind == source.Array {
				return true
			}
		}
	}
	return false
}

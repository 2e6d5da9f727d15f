package openrpc

import (
	"github.com/openrpc-go/rpcgen/compiler/internal/contract"
	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// tags returns the names of the method's tags. No call depends on them.
func (r *methodReader) tags() []string {
	var tags []string
	report := asWarning(r.report)
	for i, item := range r.self.list("tags", false) {
		n := r.follow(item, label{kind: "tag", number: i + 1, method: r.method.Name}, report)
		if n == nil {
			continue
		}
		o := r.object(n, "tag", report)
		if name := o.text("name"); name != "" {
			tags = append(tags, name)
		}
		o.rest([]string{"name", "summary", "description", "externalDocs"})
	}
	return tags
}

// examples reads the example pairings that can be read. No call depends on them.
func (r *methodReader) examples() []contract.Example {
	var examples []contract.Example
	for i, item := range r.self.list("examples", false) {
		what := label{kind: "example", number: i + 1, method: r.method.Name}
		n := r.follow(item, what, asWarning(r.report))
		if n == nil {
			continue
		}
		e, known := r.pairings[n]
		if !known {
			e = r.pairing(n, what)
		}
		if n != item {
			r.pairings[n] = e
		}
		if e != nil {
			examples = append(examples, *e)
		}
	}
	return examples
}

// pairing reads an example pairing; nil when a param has no value.
func (r *methodReader) pairing(n *source.Node, what label) *contract.Example {
	o := r.object(n, "example pairing", asWarning(r.report))
	e := &contract.Example{Name: o.text("name"), Node: n}
	complete := true
	for i, item := range o.list("params", false) {
		p, ok := r.exampleValue(item, label{kind: "param", number: i + 1, whole: &what})
		complete = complete && ok
		e.Params = append(e.Params, p)
	}
	if result := n.Get("result"); result != nil {
		v, _ := r.exampleValue(result, label{kind: "the result", whole: &what})
		e.Result = v.Value
	}
	o.rest([]string{"name", "summary", "description", "params", "result"})
	if !complete {
		return nil
	}
	return e
}

// exampleValue reads one example object; it reports false when it holds no value.
func (r *methodReader) exampleValue(item *source.Node, what label) (contract.ExampleParam, bool) {
	report := asWarning(r.report)
	n := r.follow(item, what, report)
	if n == nil {
		return contract.ExampleParam{}, false
	}
	o := r.object(n, "example", report)
	p := contract.ExampleParam{Name: o.text("name"), Value: n.Get("value")}
	o.rest([]string{"name", "summary", "description", "value", "externalValue"})
	if p.Value == nil {
		found := "has no \"value\""
		if n.Get("externalValue") != nil {
			found = "has its value outside the document, which is not read"
		}
		report(diag.Warn(n, CodeMissingValue, "%s %s", what, found))
	}
	return p, p.Value != nil
}

// links notes links: they say how results lead to other calls, and no call is
// made differently for them.
func (r *methodReader) links() {
	items := r.self.list("links", false)
	if len(items) == 0 {
		return
	}
	report := asWarning(r.report)
	for i, item := range items {
		r.follow(item, label{kind: "link", number: i + 1, method: r.method.Name}, report)
	}
	r.report(diag.Noted(r.self.node.Get("links"), CodeLinksUnsupported, "links are read and not used: nothing follows them"))
}

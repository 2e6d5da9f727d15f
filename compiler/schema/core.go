package schema

import (
	"net/url"
	"regexp"

	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// core reads identifiers, and the references that have keywords beside them:
// those are one more schema that must hold.
func (t *translation) core() {
	if v := t.get(t.rules.idKeyword()); v != nil {
		t.identifier(v)
	}
	for _, name := range [...]string{"$anchor", "$dynamicAnchor"} {
		if v := t.get(name); v != nil && (v.Kind != source.String || !plainName.MatchString(v.Text)) {
			t.fault(v, "an anchor starts with a letter", "%q must be a plain name", name)
		}
	}
	for _, name := range [...]string{"$defs", "definitions"} {
		if v := t.get(name); v != nil && v.Kind != source.Object {
			t.fault(v, "", "%q must be an object, not %s", name, kindName(v))
		}
	}
	for _, name := range [...]string{"$schema", "$comment"} {
		t.word(name)
	}
	t.references()
}

var plainName = regexp.MustCompile(`^[A-Za-z_][-A-Za-z0-9._]*$`)

func (t *translation) identifier(v *source.Node) {
	if v.Kind != source.String {
		t.fault(v, "", "%q must be a URI reference, not %s", t.rules.idKeyword(), kindName(v))
		return
	}
	u, err := url.Parse(v.Text)
	if err != nil {
		t.fault(v, "", "%q is not a URI reference", clip(v.Text))
		return
	}
	if t.rules.siblings() && u.Fragment != "" {
		t.fault(v, "use $anchor for a plain name", "%q has a fragment, which $id cannot have", clip(v.Text))
	}
}

func (t *translation) references() {
	for _, name := range [...]string{"$ref", "$dynamicRef"} {
		v := t.get(name)
		if v == nil {
			continue
		}
		if v.Kind != source.String {
			t.fault(v, `write a reference such as "#/definitions/Name"`, "%q must be a string, not %s", name, kindName(v))
			continue
		}
		target, fault := t.graph.target(t.source, v)
		if name == "$dynamicRef" {
			target, fault = t.graph.dynamicTarget(t.source, v, t.scope)
		}
		if fault != nil {
			t.add(*fault)
			continue
		}
		t.refer(v, target)
	}
}

// refer adds the target of a reference that has siblings.
func (t *translation) refer(v, target *source.Node) {
	e, warnings := t.graph.enqueue(target, t.scope, t.graph.rulesAt(target), nowhere)
	t.add(warnings...)
	if e == t.entry {
		t.add(diag.At(v, CodeEndless, "this schema refers to itself for the same value, which never ends"))
		return
	}
	t.node.AllOf = append(t.node.AllOf, e.node)
}

// words reads the annotations.
func (t *translation) words() {
	i := &t.entry.info
	i.Title, i.Description = t.word("title"), t.word("description")
	if i.Description == "" {
		i.Description = t.word("summary")
	}
	i.Deprecated, i.ReadOnly, i.WriteOnly = t.mark("deprecated"), t.mark("readOnly"), t.mark("writeOnly")
	i.Default = t.get("default")
	if v := t.get("example"); v != nil {
		i.Examples = append(i.Examples, v)
	}
	if v := t.get("examples"); v != nil {
		if v.Kind != source.Array {
			t.add(diag.Warn(v, CodeKeyword, `"examples" must be an array, not %s`, kindName(v)))
			return
		}
		i.Examples = append(i.Examples, v.Items...)
	}
}

// mark reads a flag that changes no verdict, so that a wrong one costs no
// method.
func (t *translation) mark(name string) bool {
	v := t.get(name)
	if v == nil {
		return false
	}
	if v.Kind != source.Bool {
		t.add(diag.Warn(v, CodeKeyword, "%q must be true or false, not %s", name, kindName(v)))
		return false
	}
	return v.Text == "true"
}

package amendment

import (
	"strings"

	"github.com/openrpc-go/rpcgen/compiler/internal/contract"
	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
)

// reshape returns the contract with what entries say about the shape of their
// methods on our side: how params travel, logical ids, Go names. Digests speak
// of the document and stay as they were.
func (j *joiner) reshape() *contract.Contract {
	shaped := *j.contract
	shaped.Methods = make([]*contract.Method, len(j.contract.Methods))
	j.joined.GoNames = make([]string, len(shaped.Methods))
	j.joined.NoParams = make([]string, len(shaped.Methods))
	for i, m := range j.contract.Methods {
		shaped.Methods[i] = m
		e := j.joined.Entries[i]
		if e == nil {
			continue
		}
		shaped.Methods[i] = j.structured(m, e, i)
		if e.id.value != "" {
			named := *shaped.Methods[i]
			named.LogicalID = e.id.value
			shaped.Methods[i] = &named
		}
		j.joined.GoNames[i] = e.goName.value
		j.joined.NoParams[i] = e.noParams.value
	}
	j.injective(&shaped)
	return &shaped
}

// structured lays param_structure over a document that does not say what its
// server wants, or says that it takes both.
func (j *joiner) structured(m *contract.Method, e *Entry, i int) *contract.Method {
	want := e.structure
	switch {
	case want.value == "":
		return m
	case m.StructureDefault || m.Structure == contract.Either:
		return m.WithStructure(want.value)
	case m.Structure == want.value:
		return m
	case e.Pin.Wire == j.digests[i].Wire:
		at := m.Node
		if said := m.Node.Get("paramStructure"); said != nil {
			at = said
		}
		j.faults.Add(diag.At(want.node, StructureStated, "the document says that params of %q travel %s", m.Name, m.Structure).
			WithAdvice("remove param_structure; where the document is wrong, correct its paramStructure under corrections").
			WithRelated(at, "the document says so here"))
	}
	return m
}

// injective refuses two methods of one logical id or one Go name: a right, or
// a line of Go, must never mean another method than it says.
func (j *joiner) injective(c *contract.Contract) {
	ids, names := map[string]int{}, map[string]int{}
	for i, m := range c.Methods {
		if _, taken := ids[m.LogicalID]; !taken || j.names(i).id.node == nil {
			ids[m.LogicalID] = i
		}
	}
	for i, m := range c.Methods {
		e := j.names(i)
		if other := ids[m.LogicalID]; other != i && m.LogicalID != "" {
			j.taken(e.id, "logical id", c.Methods[other])
		}
		if e.goName.value == "" {
			continue
		}
		folded := strings.ToLower(e.goName.value)
		if other, taken := names[folded]; taken {
			j.taken(e.goName, "Go name", c.Methods[other])
			continue
		}
		names[folded] = i
	}
}

// names returns the entry of method i; an empty one where it has none.
func (j *joiner) names(i int) *Entry {
	if e := j.joined.Entries[i]; e != nil {
		return e
	}
	return &Entry{}
}

// taken reports a name at the entry that states it. Without one it is the
// document's, whose ids are made distinct where they are derived.
func (j *joiner) taken(name stated[string], what string, holder *contract.Method) {
	if name.node != nil {
		j.faults.Add(diag.At(name.node, NameTaken, "%q is the %s of %q as well", name.value, what, holder.Name).
			WithAdvice("give one of the two another name"))
	}
}

package plan

import (
	"fmt"
	"strings"

	"github.com/openrpc-go/rpcgen/compiler/internal/contract"
	rt "github.com/openrpc-go/rpcgen/runtime/schema"
)

// ErrorData reads the data of a declared error as a Go type. A code has one for
// every shape that methods declare for its data.
type ErrorData struct {
	Go   string // function
	Type Type
	Doc  Text
	// Methods are the wire names of those that declare the data.
	Methods []string
}

// dataShape is one shape of the data of an error code.
type dataShape struct {
	node    *rt.Node
	typ     Type
	methods []*shaped
	sites   Sites
}

func (b *builder) errorData(m *contract.Method, e *contract.Error) *rt.Node {
	return b.shaper.graph.Node(e.Data, fmt.Sprintf("%s/errors/%d/data", m.Name, e.Code))
}

// dataShapes groups the data that methods declare for a code by what they say.
func (b *builder) dataShapes(code int64) []*dataShape {
	byLikeness := map[string]*dataShape{}
	var all []*dataShape
	for _, m := range b.methods {
		for i := range m.source.Errors {
			e := &m.source.Errors[i]
			if e.Code != code || e.Data == nil {
				continue
			}
			node := b.errorData(m.source, e)
			key := b.shaper.likeness.of(node)
			if byLikeness[key] == nil {
				byLikeness[key] = &dataShape{node: node}
				all = append(all, byLikeness[key])
			}
			byLikeness[key].methods = append(byLikeness[key].methods, m)
		}
	}
	return all
}

// shapeErrors collects the errors of the planned methods and makes the types of
// their data.
func (b *builder) shapeErrors() {
	b.declaredErrors = b.declared()
	for _, e := range b.declaredErrors {
		e.data = b.dataShapes(e.code)
		for _, d := range e.data {
			at := place{name: strings.TrimPrefix(e.names()[0], "Err") + "Data", top: true, sites: &d.sites}
			if len(e.data) > 1 {
				at.name = d.methods[0].Go + at.name
			}
			d.typ = b.shaper.element(d.node, at)
			b.shaper.settle()
			for _, m := range d.methods {
				m.uses(declOf(d.typ))
			}
		}
	}
}

func (d *dataShape) wireNames() []string {
	names := make([]string, len(d.methods))
	for i, m := range d.methods {
		names[i] = m.Wire
	}
	return names
}

// readers plans the functions that read the data of an error called name.
func (d *declaredError) readers(name string) (data []ErrorData, wishes []wish) {
	data = make([]ErrorData, len(d.data))
	for i, shape := range d.data {
		out := &data[i]
		out.Type, out.Methods = shape.typ, shape.wireNames()
		want, where := name+"Data", ""
		if len(d.data) > 1 {
			want += "Of" + shape.methods[0].Go
			where = " of " + methodList(out.Methods)
		}
		wishes = append(wishes, wish{key: fmt.Sprintf("data %d of error %d", i, d.code), wants: []string{want}, grant: func(got string) {
			out.Go = got
			out.Doc = Text{ours(got + " returns the data of " + name + where + ", when err is that error and its data fit.")}
		}})
	}
	return data, wishes
}

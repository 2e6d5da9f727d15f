package lock

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openrpc-go/rpcgen/runtime/compiled"
	"github.com/openrpc-go/rpcgen/runtime/effect"
	"github.com/openrpc-go/rpcgen/runtime/schema"
)

// shaped is a method whose result is recursive, and may be called.
func shaped() *compiled.Method {
	list := &schema.Node{ID: "List", Types: schema.TypeObject, Object: &schema.ObjectRules{}}
	list.Object.Properties = []schema.Property{{Name: "next", Node: list}, {Name: "\u202e<b>", Required: true, Node: &schema.Node{ID: "List/\u202e<b>", Types: schema.TypeString}}}
	return &compiled.Method{
		Name: "list.get", ID: "list_get", GoName: "ListGet", Digests: digests(1), ResultNode: list,
		Authority: compiled.Authority{State: compiled.Open, Effect: effect.Read, Right: effect.RightRead, Code: effect.Allow, Agents: effect.Allow},
	}
}

// TestShape: a shape comes back out of the file as it went in, without any
// authority.
func TestShape(t *testing.T) {
	m := shaped()
	shape, err := NewShape(compiled.Header{ID: "lists", Protocol: "jsonrpc", Digest: digest(9)}, m, "w:x r:y")
	if err != nil {
		t.Fatal(err)
	}
	l := &Lock{Tool: "v1", Contracts: []Contract{{ID: "lists", Digest: digest(1), Package: "lists", Authority: "none", Stale: []Shape{shape}}}}
	text := write(t, l)
	again, faults := readText(text)
	if faults.HasErrors() {
		t.Fatal(faults[0].Message)
	}
	got, err := again.Contracts[0].Stale[0].Compiled()
	if err != nil {
		t.Fatal(err)
	}
	if got.Authority.State != compiled.Undecided || got.Authority.Effect != "" {
		t.Errorf("a shape carries authority: %+v", got.Authority)
	}
	if diff := cmp.Diff(m.Digests, got.Digests); diff != "" || got.Name != m.Name {
		t.Errorf("(-want +got)\n%s", diff)
	}
	next := got.ResultNode.Object.Properties[0].Node
	if next != got.ResultNode || got.ResultNode.Object.Properties[1].Name != "\u202e<b>" {
		t.Errorf("the schema is another: %+v", got.ResultNode)
	}
	if once := write(t, again); string(once) != string(text) {
		t.Error("a lock that was read is written otherwise")
	}
}

// TestShapeRefuses: what is damaged, or is that of another method, is an error.
func TestShapeRefuses(t *testing.T) {
	shape, err := NewShape(compiled.Header{ID: "lists", Protocol: "jsonrpc", Digest: digest(9)}, shaped(), "w:x r:y")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []Shape{
		{Method: "other", Shape: shape.Shape},
		{Method: "list.get", Shape: []byte(`{}`)},
		{Method: "list.get", Shape: shape.Shape[:len(shape.Shape)/2]},
	} {
		if m, err := c.Compiled(); err == nil {
			t.Errorf("%q yields %+v", c.Method, m)
		}
	}
}

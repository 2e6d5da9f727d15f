package seal

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openrpc-go/rpcgen/compiler/internal/amendment"
	"github.com/openrpc-go/rpcgen/compiler/internal/contract"
	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/openrpc"
	"github.com/openrpc-go/rpcgen/compiler/internal/pin"
	"github.com/openrpc-go/rpcgen/compiler/internal/reference"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
	"github.com/openrpc-go/rpcgen/compiler/schema"
	"github.com/openrpc-go/rpcgen/runtime/compiled"
	rt "github.com/openrpc-go/rpcgen/runtime/schema"
)

const document = `{"openrpc": "1.3.2", "info": {"title": "T", "version": "9"}, "methods": [
	{"name": "a.get", "summary": "s", "deprecated": true, "paramStructure": "by-position",
	 "params": [{"name": "id", "required": true, "schema": {"$ref": "#/components/schemas/ID"}}, {"name": "n", "schema": {"type": "integer"}}],
	 "result": {"name": "r", "schema": {"$ref": "#/components/schemas/ID"}},
	 "errors": [{"code": 7, "message": "gone", "data": {"type": "string"}}, {"code": 8, "message": "late"}]},
	{"name": "b.bad", "params": [{"name": "x", "schema": {"$ref": "#/components/schemas/Missing"}}], "result": {"name": "r", "schema": true}},
	{"name": "c.note", "params": []},
	{"name": "d.unplanned", "params": [], "result": {"name": "r", "schema": true}}
], "components": {"schemas": {"ID": {"type": "string"}}}}`

func seal(t *testing.T, o Options, j *amendment.Joined) (*contract.Contract, *compiled.Contract) {
	t.Helper()
	f, err := source.Read("doc.json", []byte(document), source.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	refs := reference.New(f, reference.Options{})
	c, faults := openrpc.Read("test", f, refs)
	if c == nil {
		t.Fatal(faults)
	}
	g := schema.NewGraph(refs, c.Dialect)
	c = contract.Resolve(c, g)
	digests := pin.Digests(c, g)
	return c, Contract(c, g, digests, j, o)
}

func TestContract(t *testing.T) {
	unplanned := diag.List{{Code: "endless-type", Pointer: "/methods/3", Message: "never ends"}}
	joined := &amendment.Joined{Authorities: []compiled.Authority{
		{State: compiled.Stale, Reason: "moved"}, {State: compiled.Open}, {State: compiled.Refused, Reason: "no"}, {State: compiled.Open},
	}}
	c, got := seal(t, Options{
		GoNames: []string{"GetA", "", "NoteC", ""}, Unplanned: map[int]diag.List{3: unplanned},
		DefaultURL: "https://a.example", Amendment: "sha256:am",
	}, joined)
	id := &rt.Node{ID: "ID"}
	want := &compiled.Contract{
		Header: compiled.Header{
			Format: compiled.Generation, ID: "test", Protocol: "jsonrpc", Title: "T", Version: "9",
			Document:  compiled.Source{Kind: "openrpc", Version: "1.3.2", Digest: c.Files[0].Digest},
			Amendment: "sha256:am", DefaultURL: "https://a.example",
		},
		Methods: []*compiled.Method{
			{Name: "a.get", ID: "a_get", GoName: "GetA", Summary: "s", Deprecated: true, Positional: true,
				Params: []compiled.Param{{Name: "id", Required: true}, {Name: "n"}},
				Errors: []compiled.Error{{Code: 7, Message: "gone", Data: &rt.Node{ID: "a.get/errors/7/data"}}, {Code: 8, Message: "late"}},
				ParamsNode: &rt.Node{ID: "a.get/params", Types: rt.TypeObject, Object: &rt.ObjectRules{
					Properties: []rt.Property{{Name: "id", Required: true, Node: id}, {Name: "n", Node: &rt.Node{ID: "a.get/params/n"}}},
					Additional: &rt.Node{ID: "a.get/params/*", Never: true},
				}},
				ResultNode: id, Authority: joined.Authorities[0]},
			{Name: "b.bad", ID: "b_bad", Params: []compiled.Param{{Name: "x"}}, Authority: compiled.Authority{State: compiled.Uncompiled}},
			{Name: "c.note", ID: "c_note", GoName: "NoteC", Notification: true, Authority: joined.Authorities[2]},
			{Name: "d.unplanned", ID: "d_unplanned", Authority: compiled.Authority{State: compiled.Uncompiled},
				Diagnostics: []compiled.Diagnostic{{Code: "endless-type", Pointer: "/methods/3", Message: "never ends"}}},
		},
	}
	if !strings.HasPrefix(got.Digest, "sha256:") || got.Methods[0].Digests.Wire == "" || len(got.Methods[1].Diagnostics) == 0 {
		t.Errorf("digests or diagnostics are missing: %+v", got)
	}
	if d := got.Methods[1].Diagnostics; len(d) == 1 && !strings.HasPrefix(d[0].Pointer, "/methods/1/params/0/schema") {
		t.Errorf("diagnostic %v does not point at the reference", d)
	}
	// Digests and the insides of the document's schemas belong to other tests.
	got.Digest, got.Methods[1].Diagnostics = "", nil
	for _, m := range got.Methods {
		m.Digests = compiled.Digests{}
	}
	same := cmp.Transformer("describe", describe)
	if diff := cmp.Diff(want, got, same); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// describe says of a node what sealing decides: its id, and of an object of
// params its members.
func describe(n *rt.Node) string {
	if n == nil {
		return ""
	}
	if !strings.HasSuffix(n.ID, "/params") {
		return fmt.Sprint(n.ID, " ", n.Never)
	}
	out := fmt.Sprint(n.ID, " ", n.Types, " ", describe(n.Object.Additional))
	for _, p := range n.Object.Properties {
		out += fmt.Sprint("; ", p.Name, " ", p.Required, " ", describe(p.Node))
	}
	return out
}

func TestNothingPlannedOrJoined(t *testing.T) {
	_, got := seal(t, Options{}, nil)
	states := map[string]compiled.State{}
	for _, m := range got.Methods {
		states[m.Name] = m.Authority.State
	}
	want := map[string]compiled.State{"a.get": compiled.Undecided, "b.bad": compiled.Uncompiled, "c.note": compiled.Undecided, "d.unplanned": compiled.Undecided}
	if diff := cmp.Diff(want, states); diff != "" {
		t.Error(diff)
	}
}

// TestName names what was sealed before anything was planned, and leaves alone
// what must be sealed again.
func TestName(t *testing.T) {
	for _, test := range []struct {
		names []string
		fits  bool
	}{
		{[]string{"GetA", "", "NoteC", "D"}, true},
		{[]string{"GetA", "", "NoteC", ""}, false}, // not planned
		{[]string{"GetA", "B", "NoteC", "D"}, false},
	} {
		_, got := seal(t, Options{}, nil)
		if Name(got, test.names) != test.fits {
			t.Errorf("Name(%q) = %v", test.names, !test.fits)
		}
		for i, m := range got.Methods {
			want := ""
			if test.fits {
				want = test.names[i]
			}
			if m.GoName != want {
				t.Errorf("Name(%q): method %d is called %q", test.names, i, m.GoName)
			}
		}
		_, again := seal(t, Options{GoNames: test.names}, nil)
		if diff := cmp.Diff(again, got, cmp.Transformer("describe", describe)); (diff == "") != test.fits {
			t.Errorf("sealed with the names %q: -with +named\n%s", test.names, diff)
		}
	}
}

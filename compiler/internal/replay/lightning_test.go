package replay

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/openrpc-go/rpcgen/compiler/internal/source"
	"github.com/openrpc-go/rpcgen/compiler/schema"
	"github.com/openrpc-go/rpcgen/runtime/compiled"
	rt "github.com/openrpc-go/rpcgen/runtime/schema"
)

// lightningTypes are the types that Core Lightning adds to JSON Schema, in the
// types of JSON that its documentation gives for them. Whole numbers of a width
// lose their bounds, texts their form.
var lightningTypes = map[string]string{
	"u8": `"integer"`, "u16": `"integer"`, "u32": `"integer"`, "u64": `"integer"`,
	"msat": `["integer","string"]`, "sat": `["integer","string"]`, "feerate": `["integer","string"]`,
	"msat_or_any": `["integer","string"]`, "sat_or_all": `["integer","string"]`,
	"hex": `"string"`, "pubkey": `"string"`, "hash": `"string"`, "txid": `"string"`, "secret": `"string"`,
	"short_channel_id": `"string"`, "short_channel_id_dir": `"string"`, "outpoint": `"string"`,
	"bip340sig": `"string"`, "signature": `"string"`, "currency": `"string"`, "outputdesc": `"object"`,
}

// translate turns a schema of Core Lightning into a JSON Schema: types by the
// table, and no descriptions, which it writes as arrays. The order of members
// stays: params by position come in it.
func translate(n *source.Node) string {
	switch n.Kind {
	case source.Object:
		var members []string
		for _, m := range n.Members {
			value := translate(m.Value)
			switch types := lightningTypes[m.Value.Text]; {
			case m.Name == "description" && m.Value.Kind == source.Array:
				continue
			case m.Name == "type" && types != "":
				value = types
			}
			members = append(members, strconv.Quote(m.Name)+":"+value)
		}
		return "{" + strings.Join(members, ",") + "}"
	case source.Array:
		var items []string
		for _, item := range n.Items {
			items = append(items, translate(item))
		}
		return "[" + strings.Join(items, ",") + "]"
	default:
		return string(n.JSON())
	}
}

// lightning compiles the schemas of one file.
func lightning(t *testing.T, f *source.File) *compiled.Method {
	t.Helper()
	name := f.Root.Get("rpc").Text
	node := func(part string) *rt.Node {
		text := translate(f.Root.Get(part))
		if f.Root.Get(part).Get("type") == nil {
			text = `{"type":"object",` + text[1:]
		}
		n, err := schema.Compile(schema.Draft7, []byte(text), schema.Options{Name: name})
		if err != nil {
			t.Fatalf("%s does not compile: %v", name, err)
		}
		return n
	}
	m := &compiled.Method{Name: name, ParamsNode: node("request"), ResultNode: node("response")}
	for _, p := range m.ParamsNode.Object.Properties {
		m.Params = append(m.Params, compiled.Param{Name: p.Name, Required: p.Required})
	}
	return m
}

// examples writes the examples of one file as lines. An example has no envelope
// beyond id, method and params, so one is put around it; the values are as they
// were published.
func examples(f *source.File) string {
	var lines strings.Builder
	if list := f.Root.Get("examples"); list != nil {
		for _, e := range list.Items {
			request := e.Get("request")
			fmt.Fprintf(&lines, `{"request":{"jsonrpc":"2.0",%s,"response":{"jsonrpc":"2.0","id":%s,"result":%s}}`+"\n",
				request.JSON()[1:], request.Get("id").JSON(), e.Get("response").JSON())
		}
	}
	return lines.String()
}

// TestCoreLightning replays the examples of Core Lightning's methods against
// their schemas, 113 methods. Every misfit is in a list with its explanation,
// and everything in the list occurs.
func TestCoreLightning(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "..", "..", "shared", "corpus", "recordings", "core-lightning", "*.json"))
	if err != nil || len(files) == 0 {
		t.Skipf("no corpus of recordings: %v", err)
	}
	contract := &compiled.Contract{Header: compiled.Header{ID: "lightning", Protocol: "jsonrpc"}}
	o := Options{Either: map[string]bool{}}
	lines := ""
	for _, path := range files {
		f, err := source.ReadFile(path, filepath.Base(path), source.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		m := lightning(t, f)
		contract.Methods = append(contract.Methods, m)
		o.Either[m.Name] = true
		lines += examples(f)
	}
	r, err := New(contract, o)
	if err != nil {
		t.Fatal(err)
	}
	report, got := NewReport(contract), []string{}
	for _, x := range record(t, "examples.jsonl", lines).Exchanges {
		v := r.Judge(x)
		report.File([]*Verdict{v})
		for _, f := range v.Findings {
			line := strings.Join([]string{v.Method, string(f.Side), f.Code, string(f.Pointer), f.Keyword}, " ")
			got = append(got, strings.TrimRight(line, " "))
		}
	}
	if want := explained(t, filepath.Join("testdata", "core-lightning.txt")); !slices.Equal(got, want) {
		t.Errorf("misfits are\n%s\nthe list has\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if report.Totals.Exchanges != 189 || len(contract.Methods) != 113 {
		t.Errorf("%d examples of %d methods", report.Totals.Exchanges, len(contract.Methods))
	}
	t.Logf("%+v, without an example: %q", report.Totals, report.Never())
}

// explained reads a list of misfits: indented lines below explanations.
func explained(t *testing.T, path string) []string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var misfits []string
	explanation := false
	for _, line := range strings.Split(string(text), "\n") {
		misfit, indented := strings.CutPrefix(line, "  ")
		switch {
		case indented && !explanation:
			t.Errorf("nothing explains %s", misfit)
		case indented:
			misfits = append(misfits, misfit)
		default:
			explanation = line != "" && line[0] != '#'
		}
	}
	return misfits
}

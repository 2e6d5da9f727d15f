package contract

import (
	"fmt"
	"slices"
	"testing"

	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

func methodWith(t *testing.T, s ParamStructure, params ...Descriptor) *Method {
	t.Helper()
	f, err := source.Read("in", []byte(`[1]`), source.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range params {
		params[i].Use = f.Root.Items[0]
		params[i].Node = params[i].Use
	}
	m := &Method{Name: "m", Structure: s, StructureDefault: true, Params: params}
	m.Faults = m.StructureFaults()
	return m
}

func faultsOf(m *Method) []string {
	var out []string
	for _, d := range m.Faults {
		out = append(out, fmt.Sprintf("%s %s", d.Severity, d.Code))
	}
	return out
}

func TestStructureFaults(t *testing.T) {
	required, optional, nameless := Descriptor{Name: "a", Required: true}, Descriptor{Name: "b"}, Descriptor{Name: "param1", MadeUp: true, Required: true}
	for _, c := range []struct {
		name   string
		params []Descriptor
		want   map[ParamStructure][]string
	}{
		{"none", nil, nil},
		{"trailing optional", []Descriptor{required, optional}, nil},
		{"required after optional", []Descriptor{optional, required}, map[ParamStructure][]string{
			ByPosition: {"error required-after-optional"},
			ByName:     {"warning required-after-optional"},
			Either:     {"warning required-after-optional"},
		}},
		{"nameless", []Descriptor{nameless}, map[ParamStructure][]string{
			ByPosition: {"warning nameless-param"},
			ByName:     {"error nameless-param"},
			Either:     {"error nameless-param"},
		}},
	} {
		for _, s := range []ParamStructure{ByName, ByPosition, Either} {
			m := methodWith(t, s, slices.Clone(c.params)...)
			if got := faultsOf(m); !slices.Equal(got, c.want[s]) {
				t.Errorf("%s, %s: faults %q, want %q", c.name, s, got, c.want[s])
			}
		}
	}
}

func TestWithStructure(t *testing.T) {
	m := methodWith(t, ByPosition, Descriptor{Name: "b"}, Descriptor{Name: "a", Required: true})
	other := diag.At(m.Params[0].Node, "other", "stays")
	m.Faults = append(m.Faults, other)
	changed := m.WithStructure(ByName)
	if got, want := faultsOf(changed), []string{"error other", "warning required-after-optional"}; !slices.Equal(got, want) {
		t.Errorf("faults after the change are %q, want %q", got, want)
	}
	if changed.StructureDefault || changed.Structure != ByName {
		t.Errorf("structure is %s (default %v), want by-name as stated", changed.Structure, changed.StructureDefault)
	}
	if got, want := faultsOf(m), []string{"error required-after-optional", "error other"}; !slices.Equal(got, want) {
		t.Errorf("the method itself changed: %q, want %q", got, want)
	}
}

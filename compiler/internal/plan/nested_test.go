package plan_test

import (
	"strings"
	"testing"

	"github.com/openrpc-go/rpcgen/compiler/internal/plan"
)

func declared(t *testing.T, p *plan.Package, name string) *plan.Decl {
	t.Helper()
	for _, f := range p.Files {
		for _, d := range f.Types {
			if d.Go == name {
				return d
			}
		}
	}
	t.Fatalf("no type %s", name)
	return nil
}

// TestVariantsOfNestedUnions: a branch of a named union that is a branch of
// another one is named after the union it stands in, and serves both.
func TestVariantsOfNestedUnions(t *testing.T) {
	const components = `
		"Contents":{"anyOf":[{"$ref":"#/components/schemas/Marked"},{"type":"array","items":{"$ref":"#/components/schemas/Marked"}}]},
		"Marked":{"oneOf":[{"type":"string"},{"type":"object","required":["value"],"properties":{"value":{"type":"string"}}}]},
		"Mutual":{"oneOf":[{"type":"boolean"},{"$ref":"#/components/schemas/Other"}]},
		"Other":{"oneOf":[{"type":"object","properties":{"x":{"$ref":"#/components/schemas/Mutual"}}},{"type":"number"}]}`
	p := built(t, "t", one(`{"type":"object","properties":{"c":{"$ref":"#/components/schemas/Contents"},"m":{"$ref":"#/components/schemas/Mutual"},"o":{"$ref":"#/components/schemas/Other"}}}`, components))
	for name, want := range map[string]string{
		"Contents": "MarkedString MarkedValue ContentsList",
		"Marked":   "MarkedString MarkedValue",
		"Mutual":   "MutualBoolean OtherX OtherNumber",
		"Other":    "OtherX OtherNumber",
	} {
		var got []string
		for _, v := range declared(t, p, name).Variants {
			got = append(got, v.Go)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s has the variants %q, want %q", name, got, want)
		}
	}
	if d := declared(t, p, "MarkedValue"); strings.Join(d.Implements, " ") != "isContents isMarked" {
		t.Errorf("MarkedValue implements %q", d.Implements)
	}
}

// TestConstantByAllOf: a member that one part of an allOf leaves open and
// another fixes has no field, as one that is fixed at once.
func TestConstantByAllOf(t *testing.T) {
	const components = `
		"Base":{"type":"object","required":["method"],"properties":{"method":{"type":"string","enum":["sepa","card"]},"kind":{"type":"string"}}},
		"Sepa":{"allOf":[{"$ref":"#/components/schemas/Base"},{"properties":{"method":{"const":"sepa"},"kind":{"const":"k"}}}]}`
	d := declared(t, built(t, "t", one(`{"$ref":"#/components/schemas/Sepa"}`, components)), "Sepa")
	var fields []string
	for _, f := range d.Fields {
		fields = append(fields, f.Go)
	}
	if got := strings.Join(fields, " "); got != "Kind Extra" {
		t.Errorf("Sepa has the fields %q, want no field for what is required and fixed, and one for what is optional", got)
	}
}

// TestBasesNameWhatIsTheirs: an inline type of a base is named after the base,
// though the alphabet leads to those that include it first.
func TestBasesNameWhatIsTheirs(t *testing.T) {
	const components = `
		"A":{"allOf":[{"$ref":"#/components/schemas/Base"},{"type":"object","properties":{"a":{"type":"string"}}}]},
		"Base":{"allOf":[{"$ref":"#/components/schemas/Root"}],"properties":{"kind":{"enum":["x","y"]}}},
		"Root":{"type":"object","properties":{"part":{"type":"object","properties":{"z":{"type":"string"}}}}}`
	p := built(t, "t", one(`{"$ref":"#/components/schemas/A"}`, components))
	var types []string
	for _, f := range p.Files {
		for _, d := range f.Types {
			types = append(types, d.Go)
		}
	}
	if got := strings.Join(types, " "); got != "A BaseKind RootPart" {
		t.Errorf("the types are %q", got)
	}
}

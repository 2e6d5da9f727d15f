package plan_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// TestLargeContractFiles: 5,000 component types that 600 methods use stand in
// files that a person can open: none has more than a few hundred declarations.
func TestLargeContractFiles(t *testing.T) {
	const types, methods = 5000, 600
	components, calls := make([]string, types), make([]string, methods)
	for i := range components {
		components[i] = fmt.Sprintf(`"Type%d":{"type":"object","properties":{"next":{"$ref":"#/components/schemas/Type%d"},"own":{"$ref":"#/components/schemas/Type%d"}}}`, i, (i+1)%types, (i*7)%types)
	}
	for i := range calls {
		calls[i] = fmt.Sprintf(`{"name":"call%d","params":[],"result":{"name":"r","schema":{"$ref":"#/components/schemas/Type%d"}}}`, i, i*8)
	}
	p := built(t, "t", document(strings.Join(calls, ","), strings.Join(components, ",")))
	all, called := 0, 0
	for _, f := range p.Files {
		all, called = all+len(f.Types), called+len(f.Methods)
		if len(f.Types) > 500 || len(f.Methods) > 100 {
			t.Errorf("%s holds %d types and %d methods", f.Name, len(f.Types), len(f.Methods))
		}
	}
	if all != types || called != methods {
		t.Errorf("the files hold %d types and %d methods, want %d and %d", all, called, types, methods)
	}
}

// TestSharedTypes: what a further method costs does not grow with the types that
// it shares with all others, as in documents where everything leads to everything.
func TestSharedTypes(t *testing.T) {
	const types, methods = 2000, 200
	components := make([]string, types)
	for i := range components {
		components[i] = fmt.Sprintf(`"Type%d":{"type":"object","properties":{"next":{"$ref":"#/components/schemas/Type%d"}}}`, i, (i+1)%types)
	}
	allocated := func(methods int) uint64 {
		calls := make([]string, methods)
		for i := range calls {
			calls[i] = fmt.Sprintf(`{"name":"call%d","params":[],"result":{"name":"r","schema":{"$ref":"#/components/schemas/Type%d"}}}`, i, i)
		}
		text := document(strings.Join(calls, ","), strings.Join(components, ","))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		built(t, "t", text)
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	one := allocated(1)
	if each := (int64(allocated(methods)) - int64(one)) / (methods - 1); each > 16*types {
		t.Errorf("a further method allocates %d bytes beside %d types", each, types)
	} else {
		t.Logf("a further method allocates %d bytes beside %d types", each, types)
	}
}

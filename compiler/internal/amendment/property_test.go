package amendment_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/openrpc-go/rpcgen/compiler/internal/pin"
	"github.com/openrpc-go/rpcgen/runtime/compiled"
)

// shape is a random schema, apart from how it is spelled.
type shape struct {
	kind  string // string, integer, array, object
	bound int    // maxLength, maximum, maxItems, maxProperties
	enum  []string
	item  *shape
	props []field
}

type field struct {
	name     string
	required bool
	of       *shape
}

// operation is a random method.
type operation struct {
	name   string
	params []field
	result *shape
}

func randomShape(r *rand.Rand, depth int) *shape {
	s := &shape{kind: []string{"string", "integer", "array", "object"}[r.IntN(4)], bound: 1 + r.IntN(9)}
	switch {
	case depth == 0 || s.kind == "string":
		s.kind = "string"
		if r.IntN(2) == 0 {
			s.enum = []string{"a", "b", "c"}[:1+r.IntN(3)]
		}
	case s.kind == "array":
		s.item = randomShape(r, depth-1)
	case s.kind == "object":
		s.props = randomFields(r, depth-1)
	}
	return s
}

func randomFields(r *rand.Rand, depth int) []field {
	var all []field
	for i := range 1 + r.IntN(3) {
		all = append(all, field{fmt.Sprintf("f%d", i), r.IntN(2) == 0, randomShape(r, depth)})
	}
	return all
}

func randomOperations(r *rand.Rand) []operation {
	var all []operation
	for i := range 2 + r.IntN(3) {
		all = append(all, operation{fmt.Sprintf("group.m%d", i), randomFields(r, 2), randomShape(r, 2)})
	}
	return all
}

// change makes the shape another one, somewhere in it.
func (s *shape) change(r *rand.Rand) {
	switch {
	case s.item != nil && r.IntN(2) == 0:
		s.item.change(r)
	case len(s.props) > 0 && r.IntN(2) == 0:
		changeFields(r, &s.props)
	case s.enum != nil:
		s.enum = append(slices.Clone(s.enum), "z")
	default:
		s.bound++
	}
}

func changeFields(r *rand.Rand, fields *[]field) {
	i := r.IntN(len(*fields))
	switch f := &(*fields)[i]; r.IntN(4) {
	case 0:
		f.required = !f.required
	case 1:
		f.name += "x"
	case 2:
		*fields = append(*fields, field{"extra", false, &shape{kind: "string", bound: 1}})
	default:
		f.of.change(r)
	}
}

// speller prints operations as a document. With noise it spells them in
// another way that means the same.
type speller struct {
	r          *rand.Rand
	noise      bool
	components []string
}

func (p *speller) object(members []string) string {
	if p.noise {
		p.r.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
	}
	return "{" + strings.Join(members, ", ") + "}"
}

func (p *speller) schema(s *shape) string {
	bound := map[string]string{"string": "maxLength", "integer": "maximum", "array": "maxItems", "object": "maxProperties"}[s.kind]
	members := []string{fmt.Sprintf(`"type": %q`, s.kind), fmt.Sprintf(`%q: %d`, bound, s.bound)}
	if s.enum != nil {
		values := slices.Clone(s.enum)
		if p.noise {
			slices.Reverse(values)
		}
		members = append(members, fmt.Sprintf(`"enum": ["%s"]`, strings.Join(values, `", "`)))
	}
	if s.item != nil {
		members = append(members, `"items": `+p.schema(s.item))
	}
	if s.props != nil {
		var props, required []string
		for _, f := range s.props {
			props = append(props, fmt.Sprintf("%q: %s", f.name, p.schema(f.of)))
			if f.required {
				required = append(required, fmt.Sprintf("%q", f.name))
			}
		}
		members = append(members, `"properties": `+p.object(props))
		if required != nil {
			members = append(members, `"required": [`+strings.Join(required, ", ")+`]`)
		}
	}
	if p.noise && p.r.IntN(2) == 0 {
		members = append(members, `"description": "other words", "x-note": 1`)
	}
	text := p.object(members)
	if p.noise && p.r.IntN(3) == 0 {
		p.components = append(p.components, text)
		return fmt.Sprintf(`{"$ref": "#/components/schemas/C%d"}`, len(p.components)-1)
	}
	return text
}

func (p *speller) document(operations []operation) string {
	var methods []string
	for _, o := range operations {
		var params []string
		for _, f := range o.params {
			params = append(params, p.object([]string{
				fmt.Sprintf(`"name": %q`, f.name), fmt.Sprintf(`"required": %v`, f.required), `"schema": ` + p.schema(f.of),
			}))
		}
		methods = append(methods, p.object([]string{
			fmt.Sprintf(`"name": %q`, o.name), `"paramStructure": "by-name"`,
			`"params": [` + strings.Join(params, ", ") + `]`, `"result": {"name": "r", "schema": ` + p.schema(o.result) + `}`,
		}))
	}
	var components []string
	for i := range p.components {
		components = append(components, fmt.Sprintf(`"C%d": %s`, i, p.components[i]))
	}
	return `{"openrpc": "1.3.2", "info": {"title": "t", "version": "1"}, "methods": [` + strings.Join(methods, ", ") +
		`], "components": {"schemas": {` + strings.Join(components, ", ") + `}}}`
}

// decisions are ways to open a method.
var decisions = []string{
	`effect: read`, `effect: write`, `effect: read, code: ask, agents: ask`, `effect: write, agents: allow, standing: "why"`,
	`effect: destructive, code: allow, agents: ask`, `use: lookup`, `effect: write, budget: {calls: 1, per: 1h}`,
	`effect: read, results: report, open_world: false`,
}

// TestNoChangeStaysEffective: whatever a random contract is and whatever its
// entries say, a change of how a method is called closes it, a change of what
// it answers closes it to agents, and another spelling of the same does nothing.
func TestNoChangeStaysEffective(t *testing.T) {
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 7))
		operations := randomOperations(r)
		_, _, digests := stages(t, (&speller{r: r}).document(operations), nil)
		text := "version: \"1\"\ncontract: payments\nprofiles:\n  lookup: {effect: read}\nmethods:\n"
		for i, o := range operations {
			text += fmt.Sprintf("  %q: {pin: %q, %s}\n", o.name, pin.Of(digests[i]), decisions[r.IntN(len(decisions))])
		}

		check := func(what string, moved int, judge func(compiled.Authority) bool) {
			t.Helper()
			document := (&speller{r: r, noise: true}).document(operations)
			j, faults := joinText(t, document, text, nil)
			if faults.HasErrors() {
				t.Fatalf("seed %d: %v", seed, faults)
			}
			for i, a := range j.Authorities {
				if i == moved {
					if !judge(a) {
						t.Fatalf("seed %d: %s of %s: still %+v\n%s\n%s", seed, what, operations[i].name, a, text, document)
					}
				} else if a.State != compiled.Open || a.ClosedTo != nil {
					t.Fatalf("seed %d: %s of another method made %s %+v\n%s", seed, what, operations[i].name, a, document)
				}
			}
		}
		check("another spelling", -1, nil)
		moved := r.IntN(len(operations))
		operations[moved].result.change(r)
		check("another result", moved, func(a compiled.Authority) bool {
			return a.State == compiled.Open && slices.Equal(a.ClosedTo, []string{"agent"})
		})
		changeFields(r, &operations[moved].params)
		check("other params", moved, func(a compiled.Authority) bool { return a.State == compiled.Stale && a.Effect == "" })
	}
}

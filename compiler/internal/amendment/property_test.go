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
	null  bool   // null as well
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
	s := &shape{kind: []string{"string", "integer", "array", "object"}[r.IntN(4)], bound: 1 + r.IntN(9), null: r.IntN(4) == 0}
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

// The ways in which one meaning is spelled: the rows of governance 2.3, and
// words and extensions, which are no part of wire and result.
const (
	keyOrder    = "order of members"
	whiteSpace  = "white space"
	inYAML      = "YAML instead of JSON"
	byReference = "a reference instead of a schema"
	renamed     = "another name of a component"
	setOrder    = "order of enum and required"
	redundant   = "an allOf that adds nothing"
	nullForm    = "another form of null"
	otherWords  = "other words and extensions"
)

var spellings = []string{keyOrder, whiteSpace, inYAML, byReference, renamed, setOrder, redundant, nullForm, otherWords}

// speller prints operations as a document, in the ways that are switched on.
type speller struct {
	r          *rand.Rand
	ways       []string
	used       map[string]bool // ways that made a difference
	components []string
}

// does reports whether a way is switched on, one time in n.
func (p *speller) does(way string, n int) bool {
	if !slices.Contains(p.ways, way) || p.r.IntN(n) > 0 {
		return false
	}
	p.used[way] = true
	return true
}

func (p *speller) object(members []string) string {
	if len(members) > 1 && p.does(keyOrder, 1) {
		p.r.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
	}
	space := " "
	if p.does(whiteSpace, 2) {
		space = "\n    "
	}
	return "{" + strings.Join(members, ","+space) + "}"
}

func (p *speller) schema(s *shape) string {
	bound := map[string]string{"string": "maxLength", "integer": "maximum", "array": "maxItems", "object": "maxProperties"}[s.kind]
	members := []string{fmt.Sprintf(`%q: %d`, bound, s.bound)}
	wrapped := s.null && p.does(nullForm, 1)
	if s.null && !wrapped {
		members = append(members, fmt.Sprintf(`"type": [%q, "null"]`, s.kind))
	} else {
		members = append(members, fmt.Sprintf(`"type": %q`, s.kind))
	}
	if s.enum != nil {
		values := quoted(s.enum)
		if s.null && !wrapped {
			values = append(values, "null")
		}
		if len(values) > 1 && p.does(setOrder, 1) {
			slices.Reverse(values)
		}
		members = append(members, `"enum": [`+strings.Join(values, ", ")+`]`)
	}
	if s.item != nil {
		members = append(members, `"items": `+p.schema(s.item))
	}
	if s.props != nil {
		var props, required []string
		for _, f := range s.props {
			props = append(props, fmt.Sprintf("%q: %s", f.name, p.schema(f.of)))
			if f.required {
				required = append(required, f.name)
			}
		}
		members = append(members, `"properties": `+p.object(props))
		if required = quoted(required); len(required) > 0 {
			if len(required) > 1 && p.does(setOrder, 1) {
				slices.Reverse(required)
			}
			members = append(members, `"required": [`+strings.Join(required, ", ")+`]`)
		}
	}
	if p.does(otherWords, 2) {
		members = append(members, `"description": "other words", "x-note": 1`)
	}
	text := p.object(members)
	switch {
	case wrapped:
		text = `{"` + []string{"oneOf", "anyOf"}[p.r.IntN(2)] + `": [` + text + `, {"type": "null"}]}`
	case p.does(redundant, 3):
		text = []string{`{"allOf": [` + text + `]}`, `{"allOf": [true, ` + text + `]}`, `{"allOf": [` + text + `, ` + text + `]}`}[p.r.IntN(3)]
	}
	if p.does(byReference, 3) || p.r.IntN(6) == 0 {
		p.components = append(p.components, text)
		return fmt.Sprintf(`{"$ref": "#/components/schemas/%s"}`, p.name(len(p.components)-1))
	}
	return text
}

func quoted(list []string) []string {
	var out []string
	for _, s := range list {
		out = append(out, fmt.Sprintf("%q", s))
	}
	return out
}

// name is that of a component.
func (p *speller) name(i int) string {
	if slices.Contains(p.ways, renamed) {
		p.used[renamed] = true
		return fmt.Sprintf("Renamed%d", i)
	}
	return fmt.Sprintf("C%d", i)
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
		components = append(components, fmt.Sprintf(`%q: %s`, p.name(i), p.components[i]))
	}
	head := ""
	if p.does(inYAML, 1) {
		head = "# a document\n"
	}
	return head + `{"openrpc": "1.3.2", "info": {"title": "t", "version": "1"}, "methods": [` + strings.Join(methods, ", ") +
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
	used := map[string]bool{}
	for seed := range uint64(80) {
		r := rand.New(rand.NewPCG(seed, 7))
		operations := randomOperations(r)
		spell := func(ways ...string) string {
			// The same choices but for the ways: what is a component in one is in the other.
			p := &speller{r: rand.New(rand.NewPCG(seed, 8)), ways: ways, used: used}
			return p.document(operations)
		}
		_, _, digests := stages(t, spell(), nil)
		text := "version: \"1\"\ncontract: payments\nprofiles:\n  lookup: {effect: read}\nmethods:\n"
		for i, o := range operations {
			text += fmt.Sprintf("  %q: {pin: %q, %s}\n", o.name, pin.Of(digests[i]), decisions[r.IntN(len(decisions))])
		}

		check := func(what, document string, moved int, judge func(compiled.Authority) bool) {
			t.Helper()
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
					t.Fatalf("seed %d: %s made %s %+v\n%s\n%s", seed, what, operations[i].name, a, spell(), document)
				}
			}
		}
		for _, way := range spellings {
			check(way, spell(way), -1, nil)
		}
		check("all spellings at once", spell(spellings...), -1, nil)
		moved := r.IntN(len(operations))
		operations[moved].result.change(r)
		check("another result", spell(spellings...), moved, func(a compiled.Authority) bool {
			return a.State == compiled.Open && slices.Equal(a.ClosedTo, []string{"agent"})
		})
		changeFields(r, &operations[moved].params)
		check("other params", spell(spellings...), moved, func(a compiled.Authority) bool { return a.State == compiled.Stale && a.Effect == "" })
	}
	for _, way := range spellings {
		if !used[way] {
			t.Errorf("%q was never tried", way)
		}
	}
}

package schema_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	oracle "github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/openrpc-go/rpcgen/compiler/schema"
	rt "github.com/openrpc-go/rpcgen/runtime/schema"
)

// difference is a verdict that differs from the oracle's for a known reason.
type difference struct {
	reason string
	is     func(c disagreement) bool
}

// disagreement is a schema that one side refuses, or a value that the sides
// judge differently.
type disagreement struct {
	dialect       schema.Dialect
	schema, value string
	refusal       error // ours
}

// differences are the explained ones. A disagreement that is met by none of
// them fails the test; so does, in the long mode, an entry that meets none.
var differences = []difference{
	{
		// The oracle finds out while it checks, and only on the way it takes.
		reason: "a schema that applies itself to the same value is refused when it is compiled (core 9.4.1)",
		is: func(c disagreement) bool {
			var e *schema.Error
			if !errors.As(c.refusal, &e) {
				return false
			}
			for _, f := range e.Findings {
				if f.Code != schema.CodeEndless && f.Code != "reference-cycle" {
					return false
				}
			}
			return true
		},
	},
	{
		reason: "draft 4: an integer has no fraction or exponent part (zeroTerminatedFloats of the official suite)",
		is: func(c disagreement) bool {
			return c.dialect == schema.Draft4 && c.refusal == nil &&
				strings.Contains(c.schema, `"integer"`) && (strings.Contains(c.value, "1.0") || strings.Contains(c.value, "1e2"))
		},
	},
}

// TestDifferential compares verdicts with another engine, on random schemas of
// the supported grammar and random values that come near to them.
// RPCGEN_LONG=1 runs the long mode.
func TestDifferential(t *testing.T) {
	pairs, long := 6_000, os.Getenv("RPCGEN_LONG") == "1"
	if long {
		pairs = 240_000
	}
	met := map[string]int{}
	explained := func(c disagreement) bool {
		for _, d := range differences {
			if d.is(c) {
				met[d.reason]++
				return true
			}
		}
		return false
	}
	for i, d := range []struct {
		dialect schema.Dialect
		draft   *oracle.Draft
	}{{schema.Draft7, oracle.Draft7}, {schema.Draft2020, oracle.Draft2020}, {schema.Draft4, oracle.Draft4}} {
		t.Run(d.dialect.String(), func(t *testing.T) {
			g := &generator{Rand: rand.New(rand.NewPCG(uint64(i), 7)), dialect: d.dialect}
			refused, compared, fit := 0, 0, 0
			for compared < pairs/3 {
				s := g.document()
				values := g.values(8)
				ours, err := schema.Compile(d.dialect, s, schema.Options{})
				theirs, theirErr := compileOracle(d.draft, s)
				if err != nil {
					if theirErr == nil && !explained(disagreement{d.dialect, string(s), "", err}) {
						t.Fatalf("refused, but the oracle takes it: %v\n%s", err, s)
					}
					refused++
					compared++ // so that a generator gone wrong ends
					continue
				}
				if theirErr != nil {
					t.Fatalf("the oracle refuses it: %v\n%s", theirErr, s)
				}
				checker, err := rt.NewChecker(ours)
				if err != nil {
					t.Fatalf("the engine refuses it: %v\n%s", err, s)
				}
				for _, v := range values {
					compared++
					got, want := checker.Check(v), validate(theirs, v)
					if (got == nil) != (want == nil) && !explained(disagreement{d.dialect, string(s), string(v), nil}) {
						t.Fatalf("schema %s\nvalue %s\ngot %v\nplain %v\nwant %v", s, v, got, plainCheck(ours, v), want)
					}
					if want == nil {
						fit++
					}
				}
			}
			t.Logf("%d pairs, %d values fit, %d schemas refused", compared, fit, refused)
			if fit < compared/20 || fit > compared*19/20 {
				t.Errorf("%d of %d values fit: the generator tells nothing", fit, compared)
			}
			if refused > compared/20 {
				t.Errorf("%d schemas refused", refused)
			}
		})
	}
	for _, d := range differences {
		t.Logf("%6d differences: %s", met[d.reason], d.reason)
		if long && met[d.reason] == 0 {
			t.Errorf("nothing differs any more because %q: remove the entry", d.reason)
		}
	}
}

func compileOracle(d *oracle.Draft, s []byte) (*oracle.Schema, error) {
	v, err := oracle.UnmarshalJSON(bytes.NewReader(s))
	if err != nil {
		return nil, err
	}
	c := oracle.NewCompiler()
	c.DefaultDraft(d)
	if err := c.AddResource("schema.json", v); err != nil {
		return nil, err
	}
	return c.Compile("schema.json")
}

func validate(s *oracle.Schema, src []byte) error {
	v, err := oracle.UnmarshalJSON(bytes.NewReader(src))
	if err != nil {
		return err
	}
	return s.Validate(v)
}

// generator makes schemas out of the grammar of a dialect, and values out of
// the same small alphabet, so that they meet.
type generator struct {
	*rand.Rand
	dialect  schema.Dialect
	anchored bool   // the document declares the dynamic anchor "node"
	base     string // of references to the document, from another resource
}

type object map[string]any

var (
	memberNames = []string{"a", "b", "c", "aa", "é"}
	texts       = []string{"", "a", "b", "ab", "abc", "é", "aaaa", "0", "😀", "A b"}
	literals    = []string{"0", "1", "2", "3", "-1", "1.5", "1.0", "0.1", "10", "1e2", "100", "18446744073709551616", "-0.5", "0.30"}
	expressions = []string{"^a", "b$", "^[a-c]+$", "a|é", "^.{2}$", "c{2,}", "^$"}
)

func pick[T any](g *generator, list []T) T { return list[g.IntN(len(list))] }

func (g *generator) document() []byte {
	g.anchored = g.dialect == schema.Draft2020 && g.IntN(2) == 0
	s := g.schema(3)
	o, ok := s.(object)
	if !ok {
		o = object{"not": object{}}
	}
	definitions := object{}
	for _, name := range []string{"A", "B", "C"} {
		definitions[name] = g.schema(2)
	}
	if g.anchored {
		// Another resource that binds the same anchor.
		o["$dynamicAnchor"] = "node"
		g.base = "schema.json"
		if inner, ok := g.schema(2).(object); ok {
			inner["$id"], inner["$dynamicAnchor"] = "inner.json", "node"
			inner["$defs"] = object{"deep": object{"$anchor": "deep", "items": g.schema(1)}}
			definitions["inner"] = inner
			definitions["user"] = object{"properties": object{"a": object{"$ref": pick(g, []string{"inner.json", "inner.json#deep", "#node"})}}}
			o["additionalProperties"] = object{"$ref": "#/definitions/user"}
		}
		g.base = ""
	}
	o["definitions"] = definitions
	b, err := json.Marshal(o)
	if err != nil {
		panic(err)
	}
	return b
}

func (g *generator) schema(depth int) any {
	if g.dialect != schema.Draft4 && g.IntN(12) == 0 {
		return g.IntN(4) > 0
	}
	if g.IntN(7) == 0 {
		return object{"$ref": g.ref()}
	}
	if g.dialect == schema.Draft2020 && g.anchored && g.IntN(9) == 0 {
		return object{"$dynamicRef": "#node"}
	}
	o := object{}
	for range 1 + g.IntN(3) {
		g.keyword(o, depth)
	}
	return o
}

func (g *generator) ref() string {
	if g.IntN(8) == 0 {
		return g.base + "#"
	}
	return g.base + "#/definitions/" + pick(g, []string{"A", "B", "C"})
}

func (g *generator) keyword(o object, depth int) {
	leaf := []func(object){g.typeKeyword, g.typeKeyword, g.enumKeyword, g.numberKeyword, g.stringKeyword, g.countKeyword, g.requiredKeyword}
	if depth == 0 || g.IntN(3) == 0 {
		pick(g, leaf)(o)
		return
	}
	pick(g, []func(object, int){
		g.itemsKeyword, g.propertiesKeyword, g.propertiesKeyword, g.additionalKeyword, g.branchKeyword, g.branchKeyword,
		g.conditionKeyword, g.dependencyKeyword, g.modernKeyword,
	})(o, depth-1)
}

var typeList = []string{"null", "boolean", "integer", "number", "string", "array", "object"}

func (g *generator) typeKeyword(o object) {
	if g.IntN(3) > 0 {
		o["type"] = pick(g, typeList)
		return
	}
	o["type"] = g.some(typeList)
}

// some returns one or more of a list, each once.
func (g *generator) some(list []string) []string {
	order := g.Perm(len(list))[:1+g.IntN(min(3, len(list)))]
	out := make([]string, len(order))
	for i, at := range order {
		out[i] = list[at]
	}
	return out
}

func (g *generator) enumKeyword(o object) {
	if g.dialect != schema.Draft4 && g.IntN(3) == 0 {
		o["const"] = g.value(1)
		return
	}
	seen, list := map[string]bool{}, []any{}
	for range 1 + g.IntN(4) {
		v := g.value(1)
		if key := plainJSON(v); !seen[key] {
			seen[key] = true
			list = append(list, v)
		}
	}
	o["enum"] = list
}

func (g *generator) numberKeyword(o object) {
	switch name := pick(g, []string{"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}); {
	case name == "multipleOf":
		o[name] = json.Number(pick(g, []string{"1", "0.1", "2", "1.5", "0.01"}))
	case g.dialect == schema.Draft4 && strings.HasPrefix(name, "ex"):
		o[name] = g.IntN(2) == 0
		o["m"+strings.TrimPrefix(name, "exclusiveM")] = json.Number(pick(g, literals))
	default:
		o[name] = json.Number(pick(g, literals))
	}
}

func (g *generator) stringKeyword(o object) {
	switch name := pick(g, []string{"minLength", "maxLength", "pattern", "format"}); name {
	case "pattern":
		o[name] = pick(g, expressions)
	case "format":
		o[name] = "unheard-of"
	default:
		o[name] = g.IntN(4)
	}
}

func (g *generator) countKeyword(o object) {
	if g.IntN(5) == 0 {
		o["uniqueItems"] = g.IntN(3) > 0
		return
	}
	o[pick(g, []string{"minItems", "maxItems", "minProperties", "maxProperties"})] = g.IntN(4)
}

func (g *generator) requiredKeyword(o object) { o["required"] = g.some(memberNames) }

func (g *generator) list(depth int) []any {
	list := make([]any, 1+g.IntN(3))
	for i := range list {
		list[i] = g.schema(depth)
	}
	return list
}

func (g *generator) table(names []string, depth int) object {
	o := object{}
	for range 1 + g.IntN(3) {
		o[pick(g, names)] = g.schema(depth)
	}
	return o
}

func (g *generator) itemsKeyword(o object, depth int) {
	switch {
	case g.IntN(2) == 0:
		o["items"] = g.schema(depth)
	case g.dialect == schema.Draft2020:
		o["prefixItems"] = g.list(depth)
	default:
		o["items"] = g.list(depth)
		if g.IntN(2) == 0 {
			o["additionalItems"] = g.schema(depth)
		}
	}
}

func (g *generator) propertiesKeyword(o object, depth int) {
	if g.IntN(4) == 0 {
		o["patternProperties"] = g.table(expressions, depth)
		return
	}
	o["properties"] = g.table(memberNames, depth)
}

func (g *generator) additionalKeyword(o object, depth int) {
	if g.IntN(2) == 0 {
		o["additionalProperties"] = false
		return
	}
	o["additionalProperties"] = g.schema(depth)
}

func (g *generator) branchKeyword(o object, depth int) {
	switch name := pick(g, []string{"allOf", "anyOf", "oneOf", "not"}); name {
	case "not":
		o[name] = g.schema(depth)
	default:
		o[name] = g.list(depth)
	}
}

func (g *generator) conditionKeyword(o object, depth int) {
	if g.dialect == schema.Draft4 {
		return
	}
	for _, name := range []string{"if", "then", "else"} {
		if g.IntN(4) > 0 {
			o[name] = g.schema(depth)
		}
	}
}

func (g *generator) dependencyKeyword(o object, depth int) {
	required := g.IntN(2) == 0
	name := pick(g, memberNames)
	switch {
	case g.dialect != schema.Draft2020 && required:
		o["dependencies"] = object{name: g.some(memberNames)}
	case g.dialect != schema.Draft2020:
		o["dependencies"] = object{name: g.schema(depth)}
	case required:
		o["dependentRequired"] = object{name: g.some(memberNames)}
	default:
		o["dependentSchemas"] = object{name: g.schema(depth)}
	}
}

func (g *generator) modernKeyword(o object, depth int) {
	if g.dialect == schema.Draft4 {
		return
	}
	names := []string{"contains", "propertyNames"}
	if g.dialect == schema.Draft2020 {
		names = append(names, "bounded", "unevaluatedItems", "unevaluatedProperties", "siblings")
	}
	switch name := pick(g, names); name {
	case "bounded":
		o["contains"], o["minContains"], o["maxContains"] = g.schema(depth), g.IntN(3), 1+g.IntN(2)
	case "siblings":
		o["$ref"] = g.ref()
	case "unevaluatedItems", "unevaluatedProperties":
		o[name] = false
		if g.IntN(2) == 0 {
			o[name] = g.schema(depth)
		}
	default:
		o[name] = g.schema(depth)
	}
}

func (g *generator) values(count int) [][]byte {
	out := make([][]byte, count)
	for i := range out {
		b, err := json.Marshal(g.value(3))
		if err != nil {
			panic(fmt.Sprint(err))
		}
		out[i] = b
	}
	return out
}

func (g *generator) value(depth int) any {
	kind := g.IntN(10)
	if depth == 0 {
		kind = g.IntN(6)
	}
	switch kind {
	case 0:
		return nil
	case 1:
		return g.IntN(2) == 0
	case 2, 3:
		return json.Number(pick(g, literals))
	case 4, 5:
		return pick(g, texts)
	case 6, 7:
		list := make([]any, g.IntN(4))
		for i := range list {
			list[i] = g.value(depth - 1)
		}
		return list
	default:
		o := object{}
		for range g.IntN(4) {
			o[pick(g, memberNames)] = g.value(depth - 1)
		}
		return o
	}
}

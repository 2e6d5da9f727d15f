package pin

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/openrpc-go/rpcgen/runtime/compiled"
)

// world is a random schema with the components it refers to. Schemas are
// map[string]any, number literals json.Number.
type world struct {
	*rand.Rand
	root       map[string]any
	components map[string]any
	names      int
}

func newWorld(seed uint64) *world {
	w := &world{Rand: rand.New(rand.NewPCG(seed, 11)), components: map[string]any{}}
	for range w.IntN(3) {
		w.components[w.name()] = nil
	}
	for _, name := range slices.Sorted(maps.Keys(w.components)) {
		w.components[name] = w.object(3) // objects end every recursion
	}
	w.root = w.schema(3)
	return w
}

func (w *world) name() string {
	w.names++
	return fmt.Sprintf("C%d", w.names)
}

func (w *world) schema(depth int) map[string]any {
	kinds := 8
	if depth == 0 {
		kinds = 3
	}
	switch w.IntN(kinds) {
	case 0:
		return w.pick(map[string]any{"type": "string"}, "minLength", json.Number("2"), "format", "date", "pattern", "^a")
	case 1:
		return w.pick(map[string]any{"type": "integer"}, "minimum", json.Number("4"), "multipleOf", json.Number("3"))
	case 2:
		return w.pick(map[string]any{"type": "string", "enum": []any{"a", "b", "c"}}, "maxLength", json.Number("9"))
	case 3:
		if len(w.components) > 0 {
			names := slices.Sorted(maps.Keys(w.components))
			return ref(names[w.IntN(len(names))])
		}
		return w.object(depth - 1)
	case 4:
		return w.pick(map[string]any{"type": "array", "items": w.schema(depth - 1)}, "minItems", json.Number("1"), "uniqueItems", true)
	case 5:
		return map[string]any{"oneOf": []any{w.schema(0), w.object(depth - 1)}}
	case 6:
		return map[string]any{"allOf": []any{w.object(depth - 1), w.object(depth - 1)}}
	default:
		return w.object(depth - 1)
	}
}

func (w *world) object(depth int) map[string]any {
	properties := map[string]any{}
	for i := range 1 + w.IntN(3) {
		properties[fmt.Sprintf("p%d", i)] = w.schema(max(depth, 0))
	}
	return w.pick(map[string]any{"type": "object", "properties": properties},
		"required", []any{"p0", "other"}, "additionalProperties", false, "maxProperties", json.Number("7"))
}

// pick adds each of the keyword-value pairs with some chance.
func (w *world) pick(s map[string]any, pairs ...any) map[string]any {
	for i := 0; i < len(pairs); i += 2 {
		if w.IntN(2) == 0 {
			s[pairs[i].(string)] = pairs[i+1]
		}
	}
	return s
}

func ref(name string) map[string]any { return map[string]any{"$ref": "#/components/schemas/" + name} }

// spot is a place that holds a schema.
type spot struct {
	schema map[string]any
	put    func(any)
}

// spots lists the schemas that a value of the root can reach.
func (w *world) spots() []spot {
	var out []spot
	seen := map[string]bool{}
	var walk func(v any, put func(any))
	walk = func(v any, put func(any)) {
		s, ok := v.(map[string]any)
		if !ok {
			return
		}
		out = append(out, spot{s, put})
		if r, ok := s["$ref"].(string); ok {
			name := strings.TrimPrefix(r, "#/components/schemas/")
			if !seen[name] {
				seen[name] = true
				walk(w.components[name], func(v any) { w.components[name] = v })
			}
			return
		}
		for _, keyword := range slices.Sorted(maps.Keys(s)) {
			switch v := s[keyword].(type) {
			case map[string]any:
				if keyword != "properties" {
					walk(v, func(n any) { s[keyword] = n })
					continue
				}
				for _, name := range slices.Sorted(maps.Keys(v)) {
					walk(v[name], func(n any) { v[name] = n })
				}
			case []any:
				if keyword == "enum" || keyword == "required" || keyword == "type" || keyword == "examples" {
					continue
				}
				for i := range v {
					walk(v[i], func(n any) { v[i] = n })
				}
			}
		}
	}
	walk(w.root, func(v any) { w.root = v.(map[string]any) })
	return out
}

// text prints a value with members in random order and random white space.
func (w *world) text(v any) string {
	space := []string{"", " ", "\n\t"}[w.IntN(3)]
	switch v := v.(type) {
	case map[string]any:
		names := slices.Sorted(maps.Keys(v))
		w.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		for i, name := range names {
			names[i] = strconv.Quote(name) + ":" + space + w.text(v[name])
		}
		return "{" + space + strings.Join(names, ","+space) + "}"
	case []any:
		var parts []string
		for _, e := range v {
			parts = append(parts, w.text(e))
		}
		return "[" + strings.Join(parts, space+",") + "]"
	default:
		b, _ := json.Marshal(v)
		return string(b)
	}
}

func (w *world) digests(t *testing.T) compiled.Digests {
	components := strings.TrimSuffix(strings.TrimPrefix(w.text(w.components), "{"), "}")
	return clean(t, asParam(w.text(w.root), components))[0]
}

// equals are rewrites that say the same.
var equals = []struct {
	name string
	do   func(w *world, s spot) bool // false: not possible here
}{
	{"words", func(w *world, s spot) bool {
		s.schema["description"] = fmt.Sprint("words ", w.IntN(100))
		s.schema["x-note"] = w.IntN(100)
		return true
	}},
	{"component", func(w *world, s spot) bool {
		name := w.name()
		w.components[name] = s.schema
		s.put(ref(name))
		return true
	}},
	{"allOf of one", func(w *world, s spot) bool { s.put(map[string]any{"allOf": []any{s.schema}}); return true }},
	{"allOf with true", func(w *world, s spot) bool {
		s.put(map[string]any{"allOf": []any{true, s.schema, map[string]any{}}})
		return true
	}},
	{"allOf twice", func(w *world, s spot) bool {
		s.put(map[string]any{"allOf": []any{s.schema, copied(s.schema)}})
		return true
	}},
	{"anyOf of one", func(w *world, s spot) bool { s.put(map[string]any{"anyOf": []any{s.schema}}); return true }},
	{"unrolled", func(w *world, s spot) bool {
		r, ok := s.schema["$ref"].(string)
		if ok {
			s.put(copied(w.components[strings.TrimPrefix(r, "#/components/schemas/")]))
		}
		return ok
	}},
	{"order of sets", func(w *world, s spot) bool {
		for _, keyword := range []string{"enum", "required"} {
			if list, ok := s.schema[keyword].([]any); ok {
				w.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
			}
		}
		return true
	}},
	{"spelling of numbers", func(w *world, s spot) bool {
		for keyword, v := range s.schema {
			if n, ok := v.(json.Number); ok && !strings.Contains(n.String(), ".") {
				s.schema[keyword] = n + ".00"
			}
		}
		return true
	}},
	{"integer bound", func(w *world, s spot) bool {
		if s.schema["type"] != "integer" || s.schema["minimum"] == nil {
			return false
		}
		delete(s.schema, "minimum")
		s.schema["exclusiveMinimum"] = json.Number("3")
		return true
	}},
}

func copied(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for name, e := range v {
			out[name] = copied(e)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = copied(e)
		}
		return out
	default:
		return v
	}
}

// edits are near misses: each says something else.
var edits = []struct {
	name string
	do   func(w *world, s map[string]any) bool
}{
	{"unknown keyword", func(w *world, s map[string]any) bool { s["nobodyKnows"] = 1; return s["$ref"] == nil }},
	{"default", func(w *world, s map[string]any) bool { s["default"] = "d"; return s["$ref"] == nil }},
	{"longer", func(w *world, s map[string]any) bool { s["minLength"] = 3; return s["type"] == "string" }},
	{"greater", func(w *world, s map[string]any) bool {
		delete(s, "exclusiveMinimum")
		s["minimum"] = 5
		return s["type"] == "integer"
	}},
	{"number for integer", func(w *world, s map[string]any) bool {
		ok := s["type"] == "integer"
		s["type"] = "number"
		return ok
	}},
	{"null too", func(w *world, s map[string]any) bool {
		ok := s["type"] != nil && s["enum"] == nil
		s["type"] = []any{s["type"], "null"}
		return ok
	}},
	{"one more value", func(w *world, s map[string]any) bool {
		list, ok := s["enum"].([]any)
		s["enum"] = append(list, "d")
		return ok
	}},
	{"one more required", func(w *world, s map[string]any) bool {
		list, _ := s["required"].([]any)
		s["required"] = append(slices.Clone(list), "p9")
		return s["type"] == "object"
	}},
	{"property renamed", func(w *world, s map[string]any) bool {
		properties, ok := s["properties"].(map[string]any)
		if ok {
			properties["q0"] = properties["p0"]
			delete(properties, "p0")
		}
		return ok
	}},
	{"property added", func(w *world, s map[string]any) bool {
		properties, ok := s["properties"].(map[string]any)
		if ok {
			properties["new"] = true
		}
		return ok
	}},
	{"opened or closed", func(w *world, s map[string]any) bool {
		if s["additionalProperties"] == false {
			delete(s, "additionalProperties")
		} else {
			s["additionalProperties"] = false
		}
		return s["type"] == "object"
	}},
	{"items", func(w *world, s map[string]any) bool {
		ok := s["items"] != nil
		s["items"] = map[string]any{"type": "boolean"}
		return ok
	}},
}

// TestEqualSpellings rewrites random schemas again and again: wire must stay.
func TestEqualSpellings(t *testing.T) {
	for seed := range uint64(150) {
		w := newWorld(seed)
		want := w.digests(t)
		var done []string
		for range 8 {
			spots := w.spots()
			rewrite := equals[w.IntN(len(equals))]
			if !rewrite.do(w, spots[w.IntN(len(spots))]) {
				continue
			}
			done = append(done, rewrite.name)
			if got := w.digests(t); got.Wire != want.Wire || got.Result != want.Result {
				t.Fatalf("seed %d: %s moved after %q\n%s\n%s", seed, moved(want, got), done, w.text(w.root), w.text(w.components))
			}
		}
	}
}

// TestNearMisses edits random schemas, in one of several spellings: wire must
// move, and result must not.
func TestNearMisses(t *testing.T) {
	tried := map[string]int{}
	for seed := range uint64(400) {
		w := newWorld(seed)
		want := w.digests(t)
		spots := w.spots()
		edit := edits[w.IntN(len(edits))]
		s := spots[w.IntN(len(spots))]
		before := w.text(s.schema)
		if !edit.do(w, s.schema) {
			continue
		}
		tried[edit.name]++
		if got := w.digests(t); got.Wire == want.Wire || got.Result != want.Result {
			t.Errorf("seed %d: %q moved %q\nof %s\nin %s\n%s", seed, edit.name, moved(want, got), before, w.text(w.root), w.text(w.components))
		}
	}
	for _, edit := range edits {
		if tried[edit.name] == 0 {
			t.Errorf("%q was never tried", edit.name)
		}
	}
}

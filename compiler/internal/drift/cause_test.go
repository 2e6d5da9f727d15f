package drift

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// part is a changed type with one change, which reaches the named methods.
func part(name, change, methods string) *Part {
	p := &Part{Type: name, Changes: []Change{{Kind: KeywordAdded, Path: "/" + name, Name: "minimum", Now: End{Text: change}}}}
	for _, m := range strings.Fields(methods) {
		p.reach(Reach{Method: m, Side: Response})
	}
	return p
}

// TestGrouping has a row for each rule by which parts become questions. A
// question is its methods, a colon, and its parts.
func TestGrouping(t *testing.T) {
	const many = "a b c d e f"
	for _, c := range []struct {
		name  string
		parts []*Part
		want  []string
	}{
		{"the same methods", []*Part{part("X", "1", many), part("Y", "2", many)}, []string{many + ": X Y"}},
		{"one method", []*Part{part("X", "1", "a"), part("Y", "2", "a")}, []string{"a: X Y"}},
		{"one method of many", []*Part{part("X", "1", many), part("Y", "2", "b")}, []string{many + ": X", "b: Y"}},
		{"some methods of many", []*Part{part("X", "1", many), part("Y", "2", "a b c d e")}, []string{many + ": X", "a b c d e: Y"}},
		{"the same change everywhere", []*Part{part("X", "1", "a"), part("Y", "1", "b c"), part("Z", "1", "f")}, []string{"a b c f: Y X Z"}},
		{"the same change beside others", []*Part{part("X", "1", "a"), part("X2", "2", "a"), part("Y", "1", "b")}, []string{"a: X X2", "b: Y"}},
		{"a handful", []*Part{part("X", "1", "a b c"), part("Y", "2", "a b"), part("Z", "3", "b")}, []string{"a b c: X Y Z"}},
		{"no handful of many places", []*Part{part("X", "1", "a"), part("Y", "1", "b"), part("Z", "2", "b")}, []string{"a: X", "b: Y Z"}},
		{"what overlaps", []*Part{part("X", "1", "a b"), part("Y", "2", "b c")}, []string{"a b: X", "b c: Y"}},
		{"never more than methods", []*Part{part("U", "1", "a b c d e"), part("V", "2", "b c d e f"), part("W", "3", "a c d e f"), part("X", "4", "a b d e f"),
			part("Y", "5", "a b c e f"), part("Z", "6", "a b c d f"), part("T", "7", many)},
			[]string{many + ": W U", many + ": T", "b c d e f: V", "a b d e f: X", "a b c e f: Y", "a b c d f: Z"}},
	} {
		var pairs []Pair
		for _, m := range strings.Fields(many) {
			pairs = append(pairs, Pair{Name: m})
		}
		var got []string
		for _, cause := range causes(c.parts, pairs) {
			var parts []string
			for _, p := range cause.Parts {
				parts = append(parts, p.Type)
			}
			got = append(got, strings.Join(cause.Names(), " ")+": "+strings.Join(parts, " "))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: asked\n%s\nwant\n%s", c.name, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
}

// TestSidesApart: the same change is two questions where one is about what is
// sent and the other only about what comes back.
func TestSidesApart(t *testing.T) {
	sent := part("X", "1", "a")
	sent.Methods[0].Side = Request
	if got := causes([]*Part{sent, part("Y", "1", "b")}, []Pair{{Name: "a"}, {Name: "b"}}); len(got) != 2 {
		t.Errorf("%d questions, want 2", len(got))
	}
}

// TestNothingIsHidden: whatever changed in whatever methods, every change is
// in one question, which names the methods that it reaches, and nobody is asked
// more often than there are methods.
func TestNothingIsHidden(t *testing.T) {
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 3))
		n := 1 + r.IntN(12)
		var pairs []Pair
		for i := range n {
			pairs = append(pairs, Pair{Name: fmt.Sprintf("m%02d", i)})
		}
		want := map[string]string{} // change -> methods
		var parts []*Part
		for i := range 1 + r.IntN(40) {
			var methods []string
			for _, p := range pairs {
				if r.IntN(n) < 1+r.IntN(3) {
					methods = append(methods, p.Name)
				}
			}
			if len(methods) == 0 {
				continue
			}
			p := part(fmt.Sprintf("T%d", i), fmt.Sprint(r.IntN(20)), strings.Join(methods, " "))
			if r.IntN(3) == 0 {
				p.Type = ""
			}
			want[p.Changes[0].Path] = strings.Join(methods, " ")
			parts = append(parts, p)
		}
		got := map[string]string{}
		reached := map[string]bool{}
		all := causes(parts, pairs)
		for _, c := range all {
			if !slices.IsSorted(c.Names()) || len(slices.Compact(c.Names())) != len(c.Methods) {
				t.Fatalf("seed %d: methods in disorder: %v", seed, c.Names())
			}
			for _, p := range c.Parts {
				if !c.reachesAll(&Cause{Methods: p.Methods}) {
					t.Fatalf("seed %d: a part reaches methods that are not asked about", seed)
				}
				for _, change := range p.Changes {
					if got[change.Path] != "" {
						t.Fatalf("seed %d: %s is told twice", seed, change.Path)
					}
					got[change.Path] = strings.Join((&Cause{Methods: p.Methods}).Names(), " ")
				}
				for _, m := range p.Methods {
					reached[m.Method] = true
				}
			}
		}
		for path, methods := range want {
			if got[path] != methods {
				t.Fatalf("seed %d: %s reaches %q, told as %q", seed, path, methods, got[path])
			}
		}
		if len(all) > len(reached) {
			t.Fatalf("seed %d: %d questions about %d methods", seed, len(all), len(reached))
		}
	}
}

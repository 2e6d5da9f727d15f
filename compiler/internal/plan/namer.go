package plan

import (
	"encoding/json"
	"slices"
	"strings"
)

// reserved are the names that every generated package declares itself, or may
// with its tests.
var reserved = []string{"Client", "NewClient", "Contract", "TestExamples"}

// nameTypes names every declaration of used, all in the package's scope:
// components first, then level by level what we invent, so that ours yield.
func (s *shaper) nameTypes(used []*Decl, names *scope) {
	titles := s.titles(used)
	levels := s.levels(used)
	for _, level := range levels {
		var wishes []wish
		for _, d := range level {
			wishes = append(wishes, s.wish(d, titles))
		}
		names.grantAll(wishes)
	}
	names.grantAll(s.constants(used))
	finish(s.origins, used)
}

// levels sorts the declarations by how deep they lie inside others; the
// components are the first level.
func (s *shaper) levels(used []*Decl) [][]*Decl {
	var levels [][]*Decl
	depth := map[*Decl]int{}
	var of func(d *Decl) int
	of = func(d *Decl) int {
		if n, known := depth[d]; known {
			return n
		}
		o := s.origins[d]
		n := 0
		switch {
		case o.component != "":
		case o.place.owner == nil:
			n = 1
		default:
			depth[d] = 1 // nobody lies inside itself, but be sure to end
			n = of(o.place.owner) + 1
		}
		depth[d] = n
		return n
	}
	for _, d := range used {
		n := of(d)
		for len(levels) <= n {
			levels = append(levels, nil)
		}
		levels[n] = append(levels[n], d)
	}
	return levels
}

func (s *shaper) wish(d *Decl, titles map[string]int) wish {
	o := s.origins[d]
	grant := func(name string) { d.Go = name }
	if o.component != "" {
		return wish{o.key, o.component, []string{named(o.component)}, grant}
	}
	wants := []string{s.path(o.place)}
	if said := o.place; said.owner != nil && said.owner.Kind == UnionInterface && repeats(said.name, said.owner.Go) {
		wants = append([]string{said.name}, wants...)
	}
	if (o.shared || o.place.top) && titles[fold(o.title)] == 1 {
		wants = append([]string{o.title}, wants...)
	}
	return wish{o.key, "", wants, grant}
}

// repeats reports whether a name begins with all the words of another and goes
// on: what "FilterByHash" is beside Filter needs no second Filter.
func repeats(name, other string) bool {
	rest, begins := strings.CutPrefix(name, other)
	return begins && other != "" && rest != "" && (rest[0] < 'a' || 'z' < rest[0])
}

// path is the name of an inline type: the name around it and the words below.
// The type around a shared one may not be in use and have no name.
func (s *shaper) path(p place) string {
	if p.owner == nil {
		return p.name
	}
	o := s.origins[p.owner]
	switch {
	case o.prefix != "":
		return o.prefix + p.name
	case p.owner.Go != "" && o.component == "" && o.place.name == p.name && o.place.owner != nil && o.place.owner.Kind == UnionInterface:
		return p.owner.Go + "Value" // a variant that has its name from this member
	case p.owner.Go != "":
		return p.owner.Go + p.name
	case o.component != "":
		return named(o.component) + p.name
	default:
		return s.path(o.place) + p.name
	}
}

// constants names the values of enums after their types.
func (s *shaper) constants(used []*Decl) []wish {
	var wishes []wish
	for _, d := range used {
		o := s.origins[d]
		if d.Kind != Enum {
			continue
		}
		d.Consts = make([]Const, len(o.values))
		for i, literal := range o.values {
			c := &d.Consts[i]
			text := literal
			if d.Type == String {
				c.Text = unquote(literal)
				text = c.Text
			} else {
				c.Number, _ = smallInteger(literal)
			}
			grant := func(name string) { c.Go = name }
			wishes = append(wishes, wish{o.key + " = " + literal, "", constantNames(d.Go, text), grant})
		}
	}
	return wishes
}

func constantNames(prefix, value string) []string {
	var names []string
	for _, s := range []style{valued, literal} {
		if word := joined(value, s); word != "" {
			names = append(names, prefix+word)
		}
	}
	if len(names) == 0 {
		names = []string{prefix + "Empty"}
	}
	return names
}

// finish fills in what needs the names.
func finish(origins map[*Decl]*origin, used []*Decl) {
	for _, d := range used {
		o := origins[d]
		for _, u := range o.unions {
			if u.Go != "" { // a union that nobody declares is there for its variants only
				d.Implements = append(d.Implements, marker(u))
			}
		}
		slices.Sort(d.Implements)
		if d.Kind == UnionInterface {
			d.Marker = marker(d)
			for _, v := range o.variants {
				d.Variants = append(d.Variants, Variant{Go: v.Go, Zero: zero(v)})
			}
		}
	}
}

func marker(u *Decl) string { return "is" + u.Go }

// zero is how the zero value of a variant is written.
func zero(d *Decl) Zero {
	if d.Kind == Struct {
		return ZeroStruct
	}
	t := d.Type
	for named, ok := t.(Named); ok; named, ok = t.(Named) {
		t = named.Decl.Type
	}
	switch t {
	case String:
		return ZeroText
	case Bool:
		return ZeroFalse
	case Int64, Uint64, Float64:
		return ZeroNumber
	default:
		return ZeroNil
	}
}

// unquote decodes a valid JSON string.
func unquote(literal string) string {
	var text string
	if err := json.Unmarshal([]byte(literal), &text); err != nil {
		panic("plan: the graph holds a broken literal " + literal)
	}
	return text
}

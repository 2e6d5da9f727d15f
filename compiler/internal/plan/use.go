package plan

// used collects the declarations that the given types reach, each after the
// one that first led to it.
type used struct {
	decls []*Decl
	seen  map[*Decl]bool
}

func (u *used) add(t Type, origins map[*Decl]*origin) {
	switch t := t.(type) {
	case Named:
		u.addDecl(t.Decl, origins)
	case Slice:
		u.add(t.Elem, origins)
	case Map:
		u.add(t.Elem, origins)
	case Pointer:
		u.add(t.Elem, origins)
	case Nullable:
		u.add(t.Elem, origins)
	}
}

func (u *used) addDecl(d *Decl, origins map[*Decl]*origin) {
	if u.seen[d] {
		return
	}
	if u.seen == nil {
		u.seen = map[*Decl]bool{}
	}
	u.seen[d] = true
	u.decls = append(u.decls, d)
	u.add(d.Type, origins)
	for _, f := range d.Fields {
		u.add(f.Type, origins)
	}
	for _, v := range origins[d].variants {
		u.addDecl(v, origins)
	}
}

// endless finds the structs that hold themselves by value: no finite JSON
// value fits them, and Go has no such type.
func endless(decls []*Decl) map[*Decl]bool {
	e := &endlessFinder{state: map[*Decl]int{}, found: map[*Decl]bool{}}
	for _, d := range decls {
		e.visit(d)
	}
	return e.found
}

type endlessFinder struct {
	path  []*Decl
	state map[*Decl]int // 1: on the path, 2: done
	found map[*Decl]bool
}

func (e *endlessFinder) visit(d *Decl) {
	switch e.state[d] {
	case 1:
		for i := len(e.path) - 1; ; i-- {
			e.found[e.path[i]] = true
			if e.path[i] == d {
				return
			}
		}
	case 2:
		return
	}
	e.state[d] = 1
	e.path = append(e.path, d)
	for _, f := range d.Fields {
		if held, ok := f.Type.(Named); ok {
			e.visit(held.Decl)
		}
	}
	e.path = e.path[:len(e.path)-1]
	e.state[d] = 2
}

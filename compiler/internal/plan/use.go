package plan

// used collects the declarations that the given types reach, each after the
// one that first led to it.
type used struct {
	decls []*Decl
	seen  map[*Decl]bool
}

// add follows d. It keeps a list of what is still to follow, since a chain
// of types may be as long as the document.
func (u *used) add(d *Decl, origins map[*Decl]*origin) {
	from := len(u.decls)
	u.note(d)
	for ; from < len(u.decls); from++ {
		d := u.decls[from]
		u.note(declOf(d.Type))
		for _, f := range d.Fields {
			u.note(declOf(f.Type))
		}
		for _, v := range origins[d].variants {
			u.note(v)
		}
	}
}

func (u *used) note(d *Decl) {
	if d == nil || u.seen[d] {
		return
	}
	if u.seen == nil {
		u.seen = map[*Decl]bool{}
	}
	u.seen[d] = true
	u.decls = append(u.decls, d)
}

// declOf is the declaration that a type names, nil when it names none. No type
// names two.
func declOf(t Type) *Decl {
	switch t := t.(type) {
	case Named:
		return t.Decl
	case Slice:
		return declOf(t.Elem)
	case Map:
		return declOf(t.Elem)
	case Pointer:
		return declOf(t.Elem)
	case Nullable:
		return declOf(t.Elem)
	default:
		return nil
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

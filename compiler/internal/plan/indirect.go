package plan

// indirect puts a pointer into every Nullable by which a struct would hold
// itself by value: JSON ends such a value with null or by leaving it out, and
// Go has no such type. It is the same whoever is looked at first: each Nullable
// between structs that lead to each other gets one.
func indirect(decls []*Decl) {
	rings := valueRings(decls)
	for _, d := range decls {
		for i, f := range d.Fields {
			held, ok := f.Type.(Nullable)
			if to := valueDecl(held.Elem); ok && to != nil && rings[to] == rings[d] {
				d.Fields[i].Type = Nullable{Pointer{held.Elem}}
			}
		}
	}
}

// valueDecl is the declaration whose values a type holds, nil where it only
// refers to them or has none.
func valueDecl(t Type) *Decl {
	switch t := t.(type) {
	case Named:
		return t.Decl
	case Nullable:
		return valueDecl(t.Elem)
	default:
		return nil
	}
}

// valueRings numbers the declarations so that two have the same number when
// each holds the other by value (Tarjan's strongly connected components, with
// a stack of its own: a chain may be as long as the document).
func valueRings(decls []*Decl) map[*Decl]int {
	r := &ringFinder{index: map[*Decl]int{}, low: map[*Decl]int{}, ring: map[*Decl]int{}}
	for _, d := range decls {
		r.from(d)
	}
	return r.ring
}

type ringFinder struct {
	index, low map[*Decl]int // 1 and up
	ring       map[*Decl]int
	open       []*Decl // reached, their ring not yet known
	rings      int
}

// visit is a declaration whose fields are being followed.
type visit struct {
	decl *Decl
	next int
}

func (r *ringFinder) from(d *Decl) {
	if r.index[d] != 0 {
		return
	}
	path := []visit{r.enter(d)}
	for len(path) > 0 {
		at := &path[len(path)-1]
		if to, more := at.step(); more {
			if to != nil && r.index[to] == 0 {
				path = append(path, r.enter(to))
			} else if to != nil && r.ring[to] == 0 {
				r.low[at.decl] = min(r.low[at.decl], r.index[to])
			}
			continue
		}
		r.leave(at.decl)
		path = path[:len(path)-1]
		if len(path) > 0 {
			up := path[len(path)-1].decl
			r.low[up] = min(r.low[up], r.low[at.decl])
		}
	}
}

func (r *ringFinder) enter(d *Decl) visit {
	r.index[d] = len(r.index) + 1
	r.low[d] = r.index[d]
	r.open = append(r.open, d)
	return visit{decl: d}
}

// step is the next declaration that this one holds by value; more is false
// behind the last one. The type of a defined type counts like a field.
func (v *visit) step() (to *Decl, more bool) {
	if v.next > len(v.decl.Fields) {
		return nil, false
	}
	held := v.decl.Type
	if v.next > 0 {
		held = v.decl.Fields[v.next-1].Type
	}
	v.next++
	return valueDecl(held), true
}

// leave closes the ring that begins with d.
func (r *ringFinder) leave(d *Decl) {
	if r.low[d] != r.index[d] {
		return
	}
	r.rings++
	for {
		last := r.open[len(r.open)-1]
		r.open = r.open[:len(r.open)-1]
		r.ring[last] = r.rings
		if last == d {
			return
		}
	}
}

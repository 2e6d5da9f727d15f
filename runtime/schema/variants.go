package schema

// Variant is one shape that the values of a union may have.
type Variant struct {
	// Branch is what tells the variant from the others.
	Branch *Node
	// Beside are the nodes that hold for the value as well and say something
	// about its members or elements, outermost first: the union itself, and
	// unions between it and Branch. Most unions say nothing beside.
	Beside []*Node
	// Decided are the nodes whose oneOf or anyOf led to Branch.
	Decided []*Node
}

// Bounds of what counts as a union; a node beyond them is none.
const (
	maxVariants = 1024
	maxParts    = 256     // nodes under one allOf
	maxLooked   = 1 << 15 // nodes looked at for one union
	maxDecided  = 8       // unions within unions
)

// Variants lists the shapes of a node's values in document order, which is how
// the variants of a Union stand. A branch that is a union in turn gives its
// own variants, one that only admits null none. A node that lists several JSON
// types has one for each, in the order of the constants. Nil for a node that is
// no union, or too large a one.
func Variants(n *Node) []Variant {
	root := unionOf(n)
	if root == nil {
		return nil
	}
	f := variantFinder{left: maxLooked}
	if !f.collect(n, root, Variant{}) {
		return nil
	}
	return f.found
}

type variantFinder struct {
	found []Variant
	left  int
}

func (f *variantFinder) collect(n *Node, u *union, above Variant) bool {
	if f.left -= u.looked; f.left < 0 || len(above.Decided) == maxDecided {
		return false
	}
	above.Decided = append(above.Decided[:len(above.Decided):len(above.Decided)], u.at)
	if u.beside {
		above.Beside = append(above.Beside[:len(above.Beside):len(above.Beside)], n)
	}
	for _, q := range u.branches {
		if nullOnly(q) {
			continue
		}
		if inner := nested(q); inner != nil {
			if !f.collect(q, inner, above) {
				return false
			}
			continue
		}
		if len(f.found) == maxVariants {
			return false
		}
		v := above
		v.Branch = q
		f.found = append(f.found, v)
	}
	return true
}

// union is the oneOf or anyOf that makes a node a union.
type union struct {
	at       *Node // the node itself, or one below its allOf
	branches []*Node
	one      bool // oneOf
	beside   bool // the node says something about members or elements beside it
	adds     bool // the branches speak of more; false where the union is all there is
	looked   int  // work done
}

// unionOf finds the union of a node: its only oneOf or anyOf, or the only one
// that adds members or elements to what stands beside it.
func unionOf(n *Node) *union {
	o := outline{names: map[string]bool{}, seen: map[*Node]bool{}}
	o.add(n, false)
	if o.over {
		return nil
	}
	if len(o.unions) == 0 {
		return typeUnion(n)
	}
	var chosen *union
	adding := 0
	beside := len(o.names) > 0 || o.elements
	for k := range o.unions {
		u := &o.unions[k]
		u.beside = beside
		if u.adds = (beside || len(o.unions) > 1) && o.addedBy(u); u.adds {
			adding++
		}
		if chosen == nil || u.adds {
			chosen = u
		}
	}
	if adding > 1 || adding == 0 && len(o.unions) > 1 {
		return nil
	}
	chosen.looked = o.looked
	return chosen
}

// nested returns the union of a branch that is to be taken apart itself: one
// that adds members, or that mixes types. Strings alone stay together.
func nested(q *Node) *union {
	u := unionOf(q)
	if u == nil || u.beside && !u.adds {
		return nil
	}
	live := 0
	var kinds Types
	for _, branch := range u.branches {
		if !nullOnly(branch) {
			live++
			kinds |= outlineTypes(branch)
		}
	}
	if kinds&TypeNumber != 0 {
		kinds &^= TypeInteger
	}
	switch kinds {
	case TypeString, TypeNumber, TypeInteger, TypeBoolean:
		return nil
	}
	if live < 2 {
		return nil
	}
	return u
}

// outlineTypes are the types of a node's values as far as it says so itself;
// every type where it does not.
func outlineTypes(n *Node) Types {
	if n.Types != 0 {
		return n.Types &^ TypeNull
	}
	if n.Enum == nil {
		return everyType
	}
	var kinds Types
	for _, literal := range n.Enum {
		kinds |= kindOf(literal[0])
	}
	return kinds &^ TypeNull
}

// outline is what nodes that hold together say about members and elements.
type outline struct {
	names    map[string]bool
	elements bool
	unions   []union
	seen     map[*Node]bool
	looked   int
	over     bool
}

// add takes in n and what is below its allOf, and with deep what is below its
// oneOf and anyOf as well.
func (o *outline) add(n *Node, deep bool) {
	if o.seen[n] || o.over {
		return
	}
	if o.looked++; o.looked > maxParts {
		o.over = true
		return
	}
	o.seen[n] = true
	if n.Object != nil {
		for _, p := range n.Object.Properties {
			o.names[p.Name] = true
		}
	}
	if a := n.Array; a != nil && (a.Items != nil || len(a.Prefix) > 0) {
		o.elements = true
	}
	for _, part := range n.AllOf {
		o.add(part, deep)
	}
	o.branches(n, n.OneOf, true, deep)
	o.branches(n, n.AnyOf, false, deep)
}

func (o *outline) branches(n *Node, branches []*Node, one, deep bool) {
	switch {
	case len(branches) == 0:
	case deep || len(branches) == 1 && n.Discriminator == nil:
		for _, q := range branches {
			o.add(q, deep)
		}
	case orNull(n, branches):
	default:
		o.unions = append(o.unions, union{at: n, branches: branches, one: one})
	}
}

// orNull reports whether the branches are one and null, and n says no more.
func orNull(n *Node, branches []*Node) bool {
	nulls := 0
	for _, q := range branches {
		if nullOnly(q) {
			nulls++
		}
	}
	rest := *n
	rest.OneOf, rest.AnyOf, rest.AllOf = nil, nil, nil
	return nulls > 0 && nulls == len(branches)-1 && blank(&rest)
}

// addedBy reports whether the branches of u speak of members or elements that
// nothing beside them speaks of.
func (o *outline) addedBy(u *union) bool {
	inner := outline{names: map[string]bool{}, seen: map[*Node]bool{}}
	for _, q := range u.branches {
		inner.add(q, true)
	}
	o.looked += inner.looked
	if inner.over || inner.elements && !o.elements {
		return true
	}
	for name := range inner.names {
		if !o.names[name] {
			return true
		}
	}
	return false
}
